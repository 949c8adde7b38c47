/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauCliMode:
 * @TAU_CLI_MODE_TEXT: print the last answer
 * @TAU_CLI_MODE_JSON: print each event as a line of JSON
 * @TAU_CLI_MODE_RPC: read commands from standard input, print answers and events
 *
 * What the program does with a session.
 */
typedef enum
{
  TAU_CLI_MODE_TEXT,
  TAU_CLI_MODE_JSON,
  TAU_CLI_MODE_RPC,
} TauCliMode;

/* What the user asked for. Plain struct, made by tau_cli_arguments_parse(); strings are NULL and lists are NULL where
 * nothing was given. */
typedef struct
{
  gboolean   help;
  gboolean   version;
  gboolean   print;
  gboolean   verbose;
  gboolean   offline;
  TauCliMode mode;
  char      *provider;
  char      *model;
  char      *api_key;
  char      *thinking;
  char     **models;
  gboolean   list_models;
  char      *list_models_search;
  char      *system_prompt;
  char     **append_system_prompt;
  gboolean   continue_recent;
  gboolean   resume;
  gboolean   no_session;
  char      *session;
  char      *fork;
  char      *session_dir;
  char      *export_file;
  char     **tools;
  gboolean   no_tools;
  gboolean   no_builtin_tools;
  gboolean   no_extensions;
  gboolean   no_skills;
  gboolean   no_prompt_templates;
  gboolean   no_themes;
  gboolean   no_context_files;
  char      *mode_name;
  char     **files;
  char     **messages;
} TauCliArguments;

TauCliArguments *tau_cli_arguments_parse    (const char * const *argv, GError **error);   /* NULL: G_OPTION_ERROR */
void             tau_cli_arguments_free     (TauCliArguments *self);
gboolean         tau_cli_arguments_mode_is_known (TauCliArguments *self);
char            *tau_cli_arguments_dup_help (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauCliArguments, tau_cli_arguments_free)

G_END_DECLS
