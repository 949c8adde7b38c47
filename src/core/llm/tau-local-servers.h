/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

/**
 * TauLocalServer:
 * @provider: vendor id that its models get
 * @name: what people call it
 * @url: its address, without a path
 *
 * A program that may serve models on this machine.
 */
typedef struct
{
  const char *provider;
  const char *name;
  const char *url;
} TauLocalServer;

const TauLocalServer *tau_local_servers_get_usual       (guint *n_servers);
gboolean              tau_local_servers_is_local        (const char *provider);
void                  tau_local_servers_discover_async  (const TauLocalServer *servers, guint n_servers, gint64 patience_ms, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray            *tau_local_servers_discover_finish (GAsyncResult *result);   /* of TauModel; transfer full, never NULL */


G_END_DECLS
