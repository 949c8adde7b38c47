/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-outcome.h"

#include "core/base/tau-json.h"
#include "core/message/tau-message-json.h"

/* What a tool gave, made once and never changed. A partial result is an outcome too. It knows neither the call
 * nor the time: those belong to the result message that TauToolRun makes of it. */
struct _TauToolOutcome
{
  gatomicrefcount ref_count;
  GPtrArray *blocks;
  JsonNode *details;
  gboolean terminate;
  gboolean is_error;
};

G_DEFINE_BOXED_TYPE (TauToolOutcome, tau_tool_outcome, tau_tool_outcome_ref, tau_tool_outcome_unref)

/**
 * tau_tool_outcome_new:
 * @blocks: (nullable) (element-type TauBlock): the content; its references are copied
 * @details: (nullable): what the window shows and the model does not see
 * @terminate: whether the run may end without asking the model again
 * @is_error: whether the tool failed
 *
 * Makes an outcome.
 *
 * Returns: (transfer full): the outcome
 */
TauToolOutcome *
tau_tool_outcome_new (GPtrArray *blocks,
                      JsonNode  *details,
                      gboolean   terminate,
                      gboolean   is_error)
{
  TauToolOutcome *self = g_new0 (TauToolOutcome, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    g_ptr_array_add (self->blocks, tau_block_ref (g_ptr_array_index (blocks, i)));
  self->details = details != NULL ? json_node_ref (details) : NULL;
  self->terminate = terminate;
  self->is_error = is_error;
  return self;
}

static TauToolOutcome *
new_with_text (const char *text,
               JsonNode   *details,
               gboolean    is_error)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  return tau_tool_outcome_new (blocks, details, FALSE, is_error);
}

/**
 * tau_tool_outcome_new_text:
 * @text: what the model reads
 * @details: (nullable): what the window shows
 *
 * Makes the outcome of a tool that worked and has one text to say.
 *
 * Returns: (transfer full): the outcome
 */
TauToolOutcome *
tau_tool_outcome_new_text (const char *text,
                           JsonNode   *details)
{
  return new_with_text (text, details, FALSE);
}

/**
 * tau_tool_outcome_new_error:
 * @text: what the model reads
 *
 * Makes the outcome of a call that failed. Its details are an empty object, as in pi's session files.
 *
 * Returns: (transfer full): the outcome
 */
TauToolOutcome *
tau_tool_outcome_new_error (const char *text)
{
  g_autoptr(JsonNode) details = tau_json_node_new_object (json_object_new ());

  return new_with_text (text, details, TRUE);
}

/**
 * tau_tool_outcome_ref:
 * @self: an outcome
 *
 * Takes a reference; safe from any thread.
 *
 * Returns: (transfer full): @self
 */
TauToolOutcome *
tau_tool_outcome_ref (TauToolOutcome *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_tool_outcome_unref:
 * @self: (transfer full): an outcome
 *
 * Drops a reference; safe from any thread.
 */
void
tau_tool_outcome_unref (TauToolOutcome *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->blocks);
  g_clear_pointer (&self->details, json_node_unref);
  g_free (self);
}

/**
 * tau_tool_outcome_merge:
 * @self: an outcome
 * @blocks: (nullable) (element-type TauBlock): replaces the content; %NULL keeps it
 * @details: (nullable): replaces the details; %NULL keeps them
 * @terminate: (nullable): replaces the flag; %NULL keeps it
 * @is_error: (nullable): replaces the flag; %NULL keeps it
 *
 * What a hook makes of an outcome after the tool: each field is replaced whole or kept.
 *
 * Returns: (transfer full): a new outcome
 */
TauToolOutcome *
tau_tool_outcome_merge (TauToolOutcome *self,
                        GPtrArray      *blocks,
                        JsonNode       *details,
                        const gboolean *terminate,
                        const gboolean *is_error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return tau_tool_outcome_new (blocks != NULL ? blocks : self->blocks,
                               details != NULL ? details : self->details,
                               terminate != NULL ? *terminate : self->terminate,
                               is_error != NULL ? *is_error : self->is_error);
}

/**
 * tau_tool_outcome_get_blocks:
 * @self: an outcome
 *
 * Returns: (transfer none) (element-type TauBlock): the content, maybe empty
 */
GPtrArray *
tau_tool_outcome_get_blocks (TauToolOutcome *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->blocks;
}

/**
 * tau_tool_outcome_get_details:
 * @self: an outcome
 *
 * Returns: (transfer none) (nullable): the details
 */
JsonNode *
tau_tool_outcome_get_details (TauToolOutcome *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->details;
}

/**
 * tau_tool_outcome_get_terminate:
 * @self: an outcome
 *
 * Returns: whether the run may end without asking the model again
 */
gboolean
tau_tool_outcome_get_terminate (TauToolOutcome *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->terminate;
}

/**
 * tau_tool_outcome_get_is_error:
 * @self: an outcome
 *
 * Returns: whether the tool failed
 */
gboolean
tau_tool_outcome_get_is_error (TauToolOutcome *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_error;
}

/**
 * tau_tool_outcome_to_json:
 * @self: an outcome
 *
 * The form in the event stream: `{content, details?, terminate?}`.
 *
 * Returns: (transfer full): an object
 */
JsonNode *
tau_tool_outcome_to_json (TauToolOutcome *self)
{
  JsonObject *object;

  g_return_val_if_fail (self != NULL, NULL);

  object = json_object_new ();
  json_object_set_member (object, "content", tau_blocks_to_json (self->blocks));
  if (self->details != NULL)
    json_object_set_member (object, "details", json_node_ref (self->details));
  if (self->terminate)
    json_object_set_boolean_member (object, "terminate", TRUE);
  return tau_json_node_new_object (object);
}
