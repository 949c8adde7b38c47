/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-prompt-history.h"

#include "core/message/tau-user-message.h"

/* Up in an empty field brings back the last prompt of the session, further ones the prompts before it; Down goes the
 * other way, to the empty field at last. A prompt that was changed is the user's own text from then on and is never
 * replaced. It reads the session's messages when asked and keeps none of them. Owned by the composer. */
struct _TauPromptHistory
{
  GObject          parent_instance;

  GtkTextView     *view;    /* the composer's, which outlives this */
  TauAgentSession *session; /* nullable */
  guint            place;   /* of the prompt shown, among the messages */
  char            *shown;   /* nullable: none is */
};

G_DEFINE_FINAL_TYPE (TauPromptHistory, tau_prompt_history, G_TYPE_OBJECT)

static GtkTextBuffer *
get_buffer (TauPromptHistory *self)
{
  return gtk_text_view_get_buffer (self->view);
}

/* Whether the field holds the prompt that was put there, as it was put. */
static gboolean
shows_prompt (TauPromptHistory *self)
{
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (self->shown == NULL)
    return FALSE;
  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  text = gtk_text_buffer_get_text (get_buffer (self), &start, &end, TRUE);
  return g_str_equal (text, self->shown);
}

/* Lines as they are seen, wrapped ones too: inside of a prompt the keys move the cursor. */
static gboolean
cursor_is_on_edge (TauPromptHistory *self,
                   gboolean          up)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter cursor, edge;
  GdkRectangle at_cursor, at_edge;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  gtk_text_buffer_get_start_iter (buffer, &edge);
  if (!up)
    gtk_text_buffer_get_end_iter (buffer, &edge);
  gtk_text_view_get_iter_location (self->view, &cursor, &at_cursor);
  gtk_text_view_get_iter_location (self->view, &edge, &at_edge);
  return at_cursor.y == at_edge.y;
}

/* The text of the message at @place if a person wrote it and it says something else than what is shown. */
static char *
dup_prompt (TauPromptHistory *self,
            GListModel       *messages,
            guint             place)
{
  g_autoptr(TauMessage) message = g_list_model_get_item (messages, place);
  g_autofree char *text = NULL;

  if (message == NULL || !TAU_IS_USER_MESSAGE (message))
    return NULL;
  text = tau_message_dup_text (message, "\n");
  if (*text == '\0' || g_strcmp0 (text, self->shown) == 0)
    return NULL;
  return g_steal_pointer (&text);
}

/* The cursor stands where the next key of the same kind goes on. */
static void
show (TauPromptHistory *self,
      const char       *text,
      gboolean          up)
{
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter cursor;

  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_get_start_iter (buffer, &cursor);
  if (!up)
    gtk_text_buffer_get_end_iter (buffer, &cursor);
  gtk_text_buffer_place_cursor (buffer, &cursor);
  gtk_text_view_scroll_mark_onscreen (self->view, gtk_text_buffer_get_insert (buffer));
}

static gboolean
go_back (TauPromptHistory *self)
{
  GListModel *messages = tau_agent_session_get_messages (self->session);
  guint n = g_list_model_get_n_items (messages);

  for (guint place = self->shown != NULL ? MIN (self->place, n) : n; place > 0; place--)
    {
      char *text = dup_prompt (self, messages, place - 1);

      if (text == NULL)
        continue;
      g_free (self->shown);
      self->shown = text;
      self->place = place - 1;
      show (self, text, TRUE);
      return TRUE;
    }
  return FALSE;
}

static void
go_forward (TauPromptHistory *self)
{
  GListModel *messages = tau_agent_session_get_messages (self->session);
  guint n = g_list_model_get_n_items (messages);
  char *text = NULL;

  while (text == NULL && self->place < n && ++self->place < n)
    text = dup_prompt (self, messages, self->place);
  g_free (self->shown);
  self->shown = text;
  show (self, text != NULL ? text : "", FALSE);
}

static void
tau_prompt_history_dispose (GObject *object)
{
  g_clear_object (&TAU_PROMPT_HISTORY (object)->session);
  G_OBJECT_CLASS (tau_prompt_history_parent_class)->dispose (object);
}

static void
tau_prompt_history_finalize (GObject *object)
{
  g_free (TAU_PROMPT_HISTORY (object)->shown);
  G_OBJECT_CLASS (tau_prompt_history_parent_class)->finalize (object);
}

static void
tau_prompt_history_class_init (TauPromptHistoryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_prompt_history_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_prompt_history_finalize;
}

static void
tau_prompt_history_init (TauPromptHistory *self)
{
}

/**
 * tau_prompt_history_new:
 * @view: where prompts are typed; must outlive the history
 *
 * Returns: (transfer full): a history without a session
 */
TauPromptHistory *
tau_prompt_history_new (GtkTextView *view)
{
  TauPromptHistory *self = g_object_new (TAU_TYPE_PROMPT_HISTORY, NULL);

  self->view = view;
  return self;
}

/**
 * tau_prompt_history_set_session:
 * @self: a history
 * @session: (nullable): whose prompts come back
 *
 * Begins anew with the last prompt of another session.
 */
void
tau_prompt_history_set_session (TauPromptHistory *self,
                                TauAgentSession  *session)
{
  g_return_if_fail (TAU_IS_PROMPT_HISTORY (self));

  if (g_set_object (&self->session, session))
    g_clear_pointer (&self->shown, g_free);
}

/**
 * tau_prompt_history_wants_key:
 * @self: a history
 * @keyval: a key without modifiers
 *
 * Returns: whether the key would change which prompt is shown
 */
gboolean
tau_prompt_history_wants_key (TauPromptHistory *self,
                              guint             keyval)
{
  gboolean up = keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up;
  gboolean down = keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down;

  g_return_val_if_fail (TAU_IS_PROMPT_HISTORY (self), FALSE);

  if (self->session == NULL || (!up && !down))
    return FALSE;
  if (up && gtk_text_buffer_get_char_count (get_buffer (self)) == 0)
    return TRUE;
  return shows_prompt (self) && cursor_is_on_edge (self, up);
}

/**
 * tau_prompt_history_take_key:
 * @self: a history
 * @keyval: a key that tau_prompt_history_wants_key() wanted
 *
 * Shows the prompt before or after the one shown.
 *
 * Returns: %FALSE at the first prompt, where the key is the text view's
 */
gboolean
tau_prompt_history_take_key (TauPromptHistory *self,
                             guint             keyval)
{
  g_return_val_if_fail (TAU_IS_PROMPT_HISTORY (self), FALSE);

  if (!shows_prompt (self))
    g_clear_pointer (&self->shown, g_free);
  if (keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up)
    return go_back (self);
  if (self->shown == NULL)
    return FALSE;
  go_forward (self);
  return TRUE;
}
