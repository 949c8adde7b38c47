/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"
#include "core/message/tau-draft.h"

G_BEGIN_DECLS

#define TAU_TYPE_PROVIDER (tau_provider_get_type ())
G_DECLARE_INTERFACE (TauProvider, tau_provider, TAU, PROVIDER, GObject)

/**
 * TauProviderInterface:
 * @stream_async: starts an answer: applies deltas to @draft as they come
 * @stream_finish: the final message. Never %NULL, never an error: failure is a message with stop reason error or
 *   aborted and a text
 *
 * One protocol ("api"). Stateless: many streams at once are fine.
 */
struct _TauProviderInterface
{
  GTypeInterface parent_iface;

  void                 (*stream_async)  (TauProvider *self, TauRequest *request, TauDraft *draft, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  TauAssistantMessage *(*stream_finish) (TauProvider *self, GAsyncResult *result);
};

void                 tau_provider_stream_async  (TauProvider *self, TauRequest *request, TauDraft *draft, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauAssistantMessage *tau_provider_stream_finish (TauProvider *self, GAsyncResult *result);   /* transfer full */

/* Registry: api → provider. Built-in ones are there from the start; see tau-provider-registry.h. */
TauProvider         *tau_provider_lookup        (const char *api);   /* borrowed, nullable */
void                 tau_provider_register      (const char *api, TauProvider *provider);
void                 tau_provider_unregister    (const char *api);

G_END_DECLS
