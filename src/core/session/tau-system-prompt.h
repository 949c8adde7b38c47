/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauSystemPromptParts:
 * @custom: (nullable): replaces role, tools and guidelines
 * @append: (nullable): added after them
 * @specs: (element-type TauToolSpec): active tools in order
 * @context_files: (element-type TauContextFile): standing instructions
 * @skills: (nullable): block about skills
 * @date: "2026-12-01", local
 * @cwd: folder of work
 *
 * What a system prompt is made of; borrowed for the call.
 */
typedef struct
{
  const char *custom;
  const char *append;
  GPtrArray  *specs;
  GPtrArray  *context_files;
  const char *skills;
  const char *date;
  const char *cwd;
} TauSystemPromptParts;

char *tau_system_prompt_build       (const TauSystemPromptParts *parts);
char *tau_system_prompt_find_custom (const char *agent_dir, const char *cwd, const char *given);                  /* nullable */
char *tau_system_prompt_find_append (const char *agent_dir, const char *cwd, const char * const *given);          /* nullable */

G_END_DECLS
