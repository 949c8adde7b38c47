/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/* A piece of somebody else's text; @text is NULL where there is none. */
typedef struct
{
  const char *text;
  gsize       length;
} TauSpan;

#define TAU_OUTLINE_MAX_BLOCKS 64

/**
 * TauCommonTool:
 * @TAU_COMMON_TOOL_NONE: any other, or no call
 * @TAU_COMMON_TOOL_READ: reads a file
 * @TAU_COMMON_TOOL_BASH: runs a command
 * @TAU_COMMON_TOOL_GREP: looks for words
 * @TAU_COMMON_TOOL_FIND: looks for files
 * @TAU_COMMON_TOOL_LS: lists a folder
 *
 * Tools that are called so often that lists put their calls together.
 */
typedef enum
{
  TAU_COMMON_TOOL_NONE,
  TAU_COMMON_TOOL_READ,
  TAU_COMMON_TOOL_BASH,
  TAU_COMMON_TOOL_GREP,
  TAU_COMMON_TOOL_FIND,
  TAU_COMMON_TOOL_LS,
} TauCommonTool;

/**
 * TauBlockOutline:
 * @kind: a #TauBlockKind
 * @blank: it is a text or are thoughts without a word
 * @tool: of a call: a #TauCommonTool
 * @length: of the text as it stands in the file, where a line end is two bytes: the text itself is not longer
 *
 * What is known of a block without parsing it.
 */
typedef struct
{
  guint kind : 2;
  guint blank : 1;
  guint tool : 3;
  guint length : 26;
} TauBlockOutline;

/**
 * TauMessageOutline:
 * @known: whether the rest is true; if not, only the parsed message tells
 * @kind: by its role
 * @display: of an extension's message: whether it is shown
 * @failed: of a tool's result: whether it is an error
 * @stop_reason: of an answer
 * @n_blocks: of an answer
 * @blocks: of an answer
 *
 * What a list must know of a message to show another one.
 */
typedef struct
{
  gboolean               known;
  TauMessageKind         kind;
  gboolean               display;
  gboolean               failed;
  TauStopReason          stop_reason;
  guint                  n_blocks;
  const TauBlockOutline *blocks;
} TauMessageOutline;

/**
 * TauSessionEnvelope:
 * @object: the text of the whole object
 * @type: between the quotes, as are the others; nothing if the field is missing, no string, or holds escapes
 * @id: of the entry
 * @parent_id: of the entry
 * @timestamp: ISO 8601
 * @has_parent: whether the field parentId is there, which may be null
 * @has_escapes: whether one of the four holds escapes
 * @outline: of the message in it; not known for other entries
 * @usage: what the answer in it used; zero without one
 *
 * What must be known of a line before anybody wants its contents. Valid during the call.
 */
typedef struct
{
  TauSpan           object;
  TauSpan           type;
  TauSpan           id;
  TauSpan           parent_id;
  TauSpan           timestamp;
  gboolean          has_parent;
  gboolean          has_escapes;
  TauMessageOutline outline;
  TauUsage          usage;
} TauSessionEnvelope;

/* Where a scanner is in an entry. */
typedef enum
{
  TAU_PLACE_OTHER,     /* whatever is in there is nothing to us */
  TAU_PLACE_ENTRY,
  TAU_PLACE_MESSAGE,
  TAU_PLACE_CONTENT,
  TAU_PLACE_BLOCK,
  TAU_PLACE_USAGE,
  TAU_PLACE_COST,
} TauPlace;

typedef enum
{
  TAU_FIELD_NONE,
  TAU_FIELD_TYPE,
  TAU_FIELD_ID,
  TAU_FIELD_PARENT_ID,
  TAU_FIELD_TIMESTAMP,
  TAU_FIELD_MESSAGE,
  TAU_FIELD_DISPLAY,
  TAU_FIELD_ROLE,
  TAU_FIELD_CONTENT,
  TAU_FIELD_STOP_REASON,
  TAU_FIELD_USAGE,
  TAU_FIELD_TEXT,
  TAU_FIELD_THINKING,
  TAU_FIELD_NAME,
  TAU_FIELD_IS_ERROR,
  TAU_FIELD_COST,
  TAU_FIELD_INPUT,
  TAU_FIELD_OUTPUT,
  TAU_FIELD_CACHE_READ,
  TAU_FIELD_CACHE_WRITE,
  TAU_FIELD_TOTAL,
} TauField;

/* Plain struct: fills an envelope from what a scanner meets. */
typedef struct
{
  TauSessionEnvelope *envelope;
  TauSpan             role;
  TauSpan             stop_reason;
  TauSpan             block_type;
  TauSpan             block_text;
  TauSpan             block_name;
  TauField            block_field;   /* that @block_text came from */
  gboolean            odd;         /* unusual: only parsing tells */
  gboolean            odd_usage;
  gboolean            has_content;
  guint               n_messages;
  guint               n_usages;
  TauBlockOutline     blocks[TAU_OUTLINE_MAX_BLOCKS];
} TauEnvelopeReader;

void     tau_envelope_reader_begin       (TauEnvelopeReader *self, TauSessionEnvelope *envelope);
TauField tau_envelope_reader_take_key    (TauEnvelopeReader *self, TauPlace place, const TauSpan *key, gboolean escaped);
TauPlace tau_envelope_reader_enter       (TauEnvelopeReader *self, TauPlace place, TauField field, char bracket);
void     tau_envelope_reader_leave       (TauEnvelopeReader *self, TauPlace place);
void     tau_envelope_reader_take_string (TauEnvelopeReader *self, TauPlace place, TauField field, const TauSpan *contents, gboolean escaped);
void     tau_envelope_reader_take_word   (TauEnvelopeReader *self, TauPlace place, TauField field, const TauSpan *word);
void     tau_envelope_reader_end         (TauEnvelopeReader *self);
TauCommonTool tau_common_tool_from_name (const char *name, gsize length);

G_END_DECLS
