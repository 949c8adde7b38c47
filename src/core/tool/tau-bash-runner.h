/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-process.h"
#include "core/tool/tau-command-scope.h"
#include "core/tool/tau-output-log.h"
#include "core/tool/tau-tool-context.h"

G_BEGIN_DECLS

/**
 * TauBashResult:
 * @log: the output
 * @ended: how the command ended
 *
 * What a command left behind.
 */
typedef struct
{
  TauOutputLog     *log;
  TauProcessResult  ended;
} TauBashResult;

/* Called when a command has started (with an empty log) and at most ten times a second while its output grows; and with
 * @usage, else %NULL, when it has been measured, which is no news of the output. */
typedef void (*TauBashProgressFunc) (TauProcess *process, TauOutputLog *log, const TauScopeUsage *usage, gpointer user_data);

void           tau_bash_run_async   (TauToolContext *context, const char *command, gint64 timeout_ms, gboolean clean,
                                     TauBashProgressFunc progress, gpointer progress_data,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauBashResult *tau_bash_run_finish  (GAsyncResult *result, GError **error);
void           tau_bash_result_free (TauBashResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauBashResult, tau_bash_result_free)

G_END_DECLS
