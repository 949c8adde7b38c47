/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-message-transform.h"

#include "core/base/tau-id.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-encoder.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

/* Fits a conversation to the model that is to read it next, whichever models wrote it: pictures for a model without eyes become
 * words, another model's reasoning becomes text, calls and results are paired. Pure: messages are records, those that need no
 * change are taken as they are. Source of the rules: pi's behaviour, which its session files rely on; beyond it, no two calls
 * keep the same id, and each call has one result, in the order of the calls. */

#define USER_IMAGE_TEXT "(image omitted: model does not support images)"
#define TOOL_IMAGE_TEXT "(tool image omitted: model does not support images)"
#define NO_RESULT_TEXT  "No result provided"

/* A call of the latest answer. */
typedef struct
{
  char       *old_id;   /* as in the session */
  TauBlock   *block;    /* as it goes out */
  TauMessage *result;   /* nullable: none yet */
} Call;

typedef struct
{
  TauModel     *model;
  TauCallIdFunc call_id;
  GHashTable   *ids;     /* set: of all calls so far, as they go out */
  GHashTable   *tries;   /* id in the session → how many hashes of it are taken, GUINT_TO_POINTER() */
  GArray       *calls;   /* of Call */
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

static void
clear_call (gpointer data)
{
  Call *call = data;

  g_free (call->old_id);
  tau_block_unref (call->block);
  g_clear_object (&call->result);
}

/* Two ids may look alike once they fit, and some servers count each answer's calls from 0 or give no ids: what is taken or
 * missing gives way to a hash. */
static char *
make_call_id (Transform           *transform,
              TauAssistantMessage *source,
              const char          *old_id)
{
  TauCallIdFunc fit = tau_messages_is_same_model (source, transform->model) ? NULL : transform->call_id;
  char *id = fit != NULL ? fit (old_id, transform->model, source) : g_strdup (old_id);

  while (id[0] == '\0' || !g_hash_table_add (transform->ids, g_strdup (id)))
    {
      guint attempt = GPOINTER_TO_UINT (g_hash_table_lookup (transform->tries, old_id)) + 1;
      g_autofree char *numbered = g_strdup_printf ("%s:%u", old_id, attempt);
      g_autofree char *hash = tau_encoder_short_hash (numbered);

      g_hash_table_replace (transform->tries, g_strdup (old_id), GUINT_TO_POINTER (attempt));
      g_free (id);
      id = transform->call_id != NULL ? transform->call_id (hash, transform->model, source) : g_strdup (hash);
    }

  return id;
}

static TauBlock *
adopt_call (Transform           *transform,
            TauAssistantMessage *source,
            TauBlock            *block)
{
  const char *old_id = tau_block_get_call_id (block);
  gboolean same = tau_messages_is_same_model (source, transform->model);
  g_autofree char *id = make_call_id (transform, source, old_id);
  TauBlock *adopted = same && g_str_equal (id, old_id)
                        ? tau_block_ref (block)
                        : tau_block_new_tool_call (id, tau_block_get_call_name (block), tau_block_get_arguments (block),
                                                   same ? tau_block_get_signature (block) : NULL);
  Call call = { g_strdup (old_id), tau_block_ref (adopted), NULL };

  g_array_append_val (transform->calls, call);

  return adopted;
}

/* A block of another model's answer, as this one may read it; NULL drops it. */
static TauBlock *
adopt_block (TauBlock *block)
{
  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_THINKING:
      if (tau_block_is_redacted (block) || tau_text_is_blank (tau_block_get_text (block)))
        return NULL;
      return tau_block_new_text (tau_block_get_text (block), NULL);

    case TAU_BLOCK_TEXT:
      return tau_block_new_text (tau_block_get_text (block), NULL);

    case TAU_BLOCK_TOOL_CALL:
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
      TauBlock *adopted;

      if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL)
        adopted = adopt_call (transform, message, block);
      else if (same)
        adopted = may_keep (block) ? tau_block_ref (block) : NULL;
      else
        adopted = adopt_block (block);

      if (adopted != NULL)
        g_ptr_array_add (blocks, adopted);
    }

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

static TauMessage *
make_missing_result (TauBlock *call)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text (NO_RESULT_TEXT, NULL));

  return TAU_MESSAGE (tau_tool_result_message_new (tau_block_get_call_id (call), tau_block_get_call_name (call), blocks, NULL, TRUE,
                                                   tau_clock_now_ms ()));
}

/* Providers reject a call without a result: those that were never answered get one that says so. */
static void
flush_calls (Transform *transform)
{
  for (guint i = 0; i < transform->calls->len; i++)
    {
      Call *call = &g_array_index (transform->calls, Call, i);

      g_ptr_array_add (transform->out, call->result != NULL ? g_object_ref (call->result) : make_missing_result (call->block));
    }
  g_array_set_size (transform->calls, 0);
}

static void
take_answer (Transform           *transform,
             TauAssistantMessage *message)
{
  flush_calls (transform);
  /* Half an answer cannot be replayed: its reasoning is unsigned and its calls have half their arguments. */
  if (!tau_assistant_message_failed (message))
    g_ptr_array_add (transform->out, adopt_answer (transform, message));
}

/* The call that a result belongs to. Where several have the same id, the tool's name tells them apart. */
static Call *
find_call (Transform            *transform,
           TauToolResultMessage *result)
{
  const char *name = tau_tool_result_message_get_tool_name (result);
  Call *other = NULL;
  gboolean known = FALSE;

  for (guint i = 0; i < transform->calls->len; i++)
    {
      Call *call = &g_array_index (transform->calls, Call, i);
      gboolean same_name = g_strcmp0 (tau_block_get_call_name (call->block), name) == 0;

      if (g_strcmp0 (call->old_id, tau_tool_result_message_get_call_id (result)) != 0)
        continue;
      if (call->result == NULL && same_name)
        return call;
      if (call->result == NULL && other == NULL)
        other = call;
      known |= same_name;
    }

  return known ? NULL : other;
}

/* Providers reject a result without a call as well: a second one, or one whose answer is not sent, is left out. */
static void
take_result (Transform            *transform,
             TauToolResultMessage *message)
{
  const char *old_id = tau_tool_result_message_get_call_id (message);
  Call *call = find_call (transform, message);
  const char *id = call != NULL ? tau_block_get_call_id (call->block) : NULL;
  gboolean blind = !tau_model_accepts_images (transform->model) && tau_message_has_images (TAU_MESSAGE (message));

  if (call == NULL)
    return;

  if (blind || !g_str_equal (id, old_id))
    {
      g_autoptr(GPtrArray) blocks = blind ? replace_images (TAU_MESSAGE (message), TOOL_IMAGE_TEXT)
                                          : tau_message_dup_blocks (TAU_MESSAGE (message));

      call->result = copy_result (message, blocks, id);
    }
  else
    call->result = g_object_ref (TAU_MESSAGE (message));
}

static void
take_user (Transform  *transform,
           TauMessage *message)
{
  flush_calls (transform);
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
    .ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .tries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .calls = g_array_new (FALSE, FALSE, sizeof (Call)),
    .out = g_ptr_array_new_with_free_func (g_object_unref),
  };

  g_array_set_clear_func (transform.calls, clear_call);
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
  flush_calls (&transform);

  g_hash_table_unref (transform.ids);
  g_hash_table_unref (transform.tries);
  g_array_unref (transform.calls);

  return transform.out;
}
