/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/tau-window.h"
#include "core/tool/tau-checkpoints.h"

G_BEGIN_DECLS

void tau_restore_files_install_actions (GtkWidgetClass *widget_class);

G_END_DECLS
