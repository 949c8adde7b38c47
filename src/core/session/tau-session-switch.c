/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-switch.h"

#include "core/base/tau-json.h"

/* Model and thinking level are entries of the tree between two messages. Which of them changed anything is told by
 * those further up: a program that resumes a session may record again what holds already. */

typedef struct
{
  char *provider;
  char *model;
  char *level;
} Choice;

static void
choice_clear (Choice *self)
{
  g_clear_pointer (&self->provider, g_free);
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->level, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

/* The newest counts, and it is the first on the way up. */
static void
take (Choice          *self,
      TauSessionEntry *entry)
{
  TauSessionEntryKind kind = tau_session_entry_get_kind (entry);
  g_autoptr(JsonNode) json = NULL;

  if ((kind != TAU_ENTRY_MODEL_CHANGE || self->model != NULL) && (kind != TAU_ENTRY_THINKING_LEVEL_CHANGE || self->level != NULL))
    return;
  json = tau_session_entry_dup_json (entry);
  if (kind == TAU_ENTRY_MODEL_CHANGE)
    {
      self->provider = g_strdup (tau_json_get_string (json, "provider", NULL));
      self->model = g_strdup (tau_json_get_string (json, "modelId", NULL));
    }
  else
    self->level = g_strdup (tau_json_get_string (json, "thinkingLevel", NULL));
}

/* Up to the message above, which is returned, if there is one. @steps is what may still be gone; a file may lead in circles. */
static TauSessionEntry *
take_until_message (Choice          *self,
                    TauSessionTree  *tree,
                    TauSessionEntry *entry,
                    guint           *steps)
{
  while (*steps > 0 && (entry = tau_session_tree_get_parent (tree, entry)) != NULL && !tau_session_entry_has_message (entry))
    {
      take (self, entry);
      (*steps)--;
    }
  return *steps > 0 ? entry : NULL;
}

static gboolean
lacks (const Choice *self,
       const Choice *wanted)
{
  return (wanted->model != NULL && self->model == NULL) || (wanted->level != NULL && self->level == NULL);
}

/**
 * tau_session_switch_find:
 * @tree: a tree
 * @entry: an entry of it that has a message
 * @model: (out) (nullable) (transfer full): the model's id, if another one was chosen
 * @thinking_level: (out) (nullable) (transfer full): the level, if another one was chosen
 *
 * Looks what was switched between a message and the one before it on its branch. What holds from the beginning is no
 * switch. Nothing is parsed where nothing stands between the two.
 *
 * Returns: whether anything was
 */
gboolean
tau_session_switch_find (TauSessionTree   *tree,
                         TauSessionEntry  *entry,
                         char            **model,
                         char            **thinking_level)
{
  g_auto(Choice) chosen = { 0 };
  g_auto(Choice) before = { 0 };
  TauSessionEntry *above;
  guint steps;

  g_return_val_if_fail (TAU_IS_SESSION_TREE (tree) && entry != NULL, FALSE);

  *model = *thinking_level = NULL;
  steps = tau_session_tree_get_entries (tree)->len;
  above = take_until_message (&chosen, tree, entry, &steps);
  if (above == NULL)
    return FALSE;
  while (above != NULL && lacks (&before, &chosen))
    above = take_until_message (&before, tree, above, &steps);

  if (g_strcmp0 (chosen.model, before.model) != 0 || g_strcmp0 (chosen.provider, before.provider) != 0)
    *model = g_steal_pointer (&chosen.model);
  if (before.level != NULL && g_strcmp0 (chosen.level, before.level) != 0)
    *thinking_level = g_steal_pointer (&chosen.level);
  return *model != NULL || *thinking_level != NULL;
}
