/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-tool-row.h"

#include "app/markdown/tau-code-view.h"
#include "app/markdown/tau-highlighter.h"
#include "app/markdown/tau-selection.h"
#include "app/transcript/tau-disclosure.h"
#include "app/transcript/tau-tool-body.h"
#include "core/tool/tau-tool-title.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauToolRow: one step of the model: a line with a triangle, a sign, the title, chips, and the state at its end. It
 * shows a call whose arguments are still coming, a run at work, or a result; errors and edits are open by default.
 * While a command works, or a file is being written, its last lines stand below the line. The clock ticks only while the row is on the screen. */
/* A command that prints nothing may wait for something that will never come. */
#define QUIET_SECONDS 15

struct _TauToolRow
{
  GtkWidget             parent_instance;
  TauDisclosure        *disclosure;
  GtkWidget            *sign;
  GtkWidget            *title;
  GtkWidget            *chips;
  GtkWidget            *state;
  GtkWidget            *state_icon;
  GtkWidget            *peek;       /* code view; child of the disclosure */
  TauToolBody           body;       /* what the open row shows */
  TauToolRun           *run;        /* nullable */
  guint                 clock;
  gboolean              stopped;
};

#define PEEK_LINES    5
#define WRITTEN_LINES 60   /* that are coloured, so that the last of them are coloured right */

static void text_host_init (TauTextHostInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauToolRow, tau_tool_row, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_TEXT_HOST, text_host_init))

static void
add_to_menu (TauTextHost *host,
             GMenu       *menu)
{
  if (TAU_TOOL_ROW (host)->body.is_command)
    g_menu_append (menu, _("Copy _Command"), "step.copy-command");
  g_menu_append (menu, _("Copy _Output"), "step.copy-output");
}

static void
text_host_init (TauTextHostInterface *iface)
{
  iface->add_to_menu = add_to_menu;
}

static void
copy_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  TauToolBody *body = &TAU_TOOL_ROW (widget)->body;
  g_autofree char *text = g_str_equal (action, "step.copy-command") ? tau_tool_body_dup_command (body)
                                                                    : tau_tool_body_dup_output (body);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static GtkWidget *
build_body (gpointer user_data)
{
  TauToolRow *self = user_data;

  return tau_tool_body_build (&self->body);
}

static void
activated_cb (TauToolRow *self)
{
  if (self->body.call_id)
    gtk_widget_activate_action (GTK_WIDGET (self), "transcript.select-tool", "s", self->body.call_id);
}

static void
set_state (TauToolRow *self,
           const char *icon,
           const char *text,
           const char *name,
           gboolean    failed)
{
  gtk_widget_set_visible (self->state_icon, icon != NULL);
  if (icon)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->state_icon), icon);
  gtk_label_set_label (GTK_LABEL (self->state), text ? text : "");
  gtk_widget_set_tooltip_text (self->state_icon, name);
  if (failed)
    {
      gtk_widget_add_css_class (self->state_icon, "error");
      gtk_widget_remove_css_class (self->state_icon, "dim-label");
    }
  else
    {
      gtk_widget_remove_css_class (self->state_icon, "error");
      gtk_widget_add_css_class (self->state_icon, "dim-label");
    }
  {
    g_autofree char *title = tau_tool_body_dup_title (&self->body);
    g_autofree char *full = g_strdup_printf ("%s, %s", title, name);

    tau_disclosure_set_name (self->disclosure, full);
  }
}

static char *
format_seconds (gint64 microseconds)
{
  gint64 seconds = microseconds / G_USEC_PER_SEC;

  if (seconds < 60)
    /* Translators: a duration; the space is a thin one. */
    return g_strdup_printf (_("%d s"), (int) seconds);
  /* Translators: a duration in minutes and seconds. */
  return g_strdup_printf (_("%d min %d s"), (int) (seconds / 60), (int) (seconds % 60));
}

static gboolean
is_running (TauToolRow *self)
{
  return self->run && !self->body.result &&
         (tau_tool_run_get_state (self->run) == TAU_TOOL_RUN_RUNNING ||
          tau_tool_run_get_state (self->run) == TAU_TOOL_RUN_PENDING);
}

static void
show_elapsed (TauToolRow *self)
{
  gint64 started = self->run ? tau_tool_run_get_started (self->run) : 0;
  g_autofree char *elapsed = started ? format_seconds (g_get_monotonic_time () - started) : NULL;
  gint64 quiet = started && self->body.is_command ? tau_tool_run_get_quiet_ms (self->run) * 1000 : 0;

  if (quiet >= QUIET_SECONDS * G_USEC_PER_SEC)
    {
      g_autofree char *silence = format_seconds (quiet);
      /* Translators: how long a command runs, and since when it has printed nothing. */
      char *both = g_strdup_printf (_("%s · quiet for %s"), elapsed, silence);

      g_free (elapsed);
      elapsed = both;
    }
  set_state (self, "content-loading-symbolic", elapsed, started ? _("running") : _("waiting"), FALSE);
}

static gboolean
clock_cb (gpointer user_data)
{
  show_elapsed (user_data);
  return G_SOURCE_CONTINUE;
}

static void
update_clock (TauToolRow *self)
{
  gboolean wanted = is_running (self) && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (wanted && !self->clock)
    self->clock = g_timeout_add_seconds (1, clock_cb, self);
  else if (!wanted)
    g_clear_handle_id (&self->clock, g_source_remove);
}

static void
update_state (TauToolRow *self)
{
  g_autofree char *exit_text = NULL;

  switch (tau_tool_body_get_outcome (&self->body))
    {
    case TAU_TOOL_OUTCOME_GOOD:
      set_state (self, "object-select-symbolic", NULL, _("done"), FALSE);
      break;
    case TAU_TOOL_OUTCOME_BAD:
      exit_text = tau_tool_body_dup_exit (&self->body);
      set_state (self, "window-close-symbolic", exit_text, _("failed"), TRUE);
      break;
    case TAU_TOOL_OUTCOME_STOPPED:
      set_state (self, "media-playback-stop-symbolic", NULL, _("stopped"), FALSE);
      break;
    case TAU_TOOL_OUTCOME_NONE:
    default:
      if (self->stopped)
        set_state (self, "media-playback-stop-symbolic", NULL, _("stopped"), FALSE);
      else
        show_elapsed (self);
      break;
    }
  update_clock (self);
}

/* What shows below the line before there is a result: the last lines that a command printed, or of a file as the model
 * writes it. */
static char *
dup_peek (TauToolRow *self)
{
  if (self->body.is_command)
    return is_running (self) ? tau_tool_body_dup_output (&self->body) : NULL;
  return self->body.result || self->stopped ? NULL : tau_tool_body_dup_written (&self->body, WRITTEN_LINES);
}

static void
update_peek (TauToolRow *self)
{
  g_autofree char *text = dup_peek (self);
  gsize length = text ? strlen (text) : 0;
  guint n_lines;

  while (length > 0 && text[length - 1] == '\n')
    length--;
  if (length == 0)
    {
      if (self->peek)
        tau_disclosure_set_peek (self->disclosure, NULL);
      self->peek = NULL;
      return;
    }
  if (!self->peek)
    {
      self->peek = tau_code_view_new ();
      gtk_widget_add_css_class (self->peek, "peek");
      gtk_widget_set_overflow (self->peek, GTK_OVERFLOW_HIDDEN);
      tau_disclosure_set_peek (self->disclosure, tau_tool_body_wrap_sideways (self->peek));
    }
  if (!self->body.is_command && self->body.title && self->body.title->path)
    tau_code_view_set_language (TAU_CODE_VIEW (self->peek), tau_highlighter_guess_language (self->body.title->path));
  tau_code_view_set_text (TAU_CODE_VIEW (self->peek), text, length);
  n_lines = tau_code_view_get_n_lines (TAU_CODE_VIEW (self->peek));
  tau_code_view_set_window (TAU_CODE_VIEW (self->peek), n_lines > PEEK_LINES ? n_lines - PEEK_LINES : 0, PEEK_LINES);
}

static void
add_chip (TauToolRow *self,
          const char *text,
          const char *css_class)
{
  GtkWidget *chip = gtk_label_new (text);

  gtk_widget_add_css_class (chip, "chip");
  gtk_widget_add_css_class (chip, css_class);
  gtk_box_append (GTK_BOX (self->chips), chip);
}

static void
update_chips (TauToolRow *self)
{
  guint n_added, n_removed;
  g_autofree char *lines = NULL;
  GtkWidget *chip;

  while ((chip = gtk_widget_get_first_child (self->chips)))
    gtk_box_remove (GTK_BOX (self->chips), chip);
  if (self->body.is_user)
    add_chip (self, _("you"), "dim-label");
  if (self->body.is_hidden)
    add_chip (self, _("hidden from the model"), "dim-label");
  if (tau_tool_body_count_changes (&self->body, &n_added, &n_removed))
    {
      g_autofree char *plus = g_strdup_printf ("+%u", n_added);
      g_autofree char *minus = g_strdup_printf ("−%u", n_removed);

      add_chip (self, plus, "success");
      add_chip (self, minus, "error");
    }
  else if ((lines = tau_tool_body_dup_lines (&self->body)))
    {
      add_chip (self, lines, "dim-label");
    }
}

static void
update_title (TauToolRow *self)
{
  const char *subject = self->body.title ? self->body.title->subject : "";
  const char *verb = self->body.title ? self->body.title->verb : NULL;

  gtk_label_set_label (GTK_LABEL (self->sign), verb ? verb : "$");
  if (verb)
    gtk_widget_remove_css_class (self->sign, "monospace");
  else
    gtk_widget_add_css_class (self->sign, "monospace");
  gtk_label_set_label (GTK_LABEL (self->title), subject);
}

static void
update (TauToolRow *self)
{
  update_title (self);
  update_chips (self);
  update_state (self);
  update_peek (self);
  tau_disclosure_set_default (self->disclosure, tau_tool_body_wants_open (&self->body));
  tau_disclosure_rebuild (self->disclosure);
}

static void
partial_cb (TauToolRow *self)
{
  tau_tool_body_set_partial (&self->body, tau_tool_run_get_partial (self->run));
  update_state (self);
  update_peek (self);
  if (tau_disclosure_is_expanded (self->disclosure))
    tau_disclosure_rebuild (self->disclosure);
}

static void
tau_tool_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tau_tool_row_parent_class)->map (widget);
  update_clock (TAU_TOOL_ROW (widget));
}

static void
tau_tool_row_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tau_tool_row_parent_class)->unmap (widget);
  update_clock (TAU_TOOL_ROW (widget));
}

static void
tau_tool_row_dispose (GObject *object)
{
  TauToolRow *self = TAU_TOOL_ROW (object);

  g_clear_handle_id (&self->clock, g_source_remove);
  if (self->run)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  if (self->disclosure)
    gtk_widget_unparent (GTK_WIDGET (self->disclosure));
  self->disclosure = NULL;
  tau_tool_body_clear (&self->body);
  G_OBJECT_CLASS (tau_tool_row_parent_class)->dispose (object);
}

static void
tau_tool_row_class_init (TauToolRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_tool_row_dispose;
  widget_class->map = tau_tool_row_map;
  widget_class->unmap = tau_tool_row_unmap;
  gtk_widget_class_install_action (widget_class, "step.copy-command", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "step.copy-output", NULL, copy_cb);
  gtk_widget_class_set_css_name (widget_class, "toolrow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_line (TauToolRow *self)
{
  GtkBox *line = GTK_BOX (tau_disclosure_get_line (self->disclosure));

  self->sign = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->sign, "tool-sign");
  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_single_line_mode (GTK_LABEL (self->title), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_add_css_class (self->title, "monospace");
  gtk_widget_add_css_class (self->title, "tool-title");
  gtk_widget_add_css_class (self->title, "findable");
  self->chips = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->state = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->state, "dim-label");
  gtk_widget_add_css_class (self->state, "tool-state");
  self->state_icon = gtk_image_new ();

  gtk_box_append (line, self->sign);
  gtk_box_append (line, self->title);
  gtk_box_append (line, self->chips);
  gtk_box_append (line, self->state);
  gtk_box_append (line, self->state_icon);
}

static void
tau_tool_row_init (TauToolRow *self)
{
  self->disclosure = TAU_DISCLOSURE (tau_disclosure_new (build_body, self));
  add_line (self);
  g_signal_connect_object (self->disclosure, "activated", G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->disclosure), GTK_WIDGET (self));
}

/**
 * tau_tool_row_new:
 * @expansions: (nullable): remembers whether it is open
 * @key: names it there
 *
 * Returns: (transfer floating): a row without a call
 */
GtkWidget *
tau_tool_row_new (TauExpansions *expansions,
                  guint64        key)
{
  TauToolRow *self = g_object_new (TAU_TYPE_TOOL_ROW, NULL);

  self->body.expansions = expansions ? g_object_ref (expansions) : NULL;
  self->body.key = key + 1;
  tau_disclosure_set_memory (self->disclosure, expansions, key);
  return GTK_WIDGET (self);
}

/**
 * tau_tool_row_set_call:
 * @self: a row
 * @call_id: (nullable): id of the call
 * @name: the tool
 * @call: (nullable): the call with its arguments, as far as they have come
 *
 * Shows a call of the model.
 */
void
tau_tool_row_set_call (TauToolRow *self,
                       const char *call_id,
                       const char *name,
                       TauBlock   *call)
{
  tau_tool_body_set_call (&self->body, call_id, name, call);
  update (self);
}

/**
 * tau_tool_row_set_result:
 * @self: a row
 * @result: what the tool gave
 *
 * Shows the result.
 */
void
tau_tool_row_set_result (TauToolRow           *self,
                         TauToolResultMessage *result)
{
  tau_tool_body_set_result (&self->body, result);
  update (self);
}

/**
 * tau_tool_row_set_run:
 * @self: a row
 * @run: (nullable): the call at work
 *
 * Shows what the run does.
 */
void
tau_tool_row_set_run (TauToolRow *self,
                      TauToolRun *run)
{
  if (self->run == run)
    return;

  if (self->run)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_set_object (&self->run, run);
  if (run)
    {
      g_signal_connect_object (run, "notify::partial", G_CALLBACK (partial_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (run, "notify::state", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
      tau_tool_body_set_partial (&self->body, tau_tool_run_get_partial (run));
    }
  update (self);
}

/**
 * tau_tool_row_set_stopped:
 * @self: a row
 * @stopped: whether the answer ended before the call could run
 *
 * A call without a result that will never get one.
 */
void
tau_tool_row_set_stopped (TauToolRow *self,
                          gboolean    stopped)
{
  self->stopped = stopped;
  update_state (self);
}

/**
 * tau_tool_row_set_since:
 * @self: a row
 * @since: time of the message with the call, in milliseconds
 *
 * Says when the call was made, so that the file it changed can be restored. To be called before the call is set.
 */
void
tau_tool_row_set_since (TauToolRow *self,
                        gint64      since)
{
  self->body.since = since;
}

/**
 * tau_tool_row_set_bash:
 * @self: a row
 * @message: a command that the user ran
 *
 * Shows a command of the user as one of the model, with a tag that says whose it is.
 */
void
tau_tool_row_set_bash (TauToolRow              *self,
                       TauBashExecutionMessage *message)
{
  tau_tool_body_set_bash (&self->body, message);
  update (self);
}
