/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TAU_FUZZY_NO_MATCH (-1)

/* Plain record: a few letters typed to find one of many names. May be used by any thread. */
typedef struct _TauFuzzy TauFuzzy;

TauFuzzy *tau_fuzzy_new      (const char *query);
void      tau_fuzzy_free     (TauFuzzy *self);
gboolean  tau_fuzzy_is_empty (const TauFuzzy *self);
int       tau_fuzzy_score    (const TauFuzzy *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauFuzzy, tau_fuzzy_free)

G_END_DECLS
