/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TauTestDir TauTestDir;

TauTestDir *tau_test_dir_new      (void);
void        tau_test_dir_free     (TauTestDir *self);
const char *tau_test_dir_get_path (TauTestDir *self);
char       *tau_test_dir_build    (TauTestDir *self,
                                   const char *name);
char       *tau_test_dir_mkdir    (TauTestDir *self,
                                   const char *name);
char       *tau_test_dir_write    (TauTestDir *self,
                                   const char *name,
                                   const char *contents);
char       *tau_test_dir_read     (TauTestDir *self,
                                   const char *name);
gboolean    tau_test_dir_has      (TauTestDir *self,
                                   const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauTestDir, tau_test_dir_free)

G_END_DECLS
