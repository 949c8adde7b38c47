/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-truncate.h"

G_BEGIN_DECLS

/**
 * TauLineWindow:
 * @start: first line wanted, from 0
 * @end: line behind the last one wanted; %G_MAXINT64 for no end
 * @line: the line that the text has come to, from 0
 * @bytes: bytes of the wanted lines, joined by LF
 * @first_line_bytes: bytes of the first wanted line
 * @kept: as much of the wanted lines as a tool's result can hold
 *
 * A range of lines, picked from a text that comes in pieces, in bounded memory. Plain struct.
 */
typedef struct
{
  gint64 start;
  gint64 end;
  gint64 line;
  gint64 bytes;
  gint64 first_line_bytes;
  GString *kept;
} TauLineWindow;

void           tau_line_window_init     (TauLineWindow *self,
                                         gint64         start,
                                         gint64         end);
void           tau_line_window_clear    (TauLineWindow *self);
void           tau_line_window_push     (TauLineWindow *self,
                                         const char    *text,
                                         gsize          length);
TauTruncation *tau_line_window_truncate (TauLineWindow *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauLineWindow, tau_line_window_clear)

G_END_DECLS
