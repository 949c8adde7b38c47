/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is known of the pictures of a conversation. Shared by the requests of a session; any thread may use it. */
typedef struct _TauRequestImages TauRequestImages;

TauRequestImages *tau_request_images_new        (void);
TauRequestImages *tau_request_images_ref        (TauRequestImages *self);
void              tau_request_images_unref      (TauRequestImages *self);
void              tau_request_images_fit_async  (TauRequestImages *self, GPtrArray *messages, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray        *tau_request_images_fit_finish (GAsyncResult *result, GError **error);   /* of TauMessage; transfer full container and items */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauRequestImages, tau_request_images_unref)

G_END_DECLS
