/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/llm/tau-api-error.h"
#include "core/session/tau-compaction.h"
#include "core/session/tau-summarizer.h"
#include "core/session/tau-token-count.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Compaction of a session: when, and what happens around it. Where to cut and what to ask is in tau-compaction. A session
 * is not idle before it is over, whoever waits for it. */

#define RESERVE_TOKENS     16384
#define KEEP_RECENT_TOKENS 20000
#define NO_HISTORY         "No prior history."

struct _TauCompactionRun
{
  TauAgentSession   *session;     /* owned: it lives until this is over */
  const char        *reason;      /* "manual", "threshold", "overflow" */
  gboolean           will_retry;  /* the answer that overflowed is asked for again */
  char              *focus;       /* nullable: the user's instructions */
  GTask             *task;        /* owned; of a manual one, else NULL */
  GCancellable      *cancellable;
  TauCompactionPlan *plan;        /* nullable before */
  char              *history;     /* summary, nullable before */
  char              *turn_prefix; /* summary, nullable before */
  guint              n_asked;     /* answers that are missing */
  GError            *error;       /* the first one */
};

static void
run_free (TauCompactionRun *run)
{
  g_clear_object (&run->session);
  g_clear_object (&run->task);
  g_clear_object (&run->cancellable);
  g_clear_pointer (&run->plan, tau_compaction_plan_free);
  g_clear_error (&run->error);
  g_free (run->focus);
  g_free (run->history);
  g_free (run->turn_prefix);
  g_free (run);
}

static gint64
reserve_tokens (TauAgentSession *self)
{
  return tau_settings_get_int (self->settings, "compaction.reserveTokens", RESERVE_TOKENS);
}

static JsonNode *
make_result (TauCompactionRun *run,
             const char       *summary)
{
  g_autoptr(JsonObject) object = json_object_new ();

  json_object_set_string_member (object, "summary", summary);
  if (run->plan->first_kept_id != NULL)
    json_object_set_string_member (object, "firstKeptEntryId", run->plan->first_kept_id);
  json_object_set_int_member (object, "tokensBefore", run->plan->tokens_before);
  json_object_set_member (object, "details", tau_file_list_to_json (&run->plan->files));
  return tau_json_node_new_object (g_steal_pointer (&object));
}

static void
record_result (TauAgentSession *self,
               JsonNode        *result)
{
  g_autoptr(JsonNode) fields = tau_json_copy (result);

  json_object_set_boolean_member (json_node_get_object (fields), "fromHook", FALSE);
  tau_agent_session_record (self, TAU_ENTRY_COMPACTION, json_object_ref (json_node_get_object (fields)));
}

static char *
build_summary (TauCompactionRun *run)
{
  const char *history = run->history != NULL ? run->history : NO_HISTORY;
  g_autofree char *joined = run->turn_prefix != NULL ? tau_summary_join_turn (history, run->turn_prefix) : g_strdup (history);

  return tau_file_list_append_to (&run->plan->files, joined);
}

static char *
describe_error (TauCompactionRun *run)
{
  const char *what = "Auto-compaction failed";

  if (g_str_equal (run->reason, "manual"))
    what = "Compaction failed";
  else if (g_str_equal (run->reason, "overflow"))
    what = "Context overflow recovery failed";
  return g_strdup_printf ("%s: %s", what, run->error->message);
}

static void
say_end (TauAgentSession  *self,
         TauCompactionRun *run,
         JsonNode         *result)
{
  gboolean aborted = g_error_matches (run->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  /* Nothing to compact is an answer to a person who asked, and nothing to tell to others. */
  gboolean silent = run->task == NULL && g_error_matches (run->error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND);
  g_autofree char *text = run->error != NULL && !aborted && !silent ? describe_error (run) : NULL;

  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_COMPACTION_END, .reason = run->reason, .result = result, .aborted = aborted,
    .will_retry = result != NULL && run->will_retry, .error_message = text,
  });
}

static void
finish_run (TauCompactionRun *run)
{
  g_autoptr(TauAgentSession) self = g_object_ref (run->session);
  g_autoptr(JsonNode) result = NULL;
  gboolean go_on;

  if (run->error == NULL && !self->closed)
    {
      g_autofree char *summary = build_summary (run);

      result = make_result (run, summary);
      record_result (self, result);
      tau_agent_session_rebuild (self);
    }
  go_on = result != NULL && run->will_retry;
  /* An answer that failed is back in the rebuilt context; it must not be sent, and not answered. */
  if (go_on)
    tau_agent_session_drop_last_answer (self);
  say_end (self, run, result);

  self->compaction = NULL;
  if (run->task != NULL && result != NULL)
    g_task_return_pointer (run->task, g_steal_pointer (&result), (GDestroyNotify) json_node_unref);
  else if (run->task != NULL)
    g_task_return_error (run->task, g_error_copy (run->error));
  run_free (run);
  tau_agent_session_after_compaction (self, go_on);
}

static void
take_answer (TauCompactionRun *run,
             GAsyncResult     *result,
             char            **summary)
{
  g_autoptr(GError) error = NULL;

  *summary = tau_summarizer_ask_finish (result, &error);
  if (error != NULL && run->error == NULL)
    {
      run->error = g_steal_pointer (&error);
      g_cancellable_cancel (run->cancellable);
    }
  if (--run->n_asked == 0)
    finish_run (run);
}

static void
history_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  TauCompactionRun *run = user_data;

  take_answer (run, result, &run->history);
}

static void
turn_prefix_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  TauCompactionRun *run = user_data;

  take_answer (run, result, &run->turn_prefix);
}

static void
ask (TauCompactionRun    *run,
     TauSummaryKind       kind,
     GPtrArray           *messages,
     gint64               max_tokens,
     GAsyncReadyCallback  callback)
{
  TauAgentSession *self = run->session;
  gboolean history = kind == TAU_SUMMARY_HISTORY;
  g_autofree char *prompt = tau_summary_build_prompt (kind, messages, history ? run->plan->previous_summary : NULL,
                                                      history ? run->focus : NULL, NULL);

  run->n_asked++;
  tau_summarizer_ask_async (self->catalog, self->model, self->level, prompt, max_tokens, run->cancellable, callback, run);
}

/* A turn that is cut in two needs two summaries, asked for at the same time. */
static void
ask_all (TauCompactionRun *run)
{
  gint64 reserve = reserve_tokens (run->session);
  gboolean prefix = run->plan->turn_prefix->len > 0;

  if (!prefix || run->plan->history->len > 0)
    ask (run, TAU_SUMMARY_HISTORY, run->plan->history, reserve * 4 / 5, history_cb);
  if (prefix)
    ask (run, TAU_SUMMARY_TURN_PREFIX, run->plan->turn_prefix, reserve / 2, turn_prefix_cb);
}

static gboolean
finish_idle_cb (gpointer user_data)
{
  finish_run (user_data);
  return G_SOURCE_REMOVE;
}

static void
make_plan (TauCompactionRun *run)
{
  TauAgentSession *self = run->session;
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));

  if (self->model == NULL || !tau_model_catalog_is_available (self->catalog, self->model))
    g_set_error_literal (&run->error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("There is no model that could summarise."));
  else
    run->plan = tau_compaction_plan_new (path, tau_settings_get_int (self->settings, "compaction.keepRecentTokens", KEEP_RECENT_TOKENS),
                                         &run->error);
}

static void
start (TauAgentSession *self,
       const char      *reason,
       gboolean         will_retry,
       const char      *focus,
       GTask           *task)
{
  TauCompactionRun *run = g_new0 (TauCompactionRun, 1);

  run->session = g_object_ref (self);
  run->reason = reason;
  run->will_retry = will_retry;
  run->focus = g_strdup (focus);
  run->task = task;
  run->cancellable = g_cancellable_new ();
  self->compaction = run;
  tau_agent_session_set_state (self, TAU_SESSION_COMPACTING);
  tau_agent_session_emit (self, &(TauSessionEvent) { .kind = TAU_SESSION_EVENT_COMPACTION_START, .reason = reason });
  make_plan (run);
  if (run->plan != NULL)
    ask_all (run);
  else
    g_idle_add_full (G_PRIORITY_DEFAULT, finish_idle_cb, run, NULL);
}

/* Whether the branch was compacted after @message was said: what its server counted is not true any more. The order of
 * entries tells it; times of the same millisecond do not. */
static gboolean
is_stale (TauAgentSession *self,
          TauMessage      *message)
{
  TauSessionEntry *entry = tau_session_tree_get_leaf (self->tree);
  guint left = tau_session_tree_get_entries (self->tree)->len;

  for (; entry != NULL && left > 0; left--)
    {
      g_autoptr(TauMessage) known = tau_session_entry_peek_message (entry);

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        return TRUE;
      if (known == message)
        return FALSE;
      entry = tau_session_tree_get_parent (self->tree, entry);
    }
  return FALSE;
}

static gboolean
is_from_current_model (TauAgentSession     *self,
                       TauAssistantMessage *answer)
{
  return self->model != NULL
         && g_strcmp0 (tau_assistant_message_get_provider (answer), tau_model_get_provider (self->model)) == 0
         && g_strcmp0 (tau_assistant_message_get_model (answer), tau_model_get_id (self->model)) == 0;
}

/* Size of the context after @answer; 0 if it is unknown. A failed answer says nothing itself, and a count from before a
 * compaction is not true any more. */
static gint64
context_tokens (TauAgentSession     *self,
                TauAssistantMessage *answer)
{
  g_autoptr(TauAssistantMessage) counted = NULL;
  TauTokenEstimate estimate;

  if (tau_assistant_message_get_stop_reason (answer) != TAU_STOP_REASON_ERROR)
    return tau_token_count_usage (answer);
  estimate = tau_agent_session_estimate (self, &counted);
  if (counted == NULL || is_stale (self, TAU_MESSAGE (counted)))
    return 0;
  return estimate.tokens;
}

/* What takes most room in the context, for a person who must decide what to do about it. */
static char *
describe_largest (TauAgentSession *self)
{
  g_autoptr(GPtrArray) messages = tau_session_messages_dup_all (self->messages);
  gint64 most = (gint64) strlen (self->system_prompt) / 4;
  const char *what = NULL;

  for (guint i = 0; i < messages->len; i++)
    {
      gint64 tokens = tau_token_count_message (g_ptr_array_index (messages, i));

      if (tokens <= most)
        continue;
      most = tokens;
      what = tau_message_get_role (g_ptr_array_index (messages, i));
    }
  if (what == NULL)
    return g_strdup_printf (_("The largest part are the instructions (about %" G_GINT64_FORMAT " tokens)."), most);
  /* Translators: %s is the role of a message as it stands in files, such as "toolResult". */
  return g_strdup_printf (_("The largest part is a message of the role %s (about %" G_GINT64_FORMAT " tokens)."), what, most);
}

/* Whether the branch was compacted and the first answer since was too large again: another one would not do better. */
static gboolean
was_useless (TauAgentSession *self,
             gint64           limit)
{
  TauSessionEntry *entry = tau_session_tree_get_leaf (self->tree);
  guint left = tau_session_tree_get_entries (self->tree)->len;
  gint64 tokens = 0;

  for (; entry != NULL && left > 0; left--)
    {
      g_autoptr(TauMessage) message = tau_session_entry_dup_message (entry);

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        return tokens > limit;
      if (message != NULL && TAU_IS_ASSISTANT_MESSAGE (message) && !tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (message)))
        tokens = tau_token_count_usage (TAU_ASSISTANT_MESSAGE (message));
      entry = tau_session_tree_get_parent (self->tree, entry);
    }
  return FALSE;
}

static void
tell_useless (TauAgentSession *self,
              gint64           tokens,
              gint64           limit)
{
  g_autofree char *largest = describe_largest (self);
  g_autofree char *text = NULL;

  if (self->told_useless)
    return;
  self->told_useless = TRUE;
  text = g_strdup_printf (_("Compaction did not help: the context has %" G_GINT64_FORMAT " tokens and should have at most %" G_GINT64_FORMAT ". %s "
                            "Begin a new session, or choose a model with a larger context."), tokens, limit, largest);
  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_COMPACTION_END, .reason = "threshold", .error_message = text,
  });
}

/* One compaction for one overflow: if that did not help another will not. */
static gboolean
handle_overflow (TauAgentSession     *self,
                 TauAssistantMessage *answer,
                 gboolean             before_prompt)
{
  gboolean complete = tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_STOP;

  if (self->overflow_handled)
    {
      g_autofree char *largest = describe_largest (self);
      g_autofree char *text = g_strdup_printf ("Context overflow recovery failed after one compact-and-retry attempt. "
                                               "Try a model with a larger context, or begin a new session. %s", largest);

      tau_agent_session_emit (self, &(TauSessionEvent) {
        .kind = TAU_SESSION_EVENT_COMPACTION_END, .reason = "overflow", .error_message = text,
      });
      return FALSE;
    }
  self->overflow_handled = TRUE;
  if (!complete)
    tau_agent_session_drop_last_answer (self);
  start (self, "overflow", !complete && !before_prompt, NULL, NULL);
  return TRUE;
}

/* Begins a compaction if the context is, or soon will be, too large. Returns whether it did; then
 * tau_agent_session_after_compaction() follows. */
gboolean
tau_agent_session_compact_if_needed (TauAgentSession     *self,
                                     TauAssistantMessage *answer,
                                     gboolean             before_prompt)
{
  gint64 window = self->model != NULL ? tau_model_get_context_window (self->model) : 0;
  gint64 tokens, limit;

  if (!tau_settings_get_bool (self->settings, "compaction.enabled", TRUE)
      || (!before_prompt && tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ABORTED)
      || is_stale (self, TAU_MESSAGE (answer)))
    return FALSE;
  if (is_from_current_model (self, answer) && tau_api_error_is_overflow (answer, tau_agent_session_get_window (self)))
    return handle_overflow (self, answer, before_prompt);
  limit = window - reserve_tokens (self);
  tokens = window > 0 ? context_tokens (self, answer) : 0;
  if (window == 0 || tokens <= limit)
    {
      self->told_useless = FALSE;
      return FALSE;
    }
  if (was_useless (self, limit))
    {
      tell_useless (self, tokens, limit);
      return FALSE;
    }

  start (self, "threshold", FALSE, NULL, NULL);
  return TRUE;
}

/* The requests end as cancelled, and with them the compaction. */
void
tau_agent_session_cancel_compaction (TauAgentSession *self)
{
  if (self->compaction != NULL)
    g_cancellable_cancel (self->compaction->cancellable);
  g_cancellable_cancel (self->summary_cancellable);
}

static void
stopped_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  TauAgentSession *self = TAU_AGENT_SESSION (object);
  g_autoptr(GTask) task = user_data;

  const char *focus = g_task_get_task_data (task);

  tau_agent_session_wait_for_idle_finish (self, result, NULL);
  if (self->state == TAU_SESSION_IDLE)
    start (self, "manual", FALSE, focus, g_steal_pointer (&task));
  else
    g_task_return_new_error (task, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY, "%s", _("The agent is at work."));
}

/**
 * tau_agent_session_compact_async:
 * @self: a session
 * @focus: (nullable): what the summary should look at
 * @callback: called when done
 * @user_data: for @callback
 *
 * Replaces the older part of the branch by a summary; the file keeps it. A run is stopped first;
 * tau_agent_session_abort() stops the compaction.
 */
void
tau_agent_session_compact_async (TauAgentSession     *self,
                                 const char          *focus,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GError) error = NULL;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_compact_async);
  if (!tau_agent_session_check_writable (self, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_set_task_data (task, g_strdup (focus), g_free);
  tau_agent_session_abort (self);
  tau_agent_session_wait_for_idle_async (self, NULL, stopped_cb, g_steal_pointer (&task));
}

/**
 * tau_agent_session_compact_finish:
 * @self: a session
 * @result: what the callback got
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND if there was nothing to do, %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): summary, firstKeptEntryId, tokensBefore and details, as RPC gives them
 */
JsonNode *
tau_agent_session_compact_finish (TauAgentSession *self,
                                  GAsyncResult    *result,
                                  GError         **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
