/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_CONTENT_STORE (tau_content_store_get_type ())
G_DECLARE_FINAL_TYPE (TauContentStore, tau_content_store, TAU, CONTENT_STORE, GObject)

/* The digest that content is named by. */
#define TAU_CONTENT_CHECKSUM G_CHECKSUM_SHA256

TauContentStore *tau_content_store_new      (const char       *folder,
                                             goffset           max_bytes);
gboolean         tau_content_store_put      (TauContentStore  *self,
                                             const char       *digest,
                                             const void       *data,
                                             gsize             length,
                                             GError          **error);
GBytes          *tau_content_store_get      (TauContentStore  *self,
                                             const char       *digest,
                                             GError          **error);
gboolean         tau_content_store_has      (TauContentStore  *self,
                                             const char       *digest);

G_END_DECLS
