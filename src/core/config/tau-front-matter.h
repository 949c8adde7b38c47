/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Head and body of a Markdown file: skills and prompt templates. */
typedef struct
{
  GHashTable *fields;   /* char * → char *: the scalars at the top level */
  char       *body;     /* what follows, trimmed, lines ended by LF */
} TauFrontMatter;

TauFrontMatter *tau_front_matter_parse (const char *text, GError **error);
void            tau_front_matter_free  (TauFrontMatter *self);
const char     *tau_front_matter_get   (TauFrontMatter *self, const char *key);   /* nullable */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauFrontMatter, tau_front_matter_free)

G_END_DECLS
