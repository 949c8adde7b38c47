/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-tool-body.h"

G_BEGIN_DECLS

/**
 * TauToolSection:
 * @text: valid UTF-8, without newlines at its end
 * @language: (nullable): id of the language it is coloured as
 * @tints: (nullable): a character a line, see [method@CodeView.set_tints]
 * @changes: (nullable) (element-type TauCodeRange): what changed within tinted lines
 * @cap: how many lines a long one shows at first; 0 for the usual number
 * @image: (nullable): a picture instead of a text
 *
 * One card below an opened step.
 */
typedef struct
{
  char       *text;
  const char *language;
  char       *tints;
  GArray     *changes;
  guint       cap;
  TauBlock   *image;
} TauToolSection;

/**
 * TauToolRenderer:
 * @body: what is known about a step; any of it may be missing while it streams
 * @sections: (element-type TauToolSection): where to add
 *
 * Says what an opened step of one tool shows, from top to bottom.
 */
typedef void (*TauToolRenderer) (const TauToolBody *body, GPtrArray *sections);

void            tau_tool_renderers_add  (const char *tool_name, TauToolRenderer renderer);
GPtrArray      *tau_tool_renderers_list (const TauToolBody *body);   /* of TauToolSection; transfer full */
TauToolSection *tau_tool_section_add    (GPtrArray *sections, char *text /* transfer full */);

G_END_DECLS
