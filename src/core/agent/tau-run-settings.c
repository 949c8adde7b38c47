/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-run-settings.h"

/* A toolbox can still grow after a run started; the tools that the model was told of must not. */
static TauToolbox *
copy_toolbox (TauToolbox *toolbox)
{
  TauToolbox *copy;

  if (toolbox == NULL)
    return NULL;

  copy = tau_toolbox_new ();
  for (guint i = 0; i < tau_toolbox_get_n_tools (toolbox); i++)
    tau_toolbox_add (copy, tau_toolbox_get_tool (toolbox, i));

  return copy;
}

/**
 * tau_run_settings_copy:
 * @self: settings
 * @copy: (out caller-allocates): filled; what it held before is not freed
 *
 * Takes a snapshot that later changes of @self, or of its toolbox, do not reach.
 */
void
tau_run_settings_copy (const TauRunSettings *self,
                       TauRunSettings       *copy)
{
  g_return_if_fail (self != NULL && copy != NULL);

  *copy = *self;
  copy->provider = self->provider != NULL ? g_object_ref (self->provider) : NULL;
  copy->model = self->model != NULL ? g_object_ref (self->model) : NULL;
  copy->system_prompt = g_strdup (self->system_prompt);
  copy->thinking_budgets = self->thinking_budgets != NULL ? json_node_ref (self->thinking_budgets) : NULL;
  copy->toolbox = copy_toolbox (self->toolbox);
  copy->hooks = self->hooks != NULL ? g_object_ref (self->hooks) : NULL;
  copy->api_key = g_strdup (self->api_key);
  copy->session_id = g_strdup (self->session_id);
}

/**
 * tau_run_settings_clear:
 * @self: settings
 *
 * Frees what @self holds, not @self.
 */
void
tau_run_settings_clear (TauRunSettings *self)
{
  g_return_if_fail (self != NULL);

  g_clear_object (&self->provider);
  g_clear_object (&self->model);
  g_clear_pointer (&self->system_prompt, g_free);
  g_clear_pointer (&self->thinking_budgets, json_node_unref);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->hooks);
  g_clear_pointer (&self->api_key, g_free);
  g_clear_pointer (&self->session_id, g_free);
}
