/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-transcript-item.h"

#include "core/base/tau-text.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/tool/tau-tool-title.h"

#include <string.h>

/* TauTranscriptItem: what one row shows, made when a list asks for it and dropped when the row scrolls away. It
 * holds records only; the one thing that can happen to it is that a tool call gets its run and its result. */
struct _TauTranscriptItem
{
  GObject               parent_instance;
  TauTranscriptKind     kind;
  TauMessage           *message;
  guint                 block;
  gsize                 start;   /* part of the block's text; end is 0 for all of it */
  gsize                 end;
  guint64               key;
  int                   gap;
  char                 *caption; /* of a separator or a group */
  gboolean              nested;
  TauToolResultMessage *result;
  TauToolRun           *run;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauTranscriptItem, tau_transcript_item, G_TYPE_OBJECT)

static void
tau_transcript_item_dispose (GObject *object)
{
  TauTranscriptItem *self = TAU_TRANSCRIPT_ITEM (object);

  g_clear_object (&self->message);
  g_clear_object (&self->result);
  g_clear_object (&self->run);
  g_clear_pointer (&self->caption, g_free);
  G_OBJECT_CLASS (tau_transcript_item_parent_class)->dispose (object);
}

static void
tau_transcript_item_class_init (TauTranscriptItemClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_transcript_item_dispose;

  /**
   * TauTranscriptItem::changed:
   *
   * The call has another run or result.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
tau_transcript_item_init (TauTranscriptItem *self)
{
}

/**
 * tau_transcript_item_new:
 * @kind: what the row shows
 * @message: the message it belongs to
 * @block: position of its block in the message
 * @key: names the row in caches
 * @gap: pixels above the row
 *
 * Returns: (transfer full): a new item
 */
TauTranscriptItem *
tau_transcript_item_new (TauTranscriptKind  kind,
                         TauMessage        *message,
                         guint              block,
                         guint64            key,
                         int                gap)
{
  TauTranscriptItem *self = g_object_new (TAU_TYPE_TRANSCRIPT_ITEM, NULL);

  self->kind = kind;
  self->message = g_object_ref (message);
  self->block = block;
  self->key = key;
  self->gap = gap;
  return self;
}

/**
 * tau_transcript_item_set_range:
 * @self: a new item of a text
 * @start: first byte of its part
 * @end: byte behind the last
 *
 * For the maker of the item: says which part of a long text the row shows.
 */
void
tau_transcript_item_set_range (TauTranscriptItem *self,
                               gsize              start,
                               gsize              end)
{
  self->start = start;
  self->end = end;
}

/**
 * tau_transcript_item_set_caption:
 * @self: a new item of a separator
 * @caption: what is different from here on
 *
 * For the maker of the item: says what stands in the line.
 */
void
tau_transcript_item_set_caption (TauTranscriptItem *self,
                                 const char        *caption)
{
  g_free (self->caption);
  self->caption = g_strdup (caption);
}

/**
 * tau_transcript_item_set_nested:
 * @self: a new item
 * @nested: whether it is one of those that an open group stands for
 *
 * For the maker of the item: nested rows stand a little to the side, close together.
 */
void
tau_transcript_item_set_nested (TauTranscriptItem *self,
                                gboolean           nested)
{
  self->nested = nested;
  self->gap = nested ? 0 : self->gap;
}

/**
 * tau_transcript_item_get_nested:
 * @self: an item
 *
 * Returns: whether it stands in an open group
 */
gboolean
tau_transcript_item_get_nested (TauTranscriptItem *self)
{
  return self->nested;
}

/**
 * tau_transcript_item_set_result:
 * @self: an item of a tool call
 * @result: what the tool gave
 *
 * The result came.
 */
void
tau_transcript_item_set_result (TauTranscriptItem    *self,
                                TauToolResultMessage *result)
{
  if (g_set_object (&self->result, result))
    g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_transcript_item_set_run:
 * @self: an item of a tool call
 * @run: (nullable): the call at work
 *
 * The call began, or its run is over.
 */
void
tau_transcript_item_set_run (TauTranscriptItem *self,
                             TauToolRun        *run)
{
  if (g_set_object (&self->run, run))
    g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_transcript_item_get_kind:
 * @self: an item
 *
 * Returns: what the row shows
 */
TauTranscriptKind
tau_transcript_item_get_kind (TauTranscriptItem *self)
{
  return self->kind;
}

/**
 * tau_transcript_item_get_message:
 * @self: an item
 *
 * Returns: (transfer none): the message it belongs to
 */
TauMessage *
tau_transcript_item_get_message (TauTranscriptItem *self)
{
  return self->message;
}

/**
 * tau_transcript_item_get_block:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): the block of the message that it shows
 */
TauBlock *
tau_transcript_item_get_block (TauTranscriptItem *self)
{
  return self->block < tau_message_get_n_blocks (self->message) ? tau_message_get_block (self->message, self->block)
                                                                : NULL;
}

/**
 * tau_transcript_item_get_text:
 * @self: an item of a text or of thoughts
 * @length: (out): bytes
 *
 * Returns: the text of the row; not NUL-terminated at @length
 */
const char *
tau_transcript_item_get_text (TauTranscriptItem *self,
                              gsize             *length)
{
  TauBlock *block = tau_transcript_item_get_block (self);
  const char *text = block ? tau_block_get_text (block) : "";

  *length = self->end > 0 ? self->end - self->start : strlen (text);
  return text + self->start;
}

/**
 * tau_transcript_item_get_caption:
 * @self: an item
 *
 * Returns: (nullable): what stands in the line of a separator
 */
const char *
tau_transcript_item_get_caption (TauTranscriptItem *self)
{
  return self->caption;
}

/**
 * tau_transcript_item_get_key:
 * @self: an item
 *
 * Returns: names the row in caches; its 12 lowest bits are 0
 */
guint64
tau_transcript_item_get_key (TauTranscriptItem *self)
{
  return self->key;
}

/**
 * tau_transcript_item_get_gap:
 * @self: an item
 *
 * Returns: pixels above the row
 */
int
tau_transcript_item_get_gap (TauTranscriptItem *self)
{
  return self->gap;
}

/**
 * tau_transcript_item_get_result:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): what the tool gave
 */
TauToolResultMessage *
tau_transcript_item_get_result (TauTranscriptItem *self)
{
  return self->result;
}

/**
 * tau_transcript_item_get_run:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): the call at work
 */
TauToolRun *
tau_transcript_item_get_run (TauTranscriptItem *self)
{
  return self->run;
}

static char *
dup_text (TauTranscriptItem *self)
{
  TauBlock *block = tau_transcript_item_get_block (self);
  gsize length;
  const char *text;

  switch (self->kind)
    {
    case TAU_TRANSCRIPT_TOOL:
      {
        g_autoptr(TauToolTitle) title = tau_tool_title_new (tau_block_get_call_name (block),
                                                            tau_block_get_arguments (block));

        return tau_tool_title_dup_text (title);
      }
    case TAU_TRANSCRIPT_BASH:
      return g_strdup (tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (self->message))->command);
    case TAU_TRANSCRIPT_SUMMARY:
      if (TAU_IS_COMPACTION_SUMMARY_MESSAGE (self->message))
        return g_strdup (tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (self->message)));
      return g_strdup (tau_branch_summary_message_get_summary (TAU_BRANCH_SUMMARY_MESSAGE (self->message)));
    case TAU_TRANSCRIPT_ERROR:
      return g_strdup (tau_assistant_message_get_error_message (TAU_ASSISTANT_MESSAGE (self->message)));
    case TAU_TRANSCRIPT_USER:
    case TAU_TRANSCRIPT_CUSTOM:
      return tau_message_dup_text (self->message, "\n");
    case TAU_TRANSCRIPT_SEPARATOR:
    case TAU_TRANSCRIPT_GROUP:
      return g_strdup (self->caption);
    case TAU_TRANSCRIPT_TEXT:
    case TAU_TRANSCRIPT_THINKING:
    default:
      text = tau_transcript_item_get_text (self, &length);
      return g_strndup (text, MIN (length, 4096));
    }
}

/**
 * tau_transcript_item_dup_summary:
 * @self: an item
 * @max_bytes: how long it may be
 *
 * The beginning of what the row says, for screen readers: it is there before the row is built.
 *
 * Returns: (transfer full): valid text
 */
char *
tau_transcript_item_dup_summary (TauTranscriptItem *self,
                                 gsize              max_bytes)
{
  g_autofree char *text = dup_text (self);
  gsize length = text ? strlen (text) : 0;

  if (length > max_bytes)
    length = tau_text_utf8_floor (text, max_bytes);
  return tau_text_make_valid (text ? text : "", (gssize) length);
}

static gboolean
is_line (TauTranscriptKind kind)
{
  return kind == TAU_TRANSCRIPT_TOOL || kind == TAU_TRANSCRIPT_BASH || kind == TAU_TRANSCRIPT_THINKING;
}

/**
 * tau_transcript_gap:
 * @has_before: whether there is a row above
 * @before: what the row above shows
 * @kind: what the row shows
 *
 * Returns: pixels between the two: a new request is set off, lines of work stand together
 */
int
tau_transcript_gap (gboolean          has_before,
                    TauTranscriptKind before,
                    TauTranscriptKind kind)
{
  if (!has_before)
    return 12;
  if (kind == TAU_TRANSCRIPT_SEPARATOR || before == TAU_TRANSCRIPT_SEPARATOR)
    return 18;
  if (kind == TAU_TRANSCRIPT_USER)
    return 24;
  if (before == TAU_TRANSCRIPT_USER)
    return 18;
  return is_line (before) && is_line (kind) ? 0 : 12;
}
