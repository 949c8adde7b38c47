/* SPDX-License-Identifier: MIT */
#include "core/session/tau-compaction.h"

#include "core/base/tau-json.h"
#include "core/message/tau-assistant-message.h"

#include <string.h>

/* Which files a summarised part touched. A summary forgets; the list does not, and is carried from one compaction to
 * the next. */

struct _TauFileCollector
{
  GHashTable *read;
  GHashTable *modified;
};

/**
 * tau_file_collector_new:
 *
 * Returns: (transfer full): a collector without files
 */
TauFileCollector *
tau_file_collector_new (void)
{
  TauFileCollector *self = g_new0 (TauFileCollector, 1);

  self->read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->modified = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

static void
add_call (TauFileCollector *self,
          TauBlock         *block)
{
  const char *path = tau_json_get_string (tau_block_get_arguments (block), "path", NULL);
  const char *name = tau_block_get_call_name (block);

  if (path == NULL || *path == '\0')
    return;
  if (g_strcmp0 (name, "read") == 0)
    g_hash_table_add (self->read, g_strdup (path));
  else if (g_strcmp0 (name, "write") == 0 || g_strcmp0 (name, "edit") == 0)
    g_hash_table_add (self->modified, g_strdup (path));
}

/**
 * tau_file_collector_add_messages:
 * @self: a collector
 * @messages: (element-type TauMessage): messages
 *
 * Adds the files of all tool calls in answers.
 */
void
tau_file_collector_add_messages (TauFileCollector *self,
                                 GPtrArray        *messages)
{
  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (!TAU_IS_ASSISTANT_MESSAGE (message))
        continue;
      for (guint j = 0; j < tau_message_get_n_blocks (message); j++)
        if (tau_block_get_kind (tau_message_get_block (message, j)) == TAU_BLOCK_TOOL_CALL)
          add_call (self, tau_message_get_block (message, j));
    }
}

static void
add_array (GHashTable *set,
           JsonArray  *array)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      const char *path = tau_json_get_string (json_array_get_element (array, i), NULL, NULL);

      if (path != NULL)
        g_hash_table_add (set, g_strdup (path));
    }
}

/**
 * tau_file_collector_add_details:
 * @self: a collector
 * @entry: the JSON of a compaction or branch summary
 *
 * Adds the lists of an earlier summary, unless an extension made it, whose details mean something else.
 */
void
tau_file_collector_add_details (TauFileCollector *self,
                                JsonNode         *entry)
{
  if (tau_json_get_bool (entry, "fromHook", FALSE))
    return;
  add_array (self->read, tau_json_get_array (entry, "details.readFiles"));
  add_array (self->modified, tau_json_get_array (entry, "details.modifiedFiles"));
}

static int
compare_strings (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static char **
sorted (GHashTable *set)
{
  g_autofree const char **keys = (const char **) g_hash_table_get_keys_as_array (set, NULL);

  qsort (keys, g_hash_table_size (set), sizeof *keys, compare_strings);
  return g_strdupv ((char **) keys);
}

static gboolean
is_in (gpointer key,
       gpointer value,
       gpointer user_data)
{
  return g_hash_table_contains (user_data, key);
}

/**
 * tau_file_collector_finish:
 * @self: (transfer full): a collector
 *
 * Gives the lists; a file that was read and changed counts as changed.
 *
 * Returns: the lists, to be freed by tau_file_list_clear()
 */
TauFileList
tau_file_collector_finish (TauFileCollector *self)
{
  TauFileList list;

  g_hash_table_foreach_remove (self->read, is_in, self->modified);
  list.read = sorted (self->read);
  list.modified = sorted (self->modified);
  g_hash_table_unref (self->read);
  g_hash_table_unref (self->modified);
  g_free (self);
  return list;
}

static void
append_block (GString    *out,
              const char *tag,
              char      **paths)
{
  g_autofree char *joined = g_strjoinv ("\n", paths);

  if (*paths != NULL)
    g_string_append_printf (out, "\n\n<%s>\n%s\n</%s>", tag, joined, tag);
}

/**
 * tau_file_list_append_to:
 * @self: lists
 * @summary: a summary
 *
 * Returns: (transfer full): @summary with the lists behind it, in the tags that pi writes
 */
char *
tau_file_list_append_to (const TauFileList *self,
                         const char        *summary)
{
  g_autoptr(GString) out = g_string_new (summary);

  append_block (out, "read-files", self->read);
  append_block (out, "modified-files", self->modified);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static JsonArray *
array_of (char **paths)
{
  JsonArray *array = json_array_new ();

  for (; *paths != NULL; paths++)
    json_array_add_string_element (array, *paths);
  return array;
}

/**
 * tau_file_list_to_json:
 * @self: lists
 *
 * Returns: (transfer full): the "details" of a summary's entry
 */
JsonNode *
tau_file_list_to_json (const TauFileList *self)
{
  g_autoptr(JsonObject) object = json_object_new ();

  json_object_set_array_member (object, "readFiles", array_of (self->read));
  json_object_set_array_member (object, "modifiedFiles", array_of (self->modified));
  return tau_json_node_new_object (g_steal_pointer (&object));
}

/**
 * tau_file_list_clear:
 * @self: lists
 *
 * Frees what is in them.
 */
void
tau_file_list_clear (TauFileList *self)
{
  g_clear_pointer (&self->read, g_strfreev);
  g_clear_pointer (&self->modified, g_strfreev);
}
