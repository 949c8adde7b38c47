/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-block.h"

G_BEGIN_DECLS

/**
 * TauMdFlags:
 * @TAU_MD_FLAGS_NONE: as GitHub does
 * @TAU_MD_KEEP_BREAKS: a line's end in the source is one in the text too, as people who type expect
 * @TAU_MD_PIECE: other blocks follow the text, so that code at its end is closed, fence or not
 *
 * How Markdown is read.
 */
typedef enum
{
  TAU_MD_FLAGS_NONE  = 0,
  TAU_MD_KEEP_BREAKS = 1 << 0,
  TAU_MD_PIECE       = 1 << 1,
} TauMdFlags;

GPtrArray *tau_md_parse (const char *text, gssize length, TauMdFlags flags);   /* of TauMdBlock; transfer full */

G_END_DECLS
