/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/transcript/tau-transcript-model.h"

#include "app/transcript/tau-message-rows.h"
#include "core/base/tau-text.h"
#include "core/message/tau-assistant-message.h"
#include "core/session/tau-session-messages.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauTranscriptModel: live, owned by the transcript view. A flat list of rows over a list of messages: it knows how
 * many rows each message has (prefix sums) and makes the item of a row when it is asked for, so that a session of
 * 100,000 messages costs no objects. Over the messages of a session it counts rows by their outlines, so that nothing is
 * parsed before it is shown. Results of tools are no rows of their own but belong to the row of the call, found by its
 * id. A message before which the model or the thinking level was switched has a separator above its rows. It never looks
 * at a widget. */

#define KEY_SHIFT 24     /* serial of the message, 12 bits of row, 12 bits for blocks within it */
#define SEPARATOR 0xfff  /* stands for the row of the separator in keys */

typedef struct
{
  guint64        serial;
  guint          first_row;   /* the separator, if there is one */
  gboolean       switched;    /* has a separator */
  TauMessageRows rows;        /* without the separator */
} Entry;

struct _TauTranscriptModel
{
  GObject        parent_instance;
  GListModel    *messages;
  GListModel    *runs;
  TauExpansions *expansions;
  GArray        *entries;       /* of Entry, one a message */
  guint          n_rows;
  guint64        next_serial;
  GHashTable    *results;       /* call id → TauToolResultMessage, where the list holds all messages anyway */
  GHashTable    *live;          /* call id → TauTranscriptItem, weak */
};

enum
{
  SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTranscriptModel, tau_transcript_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static gboolean
get_outline (GListModel        *messages,
             guint              position,
             TauMessageOutline *outline)
{
  if (!TAU_IS_SESSION_MESSAGES (messages))
    return FALSE;
  tau_session_messages_get_outline (TAU_SESSION_MESSAGES (messages), position, outline);
  return outline->known;
}

static gboolean
find_switch (GListModel *messages,
             guint       position,
             char      **model,
             char      **thinking_level)
{
  return TAU_IS_SESSION_MESSAGES (messages)
         && tau_session_messages_find_switch (TAU_SESSION_MESSAGES (messages), position, model, thinking_level);
}

static gboolean
has_switch (GListModel *messages,
            guint       position)
{
  g_autofree char *model = NULL;
  g_autofree char *level = NULL;

  return find_switch (messages, position, &model, &level);
}

static guint
count_all_rows (const Entry *entry)
{
  return entry->rows.n_rows + (entry->switched ? 1 : 0);
}

static guint
find_entry (TauTranscriptModel *self,
            guint               row)
{
  guint low = 0, high = self->entries->len;

  /* The last entry that begins at or before the row; entries without rows begin there too, but end there as well. */
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->entries, Entry, middle).first_row <= row)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static gboolean
kind_before (TauTranscriptModel *self,
             guint               entry,
             TauTranscriptKind  *kind)
{
  while (entry > 0)
    {
      if (g_array_index (self->entries, Entry, --entry).rows.n_rows == 0)
        continue;
      *kind = g_array_index (self->entries, Entry, entry).rows.last_kind;
      return TRUE;
    }
  return FALSE;
}

static void
item_gone_cb (gpointer  data,
              GObject  *where_it_was)
{
  GHashTable *live = ((gpointer *) data)[0];
  char *call_id = ((gpointer *) data)[1];

  if (g_hash_table_lookup (live, call_id) == where_it_was)
    g_hash_table_remove (live, call_id);
  g_hash_table_unref (live);
  g_free (call_id);
  g_free (data);
}

/* Results follow the answer that has the calls, before the next answer. */
static TauToolResultMessage *
dup_result (TauTranscriptModel *self,
            guint               index,
            const char         *call_id)
{
  guint n = g_list_model_get_n_items (self->messages);
  TauToolResultMessage *result = NULL;

  while (++index < n)
    {
      g_autoptr(TauMessage) message = NULL;
      TauMessageOutline outline;

      if (get_outline (self->messages, index, &outline) && outline.kind != TAU_MESSAGE_KIND_TOOL_RESULT)
        {
          if (outline.kind == TAU_MESSAGE_KIND_ASSISTANT)
            break;
          continue;
        }
      message = g_list_model_get_item (self->messages, index);
      if (TAU_IS_ASSISTANT_MESSAGE (message))
        break;
      if (TAU_IS_TOOL_RESULT_MESSAGE (message)
          && g_strcmp0 (tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)), call_id) == 0)
        return TAU_TOOL_RESULT_MESSAGE (g_steal_pointer (&message));
    }
  result = g_hash_table_lookup (self->results, call_id);
  return result != NULL ? g_object_ref (result) : NULL;
}

static void
track_call (TauTranscriptModel *self,
            TauTranscriptItem  *item,
            guint               index)
{
  const char *call_id = tau_block_get_call_id (tau_transcript_item_get_block (item));
  g_autoptr(TauToolResultMessage) result = NULL;
  gpointer *data;

  if (!call_id)
    return;

  result = dup_result (self, index, call_id);
  tau_transcript_item_set_result (item, result);
  tau_transcript_item_set_run (item, tau_transcript_model_find_run (self, call_id));
  data = g_new (gpointer, 2);
  data[0] = g_hash_table_ref (self->live);
  data[1] = g_strdup (call_id);
  g_hash_table_replace (self->live, g_strdup (call_id), item);
  g_object_weak_ref (G_OBJECT (item), item_gone_cb, data);
}

static char *
dup_caption (GListModel *messages,
             guint       position)
{
  g_autofree char *model = NULL;
  g_autofree char *level = NULL;

  find_switch (messages, position, &model, &level);
  if (model != NULL && level != NULL)
    /* Translators: a model and a thinking level; what follows was answered with these. */
    return g_strdup_printf (_("Model: %s · Thinking: %s"), model, level);
  if (level != NULL)
    return g_strdup_printf (_("Thinking: %s"), level);
  return g_strdup_printf (_("Model: %s"), model != NULL ? model : "");
}

static TauTranscriptItem *
make_separator (TauTranscriptModel *self,
                guint               index,
                TauMessage         *message)
{
  const Entry *entry = &g_array_index (self->entries, Entry, index);
  TauTranscriptKind before = TAU_TRANSCRIPT_USER;
  gboolean has_before = kind_before (self, index, &before);
  g_autofree char *caption = dup_caption (self->messages, index);
  g_autofree char *valid = tau_text_make_valid (caption, -1);
  TauTranscriptItem *item = tau_transcript_item_new (TAU_TRANSCRIPT_SEPARATOR, message, G_MAXUINT,
                                                     entry->serial << KEY_SHIFT | (guint64) SEPARATOR << 12,
                                                     tau_transcript_gap (has_before, before, TAU_TRANSCRIPT_SEPARATOR));

  tau_transcript_item_set_caption (item, valid);
  return item;
}

static gpointer
get_item (GListModel *list,
          guint       position)
{
  TauTranscriptModel *self = TAU_TRANSCRIPT_MODEL (list);
  g_autoptr(GArray) rows = g_array_new (FALSE, FALSE, sizeof (TauMessageRow));
  g_autoptr(TauMessage) message = NULL;
  /* Shown where a message cannot be read any more that had a row here. */
  const TauMessageRow nothing = { TAU_TRANSCRIPT_TEXT, G_MAXUINT, 0, 0 };
  TauTranscriptKind before = TAU_TRANSCRIPT_USER;
  TauTranscriptItem *item;
  gboolean has_before;
  Entry *entry;
  const TauMessageRow *row;
  guint index, offset;

  if (position >= self->n_rows)
    return NULL;

  index = find_entry (self, position);
  entry = &g_array_index (self->entries, Entry, index);
  offset = position - entry->first_row;
  message = g_list_model_get_item (self->messages, index);
  if (entry->switched && offset == 0)
    return make_separator (self, index, message);
  offset -= entry->switched ? 1 : 0;
  tau_message_rows_list (message, rows);

  row = offset < rows->len ? &g_array_index (rows, TauMessageRow, offset) : &nothing;
  has_before = position > entry->first_row || kind_before (self, index, &before);
  if (entry->switched)
    before = TAU_TRANSCRIPT_SEPARATOR;
  if (offset > 0 && offset <= rows->len)
    before = g_array_index (rows, TauMessageRow, offset - 1).kind;
  item = tau_transcript_item_new (row->kind, message, row->block, entry->serial << KEY_SHIFT | (guint64) offset << 12,
                                  tau_transcript_gap (has_before, before, row->kind));
  tau_transcript_item_set_range (item, row->start, row->end);
  if (row->kind == TAU_TRANSCRIPT_TOOL)
    track_call (self, item, index);
  return item;
}

static GType
get_item_type (GListModel *list)
{
  return TAU_TYPE_TRANSCRIPT_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return TAU_TRANSCRIPT_MODEL (list)->n_rows;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
take_result (TauTranscriptModel   *self,
             TauToolResultMessage *result)
{
  const char *call_id = tau_tool_result_message_get_call_id (result);
  TauTranscriptItem *item = g_hash_table_lookup (self->live, call_id);

  if (!TAU_IS_SESSION_MESSAGES (self->messages))
    g_hash_table_replace (self->results, g_strdup (call_id), g_object_ref (result));
  if (item)
    tau_transcript_item_set_result (item, result);
}

static void
fill_entry (TauTranscriptModel *self,
            GListModel         *messages,
            guint               position,
            Entry              *entry)
{
  g_autoptr(TauMessage) message = NULL;
  TauMessageOutline outline;

  if (get_outline (messages, position, &outline) && tau_message_rows_from_outline (&outline, &entry->rows))
    return;
  message = g_list_model_get_item (messages, position);
  tau_message_rows_from_message (message, &entry->rows);
  if (entry->rows.result)
    take_result (self, TAU_TOOL_RESULT_MESSAGE (message));
}

static void
messages_changed_cb (GListModel *messages,
                     guint       position,
                     guint       n_removed,
                     guint       n_added,
                     gpointer    user_data)
{
  TauTranscriptModel *self = user_data;
  g_autoptr(GArray) added = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint first_row = position < self->entries->len ? g_array_index (self->entries, Entry, position).first_row
                                                  : self->n_rows;
  guint rows_removed = 0, rows_added = 0;

  for (guint i = 0; i < n_removed; i++)
    rows_removed += count_all_rows (&g_array_index (self->entries, Entry, position + i));
  for (guint i = 0; i < n_added; i++)
    {
      Entry entry = { .serial = self->next_serial++ };

      fill_entry (self, messages, position + i, &entry);
      entry.switched = entry.rows.n_rows > 0 && has_switch (messages, position + i);
      rows_added += count_all_rows (&entry);
      g_array_append_val (added, entry);
    }

  if (n_removed > 0)
    g_array_remove_range (self->entries, position, n_removed);
  if (added->len > 0)
    g_array_insert_vals (self->entries, position, added->data, added->len);
  self->n_rows = first_row;
  for (guint i = position; i < self->entries->len; i++)
    {
      Entry *entry = &g_array_index (self->entries, Entry, i);

      entry->first_row = self->n_rows;
      self->n_rows += count_all_rows (entry);
    }
  if (rows_removed > 0 || rows_added > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), first_row, rows_removed, rows_added);
  /* Without a row of its own, a result says that steps above it are over. */
  g_signal_emit (self, signals[SETTLED], 0, position);
}

static void
runs_changed_cb (GListModel *runs,
                 guint       position,
                 guint       n_removed,
                 guint       n_added,
                 gpointer    user_data)
{
  TauTranscriptModel *self = user_data;

  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr(TauToolRun) run = g_list_model_get_item (runs, position + i);
      TauTranscriptItem *item = g_hash_table_lookup (self->live, tau_tool_run_get_call_id (run));

      if (item)
        tau_transcript_item_set_run (item, run);
    }
}

static void
tau_transcript_model_dispose (GObject *object)
{
  TauTranscriptModel *self = TAU_TRANSCRIPT_MODEL (object);

  if (self->messages)
    g_signal_handlers_disconnect_by_data (self->messages, self);
  if (self->runs)
    g_signal_handlers_disconnect_by_data (self->runs, self);
  g_clear_object (&self->messages);
  g_clear_object (&self->runs);
  g_clear_object (&self->expansions);
  G_OBJECT_CLASS (tau_transcript_model_parent_class)->dispose (object);
}

static void
tau_transcript_model_finalize (GObject *object)
{
  TauTranscriptModel *self = TAU_TRANSCRIPT_MODEL (object);

  g_array_unref (self->entries);
  g_hash_table_unref (self->results);
  g_hash_table_unref (self->live);
  G_OBJECT_CLASS (tau_transcript_model_parent_class)->finalize (object);
}

static void
tau_transcript_model_class_init (TauTranscriptModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_transcript_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_transcript_model_finalize;

  /**
   * TauTranscriptModel::settled:
   * @message: position of the first message that is another one
   *
   * Messages came or went, with or without rows.
   */
  signals[SETTLED] = g_signal_new ("settled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tau_transcript_model_init (TauTranscriptModel *self)
{
  self->expansions = tau_expansions_new ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->live = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->next_serial = 1;
}

/**
 * tau_transcript_model_new:
 *
 * Returns: (transfer full): a model without rows
 */
TauTranscriptModel *
tau_transcript_model_new (void)
{
  return g_object_new (TAU_TYPE_TRANSCRIPT_MODEL, NULL);
}

/**
 * tau_transcript_model_set_messages:
 * @self: a model
 * @messages: (nullable): a list of [class@Message]
 *
 * Shows another session. Serials go on, so that caches keyed by them stay true.
 */
void
tau_transcript_model_set_messages (TauTranscriptModel *self,
                                   GListModel         *messages)
{
  if (self->messages == messages)
    return;

  if (self->messages)
    g_signal_handlers_disconnect_by_data (self->messages, self);
  g_hash_table_remove_all (self->results);
  g_set_object (&self->messages, messages);
  messages_changed_cb (messages, 0, self->entries->len, messages ? g_list_model_get_n_items (messages) : 0, self);
  if (messages)
    g_signal_connect (messages, "items-changed", G_CALLBACK (messages_changed_cb), self);
}

/**
 * tau_transcript_model_set_tool_runs:
 * @self: a model
 * @runs: (nullable): a list of [class@ToolRun], those at work
 *
 * Rows of calls find their runs there.
 */
void
tau_transcript_model_set_tool_runs (TauTranscriptModel *self,
                                    GListModel         *runs)
{
  if (self->runs == runs)
    return;

  if (self->runs)
    g_signal_handlers_disconnect_by_data (self->runs, self);
  g_set_object (&self->runs, runs);
  if (runs)
    {
      g_signal_connect (runs, "items-changed", G_CALLBACK (runs_changed_cb), self);
      runs_changed_cb (runs, 0, 0, g_list_model_get_n_items (runs), self);
    }
}

/**
 * tau_transcript_model_find_run:
 * @self: a model
 * @call_id: id of a tool call
 *
 * Returns: (transfer none) (nullable): its run, if it is at work
 */
TauToolRun *
tau_transcript_model_find_run (TauTranscriptModel *self,
                               const char         *call_id)
{
  guint n_runs = self->runs ? g_list_model_get_n_items (self->runs) : 0;

  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr(TauToolRun) run = g_list_model_get_item (self->runs, i);

      if (g_strcmp0 (tau_tool_run_get_call_id (run), call_id) == 0)
        return run;
    }
  return NULL;
}

/**
 * tau_transcript_model_get_expansions:
 * @self: a model
 *
 * Returns: (transfer none): what the reader opened and closed
 */
TauExpansions *
tau_transcript_model_get_expansions (TauTranscriptModel *self)
{
  return self->expansions;
}

/**
 * tau_transcript_model_get_next_key:
 * @self: a model
 *
 * Returns: the key that the first row of the next message will have; each row after it adds 4096
 */
guint64
tau_transcript_model_get_next_key (TauTranscriptModel *self)
{
  return self->next_serial << KEY_SHIFT;
}

/**
 * tau_transcript_model_get_last_kind:
 * @self: a model
 * @kind: (out): what the last row shows
 *
 * Returns: whether there is any row
 */
gboolean
tau_transcript_model_get_last_kind (TauTranscriptModel *self,
                                    TauTranscriptKind  *kind)
{
  return kind_before (self, self->entries->len, kind);
}

static int
compare_serial (gconstpointer a,
                gconstpointer b)
{
  guint64 x = ((const Entry *) a)->serial, y = ((const Entry *) b)->serial;

  return (x > y) - (x < y);
}

/**
 * tau_transcript_model_locate:
 * @self: a model
 * @key: names a row
 * @message: (out): position of its message in the list of messages
 * @offset: (out): which row of that message it is
 *
 * Returns: whether there is such a row
 */
gboolean
tau_transcript_model_locate (TauTranscriptModel *self,
                             guint64             key,
                             guint              *message,
                             guint              *offset)
{
  Entry wanted = { .serial = key >> KEY_SHIFT };

  /* Messages get their serials in order, but for those that were put in between others. */
  if (!g_array_binary_search (self->entries, &wanted, compare_serial, message))
    {
      for (*message = 0; *message < self->entries->len; (*message)++)
        if (g_array_index (self->entries, Entry, *message).serial == wanted.serial)
          break;
      if (*message == self->entries->len)
        return FALSE;
    }
  *offset = (guint) (key >> 12) & 0xfff;
  return TRUE;
}

/**
 * tau_transcript_model_get_row:
 * @self: a model
 * @message: position of a message in the list of messages
 * @offset: which row of that message
 * @row: (out): position of the row
 *
 * Returns: whether there is such a row
 */
gboolean
tau_transcript_model_get_row (TauTranscriptModel *self,
                              guint               message,
                              guint               offset,
                              guint              *row)
{
  Entry *entry;

  if (message >= self->entries->len)
    return FALSE;
  entry = &g_array_index (self->entries, Entry, message);
  if (offset == SEPARATOR && entry->switched)
    offset = 0;
  else if (offset < entry->rows.n_rows)
    offset += entry->switched ? 1 : 0;
  else
    return FALSE;
  *row = entry->first_row + offset;
  return TRUE;
}

/**
 * tau_transcript_model_find_row:
 * @self: a model
 * @key: names a row
 * @row: (out): its position
 *
 * Returns: whether there is such a row
 */
gboolean
tau_transcript_model_find_row (TauTranscriptModel *self,
                               guint64             key,
                               guint              *row)
{
  guint message, offset;

  return tau_transcript_model_locate (self, key, &message, &offset) &&
         tau_transcript_model_get_row (self, message, offset, row);
}

/**
 * tau_transcript_model_find_prompt:
 * @self: a model
 * @row: position of a row
 * @forward: look below @row, else above it
 * @prompt: (out): position of the nearest row there that shows what the user wrote
 *
 * Returns: whether there is one
 */
gboolean
tau_transcript_model_find_prompt (TauTranscriptModel *self,
                                  guint               row,
                                  gboolean            forward,
                                  guint              *prompt)
{
  int message = row < self->n_rows ? (int) find_entry (self, row) : (int) self->entries->len;

  /* A row within a message: what stands above it may be the message itself. */
  if (row < self->n_rows)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, message);
      guint own = entry->first_row + (entry->switched ? 1 : 0);

      message += forward ? (row < own ? -1 : 0) : (row > own ? 1 : 0);
    }
  for (message += forward ? 1 : -1; message >= 0 && message < (int) self->entries->len; message += forward ? 1 : -1)
    {
      const Entry *candidate = &g_array_index (self->entries, Entry, message);

      if (candidate->rows.n_rows != 1 || candidate->rows.last_kind != TAU_TRANSCRIPT_USER)
        continue;
      *prompt = candidate->first_row + (candidate->switched ? 1 : 0);
      return TRUE;
    }
  return FALSE;
}

/**
 * tau_transcript_model_get_n_messages:
 * @self: a model
 *
 * Returns: how many messages it shows, those without rows included
 */
guint
tau_transcript_model_get_n_messages (TauTranscriptModel *self)
{
  return self->entries->len;
}

/**
 * tau_transcript_model_get_first_row:
 * @self: a model
 * @message: position of a message, or the number of messages
 *
 * Returns: where its rows begin
 */
guint
tau_transcript_model_get_first_row (TauTranscriptModel *self,
                                    guint               message)
{
  return message < self->entries->len ? g_array_index (self->entries, Entry, message).first_row : self->n_rows;
}

/**
 * tau_transcript_model_get_message:
 * @self: a model
 * @row: position of a row
 *
 * Returns: position of its message
 */
guint
tau_transcript_model_get_message (TauTranscriptModel *self,
                                  guint               row)
{
  return find_entry (self, row);
}

/**
 * tau_transcript_model_get_key:
 * @self: a model
 * @row: position of a row
 *
 * Returns: what names the row, without making its item
 */
guint64
tau_transcript_model_get_key (TauTranscriptModel *self,
                              guint               row)
{
  const Entry *entry = &g_array_index (self->entries, Entry, find_entry (self, row));
  guint offset = row - entry->first_row;

  if (entry->switched && offset == 0)
    return entry->serial << KEY_SHIFT | (guint64) SEPARATOR << 12;
  return entry->serial << KEY_SHIFT | (guint64) (offset - entry->switched) << 12;
}

/**
 * tau_transcript_model_find_run_start:
 * @self: a model
 * @message: position of a message that is another one
 *
 * Steps of the answer above may be over or not by that change, and be followed by more of their kind or not.
 *
 * Returns: position of the first message whose steps may belong together otherwise now
 */
guint
tau_transcript_model_find_run_start (TauTranscriptModel *self,
                                     guint               message)
{
  guint start = message;

  while (start > 0 && !g_array_index (self->entries, Entry, --start).rows.answer)
    ;
  for (; start > 0; start--)
    {
      const Entry *before = &g_array_index (self->entries, Entry, start - 1);

      if (before->rows.n_rows > 0 && before->rows.last_kind != TAU_TRANSCRIPT_TOOL)
        break;
    }
  return start;
}

/* Whether all calls of an answer have come to a good end. Results are not told apart: one that failed keeps the whole
 * answer's steps as they are. */
static gboolean
are_steps_over (TauTranscriptModel *self,
                guint               message)
{
  guint n_results = 0;

  if (g_array_index (self->entries, Entry, message).rows.failed)
    return FALSE;
  for (guint i = message + 1; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (entry->rows.answer)
        break;
      if (entry->rows.result && entry->rows.failed)
        return FALSE;
      if (entry->rows.result && ++n_results == g_array_index (self->entries, Entry, message).rows.n_calls)
        return TRUE;
    }
  return FALSE;
}

/**
 * tau_transcript_model_list_steps:
 * @self: a model
 * @message: position of a message
 * @tools: (element-type TauCommonTool): filled with the tool of each row; nothing where no row is a step that is over
 *
 * Says which rows show calls of common tools that came to a good end. Rarely parses the message.
 *
 * Returns: how many rows the message has
 */
guint
tau_transcript_model_list_steps (TauTranscriptModel *self,
                                 guint               message,
                                 GArray             *tools)
{
  const Entry *entry = &g_array_index (self->entries, Entry, message);
  TauMessageOutline outline;

  g_array_set_size (tools, 0);
  if (entry->rows.n_calls == 0 || !are_steps_over (self, message))
    return count_all_rows (entry);
  if (entry->switched)
    g_array_append_vals (tools, &(TauCommonTool) { TAU_COMMON_TOOL_NONE }, 1);
  /* Most answers that call a tool do nothing else. */
  if (entry->rows.n_rows == 1)
    g_array_append_vals (tools, &(TauCommonTool) { entry->rows.tool }, 1);
  else if (!get_outline (self->messages, message, &outline) || !tau_message_rows_add_outlined_tools (&outline, tools))
    {
      g_autoptr(TauMessage) parsed = g_list_model_get_item (self->messages, message);

      g_array_set_size (tools, entry->switched ? 1 : 0);
      tau_message_rows_add_tools (parsed, tools);
    }
  return count_all_rows (entry);
}
