/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauUsage:
 * @input: tokens sent, cached ones excluded
 * @output: tokens received, reasoning included
 * @cache_read: tokens read from the provider's cache
 * @cache_write: tokens written to it
 * @total_tokens: as the provider or the decoder summed them
 * @cost_input: USD, as are the other costs
 * @cost_output: USD
 * @cost_cache_read: USD
 * @cost_cache_write: USD
 * @cost_total: sum of the four
 *
 * What one answer used. A plain value: copy it by assignment.
 */
typedef struct
{
  gint64 input;
  gint64 output;
  gint64 cache_read;
  gint64 cache_write;
  gint64 total_tokens;
  double cost_input;
  double cost_output;
  double cost_cache_read;
  double cost_cache_write;
  double cost_total;
} TauUsage;

/**
 * TauPrices:
 * @input: USD per million tokens, as are the others
 * @output: USD per million
 * @cache_read: USD per million
 * @cache_write: USD per million
 *
 * What a model costs.
 */
typedef struct
{
  double input;
  double output;
  double cache_read;
  double cache_write;
} TauPrices;

void tau_usage_set_cost (TauUsage *self, const TauPrices *prices);
void tau_usage_add      (TauUsage *self, const TauUsage *other);

G_END_DECLS
