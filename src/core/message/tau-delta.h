/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/**
 * TauDeltaKind:
 * @TAU_DELTA_START: the server accepted the request; once, before any block
 * @TAU_DELTA_TEXT_START: an empty text block is appended at @index
 * @TAU_DELTA_TEXT: @text is appended to it
 * @TAU_DELTA_TEXT_END: it is complete
 * @TAU_DELTA_THINKING_START: an empty thinking block is appended at @index (@text, if any, is its whole text: redacted)
 * @TAU_DELTA_THINKING: @text is appended to it
 * @TAU_DELTA_THINKING_END: it is complete
 * @TAU_DELTA_TOOL_CALL_START: a tool call with @id and @name (either may be "") is appended
 * @TAU_DELTA_TOOL_CALL: @text is a fragment of its arguments' JSON, possibly ""
 * @TAU_DELTA_TOOL_CALL_END: it is complete
 * @TAU_DELTA_APPEND_SIGNATURE: @text is appended to the block's signature; not an event
 * @TAU_DELTA_SET_SIGNATURE: @text replaces the block's signature; not an event
 * @TAU_DELTA_SET_REDACTED: the thinking block is redacted; not an event
 * @TAU_DELTA_SET_TEXT: @text replaces the block's text, or the JSON of a tool call's arguments; not an event
 * @TAU_DELTA_SET_CALL: a late @id or @name of a tool call (NULL keeps); not an event
 * @TAU_DELTA_RESPONSE_ID: @text is the server's id; not an event
 * @TAU_DELTA_RESPONSE_MODEL: @text is the model that answers; not an event
 * @TAU_DELTA_USAGE: @usage replaces the usage; not an event
 *
 * What a decoder says of a stream. The first ten are the stream's events (start and the nine block events), in
 * their order; the others change the draft silently.
 */
typedef enum
{
  TAU_DELTA_START,
  TAU_DELTA_TEXT_START,
  TAU_DELTA_TEXT,
  TAU_DELTA_TEXT_END,
  TAU_DELTA_THINKING_START,
  TAU_DELTA_THINKING,
  TAU_DELTA_THINKING_END,
  TAU_DELTA_TOOL_CALL_START,
  TAU_DELTA_TOOL_CALL,
  TAU_DELTA_TOOL_CALL_END,
  TAU_DELTA_APPEND_SIGNATURE,
  TAU_DELTA_SET_SIGNATURE,
  TAU_DELTA_SET_REDACTED,
  TAU_DELTA_SET_TEXT,
  TAU_DELTA_SET_CALL,
  TAU_DELTA_RESPONSE_ID,
  TAU_DELTA_RESPONSE_MODEL,
  TAU_DELTA_USAGE,
} TauDeltaKind;

/**
 * TauDelta:
 * @kind: what happened
 * @index: position of the block in the message's content
 * @text: (nullable): borrowed, NUL-terminated or @length bytes
 * @length: bytes of @text, or -1
 * @id: (nullable): tool call id, borrowed
 * @name: (nullable): tool name, borrowed
 * @usage: (nullable): borrowed
 *
 * Lives on the stack of the decoder; a sink copies what it keeps.
 */
typedef struct
{
  TauDeltaKind    kind;
  guint           index;
  const char     *text;
  gssize          length;
  const char     *id;
  const char     *name;
  const TauUsage *usage;
} TauDelta;

typedef void (*TauDeltaSink) (const TauDelta *delta, gpointer user_data);

G_END_DECLS
