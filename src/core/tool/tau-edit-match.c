/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-match.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-mapped-text.h"
#include "core/tool/tau-text-decoder.h"

#include <string.h>

/* Applies edits to the bytes of a file. Every edit is looked for in the text as the model sees it (decoded, LF), and
 * if it is not there, in its simplified form; the place is then followed back to the bytes, and only there something
 * changes. Encoding, byte order mark and all line endings outside the places are therefore kept. Pure: no file is
 * touched. Rules and error texts are pi's. */

#define BOM "\xef\xbb\xbf"

/* A place in the text with LF. */
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
  gsize bom;
  const char *bytes; /* behind the byte order mark */
  gsize length;
  const char *encoding;
  TauMappedText decoded; /* bytes → text; unused for sound UTF-8 */
  TauMappedText lines;   /* text → text with LF */
  TauMappedText simple;  /* that → simplified; made when first needed */
  gboolean inexact;
} Match;

static void
place_clear (gpointer data)
{
  Place *place = data;

  g_string_free (place->old_text, TRUE);
  g_string_free (place->new_text, TRUE);
}

static void
match_clear (Match *match)
{
  tau_mapped_text_clear (&match->decoded);
  tau_mapped_text_clear (&match->lines);
  tau_mapped_text_clear (&match->simple);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Match, match_clear)

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
  match->bom = length >= 3 && memcmp (bytes, BOM, 3) == 0 ? 3 : 0;
  match->bytes = bytes + match->bom;
  match->length = length - match->bom;
  match->encoding = tau_text_decoder_guess (match->bytes, match->length, TRUE);
  if (g_str_has_prefix (match->encoding, "UTF-16"))
    {
      fail (error, "%s is encoded as %s, which edit does not change. Convert the file, or change it with a command.",
            match->name, match->encoding);
      return FALSE;
    }

  tau_mapped_text_init (&match->lines);
  if (g_utf8_validate_len (match->bytes, match->length, NULL))
    {
      tau_mapped_text_unify_endings (&match->lines, match->bytes, match->length);
      return TRUE;
    }
  tau_mapped_text_init (&match->decoded);
  tau_mapped_text_decode (&match->decoded, match->bytes, match->length, match->encoding);
  tau_mapped_text_unify_endings (&match->lines, match->decoded.text->str, match->decoded.text->len);
  return TRUE;
}

static const TauMappedText *
get_simple (Match *match)
{
  if (match->simple.text == NULL)
    {
      tau_mapped_text_init (&match->simple);
      tau_mapped_text_simplify (&match->simple, match->lines.text->str, match->lines.text->len);
    }
  return &match->simple;
}

/* How often @needle is there, counted without overlaps; @first is where it is first. */
static guint
count (const GString *text,
       const GString *needle,
       gsize         *first)
{
  gsize position = 0;
  guint n = 0;

  while (needle->len > 0)
    {
      const char *found = memmem (text->str + position, text->len - position, needle->str, needle->len);

      if (found == NULL)
        break;
      if (n++ == 0)
        *first = found - text->str;
      position = (found - text->str) + needle->len;
    }
  return n;
}

static gboolean
is_blank_at (const char *p)
{
  return *p != '\n' && tau_mapped_text_is_blank (g_utf8_get_char (p));
}

/* The simplified text has lost the blanks that the old text ends with, and those of an empty first line: as far as the
 * file has them, they are part of the place. */
static void
take_blanks (const GString *text,
             const GString *old_text,
             Place         *place)
{
  const char *last = old_text->str + old_text->len, *first = old_text->str;
  const char *start = text->str + place->start, *end = text->str + place->end, *stop = text->str + text->len;

  while (last > old_text->str && end < stop && is_blank_at (g_utf8_prev_char (last)) && is_blank_at (end))
    {
      last = g_utf8_prev_char (last);
      end = g_utf8_next_char (end);
    }
  while (first < last && is_blank_at (first))
    first = g_utf8_next_char (first);
  if (*first == '\n')
    while (first > old_text->str && start > text->str && is_blank_at (g_utf8_prev_char (start)))
      {
        first = g_utf8_prev_char (first);
        start = g_utf8_prev_char (start);
      }
  place->start = start - text->str;
  place->end = end - text->str;
}

/* Finds the place of one edit: exactly, else in simplified text. What is there more than once, be it in simplified
 * text only, is nowhere: the model has to say more. */
static gboolean
find_place (Match    *match,
            Place    *place,
            GError  **error)
{
  g_auto(TauMappedText) wanted = { 0 };
  gsize exact = 0, inexact = 0;
  guint n_exact = count (match->lines.text, place->old_text, &exact);
  guint n;

  tau_mapped_text_init (&wanted);
  tau_mapped_text_simplify (&wanted, place->old_text->str, place->old_text->len);
  n = wanted.text->len > 0 ? count (get_simple (match)->text, wanted.text, &inexact) : 0;
  /* Blanks alone are nothing in simplified text. */
  n = MAX (n, n_exact);

  if (n > 1 && match->n_edits == 1)
    fail (error, "Found %u occurrences of the text in %s. The text must be unique. Please provide more context to make it unique.",
          n, match->name);
  else if (n > 1)
    fail (error, "Found %u occurrences of edits[%u] in %s. Each oldText must be unique. Please provide more context to make it unique.",
          n, place->edit, match->name);
  if (n > 1)
    return FALSE;

  if (n_exact == 1)
    {
      place->start = exact;
      place->end = exact + place->old_text->len;
      return TRUE;
    }
  if (n == 1 && tau_mapped_text_find_start (&match->simple, inexact, &place->start)
      && tau_mapped_text_find_end (&match->simple, inexact + wanted.text->len, &place->end))
    {
      take_blanks (match->lines.text, place->old_text, place);
      match->inexact = TRUE;
      return TRUE;
    }

  if (match->n_edits == 1)
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

  g_array_set_clear_func (places, place_clear);
  for (guint i = 0; i < match->n_edits; i++)
    {
      Place place = { .edit = i };

      place.old_text = with_lf (edits[i].old_text, edits[i].old_length);
      place.new_text = with_lf (edits[i].new_text, edits[i].new_length);
      g_array_append_val (places, place);
      if (!find_place (match, &g_array_index (places, Place, i), error))
        return NULL;
    }

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

/* Where a place in the text with LF is in the file. Places found there begin and end between characters, so there
 * always is one. */
static gsize
byte_start (Match *match,
            gsize  position)
{
  gsize from;

  if (position >= match->lines.text->len)
    return match->length;
  tau_mapped_text_find_start (&match->lines, position, &from);
  if (match->decoded.text != NULL)
    tau_mapped_text_find_start (&match->decoded, from, &from);
  return from;
}

static gsize
byte_end (Match *match,
          gsize  position)
{
  gsize from;

  if (position == 0)
    return 0;
  tau_mapped_text_find_end (&match->lines, position, &from);
  if (match->decoded.text != NULL)
    tau_mapped_text_find_end (&match->decoded, from, &from);
  return from;
}

/* The line ending that new lines at a place take: the first one in it, else the one before it, else the one behind. */
static const char *
ending_at (Match       *match,
           const Place *place)
{
  const GString *text = match->lines.text;
  const char *lf = memchr (text->str + place->start, '\n', place->end - place->start);
  gsize start, end;

  if (lf == NULL)
    lf = memrchr (text->str, '\n', place->start);
  if (lf == NULL)
    lf = memchr (text->str + place->end, '\n', text->len - place->end);
  if (lf == NULL)
    return "\n";

  start = byte_start (match, lf - text->str);
  end = byte_end (match, lf + 1 - text->str);
  if (end - start == 2)
    return "\r\n";
  return match->bytes[start] == '\r' ? "\r" : "\n";
}

/* The part of a place that really changes: what old and new text have in common at both ends stays as it is in the
 * file, with its endings and bytes. */
static void
narrow (Match *match,
        Place *place,
        gsize *skipped_start,
        gsize *skipped_end)
{
  const char *old_text = match->lines.text->str + place->start;
  const char *new_text = place->new_text->str;
  gsize old_length = place->end - place->start, new_length = place->new_text->len;
  gsize shorter = MIN (old_length, new_length);
  gsize head = 0, tail = 0;

  while (head < shorter && old_text[head] == new_text[head])
    head++;
  /* Not within a character. */
  while (head > 0 && ((head < old_length && ((guint8) old_text[head] & 0xc0) == 0x80)
                      || (head < new_length && ((guint8) new_text[head] & 0xc0) == 0x80)))
    head--;
  while (tail < shorter - head && old_text[old_length - 1 - tail] == new_text[new_length - 1 - tail])
    tail++;
  while (tail > 0 && ((guint8) new_text[new_length - tail] & 0xc0) == 0x80)
    tail--;
  *skipped_start = head;
  *skipped_end = tail;
}

/* Appends what stood elsewhere or is new. A lone CR and an LF that come together so would become one line ending of
 * two: another CR between them keeps both. */
static void
append_behind (GString    *bytes,
               const char *data,
               gsize       length)
{
  if (length > 0 && data[0] == '\n' && bytes->len > 0 && bytes->str[bytes->len - 1] == '\r')
    g_string_append_c (bytes, '\r');
  g_string_append_len (bytes, data, length);
}

/* Appends new text to the file's bytes: with the endings of its place, in the encoding of the file. */
static gboolean
append_encoded (Match       *match,
                GString     *bytes,
                const char  *text,
                gsize        length,
                const char  *ending,
                GError     **error)
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
    {
      append_behind (bytes, ended->str, ended->len);
      return TRUE;
    }
  encoded = g_convert (ended->str, ended->len, match->encoding, "UTF-8", NULL, &encoded_length, NULL);
  if (encoded == NULL)
    {
      fail (error, "The new text has characters that cannot be written in %s, the encoding of %s.", match->encoding, match->name);
      return FALSE;
    }
  append_behind (bytes, encoded, encoded_length);
  return TRUE;
}

static gboolean
build (Match          *match,
       GArray         *places,
       TauEditResult  *result,
       GError        **error)
{
  const GString *text = match->lines.text;
  gsize text_done = 0, bytes_done = 0;

  g_string_append_len (result->bytes, match->bytes - match->bom, match->bom);
  for (guint i = 0; i < places->len; i++)
    {
      Place *place = &g_array_index (places, Place, i);
      const char *ending = ending_at (match, place);
      gsize head, tail, start, end;

      narrow (match, place, &head, &tail);
      start = byte_start (match, place->start + head);
      end = place->end - tail > place->start + head ? byte_end (match, place->end - tail) : start;
      append_behind (result->bytes, match->bytes + bytes_done, start - bytes_done);
      if (!append_encoded (match, result->bytes, place->new_text->str + head, place->new_text->len - head - tail, ending, error))
        return FALSE;
      bytes_done = end;

      g_string_append_len (result->after, text->str + text_done, place->start - text_done);
      g_string_append_len (result->after, place->new_text->str, place->new_text->len);
      text_done = place->end;
    }
  append_behind (result->bytes, match->bytes + bytes_done, match->length - bytes_done);
  g_string_append_len (result->after, text->str + text_done, text->len - text_done);
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
 * Returns: (transfer full) (nullable): the new content
 */
TauEditResult *
tau_edit_apply (const char     *name,
                const char     *bytes,
                gsize           length,
                const TauEdit  *edits,
                guint           n_edits,
                GError        **error)
{
  g_auto(Match) match = { .name = name, .n_edits = n_edits };
  g_autoptr(TauEditResult) result = NULL;
  g_autoptr(GArray) places = NULL;

  if (!check_edits (name, edits, n_edits, error) || !match_init (&match, bytes, length, error))
    return NULL;
  places = find_places (&match, edits, error);
  if (places == NULL)
    return NULL;

  result = g_new0 (TauEditResult, 1);
  result->bytes = g_string_sized_new (length + 1);
  result->after = g_string_sized_new (match.lines.text->len + 1);
  if (!build (&match, places, result, error))
    return NULL;
  if (result->bytes->len == length && memcmp (result->bytes->str, bytes, length) == 0)
    {
      if (n_edits == 1)
        fail (error, "No changes made to %s. The replacement produced identical content. This might indicate an issue with special "
                     "characters or the text not existing as expected.", name);
      else
        fail (error, "No changes made to %s. The replacements produced identical content.", name);
      return NULL;
    }

  result->before = g_steal_pointer (&match.lines.text);
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
  if (self->bytes != NULL)
    g_string_free (self->bytes, TRUE);
  if (self->before != NULL)
    g_string_free (self->before, TRUE);
  if (self->after != NULL)
    g_string_free (self->after, TRUE);
  g_free (self);
}
