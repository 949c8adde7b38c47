/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TauLogFile TauLogFile;

TauLogFile *tau_log_file_new         (gint64 max_bytes);
void        tau_log_file_free        (TauLogFile *self);
void        tau_log_file_write       (TauLogFile *self, GBytes *bytes);
gsize       tau_log_file_get_backlog (TauLogFile *self);
const char *tau_log_file_get_path    (TauLogFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauLogFile, tau_log_file_free)

G_END_DECLS
