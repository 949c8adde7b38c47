/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-preview.h"

#include "core/base/tau-json.h"
#include "core/tool/tau-diff.h"

#include <string.h>

/* What an edit is going to change, from its arguments alone, which may be half streamed: the file is not read, so
 * the line numbers are those of the passages. */

#define PASSAGE_MAX (100 * 1024)   /* bytes; a longer passage is not compared while it is only looked at */

static void
add_passage (GString    *out,
             JsonNode   *edit)
{
  const char *before = tau_json_get_string (edit, "oldText", NULL);
  const char *after = tau_json_get_string (edit, "newText", NULL);
  g_autoptr(GString) diff = NULL;
  gint64 first_changed;

  if (!before || !after || strlen (before) > PASSAGE_MAX || strlen (after) > PASSAGE_MAX)
    return;

  diff = tau_diff_text (before, strlen (before), after, strlen (after), &first_changed);
  if (diff->len == 0)
    return;
  if (out->len > 0)
    g_string_append (out, "\n ...\n");
  g_string_append_len (out, diff->str, (gssize) strlen (diff->str));
}

/**
 * tau_edit_preview_new:
 * @arguments: (nullable): arguments of an edit, as far as they have come
 *
 * Returns: (transfer full) (nullable): rows of sign, line number and text, as tau_diff_text() has them; not
 *   necessarily valid UTF-8
 */
char *
tau_edit_preview_new (JsonNode *arguments)
{
  JsonArray *edits = arguments ? tau_json_get_array (arguments, "edits") : NULL;
  g_autoptr(GString) out = g_string_new (NULL);

  if (edits)
    for (guint i = 0; i < json_array_get_length (edits); i++)
      add_passage (out, json_array_get_element (edits, i));
  else if (arguments)
    add_passage (out, arguments);
  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}
