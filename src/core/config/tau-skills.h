/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/config/tau-settings.h"

G_BEGIN_DECLS

/**
 * TauSkill:
 * @name: by which it is called
 * @description: when to use it
 * @path: of its file, absolute
 * @base_dir: folder that its references are relative to
 * @scope: "project" or "user"
 * @hidden: not told to the model; the user can still call it
 *
 * A skill found on disk. A record.
 */
typedef struct
{
  char       *name;
  char       *description;
  char       *path;
  char       *base_dir;
  const char *scope;
  gboolean    hidden;
} TauSkill;

GPtrArray *tau_skills_load             (const char *agent_dir, const char *cwd, TauSettings *settings, GPtrArray *problems);   /* of TauSkill */
TauSkill  *tau_skills_find             (GPtrArray *skills, const char *name);   /* borrowed, nullable */
char      *tau_skills_dup_prompt_block (GPtrArray *skills);                     /* nullable: nothing to tell */
char      *tau_skills_expand           (GPtrArray *skills, const char *text);   /* nullable: not a call of a known skill */

G_END_DECLS
