/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/composer/tau-composer.h"
#include "app/find-widget.h"
#include "core/session/session-fixture.h"

#include <adwaita.h>

/* The composer alone in a window, with the focus, for a session that talks to a server on loopback. */

typedef struct
{
  Fixture      session;
  GtkWidget   *window;
  TauComposer *composer;
  GtkTextView *view;
  GString     *said;   /* what "failed" said, a line each */
} Rig;

static inline void
rig_failed_cb (TauComposer *composer,
               const char  *message,
               Rig         *rig)
{
  g_string_append_printf (rig->said, "%s\n", message);
}

/* For tests that put files into the folders first, with fixture_set_up(). */
static inline void
rig_show (Rig *rig)
{
  fixture_open (&rig->session, (TauAgentSessionOptions) { 0 });
  rig->said = g_string_new (NULL);
  rig->window = gtk_window_new ();
  rig->composer = g_object_new (TAU_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);
  rig->view = GTK_TEXT_VIEW (find_widget (GTK_WIDGET (rig->composer), GTK_TYPE_TEXT_VIEW));
  g_signal_connect (rig->composer, "failed", G_CALLBACK (rig_failed_cb), rig);
  tau_composer_set_session (rig->composer, rig->session.session);
  /* As large as the screen: without a window manager keys go where the pointer is. */
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1280, 1000);
  gtk_window_set_child (GTK_WINDOW (rig->window), GTK_WIDGET (rig->composer));
  gtk_widget_grab_focus (GTK_WIDGET (rig->composer));
  gtk_window_present (GTK_WINDOW (rig->window));
  tau_test_wait_until (gtk_window_is_active (GTK_WINDOW (rig->window)));
}

static inline void
rig_set_up (Rig           *rig,
            gconstpointer  data)
{
  fixture_set_up (&rig->session, data);
  rig_show (rig);
}

static inline void
rig_tear_down (Rig           *rig,
               gconstpointer  data)
{
  gtk_window_destroy (GTK_WINDOW (rig->window));
  g_string_free (rig->said, TRUE);
  fixture_tear_down (&rig->session, data);
}

static inline gboolean
holds (Rig        *rig,
       const char *text)
{
  g_autofree char *typed = tau_composer_dup_text (rig->composer);

  return g_str_equal (typed, text);
}
