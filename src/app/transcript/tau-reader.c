/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-reader.h"

#include "app/markdown/tau-code-block.h"
#include "app/markdown/tau-code-view.h"
#include "app/markdown/tau-selection.h"
#include "app/transcript/tau-find-bar.h"

#include <stdio.h>

/* TauReader: live, owned by the transcript view. Where the reader is and where he wants to go: to words that he
 * looks for, to an earlier prompt, to where he was when he last saw the session. What is opened to show a hit is
 * closed again when he goes on. */
struct _TauReader
{
  GObject              parent_instance;
  TauTranscriptModel  *model;
  TauStepGroups       *groups;     /* the model's rows as the list shows them */
  TauRowHost          *host;       /* borrowed, as are the two widgets: all belong to our owner */
  GtkWidget           *list;
  TauStackView        *stack;
  GtkWidget           *bar;        /* weak */
  TauTranscriptFinder *finder;
  TauSeeker           *seeker;
  TauMarks             marks;
  guint64              peek_key;   /* row that is open for a while */
  TauCodeBlock        *revealed;   /* weak; shows all lines for a while */
  TauTranscriptHit     hit;        /* that is being gone to */
  int                  shown;      /* number of the hit that was gone to last, or -1 */
};

#define PROMPT_OFFSET 12   /* between the top of the view and a prompt that was gone to */

G_DEFINE_FINAL_TYPE (TauReader, tau_reader, G_TYPE_OBJECT)

static void
hide_revealed (TauReader *self)
{
  if (self->revealed)
    tau_code_block_set_revealed (self->revealed, FALSE);
  g_clear_weak_pointer (&self->revealed);
}

static void
peek (TauReader *self,
      guint64    key)
{
  if (self->peek_key == key)
    return;

  tau_height_cache_forget (self->host->heights, self->peek_key);
  tau_height_cache_forget (self->host->heights, key);
  self->peek_key = key;
  tau_expansions_peek (self->host->expansions, key);
}

/* The search for one hit among the texts of its row. */
typedef struct
{
  TauFindTerm *term;
  guint        ordinal;
  GtkWidget   *widget;   /* where the hit is; the last one there is if there are too few */
  gsize        start;
} Search;

static gboolean
search_text (GtkWidget  *widget,
             const char *text,
             gsize       length,
             gpointer    user_data)
{
  Search *search = user_data;
  gsize start, end = 0;

  while (tau_find_term_next (search->term, text, length, end, &start, &end))
    {
      search->widget = widget;
      search->start = start;
      if (search->ordinal-- == 0)
        return TRUE;
    }
  return FALSE;
}

/* Returns whether anything has to be laid out before the hit has its place. */
static gboolean
reveal (TauReader *self,
        GtkWidget *widget,
        gsize      start)
{
  GtkWidget *block = gtk_widget_get_ancestor (widget, TAU_TYPE_CODE_BLOCK);
  gboolean was_revealed = block && self->revealed == (TauCodeBlock *) block;

  if (!was_revealed)
    hide_revealed (self);
  if (!block || !tau_code_block_reveal (TAU_CODE_BLOCK (block), start))
    return FALSE;
  g_set_weak_pointer (&self->revealed, TAU_CODE_BLOCK (block));
  return !was_revealed;
}

static gboolean
place_of_hit (GtkWidget *row,
              int       *y,
              int       *height,
              gpointer   user_data)
{
  TauReader *self = user_data;
  Search search = { self->marks.term, self->hit.ordinal, NULL, 0 };
  graphene_point_t point;
  int line = 0;

  if (!self->marks.term)
    return FALSE;
  tau_texts_foreach (row, search_text, &search);
  if (!search.widget)
    return FALSE;

  if (reveal (self, search.widget, search.start))
    return FALSE;
  if (self->marks.widget != search.widget || self->marks.start != search.start)
    {
      g_set_weak_pointer (&self->marks.widget, search.widget);
      self->marks.start = search.start;
      tau_marks_redraw (&self->marks, GTK_WIDGET (self->stack));
    }
  *height = gtk_widget_get_height (search.widget);
  if (TAU_IS_SELECTABLE (search.widget))
    line = TAU_SELECTABLE_GET_IFACE (search.widget)->y_of (TAU_SELECTABLE (search.widget), search.start, height);
  if (!gtk_widget_compute_point (search.widget, row, &GRAPHENE_POINT_INIT (0, (float) line), &point))
    return FALSE;
  *y = (int) point.y;
  return TRUE;
}

static void
show_hit (TauReader *self)
{
  g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (self->model), self->hit.row);

  if (!item)
    return;
  peek (self, tau_transcript_item_get_key (item));
  tau_seeker_to_place (self->seeker, tau_step_groups_place (self->groups, self->hit.row), place_of_hit, self);
}

static void
hits_changed_cb (TauReader *self)
{
  TauTranscriptHit hit;
  guint index;

  if (!tau_transcript_finder_get_current (self->finder, &index, &hit))
    {
      self->shown = -1;
      return;
    }
  /* Its number may have grown by hits above it: it is the same then. */
  if (self->shown >= 0 && hit.row == self->hit.row && hit.ordinal == self->hit.ordinal)
    return;
  self->hit = hit;
  self->shown = (int) index;
  show_hit (self);
}

static void
words_changed_cb (TauReader  *self,
                  const char *words)
{
  guint row = tau_reader_get_row (self);

  tau_marks_clear (&self->marks);
  hide_revealed (self);
  if (*words)
    self->marks.term = tau_find_term_new (words);
  else
    peek (self, 0);
  tau_marks_redraw (&self->marks, GTK_WIDGET (self->stack));
  self->shown = -1;
  tau_transcript_finder_set_words (self->finder, words, row);
}

static void
move_cb (TauReader *self,
         gboolean   forward)
{
  guint before = self->shown >= 0 ? (guint) self->shown : G_MAXUINT;
  TauTranscriptHit hit;
  guint index;

  if (!tau_transcript_finder_move (self->finder, forward))
    return;
  /* The only hit, once more: the reader may have gone elsewhere. */
  if (tau_transcript_finder_get_current (self->finder, &index, &hit) && index == before)
    show_hit (self);
}

static void
tau_reader_dispose (GObject *object)
{
  TauReader *self = TAU_READER (object);

  g_clear_weak_pointer (&self->revealed);
  g_clear_weak_pointer (&self->bar);
  tau_marks_clear (&self->marks);
  g_clear_object (&self->seeker);
  g_clear_object (&self->finder);
  g_clear_object (&self->groups);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (tau_reader_parent_class)->dispose (object);
}

static void
tau_reader_class_init (TauReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_reader_dispose;
}

static void
tau_reader_init (TauReader *self)
{
  self->shown = -1;
}

/**
 * tau_reader_new:
 * @model: the rows
 * @groups: the rows as the list shows them
 * @host: what they share
 * @list: shows them
 * @stack: scrolls it
 *
 * Returns: (transfer full): a reader; all but the model outlive it
 */
TauReader *
tau_reader_new (TauTranscriptModel *model,
                TauStepGroups      *groups,
                TauRowHost         *host,
                GtkWidget          *list,
                TauStackView       *stack)
{
  TauReader *self = g_object_new (TAU_TYPE_READER, NULL);

  self->model = g_object_ref (model);
  self->groups = g_object_ref (groups);
  self->host = host;
  self->list = list;
  self->stack = stack;
  self->finder = tau_transcript_finder_new (G_LIST_MODEL (model));
  self->seeker = tau_seeker_new (G_LIST_MODEL (groups), list, stack);
  g_set_weak_pointer (&self->bar, tau_find_bar_new (self->finder));
  g_signal_connect_object (self->finder, "changed", G_CALLBACK (hits_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "words-changed", G_CALLBACK (words_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "move", G_CALLBACK (move_cb), self, G_CONNECT_SWAPPED);
  return self;
}

/**
 * tau_reader_get_find_bar:
 * @self: a reader
 *
 * Returns: (transfer none): the bar in which words are typed, for the view to take in
 */
GtkWidget *
tau_reader_get_find_bar (TauReader *self)
{
  return self->bar;
}

/**
 * tau_reader_get_marks:
 * @self: a reader
 *
 * Returns: (transfer none): what is marked in the texts
 */
TauMarks *
tau_reader_get_marks (TauReader *self)
{
  return &self->marks;
}

/**
 * tau_reader_row_built:
 * @self: a reader
 * @row: a row that got its widgets
 *
 * Marks what is in it.
 */
void
tau_reader_row_built (TauReader *self,
                      GtkWidget *row)
{
  if (self->marks.term)
    tau_marks_redraw (&self->marks, row);
}

/**
 * tau_reader_get_row:
 * @self: a reader
 *
 * Returns: position of the uppermost row in view
 */
guint
tau_reader_get_row (TauReader *self)
{
  guint64 key;
  guint row;
  int offset;

  if (tau_seeker_get_top (self->seeker, &key, &offset) && tau_transcript_model_find_row (self->model, key, &row))
    return row;
  return g_list_model_get_n_items (G_LIST_MODEL (self->model));
}

/**
 * tau_reader_move_prompt:
 * @self: a reader
 * @forward: to the next prompt, else to the one before
 *
 * Goes to another prompt, or to the end if there is none below.
 *
 * Returns: whether there was one
 */
gboolean
tau_reader_move_prompt (TauReader *self,
                        gboolean   forward)
{
  guint row = tau_reader_get_row (self), at = row;
  int offset = 0;
  guint64 key;

  if (tau_seeker_is_busy (self->seeker))
    at = self->hit.row;
  else if (tau_seeker_get_top (self->seeker, &key, &offset) && !forward && offset < 0)
    at = row + 1;   /* the beginning of a prompt that stands half above the view is before it */
  if (!tau_transcript_model_find_prompt (self->model, at, forward, &row))
    return FALSE;

  self->hit.row = row;
  self->hit.ordinal = G_MAXUINT;
  tau_seeker_to_row (self->seeker, tau_step_groups_place (self->groups, row), PROMPT_OFFSET);
  return TRUE;
}

/**
 * tau_reader_go_to:
 * @self: a reader
 * @row: position of a row
 *
 * Shows a row at the top of the view.
 */
void
tau_reader_go_to (TauReader *self,
                  guint      row)
{
  self->hit.row = row;
  self->hit.ordinal = G_MAXUINT;
  tau_seeker_to_row (self->seeker, tau_step_groups_place (self->groups, row), PROMPT_OFFSET);
}

/**
 * tau_reader_dup_position:
 * @self: a reader
 *
 * Says where the reader is: which row of which message is at the top, and how far it is scrolled.
 *
 * Returns: (transfer full) (nullable): the place, for tau_reader_restore(); %NULL at the end
 */
char *
tau_reader_dup_position (TauReader *self)
{
  guint message, row;
  guint64 key;
  int offset;

  if (tau_stack_view_get_stuck (self->stack) || !tau_seeker_get_top (self->seeker, &key, &offset) ||
      !tau_transcript_model_locate (self->model, key, &message, &row))
    return NULL;
  return g_strdup_printf ("%u:%u:%d", message, row, offset);
}

/**
 * tau_reader_restore:
 * @self: a reader
 * @position: from tau_reader_dup_position()
 *
 * Goes back to where the reader was. Nothing happens if that place is no more.
 */
void
tau_reader_restore (TauReader  *self,
                    const char *position)
{
  guint message, row, at;
  int offset;

  if (sscanf (position, "%u:%u:%d", &message, &row, &offset) != 3 ||
      !tau_transcript_model_get_row (self->model, message, row, &at))
    return;
  tau_seeker_to_row (self->seeker, tau_step_groups_place (self->groups, at), offset);
}

/**
 * tau_reader_stop:
 * @self: a reader
 *
 * The reader scrolls by himself.
 */
void
tau_reader_stop (TauReader *self)
{
  tau_seeker_stop (self->seeker);
}

/**
 * tau_reader_is_moving:
 * @self: a reader
 *
 * Returns: whether the view is still on its way
 */
gboolean
tau_reader_is_moving (TauReader *self)
{
  return tau_seeker_is_busy (self->seeker);
}
