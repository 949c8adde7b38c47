/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-completions-encoder.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/llm/openai/tau-completions-messages.h"
#include "core/llm/openai/tau-openai-compat.h"
#include "core/llm/tau-encoder.h"
#include "core/message/tau-tool-result-message.h"

/* TauRequest → POST /chat/completions, in the dialect of the model's server. Pure. */

typedef struct
{
  TauRequest             *request;
  const TauRequestFields *fields;
  TauOpenaiCompat         compat;
  const char             *retention;
} Encoder;

static gboolean
has_base (Encoder    *encoder,
          const char *part)
{
  return strstr (tau_model_get_base_url (encoder->fields->model), part) != NULL;
}

static gboolean
keeps_long (Encoder *encoder)
{
  return g_str_equal (encoder->retention, "long") && encoder->compat.supports_long_retention;
}

static void
set_cache (Encoder    *encoder,
           JsonObject *body)
{
  gboolean openai = has_base (encoder, "api.openai.com") && !g_str_equal (encoder->retention, "none");

  if (encoder->fields->session_id != NULL && (openai || keeps_long (encoder)))
    json_object_set_string_member (body, "prompt_cache_key", encoder->fields->session_id);
  if (keeps_long (encoder))
    json_object_set_string_member (body, "prompt_cache_retention", "24h");
}

static JsonArray *
encode_tools (Encoder *encoder)
{
  JsonArray *array = json_array_new ();
  GPtrArray *tools = encoder->fields->tools;

  for (guint i = 0; i < tools->len; i++)
    {
      TauToolSpec *tool = g_ptr_array_index (tools, i);
      JsonObject *function = json_object_new ();
      JsonObject *object = json_object_new ();

      json_object_set_string_member (function, "name", tau_tool_spec_get_name (tool));
      json_object_set_string_member (function, "description", tau_tool_spec_get_description (tool));
      tau_json_object_set (function, "parameters", tau_json_copy (tau_tool_spec_get_parameters (tool)));
      if (encoder->compat.supports_strict_mode)
        json_object_set_boolean_member (function, "strict", FALSE);
      json_object_set_string_member (object, "type", "function");
      json_object_set_object_member (object, "function", function);
      json_array_add_object_element (array, object);
    }

  return array;
}

static gboolean
mentions_tools (GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message) ||
          (TAU_IS_ASSISTANT_MESSAGE (message) &&
           tau_assistant_message_has_tool_calls (TAU_ASSISTANT_MESSAGE (message))))
        return TRUE;
    }

  return FALSE;
}

static void
set_tools (Encoder    *encoder,
           JsonObject *body)
{
  gboolean has_tools = encoder->fields->tools->len > 0;

  /* Some servers refuse a history with calls when the request has no tools at all. */
  if (has_tools || mentions_tools (encoder->fields->messages))
    json_object_set_array_member (body, "tools", encode_tools (encoder));
  if (has_tools && encoder->compat.zai_tool_stream)
    json_object_set_boolean_member (body, "tool_stream", TRUE);
  if (encoder->fields->tool_choice != NULL)
    tau_json_object_set (body, "tool_choice", tau_json_copy (encoder->fields->tool_choice));
}

static JsonObject *
object_with_string (const char *key,
                    const char *value)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, key, value);

  return object;
}

static void
set_effort (Encoder         *encoder,
            JsonObject      *body,
            TauThinkingLevel level)
{
  json_object_set_string_member (body, "reasoning_effort", tau_model_map_level (encoder->fields->model, level));
}

static void
set_openrouter_reasoning (Encoder         *encoder,
                          JsonObject      *body,
                          gboolean         thinks,
                          TauThinkingLevel level)
{
  TauModel *model = encoder->fields->model;
  const char *effort = tau_model_map_level (model, thinks ? level : TAU_THINKING_OFF);

  if (!thinks && effort != NULL && !tau_model_has_level_entry (model, TAU_THINKING_OFF))
    effort = "none";
  if (effort != NULL)
    json_object_set_object_member (body, "reasoning", object_with_string ("effort", effort));
}

static void
set_openai_reasoning (Encoder         *encoder,
                      JsonObject      *body,
                      gboolean         thinks,
                      TauThinkingLevel level)
{
  if (!encoder->compat.supports_reasoning_effort)
    return;
  if (thinks)
    set_effort (encoder, body, level);
  else if (tau_model_has_level_entry (encoder->fields->model, TAU_THINKING_OFF))
    set_effort (encoder, body, TAU_THINKING_OFF);
}

static void
set_reasoning (Encoder    *encoder,
               JsonObject *body)
{
  TauThinkingLevel level;
  gboolean thinks = tau_encoder_get_level (encoder->request, &level);
  JsonObject *object;

  if (!tau_model_get_reasoning (encoder->fields->model))
    return;

  switch (encoder->compat.thinking_format)
    {
    case TAU_THINKING_FORMAT_ZAI:
    case TAU_THINKING_FORMAT_QWEN:
      json_object_set_boolean_member (body, "enable_thinking", thinks);
      break;

    case TAU_THINKING_FORMAT_QWEN_CHAT_TEMPLATE:
      object = json_object_new ();
      json_object_set_boolean_member (object, "enable_thinking", thinks);
      json_object_set_boolean_member (object, "preserve_thinking", TRUE);
      json_object_set_object_member (body, "chat_template_kwargs", object);
      break;

    case TAU_THINKING_FORMAT_DEEPSEEK:
      json_object_set_object_member (body, "thinking", object_with_string ("type", thinks ? "enabled" : "disabled"));
      if (thinks)
        set_effort (encoder, body, level);
      break;

    case TAU_THINKING_FORMAT_OPENROUTER:
      set_openrouter_reasoning (encoder, body, thinks, level);
      break;

    case TAU_THINKING_FORMAT_OPENAI:
    default:
      set_openai_reasoning (encoder, body, thinks, level);
      break;
    }
}

/* OpenRouter and Vercel choose among servers by the user's wish in "compat". */
static void
set_routing (Encoder    *encoder,
             JsonObject *body)
{
  JsonNode *compat = tau_model_get_compat (encoder->fields->model);
  JsonNode *openrouter = tau_json_get (compat, "openRouterRouting");
  static const char * const vercel_keys[] = { "only", "order" };
  JsonObject *gateway, *options;

  if (has_base (encoder, "openrouter.ai") && openrouter != NULL)
    tau_json_object_set (body, "provider", tau_json_copy (openrouter));

  if (!has_base (encoder, "ai-gateway.vercel.sh"))
    return;
  gateway = json_object_new ();
  for (guint i = 0; i < G_N_ELEMENTS (vercel_keys); i++)
    {
      g_autofree char *path = g_strconcat ("vercelGatewayRouting.", vercel_keys[i], NULL);
      JsonNode *value = tau_json_get (compat, path);

      if (value != NULL)
        tau_json_object_set (gateway, vercel_keys[i], tau_json_copy (value));
    }
  if (json_object_get_size (gateway) == 0)
    {
      json_object_unref (gateway);
      return;
    }
  options = json_object_new ();
  json_object_set_object_member (options, "gateway", gateway);
  json_object_set_object_member (body, "providerOptions", options);
}

static void
mark_cached (Encoder    *encoder,
             JsonObject *object)
{
  JsonObject *control = object_with_string ("type", "ephemeral");

  if (keeps_long (encoder))
    json_object_set_string_member (control, "ttl", "1h");
  json_object_set_object_member (object, "cache_control", control);
}

/* Marks the last text part of a message; FALSE if it has none. */
static gboolean
mark_message (Encoder    *encoder,
              JsonObject *message)
{
  JsonNode *content = json_object_get_member (message, "content");
  JsonArray *parts;

  if (content == NULL || JSON_NODE_HOLDS_NULL (content))
    return FALSE;
  if (JSON_NODE_HOLDS_VALUE (content))
    {
      JsonObject *part;

      if (json_node_get_string (content)[0] == '\0')
        return FALSE;
      part = object_with_string ("type", "text");
      json_object_set_string_member (part, "text", json_node_get_string (content));
      mark_cached (encoder, part);
      parts = json_array_new ();
      json_array_add_object_element (parts, part);
      json_object_set_array_member (message, "content", parts);
      return TRUE;
    }

  parts = json_node_get_array (content);
  for (guint i = json_array_get_length (parts); i-- > 0;)
    {
      JsonObject *part = json_array_get_object_element (parts, i);

      if (json_object_has_member (part, "text"))
        {
          mark_cached (encoder, part);
          return TRUE;
        }
    }

  return FALSE;
}

/* Claude behind OpenRouter caches only up to such marks: system prompt, last tool, last message that has text. */
static void
mark_cache (Encoder    *encoder,
            JsonObject *body)
{
  JsonArray *messages = json_object_get_array_member (body, "messages");
  JsonArray *tools = json_object_has_member (body, "tools") ? json_object_get_array_member (body, "tools") : NULL;
  guint n = json_array_get_length (messages);

  if (!encoder->compat.anthropic_cache_control || g_str_equal (encoder->retention, "none"))
    return;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *message = json_array_get_object_element (messages, i);
      const char *role = json_object_get_string_member (message, "role");

      if (g_str_equal (role, "system") || g_str_equal (role, "developer"))
        {
          mark_message (encoder, message);
          break;
        }
    }
  if (tools != NULL && json_array_get_length (tools) > 0)
    mark_cached (encoder, json_array_get_object_element (tools, json_array_get_length (tools) - 1));
  for (guint i = n; i-- > 0;)
    {
      JsonObject *message = json_array_get_object_element (messages, i);
      const char *role = json_object_get_string_member (message, "role");

      if ((g_str_equal (role, "user") || g_str_equal (role, "assistant")) && mark_message (encoder, message))
        break;
    }
}

static JsonNode *
encode_body (Encoder *encoder)
{
  const TauRequestFields *fields = encoder->fields;
  JsonObject *body = json_object_new ();
  JsonObject *options;
  gint64 max_tokens = tau_encoder_max_tokens (encoder->request);

  json_object_set_string_member (body, "model", tau_model_get_id (fields->model));
  json_object_set_array_member (body, "messages", tau_completions_encode_messages (encoder->request, &encoder->compat));
  json_object_set_boolean_member (body, "stream", TRUE);
  set_cache (encoder, body);
  if (encoder->compat.supports_usage_in_streaming)
    {
      options = json_object_new ();
      json_object_set_boolean_member (options, "include_usage", TRUE);
      json_object_set_object_member (body, "stream_options", options);
    }
  if (encoder->compat.supports_store)
    json_object_set_boolean_member (body, "store", FALSE);
  if (max_tokens > 0)
    json_object_set_int_member (body, encoder->compat.uses_max_completion_tokens ? "max_completion_tokens" : "max_tokens",
                                max_tokens);
  if (fields->temperature >= 0)
    tau_json_object_set (body, "temperature", tau_json_node_new_double (fields->temperature));
  set_tools (encoder, body);
  set_reasoning (encoder, body);
  set_routing (encoder, body);
  mark_cache (encoder, body);

  return tau_json_node_new_object (body);
}

static void
set_headers (Encoder     *encoder,
             TauHttpCall *call)
{
  const TauRequestFields *fields = encoder->fields;
  gboolean gateway = g_str_equal (tau_model_get_provider (fields->model), "cloudflare-ai-gateway");
  g_autofree char *bearer = g_strconcat ("Bearer ", fields->api_key, NULL);

  tau_http_call_set_header (call, "accept", "application/json");
  tau_http_call_set_header (call, "content-type", "application/json");
  tau_http_call_set_header (call, gateway ? "cf-aig-authorization" : "authorization", bearer);
  tau_http_call_set_header (call, "OpenAI-Organization", g_getenv ("OPENAI_ORG_ID"));
  tau_http_call_set_header (call, "OpenAI-Project", g_getenv ("OPENAI_PROJECT_ID"));
  tau_encoder_copilot_headers (encoder->request, call);
  if (encoder->compat.send_session_affinity && fields->session_id != NULL && !g_str_equal (encoder->retention, "none"))
    {
      tau_http_call_set_header (call, "session_id", fields->session_id);
      tau_http_call_set_header (call, "x-client-request-id", fields->session_id);
      tau_http_call_set_header (call, "x-session-affinity", fields->session_id);
    }
  tau_http_call_apply_headers (call, fields->headers);
}

/**
 * tau_completions_encode:
 * @request: a request for a model of the API "openai-completions"
 * @error: return location: no key, or no address
 *
 * Format: OpenAI's Chat Completions API and its dialects.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_completions_encode (TauRequest *request,
                        GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autofree char *base = NULL;
  g_autofree char *url = NULL;
  TauHttpCall *call;
  Encoder encoder = { .request = request, .fields = fields, .retention = tau_encoder_retention (request) };

  if (!tau_encoder_check_key (request, error) || (base = tau_encoder_base_url (fields->model, error)) == NULL)
    return NULL;

  tau_openai_compat_init (&encoder.compat, fields->model);
  url = tau_http_url_join (base, "/chat/completions");
  call = tau_http_call_new (url);
  set_headers (&encoder, call);
  tau_http_call_take_body (call, encode_body (&encoder));

  return call;
}
