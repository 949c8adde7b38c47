/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/session/tau-session-context.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Model and thinking level of a session: what it begins with, how it changes, and what is remembered for the next one.
 * The rules are pi's: a change is an entry on the branch, and the user's choice becomes the default. */

/* Tokens that a question and its answer need at least. */
#define LEAST_ROOM 1024

static TauThinkingLevel
default_level (TauAgentSession *self)
{
  TauThinkingLevel level = TAU_THINKING_MEDIUM;

  tau_thinking_level_from_string (tau_settings_get_string (self->settings, "defaultThinkingLevel", ""), &level);
  return level;
}

static TauThinkingLevel
clamp_level (TauModel         *model,
             TauThinkingLevel  level)
{
  return model != NULL ? tau_model_clamp_level (model, level) : MIN (level, TAU_THINKING_HIGH);
}

static void
record_model (TauAgentSession *self)
{
  JsonObject *fields = json_object_new ();

  json_object_set_string_member (fields, "provider", tau_model_get_provider (self->model));
  json_object_set_string_member (fields, "modelId", tau_model_get_id (self->model));
  tau_agent_session_record (self, TAU_ENTRY_MODEL_CHANGE, fields);
}

void
tau_agent_session_record_level (TauAgentSession *self)
{
  JsonObject *fields = json_object_new ();

  self->level_unrecorded = FALSE;
  json_object_set_string_member (fields, "thinkingLevel", tau_thinking_level_to_string (self->level));
  tau_agent_session_record (self, TAU_ENTRY_THINKING_LEVEL_CHANGE, fields);
}

/* The choice counts for this session even if it cannot be remembered. */
static void
remember (TauAgentSession *self,
          const char      *key,
          const char      *value)
{
  g_autoptr(GError) error = NULL;

  if (!tau_settings_set_string (self->settings, key, value, &error))
    tau_agent_session_add_problem (self, g_strdup (error->message));
}

static void
set_level (TauAgentSession  *self,
           TauThinkingLevel  level)
{
  self->level = level;
  tau_agent_set_thinking_level (self->agent, level);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_THINKING_LEVEL);
}

gint64
tau_agent_session_get_window (TauAgentSession *self)
{
  return self->model != NULL ? tau_model_get_context_window (self->model) : 0;
}

/* Makes a model the one that answers next, without recording it. */
void
tau_agent_session_apply_model (TauAgentSession *self,
                               TauModel        *model)
{
  g_set_object (&self->model, model);
  tau_agent_set_model (self->agent, model);
  tau_tool_context_set_accepts_images (self->tool_context, model != NULL && tau_model_accepts_images (model));
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_MODEL);
}

/* What every request begins with, in tokens: four bytes each, as everywhere. */
static gint64
estimate_instructions (TauAgentSession *self)
{
  g_autoptr(GPtrArray) specs = tau_toolbox_dup_specs (tau_agent_get_toolbox (self->agent));
  gsize size = self->system_prompt != NULL ? strlen (self->system_prompt) : 0;

  for (guint i = 0; i < specs->len; i++)
    {
      TauToolSpec *spec = g_ptr_array_index (specs, i);
      g_autofree char *schema = tau_json_to_string (tau_tool_spec_get_parameters (spec));

      size += strlen (tau_tool_spec_get_name (spec)) + strlen (tau_tool_spec_get_description (spec)) + strlen (schema);
    }

  return (gint64) size / 4;
}

/* Some servers cut what is too long without a word, and the model then knows of no tools. Returns: (nullable): a sentence */
static char *
dup_warning (TauAgentSession *self)
{
  gint64 window = tau_agent_session_get_window (self);
  gint64 needed = estimate_instructions (self);

  if (window == 0 || needed + LEAST_ROOM <= window)
    return NULL;

  return g_strdup_printf (_("The instructions and tools take about %d tokens, but %s reads only %d of a conversation at its server. "
                            "Give it a larger context there, or it will miss some of them."),
                          (int) MIN (needed, G_MAXINT), tau_model_get_id (self->model), (int) MIN (window, G_MAXINT));
}

static TauModel *
choose_default (TauAgentSession *self)
{
  return tau_model_catalog_choose_default (self->catalog,
                                           tau_settings_get_string (self->settings, "defaultProvider", NULL),
                                           tau_settings_get_string (self->settings, "defaultModel", NULL));
}

static void
forget_lost_model (TauAgentSession *self)
{
  g_clear_pointer (&self->lost_provider, g_free);
  g_clear_pointer (&self->lost_id, g_free);
}

/* A model that was missed has turned up: a server on this machine was found, a key was entered. It answers next if nobody has
 * asked the other one yet. */
static void
catalog_changed_cb (TauAgentSession *self)
{
  TauModel *found = self->lost_id != NULL ? tau_model_catalog_find (self->catalog, self->lost_provider, self->lost_id) : NULL;
  g_autofree char *sentence = NULL;

  if (found == NULL || !tau_model_catalog_is_available (self->catalog, found))
    return;

  if (self->state == TAU_SESSION_IDLE && g_list_model_get_n_items (G_LIST_MODEL (self->messages)) == self->lost_n_messages)
    {
      tau_agent_session_apply_model (self, found);
      set_level (self, clamp_level (found, self->lost_level));
      if (self->lost_n_messages == 0 && !tau_session_file_is_read_only (self->file))
        record_model (self);
      sentence = g_strdup_printf (_("Model %s/%s is there now and answers next."), self->lost_provider, self->lost_id);
      tau_agent_session_emit_notice (self, sentence);
    }
  forget_lost_model (self);
}

static void
miss_model (TauAgentSession *self,
            const char      *provider,
            const char      *id)
{
  self->lost_provider = g_strdup (provider);
  self->lost_id = g_strdup (id);
  g_signal_connect_object (self->catalog, "changed", G_CALLBACK (catalog_changed_cb), self, G_CONNECT_SWAPPED);
}

/* The model of a new session. */
static TauModel *
choose_first (TauAgentSession *self)
{
  const char *provider = tau_settings_get_string (self->settings, "defaultProvider", NULL);
  const char *id = tau_settings_get_string (self->settings, "defaultModel", NULL);

  if (provider != NULL && id != NULL && tau_model_catalog_find (self->catalog, provider, id) == NULL)
    miss_model (self, provider, id);

  return choose_default (self);
}

/* Why the model of the branch does not answer, and which one does instead. */
static char *
dup_loss (const TauSessionContext *context,
          TauModel                *known,
          TauModel                *other)
{
  const char *provider = other != NULL ? tau_model_get_provider (other) : NULL;
  const char *id = other != NULL ? tau_model_get_id (other) : NULL;

  if (other == NULL)
    return g_strdup_printf (_("Could not restore model %s/%s, and there is no other one. Choose a model to go on."),
                            context->provider, context->model_id);
  if (known == NULL)
    return g_strdup_printf (_("Could not restore model %s/%s, which is not offered here. Using %s/%s; choose another one if you like."),
                            context->provider, context->model_id, provider, id);

  return g_strdup_printf (_("Could not restore model %s/%s, for which there is no key. Using %s/%s; choose another one if you like."),
                          context->provider, context->model_id, provider, id);
}

/* The model of the branch, if it is still known and can be used; else the default one, which is said. */
static TauModel *
restore_model (TauAgentSession         *self,
               const TauSessionContext *context)
{
  TauModel *known = NULL, *other;

  if (context->provider == NULL)
    return choose_default (self);
  known = tau_model_catalog_find (self->catalog, context->provider, context->model_id);
  if (known != NULL && tau_model_catalog_is_available (self->catalog, known))
    return g_object_ref (known);

  other = choose_default (self);
  miss_model (self, context->provider, context->model_id);
  tau_agent_session_add_problem (self, dup_loss (context, known, other));
  return other;
}

static TauThinkingLevel
first_level (TauAgentSession              *self,
             const TauAgentSessionOptions *options,
             const TauSessionContext      *context)
{
  if (options->has_thinking_level)
    return options->thinking_level;
  if (context->entries->len > 0 && context->has_level)
    return context->level;
  return default_level (self);
}

/* What a session starts with. A new one begins with its model and level on record. An old one gets only what it lacks, and
 * that with the next entry: looking at a session does not change its file. */
void
tau_agent_session_begin (TauAgentSession              *self,
                         const TauAgentSessionOptions *options)
{
  char *warning;
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);
  gboolean goes_on = context->entries->len > 0;
  g_autoptr(TauModel) model = NULL;

  if (options->model != NULL)
    model = g_object_ref (options->model);
  else
    model = goes_on ? restore_model (self, context) : choose_first (self);

  tau_agent_session_apply_model (self, model);
  warning = dup_warning (self);
  if (warning != NULL)
    tau_agent_session_add_problem (self, warning);
  self->lost_level = first_level (self, options, context);
  set_level (self, clamp_level (model, self->lost_level));
  tau_agent_session_show_entries (self, context->entries);
  self->lost_n_messages = g_list_model_get_n_items (G_LIST_MODEL (self->messages));
  if (tau_session_file_is_read_only (self->file))
    return;
  if (!goes_on && model != NULL)
    record_model (self);
  if (!goes_on)
    tau_agent_session_record_level (self);
  self->level_unrecorded = goes_on && !context->has_level;
}

/**
 * tau_agent_session_get_model:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the model that answers next
 */
TauModel *
tau_agent_session_get_model (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->model;
}

/**
 * tau_agent_session_set_model:
 * @self: a session
 * @model: a model
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND without a key for it
 *
 * Changes the model from the next run on, records it and makes it the default for new sessions. The thinking level
 * follows what the model knows.
 *
 * Returns: whether it was changed
 */
gboolean
tau_agent_session_set_model (TauAgentSession *self,
                             TauModel        *model,
                             GError         **error)
{
  gboolean could_think;
  g_autofree char *warning = NULL;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);
  g_return_val_if_fail (TAU_IS_MODEL (model), FALSE);

  if (!tau_model_catalog_is_available (self->catalog, model))
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, "No API key for %s/%s",
                   tau_model_get_provider (model), tau_model_get_id (model));
      return FALSE;
    }

  forget_lost_model (self);
  could_think = self->model != NULL && tau_model_get_reasoning (self->model);
  tau_agent_session_apply_model (self, model);
  warning = dup_warning (self);
  if (warning != NULL)
    tau_agent_session_emit_notice (self, warning);
  record_model (self);
  remember (self, "defaultProvider", tau_model_get_provider (model));
  remember (self, "defaultModel", tau_model_get_id (model));
  tau_agent_session_set_thinking_level (self, could_think ? self->level : default_level (self));
  return TRUE;
}

/**
 * tau_agent_session_get_thinking_level:
 * @self: a session
 *
 * Returns: how much the model is to reason
 */
TauThinkingLevel
tau_agent_session_get_thinking_level (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), TAU_THINKING_OFF);

  return self->level;
}

/**
 * tau_agent_session_set_thinking_level:
 * @self: a session
 * @level: a wish
 *
 * Sets the level that the model knows and that is nearest; if that is another than before it is recorded, becomes the
 * default for new sessions and is said by an event.
 */
void
tau_agent_session_set_thinking_level (TauAgentSession  *self,
                                      TauThinkingLevel  level)
{
  TauThinkingLevel clamped;
  const char *name;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  clamped = clamp_level (self->model, level);
  if (clamped == self->level)
    return;
  set_level (self, clamped);
  tau_agent_session_record_level (self);
  name = tau_thinking_level_to_string (clamped);
  if (clamped != TAU_THINKING_OFF || (self->model != NULL && tau_model_get_reasoning (self->model)))
    remember (self, "defaultThinkingLevel", name);
  tau_agent_session_emit (self, &(TauSessionEvent) { .kind = TAU_SESSION_EVENT_THINKING_LEVEL_CHANGED, .level = name });
}
