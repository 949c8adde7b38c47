/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-diff.h"

#include "core/tool/tau-diff.h"
#include "core/tool/tau-edit-text.h"

#include <string.h>

/* What edits change in a file, as rows for the model and the reader. Only the lines around the changes are looked at:
 * a large file is neither decoded nor compared whole. Pure. */

/* What is looked at before and behind a change: more than is shown, so that a change that could also be seen a few
 * lines further on, among equal lines, is where it would be in a comparison of the whole file. */
#define MARGIN_BYTES ((gsize) 64 * 1024)
#define MARGIN_LINES 8

/* Lines of both texts around changes that are near each other. */
typedef struct
{
  gsize start;
  gsize end;
  guint first; /* hunk */
  guint n_hunks;
  TauEditText before;
  GString *after_bytes;
  TauEditText after;
} Region;

static void
region_clear (gpointer data)
{
  Region *region = data;

  tau_edit_text_clear (&region->before);
  tau_edit_text_clear (&region->after);
  if (region->after_bytes != NULL)
    g_string_free (region->after_bytes, TRUE);
}

/* Whether a line may begin at @position. */
static gboolean
is_boundary (const char *bytes,
             gsize       length,
             gsize       position)
{
  return position == length || bytes[position - 1] == '\n' || (bytes[position - 1] == '\r' && bytes[position] != '\n');
}

static gsize
margin_before (const char *bytes,
               gsize       length,
               gsize       text_start,
               gsize       position)
{
  const gsize least = position - text_start > MARGIN_BYTES ? position - MARGIN_BYTES : text_start;
  guint n_lines = 0;

  while (position > text_start && (position > least || n_lines <= MARGIN_LINES))
    {
      position--;
      while (position > text_start && !is_boundary (bytes, length, position))
        position--;
      n_lines++;
    }
  return position;
}

static gsize
margin_behind (const char *bytes,
               gsize       length,
               gsize       position)
{
  const gsize most = length - position > MARGIN_BYTES ? position + MARGIN_BYTES : length;
  guint n_lines = 0;

  while (position < length && (position < most || n_lines <= MARGIN_LINES))
    {
      position++;
      while (!is_boundary (bytes, length, position))
        position++;
      n_lines++;
    }
  return position;
}

/* Regions with lines between them; margins that meet make one. */
static GArray *
find_regions (const char          *bytes,
              gsize                length,
              const TauEditResult *result)
{
  GArray *regions = g_array_new (FALSE, TRUE, sizeof (Region));

  g_array_set_clear_func (regions, region_clear);
  for (guint i = 0; i < result->hunks->len; i++)
    {
      const TauEditHunk *hunk = &g_array_index (result->hunks, TauEditHunk, i);
      Region *last = regions->len > 0 ? &g_array_index (regions, Region, regions->len - 1) : NULL;
      Region region = { .start = margin_before (bytes, length, result->text_start, hunk->start),
                        .end = margin_behind (bytes, length, hunk->end), .first = i, .n_hunks = 1 };

      if (last == NULL || last->end < region.start)
        {
          g_array_append_val (regions, region);
          continue;
        }
      last->end = region.end;
      last->n_hunks++;
    }
  return regions;
}

static void
fill (Region              *region,
      const char          *bytes,
      const TauEditResult *result)
{
  gsize done = region->start;

  region->after_bytes = g_string_sized_new (region->end - region->start + 1);
  for (guint i = 0; i < region->n_hunks; i++)
    {
      const TauEditHunk *hunk = &g_array_index (result->hunks, TauEditHunk, region->first + i);

      g_string_append_len (region->after_bytes, bytes + done, hunk->start - done);
      g_string_append_len (region->after_bytes, hunk->bytes->str, hunk->bytes->len);
      done = hunk->end;
    }
  g_string_append_len (region->after_bytes, bytes + done, region->end - done);
  tau_edit_text_init (&region->before, bytes, region->start, region->end, result->encoding);
  tau_edit_text_init (&region->after, region->after_bytes->str, 0, region->after_bytes->len, result->encoding);
}

/* Line endings of any kind in a stretch of the file. */
static gint64
count_endings (const char *bytes,
               gsize       start,
               gsize       end)
{
  gint64 n = 0;

  for (gsize i = start; i < end; i++)
    n += bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == end || bytes[i + 1] != '\n'));
  return n;
}

static gint64
count_lf (const TauEditText *text)
{
  return count_endings (text->text, 0, text->length);
}

/**
 * tau_edit_diff:
 * @bytes: the file as it was
 * @length: bytes of @bytes
 * @result: what changes
 * @first_changed_line: (out): number of the first line that changed, in the new text
 *
 * Returns: (transfer full): rows as of tau_diff_text()
 */
GString *
tau_edit_diff (const char          *bytes,
               gsize                length,
               const TauEditResult *result,
               gint64              *first_changed_line)
{
  g_autoptr(GArray) regions = find_regions (bytes, length, result);
  g_autofree TauDiffRegion *diffs = g_new0 (TauDiffRegion, regions->len);
  gint64 before_line = 0, after_line = 0;
  gsize done = result->text_start;

  for (guint i = 0; i < regions->len; i++)
    {
      Region *region = &g_array_index (regions, Region, i);
      gint64 between = count_endings (bytes, done, region->start);

      fill (region, bytes, result);
      before_line += between;
      after_line += between;
      diffs[i] = (TauDiffRegion) { region->before.text, region->before.length, region->after.text, region->after.length,
                                   before_line, after_line };
      before_line += count_lf (&region->before);
      after_line += count_lf (&region->after);
      done = region->end;
    }
  return tau_diff_regions (diffs, regions->len, MAX (before_line, after_line) + count_endings (bytes, done, length) + 1,
                           first_changed_line);
}
