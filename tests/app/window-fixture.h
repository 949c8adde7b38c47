/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/find-widget.h"
#include "app/tau-window.h"
#include "core/session/session-fixture.h"

/* The program's object and a window of it, in folders of their own, with a server that answers. The object lives as long
 * as the test program: GTK does not start twice. */

typedef struct
{
  Fixture         session;   /* folders and server only; the session shown is the window's */
  TauApplication *application;
  TauWindow      *window;
} Rig;

static inline TauApplication *
get_test_application (void)
{
  static TauApplication *application;
  g_autoptr(GError) error = NULL;

  if (application != NULL)
    return application;
  application = tau_application_new ();
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  return application;
}

/* Shows a folder of its own; the models are those that the folder for settings names now. */
static inline void
rig_open_window (Rig *rig)
{
  tau_model_catalog_reload (tau_application_get_catalog (rig->application));
  rig->window = tau_window_new (rig->application);
  /* As large as the screen: without a window manager keys go where the pointer is. */
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1280, 1000);
  tau_window_open_folder (rig->window, rig->session.cwd);
  gtk_window_present (GTK_WINDOW (rig->window));
  tau_test_wait_until (gtk_window_is_active (GTK_WINDOW (rig->window)));
}

static inline TauAgentSession *
rig_session (Rig *rig)
{
  return tau_window_get_session (rig->window);
}

/* Until it is shown. */
static inline void
rig_open_session (Rig        *rig,
                  const char *path)
{
  tau_window_open_session (rig->window, path);
  tau_test_wait_until (g_strcmp0 (tau_agent_session_get_path (rig_session (rig)), path) == 0);
}

static inline void
rig_wait_idle (Rig *rig)
{
  tau_test_wait_until (tau_agent_session_get_state (rig_session (rig)) == TAU_SESSION_IDLE);
}

static inline void
rig_prompt (Rig        *rig,
            const char *text)
{
  g_autoptr(GError) error = NULL;

  tau_agent_session_prompt (rig_session (rig), text, NULL, TAU_DELIVERY_PROMPT, &error);
  g_assert_no_error (error);
}

/* Whether a label that can be seen holds the text. */
static inline gboolean
shows_text (GtkWidget  *from,
            const char *text)
{
  if (!gtk_widget_get_mapped (from))
    return FALSE;
  if (GTK_IS_LABEL (from) && strstr (gtk_label_get_text (GTK_LABEL (from)), text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, text))
      return TRUE;
  return FALSE;
}

static Fixture *shared_fixture;   /* the one application has one folder for settings */

static inline void
rig_set_up (Rig           *rig,
            gconstpointer  data)
{
  rig->session = *shared_fixture;
  rig->application = get_test_application ();
}

static inline void
rig_tear_down (Rig           *rig,
               gconstpointer  data)
{
  TauAgentSession *session = rig_session (rig);
  gpointer gone = rig->window;

  if (tau_agent_session_get_state (session) != TAU_SESSION_IDLE)
    tau_agent_session_abort (session);
  rig_wait_idle (rig);
  g_object_add_weak_pointer (gone, &gone);
  gtk_window_destroy (GTK_WINDOW (rig->window));
  tau_test_wait_until (gone == NULL);
}

static inline int
run_window_tests (void)
{
  Fixture fixture = { 0 };
  int status;

  fixture_set_up (&fixture, NULL);
  g_setenv ("TAU_AGENT_DIR", fixture.agent_dir, TRUE);
  shared_fixture = &fixture;
  status = g_test_run ();
  G_APPLICATION_GET_CLASS (get_test_application ())->shutdown (G_APPLICATION (get_test_application ()));
  fixture_tear_down (&fixture, NULL);
  return status;
}
