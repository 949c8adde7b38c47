/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-edit-match.h"

G_BEGIN_DECLS

GString *tau_edit_diff (const char          *bytes,
                        gsize                length,
                        const TauEditResult *result,
                        gint64              *first_changed_line);

G_END_DECLS
