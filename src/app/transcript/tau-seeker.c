/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-seeker.h"

#include "app/transcript/tau-lazy-row.h"

#include <math.h>

/* TauSeeker: live, owned by the transcript view. Brings a row, or a place in it, to where the reader sees it. A list
 * knows the true heights of few rows, so that no coordinate stays true: the goal is the row, and the seeker comes
 * nearer in each frame until the row stands still where it should. Any scrolling of the reader ends that. */
struct _TauSeeker
{
  GObject       parent_instance;
  GListModel   *rows;
  GtkWidget    *list;        /* borrowed, as is the stack: both belong to our owner */
  TauStackView *stack;
  guint         tick;        /* while at work */
  guint         row;
  guint64       key;
  int           offset;      /* from the top of the view, where there is no place */
  TauSeekPlace  place;       /* nullable */
  gpointer      place_data;
  guint         n_frames;
  guint         n_still;
};

#define MAX_FRAMES   120
#define STILL_FRAMES 3

G_DEFINE_FINAL_TYPE (TauSeeker, tau_seeker, G_TYPE_OBJECT)

static TauLazyRow *
row_of (GtkWidget *list_child)
{
  GtkWidget *row = gtk_widget_get_first_child (list_child);

  return row && TAU_IS_LAZY_ROW (row) && tau_lazy_row_get_item (TAU_LAZY_ROW (row)) ? TAU_LAZY_ROW (row) : NULL;
}

static gboolean
find_y (TauSeeker  *self,
        TauLazyRow *row,
        int        *y)
{
  graphene_point_t point;

  if (!gtk_widget_get_child_visible (gtk_widget_get_parent (GTK_WIDGET (row))) || !tau_lazy_row_is_built (row) ||
      !gtk_widget_compute_point (GTK_WIDGET (row), GTK_WIDGET (self->stack), &GRAPHENE_POINT_INIT (0, 0), &point))
    return FALSE;
  *y = (int) round (point.y);
  return TRUE;
}

static gboolean
is_in_view (TauSeeker *self,
            GtkWidget *row,
            int        y)
{
  return y < gtk_widget_get_height (GTK_WIDGET (self->stack)) && y + gtk_widget_get_height (row) > 0;
}

static TauLazyRow *
find_row (TauSeeker *self,
          int       *y)
{
  for (GtkWidget *child = gtk_widget_get_first_child (self->list); child; child = gtk_widget_get_next_sibling (child))
    {
      TauLazyRow *row = row_of (child);

      if (row && tau_transcript_item_get_key (tau_lazy_row_get_item (row)) == self->key && find_y (self, row, y) &&
          is_in_view (self, GTK_WIDGET (row), *y))
        return row;
    }
  return NULL;
}

/* How far the view has to go; places that are well in view stay where they are. */
static int
find_distance (TauSeeker  *self,
               TauLazyRow *row,
               int         y)
{
  int page = gtk_widget_get_height (GTK_WIDGET (self->stack));
  int place_y = 0, height = 0, margin = page / 8;

  if (!self->place)
    return y - self->offset;
  if (!self->place (GTK_WIDGET (row), &place_y, &height, self->place_data))
    return y >= 0 && y < page - margin ? 0 : y - margin;
  y += place_y;
  if (y >= margin && y + height <= page - margin)
    return 0;
  return y - page / 3;
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       user_data)
{
  TauSeeker *self = user_data;
  int y = 0;
  TauLazyRow *row = find_row (self, &y);
  int distance;

  /* A list that has no size yet loses itself when it is told to go somewhere. */
  if (gtk_widget_get_height (widget) == 0)
    return G_SOURCE_CONTINUE;

  distance = row ? find_distance (self, row, y) : 0;

  if (!row)
    {
      self->n_still = 0;
      tau_stack_view_leave_tail (self->stack);
      gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", self->row);
    }
  else if (ABS (distance) <= 1)
    {
      self->n_still++;
    }
  else
    {
      GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->stack));
      double before = gtk_adjustment_get_value (adjustment);

      tau_stack_view_scroll_by (self->stack, distance);
      self->n_still = fabs (gtk_adjustment_get_value (adjustment) - before) < 0.5 ? self->n_still + 1 : 0;
    }
  if (self->n_still < STILL_FRAMES && ++self->n_frames < MAX_FRAMES)
    return G_SOURCE_CONTINUE;

  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
start (TauSeeker *self,
       guint      row)
{
  g_autoptr(TauTranscriptItem) item = g_list_model_get_item (self->rows, row);

  if (!item)
    return;
  self->row = row;
  self->key = tau_transcript_item_get_key (item);
  self->n_frames = self->n_still = 0;
  tau_stack_view_set_stuck (self->stack, FALSE);
  if (!self->tick)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->stack), tick_cb, self, NULL);
}

static void
tau_seeker_dispose (GObject *object)
{
  tau_seeker_stop (TAU_SEEKER (object));
  g_clear_object (&TAU_SEEKER (object)->rows);
  G_OBJECT_CLASS (tau_seeker_parent_class)->dispose (object);
}

static void
tau_seeker_class_init (TauSeekerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_seeker_dispose;
}

static void
tau_seeker_init (TauSeeker *self)
{
}

/**
 * tau_seeker_new:
 * @rows: a list of [class@TranscriptItem]
 * @list: shows them
 * @stack: scrolls it
 *
 * Returns: (transfer full): a seeker; both widgets outlive it
 */
TauSeeker *
tau_seeker_new (GListModel   *rows,
                GtkWidget    *list,
                TauStackView *stack)
{
  TauSeeker *self = g_object_new (TAU_TYPE_SEEKER, NULL);

  self->rows = g_object_ref (rows);
  self->list = list;
  self->stack = stack;
  return self;
}

/**
 * tau_seeker_to_row:
 * @self: a seeker
 * @row: position in the list
 * @offset: where its top is to stand, from the top of the view
 *
 * Brings a row into view.
 */
void
tau_seeker_to_row (TauSeeker *self,
                   guint      row,
                   int        offset)
{
  self->place = NULL;
  self->offset = offset;
  start (self, row);
}

/**
 * tau_seeker_to_place:
 * @self: a seeker
 * @row: position in the list
 * @place: finds the place; called until it stands still
 * @user_data: for @place
 *
 * Brings a place within a row into view.
 */
void
tau_seeker_to_place (TauSeeker    *self,
                     guint         row,
                     TauSeekPlace  place,
                     gpointer      user_data)
{
  self->place = place;
  self->place_data = user_data;
  start (self, row);
}

/**
 * tau_seeker_stop:
 * @self: a seeker
 *
 * Gives up: the reader goes elsewhere.
 */
void
tau_seeker_stop (TauSeeker *self)
{
  if (self->tick)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->stack), self->tick);
  self->tick = 0;
}

/**
 * tau_seeker_is_busy:
 * @self: a seeker
 *
 * Returns: whether it is not there yet
 */
gboolean
tau_seeker_is_busy (TauSeeker *self)
{
  return self->tick != 0;
}

/**
 * tau_seeker_get_top:
 * @self: a seeker
 * @key: (out): names the uppermost row in view
 * @offset: (out): where its top stands, from the top of the view
 *
 * Says where the reader is, in a form that stays true.
 *
 * Returns: whether there is any row in view
 */
gboolean
tau_seeker_get_top (TauSeeker *self,
                    guint64   *key,
                    int       *offset)
{
  for (GtkWidget *child = gtk_widget_get_first_child (self->list); child; child = gtk_widget_get_next_sibling (child))
    {
      TauLazyRow *row = row_of (child);

      if (row && find_y (self, row, offset) && is_in_view (self, GTK_WIDGET (row), *offset))
        {
          *key = tau_transcript_item_get_key (tau_lazy_row_get_item (row));
          return TRUE;
        }
    }
  return FALSE;
}
