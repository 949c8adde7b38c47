/* SPDX-License-Identifier: MIT */
#include "core/message/tau-usage.h"

static const TauPrices prices = { .input = 3, .output = 15, .cache_read = 0.3, .cache_write = 3.75 };

/* The exact doubles of a session file that pi wrote with these prices. */
static void
test_cost_is_pis_double (void)
{
  TauUsage usage = { .input = 100, .output = 20, .total_tokens = 120 };

  tau_usage_set_cost (&usage, &prices);

  g_assert_true (usage.cost_input == 0.00030000000000000003);
  g_assert_true (usage.cost_output == 0.00030000000000000003);
  g_assert_true (usage.cost_total == 0.0006000000000000001);
  g_assert_true (usage.cost_cache_read == 0);
  g_assert_true (usage.cost_cache_write == 0);
}

static void
test_cache_costs (void)
{
  TauUsage usage = { .cache_read = 2000000, .cache_write = 4000000 };

  tau_usage_set_cost (&usage, &prices);

  g_assert_cmpfloat_with_epsilon (usage.cost_cache_read, 0.6, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_cache_write, 15, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_total, 15.6, 1e-12);
}

static void
test_add (void)
{
  TauUsage sum = { 0 };
  const TauUsage one = {
    .input = 1, .output = 2, .cache_read = 3, .cache_write = 4, .total_tokens = 10,
    .cost_input = 0.5, .cost_output = 0.25, .cost_cache_read = 0.125, .cost_cache_write = 1, .cost_total = 1.875,
  };

  tau_usage_add (&sum, &one);
  tau_usage_add (&sum, &one);

  g_assert_cmpint (sum.input, ==, 2);
  g_assert_cmpint (sum.output, ==, 4);
  g_assert_cmpint (sum.cache_read, ==, 6);
  g_assert_cmpint (sum.cache_write, ==, 8);
  g_assert_cmpint (sum.total_tokens, ==, 20);
  g_assert_true (sum.cost_input == 1);
  g_assert_true (sum.cost_output == 0.5);
  g_assert_true (sum.cost_cache_read == 0.25);
  g_assert_true (sum.cost_cache_write == 2);
  g_assert_true (sum.cost_total == 3.75);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/usage/cost-is-pis-double", test_cost_is_pis_double);
  g_test_add_func ("/usage/cache-costs", test_cache_costs);
  g_test_add_func ("/usage/add", test_add);

  return g_test_run ();
}
