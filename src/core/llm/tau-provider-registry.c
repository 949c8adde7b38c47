/* SPDX-License-Identifier: MIT */
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/openai/tau-responses-decoder.h"
#include "core/llm/scripted/tau-demo.h"
#include "core/llm/tau-http-provider.h"
#include "core/llm/tau-provider.h"

/* Which provider speaks which API. The built-in ones are made when first asked for; others may be registered, also in place of
 * a built-in one. Main thread. */

static const TauProtocol *(* const protocols[]) (void) = {
  tau_anthropic_protocol,
  tau_completions_protocol,
  tau_responses_protocol,
  tau_google_protocol,
  tau_mistral_protocol,
  tau_azure_responses_protocol,
};

static GHashTable *
get_providers (void)
{
  static GHashTable *providers;

  if (providers == NULL)
    providers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  return providers;
}

/* NULL if the API is not one of ours. */
static TauProvider *
make_builtin (const char *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (protocols[i] ()->api, api))
      return tau_http_provider_new (protocols[i] ());

  return g_str_equal (api, TAU_DEMO_API) ? tau_demo_provider_new () : NULL;
}

/**
 * tau_provider_lookup:
 * @api: protocol, e.g. "anthropic-messages"
 *
 * Returns: (transfer none) (nullable): who speaks it
 */
TauProvider *
tau_provider_lookup (const char *api)
{
  TauProvider *provider = g_hash_table_lookup (get_providers (), api);

  if (provider == NULL && (provider = make_builtin (api)) != NULL)
    g_hash_table_insert (get_providers (), g_strdup (api), provider);

  return provider;
}

/**
 * tau_provider_register:
 * @api: protocol
 * @provider: who speaks it from now on
 *
 * Adds a provider, or replaces the one that is there.
 */
void
tau_provider_register (const char  *api,
                       TauProvider *provider)
{
  g_return_if_fail (TAU_IS_PROVIDER (provider));

  g_hash_table_insert (get_providers (), g_strdup (api), g_object_ref (provider));
}

/**
 * tau_provider_unregister:
 * @api: protocol
 *
 * Takes a registered provider away; a built-in one of that name is there again.
 */
void
tau_provider_unregister (const char *api)
{
  g_hash_table_remove (get_providers (), api);
}
