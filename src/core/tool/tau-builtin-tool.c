/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-builtin-tool.h"

#include "core/base/tau-json.h"

/* The class of all built-in tools: it serves TauTool from a static description. The tools themselves are the
 * descriptions and the functions in them. */

#define TAU_TYPE_BUILTIN_TOOL (tau_builtin_tool_get_type ())
G_DECLARE_FINAL_TYPE (TauBuiltinTool, tau_builtin_tool, TAU, BUILTIN_TOOL, GObject)

struct _TauBuiltinTool
{
  GObject parent_instance;

  const TauBuiltinToolInfo *info;
  TauToolContext *context;
  TauToolSpec *spec;
};

static void tau_builtin_tool_tool_init (TauToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauBuiltinTool, tau_builtin_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_TOOL, tau_builtin_tool_tool_init))

static TauToolSpec *
tau_builtin_tool_get_spec (TauTool *tool)
{
  return TAU_BUILTIN_TOOL (tool)->spec;
}

static JsonNode *
tau_builtin_tool_prepare_arguments (TauTool   *tool,
                                    JsonNode  *arguments,
                                    GError   **error)
{
  TauBuiltinTool *self = TAU_BUILTIN_TOOL (tool);

  return self->info->prepare != NULL ? self->info->prepare (arguments) : json_node_ref (arguments);
}

static void
tau_builtin_tool_execute_async (TauTool             *tool,
                                TauToolRun          *run,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  TauBuiltinTool *self = TAU_BUILTIN_TOOL (tool);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_builtin_tool_execute_async);
  g_task_set_check_cancellable (task, FALSE);
  self->info->execute (self->context, run, task);
}

static TauToolOutcome *
tau_builtin_tool_execute_finish (TauTool       *tool,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, tool), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
tau_builtin_tool_finalize (GObject *object)
{
  TauBuiltinTool *self = TAU_BUILTIN_TOOL (object);

  g_clear_object (&self->context);
  g_clear_pointer (&self->spec, tau_tool_spec_unref);

  G_OBJECT_CLASS (tau_builtin_tool_parent_class)->finalize (object);
}

static void
tau_builtin_tool_tool_init (TauToolInterface *iface)
{
  iface->get_spec = tau_builtin_tool_get_spec;
  iface->prepare_arguments = tau_builtin_tool_prepare_arguments;
  iface->execute_async = tau_builtin_tool_execute_async;
  iface->execute_finish = tau_builtin_tool_execute_finish;
}

static void
tau_builtin_tool_class_init (TauBuiltinToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_builtin_tool_finalize;
}

static void
tau_builtin_tool_init (TauBuiltinTool *self)
{
}

/**
 * tau_builtin_tool_new:
 * @info: (transfer none): static description
 * @context: what the tools of a session share
 *
 * Makes a tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_builtin_tool_new (const TauBuiltinToolInfo *info,
                      TauToolContext           *context)
{
  TauBuiltinTool *self = g_object_new (TAU_TYPE_BUILTIN_TOOL, NULL);
  g_autoptr(JsonNode) parameters = tau_json_parse (info->parameters, -1, NULL);

  g_assert (parameters != NULL);
  self->info = info;
  self->context = g_object_ref (context);
  self->spec = tau_tool_spec_new (info->name, info->label, info->description, parameters, info->snippet, info->guidelines);
  return TAU_TOOL (self);
}

/**
 * tau_builtin_tool_return_outcome:
 * @task: a tool's task
 * @outcome: (transfer full) (nullable): what the tool gave
 * @error: (transfer full) (nullable): why it gave nothing
 *
 * Ends a tool's task with one or the other.
 */
void
tau_builtin_tool_return_outcome (GTask          *task,
                                 TauToolOutcome *outcome,
                                 GError         *error)
{
  if (outcome != NULL)
    g_task_return_pointer (task, outcome, (GDestroyNotify) tau_tool_outcome_unref);
  else
    g_task_return_error (task, error);
}
