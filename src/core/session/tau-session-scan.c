/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-scan.h"

#include <string.h>

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
  const char *at;
  const char *end;
  guint       depth;
  char        closers[MAX_DEPTH];   /* what ends each open object or array */
  TauSpan    *field;                /* of the envelope: what the coming value belongs to, or NULL */
} Scanner;

static void
skip_blanks (Scanner *self)
{
  while (self->at < self->end && (*self->at == ' ' || *self->at == '\t' || *self->at == '\r'))
    self->at++;
}

static gboolean
scan_escape (Scanner *self)
{
  if (self->at == self->end || *self->at == '\0')
    return FALSE;
  if (*self->at != 'u')
    return strchr ("\"\\/bfnrt", *self->at++) != NULL;

  self->at++;
  for (guint i = 0; i < 4; i++)
    if (self->at == self->end || !g_ascii_isxdigit (*self->at++))
      return FALSE;
  return TRUE;
}

/* At the opening quote; leaves after the closing one. */
static gboolean
scan_string (Scanner  *self,
             TauSpan  *contents,
             gboolean *escaped)
{
  const char *start = ++self->at;

  *escaped = FALSE;
  while (self->at < self->end)
    {
      char c = *self->at++;

      if (c == '"')
        {
          *contents = (TauSpan) { start, (gsize) (self->at - start) - 1 };
          return TRUE;
        }
      if ((guchar) c < 0x20)
        return FALSE;
      if (c == '\\')
        {
          *escaped = TRUE;
          if (!scan_escape (self))
            return FALSE;
        }
    }
  return FALSE;
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
take (Scanner    *self,
      const char *any_of)
{
  if (self->at == self->end || *self->at == '\0' || strchr (any_of, *self->at) == NULL)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
scan_number (Scanner *self)
{
  take (self, "-");
  if (!take (self, "0") && !scan_digits (self))
    return FALSE;
  if (take (self, ".") && !scan_digits (self))
    return FALSE;
  if (take (self, "eE"))
    {
      take (self, "+-");
      return scan_digits (self);
    }
  return TRUE;
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
scan_scalar (Scanner            *self,
             TauSessionEnvelope *envelope)
{
  TauSpan contents;
  gboolean escaped;

  if (*self->at != '"')
    return scan_word (self, "true") || scan_word (self, "false") || scan_word (self, "null") || scan_number (self);
  if (!scan_string (self, &contents, &escaped))
    return FALSE;
  if (self->depth == 1 && self->field != NULL)
    {
      *self->field = escaped ? (TauSpan) { 0 } : contents;
      envelope->has_escapes |= escaped;
    }
  return TRUE;
}

static gboolean
span_is (const TauSpan *span,
         const char    *text)
{
  return span->length == strlen (text) && memcmp (span->text, text, span->length) == 0;
}

static TauSpan *
find_field (const TauSpan      *key,
            TauSessionEnvelope *envelope)
{
  if (span_is (key, "type"))
    return &envelope->type;
  if (span_is (key, "id"))
    return &envelope->id;
  if (span_is (key, "timestamp"))
    return &envelope->timestamp;
  if (!span_is (key, "parentId"))
    return NULL;
  envelope->has_parent = TRUE;
  return &envelope->parent_id;
}

static gboolean
scan_key (Scanner            *self,
          TauSessionEnvelope *envelope)
{
  TauSpan key;
  gboolean escaped;

  if (*self->at != '"' || !scan_string (self, &key, &escaped))
    return FALSE;
  skip_blanks (self);
  if (!take (self, ":"))
    return FALSE;
  self->field = self->depth == 1 ? find_field (&key, envelope) : NULL;
  if (self->field != NULL)
    *self->field = (TauSpan) { 0 };
  return TRUE;
}

static gboolean
open_container (Scanner     *self,
                Expectation *next)
{
  if (self->depth == MAX_DEPTH)
    return FALSE;
  *next = *self->at == '{' ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
  self->closers[self->depth++] = *self->at == '{' ? '}' : ']';
  self->at++;
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
  *next = EXPECT_COMMA_OR_END;
  return TRUE;
}

static gboolean
scan_step (Scanner            *self,
           TauSessionEnvelope *envelope,
           Expectation        *next)
{
  Expectation expected = *next;

  if ((expected == EXPECT_VALUE_OR_END || expected == EXPECT_KEY_OR_END || expected == EXPECT_COMMA_OR_END)
      && close_container (self, next))
    return TRUE;

  switch (expected)
    {
    case EXPECT_COMMA_OR_END:
      *next = self->closers[self->depth - 1] == '}' ? EXPECT_KEY : EXPECT_VALUE;
      return take (self, ",");

    case EXPECT_KEY:
    case EXPECT_KEY_OR_END:
      *next = EXPECT_VALUE;
      return scan_key (self, envelope);

    case EXPECT_VALUE:
    case EXPECT_VALUE_OR_END:
    default:
      if (*self->at == '{' || *self->at == '[')
        return open_container (self, next);
      *next = EXPECT_COMMA_OR_END;
      return scan_scalar (self, envelope);
    }
}

/* Returns where the object at @text ends, or %NULL if it is none. */
static const char *
scan_object (const char         *text,
             const char         *end,
             TauSessionEnvelope *envelope)
{
  Scanner self;
  Expectation next = EXPECT_VALUE;

  self.at = text;
  self.end = end;
  self.depth = 0;
  self.field = NULL;
  *envelope = (TauSessionEnvelope) { .object = { text, 0 } };
  do
    {
      skip_blanks (&self);
      if (self.at == self.end || !scan_step (&self, envelope, &next))
        return NULL;
    }
  while (self.depth > 0);

  envelope->object.length = (gsize) (self.at - text);
  return self.at;
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

  while (at < end)
    {
      TauSessionEnvelope envelope;
      const char *after;

      if (*at == ' ' || *at == '\t' || *at == '\r')
        {
          at++;
          continue;
        }
      after = *at == '{' ? scan_object (at, end, &envelope) : NULL;
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
