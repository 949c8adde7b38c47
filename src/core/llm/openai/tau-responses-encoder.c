/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-responses-encoder.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/llm/openai/tau-responses-input.h"
#include "core/llm/tau-encoder.h"

#include <string.h>

/* TauRequest → POST /responses, for OpenAI and, with other address, key and switches, for Azure. Pure. */

#define AZURE_DEFAULT_VERSION "v1"

typedef struct
{
  TauRequest             *request;
  const TauRequestFields *fields;
  const char             *retention;
  gboolean                azure;
} Encoder;

static JsonArray *
encode_tools (GPtrArray *tools)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      TauToolSpec *tool = g_ptr_array_index (tools, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "type", "function");
      json_object_set_string_member (object, "name", tau_tool_spec_get_name (tool));
      json_object_set_string_member (object, "description", tau_tool_spec_get_description (tool));
      tau_json_object_set (object, "parameters", tau_json_copy (tau_tool_spec_get_parameters (tool)));
      json_object_set_boolean_member (object, "strict", FALSE);
      json_array_add_object_element (array, object);
    }

  return array;
}

static void
set_reasoning (Encoder    *encoder,
               JsonObject *body)
{
  TauModel *model = encoder->fields->model;
  TauThinkingLevel level;
  gboolean thinks = tau_encoder_get_level (encoder->request, &level);
  const char *effort = tau_model_map_level (model, thinks ? level : TAU_THINKING_OFF);
  JsonObject *reasoning;
  JsonArray *include;

  if (!tau_model_get_reasoning (model) || effort == NULL ||
      (!thinks && g_str_equal (tau_model_get_provider (model), "github-copilot")))
    return;

  if (!thinks && !tau_model_has_level_entry (model, TAU_THINKING_OFF))
    effort = "none";
  reasoning = json_object_new ();
  json_object_set_string_member (reasoning, "effort", effort);
  if (thinks)
    json_object_set_string_member (reasoning, "summary", "auto");
  json_object_set_object_member (body, "reasoning", reasoning);
  if (!thinks)
    return;

  include = json_array_new ();
  json_array_add_string_element (include, "reasoning.encrypted_content");
  json_object_set_array_member (body, "include", include);
}

/* Azure knows models by the names under which they were deployed: "id=deployment,id=deployment" in the environment. */
static char *
deployment_name (const char *id)
{
  const char *map = g_getenv ("AZURE_OPENAI_DEPLOYMENT_NAME_MAP");
  g_auto(GStrv) entries = map != NULL ? g_strsplit (map, ",", -1) : NULL;

  for (char **entry = entries; entry != NULL && *entry != NULL; entry++)
    {
      g_auto(GStrv) pair = g_strsplit (g_strstrip (*entry), "=", 2);

      if (pair[0] != NULL && pair[1] != NULL && g_str_equal (g_strstrip (pair[0]), id))
        return g_strdup (g_strstrip (pair[1]));
    }

  return g_strdup (id);
}

static JsonNode *
encode_body (Encoder *encoder)
{
  const TauRequestFields *fields = encoder->fields;
  const char *id = tau_model_get_id (fields->model);
  g_autofree char *model = encoder->azure ? deployment_name (id) : g_strdup (id);
  gint64 max_tokens = tau_encoder_max_tokens (encoder->request);
  JsonObject *body = json_object_new ();

  json_object_set_string_member (body, "model", model);
  json_object_set_array_member (body, "input", tau_responses_encode_input (encoder->request));
  json_object_set_boolean_member (body, "stream", TRUE);
  if (fields->session_id != NULL && !g_str_equal (encoder->retention, "none"))
    json_object_set_string_member (body, "prompt_cache_key", fields->session_id);
  if (!encoder->azure && g_str_equal (encoder->retention, "long") &&
      tau_encoder_compat_bool (fields->model, "supportsLongCacheRetention", TRUE))
    json_object_set_string_member (body, "prompt_cache_retention", "24h");
  if (!encoder->azure)
    json_object_set_boolean_member (body, "store", FALSE);
  if (max_tokens > 0)
    json_object_set_int_member (body, "max_output_tokens", max_tokens);
  if (fields->temperature >= 0)
    tau_json_object_set (body, "temperature", tau_json_node_new_double (fields->temperature));
  if (fields->tools->len > 0)
    json_object_set_array_member (body, "tools", encode_tools (fields->tools));
  set_reasoning (encoder, body);

  return tau_json_node_new_object (body);
}

static void
set_openai_headers (Encoder     *encoder,
                    TauHttpCall *call)
{
  const TauRequestFields *fields = encoder->fields;
  gboolean gateway = g_str_equal (tau_model_get_provider (fields->model), "cloudflare-ai-gateway");
  g_autofree char *bearer = g_strconcat ("Bearer ", fields->api_key, NULL);

  tau_http_call_set_header (call, gateway ? "cf-aig-authorization" : "authorization", bearer);
  tau_http_call_set_header (call, "OpenAI-Organization", g_getenv ("OPENAI_ORG_ID"));
  tau_http_call_set_header (call, "OpenAI-Project", g_getenv ("OPENAI_PROJECT_ID"));
  tau_encoder_copilot_headers (encoder->request, call);
  if (fields->session_id == NULL || g_str_equal (encoder->retention, "none"))
    return;

  if (tau_encoder_compat_bool (fields->model, "sendSessionIdHeader", TRUE))
    tau_http_call_set_header (call, "session_id", fields->session_id);
  tau_http_call_set_header (call, "x-client-request-id", fields->session_id);
}

static TauHttpCall *
make_call (Encoder    *encoder,
           const char *url)
{
  TauHttpCall *call = tau_http_call_new (url);

  tau_http_call_set_header (call, "accept", "application/json");
  tau_http_call_set_header (call, "content-type", "application/json");
  if (encoder->azure)
    tau_http_call_set_header (call, "api-key", encoder->fields->api_key);
  else
    set_openai_headers (encoder, call);
  tau_http_call_apply_headers (call, encoder->fields->headers);
  tau_http_call_take_body (call, encode_body (encoder));

  return call;
}

/**
 * tau_responses_encode:
 * @request: a request for a model of the API "openai-responses"
 * @error: return location: no key, or no address
 *
 * Format: OpenAI's Responses API.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_responses_encode (TauRequest *request,
                      GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  Encoder encoder = { request, fields, tau_encoder_retention (request), FALSE };
  g_autofree char *base = NULL;
  g_autofree char *url = NULL;

  if (!tau_encoder_check_key (request, error) || (base = tau_encoder_base_url (fields->model, error)) == NULL)
    return NULL;

  url = tau_http_url_join (base, "/responses");

  return make_call (&encoder, url);
}

/* Azure's own hosts have the API below /openai/v1; an address that says less is completed. */
static char *
complete_azure_base (const char *base)
{
  g_autoptr(GUri) uri = g_uri_parse (base, G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const char *path = uri != NULL ? g_uri_get_path (uri) : NULL;
  gboolean short_path = path != NULL && (path[0] == '\0' || g_str_equal (path, "/") || g_str_equal (path, "/openai") ||
                                         g_str_equal (path, "/openai/"));
  g_autofree char *origin = NULL;

  if (host == NULL || !short_path ||
      !(g_str_has_suffix (host, ".openai.azure.com") || g_str_has_suffix (host, ".cognitiveservices.azure.com")))
    return g_strdup (base);

  origin = g_strndup (base, strlen (base) - strlen (path));

  return g_strconcat (origin, "/openai/v1", NULL);
}

static char *
find_azure_base (TauModel *model)
{
  const char *base = g_getenv ("AZURE_OPENAI_BASE_URL");
  const char *resource = g_getenv ("AZURE_OPENAI_RESOURCE_NAME");

  if (base != NULL && base[0] != '\0')
    return complete_azure_base (base);
  if (resource != NULL && resource[0] != '\0')
    return g_strdup_printf ("https://%s.openai.azure.com/openai/v1", resource);
  if (tau_model_get_base_url (model)[0] != '\0')
    return complete_azure_base (tau_model_get_base_url (model));

  return NULL;
}

/**
 * tau_azure_responses_encode:
 * @request: a request for a model of the API "azure-openai-responses"
 * @error: return location: no key, or no address
 *
 * Format: the Responses API as Azure serves it.
 *
 * Returns: (transfer full) (nullable): what to send
 */
TauHttpCall *
tau_azure_responses_encode (TauRequest *request,
                            GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  Encoder encoder = { request, fields, tau_encoder_retention (request), TRUE };
  g_autofree char *base = find_azure_base (fields->model);
  const char *version = g_getenv ("AZURE_OPENAI_API_VERSION");
  g_autofree char *path = NULL;
  g_autofree char *url = NULL;

  if (!tau_encoder_check_key (request, error))
    return NULL;
  if (base == NULL)
    {
      g_set_error (error, TAU_API_ERROR, TAU_API_ERROR_INVALID,
                   "The address of Azure is not known: set AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME.");
      return NULL;
    }

  path = g_strconcat ("/responses?api-version=", version != NULL && version[0] != '\0' ? version : AZURE_DEFAULT_VERSION, NULL);
  url = tau_http_url_join (base, path);

  return make_call (&encoder, url);
}
