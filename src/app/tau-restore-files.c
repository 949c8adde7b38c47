/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-restore-files.h"

#include "app/tau-window-private.h"
#include "core/base/tau-id.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* Restoring what the agent changed: the window's actions "win.restore-since" (milliseconds of a message),
 * "win.restore-call" (id of a call, milliseconds of its message) and "win.undo-restore". A dialog first shows which
 * files go back and which stay, and why; a message at the end offers to undo it. */

/* What is asked for, while a plan is made, shown and carried out. */
typedef struct
{
  GWeakRef window;
  TauAgentSession *session;
  TauRestoreScope scope;
  char *call_id;
} Request;

static Request *
request_new (TauWindow       *window,
             TauAgentSession *session,
             gint64           since,
             const char      *call_id)
{
  Request *request = g_new0 (Request, 1);

  g_weak_ref_init (&request->window, window);
  request->session = g_object_ref (session);
  request->call_id = g_strdup (call_id);
  request->scope = (TauRestoreScope) { .since = since, .call_id = request->call_id };
  return request;
}

static void
request_free (Request *request)
{
  g_weak_ref_clear (&request->window);
  g_object_unref (request->session);
  g_free (request->call_id);
  g_free (request);
}

static void
request_free_closure (gpointer  request,
                      GClosure *closure)
{
  request_free (request);
}

static guint
count (GPtrArray        *items,
       TauRestoreAction  action)
{
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    n += ((const TauRestoreItem *) g_ptr_array_index (items, i))->action == action;
  return n;
}

static guint
count_changed (GPtrArray *items)
{
  return count (items, TAU_RESTORE_WRITE) + count (items, TAU_RESTORE_REMOVE);
}

static const char *
describe (const TauRestoreItem *item)
{
  switch (item->action)
    {
    case TAU_RESTORE_WRITE:
      return _("gets its old content back");
    case TAU_RESTORE_REMOVE:
      return _("is removed, since it was not there");
    case TAU_RESTORE_NOTHING:
      return _("is already as it was");
    case TAU_RESTORE_SKIP:
    default:
      return NULL;
    }
}

/* The path as short as it can be said: below the session's folder, or below the home directory. */
static char *
dup_shown_path (const char *path,
                const char *folder)
{
  g_autofree char *shortened = tau_paths_shorten (path);
  const char *shown = shortened;

  if (g_str_has_prefix (path, folder) && path[strlen (folder)] == '/')
    shown = path + strlen (folder) + 1;
  return tau_text_make_valid (shown, -1);
}

static GtkWidget *
make_row (const TauRestoreItem *item,
          const char           *folder)
{
  g_autofree char *path = dup_shown_path (item->path, folder);
  g_autofree char *reason = item->reason != NULL ? g_strdup_printf (_("stays as it is. %s"), item->reason) : NULL;
  g_autofree char *title = g_markup_escape_text (path, -1);
  g_autofree char *subtitle = g_markup_escape_text (reason != NULL ? reason : describe (item), -1);
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

static GtkWidget *
make_list (GPtrArray  *items,
           const char *folder)
{
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_set_margin_start (list, 2);
  gtk_widget_set_margin_end (list, 2);
  gtk_widget_set_margin_top (list, 2);
  gtk_widget_set_margin_bottom (list, 2);
  for (guint i = 0; i < items->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), make_row (g_ptr_array_index (items, i), folder));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 360);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  /* Names need room; and a dialog narrower than its heading makes libadwaita 1.7 warn of itself. */
  gtk_widget_set_size_request (scroller, 288, -1);
  return scroller;
}

static void
say (TauWindow  *window,
     GPtrArray  *items,
     gboolean    undone)
{
  guint n = count_changed (items), n_skipped = count (items, TAU_RESTORE_SKIP);
  g_autofree char *done = g_strdup_printf (ngettext ("%u file restored", "%u files restored", n), n);
  g_autofree char *skipped = g_strdup_printf (ngettext ("%u file left as it is", "%u files left as they are", n_skipped), n_skipped);
  g_autofree char *text = NULL;
  AdwToast *toast;

  if (n == 0 && n_skipped == 0)
    text = g_strdup (_("There is nothing to undo"));
  else if (n_skipped == 0)
    text = g_strdup (done);
  else
    /* Translators: "3 files restored, 1 file left as it is" */
    text = g_strdup_printf (_("%s, %s"), done, skipped);
  toast = adw_toast_new (text);
  if (n > 0 && !undone)
    {
      adw_toast_set_button_label (toast, _("_Undo"));
      adw_toast_set_action_name (toast, "win.undo-restore");
    }
  tau_window_add_toast (window, toast);
}

static void
restored_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Request *request = user_data;
  g_autoptr(GPtrArray) items = tau_checkpoints_run_finish (TAU_CHECKPOINTS (object), result);
  g_autoptr(TauWindow) window = g_weak_ref_get (&request->window);

  if (window != NULL)
    say (window, items, request->scope.restore_id != NULL);
  request_free (request);
}

/* Files change under the agent's hands while it runs: then is not the time. */
static gboolean
is_busy (Request *request)
{
  g_autoptr(TauWindow) window = g_weak_ref_get (&request->window);

  if (tau_agent_session_get_state (request->session) == TAU_SESSION_IDLE)
    return FALSE;
  if (window != NULL)
    tau_window_show_message (window, _("Files can be restored when the agent is done. Stop it first."));
  return TRUE;
}

/* Takes @request. */
static void
restore (Request *request)
{
  g_autofree char *id = tau_id_new_uuid_v4 ();

  if (is_busy (request))
    request_free (request);
  else
    tau_checkpoints_run_async (tau_agent_session_get_checkpoints (request->session), &request->scope, id, restored_cb, request);
}

static void
response_cb (AdwMessageDialog *dialog,
             const char       *response,
             Request          *request)
{
  g_autoptr(TauWindow) window = g_weak_ref_get (&request->window);

  if (g_str_equal (response, "restore") && window != NULL)
    restore (request_new (window, request->session, request->scope.since, request->call_id));
}

static void
show_plan (TauWindow *window,
           Request   *request,
           GPtrArray *items)
{
  gboolean possible = count_changed (items) > 0;
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (window), possible ? _("Restore files?") : _("No file can be restored"), NULL);

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               request->call_id != NULL ? _("As they were before this step. Only files that are still as the agent left them are changed.")
                                                        : _("As they were before this message. Only files that are still as the agent left them are changed."));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), make_list (items, tau_agent_session_get_cwd (request->session)));
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", possible ? _("_Cancel") : _("_Close"));
  if (possible)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "restore", _("_Restore"));
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "restore", ADW_RESPONSE_SUGGESTED);
      adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "restore");
    }
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), request, request_free_closure, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
planned_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  Request *request = user_data;
  g_autoptr(GPtrArray) items = tau_checkpoints_run_finish (TAU_CHECKPOINTS (object), result);
  g_autoptr(TauWindow) window = g_weak_ref_get (&request->window);

  if (window != NULL && items->len > 0)
    {
      show_plan (window, request, items);
      return;
    }
  if (window != NULL)
    tau_window_show_message (window, _("The agent has changed no files since"));
  request_free (request);
}

/* NULL, said, where nothing was kept. */
static Request *
begin (TauWindow  *window,
       gint64      since,
       const char *call_id)
{
  TauAgentSession *session = tau_window_get_session (window);
  Request *request;

  if (session == NULL || tau_agent_session_get_checkpoints (session) == NULL)
    return NULL;

  request = request_new (window, session, since, call_id);
  if (!is_busy (request))
    return request;
  request_free (request);
  return NULL;
}

static void
plan (TauWindow  *window,
      gint64      since,
      const char *call_id)
{
  Request *request = begin (window, since, call_id);

  if (request != NULL)
    tau_checkpoints_run_async (tau_agent_session_get_checkpoints (request->session), &request->scope, NULL, planned_cb, request);
}

static void
restore_since_cb (GtkWidget  *widget,
                  const char *action,
                  GVariant   *parameter)
{
  plan (TAU_WINDOW (widget), g_variant_get_int64 (parameter), NULL);
}

static void
restore_call_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  const char *call_id;
  gint64 since;

  g_variant_get (parameter, "(&sx)", &call_id, &since);
  plan (TAU_WINDOW (widget), since, call_id);
}

static void
undo_restore_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  Request *request = begin (TAU_WINDOW (widget), 0, NULL);

  if (request == NULL)
    return;
  request->scope.restore_id = TAU_RESTORE_LAST;
  restore (request);
}

/**
 * tau_restore_files_install_actions:
 * @widget_class: the window's class
 *
 * Adds the actions for restoring files.
 */
void
tau_restore_files_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.restore-since", "x", restore_since_cb);
  gtk_widget_class_install_action (widget_class, "win.restore-call", "(sx)", restore_call_cb);
  gtk_widget_class_install_action (widget_class, "win.undo-restore", NULL, undo_restore_cb);
}
