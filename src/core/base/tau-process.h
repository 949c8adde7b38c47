/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_PROCESS (tau_process_get_type ())
G_DECLARE_FINAL_TYPE (TauProcess, tau_process, TAU, PROCESS, GObject)

/**
 * TauProcessOutputFunc:
 * @self: the process
 * @bytes: what it wrote, standard output and error in the order of writing; borrowed
 * @length: how many bytes, never 0
 * @user_data: what was given with the function
 *
 * Takes output as it comes, on the thread of the process.
 */
typedef void (*TauProcessOutputFunc) (TauProcess *self, const guint8 *bytes, gsize length, gpointer user_data);

/* How a process ended. */
typedef struct
{
  int      exit_status;   /* 0–255, or -1 if a signal ended it */
  int      term_signal;   /* 0 if it exited */
  gboolean timed_out;
  gboolean cancelled;
} TauProcessResult;

TauProcess *tau_process_new             (const char * const *argv, const char *cwd, const char * const *env);
void        tau_process_set_output_func (TauProcess *self, TauProcessOutputFunc func, gpointer user_data);
void        tau_process_set_timeout     (TauProcess *self, gint64 milliseconds);
void        tau_process_set_paused      (TauProcess *self, gboolean paused);
void        tau_process_set_environment (TauProcess *self, const char * const *env);
void        tau_process_set_gated       (TauProcess *self, gboolean gated);
void        tau_process_open_gate       (TauProcess *self);
int         tau_process_get_pid         (TauProcess *self);
void        tau_process_run_async       (TauProcess *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean    tau_process_run_finish      (TauProcess *self, GAsyncResult *result, TauProcessResult *ended, GError **error);

G_END_DECLS
