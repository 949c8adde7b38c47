/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-checkpoints.h"
#include "core/tool/tau-file-queue.h"
#include "core/tool/tau-file-record.h"

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_CONTEXT (tau_tool_context_get_type ())
G_DECLARE_FINAL_TYPE (TauToolContext, tau_tool_context, TAU, TOOL_CONTEXT, GObject)

/* What the built-in tools share: the folder they work in, shell settings, the queue per file, the record of what was read.
 * Read/write properties: "cwd", "shell-path", "shell-command-prefix", "accepts-images" (of the current model), "auto-resize-images". */
TauToolContext *tau_tool_context_new                (const char *cwd);
const char     *tau_tool_context_get_cwd            (TauToolContext *self);
const char     *tau_tool_context_get_shell_path     (TauToolContext *self);
const char     *tau_tool_context_get_command_prefix (TauToolContext *self);
gboolean        tau_tool_context_get_accepts_images (TauToolContext *self);
void            tau_tool_context_set_accepts_images (TauToolContext *self, gboolean accepts);
gboolean        tau_tool_context_get_auto_resize_images (TauToolContext *self);
TauFileQueue   *tau_tool_context_get_file_queue     (TauToolContext *self);   /* borrowed */
TauFileRecord  *tau_tool_context_get_file_record    (TauToolContext *self);   /* borrowed */
TauCheckpoints *tau_tool_context_get_checkpoints    (TauToolContext *self);   /* borrowed, nullable */
void            tau_tool_context_set_checkpoints    (TauToolContext *self, TauCheckpoints *checkpoints);
void            tau_tool_context_set_memory_limit   (TauToolContext *self, gint64 percent);
guint64         tau_tool_context_get_memory_limit   (TauToolContext *self);   /* bytes; 0 for none */

G_END_DECLS
