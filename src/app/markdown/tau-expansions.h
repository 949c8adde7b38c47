/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TAU_TYPE_EXPANSIONS (tau_expansions_get_type ())
G_DECLARE_FINAL_TYPE (TauExpansions, tau_expansions, TAU, EXPANSIONS, GObject)

TauExpansions *tau_expansions_new     (void);
gboolean       tau_expansions_get     (TauExpansions *self, guint64 key, gboolean fallback);
void           tau_expansions_set     (TauExpansions *self, guint64 key, gboolean expanded);
void           tau_expansions_set_all (TauExpansions *self, gboolean expanded);
void           tau_expansions_peek    (TauExpansions *self, guint64 key);   /* 0: no longer */
guint64        tau_expansions_get_peek (TauExpansions *self);

G_END_DECLS
