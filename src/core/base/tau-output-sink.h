/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void tau_output_sink_adopt (GInputStream *stream);

G_END_DECLS
