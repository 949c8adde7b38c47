/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/llm/tau-http-call.h"

G_BEGIN_DECLS

/**
 * TauHttpLimits:
 * @headers_timeout_ms: longest wait for a response's headers; 0 = none
 * @idle_timeout_ms: longest pause between two signs of life (the end of a line, or 1 KiB) of the body; 0 = none
 * @max_retries: further attempts when opening fails
 * @max_retry_delay_ms: longest wait between attempts that a server may ask for
 *
 * What a stream may take.
 */
typedef struct
{
  gint64 headers_timeout_ms;
  gint64 idle_timeout_ms;
  int    max_retries;
  gint64 max_retry_delay_ms;
} TauHttpLimits;

/**
 * TauHttpChunkFunc:
 * @bytes: one read, at most 16 KiB; borrowed
 * @size: how many
 * @user_data: what was given with the function
 *
 * Returns: %FALSE if nothing more is wanted
 */
typedef gboolean (*TauHttpChunkFunc) (const char *bytes, gsize size, gpointer user_data);

#define TAU_TYPE_HTTP_STREAM (tau_http_stream_get_type ())
G_DECLARE_FINAL_TYPE (TauHttpStream, tau_http_stream, TAU, HTTP_STREAM, GObject)

TauHttpStream *tau_http_stream_new          (TauHttpCall *call /* transfer full */, const TauHttpLimits *limits);
void           tau_http_stream_open_async   (TauHttpStream *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* TRUE as soon as there is a response, whatever its status. Then read it (to its end, or stop early): this closes it. */
gboolean       tau_http_stream_open_finish  (TauHttpStream *self, GAsyncResult *result, GError **error);
guint          tau_http_stream_get_status   (TauHttpStream *self);
const char    *tau_http_stream_get_reason   (TauHttpStream *self);   /* "Not Found"; "" if the server sent none */
const char    *tau_http_stream_get_proxy    (TauHttpStream *self);   /* nullable */
const char    *tau_http_stream_get_header   (TauHttpStream *self, const char *name);   /* nullable */
JsonNode      *tau_http_stream_dup_headers  (TauHttpStream *self);   /* object, names in lower case */
guint          tau_http_stream_get_attempts (TauHttpStream *self);
void           tau_http_stream_read_async   (TauHttpStream *self, TauHttpChunkFunc func, gpointer func_data, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean       tau_http_stream_read_finish  (TauHttpStream *self, GAsyncResult *result, GError **error);
void           tau_http_stream_close        (TauHttpStream *self);

G_END_DECLS
