/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-migration.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"

/* Files of version 1 (a list without ids) and 2 (one role had another name) as if they were of version 3. Only memory
 * changes here; the file is written when something is appended to it. */

/**
 * tau_session_migration_get_version:
 * @header: first line of a file
 *
 * Returns: the version that it says; 1 if it says none
 */
gint64
tau_session_migration_get_version (TauSessionEntry *header)
{
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (header);

  return tau_json_get_int (json, "version", 1);
}

static gboolean
is_taken (const char *id,
          gpointer    user_data)
{
  return g_hash_table_contains (user_data, id);
}

/* An id for each line, the header's "" so that indices fit. */
static GPtrArray *
make_ids (guint n_lines)
{
  g_autoptr(GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (ids, g_strdup (""));
  for (guint i = 1; i < n_lines; i++)
    {
      char *id = tau_id_new_entry (is_taken, taken);

      g_hash_table_add (taken, id);
      g_ptr_array_add (ids, id);
    }
  return ids;
}

/* Version 1 counted lines, the header being 0. */
static void
name_first_kept (JsonObject *object,
                 GPtrArray  *ids)
{
  gint64 index;

  if (!json_object_has_member (object, "firstKeptEntryIndex"))
    return;
  index = json_object_get_int_member_with_default (object, "firstKeptEntryIndex", 0);
  if (index > 0 && index < (gint64) ids->len)
    json_object_set_string_member (object, "firstKeptEntryId", g_ptr_array_index (ids, index));
  json_object_remove_member (object, "firstKeptEntryIndex");
}

static void
chain (JsonObject *object,
       GPtrArray  *ids,
       guint       index)
{
  json_object_set_string_member (object, "id", g_ptr_array_index (ids, index));
  if (index > 1)
    json_object_set_string_member (object, "parentId", g_ptr_array_index (ids, index - 1));
  else
    json_object_set_null_member (object, "parentId");
  name_first_kept (object, ids);
}

static gboolean
rename_role (JsonNode *json)
{
  JsonObject *message = tau_json_get_object (json, "message");

  if (message == NULL || g_strcmp0 (tau_json_get_string (json, "message.role", NULL), "hookMessage") != 0)
    return FALSE;
  json_object_set_string_member (message, "role", "custom");
  return TRUE;
}

/**
 * tau_session_migration_run:
 * @lines: (element-type TauSessionEntry): all lines of a file of version 1 or 2, header first
 *
 * Returns: (transfer full) (element-type TauSessionEntry): the same in version 3; lines that need no change keep
 *   their text
 */
GPtrArray *
tau_session_migration_run (GPtrArray *lines)
{
  gboolean unchained = tau_session_migration_get_version (g_ptr_array_index (lines, 0)) < 2;
  g_autoptr(GPtrArray) ids = make_ids (lines->len);
  GPtrArray *migrated = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);

  for (guint i = 0; i < lines->len; i++)
    tau_session_entry_load (g_ptr_array_index (lines, i));
  for (guint i = 0; i < lines->len; i++)
    {
      TauSessionEntry *line = g_ptr_array_index (lines, i);
      g_autoptr(JsonNode) json = tau_session_entry_dup_json (line);
      JsonObject *object = tau_json_get_object (json, NULL);
      gboolean renamed = rename_role (json);
      gboolean is_header = tau_session_entry_get_kind (line) == TAU_ENTRY_SESSION;

      if (object == NULL)
        {
          g_ptr_array_add (migrated, tau_session_entry_ref (line));
          continue;
        }
      if (is_header)
        json_object_set_int_member (object, "version", TAU_SESSION_VERSION);
      else if (unchained)
        chain (object, ids, i);
      if (is_header || unchained || renamed)
        g_ptr_array_add (migrated, tau_session_entry_new_from_json (json));
      else
        g_ptr_array_add (migrated, tau_session_entry_ref (line));
    }
  return migrated;
}
