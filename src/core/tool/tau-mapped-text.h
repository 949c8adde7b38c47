/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauMappedText:
 * @text: the text
 * @pieces: how its parts came from the source
 *
 * A text made of another one, that knows for each place where in the source it was. Plain struct.
 */
typedef struct
{
  GString *text;
  GArray *pieces;
} TauMappedText;

void     tau_mapped_text_init           (TauMappedText       *self);
void     tau_mapped_text_clear          (TauMappedText       *self);
void     tau_mapped_text_append_same    (TauMappedText       *self,
                                         const char          *text,
                                         gsize                length,
                                         gsize                from);
void     tau_mapped_text_append_changed (TauMappedText       *self,
                                         const char          *text,
                                         gsize                length,
                                         gsize                from,
                                         gsize                from_length);
gboolean tau_mapped_text_find_start     (const TauMappedText *self,
                                         gsize                position,
                                         gsize               *from);
gboolean tau_mapped_text_find_end       (const TauMappedText *self,
                                         gsize                position,
                                         gsize               *from);

void     tau_mapped_text_decode         (TauMappedText       *self,
                                         const char          *bytes,
                                         gsize                length,
                                         const char          *encoding);
void     tau_mapped_text_unify_endings  (TauMappedText       *self,
                                         const char          *text,
                                         gsize                length);
void     tau_mapped_text_simplify       (TauMappedText       *self,
                                         const char          *text,
                                         gsize                length);
gboolean tau_mapped_text_is_blank       (gunichar             c);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauMappedText, tau_mapped_text_clear)

G_END_DECLS
