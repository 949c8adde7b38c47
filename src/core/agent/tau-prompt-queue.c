/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-prompt-queue.h"

/* TauPromptQueue: messages that wait for a place in the conversation. The agent owns two, one for steering and one for
 * follow-ups; a run drains them where its contract says. Live on purpose: what is pushed, cleared or set while a run is
 * on counts from the next drain. */

struct _TauPromptQueue
{
  GObject      parent_instance;

  GPtrArray   *messages; /* of TauMessage */
  TauQueueMode mode;
};

G_DEFINE_FINAL_TYPE (TauPromptQueue, tau_prompt_queue, G_TYPE_OBJECT)

static void
tau_prompt_queue_finalize (GObject *object)
{
  TauPromptQueue *self = TAU_PROMPT_QUEUE (object);

  g_clear_pointer (&self->messages, g_ptr_array_unref);

  G_OBJECT_CLASS (tau_prompt_queue_parent_class)->finalize (object);
}

static void
tau_prompt_queue_class_init (TauPromptQueueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_prompt_queue_finalize;
}

static void
tau_prompt_queue_init (TauPromptQueue *self)
{
  self->messages = g_ptr_array_new_with_free_func (g_object_unref);
  self->mode = TAU_QUEUE_ONE_AT_A_TIME;
}

/**
 * tau_prompt_queue_new:
 *
 * Returns: (transfer full): an empty queue that gives one message at a time
 */
TauPromptQueue *
tau_prompt_queue_new (void)
{
  return g_object_new (TAU_TYPE_PROMPT_QUEUE, NULL);
}

/**
 * tau_prompt_queue_get_mode:
 * @self: a queue
 *
 * Returns: how much one drain takes
 */
TauQueueMode
tau_prompt_queue_get_mode (TauPromptQueue *self)
{
  g_return_val_if_fail (TAU_IS_PROMPT_QUEUE (self), TAU_QUEUE_ONE_AT_A_TIME);

  return self->mode;
}

/**
 * tau_prompt_queue_set_mode:
 * @self: a queue
 * @mode: how much one drain takes from now on
 */
void
tau_prompt_queue_set_mode (TauPromptQueue *self,
                           TauQueueMode    mode)
{
  g_return_if_fail (TAU_IS_PROMPT_QUEUE (self));

  self->mode = mode;
}

/**
 * tau_prompt_queue_get_messages:
 * @self: a queue
 *
 * Returns: (transfer none) (element-type TauMessage): what waits, oldest first
 */
GPtrArray *
tau_prompt_queue_get_messages (TauPromptQueue *self)
{
  g_return_val_if_fail (TAU_IS_PROMPT_QUEUE (self), NULL);

  return self->messages;
}

/**
 * tau_prompt_queue_push:
 * @self: a queue
 * @message: goes to the end
 */
void
tau_prompt_queue_push (TauPromptQueue *self,
                       TauMessage     *message)
{
  g_return_if_fail (TAU_IS_PROMPT_QUEUE (self));
  g_return_if_fail (TAU_IS_MESSAGE (message));

  g_ptr_array_add (self->messages, g_object_ref (message));
}

/**
 * tau_prompt_queue_drain:
 * @self: a queue
 *
 * Takes the first message or all, as the mode says.
 *
 * Returns: (transfer full) (element-type TauMessage): what was taken, oldest first; empty if nothing waits
 */
GPtrArray *
tau_prompt_queue_drain (TauPromptQueue *self)
{
  GPtrArray *taken;

  g_return_val_if_fail (TAU_IS_PROMPT_QUEUE (self), NULL);

  taken = g_ptr_array_new_with_free_func (g_object_unref);
  if (self->mode == TAU_QUEUE_ALL)
    g_ptr_array_extend_and_steal (taken, g_steal_pointer (&self->messages));
  else if (self->messages->len > 0)
    g_ptr_array_add (taken, g_ptr_array_steal_index (self->messages, 0));

  if (self->messages == NULL)
    self->messages = g_ptr_array_new_with_free_func (g_object_unref);

  return taken;
}

/**
 * tau_prompt_queue_clear:
 * @self: a queue
 *
 * Forgets all that waits.
 */
void
tau_prompt_queue_clear (TauPromptQueue *self)
{
  g_return_if_fail (TAU_IS_PROMPT_QUEUE (self));

  g_ptr_array_set_size (self->messages, 0);
}
