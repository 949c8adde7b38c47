/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauExportFormat:
 * @TAU_EXPORT_HTML: one page that needs nothing else and does nothing
 * @TAU_EXPORT_MARKDOWN: for other documents
 * @TAU_EXPORT_JSONL: a session file of the branch alone
 *
 * What a session can be written as.
 */
typedef enum
{
  TAU_EXPORT_HTML,
  TAU_EXPORT_MARKDOWN,
  TAU_EXPORT_JSONL,
} TauExportFormat;

TauExportFormat tau_session_export_guess_format (const char *output);   /* by its ending; HTML for an unknown one */
char           *tau_session_export_default_name (const char *path, TauExportFormat format);
gboolean        tau_session_export              (const char *path, const char *leaf_id, TauExportFormat format, const char *output, GError **error);   /* blocking */
void            tau_session_export_async        (const char *path, const char *leaf_id, TauExportFormat format, const char *output, GAsyncReadyCallback callback, gpointer user_data);
gboolean        tau_session_export_finish       (GAsyncResult *result, GError **error);

G_END_DECLS
