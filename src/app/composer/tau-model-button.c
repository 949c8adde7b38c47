/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-model-button.h"

#include "app/composer/tau-model-picker.h"

#include <glib/gi18n.h>

/* Which model answers, and how much it thinks: a menu button with the list of all models,
 * and a drop-down that shows only the levels which the chosen model knows. */
struct _TauModelButton
{
  GtkWidget           parent_instance;

  TauAgentSession    *session;
  GSignalGroup       *session_signals;
  GArray             *levels;     /* of TauThinkingLevel, as in the drop-down */
  gboolean            updating;   /* the drop-down is being filled, not chosen from */

  GtkMenuButton      *button;
  GtkLabel           *name;
  TauModelPicker     *picker;
  GtkDropDown        *thinking;
};

enum
{
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauModelButton, tau_model_button, GTK_TYPE_WIDGET)

static const char *
level_label (TauThinkingLevel level)
{
  static const char * const labels[TAU_THINKING_N_LEVELS] = {
    N_("Thinking: off"), N_("Thinking: minimal"), N_("Thinking: low"),
    N_("Thinking: medium"), N_("Thinking: high"), N_("Thinking: highest"),
  };

  return _(labels[level]);
}

static void
update_thinking (TauModelButton *self)
{
  TauModel *model = self->session != NULL ? tau_agent_session_get_model (self->session) : NULL;
  TauThinkingLevel current = self->session != NULL ? tau_agent_session_get_thinking_level (self->session) : TAU_THINKING_OFF;
  g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;

  self->updating = TRUE;
  g_array_set_size (self->levels, 0);
  for (TauThinkingLevel level = TAU_THINKING_OFF; model != NULL && level < TAU_THINKING_N_LEVELS; level++)
    {
      if (!tau_model_supports_level (model, level))
        continue;
      if (level == current)
        selected = self->levels->len;
      g_array_append_val (self->levels, level);
      gtk_string_list_append (names, level_label (level));
    }
  gtk_drop_down_set_model (self->thinking, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->thinking, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->thinking), self->levels->len > 1);
  self->updating = FALSE;
}

static void
update_model (TauModelButton *self)
{
  TauModel *model = self->session != NULL ? tau_agent_session_get_model (self->session) : NULL;
  const char *name = model != NULL ? tau_model_get_name (model) : _("Choose a model");
  g_autofree char *label = g_strdup_printf (_("Model: %s"), name);

  gtk_label_set_text (self->name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  update_thinking (self);
}

static void
thinking_selected_cb (TauModelButton *self)
{
  guint selected = gtk_drop_down_get_selected (self->thinking);

  if (self->updating || self->session == NULL || selected >= self->levels->len)
    return;
  tau_agent_session_set_thinking_level (self->session, g_array_index (self->levels, TauThinkingLevel, selected));
}

static void
failed_cb (TauModelButton *self,
           const char     *message)
{
  g_signal_emit (self, signals[FAILED], 0, message);
}

static void
setup_level_cb (GtkListItemFactory *factory,
                GtkListItem        *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind_level_cb (GtkListItemFactory *factory,
               GtkListItem        *item)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

/* A drop-down has no flat style of its own; the button in it has. What it shows may be cut in a narrow window, what its
 * list shows may not. */
static void
set_up_thinking (TauModelButton *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  gtk_drop_down_set_list_factory (self->thinking, gtk_drop_down_get_factory (self->thinking));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_level_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_level_cb), NULL);
  gtk_drop_down_set_factory (self->thinking, factory);
  g_object_unref (factory);
  gtk_widget_add_css_class (gtk_widget_get_first_child (GTK_WIDGET (self->thinking)), "flat");
}

static void
tau_model_button_dispose (GObject *object)
{
  TauModelButton *self = TAU_MODEL_BUTTON (object);

  g_clear_object (&self->session_signals);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_MODEL_BUTTON);

  G_OBJECT_CLASS (tau_model_button_parent_class)->dispose (object);
}

static void
tau_model_button_finalize (GObject *object)
{
  g_array_unref (TAU_MODEL_BUTTON (object)->levels);

  G_OBJECT_CLASS (tau_model_button_parent_class)->finalize (object);
}

static void
tau_model_button_class_init (TauModelButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_model_button_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_model_button_finalize;

  /**
   * TauModelButton::failed:
   * @self: the button
   * @message: why
   *
   * The session did not take the chosen model.
   */
  signals[FAILED] = g_signal_new ("failed", TAU_TYPE_MODEL_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (TAU_TYPE_MODEL_PICKER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/composer/model-button.ui");
  gtk_widget_class_bind_template_child (widget_class, TauModelButton, button);
  gtk_widget_class_bind_template_child (widget_class, TauModelButton, name);
  gtk_widget_class_bind_template_child (widget_class, TauModelButton, picker);
  gtk_widget_class_bind_template_child (widget_class, TauModelButton, thinking);
  gtk_widget_class_bind_template_callback (widget_class, failed_cb);
  gtk_widget_class_bind_template_callback (widget_class, thinking_selected_cb);
}

static void
tau_model_button_init (TauModelButton *self)
{
  self->levels = g_array_new (FALSE, FALSE, sizeof (TauThinkingLevel));
  self->updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->updating = FALSE;

  set_up_thinking (self);
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::model", G_CALLBACK (update_model), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::thinking-level", G_CALLBACK (update_thinking), self);
  update_model (self);
}

/**
 * tau_model_button_set_session:
 * @self: a button
 * @session: (nullable): whose model is shown and chosen
 *
 * Shows another session's model.
 */
void
tau_model_button_set_session (TauModelButton  *self,
                              TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_MODEL_BUTTON (self));

  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->session_signals, session);
  tau_model_picker_set_session (self->picker, session);
  update_model (self);
}

/**
 * tau_model_button_popup:
 * @self: a button
 *
 * Opens the list of models with the search field focused.
 */
void
tau_model_button_popup (TauModelButton *self)
{
  g_return_if_fail (TAU_IS_MODEL_BUTTON (self));

  gtk_menu_button_popup (self->button);
}
