/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-context.h"
#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

TauTool *tau_find_tool_new (TauToolContext *context);

G_END_DECLS
