/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

JsonNode *tau_tool_args_check (const char         *tool_name,
                               JsonNode           *schema,
                               TauToolSchemaStyle  style,
                               JsonNode           *arguments,
                               GError            **error);

G_END_DECLS
