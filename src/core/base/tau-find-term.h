/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Plain record: words looked for, whatever the case of their letters. May be used by any thread. */
typedef struct _TauFindTerm TauFindTerm;

TauFindTerm *tau_find_term_new   (const char *words);
void         tau_find_term_free  (TauFindTerm *self);
gboolean     tau_find_term_next  (const TauFindTerm *self, const char *text, gsize length, gsize from, gsize *start, gsize *end);
guint        tau_find_term_count (const TauFindTerm *self, const char *text, gssize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauFindTerm, tau_find_term_free)

G_END_DECLS
