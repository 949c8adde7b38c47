/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauFittedImage:
 * @data: (nullable): base64; %NULL if the picture could not be made small enough
 * @mime_type: its type
 * @note: (nullable): how it differs from the original, for the model
 *
 * A picture that a model may be sent. A plain struct: free with tau_fitted_image_free().
 */
typedef struct
{
  char *data;
  const char *mime_type;
  char *note;
} TauFittedImage;

const char     *tau_image_sniff_type  (const guint8 *bytes,
                                       gsize         length);
gboolean        tau_image_is_whole    (const guint8 *bytes,
                                       gsize         length);
TauFittedImage *tau_image_fit         (const guint8 *bytes,
                                       gsize         length,
                                       const char   *mime_type);
TauFittedImage *tau_image_fit_within  (const guint8 *bytes,
                                       gsize         length,
                                       const char   *mime_type,
                                       int           max_side,
                                       gsize         max_base64);
void            tau_fitted_image_free (TauFittedImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauFittedImage, tau_fitted_image_free)

G_END_DECLS
