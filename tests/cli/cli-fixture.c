/* SPDX-License-Identifier: MIT */
#include "cli-fixture.h"

#include <signal.h>
#include <string.h>

#define MODELS                                                                                                         \
  "{\"providers\":{\"mock\":{\"baseUrl\":\"%s/v1\",\"apiKey\":\"k\",\"api\":\"openai-completions\",\"models\":"        \
  "[{\"id\":\"m1\",\"name\":\"Mock One\",\"reasoning\":false,\"input\":[\"text\",\"image\"],"                         \
  "\"contextWindow\":200000,\"maxTokens\":8192,\"cost\":{\"input\":3,\"output\":15,\"cacheRead\":0,\"cacheWrite\":0}}]}}}"

char *
cli_fixture_answer (const char *text)
{
  return g_strdup_printf ("data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"model\":\"m1\",\"choices\":"
                          "[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":null}]}\n\n"
                          "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"model\":\"m1\",\"choices\":"
                          "[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,"
                          "\"completion_tokens\":2,\"total_tokens\":12}}\n\n"
                          "data: [DONE]\n\n", text);
}

void
cli_fixture_set_up (CliFixture   *self,
                    gconstpointer data)
{
  g_autofree char *models = NULL;
  g_autofree char *models_path = NULL;
  g_autofree char *settings_path = NULL;

  self->home = tau_test_dir_new ();
  self->server = tau_test_server_new ();
  self->project = tau_test_dir_mkdir (self->home, "project");
  self->output = g_string_new (NULL);

  models = g_strdup_printf (MODELS, tau_test_server_get_url (self->server));
  models_path = tau_test_dir_write (self->home, "agent/models.json", models);
  settings_path = tau_test_dir_write (self->home, "agent/settings.json", "{\"retry\":{\"enabled\":false}}");
}

void
cli_fixture_tear_down (CliFixture   *self,
                       gconstpointer data)
{
  g_clear_object (&self->process);
  g_clear_object (&self->server);
  g_clear_pointer (&self->home, tau_test_dir_free);
  g_free (self->project);
  g_free (self->errors);
  g_string_free (self->output, TRUE);
}

void
cli_fixture_will_say (CliFixture *self,
                      const char *text)
{
  g_autofree char *body = cli_fixture_answer (text);

  tau_test_server_push (self->server, &(TauTestResponse) { .body = body });
}

static void
output_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  CliFixture *self = user_data;
  g_autoptr(GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (object), result, NULL);

  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    {
      self->open_reads--;
      return;
    }

  g_string_append_len (self->output, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_input_stream_read_bytes_async (G_INPUT_STREAM (object), 65536, G_PRIORITY_DEFAULT, NULL, output_cb, self);
}

static void
errors_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  CliFixture *self = user_data;
  g_autoptr(GBytes) bytes = NULL;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (object), result, NULL);
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (object));
  g_free (self->errors);
  self->errors = g_strdup_printf ("%.*s", (int) g_bytes_get_size (bytes),
                                  g_bytes_get_size (bytes) > 0 ? (const char *) g_bytes_get_data (bytes, NULL) : "");
  self->open_reads--;
}

static void
read_pipes (CliFixture *self)
{
  g_autoptr(GOutputStream) collected = g_memory_output_stream_new_resizable ();

  self->open_reads = 2;
  g_input_stream_read_bytes_async (g_subprocess_get_stdout_pipe (self->process), 65536, G_PRIORITY_DEFAULT, NULL,
                                   output_cb, self);
  g_output_stream_splice_async (collected, g_subprocess_get_stderr_pipe (self->process),
                                G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT, NULL, errors_cb, self);
}

void
cli_fixture_start (CliFixture         *self,
                   const char * const *arguments)
{
  g_autoptr(GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                 G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autofree char *agent_dir = tau_test_dir_build (self->home, "agent");
  g_autofree char *state_dir = tau_test_dir_build (self->home, "state");
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (argv, (gpointer) g_getenv ("TAU_AGENT_PROGRAM"));
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);

  g_subprocess_launcher_set_cwd (launcher, self->project);
  g_subprocess_launcher_setenv (launcher, "HOME", tau_test_dir_get_path (self->home), TRUE);
  g_subprocess_launcher_setenv (launcher, "PI_CODING_AGENT_DIR", agent_dir, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", state_dir, TRUE);
  g_subprocess_launcher_setenv (launcher, "PI_OFFLINE", "1", TRUE);

  g_string_truncate (self->output, 0);
  g_clear_pointer (&self->errors, g_free);
  g_clear_object (&self->process);
  self->process = g_subprocess_launcher_spawnv (launcher, (const char * const *) argv->pdata, &error);
  g_assert_no_error (error);
  read_pipes (self);
}

void
cli_fixture_send (CliFixture *self,
                  const char *text)
{
  g_autoptr(GError) error = NULL;

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), text, strlen (text), NULL, NULL, &error);
  g_assert_no_error (error);
}

void
cli_fixture_end_input (CliFixture *self)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
}

void
cli_fixture_wait (CliFixture *self)
{
  g_autoptr(GAsyncResult) result = NULL;

  g_subprocess_wait_async (self->process, NULL, tau_test_loop_result_cb, &result);
  tau_test_wait_until (result != NULL && self->open_reads == 0);
  g_assert_true (g_subprocess_wait_finish (self->process, result, NULL));

  self->exit_code = g_subprocess_get_if_exited (self->process) ? g_subprocess_get_exit_status (self->process)
                                                               : -g_subprocess_get_term_sig (self->process);
}

void
cli_fixture_run (CliFixture *self,
                 const char *input,
                 const char *first,
                 ...)
{
  g_autoptr(GPtrArray) arguments = g_ptr_array_new ();
  va_list rest;

  va_start (rest, first);
  for (const char *word = first; word != NULL; word = va_arg (rest, const char *))
    g_ptr_array_add (arguments, (gpointer) word);
  va_end (rest);
  g_ptr_array_add (arguments, NULL);

  cli_fixture_start (self, (const char * const *) arguments->pdata);
  if (input != NULL)
    cli_fixture_send (self, input);
  cli_fixture_end_input (self);
  cli_fixture_wait (self);
}

void
cli_fixture_wait_for (CliFixture *self,
                      const char *text)
{
  tau_test_wait_until (strstr (self->output->str, text) != NULL);
}

static char *
find_session (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      char *found = NULL;

      if (g_str_has_suffix (name, ".jsonl"))
        return g_steal_pointer (&path);
      if (g_file_test (path, G_FILE_TEST_IS_DIR) && (found = find_session (path)) != NULL)
        return found;
    }

  return NULL;
}

char *
cli_fixture_session (CliFixture *self)
{
  g_autofree char *root = tau_test_dir_build (self->home, "agent/sessions");
  g_autofree char *path = find_session (root);
  char *contents = NULL;

  if (path != NULL)
    g_file_get_contents (path, &contents, NULL, NULL);

  return contents;
}
