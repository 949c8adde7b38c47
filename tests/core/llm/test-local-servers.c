/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-local-servers.h"

#include "core/base/tau-json.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"
#include "support/tau-test-socket.h"

/* P73: what each kind of server says of its models, and above all how much it really reads. The answers have the form of the
 * programs' own documentation: Ollama 0.12, LM Studio 0.3, llama.cpp's server and vLLM, of 2025 and 2026. */

static void
push (TauTestServer *server,
      const char    *path,
      const char    *body)
{
  tau_test_server_push (server, &(TauTestResponse) { .path = path, .content_type = "application/json", .body = body });
}

static GPtrArray *
discover (const TauLocalServer *servers,
          guint                 n_servers,
          gint64                patience_ms)
{
  g_autoptr(GAsyncResult) result = NULL;

  tau_local_servers_discover_async (servers, n_servers, patience_ms, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);

  return tau_local_servers_discover_finish (result);
}

static GPtrArray *
discover_one (const char    *provider,
              TauTestServer *server)
{
  return discover (&(TauLocalServer) { provider, provider, tau_test_server_get_url (server) }, 1, 20000);
}

static void
assert_model (GPtrArray  *models,
              guint       position,
              const char *id,
              gint64      window)
{
  TauModel *model;

  g_assert_cmpuint (position, <, models->len);
  model = g_ptr_array_index (models, position);
  g_assert_cmpstr (tau_model_get_id (model), ==, id);
  g_assert_cmpint (tau_model_get_context_window (model), ==, window);
  g_assert_cmpint (tau_model_get_max_tokens (model), ==, MIN (window / 2, 16384));
}

/* What is loaded says what it reads; what has a setting, that; all else gets Ollama's own default. */
static void
test_ollama (void)
{
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(GPtrArray) models = NULL;

  push (server, "/v1/models", "{\"object\":\"list\",\"data\":[{\"id\":\"loaded:8b\",\"object\":\"model\"},{\"id\":\"set:8b\"},{\"id\":\"plain:70b\"},{\"id\":\"tiny\"},{\"id\":\"gone\"}]}");
  push (server, "/api/ps", "{\"models\":[{\"name\":\"loaded:8b\",\"model\":\"loaded:8b\",\"size_vram\":1,\"context_length\":65536}]}");
  push (server, "/api/show", "{\"parameters\":\"stop \\\"<|eot|>\\\"\\nnum_ctx                        16384\\ntemperature 0.7\",\"model_info\":{\"llama.context_length\":131072}}");
  push (server, "/api/show", "{\"parameters\":\"temperature 0.7\",\"model_info\":{\"general.architecture\":\"llama\",\"llama.context_length\":131072}}");
  push (server, "/api/show", "{\"model_info\":{\"bert.context_length\":512}}");
  tau_test_server_push (server, &(TauTestResponse) { .path = "/api/show", .status = 404, .body = "{\"error\":\"model not found\"}" });
  models = discover_one ("ollama", server);
  g_assert_cmpuint (models->len, ==, 5);
  assert_model (models, 0, "loaded:8b", 65536);
  assert_model (models, 1, "set:8b", 16384);
  assert_model (models, 2, "plain:70b", 4096);
  assert_model (models, 3, "tiny", 512);
  assert_model (models, 4, "gone", 4096);
  g_assert_cmpstr (tau_test_server_get_method (server, 2), ==, "POST");
  g_assert_cmpstr (tau_test_server_get_body (server, 2), ==, "{\"model\":\"set:8b\"}");
  g_assert_cmpuint (tau_test_server_get_n_requests (server), ==, 6);
}

static void
test_lm_studio (void)
{
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(GPtrArray) models = NULL;

  push (server, "/v1/models", "{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"c\"}]}");
  push (server, "/api/v0/models", "{\"data\":[{\"id\":\"b\",\"state\":\"not-loaded\",\"max_context_length\":40960},"
                                  "{\"id\":\"a\",\"state\":\"loaded\",\"max_context_length\":131072,\"loaded_context_length\":8192}]}");
  models = discover_one ("lm-studio", server);
  g_assert_cmpuint (models->len, ==, 3);
  assert_model (models, 0, "a", 8192);
  assert_model (models, 1, "b", 40960);
  assert_model (models, 2, "c", 32768);
}

/* The list tells what the model was trained for; what is served stands elsewhere. */
static void
test_llama_cpp (void)
{
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(GPtrArray) models = NULL;
  g_autoptr(GPtrArray) without = NULL;

  push (server, "/v1/models", "{\"data\":[{\"id\":\"m.gguf\",\"meta\":{\"n_ctx_train\":131072}}]}");
  push (server, "/props", "{\"default_generation_settings\":{\"n_ctx\":12288},\"total_slots\":1}");
  models = discover_one ("llama.cpp", server);
  assert_model (models, 0, "m.gguf", 12288);

  push (server, "/v1/models", "{\"data\":[{\"id\":\"m.gguf\",\"meta\":{\"n_ctx_train\":131072}}]}");
  without = discover_one ("llama.cpp", server);
  assert_model (without, 0, "m.gguf", 131072);
}

static void
test_vllm (void)
{
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(GPtrArray) models = NULL;
  JsonNode *compat;

  push (server, "/v1/models", "{\"data\":[{\"id\":\"Qwen/Qwen3\",\"max_model_len\":24000}]}");
  models = discover_one ("vllm", server);
  assert_model (models, 0, "Qwen/Qwen3", 24000);
  g_assert_cmpuint (tau_test_server_get_n_requests (server), ==, 1);

  compat = tau_model_get_compat (models->pdata[0]);
  g_assert_false (tau_json_get_bool (compat, "supportsDeveloperRole", TRUE));
  g_assert_false (tau_json_get_bool (compat, "supportsStore", TRUE));
  g_assert_cmpstr (tau_json_get_string (compat, "maxTokensField", NULL), ==, "max_tokens");
  g_assert_cmpstr (tau_model_get_api (models->pdata[0]), ==, "openai-completions");
}

static void
serve_silence (TauTestSocket *socket,
               GIOStream     *stream,
               gpointer       data)
{
  tau_test_socket_wait_gone (socket, stream);
}

/* What is not there, silent, or something else altogether does not hold up the others. */
static void
test_strangers (void)
{
  g_autoptr(TauTestSocket) silent = tau_test_socket_new (serve_silence, NULL);
  g_autoptr(TauTestServer) page = tau_test_server_new ();
  g_autoptr(TauTestServer) odd = tau_test_server_new ();
  g_autoptr(TauTestServer) good = tau_test_server_new ();
  const TauLocalServer servers[] = {
    { "ollama", "Ollama", "http://127.0.0.1:1" },
    { "vllm", "vLLM", tau_test_socket_get_url (silent) },
    { "llama.cpp", "llama.cpp", tau_test_server_get_url (page) },
    { "lm-studio", "LM Studio", tau_test_server_get_url (odd) },
    { "vllm", "vLLM", tau_test_server_get_url (good) },
  };
  g_autoptr(GPtrArray) models = NULL;

  tau_test_server_push (page, &(TauTestResponse) { .content_type = "text/html", .body = "<html>Jenkins</html>" });
  push (odd, "/v1/models", "{\"data\":[null,7,\"x\",{\"id\":5},{\"id\":\"one\"},{}]}");
  push (odd, "/api/v0/models", "[]");
  push (good, "/v1/models", "{\"data\":[{\"id\":\"last\",\"max_model_len\":1000}]}");
  models = discover (servers, G_N_ELEMENTS (servers), 3000);
  g_assert_cmpuint (models->len, ==, 2);
  assert_model (models, 0, "one", 32768);
  assert_model (models, 1, "last", 1000);
}

static void
test_cancel (void)
{
  g_autoptr(TauTestSocket) silent = tau_test_socket_new (serve_silence, NULL);
  const TauLocalServer server = { "ollama", "Ollama", tau_test_socket_get_url (silent) };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GPtrArray) models = NULL;

  tau_local_servers_discover_async (&server, 1, 20000, cancellable, tau_test_loop_result_cb, &result);
  g_cancellable_cancel (cancellable);
  tau_test_loop_wait_result (&result);
  models = tau_local_servers_discover_finish (result);
  g_assert_cmpuint (models->len, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/local-servers/p73-ollama", test_ollama);
  g_test_add_func ("/local-servers/p73-lm-studio", test_lm_studio);
  g_test_add_func ("/local-servers/p73-llama-cpp", test_llama_cpp);
  g_test_add_func ("/local-servers/p73-vllm", test_vllm);
  g_test_add_func ("/local-servers/strangers", test_strangers);
  g_test_add_func ("/local-servers/cancel", test_cancel);

  return g_test_run ();
}
