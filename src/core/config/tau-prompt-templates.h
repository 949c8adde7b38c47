/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/config/tau-settings.h"

G_BEGIN_DECLS

/**
 * TauPromptTemplate:
 * @name: the command without its slash
 * @description: for the list of commands
 * @argument_hint: (nullable): which arguments it takes
 * @path: of its file, absolute
 * @scope: "project" or "user"
 * @body: text with places for arguments
 *
 * A prompt with places for arguments. A record.
 */
typedef struct
{
  char       *name;
  char       *description;
  char       *argument_hint;
  char       *path;
  const char *scope;
  char       *body;
} TauPromptTemplate;

GPtrArray *tau_prompt_templates_load   (const char *agent_dir, const char *cwd, TauSettings *settings, GPtrArray *problems);   /* of TauPromptTemplate */
char      *tau_prompt_templates_expand (GPtrArray *templates, const char *text);   /* nullable: not a call of a known template */
char      *tau_prompt_template_fill    (const char *body, const char * const *arguments);
char     **tau_prompt_template_split   (const char *text);

G_END_DECLS
