/* SPDX-License-Identifier: MIT */
#include "core/base/tau-find-term.h"

#include <string.h>

/* TauFindTerm: what a reader looks for. Letters are compared one by one in lower case, so that what is found has its
 * place in the text as it is written; a table of first bytes keeps the search near the speed of memory. */
struct _TauFindTerm
{
  gunichar *letters;        /* in lower case */
  glong     n_letters;
  guint8    begins[256];    /* whether a letter that is the first one may begin with that byte */
};

static void
allow_first (TauFindTerm *self,
             gunichar     letter)
{
  char bytes[6];

  g_unichar_to_utf8 (letter, bytes);
  self->begins[(guint8) bytes[0]] = TRUE;
}

/**
 * tau_find_term_new:
 * @words: valid UTF-8
 *
 * Returns: (transfer full): a term that finds @words; an empty one finds nothing
 */
TauFindTerm *
tau_find_term_new (const char *words)
{
  TauFindTerm *self = g_new0 (TauFindTerm, 1);

  self->letters = g_utf8_to_ucs4_fast (words, -1, &self->n_letters);
  for (glong i = 0; i < self->n_letters; i++)
    self->letters[i] = g_unichar_tolower (self->letters[i]);
  if (self->n_letters > 0)
    {
      allow_first (self, self->letters[0]);
      allow_first (self, g_unichar_toupper (self->letters[0]));
      allow_first (self, g_unichar_totitle (self->letters[0]));
    }
  return self;
}

/**
 * tau_find_term_free:
 * @self: (transfer full): a term
 *
 * Frees it.
 */
void
tau_find_term_free (TauFindTerm *self)
{
  g_free (self->letters);
  g_free (self);
}

/* Returns where the match ends that begins at a place, or NULL. */
static const char *
match (const TauFindTerm *self,
       const char        *at,
       const char        *end)
{
  for (glong i = 0; i < self->n_letters; i++)
    {
      if (at >= end || g_unichar_tolower (g_utf8_get_char (at)) != self->letters[i])
        return NULL;
      at = g_utf8_next_char (at);
    }
  return at <= end ? at : NULL;
}

/**
 * tau_find_term_next:
 * @self: a term
 * @text: valid UTF-8
 * @length: bytes of @text
 * @from: byte to begin at
 * @start: (out): first byte of what was found
 * @end: (out): byte behind it
 *
 * Returns: whether there is another place
 */
gboolean
tau_find_term_next (const TauFindTerm *self,
                    const char        *text,
                    gsize              length,
                    gsize              from,
                    gsize             *start,
                    gsize             *end)
{
  const char *stop = text + length;

  if (self->n_letters == 0)
    return FALSE;

  for (const char *at = text + from; at < stop; at++)
    {
      const char *behind = self->begins[(guint8) *at] ? match (self, at, stop) : NULL;

      if (!behind)
        continue;
      *start = (gsize) (at - text);
      *end = (gsize) (behind - text);
      return TRUE;
    }
  return FALSE;
}

/**
 * tau_find_term_count:
 * @self: a term
 * @text: valid UTF-8
 * @length: bytes of @text, or -1
 *
 * Returns: in how many places, none within another, @text has it
 */
guint
tau_find_term_count (const TauFindTerm *self,
                     const char        *text,
                     gssize             length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  gsize start, end = 0;
  guint n = 0;

  while (tau_find_term_next (self, text, size, end, &start, &end))
    n++;
  return n;
}
