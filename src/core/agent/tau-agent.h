/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"
#include "core/agent/tau-agent-hooks.h"
#include "core/agent/tau-prompt-queue.h"
#include "core/llm/tau-provider.h"
#include "core/tool/tau-toolbox.h"

G_BEGIN_DECLS

/* Returns: (transfer full) (element-type TauMessage): the transcript. */
typedef struct _TauAgent TauAgent;
typedef GPtrArray *(*TauAgentHistoryFunc) (TauAgent *agent, gpointer user_data);

#define TAU_TYPE_AGENT (tau_agent_get_type ())
G_DECLARE_FINAL_TYPE (TauAgent, tau_agent, TAU, AGENT, GObject)

/* LIVE, main thread only: the public face of the core. One run at a time; knows nothing of disk, settings, windows.
 *
 * Signal "event" (const TauAgentEvent *), see tau-agent-event.h. State changes before the listeners see the event.
 * Properties (notify): "running" (bool), "draft" (TauDraft, nullable), "error-message" (nullable string).
 * Set at any time, used from the next run on (captured at run start): system-prompt, model, thinking-level, toolbox, hooks, provider,
 * api-key, session-id, thinking-budgets, tool execution. The queues and their modes are live. */

TauAgent        *tau_agent_new                    (void);
void             tau_agent_set_model              (TauAgent *self, TauModel *model);
TauModel        *tau_agent_get_model              (TauAgent *self);   /* borrowed, nullable */
void             tau_agent_set_system_prompt      (TauAgent *self, const char *prompt);
void             tau_agent_set_thinking_level     (TauAgent *self, TauThinkingLevel level);
TauThinkingLevel tau_agent_get_thinking_level     (TauAgent *self);
void             tau_agent_set_thinking_budgets   (TauAgent *self, JsonNode *budgets);
void             tau_agent_set_toolbox            (TauAgent *self, TauToolbox *toolbox);
TauToolbox      *tau_agent_get_toolbox            (TauAgent *self);
void             tau_agent_set_hooks              (TauAgent *self, TauAgentHooks *hooks);
void             tau_agent_set_provider           (TauAgent *self, TauProvider *provider);   /* nullable: look up by the model's api */
void             tau_agent_set_api_key            (TauAgent *self, const char *key);
void             tau_agent_set_session_id         (TauAgent *self, const char *id);
void             tau_agent_set_sequential         (TauAgent *self, gboolean sequential);
void             tau_agent_set_idle_timeout       (TauAgent *self, gint64 milliseconds);   /* watchdog on a stream without events; 0 = off, -1 = off for servers nearby */
void             tau_agent_set_request_limits     (TauAgent *self, gint64 timeout_ms, int max_retries, gint64 max_retry_delay_ms);

void             tau_agent_set_history_func       (TauAgent *self, TauAgentHistoryFunc func, gpointer user_data);   /* forgets the transcript, and asks for it when it is needed */
gboolean         tau_agent_has_history            (TauAgent *self);   /* whether it has asked */
GPtrArray       *tau_agent_get_messages           (TauAgent *self);   /* of TauMessage, borrowed; the transcript */
void             tau_agent_set_messages           (TauAgent *self, GPtrArray *messages);   /* copied */
gboolean         tau_agent_is_running             (TauAgent *self);
TauDraft        *tau_agent_get_draft              (TauAgent *self);   /* borrowed, nullable */
const char      *tau_agent_get_error_message      (TauAgent *self);
GPtrArray       *tau_agent_get_tool_runs          (TauAgent *self);   /* of TauToolRun in progress, borrowed */

/* Misuse is a GError (TAU_AGENT_ERROR) with the texts of the contract; after TRUE the run always ends with agent_end. */
gboolean         tau_agent_prompt                 (TauAgent *self, const char *text, GPtrArray *images, GError **error);
gboolean         tau_agent_prompt_messages        (TauAgent *self, GPtrArray *messages, GError **error);
gboolean         tau_agent_continue               (TauAgent *self, GError **error);
void             tau_agent_steer                  (TauAgent *self, TauMessage *message);
void             tau_agent_follow_up              (TauAgent *self, TauMessage *message);
void             tau_agent_set_steering_mode      (TauAgent *self, TauQueueMode mode);
void             tau_agent_set_follow_up_mode     (TauAgent *self, TauQueueMode mode);
TauQueueMode     tau_agent_get_steering_mode      (TauAgent *self);
TauQueueMode     tau_agent_get_follow_up_mode     (TauAgent *self);
GPtrArray       *tau_agent_get_steering           (TauAgent *self);   /* queued, of TauMessage, borrowed */
GPtrArray       *tau_agent_get_follow_ups         (TauAgent *self);   /* queued, borrowed */
void             tau_agent_clear_queues           (TauAgent *self);
gboolean         tau_agent_has_queued_messages    (TauAgent *self);
void             tau_agent_abort                  (TauAgent *self);
void             tau_agent_reset                  (TauAgent *self);
void             tau_agent_wait_for_idle_async    (TauAgent *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean         tau_agent_wait_for_idle_finish   (TauAgent *self, GAsyncResult *result, GError **error);

G_END_DECLS
