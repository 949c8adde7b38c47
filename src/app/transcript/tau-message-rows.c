/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-message-rows.h"

#include "core/base/tau-text.h"
#include "core/markdown/tau-md-splitter.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-message-kind.h"
#include "core/message/tau-tool-result-message.h"

#include <string.h>

/* Which rows a message has: a row for each block that shows anything, several for a long text. Twice, and both agree: from
 * the message itself, and from its outline, which is there without parsing. Pure. */

#define PIECE_MIN 3000   /* bytes; a longer answer is cut into rows of about this size */

static void
add_row (GArray           *rows,
         TauTranscriptKind kind,
         guint             block,
         gsize             start,
         gsize             end)
{
  TauMessageRow row = { kind, block, start, end };

  g_array_append_val (rows, row);
}

/**
 * tau_text_cutter_next:
 * @self: a cutter
 * @text: the whole text so far
 * @length: bytes of @text
 *
 * Looks for the end of the present part, line by line, so that a text that grows is cut as the finished one is.
 *
 * Returns: whether there is one; the next part begins at [field@TextCutter.cut] then
 */
gboolean
tau_text_cutter_next (TauTextCutter *self,
                      const char    *text,
                      gsize          length)
{
  while (self->splitter.scanned < length)
    {
      const char *start = text + self->splitter.scanned;
      const char *end = memchr (start, '\n', length - self->splitter.scanned);

      if (!end)
        return FALSE;
      tau_md_splitter_feed (&self->splitter, text, (gsize) (end - text) + 1);
      if (self->splitter.stable >= self->cut + PIECE_MIN)
        {
          self->cut = self->splitter.stable;
          return TRUE;
        }
    }
  return FALSE;
}

static void
add_text_rows (GArray     *rows,
               guint       block,
               const char *text)
{
  TauTextCutter cutter = TAU_TEXT_CUTTER_INIT;
  gsize length = strlen (text);
  gsize start = 0;

  if (length > PIECE_MIN)
    for (; tau_text_cutter_next (&cutter, text, length); start = cutter.cut)
      add_row (rows, TAU_TRANSCRIPT_TEXT, block, start, cutter.cut);
  add_row (rows, TAU_TRANSCRIPT_TEXT, block, start, length);
}

static gboolean
has_call (TauMessage *message)
{
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_TOOL_CALL)
      return TRUE;
  return FALSE;
}

static void
add_assistant_rows (GArray     *rows,
                    TauMessage *message)
{
  TauAssistantMessage *assistant = TAU_ASSISTANT_MESSAGE (message);

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      switch (tau_block_get_kind (block))
        {
        case TAU_BLOCK_TEXT:
          if (!tau_text_is_blank (tau_block_get_text (block)))
            add_text_rows (rows, i, tau_block_get_text (block));
          break;
        case TAU_BLOCK_THINKING:
          if (!tau_text_is_blank (tau_block_get_text (block)))
            add_row (rows, TAU_TRANSCRIPT_THINKING, i, 0, 0);
          break;
        case TAU_BLOCK_TOOL_CALL:
          add_row (rows, TAU_TRANSCRIPT_TOOL, i, 0, 0);
          break;
        case TAU_BLOCK_IMAGE:
        default:
          break;
        }
    }
  /* A stopped call says so itself. */
  if (tau_assistant_message_get_stop_reason (assistant) == TAU_STOP_REASON_ERROR ||
      (tau_assistant_message_get_stop_reason (assistant) == TAU_STOP_REASON_ABORTED && !has_call (message)))
    add_row (rows, TAU_TRANSCRIPT_ERROR, G_MAXUINT, 0, 0);
}

/**
 * tau_message_rows_list:
 * @message: a message
 * @rows: (element-type TauMessageRow): filled with its rows
 *
 * Lists what a transcript shows of a message, from top to bottom.
 */
void
tau_message_rows_list (TauMessage *message,
                       GArray     *rows)
{
  g_array_set_size (rows, 0);
  switch (tau_message_kind_from_role (tau_message_get_role (message)))
    {
    case TAU_MESSAGE_KIND_USER:
    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      add_row (rows, TAU_TRANSCRIPT_USER, G_MAXUINT, 0, 0);
      break;
    case TAU_MESSAGE_KIND_ASSISTANT:
      if (TAU_IS_ASSISTANT_MESSAGE (message))
        add_assistant_rows (rows, message);
      break;
    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      if (TAU_IS_BASH_EXECUTION_MESSAGE (message))
        add_row (rows, TAU_TRANSCRIPT_BASH, G_MAXUINT, 0, 0);
      break;
    case TAU_MESSAGE_KIND_CUSTOM:
      if (TAU_IS_CUSTOM_MESSAGE (message) && tau_custom_message_get_display (TAU_CUSTOM_MESSAGE (message)))
        add_row (rows, TAU_TRANSCRIPT_CUSTOM, G_MAXUINT, 0, 0);
      break;
    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      if (TAU_IS_BRANCH_SUMMARY_MESSAGE (message) || TAU_IS_COMPACTION_SUMMARY_MESSAGE (message))
        add_row (rows, TAU_TRANSCRIPT_SUMMARY, G_MAXUINT, 0, 0);
      break;
    case TAU_MESSAGE_KIND_TOOL_RESULT:
    case TAU_MESSAGE_KIND_ARTIFACT:
    case TAU_MESSAGE_KIND_OTHER:
      break;
    default:
      g_assert_not_reached ();
    }
}

/* As add_assistant_rows(), without the message. Only parsing tells into how many parts a long text is cut. */
static gboolean
count_assistant_rows (const TauMessageOutline *outline,
                      TauMessageRows          *entry)
{
  gboolean calls = FALSE;

  for (guint i = 0; i < outline->n_blocks; i++)
    {
      const TauBlockOutline *block = &outline->blocks[i];

      if (block->kind == TAU_BLOCK_IMAGE || (block->kind != TAU_BLOCK_TOOL_CALL && block->blank))
        continue;
      if (block->kind == TAU_BLOCK_TEXT && block->length > PIECE_MIN)
        return FALSE;
      calls |= block->kind == TAU_BLOCK_TOOL_CALL;
      entry->n_calls += block->kind == TAU_BLOCK_TOOL_CALL;
      entry->tool = block->tool;
      entry->n_rows++;
      entry->last_kind = block->kind == TAU_BLOCK_TOOL_CALL ? TAU_TRANSCRIPT_TOOL
                         : block->kind == TAU_BLOCK_TEXT    ? TAU_TRANSCRIPT_TEXT
                                                            : TAU_TRANSCRIPT_THINKING;
    }
  if (outline->stop_reason != TAU_STOP_REASON_ERROR && (outline->stop_reason != TAU_STOP_REASON_ABORTED || calls))
    return TRUE;
  entry->n_rows++;
  entry->last_kind = TAU_TRANSCRIPT_ERROR;
  return TRUE;
}

static gboolean
count_rows (const TauMessageOutline *outline,
            TauMessageRows          *entry)
{
  switch (outline->kind)
    {
    case TAU_MESSAGE_KIND_ASSISTANT:
      return count_assistant_rows (outline, entry);
    case TAU_MESSAGE_KIND_USER:
    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      entry->n_rows = 1;
      entry->last_kind = TAU_TRANSCRIPT_USER;
      return TRUE;
    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      entry->n_rows = 1;
      entry->last_kind = TAU_TRANSCRIPT_BASH;
      return TRUE;
    case TAU_MESSAGE_KIND_CUSTOM:
      entry->n_rows = outline->display ? 1 : 0;
      entry->last_kind = TAU_TRANSCRIPT_CUSTOM;
      return TRUE;
    case TAU_MESSAGE_KIND_TOOL_RESULT:
    case TAU_MESSAGE_KIND_ARTIFACT:
      return TRUE;
    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
    case TAU_MESSAGE_KIND_OTHER:
    default:
      return FALSE;
    }
}

static gboolean
has_failed (TauStopReason reason)
{
  return reason == TAU_STOP_REASON_ERROR || reason == TAU_STOP_REASON_ABORTED;
}

/* What the steps of others depend on. */
static void
describe (TauMessage     *message,
          TauMessageRows *entry)
{
  entry->answer = TAU_IS_ASSISTANT_MESSAGE (message);
  entry->result = TAU_IS_TOOL_RESULT_MESSAGE (message);
  if (entry->answer)
    entry->failed = has_failed (tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (message)));
  else
    entry->failed = entry->result && tau_tool_result_message_get_is_error (TAU_TOOL_RESULT_MESSAGE (message));
}

/**
 * tau_message_row_get_tool:
 * @message: a message
 * @row: a row of it
 *
 * Returns: which of the common tools a step calls; %TAU_COMMON_TOOL_NONE if it is no step, or one of another tool
 */
TauCommonTool
tau_message_row_get_tool (TauMessage          *message,
                          const TauMessageRow *row)
{
  const char *name = row->kind == TAU_TRANSCRIPT_TOOL
                       ? tau_block_get_call_name (tau_message_get_block (message, row->block))
                       : NULL;

  return name != NULL ? tau_common_tool_from_name (name, strlen (name)) : TAU_COMMON_TOOL_NONE;
}

/**
 * tau_message_rows_from_outline:
 * @outline: what is known of a message
 * @self: (out caller-allocates): filled
 *
 * Counts the rows of a message that is not parsed.
 *
 * Returns: whether that is possible; only parsing tells into how many parts a long text is cut
 */
gboolean
tau_message_rows_from_outline (const TauMessageOutline *outline,
                               TauMessageRows          *self)
{
  *self = (TauMessageRows) {
    .answer = outline->kind == TAU_MESSAGE_KIND_ASSISTANT,
    .result = outline->kind == TAU_MESSAGE_KIND_TOOL_RESULT,
    .failed = outline->kind == TAU_MESSAGE_KIND_ASSISTANT ? has_failed (outline->stop_reason) : outline->failed,
  };
  return count_rows (outline, self);
}

/**
 * tau_message_rows_from_message:
 * @message: a message
 * @self: (out caller-allocates): filled
 *
 * Counts the rows of a message.
 */
void
tau_message_rows_from_message (TauMessage     *message,
                               TauMessageRows *self)
{
  g_autoptr(GArray) rows = g_array_new (FALSE, FALSE, sizeof (TauMessageRow));

  *self = (TauMessageRows) { 0 };
  tau_message_rows_list (message, rows);
  self->n_rows = rows->len;
  for (guint i = 0; i < rows->len; i++)
    {
      const TauMessageRow *row = &g_array_index (rows, TauMessageRow, i);

      self->last_kind = row->kind;
      self->n_calls += row->kind == TAU_TRANSCRIPT_TOOL;
      self->tool = tau_message_row_get_tool (message, row);
    }
  describe (message, self);
}

static void
add_tool (GArray        *tools,
          TauCommonTool  tool)
{
  g_array_append_val (tools, tool);
}

/**
 * tau_message_rows_add_tools:
 * @message: a message
 * @tools: (element-type TauCommonTool): gets the tool of each row
 *
 * Says which rows are calls of common tools.
 */
void
tau_message_rows_add_tools (TauMessage *message,
                            GArray     *tools)
{
  g_autoptr(GArray) rows = g_array_new (FALSE, FALSE, sizeof (TauMessageRow));

  tau_message_rows_list (message, rows);
  for (guint i = 0; i < rows->len; i++)
    add_tool (tools, tau_message_row_get_tool (message, &g_array_index (rows, TauMessageRow, i)));
}

/**
 * tau_message_rows_add_outlined_tools:
 * @outline: what is known of an answer
 * @tools: (element-type TauCommonTool): gets the tool of each row
 *
 * As tau_message_rows_add_tools(), of a message that is not parsed.
 *
 * Returns: whether that is possible; if not, some may have been added
 */
gboolean
tau_message_rows_add_outlined_tools (const TauMessageOutline *outline,
                                     GArray                  *tools)
{
  for (guint i = 0; i < outline->n_blocks; i++)
    {
      const TauBlockOutline *block = &outline->blocks[i];

      if (block->kind == TAU_BLOCK_IMAGE || (block->kind != TAU_BLOCK_TOOL_CALL && block->blank))
        continue;
      if (block->kind == TAU_BLOCK_TEXT && block->length > PIECE_MIN)
        return FALSE;
      add_tool (tools, block->kind == TAU_BLOCK_TOOL_CALL ? (TauCommonTool) block->tool : TAU_COMMON_TOOL_NONE);
    }
  return TRUE;
}
