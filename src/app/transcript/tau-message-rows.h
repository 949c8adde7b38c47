/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-item.h"
#include "core/markdown/tau-md-splitter.h"
#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

/**
 * TauTextCutter:
 * @splitter: knows where Markdown may be cut
 * @cut: where the part begins that is not yet complete
 *
 * Cuts a text, which may still grow, into the parts that rows show. Plain struct; begin with %TAU_TEXT_CUTTER_INIT.
 */
typedef struct
{
  TauMdSplitter splitter;
  gsize         cut;
} TauTextCutter;

#define TAU_TEXT_CUTTER_INIT { .splitter = TAU_MD_SPLITTER_INIT }

gboolean tau_text_cutter_next (TauTextCutter *self, const char *text, gsize length);

/**
 * TauMessageRow:
 * @kind: what the row shows
 * @block: position of its block in the message, %G_MAXUINT for all of it
 * @start: first byte of its part of the block's text
 * @end: byte behind the last; 0 for all of it
 *
 * A row of a message.
 */
typedef struct
{
  TauTranscriptKind kind;
  guint             block;
  gsize             start;
  gsize             end;
} TauMessageRow;

/**
 * TauMessageRows:
 * @n_rows: how many
 * @n_calls: how many of them are steps
 * @last_kind: what the last one shows
 * @answer: whether it is an answer of a model
 * @failed: an answer that was stopped, or the result of a step that went wrong
 * @result: whether it is the result of a step
 * @tool: a #TauCommonTool; of the last step
 *
 * What a transcript must know of a message whose rows are not shown.
 */
typedef struct
{
  guint             n_rows;
  guint             n_calls;
  TauTranscriptKind last_kind;
  guint             answer : 1;
  guint             failed : 1;
  guint             result : 1;
  guint             tool : 3;
} TauMessageRows;

void          tau_message_rows_list         (TauMessage *message, GArray *rows /* of TauMessageRow */);
gboolean      tau_message_rows_from_outline (const TauMessageOutline *outline, TauMessageRows *self);
void          tau_message_rows_from_message (TauMessage *message, TauMessageRows *self);
void          tau_message_rows_add_tools    (TauMessage *message, GArray *tools /* of TauCommonTool */);
gboolean      tau_message_rows_add_outlined_tools (const TauMessageOutline *outline, GArray *tools);
TauCommonTool tau_message_row_get_tool      (TauMessage *message, const TauMessageRow *row);

G_END_DECLS
