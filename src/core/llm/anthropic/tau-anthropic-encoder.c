/* SPDX-License-Identifier: MIT */
#include "core/llm/anthropic/tau-anthropic-encoder.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-messages.h"
#include "core/llm/tau-encoder.h"

/* TauRequest → POST /v1/messages. Pure. Keys are set in the order in which pi sends them, which keeps prompt caches warm when
 * a conversation moves between the two programs. */

#define API_VERSION "2023-06-01"
#define SUBSCRIPTION_IDENTITY "You are Claude Code, Anthropic's official CLI for Claude."

/* Thinking budgets in tokens, where the caller has none of his own. */
static const gint64 default_budgets[TAU_THINKING_N_LEVELS] = {
  [TAU_THINKING_MINIMAL] = 1024,
  [TAU_THINKING_LOW] = 2048,
  [TAU_THINKING_MEDIUM] = 8192,
  [TAU_THINKING_HIGH] = 16384,
  [TAU_THINKING_XHIGH] = 16384,
};

/* Models that decide themselves how much to think. */
static const char * const adaptive_ids[] = { "opus-4-6", "opus-4.6", "opus-4-7", "opus-4.7", "sonnet-4-6", "sonnet-4.6" };

/* Tools whose names a subscription key accepts in this spelling only. */
static const char * const subscription_tools[] = {
  "Read", "Write", "Edit", "Bash", "Grep", "Glob", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "KillShell",
  "NotebookEdit", "Skill", "Task", "TaskOutput", "TodoWrite", "WebFetch", "WebSearch",
};

typedef struct
{
  TauRequest             *request;
  const TauRequestFields *fields;
  gboolean                subscription;
  gboolean                adaptive;
  gboolean                thinks;
  JsonNode               *cache_control;   /* nullable; copied wherever it goes */
} Encoder;

/**
 * tau_anthropic_is_subscription_key:
 * @key: (nullable): a key
 *
 * Returns: whether it is the token of a subscription and not a key of the API
 */
gboolean
tau_anthropic_is_subscription_key (const char *key)
{
  return key != NULL && strstr (key, "sk-ant-oat") != NULL;
}

/* The spelling that a subscription key needs; NULL if any will do. */
static const char *
subscription_tool (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (subscription_tools); i++)
    if (g_ascii_strcasecmp (subscription_tools[i], name) == 0)
      return subscription_tools[i];

  return NULL;
}

/**
 * tau_anthropic_tool_name:
 * @request: a request
 * @name: a tool's name
 *
 * Returns: (transfer none): the name under which the request's key may use the tool
 */
const char *
tau_anthropic_tool_name (TauRequest *request,
                         const char *name)
{
  gboolean subscription = tau_anthropic_is_subscription_key (tau_request_get_fields (request)->api_key);
  const char *spelling = subscription ? subscription_tool (name) : NULL;

  return spelling != NULL ? spelling : name;
}

static gboolean
is_adaptive (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (adaptive_ids); i++)
    if (strstr (id, adaptive_ids[i]) != NULL)
      return TRUE;

  return FALSE;
}

static JsonNode *
make_cache_control (TauRequest *request)
{
  const char *retention = tau_encoder_retention (request);
  TauModel *model = tau_request_get_fields (request)->model;
  JsonObject *object;

  if (g_str_equal (retention, "none"))
    return NULL;

  object = json_object_new ();
  json_object_set_string_member (object, "type", "ephemeral");
  if (g_str_equal (retention, "long") && tau_encoder_compat_bool (model, "supportsLongCacheRetention", TRUE))
    json_object_set_string_member (object, "ttl", "1h");

  return tau_json_node_new_object (object);
}

static void
set_cache_control (Encoder    *encoder,
                   JsonObject *object)
{
  if (encoder->cache_control != NULL)
    tau_json_object_set (object, "cache_control", tau_json_copy (encoder->cache_control));
}

static JsonArray *
encode_system (Encoder *encoder)
{
  const char *prompt = encoder->fields->system_prompt;
  JsonArray *array = json_array_new ();
  const char *texts[] = { encoder->subscription ? SUBSCRIPTION_IDENTITY : NULL, prompt };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL && texts[i][0] != '\0')
      {
        JsonObject *object = tau_anthropic_text_block (texts[i]);

        set_cache_control (encoder, object);
        json_array_add_object_element (array, object);
      }

  return array;
}

/* Only these two keys of a schema are taken by the API's tools. */
static JsonNode *
encode_schema (JsonNode *schema)
{
  JsonObject *object = json_object_new ();
  JsonNode *properties = tau_json_get (schema, "properties");
  JsonNode *required = tau_json_get (schema, "required");

  json_object_set_string_member (object, "type", "object");
  tau_json_object_set (object, "properties",
                       properties != NULL ? tau_json_copy (properties) : tau_json_node_new_object (json_object_new ()));
  tau_json_object_set (object, "required",
                       required != NULL ? tau_json_copy (required) : tau_json_node_new_array (json_array_new ()));

  return tau_json_node_new_object (object);
}

static JsonArray *
encode_tools (Encoder *encoder)
{
  GPtrArray *tools = encoder->fields->tools;
  gboolean eager = tau_encoder_compat_bool (encoder->fields->model, "supportsEagerToolInputStreaming", TRUE);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      TauToolSpec *tool = g_ptr_array_index (tools, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "name", tau_anthropic_tool_name (encoder->request, tau_tool_spec_get_name (tool)));
      json_object_set_string_member (object, "description", tau_tool_spec_get_description (tool));
      if (eager)
        json_object_set_boolean_member (object, "eager_input_streaming", TRUE);
      tau_json_object_set (object, "input_schema", encode_schema (tau_tool_spec_get_parameters (tool)));
      if (i == tools->len - 1)
        set_cache_control (encoder, object);
      json_array_add_object_element (array, object);
    }

  return array;
}

static gint64
thinking_budget (Encoder *encoder)
{
  TauThinkingLevel level = MIN (encoder->fields->thinking, TAU_THINKING_HIGH);

  return tau_json_get_int (encoder->fields->thinking_budgets, tau_thinking_level_to_string (level), default_budgets[level]);
}

static const char *
effort (Encoder *encoder)
{
  TauThinkingLevel level = encoder->fields->thinking;

  if (tau_model_has_level_entry (encoder->fields->model, level))
    return tau_model_map_level (encoder->fields->model, level);

  return level <= TAU_THINKING_LOW ? "low" : level == TAU_THINKING_MEDIUM ? "medium" : "high";
}

static void
set_thinking (Encoder    *encoder,
              JsonObject *body,
              gint64      budget)
{
  JsonObject *thinking;

  if (!tau_model_get_reasoning (encoder->fields->model))
    return;

  thinking = json_object_new ();
  if (!encoder->thinks)
    json_object_set_string_member (thinking, "type", "disabled");
  else if (encoder->adaptive)
    json_object_set_string_member (thinking, "type", "adaptive");
  else
    {
      json_object_set_string_member (thinking, "type", "enabled");
      json_object_set_int_member (thinking, "budget_tokens", budget > 0 ? budget : 1024);
    }
  if (encoder->thinks)
    json_object_set_string_member (thinking, "display", "summarized");
  json_object_set_object_member (body, "thinking", thinking);

  if (encoder->thinks && encoder->adaptive)
    {
      JsonObject *output = json_object_new ();

      json_object_set_string_member (output, "effort", effort (encoder));
      json_object_set_object_member (body, "output_config", output);
    }
}

/* A choice is "auto", "any", "none", or an object with a tool's name. */
static void
set_tool_choice (Encoder    *encoder,
                 JsonObject *body)
{
  JsonNode *choice = encoder->fields->tool_choice;
  const char *type = tau_json_get_string (choice, NULL, NULL);
  JsonObject *object;

  if (choice == NULL)
    return;
  if (type == NULL)
    {
      tau_json_object_set (body, "tool_choice", tau_json_copy (choice));
      return;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "type", type);
  json_object_set_object_member (body, "tool_choice", object);
}

static void
set_metadata (Encoder    *encoder,
              JsonObject *body)
{
  const char *user = tau_json_get_string (encoder->fields->metadata, "user_id", NULL);
  JsonObject *object;

  if (user == NULL)
    return;

  object = json_object_new ();
  json_object_set_string_member (object, "user_id", user);
  json_object_set_object_member (body, "metadata", object);
}

static void
set_array (JsonObject *body,
           const char *key,
           JsonArray  *array)
{
  if (json_array_get_length (array) > 0)
    json_object_set_array_member (body, key, array);
  else
    json_array_unref (array);
}

static JsonNode *
encode_body (Encoder *encoder)
{
  const TauRequestFields *fields = encoder->fields;
  JsonArray *messages = tau_anthropic_encode_messages (encoder->request, encoder->cache_control);
  JsonObject *body = json_object_new ();
  gint64 max_tokens = tau_encoder_max_tokens (encoder->request);
  gint64 budget = 0;

  encoder->thinks = tau_model_get_reasoning (fields->model) && fields->thinking != TAU_THINKING_OFF &&
                    (encoder->adaptive || tau_anthropic_may_think (messages));
  if (encoder->thinks && !encoder->adaptive)
    {
      budget = thinking_budget (encoder);
      max_tokens = MIN (max_tokens + budget, tau_model_get_max_tokens (fields->model));
      if (max_tokens <= budget)
        budget = MAX (0, max_tokens - 1024);
    }

  json_object_set_string_member (body, "model", tau_model_get_id (fields->model));
  json_object_set_array_member (body, "messages", messages);
  json_object_set_int_member (body, "max_tokens", max_tokens);
  json_object_set_boolean_member (body, "stream", TRUE);
  set_array (body, "system", encode_system (encoder));
  if (fields->temperature >= 0 && !encoder->thinks)
    tau_json_object_set (body, "temperature", tau_json_node_new_double (fields->temperature));
  set_array (body, "tools", encode_tools (encoder));
  set_thinking (encoder, body, budget);
  set_metadata (encoder, body);
  set_tool_choice (encoder, body);

  return tau_json_node_new_object (body);
}

static void
add_feature (GString    *features,
             const char *name)
{
  if (features->len > 0)
    g_string_append_c (features, ',');
  g_string_append (features, name);
}

/* NULL if none. */
static char *
beta_features (Encoder *encoder)
{
  g_autoptr(GString) features = g_string_new (NULL);

  if (encoder->subscription)
    {
      add_feature (features, "claude-code-20250219");
      add_feature (features, "oauth-2025-04-20");
    }
  if (encoder->fields->tools->len > 0 &&
      !tau_encoder_compat_bool (encoder->fields->model, "supportsEagerToolInputStreaming", TRUE))
    add_feature (features, "fine-grained-tool-streaming-2025-05-14");
  if (!encoder->adaptive)
    add_feature (features, "interleaved-thinking-2025-05-14");

  return features->len > 0 ? g_strdup (features->str) : NULL;
}

static void
set_key (Encoder     *encoder,
         TauHttpCall *call)
{
  const char *provider = tau_model_get_provider (encoder->fields->model);
  const char *key = encoder->fields->api_key;
  g_autofree char *bearer = g_strconcat ("Bearer ", key, NULL);

  if (encoder->subscription || g_str_equal (provider, "github-copilot"))
    tau_http_call_set_header (call, "authorization", bearer);
  else if (g_str_equal (provider, "cloudflare-ai-gateway"))
    tau_http_call_set_header (call, "cf-aig-authorization", bearer);
  else
    tau_http_call_set_header (call, "x-api-key", key);

  if (encoder->subscription)
    {
      tau_http_call_set_header (call, "user-agent", "claude-cli/2.1.75");
      tau_http_call_set_header (call, "x-app", "cli");
    }
}

static void
set_headers (Encoder     *encoder,
             TauHttpCall *call)
{
  g_autofree char *beta = beta_features (encoder);

  tau_http_call_set_header (call, "accept", "application/json");
  tau_http_call_set_header (call, "content-type", "application/json");
  tau_http_call_set_header (call, "anthropic-version", API_VERSION);
  tau_http_call_set_header (call, "anthropic-dangerous-direct-browser-access", "true");
  tau_http_call_set_header (call, "anthropic-beta", beta);
  set_key (encoder, call);
  tau_encoder_copilot_headers (encoder->request, call);
  tau_http_call_apply_headers (call, encoder->fields->headers);
}

/**
 * tau_anthropic_encode:
 * @request: a request for a model of the API "anthropic-messages"
 * @error: return location: no key, or no address
 *
 * Format: Anthropic's Messages API, version 2023-06-01.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_anthropic_encode (TauRequest *request,
                      GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autofree char *base = NULL;
  g_autofree char *url = NULL;
  g_autoptr(JsonNode) cache_control = NULL;
  TauHttpCall *call;
  Encoder encoder;

  if (!tau_encoder_check_key (request, error) || (base = tau_encoder_base_url (fields->model, error)) == NULL)
    return NULL;

  cache_control = make_cache_control (request);
  encoder = (Encoder) {
    .request = request,
    .fields = fields,
    .subscription = tau_anthropic_is_subscription_key (fields->api_key),
    .adaptive = is_adaptive (tau_model_get_id (fields->model)),
    .cache_control = cache_control,
  };
  url = tau_http_url_join (base, "/v1/messages");
  call = tau_http_call_new (url);
  set_headers (&encoder, call);
  tau_http_call_take_body (call, encode_body (&encoder));

  return call;
}
