/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-model.h"

#include "core/base/tau-json.h"

static TauModel *
model_at (const char *url)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"m\",\"api\":\"openai-completions\"}", -1, NULL);
  g_autoptr(GError) error = NULL;
  TauModel *model;

  json_object_set_string_member (json_node_get_object (json), "baseUrl", url);
  model = tau_model_new_from_json ("p", json, &error);
  g_assert_no_error (error);

  return model;
}

static void
test_near (void)
{
  static const char * const near[] = {
    "http://127.0.0.1:11434", "http://localhost:8080/v1", "http://[::1]:1234", "http://10.0.0.7", "http://172.16.4.1:8000",
    "http://192.168.1.20:8000/v1", "http://169.254.1.1", "http://[fe80::1]", "http://[fd12::1]:8000", "http://gpu-box:8000",
    "http://gpu.local", "http://x.localhost",
  };
  static const char * const far[] = {
    "https://api.openai.com/v1", "https://8.8.8.8", "https://[2001:db8::1]", "https://172.32.0.1", "https://local.example.com", "",
    "not an address", "https:///v1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (near); i++)
    {
      g_autoptr(TauModel) model = model_at (near[i]);

      g_test_message ("%s", near[i]);
      g_assert_true (tau_model_is_near (model));
    }
  for (guint i = 0; i < G_N_ELEMENTS (far); i++)
    {
      g_autoptr(TauModel) model = model_at (far[i]);

      g_test_message ("%s", far[i]);
      g_assert_false (tau_model_is_near (model));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/model/near", test_near);

  return g_test_run ();
}
