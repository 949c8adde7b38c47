/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-private.h"

/* What waits for an agent's attention: messages for after the turn, and for after everything else. */

/**
 * tau_agent_steer:
 * @self: an agent
 * @message: goes in after the current turn, or with the next prompt
 */
void
tau_agent_steer (TauAgent   *self,
                 TauMessage *message)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  tau_prompt_queue_push (self->steering, message);
}

/**
 * tau_agent_follow_up:
 * @self: an agent
 * @message: goes in when a run has nothing else left
 */
void
tau_agent_follow_up (TauAgent   *self,
                     TauMessage *message)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  tau_prompt_queue_push (self->follow_ups, message);
}

/**
 * tau_agent_set_steering_mode:
 * @self: an agent
 * @mode: counts from the next poll on, also in a run that is on
 */
void
tau_agent_set_steering_mode (TauAgent    *self,
                             TauQueueMode mode)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  tau_prompt_queue_set_mode (self->steering, mode);
}

/**
 * tau_agent_set_follow_up_mode:
 * @self: an agent
 * @mode: counts from the next poll on, also in a run that is on
 */
void
tau_agent_set_follow_up_mode (TauAgent    *self,
                              TauQueueMode mode)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  tau_prompt_queue_set_mode (self->follow_ups, mode);
}

/**
 * tau_agent_get_steering_mode:
 * @self: an agent
 *
 * Returns: how the steering queue is drained
 */
TauQueueMode
tau_agent_get_steering_mode (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), TAU_QUEUE_ONE_AT_A_TIME);

  return tau_prompt_queue_get_mode (self->steering);
}

/**
 * tau_agent_get_follow_up_mode:
 * @self: an agent
 *
 * Returns: how the follow-up queue is drained
 */
TauQueueMode
tau_agent_get_follow_up_mode (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), TAU_QUEUE_ONE_AT_A_TIME);

  return tau_prompt_queue_get_mode (self->follow_ups);
}

/**
 * tau_agent_get_steering:
 * @self: an agent
 *
 * Returns: (transfer none) (element-type TauMessage): what waits for the end of a turn
 */
GPtrArray *
tau_agent_get_steering (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return tau_prompt_queue_get_messages (self->steering);
}

/**
 * tau_agent_get_follow_ups:
 * @self: an agent
 *
 * Returns: (transfer none) (element-type TauMessage): what waits for the end of the run
 */
GPtrArray *
tau_agent_get_follow_ups (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return tau_prompt_queue_get_messages (self->follow_ups);
}

/**
 * tau_agent_clear_queues:
 * @self: an agent
 *
 * Forgets all that waits.
 */
void
tau_agent_clear_queues (TauAgent *self)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  tau_prompt_queue_clear (self->steering);
  tau_prompt_queue_clear (self->follow_ups);
}

/**
 * tau_agent_has_queued_messages:
 * @self: an agent
 *
 * Returns: whether anything waits
 */
gboolean
tau_agent_has_queued_messages (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);

  return tau_agent_get_steering (self)->len > 0 || tau_agent_get_follow_ups (self)->len > 0;
}
