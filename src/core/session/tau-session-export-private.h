/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-file.h"

G_BEGIN_DECLS

/**
 * TauExportPart:
 * @kind: what it is
 * @time_ms: when, 0 if unknown
 * @title: (nullable): of a step: its command or file; of a summary or note: what it is
 * @text: valid UTF-8 without control characters but tab and newline
 * @mime_type: (nullable): of an image
 * @is_error: whether a step or an answer failed
 *
 * A piece of a conversation as a reader sees it.
 */
typedef enum
{
  TAU_EXPORT_PART_USER,
  TAU_EXPORT_PART_ANSWER,
  TAU_EXPORT_PART_THINKING,
  TAU_EXPORT_PART_CALL,
  TAU_EXPORT_PART_RESULT,
  TAU_EXPORT_PART_DIFF,
  TAU_EXPORT_PART_IMAGE,
  TAU_EXPORT_PART_NOTE,
} TauExportPartKind;

typedef struct
{
  TauExportPartKind  kind;
  gint64             time_ms;
  char              *title;
  char              *text;
  char              *mime_type;
  gboolean           is_error;
} TauExportPart;

/* What stands above the conversation. */
typedef struct
{
  char   *title;
  char   *folder;
  gint64  created_ms;
  guint   n_hidden;   /* entries of other branches */
} TauExportHead;

GPtrArray *tau_session_export_collect  (GPtrArray *path);   /* of TauSessionEntry → of TauExportPart */
GString   *tau_session_export_html     (const TauExportHead *head, GPtrArray *parts);
GString   *tau_session_export_markdown (const TauExportHead *head, GPtrArray *parts);

G_END_DECLS
