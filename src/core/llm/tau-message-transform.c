/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-message-transform.h"

#include "core/base/tau-id.h"
#include "core/base/tau-text.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

/* Fits a conversation to the model that is to read it next, whichever models wrote it: pictures for a model without eyes become
 * words, another model's reasoning becomes text, calls and results are paired. Pure: messages are records, those that need no
 * change are taken as they are. Source of the rules: pi's behaviour, which its session files rely on. */

#define USER_IMAGE_TEXT "(image omitted: model does not support images)"
#define TOOL_IMAGE_TEXT "(tool image omitted: model does not support images)"
#define NO_RESULT_TEXT  "No result provided"

typedef struct
{
  TauModel     *model;
  TauCallIdFunc call_id;
  GHashTable   *new_ids;   /* old call id → new one */
  GHashTable   *answered;  /* call ids with a result, since the last flush */
  GPtrArray    *pending;   /* blocks: tool calls of the latest answer; borrowed from it */
  GPtrArray    *out;
} Transform;

/**
 * tau_messages_is_same_model:
 * @message: an answer
 * @model: a model
 *
 * Returns: whether @model wrote @message: same vendor, protocol and id
 */
gboolean
tau_messages_is_same_model (TauAssistantMessage *message,
                            TauModel            *model)
{
  return g_strcmp0 (tau_assistant_message_get_provider (message), tau_model_get_provider (model)) == 0 &&
         g_strcmp0 (tau_assistant_message_get_api (message), tau_model_get_api (model)) == 0 &&
         g_strcmp0 (tau_assistant_message_get_model (message), tau_model_get_id (model)) == 0;
}

/* Each run of pictures becomes one text. A run right behind that same text adds nothing. */
static GPtrArray *
replace_images (TauMessage *message,
                const char *text)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  gboolean said = FALSE;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) != TAU_BLOCK_IMAGE)
        {
          g_ptr_array_add (blocks, tau_block_ref (block));
          said = tau_block_get_kind (block) == TAU_BLOCK_TEXT && g_strcmp0 (tau_block_get_text (block), text) == 0;
        }
      else if (!said)
        {
          g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
          said = TRUE;
        }
    }

  return blocks;
}

static TauMessage *
copy_result (TauToolResultMessage *result,
             GPtrArray            *blocks,
             const char           *call_id)
{
  return TAU_MESSAGE (tau_tool_result_message_new (call_id,
                                                   tau_tool_result_message_get_tool_name (result),
                                                   blocks,
                                                   tau_tool_result_message_get_details (result),
                                                   tau_tool_result_message_get_is_error (result),
                                                   tau_message_get_timestamp (TAU_MESSAGE (result))));
}

/* A block of another model's answer, as this one may read it; NULL drops it. */
static TauBlock *
adopt_block (Transform           *transform,
             TauAssistantMessage *source,
             TauBlock            *block)
{
  const char *old_id = tau_block_get_call_id (block);
  g_autofree char *new_id = NULL;

  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_THINKING:
      if (tau_block_is_redacted (block) || tau_text_is_blank (tau_block_get_text (block)))
        return NULL;
      return tau_block_new_text (tau_block_get_text (block), NULL);

    case TAU_BLOCK_TEXT:
      return tau_block_new_text (tau_block_get_text (block), NULL);

    case TAU_BLOCK_TOOL_CALL:
      new_id = transform->call_id != NULL ? transform->call_id (old_id, transform->model, source) : g_strdup (old_id);
      if (g_strcmp0 (old_id, new_id) != 0)
        g_hash_table_replace (transform->new_ids, g_strdup (old_id), g_strdup (new_id));
      return tau_block_new_tool_call (new_id, tau_block_get_call_name (block), tau_block_get_arguments (block), NULL);

    case TAU_BLOCK_IMAGE:
    default:
      return tau_block_ref (block);
    }
}

static gboolean
may_keep (TauBlock *block)
{
  return tau_block_get_kind (block) != TAU_BLOCK_THINKING || tau_block_is_redacted (block) ||
         (tau_block_get_signature (block) != NULL && tau_block_get_signature (block)[0] != '\0') ||
         !tau_text_is_blank (tau_block_get_text (block));
}

static TauMessage *
adopt_answer (Transform           *transform,
              TauAssistantMessage *message)
{
  gboolean same = tau_messages_is_same_model (message, transform->model);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauAssistantFields fields = {
    .api = tau_assistant_message_get_api (message),
    .provider = tau_assistant_message_get_provider (message),
    .model = tau_assistant_message_get_model (message),
    .response_model = tau_assistant_message_get_response_model (message),
    .response_id = tau_assistant_message_get_response_id (message),
    .usage = *tau_assistant_message_get_usage (message),
    .stop_reason = tau_assistant_message_get_stop_reason (message),
    .timestamp = tau_message_get_timestamp (TAU_MESSAGE (message)),
  };

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);
      TauBlock *adopted = !same ? adopt_block (transform, message, block) : may_keep (block) ? tau_block_ref (block) : NULL;

      if (adopted != NULL)
        g_ptr_array_add (blocks, adopted);
    }

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

/* Providers reject a call without a result: those that were never answered get one that says so. */
static void
flush_pending (Transform *transform)
{
  for (guint i = 0; i < transform->pending->len; i++)
    {
      TauBlock *call = g_ptr_array_index (transform->pending, i);
      g_autoptr(GPtrArray) blocks = NULL;

      if (g_hash_table_contains (transform->answered, tau_block_get_call_id (call)))
        continue;

      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
      g_ptr_array_add (blocks, tau_block_new_text (NO_RESULT_TEXT, NULL));
      g_ptr_array_add (transform->out,
                       tau_tool_result_message_new (tau_block_get_call_id (call), tau_block_get_call_name (call), blocks, NULL,
                                                    TRUE, tau_clock_now_ms ()));
    }

  g_ptr_array_set_size (transform->pending, 0);
  g_hash_table_remove_all (transform->answered);
}

static void
take_answer (Transform           *transform,
             TauAssistantMessage *message)
{
  TauMessage *adopted;

  flush_pending (transform);
  /* Half an answer cannot be replayed: its reasoning is unsigned and its calls have half their arguments. */
  if (tau_assistant_message_failed (message))
    return;

  adopted = adopt_answer (transform, message);
  g_ptr_array_add (transform->out, adopted);
  for (guint i = 0; i < tau_message_get_n_blocks (adopted); i++)
    {
      TauBlock *block = tau_message_get_block (adopted, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL)
        g_ptr_array_add (transform->pending, tau_block_ref (block));
    }
}

static void
take_result (Transform            *transform,
             TauToolResultMessage *message)
{
  const char *old_id = tau_tool_result_message_get_call_id (message);
  const char *new_id = g_hash_table_lookup (transform->new_ids, old_id);
  const char *id = new_id != NULL ? new_id : old_id;
  gboolean blind = !tau_model_accepts_images (transform->model) && tau_message_has_images (TAU_MESSAGE (message));

  g_hash_table_add (transform->answered, g_strdup (id));
  if (blind || new_id != NULL)
    {
      g_autoptr(GPtrArray) blocks = blind ? replace_images (TAU_MESSAGE (message), TOOL_IMAGE_TEXT)
                                          : tau_message_dup_blocks (TAU_MESSAGE (message));

      g_ptr_array_add (transform->out, copy_result (message, blocks, id));
    }
  else
    g_ptr_array_add (transform->out, g_object_ref (message));
}

static void
take_user (Transform  *transform,
           TauMessage *message)
{
  flush_pending (transform);
  if (!tau_model_accepts_images (transform->model) && tau_message_has_images (message))
    {
      g_autoptr(GPtrArray) blocks = replace_images (message, USER_IMAGE_TEXT);

      g_ptr_array_add (transform->out, tau_user_message_new_blocks (blocks, tau_message_get_timestamp (message)));
    }
  else
    g_ptr_array_add (transform->out, g_object_ref (message));
}

/**
 * tau_messages_transform:
 * @messages: (element-type TauMessage): user messages, answers and tool results
 * @model: who is to read them
 * @call_id: (nullable) (scope call): makes ids of other models' calls fit
 *
 * Returns: (transfer full) (element-type TauMessage): the conversation as @model may get it
 */
GPtrArray *
tau_messages_transform (GPtrArray    *messages,
                        TauModel     *model,
                        TauCallIdFunc call_id)
{
  Transform transform = {
    .model = model,
    .call_id = call_id,
    .new_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
    .answered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .pending = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref),
    .out = g_ptr_array_new_with_free_func (g_object_unref),
  };

  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (TAU_IS_ASSISTANT_MESSAGE (message))
        take_answer (&transform, TAU_ASSISTANT_MESSAGE (message));
      else if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        take_result (&transform, TAU_TOOL_RESULT_MESSAGE (message));
      else if (TAU_IS_USER_MESSAGE (message))
        take_user (&transform, message);
    }
  flush_pending (&transform);

  g_hash_table_unref (transform.new_ids);
  g_hash_table_unref (transform.answered);
  g_ptr_array_unref (transform.pending);

  return transform.out;
}
