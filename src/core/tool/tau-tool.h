/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/message/tau-tool-spec.h"
#include "core/tool/tau-tool-run.h"

G_BEGIN_DECLS

/**
 * TauToolSchemaStyle:
 * @TAU_TOOL_SCHEMA_TYPED: built-in tools: coercion by type first ("typed" tables)
 * @TAU_TOOL_SCHEMA_PLAIN: any JSON Schema: generic coercion only
 *
 * How arguments are coerced before they are checked.
 */
typedef enum
{
  TAU_TOOL_SCHEMA_TYPED,
  TAU_TOOL_SCHEMA_PLAIN,
} TauToolSchemaStyle;

#define TAU_TYPE_TOOL (tau_tool_get_type ())
G_DECLARE_INTERFACE (TauTool, tau_tool, TAU, TOOL, GObject)

/**
 * TauToolInterface:
 * @get_spec: what the model knows of it
 * @get_schema_style: (nullable): typed if absent
 * @is_sequential: (nullable): one such call makes its whole batch run one by one; %FALSE if absent
 * @prepare_arguments: (nullable): makes up for odd arguments before validation; new node or an error
 * @execute_async: does the work; reads tau_tool_run_get_arguments(), reports by tau_tool_run_update()
 * @execute_finish: the result, or an error whose text the model gets
 *
 * What an agent can do. Tools are stateless beside what they are made with; many runs at once are fine.
 */
struct _TauToolInterface
{
  GTypeInterface parent_iface;

  TauToolSpec        *(*get_spec)          (TauTool *self);
  TauToolSchemaStyle  (*get_schema_style)  (TauTool *self);
  gboolean            (*is_sequential)     (TauTool *self);
  JsonNode           *(*prepare_arguments) (TauTool *self, JsonNode *arguments, GError **error);
  void                (*execute_async)     (TauTool *self, TauToolRun *run, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  TauToolOutcome     *(*execute_finish)    (TauTool *self, GAsyncResult *result, GError **error);
};

TauToolSpec        *tau_tool_get_spec          (TauTool *self);   /* borrowed */
const char         *tau_tool_get_name          (TauTool *self);
TauToolSchemaStyle  tau_tool_get_schema_style  (TauTool *self);
gboolean            tau_tool_is_sequential     (TauTool *self);
/* prepare_arguments, then coercion and validation (tau-tool-args.h): new node, or TAU_TOOL_ERROR_INVALID_ARGUMENTS with the text for the model. */
JsonNode           *tau_tool_check_arguments   (TauTool *self, JsonNode *raw, GError **error);
void                tau_tool_execute_async     (TauTool *self, TauToolRun *run, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauToolOutcome     *tau_tool_execute_finish    (TauTool *self, GAsyncResult *result, GError **error);   /* transfer full */

G_END_DECLS
