/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-args.h"

#include "core/base/tau-json.h"
#include "core/tool/tau-schema-check.h"
#include "core/tool/tau-schema-coerce.h"
#include "core/base/tau-error.h"

/* From what the model sent to what a tool may rely on. The arguments of the transcript are never changed. */

static char *
describe_failure (const char *tool_name,
                  GPtrArray  *lines,
                  JsonNode   *arguments)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *received = tau_json_to_pretty_string (arguments);

  g_string_append_printf (text, "Validation failed for tool \"%s\":\n", tool_name);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "  - %s\n", (char *) g_ptr_array_index (lines, i));
  if (lines->len == 0)
    g_string_append (text, "Unknown validation error\n");
  g_string_append_printf (text, "\nReceived arguments:\n%s", received);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * tau_tool_args_check:
 * @tool_name: name for the error text
 * @schema: the tool's parameters
 * @style: how much is converted
 * @arguments: what the model sent, already prepared by the tool
 * @error: return location for a %TAU_TOOL_ERROR_INVALID_ARGUMENTS whose message is meant for the model
 *
 * Coerces and validates. No defaults are filled in; unknown properties stay unless the schema forbids them.
 *
 * Returns: (transfer full) (nullable): arguments that satisfy @schema
 */
JsonNode *
tau_tool_args_check (const char         *tool_name,
                     JsonNode           *schema,
                     TauToolSchemaStyle  style,
                     JsonNode           *arguments,
                     GError            **error)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(JsonNode) coerced = NULL;
  g_autofree char *message = NULL;

  coerced = style == TAU_TOOL_SCHEMA_TYPED ? tau_schema_coerce_typed (schema, arguments)
                                           : tau_schema_coerce_plain (schema, arguments);
  if (tau_schema_check (schema, coerced, lines))
    return g_steal_pointer (&coerced);

  message = describe_failure (tool_name, lines, arguments);
  g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_INVALID_ARGUMENTS, message);
  return NULL;
}
