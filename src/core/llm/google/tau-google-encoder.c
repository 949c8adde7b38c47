/* SPDX-License-Identifier: MIT */
#include "core/llm/google/tau-google-encoder.h"

#include "core/base/tau-json.h"
#include "core/llm/google/tau-google-contents.h"
#include "core/llm/tau-encoder.h"

#include <string.h>

/* TauRequest → POST /models/ID:streamGenerateContent. Pure. */

#define DEFAULT_BASE_URL "https://generativelanguage.googleapis.com/v1beta"

/* How a family of models is told to think: by a level's name, or by a budget of tokens where -1 leaves it to the model. */
typedef struct
{
  const char *pattern;                         /* regular expression on the id */
  const char *levels[TAU_THINKING_N_LEVELS];   /* NULL: by budget */
  gint64      budgets[TAU_THINKING_N_LEVELS];
} Family;

static const Family families[] = {
  { "gemini-3(?:\\.\\d+)?-pro", { "LOW", "LOW", "LOW", "HIGH", "HIGH", "HIGH" }, { 0 } },
  { "gemini-3(?:\\.\\d+)?-flash", { "MINIMAL", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH" }, { 0 } },
  { "gemma-?4", { "MINIMAL", "MINIMAL", "MINIMAL", "HIGH", "HIGH", "HIGH" }, { 0 } },
  { "2\\.5-pro", { NULL }, { 0, 128, 2048, 8192, 32768, 32768 } },
  { "2\\.5-flash-lite", { NULL }, { 0, 512, 2048, 8192, 24576, 24576 } },
  { "2\\.5-flash", { NULL }, { 0, 128, 2048, 8192, 24576, 24576 } },
  { "", { NULL }, { 0, -1, -1, -1, -1, -1 } },
};

static const Family *
find_family (TauModel *model)
{
  guint i = 0;

  while (!g_regex_match_simple (families[i].pattern, tau_model_get_id (model), G_REGEX_CASELESS, 0))
    i++;

  return &families[i];
}

static JsonNode *
encode_thinking (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  const Family *family = find_family (fields->model);
  TauThinkingLevel level;
  gboolean thinks = tau_encoder_get_level (request, &level);
  JsonObject *object = json_object_new ();

  if (!thinks)
    level = TAU_THINKING_OFF;
  else
    {
      level = level == TAU_THINKING_OFF ? TAU_THINKING_HIGH : level;
      json_object_set_boolean_member (object, "includeThoughts", TRUE);
    }

  if (family->levels[level] != NULL)
    json_object_set_string_member (object, "thinkingLevel", family->levels[level]);
  else
    json_object_set_int_member (object, "thinkingBudget",
                                tau_json_get_int (thinks ? fields->thinking_budgets : NULL,
                                                  tau_thinking_level_to_string (MIN (level, TAU_THINKING_HIGH)),
                                                  family->budgets[level]));

  return tau_json_node_new_object (object);
}

static JsonArray *
encode_tools (GPtrArray *tools)
{
  JsonArray *declarations = json_array_new ();
  JsonArray *array = json_array_new ();
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      TauToolSpec *tool = g_ptr_array_index (tools, i);
      JsonObject *declaration = json_object_new ();

      json_object_set_string_member (declaration, "name", tau_tool_spec_get_name (tool));
      json_object_set_string_member (declaration, "description", tau_tool_spec_get_description (tool));
      tau_json_object_set (declaration, "parametersJsonSchema", tau_json_copy (tau_tool_spec_get_parameters (tool)));
      json_array_add_object_element (declarations, declaration);
    }
  json_object_set_array_member (object, "functionDeclarations", declarations);
  json_array_add_object_element (array, object);

  return array;
}

/* Whether the model may call ("auto"), may not ("none") or must ("any"). */
static void
set_tool_choice (JsonObject *body,
                 JsonNode   *choice)
{
  const char *name = tau_json_get_string (choice, NULL, NULL);
  g_autofree char *mode = NULL;
  JsonObject *calling, *config;

  if (name == NULL)
    return;

  mode = g_ascii_strup (name, -1);
  calling = json_object_new ();
  json_object_set_string_member (calling, "mode", mode);
  config = json_object_new ();
  json_object_set_object_member (config, "functionCallingConfig", calling);
  json_object_set_object_member (body, "toolConfig", config);
}

static JsonNode *
encode_generation (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  gint64 max_tokens = tau_encoder_max_tokens (request);
  JsonObject *object = json_object_new ();

  if (fields->temperature >= 0)
    tau_json_object_set (object, "temperature", tau_json_node_new_double (fields->temperature));
  if (max_tokens > 0)
    json_object_set_int_member (object, "maxOutputTokens", max_tokens);
  if (tau_model_get_reasoning (fields->model))
    tau_json_object_set (object, "thinkingConfig", encode_thinking (request));

  return tau_json_node_new_object (object);
}

static JsonObject *
encode_system (const char *prompt)
{
  JsonArray *parts = json_array_new ();
  JsonObject *part = json_object_new ();
  JsonObject *object = json_object_new ();

  tau_encoder_set_text (part, "text", prompt);
  json_array_add_object_element (parts, part);
  json_object_set_array_member (object, "parts", parts);
  json_object_set_string_member (object, "role", "user");

  return object;
}

static JsonNode *
encode_body (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  JsonObject *body = json_object_new ();

  json_object_set_array_member (body, "contents", tau_google_encode_contents (request));
  if (fields->system_prompt != NULL && fields->system_prompt[0] != '\0')
    json_object_set_object_member (body, "systemInstruction", encode_system (fields->system_prompt));
  if (fields->tools->len > 0)
    {
      json_object_set_array_member (body, "tools", encode_tools (fields->tools));
      set_tool_choice (body, fields->tool_choice);
    }
  tau_json_object_set (body, "generationConfig", encode_generation (request));

  return tau_json_node_new_object (body);
}

/**
 * tau_google_encode:
 * @request: a request for a model of the API "google-generative-ai"
 * @error: return location: no key, or no address
 *
 * Format: Google's Generative Language API, v1beta.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_google_encode (TauRequest *request,
                   GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autofree char *base = NULL;
  g_autofree char *path = NULL;
  g_autofree char *url = NULL;
  TauHttpCall *call;

  if (!tau_encoder_check_key (request, error) || (base = tau_encoder_base_url (fields->model, error)) == NULL)
    return NULL;

  path = g_strdup_printf ("/models/%s:streamGenerateContent?alt=sse", tau_model_get_id (fields->model));
  url = tau_http_url_join (base[0] != '\0' ? base : DEFAULT_BASE_URL, path);
  call = tau_http_call_new (url);
  tau_http_call_set_header (call, "accept", "*/*");
  tau_http_call_set_header (call, "content-type", "application/json");
  tau_http_call_set_header (call, "x-goog-api-key", fields->api_key);
  tau_http_call_apply_headers (call, fields->headers);
  tau_http_call_take_body (call, encode_body (request));

  return call;
}
