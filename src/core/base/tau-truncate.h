/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define TAU_TRUNCATE_MAX_LINES ((gint64) 2000)
#define TAU_TRUNCATE_MAX_BYTES ((gint64) 50 * 1024)

typedef enum
{
  TAU_TRUNCATED_BY_NONE,
  TAU_TRUNCATED_BY_LINES,
  TAU_TRUNCATED_BY_BYTES,
} TauTruncatedBy;

/* What was kept of a text, and why not more. A plain struct: free with tau_truncation_free(). */
typedef struct
{
  char           *content;
  gboolean        truncated;
  TauTruncatedBy  by;
  gint64          total_lines;
  gint64          total_bytes;
  gint64          output_lines;
  gint64          output_bytes;
  gboolean        last_line_partial;          /* tail: content is the end of one line */
  gboolean        first_line_exceeds_limit;   /* head: not even one line fits, content is "" */
  gint64          max_lines;
  gint64          max_bytes;
} TauTruncation;

TauTruncation *tau_truncate_head        (const char *text, gssize length, gint64 max_lines, gint64 max_bytes);
TauTruncation *tau_truncate_tail        (const char *text, gssize length, gint64 max_lines, gint64 max_bytes);
void           tau_truncation_free      (TauTruncation *self);
JsonNode      *tau_truncation_to_json   (const TauTruncation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauTruncation, tau_truncation_free)

G_END_DECLS
