/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-provider.h"

/* The interface of everything that can answer a request. The registry is in tau-provider-registry.c. */

G_DEFINE_INTERFACE (TauProvider, tau_provider, G_TYPE_OBJECT)

static void
tau_provider_default_init (TauProviderInterface *iface)
{
}

/**
 * tau_provider_stream_async:
 * @self: a provider
 * @request: what to ask
 * @draft: takes the answer as it comes
 * @cancellable: (nullable): to stop it; what came is kept
 * @callback: called when the answer is over
 * @user_data: for @callback
 *
 * Asks a model.
 */
void
tau_provider_stream_async (TauProvider        *self,
                           TauRequest         *request,
                           TauDraft           *draft,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_return_if_fail (TAU_IS_PROVIDER (self));
  g_return_if_fail (TAU_IS_REQUEST (request));
  g_return_if_fail (TAU_IS_DRAFT (draft));

  TAU_PROVIDER_GET_IFACE (self)->stream_async (self, request, draft, cancellable, callback, user_data);
}

/**
 * tau_provider_stream_finish:
 * @self: a provider
 * @result: the result
 *
 * Returns: (transfer full): the answer; one that failed says so by its stop reason. Never %NULL
 */
TauAssistantMessage *
tau_provider_stream_finish (TauProvider  *self,
                            GAsyncResult *result)
{
  g_return_val_if_fail (TAU_IS_PROVIDER (self), NULL);

  return TAU_PROVIDER_GET_IFACE (self)->stream_finish (self, result);
}
