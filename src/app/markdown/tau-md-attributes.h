/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-inline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean       tau_md_attributes_show_hidden (PangoAttrList *list, const char *text, gsize length);
PangoAttrList *tau_md_attributes_new     (TauMdInline *text, GtkWidget *widget);
const char    *tau_md_attributes_link_at (TauMdInline *text, gsize index);

G_END_DECLS
