/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-provider.h"

G_BEGIN_DECLS

#define TAU_TEST_TYPE_PROVIDER (tau_test_provider_get_type ())
G_DECLARE_FINAL_TYPE (TauTestProvider, tau_test_provider, TAU_TEST, PROVIDER, GObject)

/**
 * TauTestAnswer:
 * @blocks: (nullable): of TauBlock: text, thinking and tool calls
 * @stop_reason: how it ends
 * @error: (nullable): text of a failure
 * @no_start: it fails before anything came
 * @hangs: after the blocks nothing comes until the request is cancelled
 *
 * One scripted answer; borrowed by tau_test_provider_add().
 */
typedef struct
{
  GPtrArray    *blocks;
  TauStopReason stop_reason;
  const char   *error;
  gboolean      no_start;
  gboolean      hangs;
} TauTestAnswer;

TauTestProvider *tau_test_provider_new          (void);
void             tau_test_provider_add          (TauTestProvider *self, const TauTestAnswer *answer);
void             tau_test_provider_add_text     (TauTestProvider *self, const char *text);
void             tau_test_provider_add_calls    (TauTestProvider *self, ...) G_GNUC_NULL_TERMINATED;   /* "id:tool:{arguments}" */
void             tau_test_provider_add_hang     (TauTestProvider *self, const char *text);
guint            tau_test_provider_get_n_unused (TauTestProvider *self);
GPtrArray       *tau_test_provider_get_requests (TauTestProvider *self);   /* of TauRequest, borrowed */
TauModel        *tau_test_model_new             (void);

G_END_DECLS
