/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The lock that pi takes around a settings file: a folder beside it. Held while the object lives. */
typedef struct _TauLockDir TauLockDir;

TauLockDir *tau_lock_dir_acquire (const char *file, GError **error);
void        tau_lock_dir_release (TauLockDir *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauLockDir, tau_lock_dir_release)

G_END_DECLS
