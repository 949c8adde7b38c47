/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What typed text asks for. */
typedef enum
{
  TAU_SHELL_INPUT_NONE,     /* a prompt */
  TAU_SHELL_INPUT_SHOWN,    /* "!": a command, whose output the model will see */
  TAU_SHELL_INPUT_HIDDEN,   /* "!!": a command that the model does not see */
} TauShellInput;

TauShellInput tau_shell_input_parse (const char *text, char **command);

G_END_DECLS
