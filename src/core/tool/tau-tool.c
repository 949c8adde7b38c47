/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool.h"

#include "core/tool/tau-tool-args.h"

/* What an agent can do, seen from the agent: a specification for the model and one asynchronous call. An error that
 * leaves tau_tool_execute_finish() is the text that the model gets; the agent makes a failed result of it. */

G_DEFINE_INTERFACE (TauTool, tau_tool, G_TYPE_OBJECT)

static void
tau_tool_default_init (TauToolInterface *iface)
{
}

/**
 * tau_tool_get_spec:
 * @self: a tool
 *
 * Returns: (transfer none): what the model knows of it
 */
TauToolSpec *
tau_tool_get_spec (TauTool *self)
{
  g_return_val_if_fail (TAU_IS_TOOL (self), NULL);

  return TAU_TOOL_GET_IFACE (self)->get_spec (self);
}

/**
 * tau_tool_get_name:
 * @self: a tool
 *
 * Returns: (transfer none): the name by which the model calls it
 */
const char *
tau_tool_get_name (TauTool *self)
{
  return tau_tool_spec_get_name (tau_tool_get_spec (self));
}

/**
 * tau_tool_get_schema_style:
 * @self: a tool
 *
 * Returns: how its arguments are coerced
 */
TauToolSchemaStyle
tau_tool_get_schema_style (TauTool *self)
{
  TauToolInterface *iface;

  g_return_val_if_fail (TAU_IS_TOOL (self), TAU_TOOL_SCHEMA_PLAIN);

  iface = TAU_TOOL_GET_IFACE (self);
  return iface->get_schema_style != NULL ? iface->get_schema_style (self) : TAU_TOOL_SCHEMA_TYPED;
}

/**
 * tau_tool_is_sequential:
 * @self: a tool
 *
 * Returns: whether a batch with such a call runs one by one
 */
gboolean
tau_tool_is_sequential (TauTool *self)
{
  TauToolInterface *iface;

  g_return_val_if_fail (TAU_IS_TOOL (self), FALSE);

  iface = TAU_TOOL_GET_IFACE (self);
  return iface->is_sequential != NULL && iface->is_sequential (self);
}

/**
 * tau_tool_check_arguments:
 * @self: a tool
 * @raw: arguments as the model sent them; not changed
 * @error: return location for an error whose message is meant for the model
 *
 * Lets the tool make up for odd arguments, then coerces and validates them.
 *
 * Returns: (transfer full) (nullable): what the tool may be run with
 */
JsonNode *
tau_tool_check_arguments (TauTool   *self,
                          JsonNode  *raw,
                          GError   **error)
{
  TauToolInterface *iface;
  g_autoptr(JsonNode) prepared = NULL;
  TauToolSpec *spec;

  g_return_val_if_fail (TAU_IS_TOOL (self), NULL);
  g_return_val_if_fail (raw != NULL, NULL);

  iface = TAU_TOOL_GET_IFACE (self);
  prepared = iface->prepare_arguments != NULL ? iface->prepare_arguments (self, raw, error) : json_node_ref (raw);
  if (prepared == NULL)
    return NULL;

  spec = tau_tool_get_spec (self);
  return tau_tool_args_check (tau_tool_spec_get_name (spec), tau_tool_spec_get_parameters (spec),
                              tau_tool_get_schema_style (self), prepared, error);
}

/**
 * tau_tool_execute_async:
 * @self: a tool
 * @run: the call, with its checked arguments; gets the partial results
 * @cancellable: (nullable): ends the work; what is there by then still counts
 * @callback: called when done, never from within this function
 * @user_data: for @callback
 *
 * Does the work.
 */
void
tau_tool_execute_async (TauTool             *self,
                        TauToolRun          *run,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  g_return_if_fail (TAU_IS_TOOL (self));
  g_return_if_fail (TAU_IS_TOOL_RUN (run));

  TAU_TOOL_GET_IFACE (self)->execute_async (self, run, cancellable, callback, user_data);
}

/**
 * tau_tool_execute_finish:
 * @self: a tool
 * @result: what the callback got
 * @error: return location for an error whose message is meant for the model
 *
 * Takes the result of tau_tool_execute_async().
 *
 * Returns: (transfer full) (nullable): the outcome
 */
TauToolOutcome *
tau_tool_execute_finish (TauTool       *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_return_val_if_fail (TAU_IS_TOOL (self), NULL);

  return TAU_TOOL_GET_IFACE (self)->execute_finish (self, result, error);
}
