/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-completion.h"

#include "app/composer/tau-suggestions.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauCompletion: a list above the cursor while a word is typed that begins with "@", a file of the project, or, at the
 * very beginning, with "/", a command. The focus stays in the text: the arrows move through the list, Tab and Enter take
 * what is selected, Escape closes the list for this word. Owned by the composer, which asks it before it looks at keys. */

#define MAX_WORD 256   /* characters; nothing longer is completed */
#define MAX_ROWS 20
#define HEIGHT   240

struct _TauCompletion
{
  GObject          parent_instance;

  GtkWidget       *host;        /* borrowed: the widget that the list is a child of */
  GtkTextView     *view;        /* borrowed */
  GtkWidget       *popover;
  GtkListBox      *list;
  TauSuggestions  *suggestions;
  int              start;       /* of the word, in characters */
  int              dismissed;   /* start of a word whose list was closed; -1: none */
  gboolean         replacing;   /* the text changes by us */
};

G_DEFINE_FINAL_TYPE (TauCompletion, tau_completion, G_TYPE_OBJECT)

static gboolean
is_space (gunichar c,
          gpointer user_data)
{
  return g_unichar_isspace (c);
}

/* The word that ends at the cursor. */
static char *
dup_word (TauCompletion *self,
          int           *start)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter cursor, first, limit;

  if (gtk_text_buffer_get_has_selection (buffer))
    return NULL;
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  first = limit = cursor;
  gtk_text_iter_backward_chars (&limit, MAX_WORD);
  if (gtk_text_iter_backward_find_char (&first, is_space, NULL, &limit))
    gtk_text_iter_forward_char (&first);
  else
    first = limit;
  *start = gtk_text_iter_get_offset (&first);
  return gtk_text_buffer_get_text (buffer, &first, &cursor, FALSE);
}

static gboolean
can_complete (const char *word,
              int         start)
{
  return word != NULL && (word[0] == '@' || (word[0] == '/' && start == 0));
}

/* What is selected is said as the description of the text, since the focus stays there. */
static void
select_row (TauCompletion *self,
            GtkListBoxRow *row)
{
  const TauSuggestion *suggestion;

  if (row == NULL)
    return;
  gtk_list_box_select_row (self->list, row);
  suggestion = tau_suggestions_get (self->suggestions, (guint) gtk_list_box_row_get_index (row));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, suggestion->label, -1);
}

static GtkWidget *
make_row (const TauSuggestion *suggestion)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (suggestion->label);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_box_append (GTK_BOX (box), label);
  if (suggestion->detail != NULL)
    {
      GtkWidget *detail = gtk_label_new (suggestion->detail);

      gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_END);
      gtk_label_set_max_width_chars (GTK_LABEL (detail), 40);
      gtk_widget_add_css_class (detail, "dim-label");
      gtk_box_append (GTK_BOX (box), detail);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, suggestion->label, -1);
  return row;
}

static void
fill (TauCompletion *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, row);
  for (guint i = 0; i < tau_suggestions_get_length (self->suggestions); i++)
    gtk_list_box_append (self->list, make_row (tau_suggestions_get (self->suggestions, i)));
  select_row (self, gtk_list_box_get_row_at_index (self->list, 0));
}

/* At the beginning of the word. */
static void
place (TauCompletion *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter first;
  GdkRectangle box;
  double x, y;

  gtk_text_buffer_get_iter_at_offset (buffer, &first, self->start);
  gtk_text_view_get_iter_location (self->view, &first, &box);
  gtk_text_view_buffer_to_window_coords (self->view, GTK_TEXT_WINDOW_WIDGET, box.x, box.y, &box.x, &box.y);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->view), self->host, box.x, box.y, &x, &y);
  box.x = (int) x;
  box.y = (int) y;
  box.width = MAX (box.width, 1);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &box);
}

static void
replace (TauCompletion *self,
         const char    *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter first, cursor;

  self->replacing = TRUE;
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_iter_at_offset (buffer, &first, self->start);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  gtk_text_buffer_delete (buffer, &first, &cursor);
  gtk_text_buffer_insert (buffer, &first, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  self->replacing = FALSE;
}

/* A folder is a step on the way: what is in it comes next. */
static void
take (TauCompletion *self,
      guint          position)
{
  g_autofree char *text = g_strdup (tau_suggestions_get (self->suggestions, position)->text);

  tau_completion_close (self);
  replace (self, text);
  if (g_str_has_suffix (text, "/"))
    tau_completion_update (self);
}

static void
row_activated_cb (TauCompletion *self,
                  GtkListBoxRow *row)
{
  take (self, (guint) gtk_list_box_row_get_index (row));
}

static void
move (TauCompletion *self,
      int            by)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int n = (int) tau_suggestions_get_length (self->suggestions);
  int index = row != NULL ? gtk_list_box_row_get_index (row) : 0;
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self->list), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  double y;

  row = gtk_list_box_get_row_at_index (self->list, (index + by + n) % n);
  select_row (self, row);
  if (gtk_widget_translate_coordinates (GTK_WIDGET (row), GTK_WIDGET (self->list), 0, 0, NULL, &y))
    gtk_adjustment_clamp_page (adjustment, y, y + gtk_widget_get_height (GTK_WIDGET (row)));
}

/* Enter on a word that is complete already is meant for the message. */
static gboolean
is_complete (TauCompletion *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  const TauSuggestion *suggestion = row != NULL ? tau_suggestions_get (self->suggestions, (guint) gtk_list_box_row_get_index (row)) : NULL;
  g_autofree char *word = dup_word (self, &self->start);
  gsize length = word != NULL ? strlen (word) : 0;

  return suggestion != NULL && word[0] == '/' && strncmp (suggestion->text, word, length) == 0
         && (suggestion->text[length] == ' ' || suggestion->text[length] == '\0');
}

static void
suggestions_changed_cb (TauCompletion *self)
{
  tau_completion_update (self);
}

static void
tau_completion_dispose (GObject *object)
{
  TauCompletion *self = TAU_COMPLETION (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_object (&self->suggestions);

  G_OBJECT_CLASS (tau_completion_parent_class)->dispose (object);
}

static void
tau_completion_class_init (TauCompletionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_completion_dispose;
}

static void
tau_completion_init (TauCompletion *self)
{
  self->dismissed = -1;
  self->suggestions = tau_suggestions_new ();
  g_signal_connect_object (self->suggestions, "changed", G_CALLBACK (suggestions_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
make_popover (TauCompletion *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  self->list = GTK_LIST_BOX (list);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_widget_set_can_focus (list, FALSE);
  gtk_widget_add_css_class (list, "completion");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Suggestions"), -1);
  g_signal_connect_object (list, "row-activated", G_CALLBACK (row_activated_cb), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);

  self->popover = gtk_popover_new ();
  gtk_popover_set_autohide (GTK_POPOVER (self->popover), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_TOP);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_can_focus (self->popover, FALSE);
  gtk_widget_add_css_class (self->popover, "completion");
  gtk_popover_set_child (GTK_POPOVER (self->popover), scroller);
  gtk_widget_set_parent (self->popover, self->host);
}

/**
 * tau_completion_new:
 * @host: a widget around @view that calls tau_completion_present() when it gets its size
 * @view: where text is typed
 *
 * Both must outlive it, or it must be run down with g_object_run_dispose() before they go.
 *
 * Returns: (transfer full): a closed list
 */
TauCompletion *
tau_completion_new (GtkWidget   *host,
                    GtkTextView *view)
{
  TauCompletion *self = g_object_new (TAU_TYPE_COMPLETION, NULL);

  self->host = host;
  self->view = view;
  make_popover (self);
  return self;
}

/**
 * tau_completion_set_session:
 * @self: a completion
 * @session: (nullable): whose folder and commands are meant
 *
 * Closes the list.
 */
void
tau_completion_set_session (TauCompletion   *self,
                            TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_COMPLETION (self));

  tau_completion_close (self);
  self->dismissed = -1;
  tau_suggestions_set_session (self->suggestions, session);
}

/**
 * tau_completion_update:
 * @self: a completion
 *
 * Looks at the word before the cursor, which is another one than before; opens or closes the list.
 */
void
tau_completion_update (TauCompletion *self)
{
  g_autofree char *word = NULL;
  int start = 0;

  g_return_if_fail (TAU_IS_COMPLETION (self));

  if (self->replacing || self->popover == NULL)
    return;
  word = gtk_widget_has_focus (GTK_WIDGET (self->view)) ? dup_word (self, &start) : NULL;
  if (!can_complete (word, start))
    {
      self->dismissed = -1;
      tau_completion_close (self);
      return;
    }
  self->start = start;
  tau_suggestions_look (self->suggestions, word, MAX_ROWS);
  if (start == self->dismissed || tau_suggestions_get_length (self->suggestions) == 0)
    {
      tau_completion_close (self);
      return;
    }
  fill (self);
  place (self);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

/**
 * tau_completion_close:
 * @self: a completion
 *
 * Closes the list.
 */
void
tau_completion_close (TauCompletion *self)
{
  g_return_if_fail (TAU_IS_COMPLETION (self));

  if (!tau_completion_is_open (self))
    return;
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "", -1);
}

/**
 * tau_completion_is_open:
 * @self: a completion
 *
 * Returns: whether the list is shown
 */
gboolean
tau_completion_is_open (TauCompletion *self)
{
  g_return_val_if_fail (TAU_IS_COMPLETION (self), FALSE);

  return self->popover != NULL && gtk_widget_get_visible (self->popover);
}

/**
 * tau_completion_wants_key:
 * @self: a completion
 * @keyval: a key without modifiers
 *
 * Returns: whether the list is open and this key does something in it
 */
gboolean
tau_completion_wants_key (TauCompletion *self,
                          guint          keyval)
{
  static const guint keys[] = { GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Escape, GDK_KEY_Tab, GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };

  g_return_val_if_fail (TAU_IS_COMPLETION (self), FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i] == keyval)
      return tau_completion_is_open (self);
  return FALSE;
}

/**
 * tau_completion_take_key:
 * @self: a completion
 * @keyval: a key that it wants and the input method does not
 *
 * Returns: whether it was meant for the list
 */
gboolean
tau_completion_take_key (TauCompletion *self,
                         guint          keyval)
{
  GtkListBoxRow *row;

  g_return_val_if_fail (TAU_IS_COMPLETION (self), FALSE);

  row = gtk_list_box_get_selected_row (self->list);
  switch (keyval)
    {
    case GDK_KEY_Up:
      move (self, -1);
      return TRUE;
    case GDK_KEY_Down:
      move (self, 1);
      return TRUE;
    case GDK_KEY_Escape:
      self->dismissed = self->start;
      tau_completion_close (self);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      if (is_complete (self))
        {
          tau_completion_close (self);
          return FALSE;
        }
      break;
    default:
      break;
    }
  if (row != NULL)
    take (self, (guint) gtk_list_box_row_get_index (row));
  return TRUE;
}

/**
 * tau_completion_present:
 * @self: a completion
 *
 * For the host when it gets its size: the list keeps its place.
 */
void
tau_completion_present (TauCompletion *self)
{
  g_return_if_fail (TAU_IS_COMPLETION (self));

  if (tau_completion_is_open (self))
    gtk_popover_present (GTK_POPOVER (self->popover));
}
