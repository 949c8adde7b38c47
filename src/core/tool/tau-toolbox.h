/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-context.h"
#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

#define TAU_TYPE_TOOLBOX (tau_toolbox_get_type ())
G_DECLARE_FINAL_TYPE (TauToolbox, tau_toolbox, TAU, TOOLBOX, GObject)

/* An ordered set of tools by name. Adding one with a known name replaces it in place. */
TauToolbox *tau_toolbox_new          (void);
TauToolbox *tau_toolbox_new_builtin  (TauToolContext *context);   /* all built-in tools that exist, in pi's order: read bash edit write grep find ls */
void        tau_toolbox_add          (TauToolbox *self, TauTool *tool);
TauTool    *tau_toolbox_lookup       (TauToolbox *self, const char *name);   /* borrowed, nullable */
guint       tau_toolbox_get_n_tools  (TauToolbox *self);
TauTool    *tau_toolbox_get_tool     (TauToolbox *self, guint position);   /* borrowed */
TauToolbox *tau_toolbox_select       (TauToolbox *self, const char * const *names);   /* transfer full: a new box with these, in this box's order; unknown names ignored */
GPtrArray  *tau_toolbox_dup_specs    (TauToolbox *self);   /* of TauToolSpec */

extern const char * const tau_toolbox_default_names[];   /* read, bash, edit, write, NULL: active when nothing is chosen */

G_END_DECLS
