/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TAU_TYPE_SURVIVOR (tau_survivor_get_type ())
G_DECLARE_FINAL_TYPE (TauSurvivor, tau_survivor, TAU, SURVIVOR, GObject)

GPtrArray  *tau_survivor_find_all        (void);   /* of TauSurvivor; any thread */
int         tau_survivor_get_pid         (TauSurvivor *self);
int         tau_survivor_get_group       (TauSurvivor *self);
const char *tau_survivor_get_command     (TauSurvivor *self);
gboolean    tau_survivor_get_is_orphan   (TauSurvivor *self);
gint64      tau_survivor_get_age_ms      (TauSurvivor *self);
gint64      tau_survivor_get_memory      (TauSurvivor *self);
guint       tau_survivor_get_n_processes (TauSurvivor *self);
gboolean    tau_survivor_get_stopping    (TauSurvivor *self);
gboolean    tau_survivor_is_same         (TauSurvivor *self, TauSurvivor *other);
void        tau_survivor_take_figures    (TauSurvivor *self, TauSurvivor *newer);
void        tau_survivor_signal          (TauSurvivor *self, int signal_number);

G_END_DECLS
