/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/tool/tau-login-environment.h"

#include "core/base/tau-process.h"
#include "core/base/tau-text.h"

#include <glib/gi18n-lib.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

/* The environment that the user's login shell makes. A program that the desktop starts lacks it: the PATH of nvm, asdf,
 * cargo and the like is set in files that only shells read. It is asked for once, in the background, by a shell that has no
 * terminal and five seconds; commands wait for that, nothing else does. Who starts us in a terminal has the environment
 * wanted, and nothing is read. One for the program; main thread. */

#define TIMEOUT_MS 5000
#define MAX_BYTES (1024 * 1024)   /* what start files may print */
#define MARK "tau-environment-7c1e"

typedef enum
{
  NOT_ASKED,
  READING,
  READ,
  FAILED,
} State;

typedef struct
{
  TauLoginEnvironmentFunc func;
  gpointer                user_data;
} Waiting;

static State state;
static char *shell;
static char **variables;      /* NAME=VALUE */
static GString *output;       /* while READING */
static GArray *waiting;       /* of Waiting */
static gint64 began;
static double seconds;

/* The shell's own affairs, and ours. */
static gboolean
is_passed_on (const char *variable)
{
  static const char *const own[] = { "PWD", "OLDPWD", "SHLVL", "_", "TERM", "COLUMNS", "LINES", "TAU_COMMAND_ID", NULL };
  const char *equals = strchr (variable, '=');
  g_autofree char *name = equals != NULL && equals != variable ? g_strndup (variable, (gsize) (equals - variable)) : NULL;

  return name != NULL && !g_strv_contains (own, name);
}

/* What stands between the marks, NUL after each variable. */
static char **
parse (const GString *text)
{
  const gsize mark_length = strlen (MARK);
  const char *begin = memmem (text->str, text->len, MARK, mark_length);
  const char *end;
  GPtrArray *found;

  if (begin == NULL)
    return NULL;
  begin += mark_length;
  end = memmem (begin, (gsize) (text->str + text->len - begin), MARK, mark_length);
  if (end == NULL)
    return NULL;

  found = g_ptr_array_new ();
  for (const char *next = begin; next < end; next += strlen (next) + 1)
    if (is_passed_on (next))
      g_ptr_array_add (found, g_strdup (next));
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (found, FALSE);
}

static void
output_cb (TauProcess   *process,
           const guint8 *bytes,
           gsize         length,
           gpointer      user_data)
{
  if (output->len + length <= MAX_BYTES)
    g_string_append_len (output, (const char *) bytes, (gssize) length);
}

static void
settle (State now)
{
  g_autoptr(GArray) waited = g_steal_pointer (&waiting);

  state = now;
  seconds = (g_get_monotonic_time () - began) / 1e6;
  for (guint i = 0; waited != NULL && i < waited->len; i++)
    {
      Waiting *one = &g_array_index (waited, Waiting, i);

      one->func (one->user_data);
    }
}

static void
ended_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(TauProcess) process = TAU_PROCESS (object);

  /* However it ended: with both marks it is whole. */
  tau_process_run_finish (process, result, NULL, NULL);
  g_strfreev (variables);
  variables = parse (output);
  g_string_free (g_steal_pointer (&output), TRUE);
  settle (variables != NULL ? READ : FAILED);
}

static char *
dup_shell (void)
{
  const char *named = g_getenv ("SHELL");
  const struct passwd *user = named == NULL ? getpwuid (getuid ()) : NULL;

  return g_strdup (named != NULL ? named : user != NULL && *user->pw_shell != '\0' ? user->pw_shell : "/bin/sh");
}

static gboolean
is_in_terminal (void)
{
  const char *terminal = g_getenv ("TERM");

  return terminal != NULL && *terminal != '\0' && !g_str_equal (terminal, "dumb");
}

/**
 * tau_login_environment_read:
 *
 * Begins to read, unless we were started in a terminal or something is read already. Programs with a window call it once.
 */
void
tau_login_environment_read (void)
{
  static const char script[] = "printf %s " MARK "; env -0; printf %s " MARK;
  TauProcess *process;

  if (state == READING || is_in_terminal ())
    return;
  state = READING;
  began = g_get_monotonic_time ();
  output = g_string_new (NULL);
  g_free (shell);
  shell = dup_shell ();
  process = tau_process_new ((const char *[]) { shell, "-l", "-i", "-c", script, NULL }, g_get_home_dir (), NULL);
  tau_process_set_output_func (process, output_cb, NULL);
  tau_process_set_timeout (process, TIMEOUT_MS);
  tau_process_run_async (process, NULL, ended_cb, NULL);
}

/**
 * tau_login_environment_is_settled:
 *
 * Returns: whether commands may begin: nothing is being read
 */
gboolean
tau_login_environment_is_settled (void)
{
  return state != READING;
}

/**
 * tau_login_environment_wait:
 * @func: (scope async): called once, when reading has ended
 * @user_data: for @func
 *
 * For who found that tau_login_environment_is_settled() is %FALSE.
 */
void
tau_login_environment_wait (TauLoginEnvironmentFunc func,
                            gpointer                user_data)
{
  Waiting one = { func, user_data };

  g_return_if_fail (state == READING);

  if (waiting == NULL)
    waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  g_array_append_val (waiting, one);
}

/**
 * tau_login_environment_apply:
 * @environment: (transfer full): an environment
 *
 * Puts what the login shell has said over an environment; nothing if nothing was read.
 *
 * Returns: (transfer full): the environment
 */
char **
tau_login_environment_apply (char **environment)
{
  for (gsize i = 0; state == READ && variables[i] != NULL; i++)
    {
      const char *equals = strchr (variables[i], '=');
      g_autofree char *name = g_strndup (variables[i], (gsize) (equals - variables[i]));

      environment = g_environ_setenv (environment, name, equals + 1, TRUE);
    }
  return environment;
}

static char *
dup_source (void)
{
  switch (state)
    {
    case NOT_ASKED:
      return g_strdup (_("Commands have the environment that Tau was started with."));
    case READING:
      return g_strdup_printf (_("The environment of %s is being read."), shell);
    case READ:
      return g_strdup_printf (_("Commands have the environment of %s, read in %.1f s."), shell, seconds);
    case FAILED:
    default:
      return g_strdup_printf (_("%s did not tell its environment in %.1f s; commands have the one that Tau was started with."),
                              shell, seconds);
    }
}

/**
 * tau_login_environment_dup_report:
 *
 * Says, for people, which environment commands have, and its PATH.
 *
 * Returns: (transfer full): some lines of text
 */
char *
tau_login_environment_dup_report (void)
{
  g_autofree char *source = dup_source ();
  g_auto(GStrv) environment = tau_login_environment_apply (g_get_environ ());
  const char *path = g_environ_getenv (environment, "PATH");
  g_autofree char *shown = tau_text_make_valid (path != NULL ? path : "", -1);

  return g_strdup_printf ("%s\nPATH=%s\n", source, shown);
}
