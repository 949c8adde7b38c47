/* SPDX-License-Identifier: MIT */
#include "core/llm/scripted/tau-scripted-answer.h"

/**
 * tau_scripted_answer_new:
 * @reason: how the answer ends
 * @error_text: (nullable): text of an error
 *
 * Returns: (transfer full): an answer without blocks
 */
TauScriptedAnswer *
tau_scripted_answer_new (TauStopReason reason,
                         const char   *error_text)
{
  TauScriptedAnswer *self = g_new0 (TauScriptedAnswer, 1);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  self->reason = reason;
  self->error_text = g_strdup (error_text);

  return self;
}

/**
 * tau_scripted_answer_free:
 * @self: (transfer full): an answer
 *
 * Frees an answer.
 */
void
tau_scripted_answer_free (TauScriptedAnswer *self)
{
  g_ptr_array_unref (self->blocks);
  g_free (self->error_text);
  g_free (self);
}

/**
 * tau_scripted_answer_thinking:
 * @self: an answer
 * @text: reasoning
 *
 * Appends a thinking block.
 */
void
tau_scripted_answer_thinking (TauScriptedAnswer *self,
                              const char        *text)
{
  g_ptr_array_add (self->blocks, tau_block_new_thinking (text, NULL, FALSE));
}

/**
 * tau_scripted_answer_text:
 * @self: an answer
 * @text: text
 *
 * Appends a text block.
 */
void
tau_scripted_answer_text (TauScriptedAnswer *self,
                          const char        *text)
{
  g_ptr_array_add (self->blocks, tau_block_new_text (text, NULL));
}

/**
 * tau_scripted_answer_call:
 * @self: an answer
 * @id: id of the call
 * @tool: name of a tool
 * @arguments: (transfer full): what to call it with
 *
 * Appends a tool call. The answer then waits for its result, unless it fails.
 */
void
tau_scripted_answer_call (TauScriptedAnswer *self,
                          const char        *id,
                          const char        *tool,
                          JsonNode          *arguments)
{
  g_ptr_array_add (self->blocks, tau_block_new_tool_call (id, tool, arguments, NULL));
  json_node_unref (arguments);
  if (self->reason == TAU_STOP_REASON_STOP)
    self->reason = TAU_STOP_REASON_TOOL_USE;
}
