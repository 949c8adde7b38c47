/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Output of processes and the network: below GTK's layout and paint (G_PRIORITY_HIGH_IDLE + 10, + 20), so that
 * a flood of bytes cannot starve the frame clock, and above plain idles. */
#define TAU_PRIORITY_STREAM (G_PRIORITY_HIGH_IDLE + 30)

G_END_DECLS
