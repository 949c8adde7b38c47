/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauChangeRecord:
 * @time: milliseconds since 1970
 * @path: absolute path, without links
 * @call_id: (nullable): the tool call that changed it
 * @restore_id: (nullable): the restore that changed it
 * @before: (nullable): digest of its content before; %NULL: there was no file
 * @after: (nullable): digest of its content then; %NULL: there is no file
 * @mode: permissions before
 *
 * One change of one file.
 */
typedef struct
{
  gint64  time;
  char   *path;
  char   *call_id;
  char   *restore_id;
  char   *before;
  char   *after;
  guint   mode;
} TauChangeRecord;

void       tau_change_record_free    (TauChangeRecord        *self);
gboolean   tau_change_journal_append (const char             *path,
                                      const TauChangeRecord  *record,
                                      GError                **error);
GPtrArray *tau_change_journal_load   (const char             *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauChangeRecord, tau_change_record_free)

G_END_DECLS
