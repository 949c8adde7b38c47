/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-messages.h"

#include "core/base/tau-json.h"
#include "core/message/tau-unknown-message.h"
#include "core/session/tau-session-switch.h"

#define N_RECENT 64

/**
 * TauSessionMessages:
 *
 * The messages of the branch that is shown, each of them parsed when it is asked for. The last few that were asked for
 * are kept; the others live as long as somebody, a row or the agent, has them. What a list must know of the rest is in
 * their outlines.
 *
 * Live, main thread only; owned by the session.
 */
struct _TauSessionMessages
{
  GObject parent_instance;

  TauSessionTree *tree;           /* nullable */
  GPtrArray  *entries;            /* of TauSessionEntry */
  TauMessage *recent[N_RECENT];   /* owned, nullable */
  guint       next;               /* place in @recent */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauSessionMessages, tau_session_messages, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static GType
get_item_type (GListModel *list)
{
  return TAU_TYPE_MESSAGE;
}

static guint
get_n_items (GListModel *list)
{
  return TAU_SESSION_MESSAGES (list)->entries->len;
}

/* The file lost it since it was scanned. */
static TauMessage *
make_placeholder (void)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"role\":\"unreadable\",\"content\":[]}", -1, NULL);

  return TAU_MESSAGE (tau_unknown_message_new (json));
}

static void
remember (TauSessionMessages *self,
          TauMessage         *message)
{
  g_set_object (&self->recent[self->next], message);
  self->next = (self->next + 1) % N_RECENT;
}

static gpointer
get_item (GListModel *list,
          guint       position)
{
  TauSessionMessages *self = TAU_SESSION_MESSAGES (list);
  TauSessionEntry *entry;
  TauMessage *message;

  if (position >= self->entries->len)
    return NULL;
  entry = g_ptr_array_index (self->entries, position);
  message = tau_session_entry_peek_message (entry);
  if (message != NULL)
    return message;
  message = tau_session_entry_dup_message (entry);
  if (message == NULL)
    return make_placeholder ();
  remember (self, message);
  return message;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
tau_session_messages_finalize (GObject *object)
{
  TauSessionMessages *self = TAU_SESSION_MESSAGES (object);

  for (guint i = 0; i < N_RECENT; i++)
    g_clear_object (&self->recent[i]);
  g_ptr_array_unref (self->entries);
  g_clear_object (&self->tree);

  G_OBJECT_CLASS (tau_session_messages_parent_class)->finalize (object);
}

static void
tau_session_messages_class_init (TauSessionMessagesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_messages_finalize;
}

static void
tau_session_messages_init (TauSessionMessages *self)
{
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
}

/**
 * tau_session_messages_new:
 *
 * Returns: (transfer full): an empty list
 */
TauSessionMessages *
tau_session_messages_new (void)
{
  return g_object_new (TAU_TYPE_SESSION_MESSAGES, NULL);
}

/**
 * tau_session_messages_set_tree:
 * @self: a list
 * @tree: where its entries are
 *
 * Needed for tau_session_messages_find_switch() only.
 */
void
tau_session_messages_set_tree (TauSessionMessages *self,
                               TauSessionTree     *tree)
{
  g_return_if_fail (TAU_IS_SESSION_MESSAGES (self));

  g_set_object (&self->tree, tree);
}

/**
 * tau_session_messages_append:
 * @self: a list
 * @entry: one that has a message
 *
 * Adds a message at the end.
 */
void
tau_session_messages_append (TauSessionMessages *self,
                             TauSessionEntry    *entry)
{
  g_return_if_fail (TAU_IS_SESSION_MESSAGES (self));

  g_ptr_array_add (self->entries, tau_session_entry_ref (entry));
  g_list_model_items_changed (G_LIST_MODEL (self), self->entries->len - 1, 0, 1);
}

/**
 * tau_session_messages_remove_last:
 * @self: a list that is not empty
 *
 * Takes the last message away.
 */
void
tau_session_messages_remove_last (TauSessionMessages *self)
{
  g_return_if_fail (TAU_IS_SESSION_MESSAGES (self));
  g_return_if_fail (self->entries->len > 0);

  g_ptr_array_set_size (self->entries, (gint) self->entries->len - 1);
  g_list_model_items_changed (G_LIST_MODEL (self), self->entries->len, 1, 0);
}

/**
 * tau_session_messages_set_entries:
 * @self: a list
 * @entries: (element-type TauSessionEntry): those that have messages
 *
 * Shows others. What both begin with is not removed and added again, so that its rows stay.
 */
void
tau_session_messages_set_entries (TauSessionMessages *self,
                                  GPtrArray          *entries)
{
  guint same = 0, removed;

  g_return_if_fail (TAU_IS_SESSION_MESSAGES (self));

  while (same < entries->len && same < self->entries->len && self->entries->pdata[same] == entries->pdata[same])
    same++;
  removed = self->entries->len - same;
  g_ptr_array_set_size (self->entries, (gint) same);
  for (guint i = same; i < entries->len; i++)
    g_ptr_array_add (self->entries, tau_session_entry_ref (g_ptr_array_index (entries, i)));
  if (removed > 0 || entries->len > same)
    g_list_model_items_changed (G_LIST_MODEL (self), same, removed, entries->len - same);
}

/**
 * tau_session_messages_get_entry:
 * @self: a list
 * @position: less than its length
 *
 * Returns: (transfer none): the entry of a message
 */
TauSessionEntry *
tau_session_messages_get_entry (TauSessionMessages *self,
                                guint               position)
{
  g_return_val_if_fail (TAU_IS_SESSION_MESSAGES (self), NULL);
  g_return_val_if_fail (position < self->entries->len, NULL);

  return g_ptr_array_index (self->entries, position);
}

/**
 * tau_session_messages_get_outline:
 * @self: a list
 * @position: less than its length
 * @outline: (out caller-allocates): what is known of the message; good as long as the list does not change
 *
 * Tells of a message what can be told without parsing it.
 */
void
tau_session_messages_get_outline (TauSessionMessages *self,
                                  guint               position,
                                  TauMessageOutline  *outline)
{
  g_return_if_fail (TAU_IS_SESSION_MESSAGES (self));
  g_return_if_fail (position < self->entries->len);

  tau_session_entry_get_outline (g_ptr_array_index (self->entries, position), outline);
}

/**
 * tau_session_messages_find_switch:
 * @self: a list
 * @position: less than its length
 * @model: (out) (nullable) (transfer full): the model's id, if another one was chosen
 * @thinking_level: (out) (nullable) (transfer full): the level, if another one was chosen
 *
 * Tells what was switched before a message. That nothing was is known without parsing.
 *
 * Returns: whether anything was
 */
gboolean
tau_session_messages_find_switch (TauSessionMessages  *self,
                                  guint                position,
                                  char               **model,
                                  char               **thinking_level)
{
  TauSessionEntry *entry;

  g_return_val_if_fail (TAU_IS_SESSION_MESSAGES (self), FALSE);
  g_return_val_if_fail (position < self->entries->len, FALSE);

  *model = *thinking_level = NULL;
  entry = g_ptr_array_index (self->entries, position);
  if (self->tree == NULL || position == 0
      || g_strcmp0 (tau_session_entry_get_parent_id (entry),
                    tau_session_entry_get_id (g_ptr_array_index (self->entries, position - 1))) == 0)
    return FALSE;
  return tau_session_switch_find (self->tree, entry, model, thinking_level);
}

/**
 * tau_session_messages_get_size:
 * @self: a list
 *
 * Returns: bytes that the entries have in the file; parsed they are about as large
 */
gsize
tau_session_messages_get_size (TauSessionMessages *self)
{
  gsize size = 0;

  g_return_val_if_fail (TAU_IS_SESSION_MESSAGES (self), 0);

  for (guint i = 0; i < self->entries->len; i++)
    size += tau_session_entry_get_length (g_ptr_array_index (self->entries, i));
  return size;
}

/**
 * tau_session_messages_dup_all:
 * @self: a list
 *
 * Returns: (transfer full) (element-type TauMessage): all messages that can be read
 */
GPtrArray *
tau_session_messages_dup_all (TauSessionMessages *self)
{
  GPtrArray *messages;

  g_return_val_if_fail (TAU_IS_SESSION_MESSAGES (self), NULL);

  messages = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->entries->len; i++)
    {
      TauMessage *message = tau_session_entry_dup_message (g_ptr_array_index (self->entries, i));

      if (message != NULL)
        g_ptr_array_add (messages, message);
    }
  return messages;
}

/**
 * tau_session_messages_dup_last_answer:
 * @self: a list
 * @position: (inout): where to look from, backwards and without it; then where it was found
 *
 * Returns: (transfer full) (nullable): the last answer of a model before @position
 */
TauMessage *
tau_session_messages_dup_last_answer (TauSessionMessages *self,
                                      guint              *position)
{
  g_return_val_if_fail (TAU_IS_SESSION_MESSAGES (self), NULL);

  while ((*position)-- > 0)
    {
      g_autoptr(TauMessage) message = NULL;
      TauMessageOutline outline;

      tau_session_messages_get_outline (self, *position, &outline);
      if (outline.known && outline.kind != TAU_MESSAGE_KIND_ASSISTANT)
        continue;
      message = tau_session_entry_dup_message (g_ptr_array_index (self->entries, *position));
      if (message != NULL && tau_message_get_kind (message) == TAU_MESSAGE_KIND_ASSISTANT)
        return g_steal_pointer (&message);
    }
  return NULL;
}
