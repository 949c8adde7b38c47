/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-export-private.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A branch of a session as parts for a reader. Whatever stands in a file becomes text that any format can take. */

static void
part_free (gpointer data)
{
  TauExportPart *self = data;

  g_free (self->title);
  g_free (self->text);
  g_free (self->mime_type);
  g_free (self);
}

/* Control characters have no place in HTML or Markdown, and colours of terminals say nothing there. */
static char *
dup_clean (const char *text)
{
  g_autofree char *plain = tau_text_strip_ansi (text != NULL ? text : "", -1);
  char *clean = tau_text_make_valid (plain, -1);

  for (char *at = clean; *at != '\0'; at++)
    if (((guchar) *at < 0x20 && *at != '\n' && *at != '\t') || *at == 0x7f)
      *at = ' ';
  return clean;
}

static TauExportPart *
add_part (GPtrArray         *parts,
          TauExportPartKind  kind,
          gint64             time_ms,
          const char        *title,
          const char        *text)
{
  TauExportPart *part = g_new0 (TauExportPart, 1);

  part->kind = kind;
  part->time_ms = time_ms;
  part->title = title != NULL ? dup_clean (title) : NULL;
  part->text = dup_clean (text);
  g_ptr_array_add (parts, part);
  return part;
}

static void
add_text (GPtrArray         *parts,
          TauExportPartKind  kind,
          gint64             time_ms,
          const char        *text)
{
  if (!tau_text_is_blank (text))
    add_part (parts, kind, time_ms, NULL, text);
}

static void
add_image (GPtrArray *parts,
           JsonNode  *block,
           gint64     time_ms)
{
  TauExportPart *part = add_part (parts, TAU_EXPORT_PART_IMAGE, time_ms, NULL, tau_json_get_string (block, "data", ""));

  part->mime_type = dup_clean (tau_json_get_string (block, "mimeType", ""));
}

static void
add_call (GPtrArray *parts,
          JsonNode  *block,
          gint64     time_ms)
{
  const char *name = tau_json_get_string (block, "name", "?");
  JsonNode *arguments = tau_json_get (block, "arguments");
  const char *command = tau_json_get_string (arguments, "command", NULL);
  const char *path = tau_json_get_string (arguments, "path", NULL);
  const char *content = tau_json_get_string (arguments, "content", NULL);
  g_autofree char *title = command != NULL ? g_strdup_printf ("$ %s", command) :
                           path != NULL ? g_strdup_printf ("%s %s", name, path) : g_strdup (name);
  g_autofree char *rest = command == NULL && path == NULL && arguments != NULL ? tau_json_to_pretty_string (arguments) : NULL;

  add_part (parts, TAU_EXPORT_PART_CALL, time_ms, title, content != NULL ? content : rest);
}

static void
add_blocks (GPtrArray         *parts,
            JsonNode          *content,
            TauExportPartKind  kind,
            gint64             time_ms)
{
  JsonArray *blocks = tau_json_get_array (content, NULL);

  add_text (parts, kind, time_ms, tau_json_get_string (content, NULL, ""));
  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    {
      JsonNode *block = json_array_get_element (blocks, i);
      const char *type = tau_json_get_string (block, "type", "");

      if (g_str_equal (type, "text"))
        add_text (parts, kind, time_ms, tau_json_get_string (block, "text", ""));
      else if (g_str_equal (type, "thinking"))
        add_text (parts, TAU_EXPORT_PART_THINKING, time_ms, tau_json_get_string (block, "thinking", ""));
      else if (g_str_equal (type, "toolCall"))
        add_call (parts, block, time_ms);
      else if (g_str_equal (type, "image"))
        add_image (parts, block, time_ms);
    }
}

static void
add_result (GPtrArray *parts,
            JsonNode  *message,
            gint64     time_ms)
{
  const char *diff = tau_json_get_string (message, "details.diff", NULL);
  guint before = parts->len;

  if (diff != NULL)
    add_part (parts, TAU_EXPORT_PART_DIFF, time_ms, NULL, diff);
  else
    add_blocks (parts, tau_json_get (message, "content"), TAU_EXPORT_PART_RESULT, time_ms);
  for (guint i = before; i < parts->len; i++)
    ((TauExportPart *) g_ptr_array_index (parts, i))->is_error = tau_json_get_bool (message, "isError", FALSE);
}

static void
add_bash (GPtrArray *parts,
          JsonNode  *message,
          gint64     time_ms)
{
  g_autofree char *title = g_strdup_printf ("! %s", tau_json_get_string (message, "command", ""));

  add_part (parts, TAU_EXPORT_PART_CALL, time_ms, title, "");
  add_text (parts, TAU_EXPORT_PART_RESULT, time_ms, tau_json_get_string (message, "output", ""));
}

static void
add_message (GPtrArray *parts,
             JsonNode  *message,
             gint64     time_ms)
{
  const char *role = tau_json_get_string (message, "role", "");
  const char *error = tau_json_get_string (message, "errorMessage", NULL);
  JsonNode *content = tau_json_get (message, "content");

  if (g_str_equal (role, "user"))
    add_blocks (parts, content, TAU_EXPORT_PART_USER, time_ms);
  else if (g_str_equal (role, "assistant"))
    add_blocks (parts, content, TAU_EXPORT_PART_ANSWER, time_ms);
  else if (g_str_equal (role, "toolResult"))
    add_result (parts, message, time_ms);
  else if (g_str_equal (role, "bashExecution"))
    add_bash (parts, message, time_ms);
  else if (tau_json_get_bool (message, "display", FALSE))
    add_blocks (parts, content, TAU_EXPORT_PART_NOTE, time_ms);
  if (error != NULL)
    add_part (parts, TAU_EXPORT_PART_NOTE, time_ms, NULL, error)->is_error = TRUE;
}

static void
add_entry (GPtrArray       *parts,
           TauSessionEntry *entry)
{
  TauSessionEntryKind kind = tau_session_entry_get_kind (entry);
  gint64 time_ms = tau_session_entry_get_time (entry);
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);

  if (json == NULL)
    return;
  if (kind == TAU_ENTRY_MESSAGE)
    add_message (parts, tau_json_get (json, "message"), time_ms);
  else if (kind == TAU_ENTRY_COMPACTION)
    add_part (parts, TAU_EXPORT_PART_NOTE, time_ms, _("Summary of what was before"), tau_json_get_string (json, "summary", ""));
  else if (kind == TAU_ENTRY_BRANCH_SUMMARY)
    add_part (parts, TAU_EXPORT_PART_NOTE, time_ms, _("Summary of another branch"), tau_json_get_string (json, "summary", ""));
  else if (kind == TAU_ENTRY_CUSTOM_MESSAGE && tau_json_get_bool (json, "display", FALSE))
    add_blocks (parts, tau_json_get (json, "content"), TAU_EXPORT_PART_NOTE, time_ms);
}

/**
 * tau_session_export_collect: (skip)
 * @path: (element-type TauSessionEntry): a branch
 *
 * Returns: (transfer full): of #TauExportPart: what a reader sees of it, in order
 */
GPtrArray *
tau_session_export_collect (GPtrArray *path)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (part_free);

  for (guint i = 0; i < path->len; i++)
    add_entry (parts, g_ptr_array_index (path, i));
  return parts;
}
