/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One process as the kernel tells of it now; see proc(5). */
typedef struct
{
  int     pid;
  int     parent;
  int     group;
  char    state;     /* 'Z': it has ended and waits to be collected */
  guint64 started;   /* clock ticks after the start of the machine; with the number it names a process for ever */
  gint64  memory;    /* bytes of it that are in memory now */
} TauProc;

gboolean tau_proc_read             (int pid, TauProc *proc);
GArray  *tau_proc_list_own         (void);   /* of TauProc */
char    *tau_proc_dup_variable     (int pid, const char *name);
char    *tau_proc_dup_command_line (int pid);
gint64   tau_proc_get_age_ms       (const TauProc *proc);
guint    tau_proc_count_tasks      (void);

G_END_DECLS
