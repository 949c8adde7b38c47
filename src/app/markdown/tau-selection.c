/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-selection.h"

#include "app/markdown/tau-marks.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauSelection: live, owned by the widget whose text it selects. Turns drags and clicks into a range of bytes and
 * copies it, opens links on a click, and has the menu for both. Widgets with text never take the focus: a list that
 * has the focus in a row scrolls the whole row into view. One selection exists at a time; the widget where it began
 * is remembered, so that a key can copy it without any focus. A drag may go on into the texts above and below, which
 * are selected with it. */
struct _TauSelection
{
  GObject        parent_instance;
  TauSelectable *owner;     /* borrowed; owns us */
  GtkWidget     *menu;      /* child of owner, made when asked for */
  char          *menu_link;
  gsize          anchor;
  gsize          cursor;
  gboolean       dragged;
};

G_DEFINE_INTERFACE (TauSelectable, tau_selectable, GTK_TYPE_WIDGET)
G_DEFINE_FINAL_TYPE (TauSelection, tau_selection, G_TYPE_OBJECT)

G_DEFINE_INTERFACE (TauTextHost, tau_text_host, GTK_TYPE_WIDGET)

static TauSelection *current;   /* weak */
static GPtrArray *joined;       /* of TauSelection, in order; those of one drag over several texts, @current included */

static void
tau_text_host_default_init (TauTextHostInterface *iface)
{
}

static void
tau_selectable_default_init (TauSelectableInterface *iface)
{
}

/* Only the text where the drag began stays selected. */
static void
part (TauSelection *kept)
{
  g_autoptr(GPtrArray) old = g_steal_pointer (&joined);

  for (guint i = 0; old && i < old->len; i++)
    if (g_ptr_array_index (old, i) != kept)
      tau_selection_clear (g_ptr_array_index (old, i));
}

static void
set_range (TauSelection *self,
           gsize         anchor,
           gsize         cursor)
{
  if (self->anchor == anchor && self->cursor == cursor)
    return;

  self->anchor = anchor;
  self->cursor = cursor;
  if (anchor != cursor && current != self)
    {
      if (current)
        tau_selection_clear (current);
      g_set_weak_pointer (&current, self);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self->owner));
}

static gboolean
is_word (gunichar character)
{
  return g_unichar_isalnum (character) || character == '_' || g_unichar_ismark (character);
}

static void
select_word (TauSelection *self,
             gsize         index)
{
  gsize length;
  const char *text = TAU_SELECTABLE_GET_IFACE (self->owner)->get_text (self->owner, &length);
  const char *start = text + MIN (index, length);
  const char *end = start;

  while (start > text && is_word (g_utf8_get_char (g_utf8_prev_char (start))))
    start = g_utf8_prev_char (start);
  while (*end && is_word (g_utf8_get_char (end)))
    end = g_utf8_next_char (end);
  set_range (self, start - text, end - text);
}

static void
select_line (TauSelection *self,
             gsize         index)
{
  gsize length;
  const char *text = TAU_SELECTABLE_GET_IFACE (self->owner)->get_text (self->owner, &length);
  const char *start = text + MIN (index, length);
  const char *end = strchr (start, '\n');

  while (start > text && start[-1] != '\n')
    start--;
  set_range (self, start - text, end ? (gsize) (end - text) : length);
}

static void
focus_transcript (TauSelection *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->owner), "transcript.focus", NULL);
}

static void
open_link (TauSelection *self,
           const char   *address)
{
  g_autofree char *scheme = g_uri_parse_scheme (address);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->owner));

  /* Only what a browser or a mail program opens: an answer must not start anything else by a click. */
  if (g_strcmp0 (scheme, "http") == 0 || g_strcmp0 (scheme, "https") == 0 || g_strcmp0 (scheme, "mailto") == 0)
    gtk_show_uri (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, address, GDK_CURRENT_TIME);
}

static const char *
link_at (TauSelection *self,
         double        x,
         double        y)
{
  TauSelectableInterface *iface = TAU_SELECTABLE_GET_IFACE (self->owner);

  return iface->link_at ? iface->link_at (self->owner, x, y) : NULL;
}

static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            TauSelection    *self)
{
  gsize index = TAU_SELECTABLE_GET_IFACE (self->owner)->index_at (self->owner, x, y);

  focus_transcript (self);
  part (NULL);
  if (n_press == 1)
    set_range (self, index, index);
  else if (n_press == 2)
    select_word (self, index);
  else
    select_line (self, index);
}

static void
released_cb (GtkGestureClick *gesture,
             int              n_press,
             double           x,
             double           y,
             TauSelection    *self)
{
  const char *address = self->dragged ? NULL : link_at (self, x, y);

  if (address && n_press == 1)
    open_link (self, address);
}

static void
drag_begin_cb (GtkGestureDrag *gesture,
               double          x,
               double          y,
               TauSelection   *self)
{
  self->dragged = FALSE;
}

static void
drag_update_cb (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                TauSelection   *self)
{
  double x, y;

  if (!self->dragged && !gtk_drag_check_threshold (GTK_WIDGET (self->owner), 0, 0, (int) dx, (int) dy))
    return;

  self->dragged = TRUE;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  tau_selection_extend (self, x + dx, y + dy);
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           TauSelection             *self)
{
  const char *address = link_at (self, x, y);

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->owner), address ? "pointer" : "text");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->owner), address);
}

static void
copy_text (TauSelection *self,
           const char   *text,
           gsize         length)
{
  g_autofree char *copy = g_strndup (text, length);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->owner)), copy);
}

static void
copy_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  TauSelection *self = user_data;
  gsize start, end, length;
  const char *text = TAU_SELECTABLE_GET_IFACE (self->owner)->get_text (self->owner, &length);

  if (joined)
    {
      g_autofree char *all = tau_selection_dup_current ();

      copy_text (self, all, strlen (all));
    }
  else if (tau_selection_get (self, &start, &end))
    {
      copy_text (self, text + start, end - start);
    }
  else
    {
      copy_text (self, text, length);
    }
}

static void
copy_link_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  TauSelection *self = user_data;

  if (self->menu_link)
    copy_text (self, self->menu_link, strlen (self->menu_link));
}

static GtkWidget *
make_menu (TauSelection *self,
           const char   *address)
{
  const GActionEntry entries[] = { { "copy", copy_cb }, { "copy-link", copy_link_cb } };
  g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr(GMenu) model = g_menu_new ();
  GtkWidget *menu;

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->owner), "text", G_ACTION_GROUP (group));
  g_menu_append (model, _("_Copy"), "text.copy");
  if (address)
    g_menu_append (model, _("Copy _Link Address"), "text.copy-link");
  for (GtkWidget *host = GTK_WIDGET (self->owner); host; host = gtk_widget_get_parent (host))
    if (TAU_IS_TEXT_HOST (host))
      TAU_TEXT_HOST_GET_IFACE (host)->add_to_menu (TAU_TEXT_HOST (host), model);
  menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (model));
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  gtk_widget_set_halign (menu, GTK_ALIGN_START);
  gtk_widget_set_parent (menu, GTK_WIDGET (self->owner));
  return menu;
}

static void
menu_pressed_cb (GtkGestureClick *gesture,
                 int              n_press,
                 double           x,
                 double           y,
                 TauSelection    *self)
{
  const char *address = link_at (self, x, y);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_free (self->menu_link);
  self->menu_link = g_strdup (address);
  self->menu = make_menu (self, address);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
add_controllers (TauSelection *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_object (click, "pressed", G_CALLBACK (pressed_cb), self, 0);
  g_signal_connect_object (click, "released", G_CALLBACK (released_cb), self, 0);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), self, 0);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (menu, "pressed", G_CALLBACK (menu_pressed_cb), self, 0);
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, 0);

  gtk_gesture_group (click, drag);
  gtk_widget_add_controller (GTK_WIDGET (self->owner), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self->owner), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self->owner), GTK_EVENT_CONTROLLER (menu));
  gtk_widget_add_controller (GTK_WIDGET (self->owner), motion);
}

static void
tau_selection_finalize (GObject *object)
{
  g_free (TAU_SELECTION (object)->menu_link);
  G_OBJECT_CLASS (tau_selection_parent_class)->finalize (object);
}

static void
tau_selection_class_init (TauSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_selection_finalize;
}

static void
tau_selection_init (TauSelection *self)
{
}

/**
 * tau_selection_new:
 * @owner: the widget with the text
 *
 * Adds controllers to @owner that select its text.
 *
 * Returns: (transfer full): the selection; @owner keeps it until it is disposed of
 */
TauSelection *
tau_selection_new (TauSelectable *owner)
{
  TauSelection *self = g_object_new (TAU_TYPE_SELECTION, NULL);

  self->owner = owner;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (owner), "text");
  add_controllers (self);
  return self;
}

/**
 * tau_selection_detach:
 * @self: a selection
 *
 * To be called when the owner is disposed of, before it drops its reference.
 */
void
tau_selection_detach (TauSelection *self)
{
  if (current == self)
    g_clear_weak_pointer (&current);
  if (joined)
    g_ptr_array_remove (joined, self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
}

/**
 * tau_selection_get:
 * @self: a selection
 * @start: (out): first byte
 * @end: (out): byte behind the last
 *
 * Returns: whether anything is selected
 */
gboolean
tau_selection_get (TauSelection *self,
                   gsize        *start,
                   gsize        *end)
{
  gsize length;

  TAU_SELECTABLE_GET_IFACE (self->owner)->get_text (self->owner, &length);
  *start = MIN (MIN (self->anchor, self->cursor), length);
  *end = MIN (MAX (self->anchor, self->cursor), length);
  return *start < *end;
}

/**
 * tau_selection_clear:
 * @self: a selection
 *
 * Selects nothing.
 */
void
tau_selection_clear (TauSelection *self)
{
  self->anchor = self->cursor = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self->owner));
  if (current == self)
    g_clear_weak_pointer (&current);
}

/**
 * tau_selection_select:
 * @self: a selection
 * @start: first byte
 * @end: byte behind the last
 *
 * Selects a range, as a drag over it would.
 */
void
tau_selection_select (TauSelection *self,
                      gsize         start,
                      gsize         end)
{
  part (NULL);
  set_range (self, start, end);
}

/**
 * tau_selection_allocate:
 * @self: a selection
 *
 * To be called by the owner when it is allocated: its menu has to follow it.
 */
void
tau_selection_allocate (TauSelection *self)
{
  if (self->menu)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

/**
 * tau_selection_copy_current:
 *
 * Copies what is selected, wherever that is, to the clipboard.
 *
 * Returns: whether anything was selected
 */
gboolean
tau_selection_copy_current (void)
{
  g_autofree char *text = tau_selection_dup_current ();

  if (!text || !current)
    return FALSE;
  copy_text (current, text, strlen (text));
  return TRUE;
}

static gboolean
collect (GtkWidget  *widget,
         const char *text,
         gsize       length,
         gpointer    user_data)
{
  if (TAU_IS_SELECTABLE (widget) && gtk_widget_get_mapped (widget))
    g_ptr_array_add (user_data, TAU_SELECTABLE_GET_IFACE (widget)->get_selection (TAU_SELECTABLE (widget)));
  return FALSE;
}

/* The text at a height of the scope: the last one that begins above it. */
static guint
find_target (GPtrArray *texts,
             GtkWidget *scope,
             double     y,
             guint      fallback)
{
  guint found = fallback;

  for (guint i = 0; i < texts->len; i++)
    {
      TauSelection *text = g_ptr_array_index (texts, i);
      graphene_point_t top;

      if (!gtk_widget_compute_point (GTK_WIDGET (text->owner), scope, &GRAPHENE_POINT_INIT (0, 0), &top))
        continue;
      if (i == 0 || top.y <= y)
        found = i;
    }
  return found;
}

static gsize
end_of (TauSelection *self)
{
  gsize length;

  TAU_SELECTABLE_GET_IFACE (self->owner)->get_text (self->owner, &length);
  return length;
}

/* All from the anchor of one text to a byte of another. */
static void
join (GPtrArray *texts,
      guint      from,
      guint      to,
      gsize      index)
{
  TauSelection *origin = g_ptr_array_index (texts, from);
  gboolean down = to > from;
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = MIN (from, to); i <= MAX (from, to); i++)
    {
      TauSelection *text = g_ptr_array_index (texts, i);

      if (joined)
        g_ptr_array_remove (joined, text);
      if (i == from)
        text->cursor = down ? end_of (text) : 0;
      else
        {
          text->anchor = down ? 0 : end_of (text);
          text->cursor = i == to ? index : down ? end_of (text) : 0;
        }
      gtk_widget_queue_draw (GTK_WIDGET (text->owner));
      g_ptr_array_add (chosen, text);
    }
  part (origin);
  joined = chosen;
  g_set_weak_pointer (&current, origin);
}

/**
 * tau_selection_extend:
 * @self: a selection, with an anchor
 * @x: a point, as its owner counts
 * @y: the same
 *
 * Selects up to a point, which may lie in another text of the conversation.
 */
void
tau_selection_extend (TauSelection *self,
                      double        x,
                      double        y)
{
  GtkWidget *owner = GTK_WIDGET (self->owner);
  GtkWidget *scope = gtk_widget_get_ancestor (owner, TAU_TYPE_MARK_SCOPE);
  g_autoptr(GPtrArray) texts = g_ptr_array_new ();
  graphene_point_t point;
  guint from = 0, to;
  TauSelection *target;

  if (scope && (y < 0 || y > gtk_widget_get_height (owner)))
    tau_texts_foreach (scope, collect, texts);
  if (!g_ptr_array_find (texts, self, &from) ||
      !gtk_widget_compute_point (owner, scope, &GRAPHENE_POINT_INIT ((float) x, (float) y), &point) ||
      (to = find_target (texts, scope, point.y, from)) == from)
    {
      part (self);
      set_range (self, self->anchor, TAU_SELECTABLE_GET_IFACE (self->owner)->index_at (self->owner, x, y));
      return;
    }
  target = g_ptr_array_index (texts, to);
  if (!gtk_widget_compute_point (scope, GTK_WIDGET (target->owner), &point, &point))
    return;
  join (texts, from, to, TAU_SELECTABLE_GET_IFACE (target->owner)->index_at (target->owner, point.x, point.y));
}

/**
 * tau_selection_dup_current:
 *
 * Returns: (transfer full) (nullable): what is selected, wherever that is; a blank line between two texts
 */
char *
tau_selection_dup_current (void)
{
  g_autoptr(GString) all = g_string_new (NULL);

  for (guint i = 0; i < (joined ? joined->len : current ? 1 : 0); i++)
    {
      TauSelection *text = joined ? g_ptr_array_index (joined, i) : current;
      gsize start, end, length;

      if (!tau_selection_get (text, &start, &end))
        continue;
      if (all->len > 0)
        g_string_append (all, "\n\n");
      g_string_append_len (all, TAU_SELECTABLE_GET_IFACE (text->owner)->get_text (text->owner, &length) + start,
                           (gssize) (end - start));
    }
  return all->len > 0 ? g_string_free (g_steal_pointer (&all), FALSE) : NULL;
}
