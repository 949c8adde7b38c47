/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_COMMAND_SCOPE (tau_command_scope_get_type ())
G_DECLARE_FINAL_TYPE (TauCommandScope, tau_command_scope, TAU, COMMAND_SCOPE, GObject)

/* What a command takes, with all that it started. */
typedef struct
{
  gint64 memory;     /* bytes */
  gint64 cpu_time;   /* µs */
} TauScopeUsage;

gboolean         tau_command_scope_may_start   (void);
void             tau_command_scope_start_async (const char *id, int pid, guint64 max_memory, GAsyncReadyCallback callback, gpointer user_data);
TauCommandScope *tau_command_scope_start_finish (GAsyncResult *result);   /* transfer full; NULL without a manager */
void             tau_command_scope_stop        (TauCommandScope *self);
void             tau_command_scope_measure_async (TauCommandScope *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean         tau_command_scope_measure_finish (TauCommandScope *self, GAsyncResult *result, TauScopeUsage *usage);

G_END_DECLS
