/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"

G_BEGIN_DECLS

#define TAU_TYPE_STREAM_HOOKS (tau_stream_hooks_get_type ())
G_DECLARE_INTERFACE (TauStreamHooks, tau_stream_hooks, TAU, STREAM_HOOKS, GObject)

/**
 * TauStreamHooksInterface:
 * @payload_async: (nullable): the body is built and not yet sent
 * @payload_finish: the body to send instead, or %NULL to keep it; an error ends the turn as an error message
 * @response_async: (nullable): headers of a successful response came, before the start event
 * @response_finish: an error ends the turn as an error message
 *
 * Who may look at a request on its way. All are optional.
 */
struct _TauStreamHooksInterface
{
  GTypeInterface parent_iface;

  void      (*payload_async)   (TauStreamHooks *self, JsonNode *body, TauModel *model, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  JsonNode *(*payload_finish)  (TauStreamHooks *self, GAsyncResult *result, GError **error);
  void      (*response_async)  (TauStreamHooks *self, guint status, JsonNode *headers, TauModel *model, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean  (*response_finish) (TauStreamHooks *self, GAsyncResult *result, GError **error);
};

G_END_DECLS
