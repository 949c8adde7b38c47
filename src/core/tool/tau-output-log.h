/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-truncate.h"

G_BEGIN_DECLS

typedef struct _TauOutputLog TauOutputLog;

TauOutputLog  *tau_output_log_new            (gboolean      clean);
void           tau_output_log_free           (TauOutputLog *self);
void           tau_output_log_push           (TauOutputLog *self,
                                              const void   *bytes,
                                              gsize         length);
void           tau_output_log_finish         (TauOutputLog *self);
gboolean       tau_output_log_is_empty       (TauOutputLog *self);
TauTruncation *tau_output_log_truncate       (TauOutputLog *self);
gint64         tau_output_log_get_last_line_bytes (TauOutputLog *self);
const char    *tau_output_log_get_path       (TauOutputLog *self);
gsize          tau_output_log_get_backlog    (TauOutputLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauOutputLog, tau_output_log_free)

G_END_DECLS
