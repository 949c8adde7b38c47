/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-responses-encoder.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/llm/tau-provider.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"

#include <string.h>

/* Azure's variant of the Responses API: where it goes, with which key, under which name of the model. Bodies and headers are
 * compared whole by the golden requests. */

static const char * const variables[] = {
  "AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_RESOURCE_NAME", "AZURE_OPENAI_API_VERSION", "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
};

static TauModel *
make_model (const char *base_url)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"gpt-5\",\"api\":\"azure-openai-responses\",\"baseUrl\":\"%s\"}", base_url);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);

  return tau_model_new_from_json ("azure-openai-responses", json, NULL);
}

static TauRequest *
make_request (const char *base_url)
{
  g_autoptr(TauModel) model = make_model (base_url);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  g_ptr_array_add (messages, tau_user_message_new_string ("Hi", 1));
  fields.model = model;
  fields.messages = messages;
  fields.api_key = "secret";
  fields.max_retries = 0;

  return tau_request_new (&fields);
}

/* Sets the variables, %NULL for those that are not there. */
static void
set_variables (const char * const *values)
{
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    if (values != NULL && values[i] != NULL)
      g_setenv (variables[i], values[i], TRUE);
    else
      g_unsetenv (variables[i]);
}

static void
test_azure_address (void)
{
  static const struct { const char *base_url, *values[4], *url; } cases[] = {
    { "https://a.openai.azure.com", { NULL }, "https://a.openai.azure.com/openai/v1/responses?api-version=v1" },
    { "https://a.openai.azure.com/", { NULL }, "https://a.openai.azure.com/openai/v1/responses?api-version=v1" },
    { "https://a.openai.azure.com/openai", { NULL }, "https://a.openai.azure.com/openai/v1/responses?api-version=v1" },
    { "https://a.openai.azure.com/openai/v1", { NULL }, "https://a.openai.azure.com/openai/v1/responses?api-version=v1" },
    { "https://a.cognitiveservices.azure.com/", { NULL }, "https://a.cognitiveservices.azure.com/openai/v1/responses?api-version=v1" },
    { "https://proxy.example/", { NULL }, "https://proxy.example/responses?api-version=v1" },
    { "https://proxy.example/azure.com", { NULL }, "https://proxy.example/azure.com/responses?api-version=v1" },
    { "", { NULL, "res", NULL }, "https://res.openai.azure.com/openai/v1/responses?api-version=v1" },
    { "https://a.openai.azure.com", { "https://b.openai.azure.com", "res", "2025-04-01-preview" },
      "https://b.openai.azure.com/openai/v1/responses?api-version=2025-04-01-preview" },
    { "https://a.openai.azure.com", { "", "", "" }, "https://a.openai.azure.com/openai/v1/responses?api-version=v1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(TauRequest) request = make_request (cases[i].base_url);
      g_autoptr(TauHttpCall) call = NULL;
      g_autoptr(GError) error = NULL;

      set_variables (cases[i].values);
      call = tau_azure_responses_encode (request, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (tau_http_call_get_url (call), ==, cases[i].url);
    }
  set_variables (NULL);
}

static void
test_azure_no_address (void)
{
  g_autoptr(TauRequest) request = make_request ("");
  g_autoptr(GError) error = NULL;

  set_variables (NULL);
  g_assert_null (tau_azure_responses_encode (request, &error));
  g_assert_error (error, TAU_API_ERROR, TAU_API_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "AZURE_OPENAI_BASE_URL"));
}

static void
test_azure_deployment (void)
{
  static const struct { const char *map, *name; } cases[] = {
    { NULL, "gpt-5" }, { "", "gpt-5" }, { "gpt-5=mine", "mine" }, { "gpt-4=other, gpt-5 = my deployment ,x", "my deployment" },
    { "gpt-5-mini=small", "gpt-5" }, { "gpt-5", "gpt-5" }, { "gpt-5=a=b", "a=b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(TauRequest) request = make_request ("https://a.openai.azure.com");
      g_autoptr(TauHttpCall) call = NULL;

      set_variables ((const char *[]) { NULL, NULL, NULL, cases[i].map });
      call = tau_azure_responses_encode (request, NULL);
      g_assert_cmpstr (tau_json_get_string (tau_http_call_get_body (call), "model", NULL), ==, cases[i].name);
    }
  set_variables (NULL);
}

/* The whole way over real HTTP. */
static void
test_azure_answer (void)
{
  static const char stream[] =
    "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"resp_1\"}}\n\n"
    "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\",\"content\":[]}}\n\n"
    "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Hello\"}\n\n"
    "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\","
    "\"content\":[{\"type\":\"output_text\",\"text\":\"Hello\"}]}}\n\n"
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":7,\"output_tokens\":2,\"total_tokens\":9}}}\n\n";
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(TauRequest) request = make_request (tau_test_server_get_url (server));
  g_autoptr(TauDraft) draft = tau_draft_new ("azure-openai-responses", "azure-openai-responses", "gpt-5", 1);
  TauProvider *provider = tau_provider_lookup ("azure-openai-responses");
  g_autoptr(TauAssistantMessage) message = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(JsonNode) body = NULL;
  g_autofree char *text = NULL;
  GAsyncResult *pending = NULL;

  set_variables ((const char *[]) { NULL, NULL, "2025-04-01-preview", "gpt-5=mine" });
  tau_test_server_push (server, &(TauTestResponse) { .body = stream, .chunk_size = 31 });
  tau_provider_stream_async (provider, request, draft, NULL, tau_test_loop_result_cb, &pending);
  result = tau_test_loop_wait_result (&pending);
  message = tau_provider_stream_finish (provider, result);
  set_variables (NULL);

  text = tau_message_dup_text (TAU_MESSAGE (message), "");
  g_assert_cmpstr (text, ==, "Hello");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_STOP);
  g_assert_cmpint (tau_assistant_message_get_usage (message)->total_tokens, ==, 9);

  g_assert_cmpstr (tau_test_server_get_path (server, 0), ==, "/responses");
  g_assert_cmpstr (tau_test_server_get_query (server, 0), ==, "api-version=2025-04-01-preview");
  g_assert_cmpstr (tau_test_server_get_header (server, 0, "api-key"), ==, "secret");
  g_assert_null (tau_test_server_get_header (server, 0, "authorization"));
  body = tau_json_parse (tau_test_server_get_body (server, 0), -1, NULL);
  g_assert_cmpstr (tau_json_get_string (body, "model", NULL), ==, "mine");
  g_assert_null (tau_json_get (body, "store"));
  tau_test_wait_until (tau_test_server_get_n_open (server) == 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/responses-encoder/azure-address", test_azure_address);
  g_test_add_func ("/responses-encoder/azure-no-address", test_azure_no_address);
  g_test_add_func ("/responses-encoder/azure-deployment", test_azure_deployment);
  g_test_add_func ("/responses-encoder/azure-answer", test_azure_answer);

  return g_test_run ();
}
