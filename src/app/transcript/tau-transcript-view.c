/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-transcript-view.h"

#include "app/markdown/tau-marks.h"
#include "app/markdown/tau-selection.h"
#include "app/transcript/tau-draft-view.h"
#include "app/transcript/tau-follow-end.h"
#include "app/transcript/tau-find-bar.h"
#include "app/transcript/tau-lazy-row.h"
#include "app/transcript/tau-outline.h"
#include "app/transcript/tau-reader.h"
#include "app/transcript/tau-stack-view.h"
#include "app/transcript/tau-step-groups.h"

#include <glib/gi18n.h>
#include <math.h>

/* TauTranscriptView: the conversation: finished rows in a GtkListView, the draft below them, both in one scroll
 * range, and a button that leads back to the end. GDK may repeat the layout phase of a frame up to four times before
 * it paints; in that phase the view lays out again what turned out to have another height, so that what is painted
 * is always right. Rows near the view are built a few a frame before they are seen. */
struct _TauTranscriptView
{
  GtkWidget           parent_instance;
  TauTranscriptModel *model;
  TauStepGroups      *groups;
  TauRowHost          host;
  GtkWidget          *overlay;
  GtkWidget          *scroller;
  GtkWidget          *list;
  GtkWidget          *stack;
  GtkWidget          *draft_view;
  GtkWidget          *jump;
  GtkWidget          *jump_label;
  TauFollowEnd       *follow;
  TauReader          *reader;
  TauOutline         *outline;
  GdkFrameClock      *clock;        /* while realized */
  guint               round;        /* of the layout phase in this frame */
  guint               warm_tick;
  guint               n_new;        /* messages since the reader left the end */
  GListModel         *messages;
  PangoFontDescription *font;       /* that the cached heights are of */
};

#define LAYOUT_ROUNDS 4      /* a frame; what is not right then is so in the next one */
#define WARM_ROWS     30     /* on each side of the view */
#define WARM_USEC     3000   /* a frame */

enum
{
  TOOL_SELECTED,
  RETRY,
  EDIT_MESSAGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void mark_scope_init (TauMarkScopeInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTranscriptView, tau_transcript_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_MARK_SCOPE, mark_scope_init))

static TauMarks *
get_marks (TauMarkScope *scope)
{
  return tau_reader_get_marks (TAU_TRANSCRIPT_VIEW (scope)->reader);
}

static void
mark_scope_init (TauMarkScopeInterface *iface)
{
  iface->get_marks = get_marks;
}

static void
update_jump (TauTranscriptView *self)
{
  gboolean stuck = tau_stack_view_get_stuck (TAU_STACK_VIEW (self->stack));
  g_autofree char *label = NULL;

  if (stuck)
    self->n_new = 0;
  gtk_widget_set_visible (self->jump, !stuck);
  if (self->n_new > 0)
    label = g_strdup_printf (ngettext ("%u new", "%u new", self->n_new), self->n_new);
  gtk_label_set_label (GTK_LABEL (self->jump_label), label ? label : _("Latest"));
}

/* Warming */

static int
distance_to_view (TauTranscriptView *self,
                  GtkWidget         *row)
{
  graphene_rect_t bounds;
  int height = gtk_widget_get_height (self->stack);

  if (!gtk_widget_get_child_visible (gtk_widget_get_parent (row)) ||
      !gtk_widget_compute_bounds (row, self->stack, &bounds))
    return G_MAXINT;
  if (bounds.origin.y + bounds.size.height < 0)
    return (int) -(bounds.origin.y + bounds.size.height);
  return bounds.origin.y > height ? (int) bounds.origin.y - height : 0;
}

static TauLazyRow *
row_of (GtkWidget *list_child)
{
  GtkWidget *row = gtk_widget_get_first_child (list_child);

  return row && TAU_IS_LAZY_ROW (row) ? TAU_LAZY_ROW (row) : NULL;
}

/* Children of the list stand in order. Rows in view are built; those next to them on both sides are to be. */
static gboolean
warm_some (TauTranscriptView *self)
{
  gint64 deadline = g_get_monotonic_time () + WARM_USEC;
  int width = gtk_widget_get_width (self->list);
  g_autoptr(GPtrArray) rows = g_ptr_array_new ();
  int first = -1, last = -1;

  for (GtkWidget *child = gtk_widget_get_first_child (self->list); child; child = gtk_widget_get_next_sibling (child))
    {
      TauLazyRow *row = row_of (child);

      if (!row || !tau_lazy_row_get_item (row))
        continue;
      if (distance_to_view (self, GTK_WIDGET (row)) == 0)
        {
          first = first < 0 ? (int) rows->len : first;
          last = (int) rows->len;
        }
      g_ptr_array_add (rows, row);
    }
  if (first < 0)
    return FALSE;

  for (int step = 1; step <= WARM_ROWS; step++)
    for (int side = 0; side < 2; side++)
      {
        int index = side == 0 ? first - step : last + step;

        if (index < 0 || index >= (int) rows->len)
          continue;
        if (tau_lazy_row_warm (g_ptr_array_index (rows, index), width) && g_get_monotonic_time () > deadline)
          return TRUE;
      }
  return FALSE;
}

/* What turned out to have another height, and a list that moved by itself. */
static void
lay_out_again (TauTranscriptView *self)
{
  for (guint i = 0; i < self->host.dirty->len; i++)
    gtk_widget_queue_resize (g_ptr_array_index (self->host.dirty, i));
  g_ptr_array_set_size (self->host.dirty, 0);
  if (tau_stack_view_needs_sync (TAU_STACK_VIEW (self->stack)))
    gtk_widget_queue_allocate (self->stack);
}

static gboolean
warm_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       user_data)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (widget);

  /* What the frame before had no layout left for. */
  lay_out_again (self);
  if (warm_some (self))
    return G_SOURCE_CONTINUE;
  self->warm_tick = 0;
  return G_SOURCE_REMOVE;
}

static void
start_warming (TauTranscriptView *self)
{
  if (!self->warm_tick && gtk_widget_get_realized (GTK_WIDGET (self)))
    self->warm_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), warm_cb, NULL, NULL);
}


/* The layout phase */

static void
before_paint_cb (TauTranscriptView *self)
{
  self->round = 0;
  self->host.last_round = FALSE;
}

static gboolean
is_unsettled (TauTranscriptView *self)
{
  return self->host.dirty->len > 0 || tau_stack_view_needs_sync (TAU_STACK_VIEW (self->stack));
}

/* The view lays itself out again at once: GDK would do it, but paints all the same if anything else stands in its
 * way, and what has no allocation then is drawn with a warning. */
static void
layout_cb (TauTranscriptView *self)
{
  GtkAllocation place = { 0, 0, gtk_widget_get_width (self->scroller), gtk_widget_get_height (self->scroller) };

  while (is_unsettled (self) && self->round < LAYOUT_ROUNDS)
    {
      self->host.last_round = ++self->round == LAYOUT_ROUNDS;
      lay_out_again (self);
      gtk_widget_size_allocate (self->scroller, &place, -1);
    }
  /* Does nothing where all is well. */
  gtk_widget_size_allocate (self->scroller, &place, -1);
  if (is_unsettled (self))
    start_warming (self);
}

static void
tau_transcript_view_realize (GtkWidget *widget)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (widget);

  GTK_WIDGET_CLASS (tau_transcript_view_parent_class)->realize (widget);
  self->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  g_signal_connect_object (self->clock, "before-paint", G_CALLBACK (before_paint_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->clock, "layout", G_CALLBACK (layout_cb), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  start_warming (self);
}

static void
tau_transcript_view_unrealize (GtkWidget *widget)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (widget);

  /* By function: GTK's own handlers for tick callbacks have the widget as their data, too. */
  g_signal_handlers_disconnect_by_func (self->clock, before_paint_cb, self);
  g_signal_handlers_disconnect_by_func (self->clock, layout_cb, self);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (tau_transcript_view_parent_class)->unrealize (widget);
}

/* Heights are true for one font only. */
static void
tau_transcript_view_css_changed (GtkWidget         *widget,
                                 GtkCssStyleChange *change)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (widget);
  const PangoFontDescription *font;

  GTK_WIDGET_CLASS (tau_transcript_view_parent_class)->css_changed (widget, change);
  font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  if (self->font && pango_font_description_equal (self->font, font))
    return;

  g_clear_pointer (&self->font, pango_font_description_free);
  self->font = pango_font_description_copy (font);
  tau_height_cache_clear (self->host.heights);
}

/* Rows */

static void
setup_cb (GtkListItemFactory *factory,
          GtkListItem        *list_item,
          TauTranscriptView  *self)
{
  gtk_list_item_set_child (list_item, tau_lazy_row_new (&self->host));
  gtk_list_item_set_activatable (list_item, FALSE);
  gtk_list_item_set_selectable (list_item, FALSE);
}

static void
bind_cb (GtkListItemFactory *factory,
         GtkListItem        *list_item,
         TauTranscriptView  *self)
{
  tau_lazy_row_set_item (TAU_LAZY_ROW (gtk_list_item_get_child (list_item)), gtk_list_item_get_item (list_item));
  start_warming (self);
}

static void
unbind_cb (GtkListItemFactory *factory,
           GtkListItem        *list_item,
           TauTranscriptView  *self)
{
  GtkWidget *row = gtk_list_item_get_child (list_item);

  if (row)
    tau_lazy_row_set_item (TAU_LAZY_ROW (row), NULL);
}

static GtkWidget *
make_list (TauTranscriptView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list;

  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, 0);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->groups)))),
                            factory);
  gtk_widget_add_css_class (list, "transcript-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Conversation"), -1);
  return list;
}

static GtkWidget *
make_jump (TauTranscriptView *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->jump_label = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-bottom-symbolic"));
  gtk_box_append (GTK_BOX (box), self->jump_label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "jump-button");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (button, GTK_ALIGN_END);
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_widget_set_visible (button, FALSE);
  gtk_widget_set_tooltip_text (button, _("Jump to latest"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Jump to latest"), -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (tau_transcript_view_scroll_to_end), self,
                           G_CONNECT_SWAPPED);
  return button;
}

/* Actions and keys */

static void
select_tool_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  g_signal_emit (widget, signals[TOOL_SELECTED], 0, g_variant_get_string (parameter, NULL));
}

static void
group_toggled_cb (GtkWidget  *widget,
                  const char *action,
                  GVariant   *parameter)
{
  tau_step_groups_refresh (TAU_TRANSCRIPT_VIEW (widget)->groups);
}

static void
retry_cb (GtkWidget  *widget,
          const char *action,
          GVariant   *parameter)
{
  g_signal_emit (widget, signals[RETRY], 0);
}

static void
focus_cb (GtkWidget  *widget,
          const char *action,
          GVariant   *parameter)
{
  gtk_widget_grab_focus (widget);
}

static gboolean
copy_key_cb (GtkWidget *widget,
             GVariant  *arguments,
             gpointer   user_data)
{
  return tau_selection_copy_current ();
}

static void
find_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  tau_find_bar_open (TAU_FIND_BAR (tau_reader_get_find_bar (TAU_TRANSCRIPT_VIEW (widget)->reader)));
}

static void
outline_cb (GtkWidget  *widget,
            const char *action,
            GVariant   *parameter)
{
  tau_outline_open (TAU_TRANSCRIPT_VIEW (widget)->outline, TAU_TRANSCRIPT_VIEW (widget)->messages);
}

static void
move_prompt_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  tau_transcript_view_move_prompt (TAU_TRANSCRIPT_VIEW (widget), g_str_equal (action, "transcript.next-prompt"));
}

static gboolean
prompt_key_cb (GtkWidget *widget,
               GVariant  *arguments,
               gpointer   user_data)
{
  tau_transcript_view_move_prompt (TAU_TRANSCRIPT_VIEW (widget), g_variant_get_boolean (arguments));
  return TRUE;
}

static gboolean
scroll_key_cb (GtkWidget *widget,
               GVariant  *arguments,
               gpointer   user_data)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (widget);
  double pages = g_variant_get_double (arguments);

  if (isinf (pages))
    {
      if (pages > 0)
        tau_transcript_view_scroll_to_end (self);
      else
        tau_transcript_view_scroll_to_start (self);
    }
  else
    {
      tau_transcript_view_scroll_by (self, pages * gtk_widget_get_height (self->stack));
    }
  return TRUE;
}

static void
tau_transcript_view_dispose (GObject *object)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (object);

  tau_transcript_view_set_messages (self, NULL);
  g_clear_object (&self->follow);
  if (self->reader)
    {
      tau_reader_stop (self->reader);
      gtk_widget_unparent (tau_reader_get_find_bar (self->reader));
    }
  if (self->outline)
    tau_outline_detach (self->outline);
  g_clear_object (&self->outline);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  g_clear_object (&self->reader);
  g_clear_object (&self->groups);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (tau_transcript_view_parent_class)->dispose (object);
}

static void
tau_transcript_view_finalize (GObject *object)
{
  TauTranscriptView *self = TAU_TRANSCRIPT_VIEW (object);

  g_ptr_array_unref (self->host.dirty);
  tau_height_cache_free (self->host.heights);
  g_clear_pointer (&self->font, pango_font_description_free);
  g_object_unref (self->host.expansions);
  G_OBJECT_CLASS (tau_transcript_view_parent_class)->finalize (object);
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint           key;
    guint           keypad;
    GdkModifierType modifiers;
    double          pages;
  } keys[] = {
    { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, 0, -0.9 },     { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 0, 0.9 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, 0, -INFINITY },      { GDK_KEY_End, GDK_KEY_KP_End, 0, INFINITY },
    { GDK_KEY_space, GDK_KEY_KP_Space, 0, 0.9 },          { GDK_KEY_space, GDK_KEY_KP_Space, GDK_SHIFT_MASK, -0.9 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, 0, -0.1 },               { GDK_KEY_Down, GDK_KEY_KP_Down, 0, 0.1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, keys[i].key, keys[i].modifiers, scroll_key_cb, "d", keys[i].pages);
      gtk_widget_class_add_binding (widget_class, keys[i].keypad, keys[i].modifiers, scroll_key_cb, "d", keys[i].pages);
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_CONTROL_MASK, prompt_key_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_CONTROL_MASK, prompt_key_cb, "b", TRUE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, copy_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK, copy_key_cb, NULL);
}

static void
tau_transcript_view_class_init (TauTranscriptViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_transcript_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_transcript_view_finalize;
  widget_class->realize = tau_transcript_view_realize;
  widget_class->unrealize = tau_transcript_view_unrealize;
  widget_class->css_changed = tau_transcript_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "transcript");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_install_action (widget_class, "transcript.select-tool", "s", select_tool_cb);
  gtk_widget_class_install_action (widget_class, "transcript.group-toggled", NULL, group_toggled_cb);
  gtk_widget_class_install_action (widget_class, "transcript.retry", NULL, retry_cb);
  gtk_widget_class_install_action (widget_class, "transcript.focus", NULL, focus_cb);
  gtk_widget_class_install_action (widget_class, "transcript.find", NULL, find_cb);
  gtk_widget_class_install_action (widget_class, "transcript.outline", NULL, outline_cb);
  gtk_widget_class_install_action (widget_class, "transcript.previous-prompt", NULL, move_prompt_cb);
  gtk_widget_class_install_action (widget_class, "transcript.next-prompt", NULL, move_prompt_cb);
  add_keys (widget_class);

  /**
   * TauTranscriptView::tool-selected:
   * @call_id: id of the call
   *
   * The reader clicked a step: show it in the side panel.
   */
  signals[TOOL_SELECTED] = g_signal_new ("tool-selected", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, G_TYPE_STRING);
  /**
   * TauTranscriptView::retry:
   *
   * The reader wants the failed answer again.
   */
  signals[RETRY] = g_signal_new ("retry", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * TauTranscriptView::edit-message:
   * @message: what the user wrote
   *
   * The reader wants to write it anew.
   */
  signals[EDIT_MESSAGE] = g_signal_new ("edit-message", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                        TAU_TYPE_MESSAGE);
}

static void
row_built_cb (GtkWidget *row,
              gpointer   user_data)
{
  tau_reader_row_built (TAU_TRANSCRIPT_VIEW (user_data)->reader, row);
}

static void
tau_transcript_view_init (TauTranscriptView *self)
{
  self->model = tau_transcript_model_new ();
  self->groups = tau_step_groups_new (self->model);
  self->host.heights = tau_height_cache_new ();
  self->host.dirty = g_ptr_array_new_with_free_func (g_object_unref);
  self->host.expansions = g_object_ref (tau_transcript_model_get_expansions (self->model));

  self->list = make_list (self);
  self->draft_view = tau_draft_view_new (self->model, self->host.heights);
  self->stack = tau_stack_view_new (self->list, self->draft_view);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->stack);
  self->follow = tau_follow_end_new (self->scroller, TAU_STACK_VIEW (self->stack));
  self->reader = tau_reader_new (self->model, self->groups, &self->host, self->list, TAU_STACK_VIEW (self->stack));
  self->host.row_built = row_built_cb;
  self->host.row_built_data = self;
  g_signal_connect_object (self->follow, "scrolled", G_CALLBACK (tau_reader_stop), self->reader, G_CONNECT_SWAPPED);
  self->outline = tau_outline_new (GTK_WIDGET (self));
  g_signal_connect_object (self->outline, "chosen", G_CALLBACK (tau_transcript_view_go_to_message), self,
                           G_CONNECT_SWAPPED);
  self->jump = make_jump (self);
  self->overlay = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), self->scroller);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->jump);
  gtk_widget_set_vexpand (self->overlay, TRUE);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_parent (tau_reader_get_find_bar (self->reader), GTK_WIDGET (self));
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);

  g_signal_connect_object (self->stack, "notify::stuck", G_CALLBACK (update_jump), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tau_transcript_view_get_adjustment (self), "value-changed", G_CALLBACK (start_warming),
                           self, G_CONNECT_SWAPPED);
}

/**
 * tau_transcript_view_new:
 *
 * Returns: (transfer floating): a transcript without messages
 */
GtkWidget *
tau_transcript_view_new (void)
{
  return g_object_new (TAU_TYPE_TRANSCRIPT_VIEW, NULL);
}

static void
messages_changed_cb (GListModel        *messages,
                     guint              position,
                     guint              n_removed,
                     guint              n_added,
                     TauTranscriptView *self)
{
  if (tau_stack_view_get_stuck (TAU_STACK_VIEW (self->stack)))
    return;

  self->n_new += n_added;
  update_jump (self);
}

/**
 * tau_transcript_view_set_messages:
 * @self: a transcript
 * @messages: (nullable): a list of [class@Message]
 *
 * Shows another session, from its end.
 */
void
tau_transcript_view_set_messages (TauTranscriptView *self,
                                  GListModel        *messages)
{
  if (self->messages == messages)
    return;

  if (self->messages)
    g_signal_handlers_disconnect_by_func (self->messages, messages_changed_cb, self);
  g_set_object (&self->messages, messages);
  tau_transcript_model_set_messages (self->model, messages);
  if (!messages)
    return;

  g_signal_connect_object (messages, "items-changed", G_CALLBACK (messages_changed_cb), self, 0);
  self->n_new = 0;
  tau_transcript_view_scroll_to_end (self);
}

/**
 * tau_transcript_view_set_tool_runs:
 * @self: a transcript
 * @runs: (nullable): a list of [class@ToolRun], those at work
 *
 * Rows of calls show their output and their time from there.
 */
void
tau_transcript_view_set_tool_runs (TauTranscriptView *self,
                                   GListModel        *runs)
{
  tau_transcript_model_set_tool_runs (self->model, runs);
}

/**
 * tau_transcript_view_set_draft:
 * @self: a transcript
 * @draft: (nullable): the answer being streamed
 *
 * Shows it below the messages. When it has become a message, append that to the list and set %NULL here in the same
 * turn of the main loop: then nothing moves.
 */
void
tau_transcript_view_set_draft (TauTranscriptView *self,
                               TauDraft          *draft)
{
  tau_draft_view_set_draft (TAU_DRAFT_VIEW (self->draft_view), draft);
}

/**
 * tau_transcript_view_scroll_to_end:
 * @self: a transcript
 *
 * Goes to the end and stays there until the reader scrolls up.
 */
void
tau_transcript_view_scroll_to_end (TauTranscriptView *self)
{
  tau_reader_stop (self->reader);
  tau_stack_view_set_stuck (TAU_STACK_VIEW (self->stack), TRUE);
}

/**
 * tau_transcript_view_scroll_to_start:
 * @self: a transcript
 *
 * Goes to the first message.
 */
void
tau_transcript_view_scroll_to_start (TauTranscriptView *self)
{
  tau_reader_stop (self->reader);
  gtk_adjustment_set_value (tau_transcript_view_get_adjustment (self), 0);
}

/**
 * tau_transcript_view_move_prompt:
 * @self: a transcript
 * @forward: to the next prompt, else to the one before
 *
 * Goes to another prompt of the user; behind the last one comes the end.
 */
void
tau_transcript_view_move_prompt (TauTranscriptView *self,
                                 gboolean           forward)
{
  if (forward && tau_transcript_view_is_at_end (self))
    return;
  if (!tau_reader_move_prompt (self->reader, forward) && forward)
    tau_transcript_view_scroll_to_end (self);
}

/**
 * tau_transcript_view_go_to_message:
 * @self: a transcript
 * @message: position in the list of messages
 *
 * Shows a message at the top of the view.
 */
void
tau_transcript_view_go_to_message (TauTranscriptView *self,
                                   guint              message)
{
  guint row;

  if (tau_transcript_model_get_row (self->model, message, 0, &row))
    tau_reader_go_to (self->reader, row);
}

/**
 * tau_transcript_view_dup_position:
 * @self: a transcript
 *
 * Returns: (transfer full) (nullable): where the reader is, for [method@TranscriptView.restore_position]; %NULL at
 *   the end
 */
char *
tau_transcript_view_dup_position (TauTranscriptView *self)
{
  return tau_reader_dup_position (self->reader);
}

/**
 * tau_transcript_view_restore_position:
 * @self: a transcript
 * @position: where the reader was
 *
 * Goes back there.
 */
void
tau_transcript_view_restore_position (TauTranscriptView *self,
                                      const char        *position)
{
  tau_reader_restore (self->reader, position);
}

/**
 * tau_transcript_view_is_moving:
 * @self: a transcript
 *
 * Returns: whether it is on its way to a place
 */
gboolean
tau_transcript_view_is_moving (TauTranscriptView *self)
{
  return tau_reader_is_moving (self->reader);
}

/**
 * tau_transcript_view_scroll_by:
 * @self: a transcript
 * @distance: pixels; upwards if negative
 *
 * Scrolls as the reader does.
 */
void
tau_transcript_view_scroll_by (TauTranscriptView *self,
                               double             distance)
{
  tau_reader_stop (self->reader);
  tau_stack_view_scroll_by (TAU_STACK_VIEW (self->stack), distance);
}

/**
 * tau_transcript_view_expand_all:
 * @self: a transcript
 * @expanded: whether to open or to close
 *
 * Opens or closes all steps, thoughts and summaries.
 */
void
tau_transcript_view_expand_all (TauTranscriptView *self,
                                gboolean           expanded)
{
  g_autofree char *position = tau_transcript_view_dup_position (self);

  tau_height_cache_clear (self->host.heights);
  tau_expansions_set_all (self->host.expansions, expanded);
  if (position)
    tau_transcript_view_restore_position (self, position);
}

/**
 * tau_transcript_view_is_at_end:
 * @self: a transcript
 *
 * Returns: whether it follows the end
 */
gboolean
tau_transcript_view_is_at_end (TauTranscriptView *self)
{
  return tau_stack_view_get_stuck (TAU_STACK_VIEW (self->stack));
}

/**
 * tau_transcript_view_edit_message:
 * @self: a transcript
 * @message: what the user wrote
 *
 * Asks to have it written anew.
 */
void
tau_transcript_view_edit_message (TauTranscriptView *self,
                                  TauMessage        *message)
{
  g_signal_emit (self, signals[EDIT_MESSAGE], 0, message);
}

/**
 * tau_transcript_view_get_n_built:
 * @self: a transcript
 *
 * Returns: how many rows were built so far
 */
guint
tau_transcript_view_get_n_built (TauTranscriptView *self)
{
  return self->host.n_built;
}

/**
 * tau_transcript_view_get_n_renders:
 * @self: a transcript
 *
 * Returns: how often drafts were looked at so far
 */
guint
tau_transcript_view_get_n_renders (TauTranscriptView *self)
{
  return tau_draft_view_get_n_renders (TAU_DRAFT_VIEW (self->draft_view));
}

/**
 * tau_transcript_view_get_adjustment:
 * @self: a transcript
 *
 * Returns: (transfer none): its vertical position
 */
GtkAdjustment *
tau_transcript_view_get_adjustment (TauTranscriptView *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
}
