/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-diff-lines.h"

#include "app/markdown/tau-code-view.h"

#include <string.h>

/* Makes the diff of an edit ready to be shown: "-520 text" becomes "520 − text", so that numbers stand in a column
 * of their own. Where lines were replaced one by one, it says which words of them changed. */

#define MAX_WORDS 200   /* of a line; the comparison is quadratic */

typedef struct
{
  char  sign;     /* '+', '-', ' '; '.' where lines are left out */
  gsize start;    /* of the line's own text in the whole */
  gsize length;
} Line;

typedef struct
{
  const char *start;
  gsize       length;
} Word;

static gboolean
is_word (const char *at)
{
  return g_ascii_isalnum (*at) || *at == '_' || (guchar) *at >= 0x80;
}

/* Words, and every other character on its own. */
static void
split_words (const char *text,
             gsize       length,
             GArray     *words)
{
  const char *end = text + length;

  while (text < end && words->len <= MAX_WORDS)
    {
      Word word = { text, 1 };

      while (is_word (text) && text + word.length < end && is_word (text + word.length))
        word.length++;
      g_array_append_val (words, word);
      text += word.length;
    }
}

static gboolean
same_word (const Word *a,
           const Word *b)
{
  return a->length == b->length && memcmp (a->start, b->start, a->length) == 0;
}

/* Marks the words that both lines have, in the same order and as many as can be. */
static void
find_common (GArray  *a,
             GArray  *b,
             guint8  *in_a,
             guint8  *in_b)
{
  guint columns = b->len + 1;
  g_autofree guint16 *longest = g_new0 (guint16, (a->len + 1) * columns);
  guint i = 0, j = 0;

  for (guint x = a->len; x-- > 0;)
    for (guint y = b->len; y-- > 0;)
      longest[x * columns + y] = same_word (&g_array_index (a, Word, x), &g_array_index (b, Word, y))
                                   ? longest[(x + 1) * columns + y + 1] + 1
                                   : MAX (longest[(x + 1) * columns + y], longest[x * columns + y + 1]);
  while (i < a->len && j < b->len)
    {
      if (same_word (&g_array_index (a, Word, i), &g_array_index (b, Word, j)))
        in_a[i++] = in_b[j++] = TRUE;
      else if (longest[(i + 1) * columns + j] >= longest[i * columns + j + 1])
        i++;
      else
        j++;
    }
}

static guint
count_letters (GArray       *words,
               const guint8 *common)
{
  guint n = 0;

  for (guint i = 0; i < words->len; i++)
    if (common[i] && is_word (g_array_index (words, Word, i).start))
      n += (guint) g_array_index (words, Word, i).length;
  return n;
}

static void
add_changes (GArray       *changes,
             GArray       *words,
             const guint8 *common,
             const char   *whole)
{
  for (guint i = 0; i < words->len; i++)
    {
      Word *word = &g_array_index (words, Word, i);
      TauCodeRange range = { (gsize) (word->start - whole), 0 };

      if (common[i])
        continue;
      while (i + 1 < words->len && !common[i + 1])
        i++;
      word = &g_array_index (words, Word, i);
      range.end = (gsize) (word->start - whole) + word->length;
      g_array_append_val (changes, range);
    }
}

static void
compare_lines (const char *whole,
               const Line *before,
               const Line *after,
               GArray     *changes)
{
  g_autoptr(GArray) a = g_array_new (FALSE, FALSE, sizeof (Word));
  g_autoptr(GArray) b = g_array_new (FALSE, FALSE, sizeof (Word));
  g_autofree guint8 *in_a = g_new0 (guint8, MAX_WORDS + 2);
  g_autofree guint8 *in_b = g_new0 (guint8, MAX_WORDS + 2);

  split_words (whole + before->start, before->length, a);
  split_words (whole + after->start, after->length, b);
  if (a->len > MAX_WORDS || b->len > MAX_WORDS)
    return;

  find_common (a, b, in_a, in_b);
  /* Lines that have no word in common are others altogether: all of them changed, and the tint says so. */
  if (count_letters (a, in_a) == 0)
    return;
  add_changes (changes, a, in_a, whole);
  add_changes (changes, b, in_b, whole);
}

static guint
count_run (GArray *lines,
           guint   from,
           char    sign)
{
  guint n = 0;

  while (from + n < lines->len && g_array_index (lines, Line, from + n).sign == sign)
    n++;
  return n;
}

/* Lines that were replaced by as many others belong together one by one. */
static void
find_changes (const char *whole,
              GArray     *lines,
              GArray     *changes)
{
  for (guint i = 0; i < lines->len;)
    {
      guint n_removed = count_run (lines, i, '-');
      guint n_added = count_run (lines, i + n_removed, '+');

      if (n_removed == n_added)
        for (guint n = 0; n < n_removed; n++)
          compare_lines (whole, &g_array_index (lines, Line, i + n), &g_array_index (lines, Line, i + n_removed + n), changes);
      i += MAX (n_removed + n_added, 1);
    }
}

static Line
append_line (GString    *text,
             const char *line,
             gsize       length,
             gboolean    numbered)
{
  const char *number = length > 0 ? line + 1 : line;
  gsize spaces = strspn (number, " ");
  gsize digits = strspn (number + spaces, "0123456789");
  const char *rest = number + spaces + digits;
  Line result = { length > 0 && digits > 0 ? *line : '.', 0, 0 };

  if (digits == 0)
    {
      /* Lines between are left out. */
      g_string_append (text, "…");
      return result;
    }
  rest += *rest == ' ';
  if (numbered)
    {
      g_string_append_len (text, number, (gssize) (spaces + digits));
      g_string_append_c (text, ' ');
    }
  g_string_append (text, result.sign == '-' ? "− " : result.sign == '+' ? "+ " : "  ");
  result.start = text->len;
  result.length = rest < line + length ? (gsize) (line + length - rest) : 0;
  g_string_append_len (text, rest, (gssize) result.length);
  return result;
}

/**
 * tau_diff_lines_parse:
 * @self: (out caller-allocates): where to put the result
 * @diff: valid text: each line has a sign, a number and the text
 * @numbered: whether to show the numbers
 *
 * Makes a diff ready to be shown.
 */
void
tau_diff_lines_parse (TauDiffLines *self,
                      const char   *diff,
                      gboolean      numbered)
{
  GString *text = g_string_new (NULL);
  GString *tints = g_string_new (NULL);
  g_autoptr(GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));

  for (const char *line = diff; *line;)
    {
      gsize length = strcspn (line, "\n");
      Line parsed;

      if (text->len > 0)
        g_string_append_c (text, '\n');
      parsed = append_line (text, line, length, numbered);
      g_string_append_c (tints, parsed.sign == '+' || parsed.sign == '-' ? parsed.sign : ' ');
      g_array_append_val (lines, parsed);
      line += length + (line[length] == '\n');
    }
  self->changes = g_array_new (FALSE, FALSE, sizeof (TauCodeRange));
  find_changes (text->str, lines, self->changes);
  self->text = g_string_free (text, FALSE);
  self->tints = g_string_free (tints, FALSE);
}
