/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * TauToolTitle:
 * @verb: (nullable): what it does, translated ("Read"); %NULL for a command, which speaks for itself
 * @subject: path, command or pattern on one line; "" while unknown
 * @path: (nullable): the file that it is about, as the model wrote it
 *
 * How a tool call is named to a person, so that a window need not know arguments.
 */
typedef struct
{
  char *verb;
  char *subject;
  char *path;
} TauToolTitle;

TauToolTitle *tau_tool_title_new  (const char *tool_name, JsonNode *arguments);
char         *tau_tool_title_dup_text (const TauToolTitle *self);   /* "Read src/a.c", "$ make test" */
void          tau_tool_title_free (TauToolTitle *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauToolTitle, tau_tool_title_free)

G_END_DECLS
