/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * TauTestEnding:
 * @TAU_TEST_ENDING_CLOSE: the body is complete and properly ended
 * @TAU_TEST_ENDING_DROP: the connection is cut after @cut_after bytes of a body whose length was
 *   announced; libsoup's client reports %G_IO_ERROR_PARTIAL_INPUT
 * @TAU_TEST_ENDING_DROP_CHUNKED: the same between two chunks of a chunked body, which libsoup's
 *   client takes for a proper end: only the content can tell that something is missing
 * @TAU_TEST_ENDING_HANG: after @cut_after bytes (0: all) nothing more comes; the connection stays
 * @TAU_TEST_ENDING_SILENT: not even a status line comes
 *
 * How a response ends.
 */
typedef enum
{
  TAU_TEST_ENDING_CLOSE,
  TAU_TEST_ENDING_DROP,
  TAU_TEST_ENDING_DROP_CHUNKED,
  TAU_TEST_ENDING_HANG,
  TAU_TEST_ENDING_SILENT,
} TauTestEnding;

/**
 * TauTestResponse:
 * @path: (nullable): only for requests with this path; %NULL: for any
 * @status: the HTTP status; 0: 200
 * @content_type: (nullable): the content type; %NULL: text/event-stream
 * @headers: (nullable) (array zero-terminated=1): further headers: name, value, name, value, %NULL
 * @body: (nullable): the body
 * @length: bytes of @body; 0: up to its NUL
 * @chunk_size: bytes in one write; 0: all in one
 * @pause_ms: milliseconds between two writes
 * @ending: how it ends
 * @cut_after: see #TauTestEnding
 *
 * One line of the script. All fields may be left at 0:
 * `tau_test_server_push (server, &(TauTestResponse) { .status = 401, .body = "no" });`
 */
typedef struct
{
  const char *path;
  guint status;
  const char *content_type;
  const char *const *headers;
  const char *body;
  gsize length;
  gsize chunk_size;
  guint pause_ms;
  TauTestEnding ending;
  gsize cut_after;
} TauTestResponse;

#define TAU_TYPE_TEST_SERVER (tau_test_server_get_type ())
G_DECLARE_FINAL_TYPE (TauTestServer, tau_test_server, TAU, TEST_SERVER, GObject)

TauTestServer *tau_test_server_new            (void);
const char    *tau_test_server_get_url        (TauTestServer         *self);
void           tau_test_server_push           (TauTestServer         *self,
                                               const TauTestResponse *response);
guint          tau_test_server_get_n_requests (TauTestServer         *self);
guint          tau_test_server_get_n_open     (TauTestServer         *self);
const char    *tau_test_server_get_method     (TauTestServer         *self,
                                               guint                  index);
const char    *tau_test_server_get_path       (TauTestServer         *self,
                                               guint                  index);
const char    *tau_test_server_get_query      (TauTestServer         *self,
                                               guint                  index);
const char    *tau_test_server_get_header     (TauTestServer         *self,
                                               guint                  index,
                                               const char            *name);
const char    *tau_test_server_get_body       (TauTestServer         *self,
                                               guint                  index);

G_END_DECLS
