/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-match.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-edit-search.h"
#include "core/tool/tau-edit-text.h"
#include "core/tool/tau-text-decoder.h"

#include <string.h>

/* Says which bytes of a file edits change. Every edit is looked for in the text as the model sees it (decoded, LF), and
 * if it is not there, in its simplified form; the place is then followed back to the bytes, and only there something
 * changes. Encoding, byte order mark and all line endings outside the places are therefore kept. Pure: no file is
 * touched. Rules and error texts are pi's. */

#define BOM "\xef\xbb\xbf"

/* A place in the file. */
typedef struct
{
  guint edit;
  gsize start;
  gsize end;
  GString *old_text; /* with LF */
  GString *new_text; /* with LF */
} Place;

typedef struct
{
  const char *name;
  guint n_edits;
  const char *bytes;
  gsize text_start; /* behind the byte order mark */
  gsize length;
  const char *encoding;
  gboolean inexact;
} Match;

static void
place_clear (gpointer data)
{
  Place *place = data;

  g_string_free (place->old_text, TRUE);
  g_string_free (place->new_text, TRUE);
}

static void G_GNUC_PRINTF (2, 3)
fail (GError    **error,
      const char *format,
      ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, message);
}

static GString *
with_lf (const char *text,
         gsize       length)
{
  GString *out = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      if (text[i] != '\r')
        g_string_append_c (out, text[i]);
      else if (i + 1 == length || text[i + 1] != '\n')
        g_string_append_c (out, '\n');
    }
  return out;
}

static gboolean
match_init (Match       *match,
            const char  *bytes,
            gsize        length,
            GError     **error)
{
  match->bytes = bytes;
  match->length = length;
  match->text_start = length >= 3 && memcmp (bytes, BOM, 3) == 0 ? 3 : 0;
  match->encoding = tau_text_decoder_guess (bytes + match->text_start, length - match->text_start, TRUE);
  if (!g_str_has_prefix (match->encoding, "UTF-16"))
    return TRUE;
  fail (error, "%s is encoded as %s, which edit does not change. Convert the file, or change it with a command.",
        match->name, match->encoding);
  return FALSE;
}

/* Takes the place where a text was found: exactly, else in simplified text. What is there more than once, be it in
 * simplified text only, is nowhere: the model has to say more. */
static gboolean
take_place (Match                *match,
            const TauEditNeedle  *needle,
            Place                *place,
            GError              **error)
{
  /* Blanks alone are nothing in simplified text. */
  const guint n = MAX (needle->simple.n, needle->exact.n);
  const TauEditFound *found = needle->exact.n > 0 ? &needle->exact : &needle->simple;

  if (n > 1 && match->n_edits == 1)
    fail (error, "Found %u occurrences of the text in %s. The text must be unique. Please provide more context to make it unique.",
          n, match->name);
  else if (n > 1)
    fail (error, "Found %u occurrences of edits[%u] in %s. Each oldText must be unique. Please provide more context to make it unique.",
          n, place->edit, match->name);
  else if (n == 1 && found->is_place)
    {
      place->start = found->start;
      place->end = found->end;
      match->inexact |= needle->exact.n == 0;
      return TRUE;
    }
  else if (match->n_edits == 1)
    fail (error, "Could not find the exact text in %s. The old text must match exactly including all whitespace and newlines.",
          match->name);
  else
    fail (error, "Could not find edits[%u] in %s. The oldText must match exactly including all whitespace and newlines.",
          place->edit, match->name);
  return FALSE;
}

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  gsize start_a = ((const Place *) a)->start, start_b = ((const Place *) b)->start;

  return start_a < start_b ? -1 : start_a > start_b;
}

static GArray *
find_places (Match          *match,
             const TauEdit  *edits,
             GError        **error)
{
  g_autoptr(GArray) places = g_array_new (FALSE, TRUE, sizeof (Place));
  g_autofree TauEditNeedle *needles = g_new0 (TauEditNeedle, match->n_edits);

  g_array_set_clear_func (places, place_clear);
  for (guint i = 0; i < match->n_edits; i++)
    {
      Place place = { .edit = i };

      place.old_text = with_lf (edits[i].old_text, edits[i].old_length);
      place.new_text = with_lf (edits[i].new_text, edits[i].new_length);
      g_array_append_val (places, place);
      needles[i].text = place.old_text;
    }
  tau_edit_search (match->bytes, match->text_start, match->length, match->encoding, needles, match->n_edits);
  for (guint i = 0; i < match->n_edits; i++)
    if (!take_place (match, &needles[i], &g_array_index (places, Place, i), error))
      return NULL;

  g_array_sort (places, compare_places);
  for (guint i = 1; i < places->len; i++)
    {
      const Place *previous = &g_array_index (places, Place, i - 1);
      const Place *place = &g_array_index (places, Place, i);

      if (previous->end <= place->start)
        continue;
      fail (error, "edits[%u] and edits[%u] overlap in %s. Merge them into one edit or target disjoint regions.",
            previous->edit, place->edit, match->name);
      return NULL;
    }
  return g_steal_pointer (&places);
}

static gboolean
is_ending (char c)
{
  return c == '\n' || c == '\r';
}

/* The line ending that new lines at a place take: the first one in it, else the one before it, else the one behind. */
static const char *
ending_at (const Match *match,
           const Place *place)
{
  const char *bytes = match->bytes;
  gsize at = place->start;

  while (at < place->end && !is_ending (bytes[at]))
    at++;
  if (at == place->end)
    {
      at = place->start;
      while (at > match->text_start && !is_ending (bytes[at - 1]))
        at--;
      if (at > match->text_start)
        at--;
      else
        for (at = place->end; at < match->length && !is_ending (bytes[at]); at++)
          ;
    }
  if (at == match->length)
    return "\n";
  if (bytes[at] == '\n')
    return at > match->text_start && bytes[at - 1] == '\r' ? "\r\n" : "\n";
  return at + 1 < match->length && bytes[at + 1] == '\n' ? "\r\n" : "\r";
}

/* The part of a place that really changes: what old and new text have in common at both ends stays as it is in the
 * file, with its endings and bytes. */
static void
narrow (const TauEditText *old,
        const GString     *new_text,
        gsize             *skipped_start,
        gsize             *skipped_end)
{
  const gsize shorter = MIN (old->length, new_text->len);
  gsize head = 0, tail = 0;

  while (head < shorter && old->text[head] == new_text->str[head])
    head++;
  /* Not within a character. */
  while (head > 0 && ((head < old->length && ((guint8) old->text[head] & 0xc0) == 0x80)
                      || (head < new_text->len && ((guint8) new_text->str[head] & 0xc0) == 0x80)))
    head--;
  while (tail < shorter - head && old->text[old->length - 1 - tail] == new_text->str[new_text->len - 1 - tail])
    tail++;
  while (tail > 0 && ((guint8) new_text->str[new_text->len - tail] & 0xc0) == 0x80)
    tail--;
  *skipped_start = head;
  *skipped_end = tail;
}

/* New text as bytes: with the endings of its place, in the encoding of the file. */
static GString *
encode (const Match  *match,
        const char   *text,
        gsize         length,
        const char   *ending,
        GError      **error)
{
  g_autoptr(GString) ended = g_string_sized_new (length);
  g_autofree char *encoded = NULL;
  gsize encoded_length;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '\n')
      g_string_append (ended, ending);
    else
      g_string_append_c (ended, text[i]);
  if (g_str_equal (match->encoding, "UTF-8"))
    return g_steal_pointer (&ended);

  encoded = g_convert (ended->str, ended->len, match->encoding, "UTF-8", NULL, &encoded_length, NULL);
  if (encoded != NULL)
    return g_string_new_len (encoded, encoded_length);
  fail (error, "The new text has characters that cannot be written in %s, the encoding of %s.", match->encoding, match->name);
  return NULL;
}

/* A lone CR and an LF that come together would become one line ending of two: another CR between them keeps both. */
static void
keep_apart (const Match  *match,
            TauEditHunk  *hunk)
{
  gboolean cr_before = hunk->start > match->text_start && match->bytes[hunk->start - 1] == '\r';
  gboolean lf_behind = hunk->end < match->length && match->bytes[hunk->end] == '\n';

  if (hunk->start == hunk->end && hunk->bytes->len == 0)
    return;
  if (cr_before && (hunk->bytes->len > 0 ? hunk->bytes->str[0] == '\n' : lf_behind))
    g_string_prepend_c (hunk->bytes, '\r');
  else if (lf_behind && hunk->bytes->len > 0 && hunk->bytes->str[hunk->bytes->len - 1] == '\r')
    g_string_append_c (hunk->bytes, '\r');
}

/* Hunks that touch are one. */
static void
put_hunk (GArray       *hunks,
          TauEditHunk   hunk)
{
  TauEditHunk *last = hunks->len > 0 ? &g_array_index (hunks, TauEditHunk, hunks->len - 1) : NULL;

  if (last == NULL || last->end != hunk.start)
    {
      g_array_append_val (hunks, hunk);
      return;
    }
  if (last->bytes->len > 0 && last->bytes->str[last->bytes->len - 1] == '\r' && hunk.bytes->str[0] == '\n')
    g_string_append_c (last->bytes, '\r');
  g_string_append_len (last->bytes, hunk.bytes->str, hunk.bytes->len);
  last->end = hunk.end;
  g_string_free (hunk.bytes, TRUE);
}

static void
hunk_clear (gpointer data)
{
  g_string_free (((TauEditHunk *) data)->bytes, TRUE);
}

static gboolean
add_hunk (const Match    *match,
          const Place    *place,
          TauEditResult  *result,
          GError        **error)
{
  g_auto(TauEditText) old = { 0 };
  TauEditHunk hunk;
  gsize head, tail;

  tau_edit_text_init (&old, match->bytes, place->start, place->end, match->encoding);
  narrow (&old, place->new_text, &head, &tail);
  hunk.start = tau_edit_text_start_at (&old, head);
  hunk.end = old.length - tail > head ? tau_edit_text_end_at (&old, old.length - tail) : hunk.start;
  hunk.bytes = encode (match, place->new_text->str + head, place->new_text->len - head - tail, ending_at (match, place), error);
  if (hunk.bytes == NULL)
    return FALSE;

  put_hunk (result->hunks, hunk);
  return TRUE;
}

static gboolean
changes_nothing (const TauEditResult *result,
                 const char          *bytes)
{
  for (guint i = 0; i < result->hunks->len; i++)
    {
      const TauEditHunk *hunk = &g_array_index (result->hunks, TauEditHunk, i);

      if (hunk->bytes->len != hunk->end - hunk->start || memcmp (hunk->bytes->str, bytes + hunk->start, hunk->bytes->len) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_edits (const char     *name,
             const TauEdit  *edits,
             guint           n_edits,
             GError        **error)
{
  if (n_edits == 0)
    {
      fail (error, "Edit tool input is invalid. edits must contain at least one replacement.");
      return FALSE;
    }
  for (guint i = 0; i < n_edits; i++)
    {
      if (edits[i].old_length > 0)
        continue;
      if (n_edits == 1)
        fail (error, "oldText must not be empty in %s.", name);
      else
        fail (error, "edits[%u].oldText must not be empty in %s.", i, name);
      return FALSE;
    }
  return TRUE;
}

/**
 * tau_edit_apply:
 * @name: the file's name for error texts
 * @bytes: the file's content
 * @length: bytes of @bytes
 * @edits: what is to be replaced; all are looked for in the content as it is, none in what another one made
 * @n_edits: how many
 * @error: return location for a %TAU_TOOL_ERROR_FAILED whose text is meant for the model
 *
 * Applies edits, all or none.
 *
 * Returns: (transfer full) (nullable): what changes
 */
TauEditResult *
tau_edit_apply (const char     *name,
                const char     *bytes,
                gsize           length,
                const TauEdit  *edits,
                guint           n_edits,
                GError        **error)
{
  Match match = { .name = name, .n_edits = n_edits };
  g_autoptr(TauEditResult) result = NULL;
  g_autoptr(GArray) places = NULL;

  if (!check_edits (name, edits, n_edits, error) || !match_init (&match, bytes, length, error))
    return NULL;
  places = find_places (&match, edits, error);
  if (places == NULL)
    return NULL;

  result = g_new0 (TauEditResult, 1);
  result->hunks = g_array_new (FALSE, FALSE, sizeof (TauEditHunk));
  g_array_set_clear_func (result->hunks, hunk_clear);
  for (guint i = 0; i < places->len; i++)
    if (!add_hunk (&match, &g_array_index (places, Place, i), result, error))
      return NULL;
  for (guint i = 0; i < result->hunks->len; i++)
    keep_apart (&match, &g_array_index (result->hunks, TauEditHunk, i));
  if (changes_nothing (result, bytes))
    {
      if (n_edits == 1)
        fail (error, "No changes made to %s. The replacement produced identical content. This might indicate an issue with special "
                     "characters or the text not existing as expected.", name);
      else
        fail (error, "No changes made to %s. The replacements produced identical content.", name);
      return NULL;
    }

  result->text_start = match.text_start;
  result->encoding = match.encoding;
  result->inexact = match.inexact;
  return g_steal_pointer (&result);
}

/**
 * tau_edit_result_free:
 * @self: (transfer full): a result
 *
 * Frees it.
 */
void
tau_edit_result_free (TauEditResult *self)
{
  g_clear_pointer (&self->hunks, g_array_unref);
  g_free (self);
}
