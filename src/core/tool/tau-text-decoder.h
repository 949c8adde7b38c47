/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-text.h"

G_BEGIN_DECLS

typedef struct _TauTextDecoder TauTextDecoder;

const char     *tau_text_decoder_guess        (const char *bytes, gsize length, gboolean complete);
TauTextDecoder *tau_text_decoder_new          (const char *encoding);
TauTextDecoder *tau_text_decoder_new_for_output (void);
void            tau_text_decoder_free         (TauTextDecoder *self);
void            tau_text_decoder_push         (TauTextDecoder *self, const char *bytes, gsize length, GString *out);
void            tau_text_decoder_finish       (TauTextDecoder *self, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauTextDecoder, tau_text_decoder_free)

G_END_DECLS
