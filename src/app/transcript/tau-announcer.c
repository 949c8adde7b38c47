/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/transcript/tau-announcer.h"

#include "app/transcript/tau-row-texts.h"
#include "core/base/tau-text.h"
#include "core/message/tau-assistant-message.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauAnnouncer: what a screen reader hears of a conversation: each message once, when it is finished, and never the
 * tokens it is made of. Nothing of it can be seen: its accessible name, as that of a status, is what was said last, and
 * the change of the name is what a reader speaks. It hears of messages that come in, not of those that are there when a
 * session is opened. */

#define SPOKEN_BYTES 2000   /* a longer message is read in the transcript */
#define AT_ONCE      8      /* messages that come in together; more are a session being loaded */

struct _TauAnnouncer
{
  GtkWidget   parent_instance;

  GListModel *messages;   /* nullable */
  char       *said;
};

G_DEFINE_FINAL_TYPE (TauAnnouncer, tau_announcer, GTK_TYPE_WIDGET)

static void
add_sentence (GString    *text,
              const char *sentence)
{
  if (tau_text_is_blank (sentence))
    return;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, sentence);
}

static void
add_calls (GString    *text,
           TauMessage *answer)
{
  for (guint i = 0; i < tau_message_get_n_blocks (answer); i++)
    {
      TauBlock *block = tau_message_get_block (answer, i);
      g_autofree char *sentence = NULL;

      if (tau_block_get_kind (block) != TAU_BLOCK_TOOL_CALL)
        continue;
      /* Translators: a screen reader says this. %s is a tool of the model, such as "read" or "bash". */
      sentence = g_strdup_printf (_("Step: %s"), tau_block_get_call_name (block));
      add_sentence (text, sentence);
    }
}

static char *
dup_words (TauMessage *message)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *words = NULL;

  switch (tau_message_get_kind (message))
    {
    case TAU_MESSAGE_KIND_ASSISTANT:
      words = tau_message_dup_text (message, "\n");
      add_sentence (text, words);
      add_calls (text, message);
      if (TAU_IS_ASSISTANT_MESSAGE (message)
          && tau_assistant_message_get_error_message (TAU_ASSISTANT_MESSAGE (message)) != NULL)
        add_sentence (text, tau_assistant_message_get_error_message (TAU_ASSISTANT_MESSAGE (message)));
      break;
    case TAU_MESSAGE_KIND_CUSTOM:
    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      words = tau_row_texts_dup_message (message);
      add_sentence (text, words);
      break;
    /* What one has written oneself; and results are looked at in their steps. */
    case TAU_MESSAGE_KIND_USER:
    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
    case TAU_MESSAGE_KIND_TOOL_RESULT:
    case TAU_MESSAGE_KIND_BASH_EXECUTION:
    case TAU_MESSAGE_KIND_ARTIFACT:
    case TAU_MESSAGE_KIND_OTHER:
    default:
      break;
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
messages_changed_cb (TauAnnouncer *self,
                     guint         position,
                     guint         n_removed,
                     guint         n_added)
{
  g_autoptr(GString) text = g_string_new (NULL);

  if (n_added == 0 || n_added > AT_ONCE || n_removed > 0
      || position + n_added != g_list_model_get_n_items (self->messages))
    return;
  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (self->messages, position + i);
      g_autofree char *words = dup_words (message);

      add_sentence (text, words);
    }
  tau_announcer_say (self, text->str);
}

static void
tau_announcer_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = *natural = 0;
}

static void
tau_announcer_dispose (GObject *object)
{
  tau_announcer_set_messages (TAU_ANNOUNCER (object), NULL);

  G_OBJECT_CLASS (tau_announcer_parent_class)->dispose (object);
}

static void
tau_announcer_finalize (GObject *object)
{
  g_free (TAU_ANNOUNCER (object)->said);

  G_OBJECT_CLASS (tau_announcer_parent_class)->finalize (object);
}

static void
tau_announcer_class_init (TauAnnouncerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_announcer_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_announcer_finalize;
  widget_class->measure = tau_announcer_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
tau_announcer_init (TauAnnouncer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
}

/**
 * tau_announcer_set_messages:
 * @self: an announcer
 * @messages: (nullable): a list of [class@Message]
 *
 * From now on speaks of what is added at the end of this list.
 */
void
tau_announcer_set_messages (TauAnnouncer *self,
                            GListModel   *messages)
{
  g_return_if_fail (TAU_IS_ANNOUNCER (self));

  if (self->messages == messages)
    return;
  if (self->messages != NULL)
    g_signal_handlers_disconnect_by_data (self->messages, self);
  g_set_object (&self->messages, messages);
  if (messages != NULL)
    g_signal_connect_swapped (messages, "items-changed", G_CALLBACK (messages_changed_cb), self);
}

/**
 * tau_announcer_say:
 * @self: an announcer
 * @sentence: what a screen reader is to speak; nothing if it is blank
 *
 * Speaks. What is said twice in a row is heard twice.
 */
void
tau_announcer_say (TauAnnouncer *self,
                   const char   *sentence)
{
  g_autofree char *valid = NULL;

  g_return_if_fail (TAU_IS_ANNOUNCER (self));

  if (tau_text_is_blank (sentence))
    return;
  valid = tau_text_make_valid (sentence, (gssize) tau_text_utf8_floor (sentence, MIN (strlen (sentence), SPOKEN_BYTES)));
  /* A name that is the same as before is no change; a space is not spoken. */
  if (g_strcmp0 (valid, self->said) == 0)
    {
      g_autofree char *again = g_strconcat (valid, " ", NULL);

      g_free (self->said);
      self->said = g_steal_pointer (&again);
    }
  else
    {
      g_free (self->said);
      self->said = g_steal_pointer (&valid);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->said, -1);
}
