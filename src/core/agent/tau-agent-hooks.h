/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-stream-hooks.h"
#include "core/tool/tau-tool-run.h"

G_BEGIN_DECLS

/**
 * TauAgentContext:
 * @system_prompt: (nullable): of this run
 * @messages: of TauMessage, what the loop has so far (results of the batch in progress excluded)
 * @tools: (nullable): of TauToolSpec
 *
 * What hooks may look at. Borrowed for the call.
 */
typedef struct
{
  const char *system_prompt;
  GPtrArray  *messages;
  GPtrArray  *tools;
} TauAgentContext;

/**
 * TauToolVerdict:
 * @block: whether the call must not run
 * @reason: (nullable): text for the model; "Tool execution was blocked" if empty
 * @arguments: (nullable): replaces the validated arguments, not validated again
 *
 * Answer of before_tool_call; zeroed means "go on".
 */
typedef struct
{
  gboolean  block;
  char     *reason;
  JsonNode *arguments;
} TauToolVerdict;

void tau_tool_verdict_clear (TauToolVerdict *verdict);

#define TAU_TYPE_AGENT_HOOKS (tau_agent_hooks_get_type ())
G_DECLARE_INTERFACE (TauAgentHooks, tau_agent_hooks, TAU, AGENT_HOOKS, GObject)

/**
 * TauAgentHooksInterface:
 * @transform_context_async: first step of each model call: other messages for this call only
 * @transform_context_finish: (transfer full): of TauMessage. An error is a run failure
 * @convert_to_llm_async: second step: user, assistant and toolResult messages only. Absent: tau_messages_convert_to_llm()
 * @convert_to_llm_finish: (transfer full): an error is a run failure
 * @get_api_key_async: third step: key (and headers) for the provider. Absent or %NULL: the agent's own api-key
 * @get_api_key_finish: an error is a run failure
 * @before_tool_call_async: after validation, before execution; asked in source order, one at a time
 * @before_tool_call_finish: fills the verdict; an error becomes that call's error result
 * @after_tool_call_async: after execution, also a failed one; not for unknown, invalid or blocked calls
 * @after_tool_call_finish: (transfer full): the outcome to use instead, or %NULL to keep it (use tau_tool_outcome_merge()). An error becomes the
 *   call's error result
 * @should_stop_async: after turn_end, not after failed turns
 * @should_stop_finish: %TRUE ends the run without polling the queues. An error is a run failure
 * @get_steering_async: at the run's start and after each turn. Absent: the agent's steering queue
 * @get_steering_finish: (transfer full): of TauMessage, may be empty. An error is a run failure
 * @get_follow_up_async: when nothing else is left. Absent: the agent's follow-up queue
 * @get_follow_up_finish: (transfer full): of TauMessage. An error is a run failure
 *
 * Every place where an application can step into the loop. All are optional, asynchronous and cancellable; the contract of each failure
 * stands with its _finish. on-payload and on-response are in TauStreamHooks, which the same object may implement too.
 */
struct _TauAgentHooksInterface
{
  GTypeInterface parent_iface;

  void       (*transform_context_async)  (TauAgentHooks *self, GPtrArray *messages, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*transform_context_finish) (TauAgentHooks *self, GAsyncResult *result, GError **error);
  void       (*convert_to_llm_async)     (TauAgentHooks *self, GPtrArray *messages, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*convert_to_llm_finish)    (TauAgentHooks *self, GAsyncResult *result, GError **error);
  void       (*get_api_key_async)        (TauAgentHooks *self, TauModel *model, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean   (*get_api_key_finish)       (TauAgentHooks *self, GAsyncResult *result, char **api_key, JsonNode **headers, GError **error);
  void       (*before_tool_call_async)   (TauAgentHooks *self, TauToolRun *run, TauAssistantMessage *message, const TauAgentContext *context, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean   (*before_tool_call_finish)  (TauAgentHooks *self, GAsyncResult *result, TauToolVerdict *verdict, GError **error);
  void       (*after_tool_call_async)    (TauAgentHooks *self, TauToolRun *run, TauToolOutcome *outcome, TauAssistantMessage *message, const TauAgentContext *context, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  TauToolOutcome *(*after_tool_call_finish) (TauAgentHooks *self, GAsyncResult *result, GError **error);
  void       (*should_stop_async)        (TauAgentHooks *self, TauAssistantMessage *message, GPtrArray *tool_results, const TauAgentContext *context, GPtrArray *new_messages, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean   (*should_stop_finish)       (TauAgentHooks *self, GAsyncResult *result, gboolean *stop, GError **error);
  void       (*get_steering_async)       (TauAgentHooks *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*get_steering_finish)      (TauAgentHooks *self, GAsyncResult *result, GError **error);
  void       (*get_follow_up_async)      (TauAgentHooks *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*get_follow_up_finish)     (TauAgentHooks *self, GAsyncResult *result, GError **error);
};

/* The methods of @self; all of them NULL if @self is. */
const TauAgentHooksInterface *tau_agent_hooks_get_methods (TauAgentHooks *self);

G_END_DECLS
