/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TauTestSocket TauTestSocket;

/**
 * TauTestSocketFunc:
 * @socket: the server
 * @stream: a connection, which is closed when the function returns
 * @user_data: what was given with the function
 *
 * Serves one connection, in a thread of its own, by blocking calls.
 */
typedef void (*TauTestSocketFunc) (TauTestSocket *socket, GIOStream *stream, gpointer user_data);

TauTestSocket *tau_test_socket_new              (TauTestSocketFunc serve, gpointer user_data);
TauTestSocket *tau_test_socket_new_tls          (TauTestSocketFunc serve, gpointer user_data, GTlsCertificate *certificate);
void           tau_test_socket_free             (TauTestSocket *self);
const char    *tau_test_socket_get_url          (TauTestSocket *self);   /* "http://127.0.0.1:PORT" */
guint16        tau_test_socket_get_port         (TauTestSocket *self);
guint          tau_test_socket_get_n_accepted   (TauTestSocket *self);
guint          tau_test_socket_get_n_open       (TauTestSocket *self);
gsize          tau_test_socket_get_n_written    (TauTestSocket *self);

/* For the serving function. */
char          *tau_test_socket_read_request     (TauTestSocket *self, GIOStream *stream);   /* head and body; NULL if there is none */
gboolean       tau_test_socket_write            (TauTestSocket *self, GIOStream *stream, const char *bytes, gssize size);
void           tau_test_socket_wait_gone        (TauTestSocket *self, GIOStream *stream);
void           tau_test_socket_reset            (TauTestSocket *self, GIOStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauTestSocket, tau_test_socket_free)

G_END_DECLS
