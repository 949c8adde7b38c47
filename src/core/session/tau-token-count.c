/* SPDX-License-Identifier: MIT */
#include "core/session/tau-token-count.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-branch-summary-message.h"
#include "core/message/tau-compaction-summary-message.h"

/* One estimate of tokens, for the meter and for the decision to compact. Without a tokenizer a token is taken for four
 * UTF-16 units, as pi does, so that both compact the same session at the same place. */

#define UNITS_PER_TOKEN 4
#define IMAGE_UNITS     4800   /* in tool results; pictures of the user count nothing, as in pi */

static gint64
count_block (TauBlock *block,
             gboolean  images_count)
{
  g_autofree char *arguments = NULL;

  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_THINKING:
      return (gint64) tau_text_utf16_length (tau_block_get_text (block));
    case TAU_BLOCK_IMAGE:
      return images_count ? IMAGE_UNITS : 0;
    case TAU_BLOCK_TOOL_CALL:
      arguments = tau_json_to_string (tau_block_get_arguments (block));
      return (gint64) (tau_text_utf16_length (tau_block_get_call_name (block)) + tau_text_utf16_length (arguments));
    default:
      return 0;
    }
}

static gint64
count_units (TauMessage *message)
{
  gboolean images_count = !g_str_equal (tau_message_get_role (message), "user");
  gint64 units = 0;

  if (TAU_IS_BASH_EXECUTION_MESSAGE (message))
    {
      const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (message));

      return (gint64) (tau_text_utf16_length (fields->command) + tau_text_utf16_length (fields->output));
    }
  if (TAU_IS_BRANCH_SUMMARY_MESSAGE (message))
    return (gint64) tau_text_utf16_length (tau_branch_summary_message_get_summary (TAU_BRANCH_SUMMARY_MESSAGE (message)));
  if (TAU_IS_COMPACTION_SUMMARY_MESSAGE (message))
    return (gint64) tau_text_utf16_length (tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (message)));

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    units += count_block (tau_message_get_block (message, i), images_count);
  return units;
}

/**
 * tau_token_count_message:
 * @message: a message of any role
 *
 * Returns: how many tokens it probably is
 */
gint64
tau_token_count_message (TauMessage *message)
{
  return (count_units (message) + UNITS_PER_TOKEN - 1) / UNITS_PER_TOKEN;
}

/**
 * tau_token_count_usage:
 * @message: an answer
 *
 * Returns: tokens of the context including it, as the server counted; 0 if it did not
 */
gint64
tau_token_count_usage (TauAssistantMessage *message)
{
  const TauUsage *usage = tau_assistant_message_get_usage (message);

  if (usage->total_tokens != 0)
    return usage->total_tokens;
  return usage->input + usage->output + usage->cache_read + usage->cache_write;
}

/**
 * tau_token_count_context:
 * @messages: (element-type TauMessage): a context
 *
 * Starts from what the server counted for the last answer that did not fail, and estimates the rest.
 *
 * Returns: the estimate
 */
TauTokenEstimate
tau_token_count_context (GPtrArray *messages)
{
  TauTokenEstimate estimate = { 0, -1 };

  for (guint i = messages->len; i > 0; i--)
    {
      TauMessage *message = g_ptr_array_index (messages, i - 1);

      if (TAU_IS_ASSISTANT_MESSAGE (message) && !tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (message)))
        {
          estimate.tokens += tau_token_count_usage (TAU_ASSISTANT_MESSAGE (message));
          estimate.usage_index = (gint) i - 1;
          break;
        }
      estimate.tokens += tau_token_count_message (message);
    }
  return estimate;
}
