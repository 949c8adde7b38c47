/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauMdSplitter:
 * @stable: text before this offset reads the same whatever follows (link definitions aside)
 *
 * Finds, line by line and without parsing, where a growing Markdown text may be cut. Plain struct; begin with
 * %TAU_MD_SPLITTER_INIT. The other fields are its own.
 */
typedef struct
{
  gsize    stable;
  gsize    scanned;
  gboolean fresh;         /* the next line cannot continue a paragraph */
  gboolean in_paragraph;
  gboolean in_list;
  guint    item_indent;   /* column where the open top-level item's content begins */
  char     fence;
  gsize    fence_length;
  guint    html;          /* kind of the open HTML block, as CommonMark numbers them; 0 if none */
  gboolean lost;          /* too unusual to judge: no further cut is offered */
} TauMdSplitter;

#define TAU_MD_SPLITTER_INIT { .fresh = TRUE }

void tau_md_splitter_feed (TauMdSplitter *self, const char *text, gsize length);

G_END_DECLS
