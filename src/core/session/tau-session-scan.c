/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-scan.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Finds the objects of a session line and their envelopes without building anything: a session of 250 MB is mostly
 * text that nobody looks at again. The grammar is JSON's, strictly, so that what passes here parses later; nesting
 * is limited, since a parser may recurse. */

#define MAX_DEPTH 512
#define SHORT     32   /* bytes; a longer string is worth looking at by blocks */

typedef enum
{
  EXPECT_VALUE,
  EXPECT_VALUE_OR_END,
  EXPECT_KEY,
  EXPECT_KEY_OR_END,
  EXPECT_COMMA_OR_END,
} Expectation;

typedef struct
{
  const char        *at;
  const char        *end;
  guint              depth;
  char               closers[MAX_DEPTH];   /* what ends each open object or array */
  guint8             places[MAX_DEPTH];    /* a TauPlace for each of them */
  TauField           field;                /* what the coming value belongs to */
  TauEnvelopeReader  reader;
} Scanner;

static void
skip_blanks (Scanner *self)
{
  while (self->at < self->end && (*self->at == ' ' || *self->at == '\t' || *self->at == '\r'))
    self->at++;
}

/* Behind the backslash; returns what follows the escape, or %NULL. */
static const char *
skip_escape (const char *at,
             const char *end)
{
  if (at == end)
    return NULL;
  switch (*at++)
    {
    case 'n': case '"': case '\\': case 't': case 'r': case '/': case 'b': case 'f':
      return at;
    case 'u':
      for (guint i = 0; i < 4; i++)
        if (at == end || !g_ascii_isxdigit (*at++))
          return NULL;
      return at;
    default:
      return NULL;
    }
}

#ifdef __x86_64__
#define BLOCK 64
#define WIDE __attribute__ ((target ("avx2")))

/* What a block of a string holds, a bit for each byte. */
typedef struct
{
  guint64 backslashes;
  guint64 quotes;
  guint64 controls;
  guint64 not_escapes;   /* could not stand behind a backslash, or begin the four digits of one */
} Block;

/* A byte stands for itself behind a backslash if the entries for its two halves have a bit in common. */
WIDE static inline guint64
find_not_escapes (__m256i bytes)
{
  const __m256i low = _mm256_setr_epi8 (0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1, 0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
  const __m256i high = _mm256_setr_epi8 (0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i half = _mm256_set1_epi8 (0x0f);
  __m256i of_low = _mm256_shuffle_epi8 (low, _mm256_and_si256 (bytes, half));
  __m256i of_high = _mm256_shuffle_epi8 (high, _mm256_and_si256 (_mm256_srli_epi16 (bytes, 4), half));
  __m256i common = _mm256_and_si256 (of_low, of_high);

  return (guint) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (common, _mm256_setzero_si256 ()));
}

WIDE static inline void
read_block (Block      *self,
            const char *at)
{
  const __m256i quote = _mm256_set1_epi8 ('"'), backslash = _mm256_set1_epi8 ('\\'), control = _mm256_set1_epi8 (0x1f);

  *self = (Block) { 0 };
  for (guint i = 0; i < BLOCK; i += 32)
    {
      __m256i bytes = _mm256_loadu_si256 ((const __m256i *) (const void *) (at + i));

      self->backslashes |= (guint64) (guint) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (bytes, backslash)) << i;
      self->quotes |= (guint64) (guint) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (bytes, quote)) << i;
      self->controls |= (guint64) (guint) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (_mm256_min_epu8 (bytes, control), bytes)) << i;
      self->not_escapes |= find_not_escapes (bytes) << i;
    }
}

/* Which bytes stand behind a backslash that does not itself stand behind one: behind an odd number of them. @open: the
 * same of the byte after the block. By adding, a run of ones carries to where it ends (as simdjson has it). */
static inline guint64
find_escaped (guint64   backslashes,
              gboolean *open)
{
  const guint64 even = G_GUINT64_CONSTANT (0x5555555555555555);
  guint64 behind = backslashes << 1;
  guint64 odd_starts = backslashes & ~even & ~behind;
  guint64 ends;

  *open = __builtin_add_overflow (odd_starts, backslashes, &ends);
  return (even ^ (ends << 1)) & behind;
}

/* Goes as far as whole blocks allow: to the closing quote, to something that no string may hold or that is rare, which is
 * not judged here, or to where not more than a block is left. Most of a session passes here. */
WIDE static const char *
skip_blocks_wide (const char *at,
                  const char *end,
                  gboolean   *has_escapes)
{
  while (end - at > BLOCK)
    {
      gboolean open;
      guint64 escaped, stops;
      Block block;

      read_block (&block, at);
      escaped = find_escaped (block.backslashes, &open);
      stops = (block.quotes & ~escaped) | block.controls | (escaped & block.not_escapes);
      *has_escapes |= (block.backslashes & (stops - 1) & ~stops) != 0;
      if (stops != 0)
        {
          guint place = (guint) __builtin_ctzll (stops);

          return at + place - (escaped >> place & 1);
        }
      if (open)
        return at + BLOCK - 1;
      at += BLOCK;
    }
  return at;
}

static const char *
skip_blocks (const char *at,
             const char *end,
             gboolean   *has_escapes)
{
  return __builtin_cpu_supports ("avx2") ? skip_blocks_wide (at, end, has_escapes) : at;
}
#else
static const char *
skip_blocks (const char *at,
             const char *end,
             gboolean   *has_escapes)
{
  return at;
}
#endif

static gboolean
is_special (char c)
{
  return c == '"' || c == '\\' || (guchar) c < 0x20;
}

/* The next byte of a string that is not simply text. */
static const char *
find_special (const char *at,
              const char *end)
{
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8 ('"'), backslash = _mm_set1_epi8 ('\\'), control = _mm_set1_epi8 (0x1f);

  for (; end - at >= 16; at += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) at);
      __m128i found = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, quote), _mm_cmpeq_epi8 (bytes, backslash)),
                                    _mm_cmpeq_epi8 (_mm_min_epu8 (bytes, control), bytes));
      int mask = _mm_movemask_epi8 (found);

      if (mask != 0)
        return at + __builtin_ctz ((guint) mask);
    }
#endif
  while (at < end && !is_special (*at))
    at++;
  return at;
}

/* At the opening quote; leaves after the closing one. */
static gboolean
scan_string (Scanner  *self,
             TauSpan  *contents,
             gboolean *escaped)
{
  const char *start = self->at + 1;
  const char *short_end = self->end - start > SHORT ? start + SHORT : self->end;
  const char *at;

  *escaped = FALSE;
  /* Most strings are keys and other short ones, most of the text is in long ones. */
  at = find_special (start, short_end);
  if (at == short_end)
    at = find_special (skip_blocks (at, self->end, escaped), self->end);
  while (at < self->end && *at == '\\')
    {
      *escaped = TRUE;
      at = skip_escape (at + 1, self->end);
      if (at == NULL)
        return FALSE;
      at = find_special (skip_blocks (at, self->end, escaped), self->end);
    }
  if (at == self->end || *at != '"')
    return FALSE;
  *contents = (TauSpan) { start, (gsize) (at - start) };
  self->at = at + 1;
  return TRUE;
}

static gboolean
scan_digits (Scanner *self)
{
  const char *start = self->at;

  while (self->at < self->end && g_ascii_isdigit (*self->at))
    self->at++;
  return self->at > start;
}

static gboolean
take (Scanner *self,
      char     wanted)
{
  if (self->at == self->end || *self->at != wanted)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
scan_number (Scanner *self)
{
  take (self, '-');
  if (!take (self, '0') && !scan_digits (self))
    return FALSE;
  if (take (self, '.') && !scan_digits (self))
    return FALSE;
  if (!take (self, 'e') && !take (self, 'E'))
    return TRUE;
  if (!take (self, '+'))
    take (self, '-');
  return scan_digits (self);
}

static gboolean
scan_word (Scanner    *self,
           const char *word)
{
  gsize length = strlen (word);

  if ((gsize) (self->end - self->at) < length || memcmp (self->at, word, length) != 0)
    return FALSE;
  self->at += length;
  return TRUE;
}

static gboolean
scan_scalar (Scanner *self)
{
  TauPlace place = self->depth > 0 ? self->places[self->depth - 1] : TAU_PLACE_OTHER;
  TauSpan span = { self->at, 0 };
  gboolean escaped;

  if (*self->at == '"')
    {
      if (!scan_string (self, &span, &escaped))
        return FALSE;
      if (place != TAU_PLACE_OTHER)
        tau_envelope_reader_take_string (&self->reader, place, self->field, &span, escaped);
      return TRUE;
    }
  if (!scan_number (self) && !scan_word (self, "true") && !scan_word (self, "false") && !scan_word (self, "null"))
    return FALSE;
  span.length = (gsize) (self->at - span.text);
  if (place != TAU_PLACE_OTHER)
    tau_envelope_reader_take_word (&self->reader, place, self->field, &span);
  return TRUE;
}

static gboolean
scan_key (Scanner *self)
{
  TauPlace place = self->places[self->depth - 1];
  TauSpan key;
  gboolean escaped;

  if (*self->at != '"' || !scan_string (self, &key, &escaped))
    return FALSE;
  skip_blanks (self);
  if (!take (self, ':'))
    return FALSE;
  self->field = place != TAU_PLACE_OTHER ? tau_envelope_reader_take_key (&self->reader, place, &key, escaped) : TAU_FIELD_NONE;
  return TRUE;
}

static TauPlace
enter (Scanner *self,
       char     bracket)
{
  TauPlace place = TAU_PLACE_ENTRY;

  if (self->depth > 0)
    place = self->places[self->depth - 1];
  if (self->depth > 0 && place != TAU_PLACE_OTHER)
    place = tau_envelope_reader_enter (&self->reader, place, self->field, bracket);
  return place;
}

static gboolean
open_container (Scanner     *self,
                Expectation *next)
{
  char bracket = *self->at++;

  if (self->depth == MAX_DEPTH)
    return FALSE;
  *next = bracket == '{' ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
  self->closers[self->depth] = bracket == '{' ? '}' : ']';
  self->places[self->depth] = (guint8) enter (self, bracket);
  self->depth++;
  self->field = TAU_FIELD_NONE;
  return TRUE;
}

static gboolean
close_container (Scanner     *self,
                 Expectation *next)
{
  if (self->depth == 0 || *self->at != self->closers[self->depth - 1])
    return FALSE;
  self->at++;
  self->depth--;
  self->field = TAU_FIELD_NONE;
  if (self->places[self->depth] != TAU_PLACE_OTHER)
    tau_envelope_reader_leave (&self->reader, self->places[self->depth]);
  *next = EXPECT_COMMA_OR_END;
  return TRUE;
}

static gboolean
scan_step (Scanner     *self,
           Expectation *next)
{
  Expectation expected = *next;

  if ((expected == EXPECT_VALUE_OR_END || expected == EXPECT_KEY_OR_END || expected == EXPECT_COMMA_OR_END)
      && close_container (self, next))
    return TRUE;

  switch (expected)
    {
    case EXPECT_COMMA_OR_END:
      *next = self->closers[self->depth - 1] == '}' ? EXPECT_KEY : EXPECT_VALUE;
      return take (self, ',');

    case EXPECT_KEY:
    case EXPECT_KEY_OR_END:
      *next = EXPECT_VALUE;
      return scan_key (self);

    case EXPECT_VALUE:
    case EXPECT_VALUE_OR_END:
    default:
      if (*self->at == '{' || *self->at == '[')
        return open_container (self, next);
      *next = EXPECT_COMMA_OR_END;
      return scan_scalar (self);
    }
}

/* Returns where the object at @text ends, or %NULL if it is none. */
static const char *
scan_object (Scanner            *self,
             const char         *text,
             const char         *end,
             TauSessionEnvelope *envelope)
{
  Expectation next = EXPECT_VALUE;

  self->at = text;
  self->end = end;
  self->depth = 0;
  self->field = TAU_FIELD_NONE;
  tau_envelope_reader_begin (&self->reader, envelope);
  do
    {
      skip_blanks (self);
      if (self->at == self->end || !scan_step (self, &next))
        return NULL;
    }
  while (self->depth > 0);

  envelope->object = (TauSpan) { text, (gsize) (self->at - text) };
  tau_envelope_reader_end (&self->reader);
  return self->at;
}

/* A whole entry behind a broken one is told from the blocks inside of the broken one by its four fields. */
static gboolean
is_whole_entry (const TauSessionEnvelope *envelope)
{
  return envelope->type.text != NULL && envelope->id.text != NULL && envelope->timestamp.text != NULL
         && envelope->has_parent;
}

/**
 * tau_session_scan_line:
 * @line: bytes between two line ends
 * @length: how many
 * @func: (scope call): called for each object, in order
 * @user_data: for @func
 *
 * Finds what can be read in one line of a session file. It should be one object. Where two programs wrote without a
 * line end between them there are two, and where the first was cut off the second is found by its beginning.
 *
 * Returns: whether the whole line could be read
 */
gboolean
tau_session_scan_line (const char        *line,
                       gsize              length,
                       TauSessionScanFunc func,
                       gpointer           user_data)
{
  const char *end = line + length;
  const char *at = line;
  gboolean intact = TRUE;
  Scanner scanner;

  while (at < end)
    {
      TauSessionEnvelope envelope;
      const char *after;

      if (*at == ' ' || *at == '\t' || *at == '\r')
        {
          at++;
          continue;
        }
      after = *at == '{' ? scan_object (&scanner, at, end, &envelope) : NULL;
      if (after != NULL && (intact || is_whole_entry (&envelope)))
        func (&envelope, user_data);
      if (after == NULL)
        {
          intact = FALSE;
          after = memmem (at + 1, (gsize) (end - at) - 1, "{\"type\":\"", strlen ("{\"type\":\""));
        }
      at = after != NULL ? after : end;
    }
  return intact;
}
