/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-context.h"

#include "core/base/tau-json.h"

/* From the entries of a branch to the messages that the agent goes on with. The rules are pi's. */

static void
set_model (TauSessionContext *self,
           const char        *provider,
           const char        *model_id)
{
  g_free (self->provider);
  g_free (self->model_id);
  self->provider = g_strdup (provider);
  self->model_id = g_strdup (model_id);
}

static void
read_settings (TauSessionContext *self,
               TauSessionEntry   *entry)
{
  TauSessionEntryKind kind = tau_session_entry_get_kind (entry);
  TauMessage *message;

  if (kind == TAU_ENTRY_MODEL_CHANGE || kind == TAU_ENTRY_THINKING_LEVEL_CHANGE)
    {
      g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);

      if (kind == TAU_ENTRY_MODEL_CHANGE)
        set_model (self, tau_json_get_string (json, "provider", ""), tau_json_get_string (json, "modelId", ""));
      else if (tau_thinking_level_from_string (tau_json_get_string (json, "thinkingLevel", ""), &self->level))
        self->has_level = TRUE;
      return;
    }

  message = kind == TAU_ENTRY_MESSAGE ? tau_session_entry_get_message (entry) : NULL;
  if (message != NULL && TAU_IS_ASSISTANT_MESSAGE (message))
    set_model (self, tau_assistant_message_get_provider (TAU_ASSISTANT_MESSAGE (message)),
               tau_assistant_message_get_model (TAU_ASSISTANT_MESSAGE (message)));
}

/* Messages of path[start, end), without those of compactions. */
static void
add_messages (TauSessionContext *self,
              GPtrArray         *path,
              guint              start,
              guint              end)
{
  for (guint i = start; i < end; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);
      TauMessage *message;

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        continue;
      message = tau_session_entry_get_message (entry);
      if (message != NULL)
        g_ptr_array_add (self->messages, g_object_ref (message));
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
  TauMessage *summary = tau_session_entry_get_message (entry);
  const char *kept = tau_json_get_string (json, "firstKeptEntryId", NULL);

  if (summary != NULL)
    g_ptr_array_add (self->messages, g_object_ref (summary));
  add_messages (self, path, kept != NULL ? find_id (path, compaction, kept) : compaction, compaction);
  add_messages (self, path, compaction + 1, path->len);
}

/**
 * tau_session_context_new:
 * @path: (element-type TauSessionEntry): a branch, root first
 *
 * Returns: (transfer full): messages, model and thinking level at the end of the branch
 */
TauSessionContext *
tau_session_context_new (GPtrArray *path)
{
  TauSessionContext *self = g_new0 (TauSessionContext, 1);
  guint compaction = path->len;

  self->messages = g_ptr_array_new_with_free_func (g_object_unref);
  self->level = TAU_THINKING_OFF;
  for (guint i = 0; i < path->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);

      read_settings (self, entry);
      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        compaction = i;
    }
  if (compaction < path->len)
    add_compacted (self, path, compaction);
  else
    add_messages (self, path, 0, path->len);
  return self;
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
  g_ptr_array_unref (self->messages);
  g_free (self->provider);
  g_free (self->model_id);
  g_free (self);
}
