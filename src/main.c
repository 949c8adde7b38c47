/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-application.h"

#include <glib/gi18n.h>
#include <locale.h>

int
main (int   argc,
      char *argv[])
{
  g_autoptr(TauApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, TAU_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  application = tau_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
