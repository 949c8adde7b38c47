/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A file with standing instructions: AGENTS.md or CLAUDE.md. A record. */
typedef struct
{
  char *path;
  char *text;
} TauContextFile;

GPtrArray *tau_context_files_load (const char *agent_dir, const char *cwd);   /* of TauContextFile */

G_END_DECLS
