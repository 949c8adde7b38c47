/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-query.h"

#include "core/base/tau-text.h"

#include <string.h>

/* Terms are words between blanks, or what stands between quotes; all must match. A term matches a session by its
 * title, loosely (its letters in order, close to each other), by its id or folder, or by a word of its texts that
 * begins so; the last is the database's work. Whatever is typed is only ever text. */
#define MAX_TERMS       16
#define MAX_SPREAD      3     /* a loose match may be so many times as long as the term */
#define RATE_PLACE      50    /* id or folder */

struct _TauSessionQuery
{
  GPtrArray *terms;   /* of char *, casefolded */
};

static void
add_term (TauSessionQuery *self,
          const char      *text,
          gsize            length)
{
  g_autofree char *valid = tau_text_make_valid (text, (gssize) length);
  g_autofree char *folded = NULL;

  g_strstrip (valid);
  if (*valid == '\0' || self->terms->len >= MAX_TERMS)
    return;
  folded = g_utf8_casefold (valid, -1);
  g_ptr_array_add (self->terms, g_utf8_normalize (folded, -1, G_NORMALIZE_DEFAULT_COMPOSE));
}

/**
 * tau_session_query_new: (skip)
 * @text: what was typed
 *
 * Returns: (transfer full): the query; it has no terms if nothing but blanks was typed
 */
TauSessionQuery *
tau_session_query_new (const char *text)
{
  TauSessionQuery *self = g_new0 (TauSessionQuery, 1);
  const char *at = text;

  self->terms = g_ptr_array_new_with_free_func (g_free);
  while (*at != '\0')
    {
      const char *quote = *at == '"' ? strchr (at + 1, '"') : NULL;
      gsize length = quote != NULL ? (gsize) (quote - at) - 1 : strcspn (at, " \t\n\r");

      if (quote != NULL)
        add_term (self, at + 1, length);
      else
        add_term (self, *at == '"' ? at + 1 : at, *at == '"' ? length - 1 : length);
      at = quote != NULL ? quote + 1 : at + length;
      at += strspn (at, " \t\n\r");
    }
  return self;
}

/**
 * tau_session_query_free: (skip)
 * @self: (transfer full): a query
 *
 * Frees it.
 */
void
tau_session_query_free (TauSessionQuery *self)
{
  g_ptr_array_unref (self->terms);
  g_free (self);
}

/**
 * tau_session_query_get_n_terms: (skip)
 * @self: a query
 *
 * Returns: how many terms there are, all of which must match
 */
guint
tau_session_query_get_n_terms (TauSessionQuery *self)
{
  return self->terms->len;
}

/* As SQLite's tokenizer unicode61 sees it, so that a word is never a phrase there. */
static gboolean
is_word_character (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_type (c) == G_UNICODE_OTHER_NUMBER || g_unichar_type (c) == G_UNICODE_PRIVATE_USE;
}

/**
 * tau_session_query_dup_words: (skip)
 * @self: a query
 * @term: its position
 *
 * Returns: (transfer full): the words of a term, without signs; none if it is nothing but signs or a single letter, which
 *   stands in every text
 */
char **
tau_session_query_dup_words (TauSessionQuery *self,
                             guint            term)
{
  g_autoptr(GStrvBuilder) words = g_strv_builder_new ();
  const char *text = g_ptr_array_index (self->terms, term);
  const char *start = NULL;

  for (const char *at = text; ; at = g_utf8_next_char (at))
    {
      gboolean inside = *at != '\0' && is_word_character (g_utf8_get_char (at));

      if (inside && start == NULL)
        start = at;
      if (!inside && start != NULL)
        {
          g_autofree char *word = g_strndup (start, (gsize) (at - start));

          if (g_utf8_strlen (word, -1) > 1)
            g_strv_builder_add (words, word);
          start = NULL;
        }
      if (*at == '\0')
        break;
    }
  return g_strv_builder_end (words);
}

static gboolean
begins_word (const char *text,
             const char *at)
{
  return at == text || strchr (" -_./:", at[-1]) != NULL;
}

/* The letters of @term in @text from @start on: how many bytes from the first to the last; G_MAXSIZE if they are not there. */
static gsize
measure_spread (const char *start,
                const char *term)
{
  const char *at = start;

  for (; *term != '\0'; term = g_utf8_next_char (term))
    {
      at = g_utf8_strchr (at, -1, g_utf8_get_char (term));
      if (at == NULL)
        return G_MAXSIZE;
      at = g_utf8_next_char (at);
    }
  return (gsize) (at - start);
}

/* 0 the whole title, 1 its beginning, 2 a word's beginning, 3 inside; from 10 on loosely, by how far apart the letters are. */
static int
rate_title (const char *title,
            const char *term)
{
  const char *found = strstr (title, term);
  gsize length = strlen (term);
  gsize best = G_MAXSIZE;

  if (found == title)
    return title[length] == '\0' ? 0 : 1;
  for (const char *at = found; at != NULL; at = strstr (at + 1, term))
    if (begins_word (title, at))
      return 2;
  if (found != NULL)
    return 3;
  for (const char *at = title; *at != '\0'; at = g_utf8_next_char (at))
    if (g_utf8_get_char (at) == g_utf8_get_char (term) && begins_word (title, at))
      best = MIN (best, measure_spread (at, term));
  return best <= length * MAX_SPREAD ? (int) (10 + MIN (best - length, 30)) : TAU_SESSION_QUERY_NO_MATCH;
}

/**
 * tau_session_query_rate: (skip)
 * @self: a query
 * @term: position of one of its terms
 * @info: a session
 *
 * Says how well a term matches what the list shows of a session.
 *
 * Returns: 0 for the best, more for less, %TAU_SESSION_QUERY_NO_MATCH for not at all
 */
int
tau_session_query_rate (TauSessionQuery *self,
                        guint            term,
                        TauSessionInfo  *info)
{
  const char *text = g_ptr_array_index (self->terms, term);
  g_autofree char *cwd = NULL;
  int rate = rate_title (tau_session_info_get_search_title (info), text);

  if (rate != TAU_SESSION_QUERY_NO_MATCH)
    return rate;
  cwd = g_utf8_casefold (tau_session_info_get_cwd (info), -1);
  return strstr (cwd, text) != NULL || g_str_has_prefix (tau_session_info_get_id (info), text) ? RATE_PLACE : TAU_SESSION_QUERY_NO_MATCH;
}
