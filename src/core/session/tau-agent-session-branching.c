/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/session/tau-branch-summary.h"
#include "core/session/tau-summarizer.h"

#include <glib/gi18n-lib.h>

/* The session as a tree: going to another place of it, and labels. */

#define DEFAULT_WINDOW     128000
#define RESERVE_TOKENS     16384
#define SUMMARY_MAX_TOKENS 2048

typedef struct
{
  TauSessionEntry  *target;       /* borrowed from the tree */
  char             *label;        /* nullable */
  char             *editor_text;  /* nullable: the message that is to be written anew */
  TauBranchSummary *branch;       /* nullable: what is left and to be summarised */
} Navigation;

static void
navigation_free (gpointer data)
{
  Navigation *self = data;

  g_free (self->label);
  g_free (self->editor_text);
  g_clear_pointer (&self->branch, tau_branch_summary_free);
  g_free (self);
}

static TauSessionEntry *
find_entry (TauAgentSession *self,
            const char      *id,
            GError         **error)
{
  TauSessionEntry *entry = tau_session_tree_lookup (self->tree, id);

  if (entry == NULL)
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, "Entry %s not found", id);
  return entry;
}

/* Whether the user said it. */
gboolean
tau_agent_session_is_prompt (TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_dup_message (entry) : NULL;

  return message != NULL && TAU_IS_USER_MESSAGE (message);
}

/* A message that a person wrote is not gone to but written anew: the place is before it. */
TauSessionEntry *
tau_agent_session_place_for (TauAgentSession  *self,
                             TauSessionEntry  *target,
                             char            **editor_text)
{
  g_autoptr(TauMessage) message = NULL;

  if (!tau_agent_session_is_prompt (target) && tau_session_entry_get_kind (target) != TAU_ENTRY_CUSTOM_MESSAGE)
    return target;
  message = tau_session_entry_dup_message (target);
  *editor_text = message != NULL ? tau_message_dup_text (message, "") : g_strdup ("");
  return tau_session_tree_lookup (self->tree, tau_session_entry_get_parent_id (target));
}

static TauSessionEntry *
record_summary (TauAgentSession  *self,
                TauBranchSummary *branch,
                const char       *text)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (self->tree);
  g_autofree char *summary = tau_branch_summary_build (branch, text);
  JsonObject *fields = json_object_new ();

  json_object_set_string_member (fields, "fromId", leaf != NULL ? tau_session_entry_get_id (leaf) : "root");
  json_object_set_string_member (fields, "summary", summary);
  json_object_set_member (fields, "details", tau_file_list_to_json (&branch->files));
  json_object_set_boolean_member (fields, "fromHook", FALSE);
  return tau_agent_session_record (self, TAU_ENTRY_BRANCH_SUMMARY, fields);
}

/* Moves, with what the model said about the branch that is left, if it was asked. */
static void
move (TauAgentSession *self,
      Navigation      *navigation,
      const char      *summary)
{
  TauSessionEntry *labelled = navigation->target;

  tau_session_tree_set_leaf (self->tree, tau_agent_session_place_for (self, navigation->target, &navigation->editor_text));
  if (summary != NULL)
    labelled = record_summary (self, navigation->branch, summary);
  if (navigation->label != NULL)
    tau_agent_session_set_label (self, tau_session_entry_get_id (labelled), navigation->label, NULL);
  tau_agent_session_rebuild (self);
}

static void
summarised_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauAgentSession *self = g_task_get_source_object (task);
  g_autoptr(GError) error = NULL;
  g_autofree char *summary = tau_summarizer_ask_finish (result, &error);

  if (summary != NULL && !self->closed)
    move (self, g_task_get_task_data (task), summary);
  g_clear_object (&self->summary_cancellable);
  tau_agent_session_after_compaction (self, FALSE);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
summarise (TauAgentSession *self,
           const char      *instructions,
           gboolean         replace,
           GTask           *task)
{
  Navigation *navigation = g_task_get_task_data (task);
  g_autofree char *prompt = tau_branch_summary_build_prompt (navigation->branch, instructions, replace);

  self->summary_cancellable = g_cancellable_new ();
  tau_agent_session_set_state (self, TAU_SESSION_COMPACTING);
  tau_summarizer_ask_async (self->catalog, self->model, TAU_THINKING_OFF, prompt, SUMMARY_MAX_TOKENS,
                            self->summary_cancellable, summarised_cb, task);
}

static TauBranchSummary *
collect_branch (TauAgentSession *self,
                TauSessionEntry *target)
{
  g_autoptr(GPtrArray) from = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));
  g_autoptr(GPtrArray) to = tau_session_tree_dup_path (self->tree, target);
  gint64 window = self->model != NULL ? tau_model_get_context_window (self->model) : 0;
  gint64 reserve = tau_settings_get_int (self->settings, "branchSummary.reserveTokens", RESERVE_TOKENS);

  return tau_branch_summary_new (from, to, (window > 0 ? window : DEFAULT_WINDOW) - reserve);
}

static gboolean
check_navigation (TauAgentSession            *self,
                  const TauNavigationOptions *options,
                  GError                    **error)
{
  if (self->state != TAU_SESSION_IDLE)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY, _("The agent is at work."));
  else if (options->summarize && self->model == NULL)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("There is no model that could summarise."));
  else
    return TRUE;
  return FALSE;
}

/**
 * tau_agent_session_navigate_async:
 * @self: a session
 * @entry_id: where to go
 * @options: what happens on the way
 * @callback: called when there
 * @user_data: for @callback
 *
 * Goes to another place of the tree. At a message of the user the place is before it, and its text is given back for the
 * editor. With a summary the model is asked first; tau_agent_session_abort() stops that, and nothing has changed then.
 */
void
tau_agent_session_navigate_async (TauAgentSession            *self,
                                  const char                 *entry_id,
                                  const TauNavigationOptions *options,
                                  GAsyncReadyCallback         callback,
                                  gpointer                    user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GError) error = NULL;
  Navigation *navigation;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (options != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_navigate_async);
  navigation = g_new0 (Navigation, 1);
  navigation->label = g_strdup (options->label);
  g_task_set_task_data (task, navigation, navigation_free);
  navigation->target = check_navigation (self, options, &error) ? find_entry (self, entry_id, &error) : NULL;
  if (navigation->target == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (options->summarize)
    navigation->branch = collect_branch (self, navigation->target);

  if (navigation->target == tau_session_tree_get_leaf (self->tree))
    g_task_return_boolean (task, TRUE);
  else if (navigation->branch != NULL && navigation->branch->n_entries > 0)
    summarise (self, options->instructions, options->replace_instructions, g_steal_pointer (&task));
  else
    {
      move (self, navigation, NULL);
      g_task_return_boolean (task, TRUE);
    }
}

/**
 * tau_agent_session_navigate_finish:
 * @self: a session
 * @result: what the callback got
 * @editor_text: (out) (optional) (nullable) (transfer full): text of the message to be written anew
 * @error: return location: %G_IO_ERROR_CANCELLED if the summary was stopped
 *
 * Returns: whether the session is there
 */
gboolean
tau_agent_session_navigate_finish (TauAgentSession *self,
                                   GAsyncResult    *result,
                                   char           **editor_text,
                                   GError         **error)
{
  Navigation *navigation = g_task_get_task_data (G_TASK (result));

  if (editor_text != NULL)
    *editor_text = g_steal_pointer (&navigation->editor_text);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * tau_agent_session_set_label:
 * @self: a session
 * @entry_id: an entry
 * @label: (nullable): a bookmark; %NULL or "" takes it away
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND
 *
 * Puts a bookmark on an entry. It is an entry itself and becomes the leaf.
 *
 * Returns: whether the entry exists
 */
gboolean
tau_agent_session_set_label (TauAgentSession *self,
                             const char      *entry_id,
                             const char      *label,
                             GError         **error)
{
  JsonObject *fields;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);

  if (find_entry (self, entry_id, error) == NULL || !tau_agent_session_check_writable (self, error))
    return FALSE;
  fields = json_object_new ();
  json_object_set_string_member (fields, "targetId", entry_id);
  if (label != NULL && *label != '\0')
    json_object_set_string_member (fields, "label", label);
  tau_agent_session_record (self, TAU_ENTRY_LABEL, fields);
  return TRUE;
}
