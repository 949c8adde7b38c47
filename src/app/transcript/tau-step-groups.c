/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-step-groups.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauStepGroups: live, owned by the transcript view. The rows of a transcript as the list shows them: more than three
 * calls of one kind that follow each other and came to a good end stand behind one line, "Read 7 files", that opens to
 * them. It keeps where groups are and how far they move what is below; items are made when they are asked for. Which
 * rows are calls is known from outlines, so that a session of 100,000 messages is grouped without parsing it. */

#define GROUP_KEY   0x800   /* in the bits that number blocks within a row */
#define MAX_TOGGLES 200     /* more groups than these are opened or closed in one go */

typedef struct
{
  guint         first;   /* row */
  guint         n;
  TauCommonTool tool;
  guint64       key;
  gboolean      open;
  int           shift;   /* how far rows behind it stand from where they would be without groups */
} Group;

/* Tells a row of the list from another one. */
typedef struct
{
  guint64 key;
  guint   n;
} Identity;

struct _TauStepGroups
{
  GObject             parent_instance;
  TauTranscriptModel *rows;
  GArray             *groups;    /* of Group, from top to bottom */
  guint               n_rows;    /* that are grouped */
  gboolean            is_fresh;  /* what comes next is known already */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauStepGroups, tau_step_groups, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static Group *
get_group (TauStepGroups *self,
           guint          index)
{
  return &g_array_index (self->groups, Group, index);
}

static int
shift_before (TauStepGroups *self,
              guint          index)
{
  return index > 0 ? get_group (self, index - 1)->shift : 0;
}

/* How many groups begin above a row. */
static guint
count_above (TauStepGroups *self,
             guint          row)
{
  guint low = 0, high = self->groups->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_group (self, middle)->first < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
update_shifts (TauStepGroups *self,
               guint          from)
{
  int shift = shift_before (self, from);

  for (guint i = from; i < self->groups->len; i++)
    {
      Group *group = get_group (self, i);

      shift += group->open ? 1 : 1 - (int) group->n;
      group->shift = shift;
    }
}

static gboolean
wants_open (TauStepGroups *self,
            const Group   *group)
{
  TauExpansions *expansions = tau_transcript_model_get_expansions (self->rows);
  guint64 peek = tau_expansions_get_peek (expansions);
  guint row;

  if (tau_expansions_get (expansions, group->key, FALSE))
    return TRUE;
  return peek != 0 && tau_transcript_model_find_row (self->rows, peek, &row)
         && row >= group->first && row < group->first + group->n;
}

/* Finding them */

static void
end_run (TauStepGroups *self,
         Group         *run)
{
  if (run->n >= TAU_STEP_GROUP_MIN)
    {
      run->key = tau_transcript_model_get_key (self->rows, run->first) | GROUP_KEY;
      run->open = wants_open (self, run);
      g_array_append_val (self->groups, *run);
    }
  run->n = 0;
}

static void
find_groups (TauStepGroups *self,
             guint          from_message)
{
  guint n_messages = tau_transcript_model_get_n_messages (self->rows);
  g_autoptr(GArray) tools = g_array_new (FALSE, FALSE, sizeof (TauCommonTool));
  Group run = { 0 };

  for (guint message = from_message; message < n_messages; message++)
    {
      guint row = tau_transcript_model_get_first_row (self->rows, message);

      if (tau_transcript_model_list_steps (self->rows, message, tools) > 0 && tools->len == 0)
        end_run (self, &run);
      for (guint i = 0; i < tools->len; i++)
        {
          TauCommonTool tool = g_array_index (tools, TauCommonTool, i);

          if (tool == TAU_COMMON_TOOL_NONE || tool != run.tool)
            end_run (self, &run);
          if (tool == TAU_COMMON_TOOL_NONE)
            continue;
          if (run.n++ == 0)
            {
              run.first = row + i;
              run.tool = tool;
            }
        }
    }
  end_run (self, &run);
}

static void
add_identities (TauStepGroups *self,
                GArray        *identities,
                guint          from_row,
                guint          index)
{
  for (guint row = from_row; row < self->n_rows;)
    {
      const Group *group = index < self->groups->len ? get_group (self, index) : NULL;
      guint end = group != NULL ? group->first : self->n_rows;

      for (; row < end; row++)
        {
          Identity identity = { tau_transcript_model_get_key (self->rows, row), 0 };

          g_array_append_val (identities, identity);
        }
      if (group == NULL)
        break;
      g_array_append_val (identities, ((Identity) { group->key, group->n }));
      end = group->first + group->n;
      for (; group->open && row < end; row++)
        {
          Identity identity = { tau_transcript_model_get_key (self->rows, row), G_MAXUINT };

          g_array_append_val (identities, identity);
        }
      row = end;
      index++;
    }
}

static gboolean
is_same (GArray *a,
         guint   i,
         GArray *b,
         guint   k)
{
  const Identity *x = &g_array_index (a, Identity, i), *y = &g_array_index (b, Identity, k);

  return x->key == y->key && x->n == y->n;
}

/* Tells the list only what is another row now, so that the others keep their place. */
static void
emit_difference (TauStepGroups *self,
                 guint          position,
                 GArray        *before,
                 GArray        *after)
{
  guint start = 0, end = 0, shorter = MIN (before->len, after->len);

  while (start < shorter && is_same (before, start, after, start))
    start++;
  while (end < shorter - start && is_same (before, before->len - 1 - end, after, after->len - 1 - end))
    end++;
  if (start + end < before->len || start + end < after->len)
    g_list_model_items_changed (G_LIST_MODEL (self), position + start, before->len - start - end,
                                after->len - start - end);
}

static guint
get_n_items (GListModel *list)
{
  TauStepGroups *self = TAU_STEP_GROUPS (list);

  return (guint) ((int) self->n_rows + shift_before (self, self->groups->len));
}

/* Looks for groups anew from where no group reaches over @message. Rows above those that are new are as they were
 * where @keeps_rows says so. */
static void
regroup (TauStepGroups *self,
         guint          message,
         gboolean       keeps_rows)
{
  g_autoptr(GArray) before = g_array_new (FALSE, FALSE, sizeof (Identity));
  g_autoptr(GArray) after = g_array_new (FALSE, FALSE, sizeof (Identity));
  guint n_before = get_n_items (G_LIST_MODEL (self));
  guint row, above, position;

  message = tau_transcript_model_find_run_start (self->rows, message);
  row = tau_transcript_model_get_first_row (self->rows, message);
  above = count_above (self, row);
  position = (guint) ((int) row + shift_before (self, above));
  if (keeps_rows)
    add_identities (self, before, row, above);

  g_array_set_size (self->groups, above);
  self->n_rows = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  find_groups (self, message);
  update_shifts (self, above);
  if (keeps_rows && n_before > position)
    {
      add_identities (self, after, row, above);
      emit_difference (self, position, before, after);
    }
  else if (n_before > position || get_n_items (G_LIST_MODEL (self)) > position)
    {
      g_list_model_items_changed (G_LIST_MODEL (self), position, n_before - position,
                                  get_n_items (G_LIST_MODEL (self)) - position);
    }
}

static void
rows_changed_cb (GListModel *rows,
                 guint       position,
                 guint       n_removed,
                 guint       n_added,
                 gpointer    user_data)
{
  TauStepGroups *self = user_data;
  guint n_messages = tau_transcript_model_get_n_messages (self->rows);
  guint message = n_messages > 0 ? tau_transcript_model_get_message (self->rows, position) : 0;

  self->is_fresh = TRUE;
  regroup (self, message, n_removed == 0 && position == self->n_rows);
}

static void
settled_cb (TauTranscriptModel *rows,
            guint               message,
            TauStepGroups      *self)
{
  if (!self->is_fresh)
    regroup (self, message, TRUE);
  self->is_fresh = FALSE;
}

static void
toggle (TauStepGroups *self,
        guint          index)
{
  Group *group = get_group (self, index);
  guint position = (guint) ((int) group->first + shift_before (self, index)) + 1;

  group->open = !group->open;
  update_shifts (self, index);
  g_list_model_items_changed (G_LIST_MODEL (self), position, group->open ? 0 : group->n, group->open ? group->n : 0);
}

static void
toggle_all (TauStepGroups *self)
{
  guint n_before = get_n_items (G_LIST_MODEL (self));

  for (guint i = 0; i < self->groups->len; i++)
    get_group (self, i)->open = wants_open (self, get_group (self, i));
  update_shifts (self, 0);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, get_n_items (G_LIST_MODEL (self)));
}

/* The list */

static char *
dup_caption (const Group *group)
{
  switch (group->tool)
    {
    case TAU_COMMON_TOOL_READ:
      return g_strdup_printf (ngettext ("Read %u file", "Read %u files", group->n), group->n);
    case TAU_COMMON_TOOL_BASH:
      return g_strdup_printf (ngettext ("Ran %u command", "Ran %u commands", group->n), group->n);
    case TAU_COMMON_TOOL_LS:
      return g_strdup_printf (ngettext ("Listed %u folder", "Listed %u folders", group->n), group->n);
    case TAU_COMMON_TOOL_FIND:
      return g_strdup_printf (ngettext ("Looked for files %u time", "Looked for files %u times", group->n), group->n);
    case TAU_COMMON_TOOL_GREP:
    case TAU_COMMON_TOOL_NONE:
    default:
      return g_strdup_printf (ngettext ("Searched %u time", "Searched %u times", group->n), group->n);
    }
}

static TauTranscriptItem *
make_line (TauStepGroups *self,
           const Group   *group)
{
  g_autoptr(TauTranscriptItem) first = g_list_model_get_item (G_LIST_MODEL (self->rows), group->first);
  TauTranscriptItem *item = tau_transcript_item_new (TAU_TRANSCRIPT_GROUP, tau_transcript_item_get_message (first),
                                                     G_MAXUINT, group->key, tau_transcript_item_get_gap (first));
  g_autofree char *caption = dup_caption (group);

  tau_transcript_item_set_caption (item, caption);
  return item;
}

/* The last group whose line is at or above a position. */
static guint
find_group (TauStepGroups *self,
            guint          position)
{
  guint low = 0, high = self->groups->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if ((int) get_group (self, middle)->first + shift_before (self, middle) <= (int) position)
        low = middle + 1;
      else
        high = middle;
    }
  return low - 1;
}

static gpointer
get_item (GListModel *list,
          guint       position)
{
  TauStepGroups *self = TAU_STEP_GROUPS (list);
  guint index = find_group (self, position);
  const Group *group = index != G_MAXUINT ? get_group (self, index) : NULL;
  TauTranscriptItem *item;
  guint line;

  if (group == NULL)
    return g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  line = (guint) ((int) group->first + shift_before (self, index));
  if (position == line)
    return make_line (self, group);
  if (!group->open || position > line + group->n)
    return g_list_model_get_item (G_LIST_MODEL (self->rows), (guint) ((int) position - group->shift));
  item = g_list_model_get_item (G_LIST_MODEL (self->rows), group->first + position - line - 1);
  tau_transcript_item_set_nested (item, TRUE);
  return item;
}

static GType
get_item_type (GListModel *list)
{
  return TAU_TYPE_TRANSCRIPT_ITEM;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
tau_step_groups_dispose (GObject *object)
{
  g_clear_object (&TAU_STEP_GROUPS (object)->rows);
  G_OBJECT_CLASS (tau_step_groups_parent_class)->dispose (object);
}

static void
tau_step_groups_finalize (GObject *object)
{
  g_array_unref (TAU_STEP_GROUPS (object)->groups);
  G_OBJECT_CLASS (tau_step_groups_parent_class)->finalize (object);
}

static void
tau_step_groups_class_init (TauStepGroupsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_step_groups_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_step_groups_finalize;
}

static void
tau_step_groups_init (TauStepGroups *self)
{
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
}

/**
 * tau_step_groups_new:
 * @rows: all rows
 *
 * Returns: (transfer full): a list of [class@TranscriptItem] in which steps of one kind stand together
 */
TauStepGroups *
tau_step_groups_new (TauTranscriptModel *rows)
{
  TauStepGroups *self = g_object_new (TAU_TYPE_STEP_GROUPS, NULL);

  self->rows = g_object_ref (rows);
  g_signal_connect_object (rows, "items-changed", G_CALLBACK (rows_changed_cb), self, 0);
  g_signal_connect_object (rows, "settled", G_CALLBACK (settled_cb), self, 0);
  g_signal_connect_object (tau_transcript_model_get_expansions (rows), "changed",
                           G_CALLBACK (tau_step_groups_refresh), self, G_CONNECT_SWAPPED);
  regroup (self, 0, FALSE);
  return self;
}

/**
 * tau_step_groups_place:
 * @self: groups
 * @row: position of a row among all rows
 *
 * Returns: where the row stands in this list, or the line of the closed group that it is in
 */
guint
tau_step_groups_place (TauStepGroups *self,
                       guint          row)
{
  guint above = count_above (self, row + 1);
  const Group *group = above > 0 ? get_group (self, above - 1) : NULL;
  guint line;

  if (group == NULL || row >= group->first + group->n)
    return (guint) ((int) row + shift_before (self, above));
  line = (guint) ((int) group->first + shift_before (self, above - 1));
  return group->open ? line + 1 + row - group->first : line;
}

/**
 * tau_step_groups_refresh:
 * @self: groups
 *
 * Opens and closes groups as the reader's choices say.
 */
void
tau_step_groups_refresh (TauStepGroups *self)
{
  guint n_toggles = 0;

  for (guint i = 0; i < self->groups->len; i++)
    n_toggles += get_group (self, i)->open != wants_open (self, get_group (self, i));
  if (n_toggles > MAX_TOGGLES)
    {
      toggle_all (self);
      return;
    }
  for (guint i = self->groups->len; n_toggles > 0 && i-- > 0;)
    if (get_group (self, i)->open != wants_open (self, get_group (self, i)))
      {
        toggle (self, i);
        n_toggles--;
      }
}
