/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-disclosure.h"

/* TauDisclosure: one line with a triangle that opens to a body. The body is built when it is opened first. While it
 * is closed a peek may show below the line: the last lines of a command at work. Whether it is open is remembered
 * outside, since rows are rebuilt whenever they scroll into view. */
struct _TauDisclosure
{
  GtkWidget            parent_instance;
  GtkWidget           *button;
  GtkWidget           *triangle;
  GtkWidget           *line;
  GtkWidget           *body;        /* nullable */
  GtkWidget           *peek;        /* nullable */
  TauDisclosureBuilder builder;
  gpointer             builder_data;
  TauExpansions       *expansions;  /* nullable */
  guint64              key;
  gboolean             fallback;
  gboolean             expanded;
};

enum
{
  ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauDisclosure, tau_disclosure, GTK_TYPE_WIDGET)

static void
show_state (TauDisclosure *self)
{
  if (self->expanded && !self->body)
    {
      self->body = self->builder (self->builder_data);
      if (self->body)
        gtk_widget_set_parent (self->body, GTK_WIDGET (self));
    }
  else if (!self->expanded)
    {
      g_clear_pointer (&self->body, gtk_widget_unparent);
    }
  if (self->peek)
    gtk_widget_set_visible (self->peek, !self->expanded);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->triangle),
                                self->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, self->expanded, -1);
}

static void
recall (TauDisclosure *self)
{
  gboolean expanded = self->expansions ? tau_expansions_get (self->expansions, self->key, self->fallback)
                                       : self->fallback;

  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  show_state (self);
}

static void
clicked_cb (TauDisclosure *self)
{
  tau_disclosure_toggle (self);
  g_signal_emit (self, signals[ACTIVATED], 0);
}

static void
tau_disclosure_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  TAU_DISCLOSURE (object)->body = TAU_DISCLOSURE (object)->peek = NULL;
  g_clear_object (&TAU_DISCLOSURE (object)->expansions);
  G_OBJECT_CLASS (tau_disclosure_parent_class)->dispose (object);
}

static void
tau_disclosure_class_init (TauDisclosureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_disclosure_dispose;
  gtk_widget_class_set_css_name (widget_class, "disclosure");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);

  /**
   * TauDisclosure::activated:
   *
   * The reader clicked the line; the state has changed already.
   */
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
}

static void
tau_disclosure_init (TauDisclosure *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->triangle = gtk_image_new_from_icon_name ("pan-end-symbolic");
  gtk_widget_add_css_class (self->triangle, "dim-label");
  self->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_hexpand (self->line, TRUE);
  gtk_box_append (GTK_BOX (box), self->triangle);
  gtk_box_append (GTK_BOX (box), self->line);

  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "flat");
  gtk_button_set_child (GTK_BUTTON (self->button), box);
  /* A click must not move the focus: the list would scroll to the row that has it. Tab still reaches it. */
  gtk_widget_set_focus_on_click (self->button, FALSE);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (clicked_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

/**
 * tau_disclosure_new:
 * @builder: makes the body
 * @user_data: for @builder
 *
 * Returns: (transfer floating): a closed line without text
 */
GtkWidget *
tau_disclosure_new (TauDisclosureBuilder builder,
                    gpointer             user_data)
{
  TauDisclosure *self = g_object_new (TAU_TYPE_DISCLOSURE, NULL);

  self->builder = builder;
  self->builder_data = user_data;
  show_state (self);
  return GTK_WIDGET (self);
}

/**
 * tau_disclosure_get_line:
 * @self: a disclosure
 *
 * Returns: (transfer none): the box behind the triangle
 */
GtkWidget *
tau_disclosure_get_line (TauDisclosure *self)
{
  return self->line;
}

/**
 * tau_disclosure_set_name:
 * @self: a disclosure
 * @name: what a screen reader says
 *
 * Names the button that opens it.
 */
void
tau_disclosure_set_name (TauDisclosure *self,
                         const char    *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/**
 * tau_disclosure_set_memory:
 * @self: a disclosure
 * @expansions: (nullable): where to remember whether it is open
 * @key: names it there
 *
 * Makes the reader's choice outlive the widget, and takes up an earlier one.
 */
void
tau_disclosure_set_memory (TauDisclosure *self,
                           TauExpansions *expansions,
                           guint64        key)
{
  if (self->expansions)
    g_signal_handlers_disconnect_by_func (self->expansions, recall, self);
  g_set_object (&self->expansions, expansions);
  self->key = key;
  if (expansions)
    g_signal_connect_object (expansions, "changed", G_CALLBACK (recall), self, G_CONNECT_SWAPPED);
  recall (self);
}

/**
 * tau_disclosure_set_default:
 * @self: a disclosure
 * @expanded: whether it is open as long as the reader did not touch it
 *
 * Errors and edits are open by default.
 */
void
tau_disclosure_set_default (TauDisclosure *self,
                            gboolean       expanded)
{
  self->fallback = expanded;
  recall (self);
}

/**
 * tau_disclosure_set_peek:
 * @self: a disclosure
 * @peek: (nullable) (transfer floating): what shows below the line while it is closed
 *
 * Shows a glimpse of the body.
 */
void
tau_disclosure_set_peek (TauDisclosure *self,
                         GtkWidget     *peek)
{
  g_clear_pointer (&self->peek, gtk_widget_unparent);
  self->peek = peek;
  if (peek)
    {
      gtk_widget_set_visible (peek, !self->expanded);
      gtk_widget_insert_after (peek, GTK_WIDGET (self), self->button);
    }
}

/**
 * tau_disclosure_rebuild:
 * @self: a disclosure
 *
 * Builds an open body anew.
 */
void
tau_disclosure_rebuild (TauDisclosure *self)
{
  g_clear_pointer (&self->body, gtk_widget_unparent);
  show_state (self);
}

/**
 * tau_disclosure_is_expanded:
 * @self: a disclosure
 *
 * Returns: whether it is open
 */
gboolean
tau_disclosure_is_expanded (TauDisclosure *self)
{
  return self->expanded;
}

/**
 * tau_disclosure_toggle:
 * @self: a disclosure
 *
 * Opens or closes it, as a click on it does.
 */
void
tau_disclosure_toggle (TauDisclosure *self)
{
  self->expanded = !self->expanded;
  if (self->expansions)
    tau_expansions_set (self->expansions, self->key, self->expanded);
  show_state (self);
}
