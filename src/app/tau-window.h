/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/tau-application.h"

G_BEGIN_DECLS

#define TAU_TYPE_WINDOW (tau_window_get_type ())
G_DECLARE_FINAL_TYPE (TauWindow, tau_window, TAU, WINDOW, AdwApplicationWindow)

TauWindow       *tau_window_new          (TauApplication *application);
void             tau_window_open_folder  (TauWindow *self, const char *folder);
void             tau_window_open_session (TauWindow *self, const char *path);
const char      *tau_window_get_folder   (TauWindow *self);
TauAgentSession *tau_window_get_session  (TauWindow *self);

G_END_DECLS
