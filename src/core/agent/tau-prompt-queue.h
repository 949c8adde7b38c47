/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

/**
 * TauQueueMode:
 * @TAU_QUEUE_ONE_AT_A_TIME: a poll takes the first message only
 * @TAU_QUEUE_ALL: a poll takes all
 *
 * How a queue is drained.
 */
typedef enum
{
  TAU_QUEUE_ONE_AT_A_TIME,
  TAU_QUEUE_ALL,
} TauQueueMode;

#define TAU_TYPE_PROMPT_QUEUE (tau_prompt_queue_get_type ())
G_DECLARE_FINAL_TYPE (TauPromptQueue, tau_prompt_queue, TAU, PROMPT_QUEUE, GObject)

TauPromptQueue *tau_prompt_queue_new          (void);
TauQueueMode    tau_prompt_queue_get_mode     (TauPromptQueue *self);
void            tau_prompt_queue_set_mode     (TauPromptQueue *self, TauQueueMode mode);   /* counts from the next drain on */
GPtrArray      *tau_prompt_queue_get_messages (TauPromptQueue *self);   /* of TauMessage, borrowed */
void            tau_prompt_queue_push         (TauPromptQueue *self, TauMessage *message);
GPtrArray      *tau_prompt_queue_drain        (TauPromptQueue *self);   /* transfer full, of TauMessage, may be empty */
void            tau_prompt_queue_clear        (TauPromptQueue *self);

G_END_DECLS
