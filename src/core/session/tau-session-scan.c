/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-scan.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Finds the objects of a session line and their envelopes without building anything: a session of 250 MB is mostly
 * text that nobody looks at again. The grammar is JSON's, strictly, so that what passes here parses later; nesting
 * is limited, since a parser may recurse. */

#define MAX_DEPTH 512

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

static gboolean
is_special (char c)
{
  return c == '"' || c == '\\' || (guchar) c < 0x20;
}

/* The next byte of a string that is not simply text; most of a session passes here. */
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

/* At the opening quote; leaves after the closing one. */
static gboolean
scan_string (Scanner  *self,
             TauSpan  *contents,
             gboolean *escaped)
{
  const char *start = self->at + 1;
  const char *at = find_special (start, self->end);

  *escaped = FALSE;
  while (at < self->end && *at == '\\')
    {
      *escaped = TRUE;
      at = skip_escape (at + 1, self->end);
      if (at == NULL)
        return FALSE;
      at = find_special (at, self->end);
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
