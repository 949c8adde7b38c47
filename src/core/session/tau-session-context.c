/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-context.h"

#include "core/base/tau-json.h"

/* From the entries of a branch to what the agent goes on with. The rules are pi's. Messages are parsed when they are
 * asked for; finding out which ones they are takes none but the last answer. */

static gboolean
read_model (TauSessionContext *self,
            TauSessionEntry   *entry)
{
  TauSessionEntryKind kind = tau_session_entry_get_kind (entry);
  g_autoptr(TauMessage) message = NULL;
  TauMessageOutline outline;

  if (kind == TAU_ENTRY_MODEL_CHANGE)
    {
      g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);

      self->provider = g_strdup (tau_json_get_string (json, "provider", ""));
      self->model_id = g_strdup (tau_json_get_string (json, "modelId", ""));
      return TRUE;
    }
  tau_session_entry_get_outline (entry, &outline);
  if (kind != TAU_ENTRY_MESSAGE || (outline.known && outline.kind != TAU_MESSAGE_KIND_ASSISTANT))
    return FALSE;
  message = tau_session_entry_dup_message (entry);
  if (message == NULL || !TAU_IS_ASSISTANT_MESSAGE (message))
    return FALSE;
  self->provider = g_strdup (tau_assistant_message_get_provider (TAU_ASSISTANT_MESSAGE (message)));
  self->model_id = g_strdup (tau_assistant_message_get_model (TAU_ASSISTANT_MESSAGE (message)));
  return TRUE;
}

static gboolean
read_level (TauSessionContext *self,
            TauSessionEntry   *entry)
{
  g_autoptr(JsonNode) json = NULL;

  if (tau_session_entry_get_kind (entry) != TAU_ENTRY_THINKING_LEVEL_CHANGE)
    return FALSE;
  json = tau_session_entry_dup_json (entry);
  return tau_thinking_level_from_string (tau_json_get_string (json, "thinkingLevel", ""), &self->level);
}

/* What was set last counts. */
static void
read_settings (TauSessionContext *self,
               GPtrArray         *path)
{
  gboolean has_model = FALSE;

  for (guint i = path->len; i > 0 && !(has_model && self->has_level); i--)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i - 1);

      has_model = has_model || read_model (self, entry);
      self->has_level = self->has_level || read_level (self, entry);
    }
}

/* Those of path[start, end) that say something, without compactions. */
static void
add_entries (TauSessionContext *self,
             GPtrArray         *path,
             guint              start,
             guint              end)
{
  for (guint i = start; i < end; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);

      if (tau_session_entry_get_kind (entry) != TAU_ENTRY_COMPACTION && tau_session_entry_has_message (entry))
        g_ptr_array_add (self->entries, tau_session_entry_ref (entry));
    }
}

static guint
find_id (GPtrArray  *path,
         guint       end,
         const char *id)
{
  for (guint i = 0; i < end; i++)
    if (g_strcmp0 (tau_session_entry_get_id (g_ptr_array_index (path, i)), id) == 0)
      return i;
  return end;
}

static void
add_compacted (TauSessionContext *self,
               GPtrArray         *path,
               guint              compaction)
{
  TauSessionEntry *entry = g_ptr_array_index (path, compaction);
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);
  const char *kept = tau_json_get_string (json, "firstKeptEntryId", NULL);

  if (tau_session_entry_has_message (entry))
    g_ptr_array_add (self->entries, tau_session_entry_ref (entry));
  add_entries (self, path, kept != NULL ? find_id (path, compaction, kept) : compaction, compaction);
  add_entries (self, path, compaction + 1, path->len);
}

/**
 * tau_session_context_new:
 * @path: (element-type TauSessionEntry): a branch, root first
 *
 * Returns: (transfer full): what was said, model and thinking level at the end of the branch
 */
TauSessionContext *
tau_session_context_new (GPtrArray *path)
{
  TauSessionContext *self = g_new0 (TauSessionContext, 1);
  guint compaction = path->len;

  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  self->level = TAU_THINKING_OFF;
  read_settings (self, path);
  while (compaction > 0 && tau_session_entry_get_kind (g_ptr_array_index (path, compaction - 1)) != TAU_ENTRY_COMPACTION)
    compaction--;
  compaction = compaction > 0 ? compaction - 1 : path->len;
  if (compaction < path->len)
    add_compacted (self, path, compaction);
  else
    add_entries (self, path, 0, path->len);
  return self;
}

/**
 * tau_session_context_dup_messages:
 * @self: a context
 *
 * Returns: (transfer full) (element-type TauMessage): its messages
 */
GPtrArray *
tau_session_context_dup_messages (TauSessionContext *self)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->entries->len; i++)
    {
      TauMessage *message = tau_session_entry_dup_message (g_ptr_array_index (self->entries, i));

      if (message != NULL)
        g_ptr_array_add (messages, message);
    }
  return messages;
}

/**
 * tau_session_context_free:
 * @self: (transfer full): a context
 *
 * Frees it.
 */
void
tau_session_context_free (TauSessionContext *self)
{
  g_ptr_array_unref (self->entries);
  g_free (self->provider);
  g_free (self->model_id);
  g_free (self);
}
