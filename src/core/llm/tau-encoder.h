/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-http-call.h"
#include "core/llm/tau-request.h"

G_BEGIN_DECLS

/* What the encoders of several protocols share. Functions only. */

#define TAU_ENCODER_ATTACHED_IMAGE_TEXT "(see attached image)"
#define TAU_ENCODER_NO_OUTPUT_TEXT "(no tool output)"
#define TAU_ENCODER_AFTER_RESULTS_TEXT "I have processed the tool results."

gboolean    tau_encoder_check_key       (TauRequest *request, GError **error);
gint64      tau_encoder_max_tokens      (TauRequest *request);
const char *tau_encoder_retention       (TauRequest *request);   /* "none", "short" or "long" */
gboolean    tau_encoder_get_level       (TauRequest *request, TauThinkingLevel *level);   /* clamped; FALSE: absent */
char       *tau_encoder_base_url        (TauModel *model, GError **error);
char       *tau_encoder_sanitize_id     (const char *id, gsize max_length);
char       *tau_encoder_short_hash      (const char *text);
gboolean    tau_encoder_has_images      (GPtrArray *messages);
void        tau_encoder_copilot_headers (TauRequest *request, TauHttpCall *call);

void        tau_encoder_set_text        (JsonObject *object, const char *key, const char *text);   /* scrubbed */
char       *tau_encoder_join_texts      (TauMessage *message, const char *separator);              /* scrubbed */
char       *tau_encoder_data_url        (TauBlock *image);
JsonNode   *tau_encoder_arguments       (TauBlock *call);   /* transfer full: always an object */

gboolean    tau_encoder_compat_bool     (TauModel *model, const char *flag, gboolean fallback);

G_END_DECLS
