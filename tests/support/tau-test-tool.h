/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

#define TAU_TEST_TYPE_TOOL (tau_test_tool_get_type ())
G_DECLARE_FINAL_TYPE (TauTestTool, tau_test_tool, TAU_TEST, TOOL, GObject)

/* Arguments: "say" (text of the result), "update" (a partial result), "fail" (text of an error), "terminate" (bool).
 * A manual tool waits for tau_test_tool_release() or for the cancellable, after which it fails with "Aborted". */
TauTestTool *tau_test_tool_new            (const char *name);
void         tau_test_tool_set_manual     (TauTestTool *self, gboolean manual);
void         tau_test_tool_set_sequential (TauTestTool *self, gboolean sequential);
gboolean     tau_test_tool_is_at_work     (TauTestTool *self, const char *call_id);
void         tau_test_tool_release        (TauTestTool *self, const char *call_id);
const char  *tau_test_tool_get_started    (TauTestTool *self);   /* ids of executed calls, in the order of their start: "t1 t2" */

G_END_DECLS
