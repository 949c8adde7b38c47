/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-io.h"

G_BEGIN_DECLS

gboolean tau_file_replace (const char        *path,
                           const TauIoPiece  *pieces,
                           guint              n_pieces,
                           GString           *notes,
                           GError           **error);

G_END_DECLS
