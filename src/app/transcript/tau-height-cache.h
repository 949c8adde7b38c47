/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TauHeightCache TauHeightCache;

TauHeightCache *tau_height_cache_new       (void);
void            tau_height_cache_free      (TauHeightCache *self);
void            tau_height_cache_set_width (TauHeightCache *self, int width);
int             tau_height_cache_get_width (TauHeightCache *self);
int             tau_height_cache_get       (TauHeightCache *self, guint64 key);   /* 0 if not known */
void            tau_height_cache_set       (TauHeightCache *self, guint64 key, int height);
void            tau_height_cache_forget    (TauHeightCache *self, guint64 key);
void            tau_height_cache_clear     (TauHeightCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauHeightCache, tau_height_cache_free)

G_END_DECLS
