/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-hooks.h"

G_BEGIN_DECLS

#define TAU_TEST_TYPE_HOOKS (tau_test_hooks_get_type ())
G_DECLARE_FINAL_TYPE (TauTestHooks, tau_test_hooks, TAU_TEST, HOOKS, GObject)

/**
 * TauTestHooks:
 * @log: names of the methods that were called, with the call's id for tools: "get_steering before:t1"
 * @fail: (nullable): the method that fails, as it stands in the log
 * @hang: (nullable): the method that answers only when it is cancelled
 * @heedless: methods answer as if nothing was cancelled
 * @only_last: transform_context keeps the last message only
 * @blocked: (nullable): id of the call that before_tool_call blocks, for @reason
 * @reason: (nullable): text
 * @arguments: (nullable): what before_tool_call puts in place of all arguments
 * @outcome: (nullable): what after_tool_call puts in place of all outcomes
 * @api_key: (nullable): of get_api_key
 * @stop: what should_stop says
 * @steering: of TauMessage: one a poll
 * @follow_ups: of TauMessage: one a poll
 * @seen_messages: how many messages the context had when a tool's hook looked last
 * @seen_arguments: (nullable): JSON of the arguments that before_tool_call saw last
 * @seen_failure: what after_tool_call saw last
 *
 * Hooks of which a test says what they do. Every method is there; all answer in the next iteration of the main loop.
 */
struct _TauTestHooks
{
  GObject         parent_instance;

  GString        *log;
  const char     *fail;
  const char     *hang;
  gboolean        heedless;
  gboolean        only_last;
  const char     *blocked;
  const char     *reason;
  JsonNode       *arguments;
  TauToolOutcome *outcome;
  const char     *api_key;
  gboolean        stop;
  GQueue          steering;
  GQueue          follow_ups;
  guint           seen_messages;
  char           *seen_arguments;
  gboolean        seen_failure;
};

TauTestHooks *tau_test_hooks_new (void);

G_END_DECLS
