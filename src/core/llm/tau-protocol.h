/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-api-error.h"
#include "core/llm/tau-decoder.h"
#include "core/llm/tau-http-call.h"

G_BEGIN_DECLS

/**
 * TauProtocol:
 * @api: its name, e.g. "anthropic-messages"
 * @style: how its failures are worded
 * @repeats: whether failed attempts to open a stream are repeated, and the wait for headers is limited
 * @encode: makes the HTTP call of a request, or fails
 * @new_decoder: makes the decoder of the answer
 *
 * One wire protocol: pure functions, no I/O. TauHttpProvider does the rest.
 */
typedef struct
{
  const char  *api;
  TauApiStyle  style;
  gboolean     repeats;
  TauHttpCall *(*encode)      (TauRequest *request, GError **error);
  TauDecoder  *(*new_decoder) (TauRequest *request, TauDeltaSink sink, gpointer sink_data);
} TauProtocol;

G_END_DECLS
