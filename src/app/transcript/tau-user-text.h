/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

/**
 * TauUserText:
 * @skill_name: (nullable): the skill that was called
 * @skill: (nullable): its text, which the program put in
 * @rest: what the user typed
 *
 * The parts of what a user sent.
 */
typedef struct
{
  char *skill_name;
  char *skill;
  char *rest;
} TauUserText;

void tau_user_text_init  (TauUserText *self, TauMessage *message);
void tau_user_text_clear (TauUserText *self);

G_END_DECLS
