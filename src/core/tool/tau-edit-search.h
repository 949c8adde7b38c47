/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauEditFound:
 * @n: how often it is there, counted without overlaps
 * @start: where it is first, in the file
 * @end: where it ends there
 * @is_place: whether @start and @end lie between characters of the file
 *
 * Where a text was found.
 */
typedef struct
{
  guint n;
  gsize start;
  gsize end;
  gboolean is_place;
} TauEditFound;

/**
 * TauEditNeedle:
 * @text: what is looked for, with LF
 * @exact: where it is
 * @simple: where it is when both are simplified
 *
 * A text to look for, and where it was found.
 */
typedef struct
{
  const GString *text;
  TauEditFound exact;
  TauEditFound simple;
} TauEditNeedle;

void tau_edit_search (const char    *bytes,
                      gsize          start,
                      gsize          length,
                      const char    *encoding,
                      TauEditNeedle *needles,
                      guint          n_needles);

G_END_DECLS
