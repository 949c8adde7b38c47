/* SPDX-License-Identifier: MIT */
#include "core/llm/anthropic/tau-anthropic-messages.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/anthropic/tau-anthropic-encoder.h"
#include "core/llm/tau-encoder.h"
#include "core/llm/tau-message-transform.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

/* The conversation as the Messages API's "messages": turns of the user and of the assistant, made of blocks. Pure. */

#define MAX_ID_LENGTH 64

typedef struct
{
  TauRequest *request;
  JsonNode   *cache_control;   /* nullable */
} Encoder;

/**
 * tau_anthropic_text_block:
 * @text: a text
 *
 * Returns: (transfer full): a block of text
 */
JsonObject *
tau_anthropic_text_block (const char *text)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "type", "text");
  tau_encoder_set_text (object, "text", text);

  return object;
}

static JsonObject *
image_block (TauBlock *image)
{
  JsonObject *object = json_object_new ();
  JsonObject *source = json_object_new ();

  json_object_set_string_member (source, "type", "base64");
  json_object_set_string_member (source, "media_type", tau_block_get_mime_type (image));
  json_object_set_string_member (source, "data", tau_block_get_data (image));
  json_object_set_string_member (object, "type", "image");
  json_object_set_object_member (object, "source", source);

  return object;
}

static JsonObject *
thinking_block (TauBlock *block)
{
  const char *signature = tau_block_get_signature (block);
  JsonObject *object;

  if (tau_block_is_redacted (block))
    {
      object = json_object_new ();
      json_object_set_string_member (object, "type", "redacted_thinking");
      json_object_set_string_member (object, "data", signature != NULL ? signature : "");
      return object;
    }
  if (tau_text_is_blank (tau_block_get_text (block)))
    return NULL;
  /* Reasoning without its signature is refused; as text it is at least not lost. */
  if (signature == NULL || tau_text_is_blank (signature))
    return tau_anthropic_text_block (tau_block_get_text (block));

  object = json_object_new ();
  json_object_set_string_member (object, "type", "thinking");
  tau_encoder_set_text (object, "thinking", tau_block_get_text (block));
  json_object_set_string_member (object, "signature", signature);

  return object;
}

static JsonObject *
call_block (Encoder  *encoder,
            TauBlock *call)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "type", "tool_use");
  json_object_set_string_member (object, "id", tau_block_get_call_id (call));
  json_object_set_string_member (object, "name", tau_anthropic_tool_name (encoder->request, tau_block_get_call_name (call)));
  tau_json_object_set (object, "input", tau_encoder_arguments (call));

  return object;
}

/* NULL for a block that has nothing to say. */
static JsonObject *
encode_block (Encoder  *encoder,
              TauBlock *block)
{
  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_TEXT:
      return tau_text_is_blank (tau_block_get_text (block)) ? NULL : tau_anthropic_text_block (tau_block_get_text (block));
    case TAU_BLOCK_THINKING:
      return thinking_block (block);
    case TAU_BLOCK_IMAGE:
      return image_block (block);
    case TAU_BLOCK_TOOL_CALL:
    default:
      return call_block (encoder, block);
    }
}

static JsonArray *
encode_blocks (Encoder    *encoder,
               TauMessage *message)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      JsonObject *object = encode_block (encoder, tau_message_get_block (message, i));

      if (object != NULL)
        json_array_add_object_element (array, object);
    }

  return array;
}

static void
add_message (JsonArray  *messages,
             const char *role,
             JsonNode   *content)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "role", role);
  tau_json_object_set (object, "content", content);
  json_array_add_object_element (messages, object);
}

static void
add_user (Encoder        *encoder,
          JsonArray      *messages,
          TauUserMessage *message)
{
  if (tau_user_message_is_string (message))
    {
      g_autofree char *text = tau_encoder_join_texts (TAU_MESSAGE (message), "");

      if (!tau_text_is_blank (text))
        add_message (messages, "user", tau_json_node_new_string (text));
    }
  else
    {
      JsonArray *content = encode_blocks (encoder, TAU_MESSAGE (message));

      if (json_array_get_length (content) > 0)
        add_message (messages, "user", tau_json_node_new_array (content));
      else
        json_array_unref (content);
    }
}

static gboolean
is_thinking (JsonNode   *node,
             const char *path)
{
  const char *type = tau_json_get_string (node, path, "");

  return g_str_equal (type, "thinking") || g_str_equal (type, "redacted_thinking");
}

static void
add_answer (Encoder    *encoder,
            JsonArray  *messages,
            TauMessage *message)
{
  JsonArray *content = encode_blocks (encoder, message);
  guint n = json_array_get_length (content);

  /* Reasoning that led to nothing, since the answer had no more room, may not stand last. */
  while (n > 0 && is_thinking (json_array_get_element (content, n - 1), "type"))
    json_array_remove_element (content, --n);

  if (n > 0)
    add_message (messages, "assistant", tau_json_node_new_array (content));
  else
    json_array_unref (content);
}

static JsonNode *
result_content (Encoder    *encoder,
                TauMessage *message)
{
  JsonArray *content;
  JsonArray *blocks;
  gboolean has_text = FALSE;

  if (!tau_message_has_images (message))
    {
      g_autofree char *text = tau_encoder_join_texts (message, "\n");
      gboolean is_error = tau_tool_result_message_get_is_error (TAU_TOOL_RESULT_MESSAGE (message));

      /* An error may not be empty. */
      return tau_json_node_new_string (is_error && tau_text_is_blank (text) ? TAU_ENCODER_NO_OUTPUT_TEXT : text);
    }

  blocks = encode_blocks (encoder, message);
  for (guint i = 0; i < json_array_get_length (blocks); i++)
    if (json_object_has_member (json_array_get_object_element (blocks, i), "text"))
      has_text = TRUE;
  if (has_text)
    return tau_json_node_new_array (blocks);

  content = json_array_new ();
  json_array_add_object_element (content, tau_anthropic_text_block (TAU_ENCODER_ATTACHED_IMAGE_TEXT));
  for (guint i = 0; i < json_array_get_length (blocks); i++)
    json_array_add_element (content, tau_json_copy (json_array_get_element (blocks, i)));
  json_array_unref (blocks);

  return tau_json_node_new_array (content);
}

/* All results in a row form one user message; returns the position behind them. */
static guint
add_results (Encoder   *encoder,
             JsonArray *messages,
             GPtrArray *transformed,
             guint      position)
{
  JsonArray *content = json_array_new ();

  for (; position < transformed->len && TAU_IS_TOOL_RESULT_MESSAGE (transformed->pdata[position]); position++)
    {
      TauToolResultMessage *result = transformed->pdata[position];
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "type", "tool_result");
      json_object_set_string_member (object, "tool_use_id", tau_tool_result_message_get_call_id (result));
      tau_json_object_set (object, "content", result_content (encoder, TAU_MESSAGE (result)));
      json_object_set_boolean_member (object, "is_error", tau_tool_result_message_get_is_error (result));
      json_array_add_object_element (content, object);
    }
  add_message (messages, "user", tau_json_node_new_array (content));

  return position;
}

/* The last message is where the next request will go on, so the cache ends there. */
static void
mark_last_message (Encoder   *encoder,
                   JsonArray *messages)
{
  guint n = json_array_get_length (messages);
  JsonObject *last = n > 0 ? json_array_get_object_element (messages, n - 1) : NULL;
  JsonNode *content;
  JsonArray *blocks;

  if (last == NULL || encoder->cache_control == NULL ||
      !g_str_equal (json_object_get_string_member (last, "role"), "user"))
    return;

  content = json_object_get_member (last, "content");
  if (JSON_NODE_HOLDS_VALUE (content))
    {
      blocks = json_array_new ();
      json_array_add_object_element (blocks, tau_anthropic_text_block (json_node_get_string (content)));
      json_object_set_array_member (last, "content", blocks);
    }
  else
    blocks = json_node_get_array (content);
  tau_json_object_set (json_array_get_object_element (blocks, json_array_get_length (blocks) - 1), "cache_control",
                       tau_json_copy (encoder->cache_control));
}

static char *
fit_call_id (const char          *id,
             TauModel            *model,
             TauAssistantMessage *source)
{
  return tau_encoder_sanitize_id (id, MAX_ID_LENGTH);
}

/**
 * tau_anthropic_encode_messages:
 * @request: a request
 * @cache_control: (nullable): the mark that ends the part to be cached
 *
 * Returns: (transfer full): the "messages" of its body
 */
JsonArray *
tau_anthropic_encode_messages (TauRequest *request,
                               JsonNode   *cache_control)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  Encoder encoder = { request, cache_control };
  JsonArray *messages = json_array_new ();
  g_autoptr(GPtrArray) transformed = tau_messages_transform (fields->messages, fields->model, fit_call_id);

  for (guint i = 0; i < transformed->len;)
    {
      TauMessage *message = g_ptr_array_index (transformed, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        {
          i = add_results (&encoder, messages, transformed, i);
          continue;
        }
      if (TAU_IS_USER_MESSAGE (message))
        add_user (&encoder, messages, TAU_USER_MESSAGE (message));
      else
        add_answer (&encoder, messages, message);
      i++;
    }
  mark_last_message (&encoder, messages);

  return messages;
}

static gboolean
holds_results (JsonNode *message)
{
  return g_str_equal (tau_json_get_string (message, "content.0.type", ""), "tool_result");
}

/**
 * tau_anthropic_may_think:
 * @messages: the "messages" of a body
 *
 * With a budget, an answer that waits for its tools has to have begun with signed reasoning. One that another model began, or
 * that was begun without thinking, is finished without.
 *
 * Returns: whether thinking may be asked for
 */
gboolean
tau_anthropic_may_think (JsonArray *messages)
{
  guint n = json_array_get_length (messages);
  guint first = n;

  while (first >= 2 && holds_results (json_array_get_element (messages, first - 1)))
    first -= 2;

  return first == n || is_thinking (json_array_get_element (messages, first), "content.0.type");
}
