/* SPDX-License-Identifier: MIT */
#include "core/config/tau-config-value.h"

#include "core/base/tau-error.h"
#include "support/tau-test-loop.h"

#include <string.h>

/* A value stands for itself, for a variable, or for what a command prints. */

static char *
resolve (const char   *value,
         GCancellable *cancellable,
         GError      **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  tau_config_value_resolve_async (value, cancellable, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);

  return tau_config_value_resolve_finish (result, error);
}

static void
test_values (void)
{
  static const struct { const char *value; const char *expected; } cases[] = {
    { "sk-1", "sk-1" },
    { "", "" },
    { "TAU_TEST_SET", "its value" },
    { "TAU_TEST_EMPTY", "TAU_TEST_EMPTY" },
    { "TAU_TEST_UNSET", "TAU_TEST_UNSET" },
    { "$TAU_TEST_SET", "$TAU_TEST_SET" },
    { "!printf '  a b\\n\\n'", "a b" },
    { "!echo \"$TAU_TEST_SET\"", "its value" },
    { "!echo one; echo two >&2", "one" },
  };

  g_setenv ("TAU_TEST_SET", "its value", TRUE);
  g_setenv ("TAU_TEST_EMPTY", "", TRUE);
  g_unsetenv ("TAU_TEST_UNSET");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *value = resolve (cases[i].value, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (value, ==, cases[i].expected);
    }
}

/* No error shows the command or what it printed. */
static void
test_failures (void)
{
  static const char * const commands[] = { "!echo secret; exit 3", "!true", "!kill -9 $$", "!/does/not/exist" };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *value = resolve (commands[i], NULL, &error);

      g_assert_null (value);
      g_assert_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID);
      g_assert_null (strstr (error->message, "secret"));
      g_assert_null (strstr (error->message, "exit 3"));
    }
}

static void
test_cancel (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  tau_config_value_resolve_async ("!exec sleep 600", cancellable, tau_test_loop_result_cb, &result);
  tau_test_loop_settle ();
  g_cancellable_cancel (cancellable);
  tau_test_loop_wait_result (&result);
  g_assert_null (tau_config_value_resolve_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config-value/values", test_values);
  g_test_add_func ("/config-value/failures", test_failures);
  g_test_add_func ("/config-value/cancel", test_cancel);

  return g_test_run ();
}
