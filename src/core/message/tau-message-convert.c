/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-convert.h"

#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-branch-summary-message.h"
#include "core/message/tau-compaction-summary-message.h"
#include "core/message/tau-message-role.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-attachments-message.h"
#include "core/message/tau-user-message.h"

#define IMAGE_BLOCKED "Image reading is disabled."

/* A user message with one text block in the place of @message. */
static TauMessage *
take_as_user (TauMessage *message,
              char       *text)
{
  g_autofree char *owned = text;

  if (owned == NULL)
    return NULL;

  return TAU_MESSAGE (tau_user_message_new (owned, NULL, tau_message_get_timestamp (message)));
}

static TauMessage *
blocks_as_user (TauMessage *message,
                GPtrArray  *blocks)
{
  return TAU_MESSAGE (tau_user_message_new_blocks (blocks, tau_message_get_timestamp (message)));
}

static TauMessage *
convert_registered (TauMessage *message)
{
  const TauMessageRoleClass *role_class = tau_message_role_lookup (tau_message_get_role (message));

  if (role_class == NULL || role_class->to_llm == NULL)
    return NULL;

  return role_class->to_llm (message);
}

/* Returns: (transfer full) (nullable): what the model sees in place of @message; %NULL for nothing */
static TauMessage *
convert (TauMessage *message)
{
  g_autoptr(GPtrArray) blocks = NULL;

  switch (tau_message_get_kind (message))
    {
    case TAU_MESSAGE_KIND_USER:
    case TAU_MESSAGE_KIND_ASSISTANT:
    case TAU_MESSAGE_KIND_TOOL_RESULT:
      return g_object_ref (message);

    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      return take_as_user (message,
                           tau_bash_execution_message_dup_llm_text (TAU_BASH_EXECUTION_MESSAGE (message)));

    case TAU_MESSAGE_KIND_CUSTOM:
      blocks = tau_message_dup_blocks (message);
      return blocks_as_user (message, blocks);

    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
      return take_as_user (message,
                           tau_branch_summary_message_dup_llm_text (TAU_BRANCH_SUMMARY_MESSAGE (message)));

    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      return take_as_user (message,
                           tau_compaction_summary_message_dup_llm_text (TAU_COMPACTION_SUMMARY_MESSAGE (message)));

    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      blocks = tau_user_attachments_message_dup_llm_blocks (TAU_USER_ATTACHMENTS_MESSAGE (message));
      return blocks_as_user (message, blocks);

    case TAU_MESSAGE_KIND_ARTIFACT:
      return NULL;

    case TAU_MESSAGE_KIND_OTHER:
      return convert_registered (message);

    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * tau_messages_convert_to_llm:
 * @messages: (element-type TauMessage): a conversation with all its roles
 *
 * Leaves user, assistant and tool result messages as they are, puts user messages in the place of what the application
 * added, and drops what a model must not or cannot see. The wording is pi's, so that a provider's cache of a session
 * survives a change of program.
 *
 * Returns: (transfer full) (element-type TauMessage): the conversation that a model sees
 */
GPtrArray *
tau_messages_convert_to_llm (GPtrArray *messages)
{
  GPtrArray *converted;

  g_return_val_if_fail (messages != NULL, NULL);

  converted = g_ptr_array_new_full (messages->len, g_object_unref);
  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = convert (g_ptr_array_index (messages, i));

      if (message != NULL)
        g_ptr_array_add (converted, message);
    }

  return converted;
}

/* Pictures that follow one another leave one text. */
static GPtrArray *
replace_images (TauMessage *message)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  gboolean after_image = FALSE;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);
      gboolean is_image = tau_block_get_kind (block) == TAU_BLOCK_IMAGE;

      if (!is_image)
        g_ptr_array_add (blocks, tau_block_ref (block));
      else if (!after_image)
        g_ptr_array_add (blocks, tau_block_new_text (IMAGE_BLOCKED, NULL));
      after_image = is_image;
    }

  return blocks;
}

/**
 * tau_message_with_blocks:
 * @message: a user message or a tool result
 * @blocks: (element-type TauBlock): other content
 *
 * Returns: (transfer full): the same message with that content
 */
TauMessage *
tau_message_with_blocks (TauMessage *message,
                         GPtrArray  *blocks)
{
  TauToolResultMessage *result;

  g_return_val_if_fail (TAU_IS_USER_MESSAGE (message) || TAU_IS_TOOL_RESULT_MESSAGE (message), NULL);

  if (TAU_IS_USER_MESSAGE (message))
    return blocks_as_user (message, blocks);

  result = TAU_TOOL_RESULT_MESSAGE (message);

  return TAU_MESSAGE (tau_tool_result_message_new (tau_tool_result_message_get_call_id (result),
                                                   tau_tool_result_message_get_tool_name (result),
                                                   blocks,
                                                   tau_tool_result_message_get_details (result),
                                                   tau_tool_result_message_get_is_error (result),
                                                   tau_message_get_timestamp (message)));
}

static TauMessage *
block_images (TauMessage *message)
{
  g_autoptr(GPtrArray) blocks = NULL;

  if (!tau_message_has_images (message) || !(TAU_IS_USER_MESSAGE (message) || TAU_IS_TOOL_RESULT_MESSAGE (message)))
    return g_object_ref (message);

  blocks = replace_images (message);

  return tau_message_with_blocks (message, blocks);
}

/**
 * tau_messages_block_images:
 * @messages: (element-type TauMessage): what tau_messages_convert_to_llm() gave
 *
 * For users who forbid that pictures leave their machine: a fixed text stands in the place of each run of pictures.
 *
 * Returns: (transfer full) (element-type TauMessage): the same conversation without pictures
 */
GPtrArray *
tau_messages_block_images (GPtrArray *messages)
{
  GPtrArray *blocked;

  g_return_val_if_fail (messages != NULL, NULL);

  blocked = g_ptr_array_new_full (messages->len, g_object_unref);
  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (blocked, block_images (g_ptr_array_index (messages, i)));

  return blocked;
}
