/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-outcome.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_FILE_QUEUE (tau_file_queue_get_type ())
G_DECLARE_FINAL_TYPE (TauFileQueue, tau_file_queue, TAU, FILE_QUEUE, GObject)

/**
 * TauFileJobFunc:
 * @data: what was given with the function
 * @cancellable: (nullable): of the job
 * @error: return location for an error
 *
 * Changes a file, on a thread of its own.
 *
 * Returns: (transfer full) (nullable): the outcome
 */
typedef TauToolOutcome *(*TauFileJobFunc) (gpointer data, GCancellable *cancellable, GError **error);

TauFileQueue   *tau_file_queue_new        (void);
void            tau_file_queue_run_async  (TauFileQueue *self, const char *path, TauFileJobFunc func, gpointer data, GDestroyNotify destroy,
                                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauToolOutcome *tau_file_queue_run_finish (TauFileQueue *self, GAsyncResult *result, GError **error);

G_END_DECLS
