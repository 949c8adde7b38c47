/* SPDX-License-Identifier: MIT */
#include "core/llm/mistral/tau-mistral-encoder.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/tau-encoder.h"
#include "core/llm/tau-message-transform.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <string.h>

/* TauRequest → POST /v1/chat/completions as Mistral wants it: contents are arrays of parts, ids of calls have nine letters or
 * digits. Pure. The answer is read by the decoder of chat completions, whose dialect this is. */

#define CALL_ID_LENGTH 9

/* Models that take an effort; other reasoning models have a mode. */
static const char * const effort_ids[] = { "mistral-small-2603", "mistral-small-latest", "mistral-medium-3.5" };

static JsonObject *
add_message (JsonArray  *messages,
             const char *role)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "role", role);
  json_array_add_object_element (messages, object);

  return object;
}

static JsonObject *
add_part (JsonArray  *parts,
          const char *type)
{
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "type", type);
  json_array_add_object_element (parts, part);

  return part;
}

static void
add_image (JsonArray *parts,
           TauBlock  *image)
{
  g_autofree char *url = tau_encoder_data_url (image);

  json_object_set_string_member (add_part (parts, "image_url"), "image_url", url);
}

static void
add_user (JsonArray  *messages,
          TauMessage *message)
{
  JsonArray *parts;

  if (tau_user_message_is_string (TAU_USER_MESSAGE (message)))
    {
      g_autofree char *text = tau_message_dup_text (message, "");

      tau_encoder_set_text (add_message (messages, "user"), "content", text);
      return;
    }
  parts = json_array_new ();
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_IMAGE)
        add_image (parts, block);
      else if (!tau_text_is_blank (tau_block_get_text (block)))
        tau_encoder_set_text (add_part (parts, "text"), "text", tau_block_get_text (block));
    }
  if (json_array_get_length (parts) > 0)
    json_object_set_array_member (add_message (messages, "user"), "content", parts);
  else
    json_array_unref (parts);
}

static void
add_thinking (JsonArray *parts,
              TauBlock  *block)
{
  JsonArray *texts = json_array_new ();

  tau_encoder_set_text (add_part (texts, "text"), "text", tau_block_get_text (block));
  json_object_set_array_member (add_part (parts, "thinking"), "thinking", texts);
}

static void
add_call (JsonArray *calls,
          TauBlock  *block)
{
  g_autoptr(JsonNode) arguments = tau_encoder_arguments (block);
  g_autofree char *json = tau_json_to_string (arguments);
  JsonObject *function = json_object_new ();
  JsonObject *call = json_object_new ();

  json_object_set_string_member (function, "name", tau_block_get_call_name (block));
  json_object_set_string_member (function, "arguments", json);
  json_object_set_string_member (call, "id", tau_block_get_call_id (block));
  json_object_set_string_member (call, "type", "function");
  json_object_set_object_member (call, "function", function);
  json_object_set_int_member (call, "index", 0);
  json_array_add_object_element (calls, call);
}

static void
add_answer (JsonArray  *messages,
            TauMessage *message)
{
  g_autoptr(JsonArray) parts = json_array_new ();
  g_autoptr(JsonArray) calls = json_array_new ();
  JsonObject *object;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);
      TauBlockKind kind = tau_block_get_kind (block);

      if (kind == TAU_BLOCK_TOOL_CALL)
        add_call (calls, block);
      else if (kind == TAU_BLOCK_IMAGE || tau_text_is_blank (tau_block_get_text (block)))
        continue;
      else if (kind == TAU_BLOCK_THINKING)
        add_thinking (parts, block);
      else
        tau_encoder_set_text (add_part (parts, "text"), "text", tau_block_get_text (block));
    }
  if (json_array_get_length (parts) == 0 && json_array_get_length (calls) == 0)
    return;

  object = add_message (messages, "assistant");
  if (json_array_get_length (parts) > 0)
    json_object_set_array_member (object, "content", json_array_ref (parts));
  if (json_array_get_length (calls) > 0)
    json_object_set_array_member (object, "tool_calls", json_array_ref (calls));
  json_object_set_boolean_member (object, "prefix", FALSE);
}

static void
add_text_answer (JsonArray  *messages,
                 const char *text)
{
  JsonObject *object = add_message (messages, "assistant");

  json_object_set_string_member (object, "content", text);
  json_object_set_boolean_member (object, "prefix", FALSE);
}

static void
add_result (JsonArray            *messages,
            TauToolResultMessage *result)
{
  TauMessage *message = TAU_MESSAGE (result);
  g_autofree char *joined = tau_message_dup_text (message, "\n");
  g_autofree char *trimmed = tau_text_trim (joined);
  const char *body = trimmed[0] != '\0' ? trimmed
                     : tau_message_has_images (message) ? TAU_ENCODER_ATTACHED_IMAGE_TEXT : TAU_ENCODER_NO_OUTPUT_TEXT;
  g_autofree char *text = g_strconcat (tau_tool_result_message_get_is_error (result) ? "[tool error] " : "", body, NULL);
  JsonArray *parts = json_array_new ();
  JsonObject *object = add_message (messages, "tool");

  tau_encoder_set_text (add_part (parts, "text"), "text", text);
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_IMAGE)
      add_image (parts, tau_message_get_block (message, i));
  json_object_set_array_member (object, "content", parts);
  json_object_set_string_member (object, "tool_call_id", tau_tool_result_message_get_call_id (result));
  json_object_set_string_member (object, "name", tau_tool_result_message_get_tool_name (result));
}

static char *
fit_call_id (const char          *id,
             TauModel            *model,
             TauAssistantMessage *source)
{
  g_autoptr(GString) stripped = g_string_new (NULL);
  g_autofree char *hash = NULL;

  for (const char *c = id; *c != '\0'; c++)
    if (g_ascii_isalnum (*c))
      g_string_append_c (stripped, *c);
  if (stripped->len == CALL_ID_LENGTH)
    return g_strdup (stripped->str);

  hash = tau_encoder_short_hash (stripped->len > 0 ? stripped->str : id);

  return g_strndup (hash, CALL_ID_LENGTH);
}

static JsonArray *
encode_messages (const TauRequestFields *fields)
{
  g_autoptr(GPtrArray) transformed = tau_messages_transform (fields->messages, fields->model, fit_call_id);
  JsonArray *messages = json_array_new ();

  if (fields->system_prompt != NULL && fields->system_prompt[0] != '\0')
    tau_encoder_set_text (add_message (messages, "system"), "content", fields->system_prompt);
  for (guint i = 0; i < transformed->len; i++)
    {
      TauMessage *message = g_ptr_array_index (transformed, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        add_result (messages, TAU_TOOL_RESULT_MESSAGE (message));
      else if (TAU_IS_ASSISTANT_MESSAGE (message))
        add_answer (messages, message);
      else
        {
          /* The user may not speak right behind a tool, as after an answer that was stopped. */
          if (i > 0 && TAU_IS_TOOL_RESULT_MESSAGE (transformed->pdata[i - 1]))
            add_text_answer (messages, TAU_ENCODER_AFTER_RESULTS_TEXT);
          add_user (messages, message);
        }
    }

  return messages;
}

static JsonArray *
encode_tools (GPtrArray *tools)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      TauToolSpec *tool = g_ptr_array_index (tools, i);
      JsonObject *function = json_object_new ();
      JsonObject *object = json_object_new ();

      json_object_set_string_member (function, "name", tau_tool_spec_get_name (tool));
      json_object_set_string_member (function, "description", tau_tool_spec_get_description (tool));
      tau_json_object_set (function, "parameters", tau_json_copy (tau_tool_spec_get_parameters (tool)));
      json_object_set_boolean_member (function, "strict", FALSE);
      json_object_set_string_member (object, "type", "function");
      json_object_set_object_member (object, "function", function);
      json_array_add_object_element (array, object);
    }

  return array;
}

static void
set_reasoning (TauRequest *request,
               JsonObject *body)
{
  TauModel *model = tau_request_get_fields (request)->model;
  TauThinkingLevel level;
  gboolean takes_effort = FALSE;

  if (!tau_encoder_get_level (request, &level) || !tau_model_get_reasoning (model))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (effort_ids); i++)
    takes_effort |= g_str_equal (effort_ids[i], tau_model_get_id (model));
  if (takes_effort)
    json_object_set_string_member (body, "reasoning_effort",
                                   tau_model_has_level_entry (model, level) ? tau_model_map_level (model, level) : "high");
  else
    json_object_set_string_member (body, "prompt_mode", "reasoning");
}

static JsonNode *
encode_body (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  gint64 max_tokens = tau_encoder_max_tokens (request);
  JsonObject *body = json_object_new ();

  json_object_set_string_member (body, "model", tau_model_get_id (fields->model));
  json_object_set_boolean_member (body, "stream", TRUE);
  json_object_set_array_member (body, "messages", encode_messages (fields));
  if (fields->tools->len > 0)
    json_object_set_array_member (body, "tools", encode_tools (fields->tools));
  if (fields->temperature >= 0)
    tau_json_object_set (body, "temperature", tau_json_node_new_double (fields->temperature));
  if (max_tokens > 0)
    json_object_set_int_member (body, "max_tokens", max_tokens);
  if (fields->tool_choice != NULL)
    tau_json_object_set (body, "tool_choice", tau_json_copy (fields->tool_choice));
  set_reasoning (request, body);

  return tau_json_node_new_object (body);
}

/**
 * tau_mistral_encode:
 * @request: a request for a model of the API "mistral-conversations"
 * @error: return location: no key, or no address
 *
 * Format: Mistral's chat completions.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_mistral_encode (TauRequest *request,
                    GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autofree char *base = NULL;
  g_autofree char *url = NULL;
  g_autofree char *bearer = NULL;
  TauHttpCall *call;

  if (!tau_encoder_check_key (request, error) || (base = tau_encoder_base_url (fields->model, error)) == NULL)
    return NULL;

  url = tau_http_url_join (base, "/v1/chat/completions");
  bearer = g_strconcat ("Bearer ", fields->api_key, NULL);
  call = tau_http_call_new (url);
  tau_http_call_set_header (call, "accept", "text/event-stream");
  tau_http_call_set_header (call, "content-type", "application/json");
  tau_http_call_set_header (call, "authorization", bearer);
  tau_http_call_set_header (call, "x-affinity", fields->session_id);
  tau_http_call_apply_headers (call, fields->headers);
  tau_http_call_take_body (call, encode_body (request));

  return call;
}

/**
 * tau_mistral_protocol:
 *
 * Returns: (transfer none): the API "mistral-conversations"
 */
const TauProtocol *
tau_mistral_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "mistral-conversations",
    .style = TAU_API_STYLE_MISTRAL,
    .repeats = FALSE,
    .encode = tau_mistral_encode,
    .new_decoder = tau_mistral_decoder_new,
  };

  return &protocol;
}
