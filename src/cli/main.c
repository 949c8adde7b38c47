/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/tau-cli-arguments.h"
#include "cli/tau-cli-startup.h"
#include "cli/tau-file-arguments.h"
#include "cli/tau-model-table.h"
#include "cli/tau-output.h"
#include "cli/tau-print-mode.h"
#include "cli/tau-rpc-mode.h"
#include "core/message/tau-block.h"
#include "core/session/tau-session-export.h"

#include <glib/gi18n.h>

#include <locale.h>
#include <signal.h>
#include <unistd.h>

static int
fail (GError *error)
{
  g_printerr ("%s\n", error->message);

  return 1;
}

static int
list_models (TauCliArguments *arguments)
{
  g_autoptr(TauCliStartup) startup = tau_cli_startup_new (arguments);
  GListModel *available = tau_model_catalog_get_available (tau_cli_startup_get_catalog (startup));
  g_autofree char *table = NULL;

  tau_cli_startup_discover (startup);
  table = tau_model_table_format (available, arguments->list_models_search);
  if (g_list_model_get_n_items (available) == 0)
    g_printerr ("%s\n", _("No model can be used yet: store a key in auth.json or set one in the environment."));
  else if (*table == '\0')
    g_printerr (_("No model matches \"%s\".\n"), arguments->list_models_search);

  return tau_output_write (table, -1) ? 0 : 1;
}

/* FILE is only read; the format is that of the other name's ending. */
static int
export_session (TauCliArguments *arguments)
{
  const char *given = arguments->messages != NULL ? arguments->messages[0] : NULL;
  TauExportFormat format = given != NULL ? tau_session_export_guess_format (given) : TAU_EXPORT_HTML;
  g_autofree char *output = given != NULL ? g_strdup (given) : tau_session_export_default_name (arguments->export_file, format);
  g_autofree char *said = g_strdup_printf (_("Exported to: %s\n"), output);
  g_autoptr(GError) error = NULL;

  if (!tau_session_export (arguments->export_file, NULL, format, output, &error))
    return fail (error);
  return tau_output_write (said, -1) ? 0 : 1;
}

/* The first prompt is standard input, then the files, then the first message, with nothing in between. */
static char **
make_prompts (TauCliArguments *arguments,
              TauCliStartup   *startup,
              GPtrArray       *images,
              GError         **error)
{
  g_autoptr(GString) first = g_string_new (NULL);
  g_autofree char *piped = tau_file_arguments_stdin ();
  g_autoptr(GPtrArray) prompts = g_ptr_array_new ();
  char **rest = arguments->messages;
  gboolean resize = tau_settings_get_bool (tau_cli_startup_get_settings (startup), "images.autoResize", TRUE);

  g_string_append (first, piped);
  if (!tau_file_arguments_read ((const char * const *) arguments->files, tau_cli_startup_get_cwd (startup), resize,
                                first, images, error))
    return NULL;

  if (rest != NULL && *rest != NULL)
    g_string_append (first, *rest++);
  if (first->len > 0)
    g_ptr_array_add (prompts, g_strdup (first->str));
  for (; rest != NULL && *rest != NULL; rest++)
    g_ptr_array_add (prompts, g_strdup (*rest));
  g_ptr_array_add (prompts, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&prompts), FALSE);
}

static int
print (TauCliArguments *arguments,
       TauCliStartup   *startup)
{
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) prompts = make_prompts (arguments, startup, images, &error);
  g_autoptr(TauAgentSession) session = NULL;
  g_autofree char *not_saved = NULL;
  int exit_code;

  if (prompts == NULL)
    return fail (error);
  if (prompts[0] == NULL && !arguments->print && arguments->mode == TAU_CLI_MODE_TEXT && isatty (STDIN_FILENO))
    {
      g_printerr ("%s\n", _("Nothing to do: give a message, or see --help."));
      return 1;
    }

  session = tau_cli_startup_open (startup, &error);
  if (session == NULL)
    return fail (error);

  exit_code = tau_print_mode_run (session, (const char * const *) prompts, images,
                                  arguments->mode == TAU_CLI_MODE_JSON, arguments->verbose);
  tau_agent_session_close (session);
  g_object_get (session, "error", &not_saved, NULL);

  return exit_code == 0 && not_saved != NULL ? 1 : exit_code;
}

static int
serve (TauCliArguments *arguments,
       TauCliStartup   *startup)
{
  g_autoptr(TauAgentSession) session = NULL;
  g_autoptr(GError) error = NULL;

  if (arguments->files != NULL)
    {
      g_printerr ("%s\n", _("Error: @file arguments are not supported in RPC mode"));
      return 1;
    }

  session = tau_cli_startup_open (startup, &error);
  if (session == NULL)
    return fail (error);

  return tau_rpc_mode_run (startup, session);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(TauCliArguments) arguments = NULL;
  g_autoptr(TauCliStartup) startup = NULL;
  g_autofree char *help = NULL;
  g_autoptr(GError) error = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, TAU_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  signal (SIGPIPE, SIG_IGN);
  tau_output_claim ();

  arguments = tau_cli_arguments_parse ((const char * const *) argv, &error);
  if (arguments == NULL)
    return fail (error);

  if (arguments->help)
    {
      help = tau_cli_arguments_dup_help ();
      return tau_output_write (help, -1) ? 0 : 1;
    }
  if (arguments->version)
    return tau_output_write (TAU_VERSION "\n", -1) ? 0 : 1;
  if (arguments->list_models)
    return list_models (arguments);
  if (arguments->export_file != NULL)
    return export_session (arguments);

  startup = tau_cli_startup_new (arguments);

  return arguments->mode == TAU_CLI_MODE_RPC ? serve (arguments, startup) : print (arguments, startup);
}
