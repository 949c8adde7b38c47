/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-find-bar.h"

#include <glib/gi18n.h>

/* TauFindBar: where a reader types what to look for, sees how often it is there, and goes from one to the next. It
 * only asks; the transcript view looks, marks and scrolls. */
struct _TauFindBar
{
  GtkWidget            parent_instance;
  GtkSearchBar        *bar;
  GtkSearchEntry      *entry;
  GtkLabel            *count;
  GtkWidget           *previous;
  GtkWidget           *next;
  TauTranscriptFinder *finder;
};

enum
{
  WORDS_CHANGED,
  MOVE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauFindBar, tau_find_bar, GTK_TYPE_WIDGET)

static void
words_changed_cb (TauFindBar *self)
{
  if (gtk_search_bar_get_search_mode (self->bar))
    g_signal_emit (self, signals[WORDS_CHANGED], 0, gtk_editable_get_text (GTK_EDITABLE (self->entry)));
}

static void
next_cb (TauFindBar *self)
{
  g_signal_emit (self, signals[MOVE], 0, TRUE);
}

static void
previous_cb (TauFindBar *self)
{
  g_signal_emit (self, signals[MOVE], 0, FALSE);
}

static void
mode_changed_cb (TauFindBar *self)
{
  if (!gtk_search_bar_get_search_mode (self->bar))
    g_signal_emit (self, signals[WORDS_CHANGED], 0, "");
}

static void
show_count (TauFindBar *self)
{
  guint n_hits = tau_transcript_finder_get_n_hits (self->finder);
  gboolean empty = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0';
  TauTranscriptHit hit;
  guint index;
  g_autofree char *text = NULL;

  if (tau_transcript_finder_get_current (self->finder, &index, &hit))
    /* Translators: which of the places where something was found, and how many there are. */
    text = g_strdup_printf (_("%u of %u"), index + 1, n_hits);
  else if (!empty && !tau_transcript_finder_is_busy (self->finder))
    text = n_hits > 0 ? g_strdup_printf ("%u", n_hits) : g_strdup (_("None"));
  gtk_label_set_label (self->count, text ? text : "");
  gtk_widget_set_sensitive (self->previous, n_hits > 0);
  gtk_widget_set_sensitive (self->next, n_hits > 0);
}

static void
tau_find_bar_dispose (GObject *object)
{
  g_clear_object (&TAU_FIND_BAR (object)->finder);
  gtk_widget_dispose_template (GTK_WIDGET (object), TAU_TYPE_FIND_BAR);
  G_OBJECT_CLASS (tau_find_bar_parent_class)->dispose (object);
}

static void
tau_find_bar_class_init (TauFindBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_find_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/transcript/find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, TauFindBar, bar);
  gtk_widget_class_bind_template_child (widget_class, TauFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, TauFindBar, count);
  gtk_widget_class_bind_template_child (widget_class, TauFindBar, previous);
  gtk_widget_class_bind_template_child (widget_class, TauFindBar, next);
  gtk_widget_class_bind_template_callback (widget_class, words_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, tau_find_bar_close);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);

  /**
   * TauFindBar::words-changed:
   * @words: what to look for, "" for nothing
   *
   * The reader typed, or closed the bar.
   */
  signals[WORDS_CHANGED] = g_signal_new ("words-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                         G_TYPE_STRING);
  /**
   * TauFindBar::move:
   * @forward: to the next place
   *
   * The reader wants to see another place.
   */
  signals[MOVE] = g_signal_new ("move", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
tau_find_bar_init (TauFindBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
  g_signal_connect_object (self->bar, "notify::search-mode-enabled", G_CALLBACK (mode_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

/**
 * tau_find_bar_new:
 * @finder: whose hits it counts
 *
 * Returns: (transfer floating): a closed bar
 */
GtkWidget *
tau_find_bar_new (TauTranscriptFinder *finder)
{
  TauFindBar *self = g_object_new (TAU_TYPE_FIND_BAR, NULL);

  self->finder = g_object_ref (finder);
  g_signal_connect_object (finder, "changed", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  show_count (self);
  return GTK_WIDGET (self);
}

/**
 * tau_find_bar_open:
 * @self: a bar
 *
 * Opens it and puts the cursor in it; what was typed last is selected and looked for again.
 */
void
tau_find_bar_open (TauFindBar *self)
{
  gboolean was_open = gtk_search_bar_get_search_mode (self->bar);

  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  if (!was_open)
    words_changed_cb (self);
}

/**
 * tau_find_bar_close:
 * @self: a bar
 *
 * Closes it: nothing is looked for any more.
 */
void
tau_find_bar_close (TauFindBar *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
}

/**
 * tau_find_bar_is_open:
 * @self: a bar
 *
 * Returns: whether it is open
 */
gboolean
tau_find_bar_is_open (TauFindBar *self)
{
  return gtk_search_bar_get_search_mode (self->bar);
}
