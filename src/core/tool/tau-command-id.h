/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The environment variable that every process of a command inherits. */
#define TAU_COMMAND_ID_VARIABLE "TAU_COMMAND_ID"

/* Whose command a process belongs to. */
typedef enum
{
  TAU_COMMAND_RUNNING,    /* ours, and not over yet */
  TAU_COMMAND_LEFT,       /* ours, and over */
  TAU_COMMAND_ELSEWHERE,  /* of another Tau that is there */
  TAU_COMMAND_ORPHANED,   /* of a Tau that is gone */
  TAU_COMMAND_UNKNOWN,    /* no mark of ours */
} TauCommandOwner;

char           *tau_command_id_begin  (void);
void            tau_command_id_end    (const char *id);
TauCommandOwner tau_command_id_judge  (const char *id);
char           *tau_command_id_dup_of_process (int pid);

G_END_DECLS
