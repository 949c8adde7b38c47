/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/base/tau-fuzzy.h"

/* Plain record: what was typed, as words of small letters. A text matches when the letters of each word stand in it one
 * after another; it scores better the closer they stand together, and at the beginning of words. Nothing is allocated
 * while matching, so that a hundred thousand names can be tried between two keys. */
struct _TauFuzzy
{
  GPtrArray *words;  /* of gunichar strings that end with 0 */
};

#define POINTS_LETTER   16
#define POINTS_BOUNDARY 10
#define POINTS_NEXT     10
#define POINTS_GAP      4    /* off for each gap, and one for each letter in it */
#define MOST_GAP        12

/**
 * tau_fuzzy_new:
 * @query: what was typed; words may come in any order
 *
 * Prepares a query for many texts.
 *
 * Returns: (transfer full): the query
 */
TauFuzzy *
tau_fuzzy_new (const char *query)
{
  TauFuzzy *self = g_new0 (TauFuzzy, 1);
  g_autofree char *valid = NULL;
  g_auto(GStrv) words = NULL;

  g_return_val_if_fail (query != NULL, NULL);

  valid = g_utf8_make_valid (query, -1);
  words = g_strsplit_set (valid, " \t\n", -1);
  self->words = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; words[i] != NULL; i++)
    {
      gunichar *letters;

      if (*words[i] == '\0')
        continue;
      letters = g_utf8_to_ucs4_fast (words[i], -1, NULL);
      for (gsize j = 0; letters[j] != 0; j++)
        letters[j] = g_unichar_tolower (letters[j]);
      g_ptr_array_add (self->words, letters);
    }

  return self;
}

/**
 * tau_fuzzy_free:
 * @self: (transfer full): a query
 *
 * Frees a query.
 */
void
tau_fuzzy_free (TauFuzzy *self)
{
  g_ptr_array_unref (self->words);
  g_free (self);
}

/**
 * tau_fuzzy_is_empty:
 * @self: a query
 *
 * Returns: whether nothing is looked for, so that every text matches
 */
gboolean
tau_fuzzy_is_empty (const TauFuzzy *self)
{
  return self->words->len == 0;
}

/* Names come from disks too: a byte that begins no letter counts as itself. */
static gunichar
read_letter (const char **at)
{
  guchar byte = (guchar) **at;
  gunichar letter;

  if (byte < 0x80)
    {
      (*at)++;
      return byte;
    }
  letter = g_utf8_get_char_validated (*at, -1);
  if (letter == (gunichar) -1 || letter == (gunichar) -2)
    {
      (*at)++;
      return byte;
    }
  *at = g_utf8_next_char (*at);
  return letter;
}

static gunichar
fold (gunichar letter)
{
  if (letter < 0x80)
    return (gunichar) g_ascii_tolower ((char) letter);
  return g_unichar_tolower (letter);
}

static gboolean
begins_word (gunichar before,
             gunichar letter)
{
  gboolean was_letter = before < 0x80 ? g_ascii_isalnum ((char) before) : g_unichar_isalnum (before);

  return !was_letter || (before < 0x80 && letter < 0x80 && g_ascii_islower ((char) before) && g_ascii_isupper ((char) letter));
}

/* One try: the word's letters from a place on, each taken where it comes first. */
static int
score_from (const gunichar *word,
            const char     *at,
            gunichar        before)
{
  gboolean first = TRUE;
  int score = 0;
  int gap = 0;

  while (*word != 0 && *at != '\0')
    {
      gunichar letter = read_letter (&at);

      if (fold (letter) == *word)
        {
          score += POINTS_LETTER - (gap > 0 ? MIN (POINTS_GAP + gap, MOST_GAP) : 0);
          score += begins_word (before, letter) ? POINTS_BOUNDARY : 0;
          score += gap == 0 && !first ? POINTS_NEXT : 0;
          gap = 0;
          first = FALSE;
          word++;
        }
      else
        {
          gap++;
        }
      before = letter;
    }

  return *word == 0 ? score : TAU_FUZZY_NO_MATCH;
}

/* Most names do not match, and most are ASCII: these are told apart without looking at letters twice. */
static gboolean
may_match (const gunichar *word,
           const char     *text)
{
  for (; *text != '\0' && *word != 0; text++)
    {
      if ((guchar) *text >= 0x80)
        return TRUE;
      if ((gunichar) g_ascii_tolower (*text) == *word)
        word++;
    }
  return *word == 0;
}

/* The first letter may be taken in several places; the best counts. The number of tries has a limit, a text's length has none. */
static int
score_word (const gunichar *word,
            const char     *text)
{
  gunichar before = ' ';
  int best = TAU_FUZZY_NO_MATCH;

  if (!may_match (word, text))
    return TAU_FUZZY_NO_MATCH;
  for (int tries = 0; *text != '\0' && tries < 16;)
    {
      const char *here = text;
      gunichar letter = read_letter (&text);

      if (fold (letter) == *word)
        {
          int score = score_from (word, here, before);

          if (score == TAU_FUZZY_NO_MATCH)
            break;
          best = MAX (best, score);
          tries++;
        }
      before = letter;
    }

  return best;
}

/**
 * tau_fuzzy_score:
 * @self: a query
 * @text: a name; need not be valid UTF-8
 *
 * How well a text fits. Scores of one query can be compared with each other; of equal ones the shorter text is meant.
 *
 * Returns: the score, 0 for an empty query, %TAU_FUZZY_NO_MATCH if the text does not match
 */
int
tau_fuzzy_score (const TauFuzzy *self,
                 const char     *text)
{
  int sum = 0;

  for (guint i = 0; i < self->words->len; i++)
    {
      int score = score_word (g_ptr_array_index (self->words, i), text);

      if (score == TAU_FUZZY_NO_MATCH)
        return TAU_FUZZY_NO_MATCH;
      sum += score;
    }

  return sum;
}
