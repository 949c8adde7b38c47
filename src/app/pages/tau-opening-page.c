/* SPDX-License-Identifier: MIT */
#include "app/pages/tau-opening-page.h"

/* LIVE; owned by the window. A session is read in a thread: most are there before anybody could see that, so the page is
 * empty at first. It decides nothing: the window shows it, and what was opened. */

#define SLOW_MS 300

struct _TauOpeningPage
{
  GtkWidget     parent_instance;

  GCancellable *cancellable;   /* owned while it opens */
  guint         slow_source;   /* while it opens and is not slow yet */
  gboolean      slow;

  GtkWidget    *box;
  GtkSpinner   *spinner;
  GtkLabel     *name;
};

G_DEFINE_FINAL_TYPE (TauOpeningPage, tau_opening_page, GTK_TYPE_WIDGET)

enum { OPENED, FAILED, GIVEN_UP, CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
set_slow (TauOpeningPage *self,
          gboolean        slow)
{
  self->slow = slow;
  gtk_widget_set_visible (self->box, slow);
  gtk_spinner_set_spinning (self->spinner, slow);
}

static gboolean
slow_cb (gpointer user_data)
{
  TauOpeningPage *self = user_data;

  self->slow_source = 0;
  set_slow (self, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
stop (TauOpeningPage *self)
{
  g_clear_handle_id (&self->slow_source, g_source_remove);
  g_clear_object (&self->cancellable);
  set_slow (self, FALSE);
}

/* What was cancelled is of no interest any more: something else may be opening by now. */
static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(TauOpeningPage) self = user_data;
  g_autoptr(GError) error = NULL;
  TauAgentSession *session = tau_application_open_session_finish (TAU_APPLICATION (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  stop (self);
  g_signal_emit (self, signals[CHANGED], 0);
  if (session != NULL)
    g_signal_emit (self, signals[OPENED], 0, session);
  else
    g_signal_emit (self, signals[FAILED], 0, error->message);
}

static void
cancel_cb (TauOpeningPage *self)
{
  tau_opening_page_cancel (self);
  g_signal_emit (self, signals[GIVEN_UP], 0);
}

static void
tau_opening_page_dispose (GObject *object)
{
  TauOpeningPage *self = TAU_OPENING_PAGE (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->slow_source, g_source_remove);
  g_clear_object (&self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_OPENING_PAGE);

  G_OBJECT_CLASS (tau_opening_page_parent_class)->dispose (object);
}

static void
install_signals (void)
{
  /**
   * TauOpeningPage::opened:
   * @self: the page
   * @session: what was opened
   */
  signals[OPENED] = g_signal_new ("opened", TAU_TYPE_OPENING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, TAU_TYPE_AGENT_SESSION);
  /**
   * TauOpeningPage::failed:
   * @self: the page
   * @sentence: for a person
   */
  signals[FAILED] = g_signal_new ("failed", TAU_TYPE_OPENING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * TauOpeningPage::given-up:
   * @self: the page
   *
   * People did not want to wait.
   */
  signals[GIVEN_UP] = g_signal_new ("given-up", TAU_TYPE_OPENING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  /**
   * TauOpeningPage::changed:
   * @self: the page
   *
   * It began or stopped to open something, or that takes long by now.
   */
  signals[CHANGED] = g_signal_new ("changed", TAU_TYPE_OPENING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
tau_opening_page_class_init (TauOpeningPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_opening_page_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/pages/opening-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TauOpeningPage, box);
  gtk_widget_class_bind_template_child (widget_class, TauOpeningPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, TauOpeningPage, name);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  install_signals ();
}

static void
tau_opening_page_init (TauOpeningPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static char *
dup_name (TauApplication *application,
          const char     *path)
{
  TauSessionInfo *info = tau_session_index_find (tau_application_get_index (application), path);

  return info != NULL ? tau_session_info_dup_title (info) : g_filename_display_basename (path);
}

/**
 * tau_opening_page_open:
 * @self: a page
 * @application: opens the session
 * @path: a session file
 *
 * Begins to open a session, and gives up what was opening before. The session comes with #TauOpeningPage::opened.
 */
void
tau_opening_page_open (TauOpeningPage *self,
                       TauApplication *application,
                       const char     *path)
{
  g_autofree char *name = NULL;

  g_return_if_fail (TAU_IS_OPENING_PAGE (self));
  g_return_if_fail (TAU_IS_APPLICATION (application));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  stop (self);
  name = dup_name (application, path);
  gtk_label_set_text (self->name, name);
  self->cancellable = g_cancellable_new ();
  self->slow_source = g_timeout_add (SLOW_MS, slow_cb, self);
  tau_application_open_session_async (application, path, self->cancellable, opened_cb, g_object_ref (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_opening_page_cancel:
 * @self: a page
 *
 * Gives up what is opening, if anything is.
 */
void
tau_opening_page_cancel (TauOpeningPage *self)
{
  g_return_if_fail (TAU_IS_OPENING_PAGE (self));

  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  stop (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_opening_page_is_busy:
 * @self: a page
 *
 * Returns: whether a session is being opened
 */
gboolean
tau_opening_page_is_busy (TauOpeningPage *self)
{
  g_return_val_if_fail (TAU_IS_OPENING_PAGE (self), FALSE);

  return self->cancellable != NULL;
}

/**
 * tau_opening_page_is_slow:
 * @self: a page
 *
 * Returns: whether that takes so long that people should see it
 */
gboolean
tau_opening_page_is_slow (TauOpeningPage *self)
{
  g_return_val_if_fail (TAU_IS_OPENING_PAGE (self), FALSE);

  return self->slow;
}
