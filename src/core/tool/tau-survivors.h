/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-survivor.h"

#include <gio/gio.h>

G_BEGIN_DECLS

GListModel *tau_survivors_get  (void);
void        tau_survivors_look (void);
void        tau_survivors_stop (TauSurvivor *survivor);

G_END_DECLS
