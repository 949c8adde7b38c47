/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

/* Random values from g_test_rand_int_range(), so that `--seed` repeats them. */
const char *tau_test_random_text       (void);   /* also NUL and lone surrogates, as tau_json_parse() stores them */
JsonNode   *tau_test_random_json       (guint depth);
TauMessage *tau_test_random_message    (TauMessageKind kind);
GPtrArray  *tau_test_random_transcript (guint n_messages);   /* of TauMessage: all roles in any order, calls without results, results without calls */

G_END_DECLS
