/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A piece of somebody else's text; @text is NULL where there is none. */
typedef struct
{
  const char *text;
  gsize       length;
} TauSpan;

/**
 * TauSessionEnvelope:
 * @object: the text of the whole object
 * @type: between the quotes, as are the others; nothing if the field is missing, no string, or holds escapes
 * @id: of the entry
 * @parent_id: of the entry
 * @timestamp: ISO 8601
 * @has_parent: whether the field parentId is there, which may be null
 * @has_escapes: whether one of the four holds escapes
 *
 * What must be known of a line before anybody wants its contents.
 */
typedef struct
{
  TauSpan  object;
  TauSpan  type;
  TauSpan  id;
  TauSpan  parent_id;
  TauSpan  timestamp;
  gboolean has_parent;
  gboolean has_escapes;
} TauSessionEnvelope;

/* Called for each object of a line. */
typedef void (*TauSessionScanFunc) (const TauSessionEnvelope *envelope, gpointer user_data);

gboolean tau_session_scan_line (const char *line, gsize length, TauSessionScanFunc func, gpointer user_data);

G_END_DECLS
