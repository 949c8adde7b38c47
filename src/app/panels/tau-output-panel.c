/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-output-panel.h"

#include "app/panels/tau-survivor-list.h"
#include "core/base/tau-text.h"
#include "core/message/tau-tool-result-message.h"
#include "core/tool/tau-tool-title.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

/* From when on it is worth saying that a command prints nothing. */
#define QUIET_SECONDS 15

/* The side panel's output page: the text of one tool call, live while it runs. It follows the newest call until the
 * user selects one. A call that runs is read from its TauToolRun; one that is over, from its result in the
 * transcript. Redrawn at most once per frame, and only while something changes. */
struct _TauOutputPanel
{
  GtkBox           parent_instance;

  TauAgentSession *session;
  GSignalGroup    *session_signals;
  GSignalGroup    *runs_signals;
  GSignalGroup    *run_signals;
  TauToolRun      *run;         /* the call shown, if it ran in this session; kept after its end */
  char            *call_id;     /* the call shown */
  gboolean         following;   /* the newest call is shown */
  guint            tick_id;     /* one frame's refresh, while dirty */
  guint            clock_id;    /* seconds, while the call runs */

  GtkWidget       *hide_button;
  GtkStack        *stack;
  GtkLabel        *title;
  GtkWidget       *scroller;
  GtkTextView     *view;
  GtkLabel        *status;
  GtkTextMark     *end;         /* owned by the buffer */
};

enum
{
  PROP_0,
  PROP_CAN_HIDE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (TauOutputPanel, tau_output_panel, GTK_TYPE_BOX)

static gboolean
is_at_end (TauOutputPanel *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  return gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) >= gtk_adjustment_get_upper (adjustment) - 1;
}

/* Appends where the new text only grew, so that a selection and the scroll position survive. */
static void
set_text (TauOutputPanel *self,
          const char     *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *valid = tau_text_make_valid (text, -1);
  g_autofree char *shown = NULL;
  GtkTextIter start, end;
  gboolean stick = is_at_end (self);

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  shown = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  if (g_str_equal (shown, valid))
    return;
  if (g_str_has_prefix (valid, shown))
    gtk_text_buffer_insert (buffer, &end, valid + strlen (shown), -1);
  else
    gtk_text_buffer_set_text (buffer, valid, -1);
  if (stick && self->run != NULL)
    gtk_text_view_scroll_mark_onscreen (self->view, self->end);
}

static char *
dup_blocks_text (GPtrArray *blocks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      TauBlock *block = g_ptr_array_index (blocks, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TEXT)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", tau_block_get_text (block));
    }
  return g_string_free (text, FALSE);
}

static char *
dup_run_text (TauToolRun *run)
{
  TauToolOutcome *outcome = tau_tool_run_get_outcome (run);

  if (outcome == NULL)
    outcome = tau_tool_run_get_partial (run);
  return outcome != NULL ? dup_blocks_text (tau_tool_outcome_get_blocks (outcome)) : g_strdup ("");
}

static char *
dup_running_status (TauToolRun *run,
                    double      seconds)
{
  GString *status = g_string_new (NULL);
  int pid = tau_tool_run_get_pid (run);
  gint64 quiet = tau_tool_run_get_quiet_ms (run) / 1000;
  gint64 memory, cpu_time;

  g_string_printf (status, _("Running · %.0f s"), seconds);
  if (pid > 0 && quiet >= QUIET_SECONDS)
    g_string_append_printf (status, _(" · quiet for %.0f s"), (double) quiet);
  if (tau_tool_run_get_usage (run, &memory, &cpu_time))
    {
      g_autofree char *size = g_format_size ((guint64) memory);

      g_string_append_printf (status, _(" · %s of memory · %.0f s of processor time"), size, cpu_time / 1e6);
    }
  if (pid > 0)
    g_string_append_printf (status, _(" · process %d"), pid);
  return g_string_free (status, FALSE);
}

static char *
dup_status (TauToolRun *run)
{
  gint64 started = tau_tool_run_get_started (run);
  gint64 ended = tau_tool_run_get_ended (run);
  double seconds = started > 0 ? ((ended > 0 ? ended : g_get_monotonic_time ()) - started) / 1e6 : 0;

  switch (tau_tool_run_get_state (run))
    {
    case TAU_TOOL_RUN_PENDING:
      return g_strdup (_("Waiting"));
    case TAU_TOOL_RUN_RUNNING:
      return dup_running_status (run, seconds);
    case TAU_TOOL_RUN_DONE:
      return g_strdup_printf (_("Done · %.1f s"), seconds);
    case TAU_TOOL_RUN_FAILED:
      return g_strdup_printf (_("Failed · %.1f s"), seconds);
    default:
      g_return_val_if_reached (g_strdup (""));
    }
}

static void
update_status (TauOutputPanel *self)
{
  g_autofree char *status = self->run != NULL ? dup_status (self->run) : NULL;

  if (status != NULL)
    gtk_label_set_text (self->status, status);
}

static gboolean
clock_cb (gpointer user_data)
{
  update_status (user_data);
  return G_SOURCE_CONTINUE;
}

static void
update_clock (TauOutputPanel *self)
{
  gboolean runs = self->run != NULL && tau_tool_run_get_state (self->run) == TAU_TOOL_RUN_RUNNING
                  && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (runs && self->clock_id == 0)
    self->clock_id = g_timeout_add_seconds (1, clock_cb, self);
  else if (!runs)
    g_clear_handle_id (&self->clock_id, g_source_remove);
}

static void
set_title (TauOutputPanel *self,
           const char     *tool_name,
           JsonNode       *arguments)
{
  g_autoptr(TauToolTitle) title = tau_tool_title_new (tool_name, arguments);
  g_autofree char *text = tau_tool_title_dup_text (title);
  g_autofree char *valid = tau_text_make_valid (text, -1);
  GtkSourceLanguage *language = NULL;

  if (title->path != NULL)
    language = gtk_source_language_manager_guess_language (gtk_source_language_manager_get_default (), title->path, NULL);
  gtk_source_buffer_set_language (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (self->view)), language);
  gtk_label_set_text (self->title, valid);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), valid);
}

static void
show_run (TauOutputPanel *self)
{
  g_autofree char *text = dup_run_text (self->run);

  set_title (self, tau_tool_run_get_tool_name (self->run), tau_tool_run_get_raw_arguments (self->run));
  set_text (self, text);
  update_status (self);
  update_clock (self);
  gtk_stack_set_visible_child_name (self->stack, "output");
}

/* Looks through the transcript, newest first, for the result of the call and the call itself. */
static void
show_result (TauOutputPanel *self)
{
  GListModel *messages = tau_agent_session_get_messages (self->session);

  for (guint i = g_list_model_get_n_items (messages); i-- > 0;)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (messages, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message)
          && g_strcmp0 (tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)), self->call_id) == 0)
        {
          g_autofree char *text = tau_message_dup_text (message, "\n");
          gboolean failed = tau_tool_result_message_get_is_error (TAU_TOOL_RESULT_MESSAGE (message));

          set_text (self, text);
          gtk_label_set_text (self->status, failed ? _("Failed") : _("Done"));
          gtk_stack_set_visible_child_name (self->stack, "output");
        }
      for (guint j = 0; j < tau_message_get_n_blocks (message); j++)
        {
          TauBlock *block = tau_message_get_block (message, j);

          if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL && g_strcmp0 (tau_block_get_call_id (block), self->call_id) == 0)
            {
              set_title (self, tau_block_get_call_name (block), tau_block_get_arguments (block));
              return;
            }
        }
    }
}

static void
refresh (TauOutputPanel *self)
{
  if (self->run != NULL)
    show_run (self);
  else if (self->call_id != NULL && self->session != NULL)
    show_result (self);
  else
    gtk_stack_set_visible_child_name (self->stack, "empty");
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       user_data)
{
  TauOutputPanel *self = TAU_OUTPUT_PANEL (widget);

  self->tick_id = 0;
  refresh (self);
  return G_SOURCE_REMOVE;
}

static void
queue_refresh (TauOutputPanel *self)
{
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
set_run (TauOutputPanel *self,
         TauToolRun     *run)
{
  g_set_object (&self->run, run);
  g_signal_group_set_target (self->run_signals, run);
  update_clock (self);
  queue_refresh (self);
}

static void
runs_changed_cb (TauOutputPanel *self,
                 guint           position,
                 guint           removed,
                 guint           added,
                 GListModel     *runs)
{
  g_autoptr(TauToolRun) newest = NULL;

  if (!self->following || added == 0)
    return;
  newest = g_list_model_get_item (runs, position + added - 1);
  g_free (self->call_id);
  self->call_id = g_strdup (tau_tool_run_get_call_id (newest));
  set_run (self, newest);
}

/* The user's own command is shown as soon as it runs, whatever was looked at. */
static void
bash_run_changed_cb (TauOutputPanel *self)
{
  TauToolRun *run = tau_agent_session_get_bash_run (self->session);

  if (run == NULL)
    return;
  self->following = TRUE;
  g_free (self->call_id);
  self->call_id = g_strdup (tau_tool_run_get_call_id (run));
  set_run (self, run);
}

static void
copy_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  TauOutputPanel *self = TAU_OUTPUT_PANEL (widget);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* A source view does not follow the window's dark or light style by itself. */
static void
update_scheme (TauOutputPanel *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (self->view)),
                                      gtk_source_style_scheme_manager_get_scheme (schemes, dark ? "Adwaita-dark" : "Adwaita"));
}

static void
tau_output_panel_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_CAN_HIDE:
      g_value_set_boolean (value, gtk_widget_get_visible (TAU_OUTPUT_PANEL (object)->hide_button));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_output_panel_set_property (GObject      *object,
                               guint         id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  switch (id)
    {
    case PROP_CAN_HIDE:
      gtk_widget_set_visible (TAU_OUTPUT_PANEL (object)->hide_button, g_value_get_boolean (value));
      g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_output_panel_dispose (GObject *object)
{
  TauOutputPanel *self = TAU_OUTPUT_PANEL (object);

  g_clear_handle_id (&self->clock_id, g_source_remove);
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_object (&self->session_signals);
  g_clear_object (&self->runs_signals);
  g_clear_object (&self->run_signals);
  g_clear_object (&self->run);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_OUTPUT_PANEL);

  G_OBJECT_CLASS (tau_output_panel_parent_class)->dispose (object);
}

static void
tau_output_panel_finalize (GObject *object)
{
  g_free (TAU_OUTPUT_PANEL (object)->call_id);

  G_OBJECT_CLASS (tau_output_panel_parent_class)->finalize (object);
}

static void
tau_output_panel_class_init (TauOutputPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_output_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_output_panel_finalize;
  G_OBJECT_CLASS (klass)->get_property = tau_output_panel_get_property;
  G_OBJECT_CLASS (klass)->set_property = tau_output_panel_set_property;

  /**
   * TauOutputPanel:can-hide:
   *
   * Whether the panel has a button of its own that hides it: where it lies over the window's.
   */
  properties[PROP_CAN_HIDE] = g_param_spec_boolean ("can-hide", NULL, NULL, FALSE,
                                                    G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);

  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  g_type_ensure (TAU_TYPE_SURVIVOR_LIST);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/panels/output-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, hide_button);
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, title);
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, scroller);
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, view);
  gtk_widget_class_bind_template_child (widget_class, TauOutputPanel, status);
  gtk_widget_class_install_action (widget_class, "output.copy", NULL, copy_cb);
}

static void
tau_output_panel_init (TauOutputPanel *self)
{
  GtkTextIter end;

  gtk_widget_init_template (GTK_WIDGET (self));

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (self->view), &end);
  self->end = gtk_text_buffer_create_mark (gtk_text_view_get_buffer (self->view), NULL, &end, FALSE);
  self->following = TRUE;
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::bash-run", G_CALLBACK (bash_run_changed_cb), self);
  self->runs_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->runs_signals, "items-changed", G_CALLBACK (runs_changed_cb), self);
  self->run_signals = g_signal_group_new (TAU_TYPE_TOOL_RUN);
  g_signal_group_connect_swapped (self->run_signals, "notify", G_CALLBACK (queue_refresh), self);

  g_signal_connect (self, "map", G_CALLBACK (update_clock), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (update_clock), NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (update_scheme), self, G_CONNECT_SWAPPED);
  update_scheme (self);
}

/**
 * tau_output_panel_set_session:
 * @self: a panel
 * @session: (nullable): whose tool calls are shown
 *
 * Starts to follow the newest call of a session.
 */
void
tau_output_panel_set_session (TauOutputPanel  *self,
                              TauAgentSession *session)
{
  GListModel *runs = session != NULL ? tau_agent_session_get_tool_runs (session) : NULL;
  guint n = runs != NULL ? g_list_model_get_n_items (runs) : 0;

  g_return_if_fail (TAU_IS_OUTPUT_PANEL (self));

  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->session_signals, session);
  g_signal_group_set_target (self->runs_signals, runs);
  g_clear_pointer (&self->call_id, g_free);
  self->following = TRUE;
  set_run (self, NULL);
  if (n > 0)
    runs_changed_cb (self, n - 1, 0, 1, runs);
  if (session != NULL)
    bash_run_changed_cb (self);
}

static TauToolRun *
find_run (TauOutputPanel *self,
          const char     *call_id)
{
  GListModel *runs = tau_agent_session_get_tool_runs (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr(TauToolRun) run = g_list_model_get_item (runs, i);

      if (g_strcmp0 (tau_tool_run_get_call_id (run), call_id) == 0)
        return g_steal_pointer (&run);
    }
  return NULL;
}

/**
 * tau_output_panel_show_call:
 * @self: a panel
 * @call_id: (nullable): id of a tool call of the session, or %NULL to follow the newest again
 *
 * Shows one call and stops following.
 */
void
tau_output_panel_show_call (TauOutputPanel *self,
                            const char     *call_id)
{
  g_autoptr(TauToolRun) run = NULL;

  g_return_if_fail (TAU_IS_OUTPUT_PANEL (self));

  self->following = call_id == NULL;
  if (call_id == NULL || self->session == NULL)
    return;
  g_free (self->call_id);
  self->call_id = g_strdup (call_id);
  run = find_run (self, call_id);
  set_run (self, run);
}
