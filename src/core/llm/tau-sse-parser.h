/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauSseEventFunc:
 * @name: the event's name, "" if the server gave none; borrowed
 * @data: its data, NUL-terminated beyond @length; borrowed
 * @length: bytes of @data
 * @user_data: what was given with the function
 *
 * Takes one complete event of a stream.
 */
typedef void (*TauSseEventFunc) (const char *name, const char *data, gsize length, gpointer user_data);

/* Plain struct, lives inside its owner: turns bytes as they come from the network into server-sent events. */
typedef struct
{
  TauSseEventFunc func;
  gpointer        user_data;
  GString        *line;       /* start of a line whose end has not come */
  GString        *name;
  GString        *data;
  gboolean        has_data;   /* data may be "" and still be there */
  gboolean        skip_lf;    /* the last byte was CR: a LF now belongs to it */
  guint           bom_seen;   /* bytes of a byte order mark seen; 3 = past the start of the stream */
  gsize           limit;      /* longest event, in bytes */
} TauSseParser;

#define TAU_SSE_DEFAULT_LIMIT ((gsize) 64 * 1024 * 1024)

void     tau_sse_parser_init   (TauSseParser *self, gsize limit, TauSseEventFunc func, gpointer user_data);
void     tau_sse_parser_clear  (TauSseParser *self);
gboolean tau_sse_parser_push   (TauSseParser *self, const char *bytes, gsize size, GError **error);
void     tau_sse_parser_finish (TauSseParser *self);

G_END_DECLS
