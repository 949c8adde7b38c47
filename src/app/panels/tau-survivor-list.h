/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_SURVIVOR_LIST (tau_survivor_list_get_type ())
G_DECLARE_FINAL_TYPE (TauSurvivorList, tau_survivor_list, TAU, SURVIVOR_LIST, GtkBox)

G_END_DECLS
