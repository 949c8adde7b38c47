/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void tau_md_entity_append (GString *target, const char *entity, gsize length);

G_END_DECLS
