/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lengths are in bytes; -1 means up to the NUL. */

char    *tau_text_scrub         (const char *text, gssize length);
char    *tau_text_make_valid    (const char *text, gssize length);
gsize    tau_text_utf16_length  (const char *text);
gboolean tau_text_is_blank      (const char *text);
char    *tau_text_trim          (const char *text);
char    *tau_text_format_size   (gint64 bytes);
char    *tau_text_strip_ansi    (const char *text, gssize length);
char    *tau_text_clean_output  (const char *text, gssize length);
int      tau_text_utf8_step     (const char *text, gsize size);
gsize    tau_text_utf8_floor    (const char *text, gsize position);
gsize    tau_text_count_lines   (const char *text, gssize length);

/* Plain struct, lives inside its owner; all zero is a decoder at the start of a stream. */
typedef struct
{
  guint8 tail[4];       /* the beginning of a character whose rest has not come */
  guint  tail_length;
} TauUtf8Decoder;

void     tau_utf8_decoder_push   (TauUtf8Decoder *self, const void *bytes, gsize size, GString *out);
void     tau_utf8_decoder_finish (TauUtf8Decoder *self, GString *out);

G_END_DECLS
