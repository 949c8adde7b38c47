/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-diff.h"

#include <string.h>

/* The difference of two texts, line by line, in the form of pi's edit results (numbered rows, four lines around each
 * change). The algorithm is Myers' in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986, 4b):
 * the middle of a shortest edit path splits the problem in two. Pure. */

#define CONTEXT_LINES 4
/* Texts that differ more than this are shown as replaced: a finer answer would take long and help nobody. */
#define MAX_COST 3000

typedef struct
{
  const char *text; /* with its LF */
  gsize length;
} Line;

typedef struct
{
  GArray *old_lines; /* of Line */
  GArray *new_lines;
  guint *old_ids; /* equal lines have equal ids */
  guint *new_ids;
  gboolean *removed;
  gboolean *added;
  gint64 old_offset; /* lines before the first one */
  gint64 new_offset;
  gint64 *forward; /* furthest points by diagonal, see find_middle() */
  gint64 *backward;
} Diff;

static guint
line_hash (gconstpointer key)
{
  const Line *line = key;
  guint hash = 5381;

  for (gsize i = 0; i < line->length; i++)
    hash = hash * 33 + (guint8) line->text[i];
  return hash;
}

static gboolean
line_equal (gconstpointer a,
            gconstpointer b)
{
  const Line *line_a = a, *line_b = b;

  return line_a->length == line_b->length && memcmp (line_a->text, line_b->text, line_a->length) == 0;
}

static GArray *
split_lines (const char *text,
             gsize       length)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  const char *end = text + length;

  while (text < end)
    {
      const char *newline = memchr (text, '\n', end - text);
      const char *next = newline != NULL ? newline + 1 : end;
      Line line = { text, next - text };

      g_array_append_val (lines, line);
      text = next;
    }
  return lines;
}

static guint *
number_lines (GHashTable *ids,
              GArray     *lines)
{
  guint *numbers = g_new (guint, lines->len + 1);

  for (guint i = 0; i < lines->len; i++)
    {
      Line *line = &g_array_index (lines, Line, i);
      guint id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, line));

      if (id == 0)
        {
          id = g_hash_table_size (ids) + 1;
          g_hash_table_insert (ids, line, GUINT_TO_POINTER (id));
        }
      numbers[i] = id;
    }
  return numbers;
}

/* The furthest point on diagonal @k with @cost changes: one step right (a line removed) from the diagonal below or
 * one step down (a line added) from the one above, whichever leads further; -1 if neither stays inside. */
static gint64
step (const gint64 *furthest,
      gint64        k,
      gint64        cost,
      gint64        width,
      gint64        height)
{
  gint64 right = k > -cost ? furthest[k - 1] : -1;
  gint64 down = k < cost ? furthest[k + 1] : -1;

  right = right >= 0 && right < width ? right + 1 : -1;
  down = down >= 0 && down - (k + 1) < height ? down : -1;
  return MAX (right, down);
}

/* Finds a point in the middle of a shortest path through the box, by searching from both corners until the searches
 * meet. Coordinates are relative to the box; FALSE if the path is too long. */
static gboolean
find_middle (const Diff *diff,
             gint64      old_start,
             gint64      width,
             gint64      new_start,
             gint64      height,
             gint64     *x_middle,
             gint64     *y_middle)
{
  const guint *a = diff->old_ids + old_start, *b = diff->new_ids + new_start;
  gint64 *forward = diff->forward + width + height + 1, *backward = diff->backward + width + height + 1;
  const gint64 delta = width - height;
  const gboolean odd = (delta & 1) != 0;

  for (gint64 cost = 0; cost <= MIN (MAX_COST, (width + height + 1) / 2); cost++)
    {
      for (gint64 k = -cost; k <= cost; k += 2)
        {
          gint64 x = cost == 0 ? 0 : step (forward, k, cost, width, height);

          while (x >= 0 && x < width && x - k < height && a[x] == b[x - k])
            x++;
          forward[k] = x;
          if (x >= 0 && odd && ABS (delta - k) < cost && backward[delta - k] >= 0 && x + backward[delta - k] >= width)
            {
              *x_middle = x;
              *y_middle = x - k;
              return TRUE;
            }
        }
      for (gint64 k = -cost; k <= cost; k += 2)
        {
          gint64 x = cost == 0 ? 0 : step (backward, k, cost, width, height);

          while (x >= 0 && x < width && x - k < height && a[width - 1 - x] == b[height - 1 - (x - k)])
            x++;
          backward[k] = x;
          if (x >= 0 && !odd && ABS (delta - k) <= cost && forward[delta - k] >= 0 && x + forward[delta - k] >= width)
            {
              *x_middle = width - x;
              *y_middle = height - (x - k);
              return TRUE;
            }
        }
    }
  return FALSE;
}

static void
mark (gboolean *flags,
      gint64    start,
      gint64    end)
{
  for (gint64 i = start; i < end; i++)
    flags[i] = TRUE;
}

static void
compare (Diff   *diff,
         gint64  old_start,
         gint64  old_end,
         gint64  new_start,
         gint64  new_end)
{
  gint64 x, y;

  while (old_start < old_end && new_start < new_end && diff->old_ids[old_start] == diff->new_ids[new_start])
    old_start++, new_start++;
  while (old_start < old_end && new_start < new_end && diff->old_ids[old_end - 1] == diff->new_ids[new_end - 1])
    old_end--, new_end--;

  if (old_start == old_end || new_start == new_end
      || !find_middle (diff, old_start, old_end - old_start, new_start, new_end - new_start, &x, &y))
    {
      mark (diff->removed, old_start, old_end);
      mark (diff->added, new_start, new_end);
      return;
    }
  compare (diff, old_start, old_start + x, new_start, new_start + y);
  compare (diff, old_start + x, old_end, new_start + y, new_end);
}

static void
diff_init (Diff                *diff,
           const TauDiffRegion *region)
{
  g_autoptr(GHashTable) ids = g_hash_table_new (line_hash, line_equal);
  gsize n;

  diff->old_lines = split_lines (region->before, region->before_length);
  diff->new_lines = split_lines (region->after, region->after_length);
  diff->old_offset = region->before_line;
  diff->new_offset = region->after_line;
  diff->old_ids = number_lines (ids, diff->old_lines);
  diff->new_ids = number_lines (ids, diff->new_lines);
  n = (gsize) diff->old_lines->len + diff->new_lines->len;
  diff->removed = g_new0 (gboolean, diff->old_lines->len + 1);
  diff->added = g_new0 (gboolean, diff->new_lines->len + 1);
  diff->forward = g_new (gint64, 2 * n + 3);
  diff->backward = g_new (gint64, 2 * n + 3);
}

static void
diff_clear (Diff *diff)
{
  g_array_unref (diff->old_lines);
  g_array_unref (diff->new_lines);
  g_free (diff->old_ids);
  g_free (diff->new_ids);
  g_free (diff->removed);
  g_free (diff->added);
  g_free (diff->forward);
  g_free (diff->backward);
}

static void
append_row (GString    *out,
            char        sign,
            int         width,
            gint64      number,
            const Line *line)
{
  gsize length = line->text[line->length - 1] == '\n' ? line->length - 1 : line->length;

  g_string_append_printf (out, "%s%c%*" G_GINT64_FORMAT " ", out->len > 0 ? "\n" : "", sign, width, number);
  g_string_append_len (out, line->text, length);
}

/* Prints @n unchanged lines from @start: those near the change before them (@lead) and the one behind them (@trail),
 * and one row for what lies between. */
static void
append_unchanged (GString    *out,
                  const Diff *diff,
                  int         width,
                  gint64      start,
                  gint64      n,
                  gint64      lead,
                  gint64      trail)
{
  for (gint64 i = 0; i < n; i++)
    {
      if (i == lead && n > lead + trail)
        {
          g_string_append_printf (out, "%s %*s ...", out->len > 0 ? "\n" : "", width, "");
          i = n - trail;
          if (i == n)
            return;
        }
      append_row (out, ' ', width, diff->old_offset + start + i + 1, &g_array_index (diff->old_lines, Line, start + i));
    }
}

/* Prints a run of removed lines and the added ones in their place; moves behind both. */
static void
append_changed (GString    *out,
                const Diff *diff,
                int         width,
                gint64     *old_at,
                gint64     *new_at)
{
  for (; diff->removed[*old_at]; (*old_at)++)
    append_row (out, '-', width, diff->old_offset + *old_at + 1, &g_array_index (diff->old_lines, Line, *old_at));
  for (; diff->added[*new_at]; (*new_at)++)
    append_row (out, '+', width, diff->new_offset + *new_at + 1, &g_array_index (diff->new_lines, Line, *new_at));
}

/* Prints a region; returns the first changed line in it, 0 if there is none. Behind another region the row that stands
 * for what lies between is there already. */
static gint64
print (const Diff *diff,
       int         width,
       gboolean    is_first,
       GString    *out)
{
  const gint64 old_length = diff->old_lines->len, new_length = diff->new_lines->len;
  gint64 old_at = 0, new_at = 0, first_changed = 0;

  while (old_at < old_length || new_at < new_length)
    {
      gint64 start = old_at;
      gboolean more;

      while (old_at < old_length && !diff->removed[old_at] && !diff->added[new_at])
        old_at++, new_at++;
      more = old_at < old_length || new_at < new_length;
      if (first_changed == 0 && more && !is_first)
        start = MAX (start, old_at - CONTEXT_LINES);
      if (first_changed > 0 || more)
        append_unchanged (out, diff, width, start, old_at - start,
                          first_changed > 0 ? CONTEXT_LINES : 0, more ? CONTEXT_LINES : 0);
      if (more && first_changed == 0)
        first_changed = diff->new_offset + new_at + 1;
      append_changed (out, diff, width, &old_at, &new_at);
    }
  return first_changed;
}

/* Lines as an editor counts them: a text that ends with LF has an empty one behind it. */
static gint64
count_lines (const char *text,
             gsize       length)
{
  const char *end = text + length;
  gint64 n = 1;

  for (; (text = memchr (text, '\n', end - text)) != NULL; text++)
    n++;
  return n;
}

/**
 * tau_diff_regions:
 * @regions: (array length=n_regions): where two texts differ, in their order
 * @n_regions: how many
 * @n_lines: lines of the longer text, an empty one behind a last LF included
 * @first_changed_line: (out): number of the first line that changed, in the new text; 0 if none did
 *
 * Compares two texts that are known to be the same elsewhere.
 *
 * Returns: (transfer full): rows of sign, line number and text, joined by LF; removed and unchanged lines have old
 *   numbers, added lines new ones. May hold NULs if the texts do
 */
GString *
tau_diff_regions (const TauDiffRegion *regions,
                  guint                n_regions,
                  gint64               n_lines,
                  gint64              *first_changed_line)
{
  GString *out = g_string_new (NULL);
  int width = 1;

  for (; n_lines >= 10; n_lines /= 10)
    width++;
  *first_changed_line = 0;
  for (guint i = 0; i < n_regions; i++)
    {
      gint64 first_changed;
      Diff diff;

      diff_init (&diff, &regions[i]);
      compare (&diff, 0, diff.old_lines->len, 0, diff.new_lines->len);
      first_changed = print (&diff, width, out->len == 0, out);
      if (*first_changed_line == 0)
        *first_changed_line = first_changed;
      diff_clear (&diff);
    }
  return out;
}

/**
 * tau_diff_text:
 * @before: the old text
 * @before_length: bytes of @before
 * @after: the new text
 * @after_length: bytes of @after
 * @first_changed_line: (out): number of the first line that changed, in the new text; 0 if none did
 *
 * Compares two texts as tau_diff_regions() does.
 *
 * Returns: (transfer full): the rows
 */
GString *
tau_diff_text (const char *before,
               gsize       before_length,
               const char *after,
               gsize       after_length,
               gint64     *first_changed_line)
{
  const TauDiffRegion region = { before, before_length, after, after_length, 0, 0 };

  return tau_diff_regions (&region, 1, MAX (count_lines (before, before_length), count_lines (after, after_length)), first_changed_line);
}
