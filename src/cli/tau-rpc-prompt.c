/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-handlers.h"

#include "cli/tau-rpc-data.h"
#include "core/base/tau-json.h"
#include "core/message/tau-block-json.h"

/* Commands that make the session work, and stop it. */

/* Returns: (nullable): pictures of a prompt; NULL with @error set if they cannot be read, without if there are none */
static GPtrArray *
read_images (TauRpcCall *self,
             GError **error)
{
  JsonNode *images = tau_json_get (self->json, "images");

  if (images == NULL || JSON_NODE_HOLDS_NULL (images))
    return NULL;

  return tau_blocks_from_json (images, error);
}

static void
deliver (TauRpcCall *self,
         TauDelivery delivery)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error == NULL)
    tau_agent_session_prompt (tau_rpc_call_get_session (self), tau_rpc_call_get_string (self, "message"), images, delivery, &error);

  if (error != NULL)
    tau_rpc_call_fail (self, error->message);
  else
    tau_rpc_call_succeed (self, NULL);
}

/**
 * tau_rpc_prompt:
 * @self: (transfer full): the call
 *
 * Sends a prompt. While a run is on it is refused, unless `streamingBehavior` says how to queue it.
 */
void
tau_rpc_prompt (TauRpcCall *self)
{
  const char *behavior = tau_rpc_call_get_string (self, "streamingBehavior");

  if (g_str_equal (behavior, "steer"))
    deliver (self, TAU_DELIVERY_STEER);
  else if (g_str_equal (behavior, "followUp"))
    deliver (self, TAU_DELIVERY_FOLLOW_UP);
  else
    deliver (self, TAU_DELIVERY_PROMPT);
}

/**
 * tau_rpc_steer:
 * @self: (transfer full): the call
 *
 * Queues a message for after the current turn.
 */
void
tau_rpc_steer (TauRpcCall *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error != NULL)
    {
      tau_rpc_call_fail (self, error->message);
      return;
    }

  tau_agent_session_steer (tau_rpc_call_get_session (self), tau_rpc_call_get_string (self, "message"), images);
  tau_rpc_call_succeed (self, NULL);
}

/**
 * tau_rpc_follow_up:
 * @self: (transfer full): the call
 *
 * Queues a message for after everything else.
 */
void
tau_rpc_follow_up (TauRpcCall *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error != NULL)
    {
      tau_rpc_call_fail (self, error->message);
      return;
    }

  tau_agent_session_follow_up (tau_rpc_call_get_session (self), tau_rpc_call_get_string (self, "message"), images);
  tau_rpc_call_succeed (self, NULL);
}

static void
aborted_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  tau_agent_session_wait_for_idle_finish (TAU_AGENT_SESSION (object), result, NULL);
  tau_rpc_call_succeed (user_data, NULL);
}

/**
 * tau_rpc_abort:
 * @self: (transfer full): the call
 *
 * Stops what the session does; answered when it has come to rest.
 */
void
tau_rpc_abort (TauRpcCall *self)
{
  tau_agent_session_abort (tau_rpc_call_get_session (self));
  tau_agent_session_wait_for_idle_async (tau_rpc_call_get_session (self), NULL, aborted_cb, self);
}

/**
 * tau_rpc_abort_retry:
 * @self: (transfer full): the call
 *
 * Stops the wait before another try.
 */
void
tau_rpc_abort_retry (TauRpcCall *self)
{
  if (tau_agent_session_get_state (tau_rpc_call_get_session (self)) == TAU_SESSION_RETRYING)
    tau_agent_session_abort (tau_rpc_call_get_session (self));
  tau_rpc_call_succeed (self, NULL);
}

static void
bash_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashExecutionMessage) message = tau_agent_session_run_bash_finish (TAU_AGENT_SESSION (object), result, &error);

  if (message == NULL)
    tau_rpc_call_fail (user_data, error->message);
  else
    tau_rpc_call_succeed (user_data, tau_rpc_data_bash (message));
}

/**
 * tau_rpc_bash:
 * @self: (transfer full): the call
 *
 * Runs a command of the user; answered when it has ended.
 */
void
tau_rpc_bash (TauRpcCall *self)
{
  /* The protocol has no way to keep the output from the model, unlike `!!` in the window. */
  tau_agent_session_run_bash_async (tau_rpc_call_get_session (self), tau_rpc_call_get_string (self, "command"), FALSE,
                                    bash_cb, self);
}

/**
 * tau_rpc_abort_bash:
 * @self: (transfer full): the call
 *
 * Stops the command of the user.
 */
void
tau_rpc_abort_bash (TauRpcCall *self)
{
  tau_agent_session_abort_bash (tau_rpc_call_get_session (self));
  tau_rpc_call_succeed (self, NULL);
}
