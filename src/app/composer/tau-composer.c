/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-composer.h"

#include "app/composer/tau-completion.h"
#include "app/composer/tau-model-button.h"
#include "app/composer/tau-paste.h"
#include "app/composer/tau-prompt-history.h"
#include "app/composer/tau-shell-input.h"
#include "app/transcript/tau-lazy-row.h"

#include <glib/gi18n.h>

/* Where the user types: a text view that grows, the model, what the context holds, and one round button that sends,
 * steers or stops. It never loses text: the field is emptied only when the session has accepted the prompt. What is
 * typed belongs to the session shown, which keeps it. Text that begins with "!" is a command for the shell, and the
 * composer says so while it is typed. */
struct _TauComposer
{
  GtkWidget        parent_instance;

  TauAgentSession *session;
  GSignalGroup    *session_signals;
  GSignalGroup    *queue_signals;
  TauCompletion   *completion;
  TauPromptHistory *history;
  GCancellable    *pasting; /* nullable; ends with the session shown */
  gboolean         switching; /* the text that appears is not typed */

  GtkWidget       *box;
  GtkWidget       *queue_box;
  GtkWidget       *scroller;
  GtkTextView     *text_view;
  GtkWidget       *placeholder;
  GtkLabel        *mode_label;   /* says what "!" does */
  TauModelButton  *model_button;
  GtkLabel        *usage_label;
  GtkWidget       *later_button; /* during a run: when to send */
  GtkButton       *send_button;
};

enum
{
  SENT,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauComposer, tau_composer, GTK_TYPE_WIDGET)

static GtkTextBuffer *
get_buffer (TauComposer *self)
{
  return gtk_text_view_get_buffer (self->text_view);
}

static gboolean
is_running (TauComposer *self)
{
  return self->session != NULL && tau_agent_session_get_state (self->session) != TAU_SESSION_IDLE;
}

static gboolean
has_text (TauComposer *self)
{
  g_autofree char *text = tau_composer_dup_text (self);

  return *g_strstrip (text) != '\0';
}

static TauShellInput
get_shell_input (TauComposer *self)
{
  g_autofree char *text = tau_composer_dup_text (self);

  return tau_shell_input_parse (text, NULL);
}

static gboolean
runs_command (TauComposer *self)
{
  return self->session != NULL && tau_agent_session_get_bash_run (self->session) != NULL;
}

/* One button: Stop while something runs and nothing is typed, Run for a command, Steer during a run, else Send. */
static void
update_button (TauComposer *self)
{
  GtkWidget *button = GTK_WIDGET (self->send_button);
  gboolean running = is_running (self);
  gboolean stop = (running || runs_command (self)) && !has_text (self);
  gboolean shell = get_shell_input (self) != TAU_SHELL_INPUT_NONE;
  const char *label = stop ? _("Stop") : shell ? _("Run") : running ? _("Steer") : _("Send");

  gtk_button_set_icon_name (self->send_button, stop ? "media-playback-stop-symbolic" : "go-up-symbolic");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), stop ? "win.stop" : "composer.send");
  if (stop)
    {
      gtk_widget_remove_css_class (button, "suggested-action");
      gtk_widget_add_css_class (button, "destructive-action");
    }
  else
    {
      gtk_widget_remove_css_class (button, "destructive-action");
      gtk_widget_add_css_class (button, "suggested-action");
    }
  gtk_widget_set_visible (self->later_button, running && !stop && !shell);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "composer.send", self->session != NULL && has_text (self));
}

/* A command looks like one, and the line below says who will see what it prints. */
static void
update_mode (TauComposer *self)
{
  TauShellInput input = get_shell_input (self);
  const char *said = input == TAU_SHELL_INPUT_SHOWN ? _("Shell command")
                     : input == TAU_SHELL_INPUT_HIDDEN ? _("Shell command, hidden from the model") : "";

  if (g_str_equal (gtk_label_get_text (self->mode_label), said))
    return;
  gtk_label_set_text (self->mode_label, said);
  gtk_widget_set_visible (GTK_WIDGET (self->mode_label), *said != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->model_button), *said == '\0');
  gtk_text_view_set_monospace (self->text_view, *said != '\0');
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text_view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, said, -1);
}

/* What is typed and where the cursor is belongs to the session. */
static void
keep_typed (TauComposer *self)
{
  g_autofree char *text = NULL;
  int cursor;

  if (self->session == NULL || self->switching)
    return;
  text = tau_composer_dup_text (self);
  g_object_get (get_buffer (self), "cursor-position", &cursor, NULL);
  tau_agent_session_set_typed (self->session, text, cursor);
}

/* A shell has no mentions: "@" in a command is meant for it. */
static void
update_completion (TauComposer *self)
{
  if (self->switching || get_shell_input (self) != TAU_SHELL_INPUT_NONE)
    tau_completion_close (self->completion);
  else
    tau_completion_update (self->completion);
}

static void
text_changed_cb (TauComposer *self)
{
  update_mode (self);
  gtk_widget_set_visible (self->placeholder, gtk_text_buffer_get_char_count (get_buffer (self)) == 0);
  update_button (self);
  keep_typed (self);
  update_completion (self);
}

static void
cursor_moved_cb (TauComposer *self)
{
  keep_typed (self);
  if (tau_completion_is_open (self->completion))
    update_completion (self);
}

static void
update_usage (TauComposer *self)
{
  TauSessionUsage usage = { .tokens = -1 };
  g_autofree char *text = NULL;
  g_autofree char *explained = NULL;

  if (self->session != NULL)
    tau_agent_session_get_usage (self->session, &usage);
  if (usage.tokens > 0 && usage.context_window > 0)
    {
      double percent = 100.0 * usage.tokens / usage.context_window;

      text = usage.totals.cost_total > 0 ? g_strdup_printf ("%.0f %% · $%.2f", percent, usage.totals.cost_total)
                                         : g_strdup_printf ("%.0f %%", percent);
      explained = g_strdup_printf (_("The conversation fills %.0f %% of what the model can read. It has cost $%.2f so far."),
                                   percent, usage.totals.cost_total);
    }
  gtk_label_set_text (self->usage_label, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->usage_label), explained);
}

static void
state_changed_cb (TauComposer *self)
{
  update_button (self);
  update_usage (self);
}

static GtkWidget *
queue_row (TauMessage *message)
{
  g_autofree char *text = tau_message_dup_text (message, " ");
  GtkWidget *label = gtk_label_new (g_strdelimit (text, "\n\t", ' '));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* Shows what waits for the run in progress, so that a queued message is never out of sight. */
static void
queue_changed_cb (TauComposer *self)
{
  GListModel *queued = self->session != NULL ? tau_agent_session_get_queued (self->session) : NULL;
  guint n = queued != NULL ? g_list_model_get_n_items (queued) : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->queue_box)) != NULL)
    gtk_box_remove (GTK_BOX (self->queue_box), child);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (queued, i);

      gtk_box_append (GTK_BOX (self->queue_box), queue_row (message));
    }
  if (n > 0)
    {
      GtkWidget *take_back = gtk_button_new_with_label (_("Take back"));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (take_back), "composer.take-back");
      gtk_widget_add_css_class (take_back, "flat");
      gtk_widget_set_halign (take_back, GTK_ALIGN_START);
      gtk_box_append (GTK_BOX (self->queue_box), take_back);
    }
  gtk_widget_set_visible (self->queue_box, n > 0);
}

static void
send_action_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  tau_composer_send (TAU_COMPOSER (widget), TAU_DELIVERY_STEER);
}

static void
send_later_action_cb (GtkWidget  *widget,
                      const char *action,
                      GVariant   *parameter)
{
  tau_composer_send (TAU_COMPOSER (widget), TAU_DELIVERY_FOLLOW_UP);
}

static void
take_back_action_cb (GtkWidget  *widget,
                     const char *action,
                     GVariant   *parameter)
{
  TauComposer *self = TAU_COMPOSER (widget);
  g_autofree char *queued = self->session != NULL ? tau_agent_session_take_queued (self->session) : g_strdup ("");

  tau_composer_put_before (self, queued);
}

static void
pasted_cb (GObject      *view,
           GAsyncResult *result,
           gpointer      user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr(TauComposer) self = g_weak_ref_get (weak);
  g_autoptr(GError) error = NULL;

  g_weak_ref_clear (weak);
  g_free (weak);
  if (!tau_paste_finish (GTK_TEXT_VIEW (view), result, &error) && self != NULL
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, signals[FAILED], 0, error->message);
}

/* Instead of the text view's own, which says nothing when it cannot and keeps CR. */
static void
paste_clipboard_cb (TauComposer *self)
{
  GWeakRef *weak = g_new0 (GWeakRef, 1);

  g_signal_stop_emission_by_name (self->text_view, "paste-clipboard");
  g_weak_ref_init (weak, self);
  if (self->pasting == NULL)
    self->pasting = g_cancellable_new ();
  tau_paste_async (self->text_view, self->pasting, pasted_cb, weak);
}

static void
stop_pasting (TauComposer *self)
{
  g_cancellable_cancel (self->pasting);
  g_clear_object (&self->pasting);
}

/* Enter belongs to the input method while it has a preedit: it is asked first, and only what it declines is ours.
 * Everything but Enter goes on to the text view, which asks the input method itself. */
static gboolean
key_pressed_cb (TauComposer           *self,
                guint                  keyval,
                guint                  keycode,
                GdkModifierType        state,
                GtkEventControllerKey *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (keyval == GDK_KEY_Up && modifiers == GDK_ALT_MASK)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "composer.take-back", NULL);
      return GDK_EVENT_STOP;
    }
  if (modifiers == 0 && tau_completion_wants_key (self->completion, keyval)
      && (gtk_text_view_im_context_filter_keypress (self->text_view, event)
          || tau_completion_take_key (self->completion, keyval)))
    return GDK_EVENT_STOP;
  if (modifiers == 0 && tau_prompt_history_wants_key (self->history, keyval)
      && (gtk_text_view_im_context_filter_keypress (self->text_view, event)
          || tau_prompt_history_take_key (self->history, keyval)))
    {
      tau_completion_close (self->completion);
      return GDK_EVENT_STOP;
    }
  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter && keyval != GDK_KEY_ISO_Enter)
    return GDK_EVENT_PROPAGATE;
  if (modifiers != 0 && modifiers != GDK_ALT_MASK)
    return GDK_EVENT_PROPAGATE;
  if (gtk_text_view_im_context_filter_keypress (self->text_view, event))
    return GDK_EVENT_STOP;

  tau_composer_send (self, modifiers == GDK_ALT_MASK ? TAU_DELIVERY_FOLLOW_UP : TAU_DELIVERY_STEER);
  return GDK_EVENT_STOP;
}

static void
tau_composer_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  int x, column = for_size;

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    tau_column_place (widget, for_size, &x, &column);
  gtk_widget_measure (TAU_COMPOSER (widget)->box, orientation, column, minimum, natural, NULL, NULL);
}

/* The card stands on the edges of the transcript's column; the field in it grows to a third of the window. */
static void
tau_composer_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  TauComposer *self = TAU_COMPOSER (widget);
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  int limit = root != NULL ? MAX (48, gtk_widget_get_height (root) / 3) : 240;
  int x, column;

  tau_column_place (widget, width, &x, &column);
  if (gtk_scrolled_window_get_max_content_height (GTK_SCROLLED_WINDOW (self->scroller)) != limit)
    gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), limit);
  gtk_widget_size_allocate (self->box, &(GtkAllocation) { x, 0, column, height }, baseline);
  tau_completion_present (self->completion);
}

static gboolean
tau_composer_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TAU_COMPOSER (widget)->text_view));
}

static void
tau_composer_dispose (GObject *object)
{
  TauComposer *self = TAU_COMPOSER (object);

  g_clear_object (&self->session_signals);
  g_clear_object (&self->queue_signals);
  g_clear_object (&self->session);
  if (self->completion != NULL)
    g_object_run_dispose (G_OBJECT (self->completion));
  g_clear_object (&self->completion);
  g_clear_object (&self->history);
  stop_pasting (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_COMPOSER);

  G_OBJECT_CLASS (tau_composer_parent_class)->dispose (object);
}

static void
tau_composer_class_init (TauComposerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_composer_dispose;
  widget_class->measure = tau_composer_measure;
  widget_class->size_allocate = tau_composer_size_allocate;
  widget_class->grab_focus = tau_composer_grab_focus;

  /**
   * TauComposer::sent:
   * @self: the composer
   *
   * A prompt was accepted by the session.
   */
  signals[SENT] = g_signal_new ("sent", TAU_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * TauComposer::failed:
   * @self: the composer
   * @message: why
   *
   * The session did not accept a prompt; the text is still in the field.
   */
  signals[FAILED] = g_signal_new ("failed", TAU_TYPE_COMPOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (TAU_TYPE_MODEL_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/composer/composer.ui");
  gtk_widget_class_bind_template_child (widget_class, TauComposer, box);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, queue_box);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, scroller);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, text_view);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, placeholder);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, mode_label);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, model_button);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, usage_label);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, later_button);
  gtk_widget_class_bind_template_child (widget_class, TauComposer, send_button);
  gtk_widget_class_install_action (widget_class, "composer.send", NULL, send_action_cb);
  gtk_widget_class_install_action (widget_class, "composer.send-later", NULL, send_later_action_cb);
  gtk_widget_class_install_action (widget_class, "composer.take-back", NULL, take_back_action_cb);
  gtk_widget_class_set_css_name (widget_class, "composer");
}

static void
tau_composer_init (TauComposer *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));

  self->completion = tau_completion_new (GTK_WIDGET (self), self->text_view);
  self->history = tau_prompt_history_new (self->text_view);
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::state", G_CALLBACK (state_changed_cb), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::bash-run", G_CALLBACK (update_button), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::model", G_CALLBACK (update_usage), self);
  self->queue_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->queue_signals, "items-changed", G_CALLBACK (queue_changed_cb), self);

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text_view), keys);
  g_signal_connect_swapped (self->text_view, "paste-clipboard", G_CALLBACK (paste_clipboard_cb), self);
  g_signal_connect_swapped (get_buffer (self), "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (get_buffer (self), "notify::cursor-position", G_CALLBACK (cursor_moved_cb), self);
  update_button (self);
}

/* The session knows what was typed for it. */
static void
show_typed (TauComposer *self)
{
  int cursor = 0;
  const char *typed = self->session != NULL ? tau_agent_session_get_typed (self->session, &cursor) : "";
  GtkTextIter place;

  self->switching = TRUE;
  tau_composer_set_text (self, typed);
  gtk_text_buffer_get_iter_at_offset (get_buffer (self), &place, cursor);
  gtk_text_buffer_place_cursor (get_buffer (self), &place);
  self->switching = FALSE;
}

/**
 * tau_composer_set_session:
 * @self: a composer
 * @session: (nullable): the session shown
 *
 * Shows another session's unsent text, queue and model; what was typed for the former one is kept.
 */
void
tau_composer_set_session (TauComposer     *self,
                          TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_COMPOSER (self));

  if (self->session == session)
    return;
  stop_pasting (self);
  g_set_object (&self->session, session);
  g_signal_group_set_target (self->session_signals, session);
  g_signal_group_set_target (self->queue_signals, session != NULL ? tau_agent_session_get_queued (session) : NULL);
  tau_model_button_set_session (self->model_button, session);
  tau_completion_set_session (self->completion, session);
  tau_prompt_history_set_session (self->history, session);

  show_typed (self);
  queue_changed_cb (self);
  state_changed_cb (self);
}

/**
 * tau_composer_dup_text:
 * @self: a composer
 *
 * Returns: (transfer full): what is typed
 */
char *
tau_composer_dup_text (TauComposer *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  return gtk_text_buffer_get_text (get_buffer (self), &start, &end, FALSE);
}

/**
 * tau_composer_set_text:
 * @self: a composer
 * @text: new text
 *
 * Replaces what is typed and puts the cursor at its end.
 */
void
tau_composer_set_text (TauComposer *self,
                       const char  *text)
{
  GtkTextIter end;

  g_return_if_fail (TAU_IS_COMPOSER (self));

  gtk_text_buffer_set_text (get_buffer (self), text, -1);
  gtk_text_buffer_get_end_iter (get_buffer (self), &end);
  gtk_text_buffer_place_cursor (get_buffer (self), &end);
}

/**
 * tau_composer_put_before:
 * @self: a composer
 * @text: text that comes back: a queued message, an earlier prompt
 *
 * Puts text before what is typed, with a blank line between, so that neither is lost.
 */
void
tau_composer_put_before (TauComposer *self,
                         const char  *text)
{
  g_autofree char *typed = tau_composer_dup_text (self);
  g_autofree char *joined = NULL;

  g_return_if_fail (TAU_IS_COMPOSER (self));

  if (*text == '\0')
    return;
  joined = *typed == '\0' ? g_strdup (text) : g_strconcat (text, "\n\n", typed, NULL);
  tau_composer_set_text (self, joined);
}

static void
command_ended_cb (GObject      *session,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr(TauComposer) self = g_weak_ref_get (weak);
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashExecutionMessage) message = tau_agent_session_run_bash_finish (TAU_AGENT_SESSION (session), result, &error);

  g_weak_ref_clear (weak);
  g_free (weak);
  if (message == NULL && self != NULL)
    g_signal_emit (self, signals[FAILED], 0, error->message);
}

/* One command at a time; the next one stays in the field till then. */
static void
run_command (TauComposer  *self,
             TauShellInput input,
             const char   *command)
{
  GWeakRef *weak;

  if (runs_command (self))
    {
      g_signal_emit (self, signals[FAILED], 0, _("A command is still running. Stop it first."));
      return;
    }
  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  tau_agent_session_run_bash_async (self->session, command, input == TAU_SHELL_INPUT_HIDDEN, command_ended_cb, weak);
  tau_composer_set_text (self, "");
  g_signal_emit (self, signals[SENT], 0);
}

/**
 * tau_composer_send:
 * @self: a composer
 * @delivery: what to do while a run is on
 *
 * Hands the text to the session, as a prompt or as a command for the shell. The field is emptied only if the session accepts it; else #TauComposer::failed says why.
 */
void
tau_composer_send (TauComposer *self,
                   TauDelivery  delivery)
{
  g_autofree char *text = tau_composer_dup_text (self);
  g_autofree char *command = NULL;
  g_autoptr(GError) error = NULL;
  TauShellInput input;

  g_return_if_fail (TAU_IS_COMPOSER (self));

  if (self->session == NULL || !has_text (self))
    return;
  input = tau_shell_input_parse (text, &command);
  if (command != NULL)
    {
      run_command (self, input, command);
      return;
    }
  if (!tau_agent_session_prompt (self->session, text, NULL, delivery, &error))
    {
      g_signal_emit (self, signals[FAILED], 0, error->message);
      return;
    }
  tau_composer_set_text (self, "");
  g_signal_emit (self, signals[SENT], 0);
}

/**
 * tau_composer_choose_model:
 * @self: a composer
 *
 * Opens the list of models.
 */
void
tau_composer_choose_model (TauComposer *self)
{
  g_return_if_fail (TAU_IS_COMPOSER (self));

  tau_model_button_popup (self->model_button);
}
