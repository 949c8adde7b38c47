/* SPDX-License-Identifier: MIT */
#include "core/message/tau-tool-spec.h"

/* TauToolSpec: boxed record of what is known about a tool without having it: the words for the model, the system prompt
 * and a person, and the schema of its arguments. It lets providers and tools stay strangers. */

struct _TauToolSpec
{
  gatomicrefcount ref_count;
  char           *name;
  char           *label;
  char           *description;
  JsonNode       *parameters;
  char           *snippet;
  char          **guidelines; /* never NULL */
};

G_DEFINE_BOXED_TYPE (TauToolSpec, tau_tool_spec, tau_tool_spec_ref, tau_tool_spec_unref)

/**
 * tau_tool_spec_new:
 * @name: the name by which the model calls it
 * @label: (nullable): short name for a person; %NULL is @name
 * @description: what it does, for the model
 * @parameters: (transfer none): JSON Schema of its arguments; must not change afterwards
 * @snippet: (nullable): one line for the system prompt
 * @guidelines: (nullable) (array zero-terminated=1): sentences for the system prompt
 *
 * Returns: (transfer full): a new spec
 */
TauToolSpec *
tau_tool_spec_new (const char         *name,
                   const char         *label,
                   const char         *description,
                   JsonNode           *parameters,
                   const char         *snippet,
                   const char * const *guidelines)
{
  TauToolSpec *self;

  g_return_val_if_fail (name != NULL && description != NULL && parameters != NULL, NULL);

  self = g_new0 (TauToolSpec, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->label = g_strdup (label != NULL ? label : name);
  self->description = g_strdup (description);
  self->parameters = json_node_ref (parameters);
  self->snippet = g_strdup (snippet);
  self->guidelines = guidelines != NULL ? g_strdupv ((char **) guidelines) : g_new0 (char *, 1);

  return self;
}

/**
 * tau_tool_spec_ref:
 * @self: a spec
 *
 * Returns: (transfer full): @self
 */
TauToolSpec *
tau_tool_spec_ref (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

/**
 * tau_tool_spec_unref:
 * @self: (transfer full): a spec
 *
 * Drops a reference; the last one frees the spec.
 */
void
tau_tool_spec_unref (TauToolSpec *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->name);
  g_free (self->label);
  g_free (self->description);
  json_node_unref (self->parameters);
  g_free (self->snippet);
  g_strfreev (self->guidelines);
  g_free (self);
}

/**
 * tau_tool_spec_get_name:
 * @self: a spec
 *
 * Returns: the name by which the model calls the tool
 */
const char *
tau_tool_spec_get_name (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * tau_tool_spec_get_label:
 * @self: a spec
 *
 * Returns: short name for a person
 */
const char *
tau_tool_spec_get_label (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->label;
}

/**
 * tau_tool_spec_get_description:
 * @self: a spec
 *
 * Returns: what the tool does, for the model
 */
const char *
tau_tool_spec_get_description (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->description;
}

/**
 * tau_tool_spec_get_parameters:
 * @self: a spec
 *
 * Returns: (transfer none): JSON Schema of the arguments; must not be changed
 */
JsonNode *
tau_tool_spec_get_parameters (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parameters;
}

/**
 * tau_tool_spec_get_snippet:
 * @self: a spec
 *
 * Returns: (nullable): one line for the system prompt
 */
const char *
tau_tool_spec_get_snippet (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->snippet;
}

/**
 * tau_tool_spec_get_guidelines:
 * @self: a spec
 *
 * Returns: (array zero-terminated=1): sentences for the system prompt, maybe none
 */
const char * const *
tau_tool_spec_get_guidelines (TauToolSpec *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->guidelines;
}
