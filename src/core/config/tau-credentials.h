/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_CREDENTIALS (tau_credentials_get_type ())
G_DECLARE_FINAL_TYPE (TauCredentials, tau_credentials, TAU, CREDENTIALS, GObject)

TauCredentials *tau_credentials_new             (const char *agent_dir);
void            tau_credentials_reload          (TauCredentials *self);
const char     *tau_credentials_get_problem     (TauCredentials *self);   /* nullable: a sentence for a person */
void            tau_credentials_set_runtime_key (TauCredentials *self, const char *provider, const char *key);
gboolean        tau_credentials_has_key         (TauCredentials *self, const char *provider);   /* commands are not run for this */
gboolean        tau_credentials_store_key       (TauCredentials *self, const char *provider, const char *key, GError **error);
void            tau_credentials_resolve_async   (TauCredentials *self, const char *provider, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
char           *tau_credentials_resolve_finish  (TauCredentials *self, GAsyncResult *result, GError **error);   /* nullable without error: no key */

const char * const *tau_credentials_get_variables (const char *provider);   /* names of its environment variables; never NULL */

G_END_DECLS
