/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-completions-messages.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-encoder.h"
#include "core/llm/tau-message-transform.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

/* The conversation as chat completions' "messages". Pure. */

#define MAX_ID_LENGTH          40
#define RESULT_IMAGES_TEXT     "Attached image(s) from tool result:"

typedef struct
{
  TauModel              *model;
  const TauOpenaiCompat *compat;
  JsonArray             *messages;
} Encoder;

static JsonObject *
add_message (Encoder    *encoder,
             const char *role)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "role", role);
  json_array_add_object_element (encoder->messages, object);

  return object;
}

static void
add_text_message (Encoder    *encoder,
                  const char *role,
                  const char *text)
{
  tau_encoder_set_text (add_message (encoder, role), "content", text);
}

static void
add_text_part (JsonArray  *parts,
               const char *text)
{
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "type", "text");
  tau_encoder_set_text (part, "text", text);
  json_array_add_object_element (parts, part);
}

static void
add_image_part (JsonArray *parts,
                TauBlock  *image)
{
  g_autofree char *url = tau_encoder_data_url (image);
  JsonObject *part = json_object_new ();
  JsonObject *image_url = json_object_new ();

  json_object_set_string_member (image_url, "url", url);
  json_object_set_string_member (part, "type", "image_url");
  json_object_set_object_member (part, "image_url", image_url);
  json_array_add_object_element (parts, part);
}

static void
add_user (Encoder        *encoder,
          TauUserMessage *message)
{
  JsonArray *parts;

  if (tau_user_message_is_string (message))
    {
      g_autofree char *text = tau_message_dup_text (TAU_MESSAGE (message), "");

      add_text_message (encoder, "user", text);
      return;
    }

  parts = json_array_new ();
  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);

      if (tau_block_get_kind (block) == TAU_BLOCK_IMAGE)
        add_image_part (parts, block);
      else if (!tau_text_is_blank (tau_block_get_text (block)))
        add_text_part (parts, tau_block_get_text (block));
    }
  if (json_array_get_length (parts) > 0)
    json_object_set_array_member (add_message (encoder, "user"), "content", parts);
  else
    json_array_unref (parts);
}

/* All non-blank blocks of a kind, as one text. */
static char *
join_blocks (TauMessage  *message,
             TauBlockKind kind,
             const char  *separator)
{
  g_autoptr(GString) out = g_string_new (NULL);
  gboolean first = TRUE;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) != kind || tau_text_is_blank (tau_block_get_text (block)))
        continue;
      if (!first)
        g_string_append (out, separator);
      g_string_append (out, tau_block_get_text (block));
      first = FALSE;
    }

  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* A server that streamed its reasoning under some name wants it back under that name. */
static const char *
thinking_field (TauMessage *message)
{
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_THINKING && !tau_text_is_blank (tau_block_get_text (block)))
        return tau_block_get_signature (block);
    }

  return NULL;
}

static JsonArray *
thinking_and_text_parts (TauMessage *message)
{
  g_autofree char *thinking = join_blocks (message, TAU_BLOCK_THINKING, "\n\n");
  JsonArray *parts = json_array_new ();

  add_text_part (parts, thinking);
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TEXT && !tau_text_is_blank (tau_block_get_text (block)))
        add_text_part (parts, tau_block_get_text (block));
    }

  return parts;
}

static JsonArray *
encode_calls (TauMessage *message)
{
  JsonArray *calls = json_array_new ();

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);
      g_autoptr(JsonNode) arguments = NULL;
      g_autofree char *json = NULL;
      JsonObject *call, *function;

      if (tau_block_get_kind (block) != TAU_BLOCK_TOOL_CALL)
        continue;

      arguments = tau_encoder_arguments (block);
      json = tau_json_to_string (arguments);
      function = json_object_new ();
      json_object_set_string_member (function, "name", tau_block_get_call_name (block));
      json_object_set_string_member (function, "arguments", json);
      call = json_object_new ();
      json_object_set_string_member (call, "id", tau_block_get_call_id (block));
      json_object_set_string_member (call, "type", "function");
      json_object_set_object_member (call, "function", function);
      json_array_add_object_element (calls, call);
    }

  return calls;
}

/* The encrypted reasoning that OpenRouter attached to calls. */
static JsonArray *
encode_reasoning_details (TauMessage *message)
{
  JsonArray *details = json_array_new ();

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);
      const char *signature = tau_block_get_signature (block);
      JsonNode *node = tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL && signature != NULL
                         ? tau_json_parse (signature, -1, NULL) : NULL;

      if (node != NULL)
        json_array_add_element (details, node);
    }

  return details;
}

static void
set_or_drop_array (JsonObject *object,
                   const char *key,
                   JsonArray  *array)
{
  if (json_array_get_length (array) > 0)
    json_object_set_array_member (object, key, array);
  else
    json_array_unref (array);
}

static void
set_thinking (Encoder    *encoder,
              JsonObject *object,
              TauMessage *message,
              const char *thinking)
{
  const char *field = thinking_field (message);

  if (thinking[0] == '\0' || encoder->compat->requires_thinking_as_text || field == NULL || field[0] == '\0')
    return;

  tau_encoder_set_text (object, field, thinking);
}

static void
add_answer (Encoder    *encoder,
            TauMessage *message)
{
  g_autofree char *text = join_blocks (message, TAU_BLOCK_TEXT, "");
  g_autofree char *thinking = join_blocks (message, TAU_BLOCK_THINKING, "\n");
  gboolean as_text = encoder->compat->requires_thinking_as_text && thinking[0] != '\0';
  JsonArray *calls = encode_calls (message);
  JsonObject *object;

  /* Thinking alone does not save a message. */
  if (json_array_get_length (calls) == 0 && text[0] == '\0' && !as_text)
    {
      json_array_unref (calls);
      return;
    }

  object = add_message (encoder, "assistant");
  if (as_text)
    json_object_set_array_member (object, "content", thinking_and_text_parts (message));
  else if (text[0] != '\0' || encoder->compat->requires_assistant_after_tool_result)
    tau_encoder_set_text (object, "content", text);
  else
    json_object_set_null_member (object, "content");

  set_thinking (encoder, object, message, thinking);
  set_or_drop_array (object, "tool_calls", calls);
  set_or_drop_array (object, "reasoning_details", encode_reasoning_details (message));
  if (encoder->compat->requires_reasoning_content && tau_model_get_reasoning (encoder->model) &&
      !json_object_has_member (object, "reasoning_content"))
    json_object_set_string_member (object, "reasoning_content", "");
}

static void
add_result (Encoder              *encoder,
            TauToolResultMessage *result)
{
  g_autofree char *text = tau_message_dup_text (TAU_MESSAGE (result), "\n");
  JsonObject *object = add_message (encoder, "tool");

  tau_encoder_set_text (object, "content", text[0] != '\0' ? text : TAU_ENCODER_ATTACHED_IMAGE_TEXT);
  json_object_set_string_member (object, "tool_call_id", tau_tool_result_message_get_call_id (result));
  if (encoder->compat->requires_tool_result_name)
    json_object_set_string_member (object, "name", tau_tool_result_message_get_tool_name (result));
}

static void
add_result_images (JsonArray  *parts,
                   TauMessage *result)
{
  for (guint i = 0; i < tau_message_get_n_blocks (result); i++)
    if (tau_block_get_kind (tau_message_get_block (result, i)) == TAU_BLOCK_IMAGE)
      add_image_part (parts, tau_message_get_block (result, i));
}

/* Results in a row, then a user message with the pictures that "tool" messages cannot hold. Returns the position behind them. */
static guint
add_results (Encoder   *encoder,
             GPtrArray *messages,
             guint      position)
{
  JsonArray *images = json_array_new ();
  JsonArray *parts;

  for (; position < messages->len && TAU_IS_TOOL_RESULT_MESSAGE (messages->pdata[position]); position++)
    {
      add_result (encoder, messages->pdata[position]);
      if (tau_model_accepts_images (encoder->model))
        add_result_images (images, messages->pdata[position]);
    }

  if (json_array_get_length (images) > 0)
    {
      if (encoder->compat->requires_assistant_after_tool_result)
        add_text_message (encoder, "assistant", TAU_ENCODER_AFTER_RESULTS_TEXT);
      parts = json_array_new ();
      add_text_part (parts, RESULT_IMAGES_TEXT);
      for (guint i = 0; i < json_array_get_length (images); i++)
        json_array_add_element (parts, json_array_dup_element (images, i));
      json_object_set_array_member (add_message (encoder, "user"), "content", parts);
    }
  else if (encoder->compat->requires_assistant_after_tool_result && position < messages->len &&
           TAU_IS_USER_MESSAGE (messages->pdata[position]))
    add_text_message (encoder, "assistant", TAU_ENCODER_AFTER_RESULTS_TEXT);
  json_array_unref (images);

  return position;
}

static char *
fit_call_id (const char          *id,
             TauModel            *model,
             TauAssistantMessage *source)
{
  const char *pipe = strchr (id, '|');

  if (pipe != NULL)
    {
      g_autofree char *call = g_strndup (id, (gsize) (pipe - id));

      return tau_encoder_sanitize_id (call, MAX_ID_LENGTH);
    }
  if (g_str_equal (tau_model_get_provider (model), "openai"))
    return g_strndup (id, tau_text_utf8_floor (id, MIN (strlen (id), MAX_ID_LENGTH)));

  return g_strdup (id);
}

/**
 * tau_completions_encode_messages:
 * @request: a request
 * @compat: dialect of its server
 *
 * Returns: (transfer full): the "messages" of its body
 */
JsonArray *
tau_completions_encode_messages (TauRequest            *request,
                                 const TauOpenaiCompat *compat)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autoptr(GPtrArray) messages = tau_messages_transform (fields->messages, fields->model, fit_call_id);
  Encoder encoder = { fields->model, compat, json_array_new () };

  if (fields->system_prompt != NULL && fields->system_prompt[0] != '\0')
    add_text_message (&encoder,
                      tau_model_get_reasoning (fields->model) && compat->supports_developer_role ? "developer" : "system",
                      fields->system_prompt);

  for (guint i = 0; i < messages->len;)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        {
          i = add_results (&encoder, messages, i);
          continue;
        }
      if (TAU_IS_USER_MESSAGE (message))
        add_user (&encoder, TAU_USER_MESSAGE (message));
      else
        add_answer (&encoder, message);
      i++;
    }

  return encoder.messages;
}
