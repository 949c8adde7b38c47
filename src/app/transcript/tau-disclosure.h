/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_DISCLOSURE (tau_disclosure_get_type ())
G_DECLARE_FINAL_TYPE (TauDisclosure, tau_disclosure, TAU, DISCLOSURE, GtkWidget)

typedef GtkWidget *(*TauDisclosureBuilder) (gpointer user_data);   /* transfer floating; NULL for nothing to open */

GtkWidget *tau_disclosure_new           (TauDisclosureBuilder builder, gpointer user_data);
GtkWidget *tau_disclosure_get_line      (TauDisclosure *self);   /* a box: what stands behind the triangle */
void       tau_disclosure_set_name      (TauDisclosure *self, const char *name);
void       tau_disclosure_set_memory    (TauDisclosure *self, TauExpansions *expansions, guint64 key);
void       tau_disclosure_set_default   (TauDisclosure *self, gboolean expanded);
void       tau_disclosure_set_peek      (TauDisclosure *self, GtkWidget *peek /* nullable */);
void       tau_disclosure_rebuild       (TauDisclosure *self);
gboolean   tau_disclosure_is_expanded   (TauDisclosure *self);
void       tau_disclosure_toggle        (TauDisclosure *self);

G_END_DECLS
