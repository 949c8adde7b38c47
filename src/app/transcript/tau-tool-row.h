/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/message/tau-application-messages.h"
#include "core/tool/tau-tool-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_ROW (tau_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (TauToolRow, tau_tool_row, TAU, TOOL_ROW, GtkWidget)

GtkWidget *tau_tool_row_new        (TauExpansions *expansions, guint64 key);
void       tau_tool_row_set_call   (TauToolRow *self, const char *call_id, const char *name, TauBlock *call /* nullable */);
void       tau_tool_row_set_result (TauToolRow *self, TauToolResultMessage *result);
void       tau_tool_row_set_run    (TauToolRow *self, TauToolRun *run /* nullable */);
void       tau_tool_row_set_stopped (TauToolRow *self, gboolean stopped);
void       tau_tool_row_set_since  (TauToolRow *self, gint64 since);
void       tau_tool_row_set_bash   (TauToolRow *self, TauBashExecutionMessage *message);

G_END_DECLS
