/* SPDX-License-Identifier: MIT */
#include "support/tau-test-hooks.h"

#include "core/base/tau-json.h"
#include "core/message/tau-message-convert.h"

#include <string.h>

static void hooks_iface_init (TauAgentHooksInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTestHooks, tau_test_hooks, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_AGENT_HOOKS, hooks_iface_init))

static gboolean
answer_cb (gpointer user_data)
{
  GTask *task = user_data;
  TauTestHooks *self = g_task_get_source_object (task);
  const char *name = g_task_get_name (task);

  if (g_strcmp0 (self->fail, name) == 0)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s failed", name);
  else
    g_task_return_boolean (task, TRUE);

  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  g_task_return_error_if_cancelled (user_data);

  return G_SOURCE_REMOVE;
}

static void
answer_later (TauTestHooks       *self,
              const char         *name,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr(GSource) source = NULL;

  g_task_set_name (task, name);
  g_task_set_check_cancellable (task, !self->heedless);
  g_string_append_printf (self->log, "%s%s", self->log->len > 0 ? " " : "", name);

  if (g_strcmp0 (self->hang, name) == 0)
    {
      source = g_cancellable_source_new (cancellable);
      g_source_set_callback (source, G_SOURCE_FUNC (cancelled_cb), task, g_object_unref);
    }
  else
    {
      source = g_idle_source_new ();
      g_source_set_callback (source, answer_cb, task, g_object_unref);
    }
  g_source_attach (source, NULL);
}

static gboolean
answered (GAsyncResult *result,
          GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
keep_messages (TauTestHooks *self,
               GPtrArray    *messages)
{
  g_object_set_data_full (G_OBJECT (self), "messages", g_ptr_array_ref (messages), (GDestroyNotify) g_ptr_array_unref);
}

static void
transform_context_async (TauAgentHooks      *hooks,
                         GPtrArray          *messages,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  keep_messages (TAU_TEST_HOOKS (hooks), messages);
  answer_later (TAU_TEST_HOOKS (hooks), "transform_context", cancellable, callback, user_data);
}

static GPtrArray *
transform_context_finish (TauAgentHooks *hooks,
                          GAsyncResult  *result,
                          GError       **error)
{
  GPtrArray *messages = g_object_get_data (G_OBJECT (hooks), "messages");
  GPtrArray *copy;

  if (!answered (result, error))
    return NULL;

  copy = tau_messages_copy (messages);
  if (TAU_TEST_HOOKS (hooks)->only_last && copy->len > 1)
    g_ptr_array_remove_range (copy, 0, copy->len - 1);

  return copy;
}

static void
convert_to_llm_async (TauAgentHooks      *hooks,
                      GPtrArray          *messages,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  keep_messages (TAU_TEST_HOOKS (hooks), messages);
  answer_later (TAU_TEST_HOOKS (hooks), "convert_to_llm", cancellable, callback, user_data);
}

static GPtrArray *
convert_to_llm_finish (TauAgentHooks *hooks,
                       GAsyncResult  *result,
                       GError       **error)
{
  if (!answered (result, error))
    return NULL;

  return tau_messages_convert_to_llm (g_object_get_data (G_OBJECT (hooks), "messages"));
}

static void
get_api_key_async (TauAgentHooks      *hooks,
                   TauModel           *model,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  answer_later (TAU_TEST_HOOKS (hooks), "get_api_key", cancellable, callback, user_data);
}

static gboolean
get_api_key_finish (TauAgentHooks *hooks,
                    GAsyncResult  *result,
                    char         **api_key,
                    JsonNode     **headers,
                    GError       **error)
{
  if (!answered (result, error))
    return FALSE;

  *api_key = g_strdup (TAU_TEST_HOOKS (hooks)->api_key);
  return TRUE;
}

static void
before_tool_call_async (TauAgentHooks         *hooks,
                        TauToolRun            *run,
                        TauAssistantMessage   *message,
                        const TauAgentContext *context,
                        GCancellable          *cancellable,
                        GAsyncReadyCallback    callback,
                        gpointer               user_data)
{
  TauTestHooks *self = TAU_TEST_HOOKS (hooks);
  g_autofree char *name = g_strdup_printf ("before:%s", tau_tool_run_get_call_id (run));

  self->seen_messages = context->messages->len;
  g_free (self->seen_arguments);
  self->seen_arguments = tau_json_to_string (tau_tool_run_get_arguments (run));
  answer_later (self, name, cancellable, callback, user_data);
}

static gboolean
before_tool_call_finish (TauAgentHooks  *hooks,
                         GAsyncResult   *result,
                         TauToolVerdict *verdict,
                         GError        **error)
{
  TauTestHooks *self = TAU_TEST_HOOKS (hooks);
  const char *id = strchr (g_task_get_name (G_TASK (result)), ':') + 1;

  if (!answered (result, error))
    return FALSE;

  verdict->block = g_strcmp0 (self->blocked, id) == 0;
  verdict->reason = g_strdup (self->reason);
  verdict->arguments = self->arguments != NULL ? json_node_ref (self->arguments) : NULL;
  return TRUE;
}

static void
after_tool_call_async (TauAgentHooks         *hooks,
                       TauToolRun            *run,
                       TauToolOutcome        *outcome,
                       TauAssistantMessage   *message,
                       const TauAgentContext *context,
                       GCancellable          *cancellable,
                       GAsyncReadyCallback    callback,
                       gpointer               user_data)
{
  TauTestHooks *self = TAU_TEST_HOOKS (hooks);
  g_autofree char *name = g_strdup_printf ("after:%s", tau_tool_run_get_call_id (run));

  self->seen_messages = context->messages->len;
  self->seen_failure = tau_tool_outcome_get_is_error (outcome);
  answer_later (self, name, cancellable, callback, user_data);
}

static TauToolOutcome *
after_tool_call_finish (TauAgentHooks *hooks,
                        GAsyncResult  *result,
                        GError       **error)
{
  TauTestHooks *self = TAU_TEST_HOOKS (hooks);

  if (!answered (result, error) || self->outcome == NULL)
    return NULL;

  return tau_tool_outcome_ref (self->outcome);
}

static void
should_stop_async (TauAgentHooks         *hooks,
                   TauAssistantMessage   *message,
                   GPtrArray             *tool_results,
                   const TauAgentContext *context,
                   GPtrArray             *new_messages,
                   GCancellable          *cancellable,
                   GAsyncReadyCallback    callback,
                   gpointer               user_data)
{
  answer_later (TAU_TEST_HOOKS (hooks), "should_stop", cancellable, callback, user_data);
}

static gboolean
should_stop_finish (TauAgentHooks *hooks,
                    GAsyncResult  *result,
                    gboolean      *stop,
                    GError       **error)
{
  *stop = TAU_TEST_HOOKS (hooks)->stop;

  return answered (result, error);
}

static GPtrArray *
take_one (GQueue *queue)
{
  GPtrArray *taken = g_ptr_array_new_with_free_func (g_object_unref);

  if (!g_queue_is_empty (queue))
    g_ptr_array_add (taken, g_queue_pop_head (queue));

  return taken;
}

static void
get_steering_async (TauAgentHooks      *hooks,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  answer_later (TAU_TEST_HOOKS (hooks), "get_steering", cancellable, callback, user_data);
}

static GPtrArray *
get_steering_finish (TauAgentHooks *hooks,
                     GAsyncResult  *result,
                     GError       **error)
{
  return answered (result, error) ? take_one (&TAU_TEST_HOOKS (hooks)->steering) : NULL;
}

static void
get_follow_up_async (TauAgentHooks      *hooks,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  answer_later (TAU_TEST_HOOKS (hooks), "get_follow_up", cancellable, callback, user_data);
}

static GPtrArray *
get_follow_up_finish (TauAgentHooks *hooks,
                      GAsyncResult  *result,
                      GError       **error)
{
  return answered (result, error) ? take_one (&TAU_TEST_HOOKS (hooks)->follow_ups) : NULL;
}

static void
hooks_iface_init (TauAgentHooksInterface *iface)
{
  iface->transform_context_async = transform_context_async;
  iface->transform_context_finish = transform_context_finish;
  iface->convert_to_llm_async = convert_to_llm_async;
  iface->convert_to_llm_finish = convert_to_llm_finish;
  iface->get_api_key_async = get_api_key_async;
  iface->get_api_key_finish = get_api_key_finish;
  iface->before_tool_call_async = before_tool_call_async;
  iface->before_tool_call_finish = before_tool_call_finish;
  iface->after_tool_call_async = after_tool_call_async;
  iface->after_tool_call_finish = after_tool_call_finish;
  iface->should_stop_async = should_stop_async;
  iface->should_stop_finish = should_stop_finish;
  iface->get_steering_async = get_steering_async;
  iface->get_steering_finish = get_steering_finish;
  iface->get_follow_up_async = get_follow_up_async;
  iface->get_follow_up_finish = get_follow_up_finish;
}

static void
tau_test_hooks_finalize (GObject *object)
{
  TauTestHooks *self = TAU_TEST_HOOKS (object);

  g_string_free (self->log, TRUE);
  g_clear_pointer (&self->arguments, json_node_unref);
  g_clear_pointer (&self->outcome, tau_tool_outcome_unref);
  g_clear_pointer (&self->seen_arguments, g_free);
  g_queue_clear_full (&self->steering, g_object_unref);
  g_queue_clear_full (&self->follow_ups, g_object_unref);

  G_OBJECT_CLASS (tau_test_hooks_parent_class)->finalize (object);
}

static void
tau_test_hooks_class_init (TauTestHooksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_test_hooks_finalize;
}

static void
tau_test_hooks_init (TauTestHooks *self)
{
  self->log = g_string_new (NULL);
  g_queue_init (&self->steering);
  g_queue_init (&self->follow_ups);
}

/**
 * tau_test_hooks_new:
 *
 * Returns: (transfer full): hooks that let everything go its way
 */
TauTestHooks *
tau_test_hooks_new (void)
{
  return g_object_new (TAU_TEST_TYPE_HOOKS, NULL);
}
