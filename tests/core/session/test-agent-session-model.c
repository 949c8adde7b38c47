/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

/* The model of a session: one that is not offered, and one that reads too little. */

#define HEAD "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"cwd\":\"/\"}\n"
#define ENTRIES(provider, model)                                                                                                                          \
  "{\"type\":\"model_change\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"provider\":\"" provider "\",\"modelId\":\"" model "\"}\n" \
  "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"message\":{\"role\":\"user\",\"content\":\"hi\",\"timestamp\":1}}\n"

/* It opens, says why, and goes on with another one. */
static void
test_not_offered (Fixture       *self,
                  gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_write (self->dir, "s.jsonl", HEAD ENTRIES ("openai", "gpt-5.4"));

  g_unsetenv ("OPENAI_API_KEY");
  fixture_open (self, (TauAgentSessionOptions) { .session_path = path, .cwd = self->cwd });
  g_assert_cmpstr (tau_agent_session_get_problems (self->session)[0], ==,
                   "Could not restore model openai/gpt-5.4, for which there is no key. Using mock/m1; choose another one if you like.");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 1);
  fixture_answer (self, ANSWER ("Here."));
  fixture_prompt (self, "And now?");
  fixture_wait (self);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 3);
}

static void
notice_cb (TauAgentSession *session,
           const char      *sentence,
           GString         *notices)
{
  g_string_append (notices, sentence);
}

/* A server that was started after the session was opened: its model comes back, unless another one was asked meanwhile. */
static void
check_found_later (Fixture    *self,
                   const char *entries,
                   gboolean    asks,
                   const char *expected)
{
  g_autofree char *path = entries != NULL ? tau_test_dir_write (self->dir, "s.jsonl", entries) : NULL;
  g_autofree char *models = g_strdup_printf ("{\"providers\":{\"mock\":{\"baseUrl\":\"%s/v1\",\"apiKey\":\"k\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"m1\"}]},"
                                             "\"late\":{\"baseUrl\":\"http://h\",\"apiKey\":\"k\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"l\"}]}}}",
                                             tau_test_server_get_url (self->server));
  g_autoptr(GString) notices = g_string_new (NULL);

  fixture_open (self, (TauAgentSessionOptions) { .session_path = path, .cwd = self->cwd });
  g_assert_cmpstr (tau_model_get_id (tau_agent_session_get_model (self->session)), ==, "m1");
  if (asks)
    {
      fixture_answer (self, ANSWER ("Here."));
      fixture_prompt (self, "And now?");
      fixture_wait (self);
    }
  g_signal_connect (self->session, "notice", G_CALLBACK (notice_cb), notices);
  g_free (tau_test_dir_write (self->dir, "agent/models.json", models));
  tau_model_catalog_reload (self->catalog);
  g_assert_cmpstr (tau_model_get_id (tau_agent_session_get_model (self->session)), ==, expected);
  g_assert_cmpstr (notices->str, ==, g_str_equal (expected, "l") ? "Model late/l is there now and answers next." : "");
}

static void
test_found_later (Fixture       *self,
                  gconstpointer  data)
{
  check_found_later (self, HEAD ENTRIES ("late", "l"), FALSE, "l");
}

static void
test_found_too_late (Fixture       *self,
                     gconstpointer  data)
{
  check_found_later (self, HEAD ENTRIES ("late", "l"), TRUE, "m1");
}

/* P73: said when the session opens, and when such a model is chosen; not of one that has room. */
static void
test_reads_too_little (Fixture       *self,
                       gconstpointer  data)
{
  g_autoptr(GString) notices = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  TauModel *roomy, *small;

  fixture_write_models (self, ",\"contextWindow\":1500,\"maxTokens\":500");
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  g_assert_nonnull (tau_agent_session_get_problems (self->session)[0]);
  g_assert_nonnull (strstr (tau_agent_session_get_problems (self->session)[0], "m1 reads only 1500 of a conversation"));

  g_signal_connect (self->session, "notice", G_CALLBACK (notice_cb), notices);
  roomy = tau_model_catalog_find (self->catalog, "mock", "thinker");
  small = tau_model_catalog_find (self->catalog, "mock", "m1");
  g_assert_true (tau_agent_session_set_model (self->session, roomy, &error));
  g_assert_cmpstr (notices->str, ==, "");
  g_assert_true (tau_agent_session_set_model (self->session, small, &error));
  g_assert_nonnull (strstr (notices->str, "m1 reads only 1500 of a conversation"));
}

#define ADD(path, func) g_test_add ("/agent-session-model/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("not-offered", test_not_offered);
  ADD ("found-later", test_found_later);
  ADD ("found-too-late", test_found_too_late);
  ADD ("p73-reads-too-little", test_reads_too_little);

  return g_test_run ();
}
