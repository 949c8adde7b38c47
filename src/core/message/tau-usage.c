/* SPDX-License-Identifier: MIT */
#include "core/message/tau-usage.h"

/* The price per token comes first: session files of pi hold the doubles that this order of operations gives. */
static double
cost_of (double price_per_million,
         gint64 tokens)
{
  return price_per_million / 1000000.0 * (double) tokens;
}

/**
 * tau_usage_set_cost:
 * @self: tokens, whose costs are computed
 * @prices: what the model costs
 *
 * Fills in the five costs from the tokens.
 */
void
tau_usage_set_cost (TauUsage        *self,
                    const TauPrices *prices)
{
  g_return_if_fail (self != NULL && prices != NULL);

  self->cost_input = cost_of (prices->input, self->input);
  self->cost_output = cost_of (prices->output, self->output);
  self->cost_cache_read = cost_of (prices->cache_read, self->cache_read);
  self->cost_cache_write = cost_of (prices->cache_write, self->cache_write);
  self->cost_total = self->cost_input + self->cost_output + self->cost_cache_read + self->cost_cache_write;
}

/**
 * tau_usage_add:
 * @self: the sum so far
 * @other: added to it
 *
 * Adds all tokens and costs.
 */
void
tau_usage_add (TauUsage       *self,
               const TauUsage *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  self->input += other->input;
  self->output += other->output;
  self->cache_read += other->cache_read;
  self->cache_write += other->cache_write;
  self->total_tokens += other->total_tokens;
  self->cost_input += other->cost_input;
  self->cost_output += other->cost_output;
  self->cost_cache_read += other->cost_cache_read;
  self->cost_cache_write += other->cost_cache_write;
  self->cost_total += other->cost_total;
}
