/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TAU_TYPE_FILE_RECORD (tau_file_record_get_type ())
G_DECLARE_FINAL_TYPE (TauFileRecord, tau_file_record, TAU, FILE_RECORD, GObject)

TauFileRecord *tau_file_record_new         (void);
void           tau_file_record_note        (TauFileRecord *self,
                                            const char    *path,
                                            const char    *checksum);
gboolean       tau_file_record_has_drifted (TauFileRecord *self,
                                            const char    *path,
                                            const char    *checksum);

G_END_DECLS
