/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-content-store.h"

G_BEGIN_DECLS

/**
 * TauFileChange:
 * @call_id: (nullable): the tool call that changes the file
 * @path: absolute path of the file
 * @before: (nullable): digest of its content; %NULL if there is no such file yet
 * @data: (nullable): that content; %NULL if it cannot be kept
 * @length: bytes of @data
 * @mode: permissions of the file
 * @after: (nullable): digest of the content that it will have; %NULL if it goes away
 *
 * A file that is about to change. Digests are %TAU_CONTENT_CHECKSUM as text.
 */
typedef struct
{
  const char *call_id;
  const char *path;
  const char *before;
  const void *data;
  gsize       length;
  guint       mode;
  const char *after;
} TauFileChange;

/* TauRestoreScope:restore_id of the last restore of a session. */
#define TAU_RESTORE_LAST ""

/**
 * TauRestoreScope:
 * @since: milliseconds since 1970: what was changed then or later
 * @call_id: (nullable): only files of this tool call, as they were before it; some models use an id again, so that
 *   @since is to be the time of its message
 * @restore_id: (nullable): files of this restore, as they were before it; nothing else counts then
 *
 * What is to be as it was.
 */
typedef struct
{
  gint64      since;
  const char *call_id;
  const char *restore_id;
} TauRestoreScope;

/**
 * TauRestoreAction:
 * @TAU_RESTORE_WRITE: the file gets its old content
 * @TAU_RESTORE_REMOVE: the file goes, since it was not there
 * @TAU_RESTORE_NOTHING: the file is as it was
 * @TAU_RESTORE_SKIP: the file is left alone, see the reason
 *
 * What happens to a file when it is restored.
 */
typedef enum
{
  TAU_RESTORE_WRITE,
  TAU_RESTORE_REMOVE,
  TAU_RESTORE_NOTHING,
  TAU_RESTORE_SKIP,
} TauRestoreAction;

/**
 * TauRestoreItem:
 * @path: absolute path of a file
 * @action: what happens, or has happened, to it
 * @reason: (nullable): why it is skipped, a sentence
 *
 * One file of a restore.
 */
typedef struct
{
  char             *path;
  TauRestoreAction  action;
  char             *reason;
} TauRestoreItem;

#define TAU_TYPE_CHECKPOINTS (tau_checkpoints_get_type ())
G_DECLARE_FINAL_TYPE (TauCheckpoints, tau_checkpoints, TAU, CHECKPOINTS, GObject)

TauCheckpoints *tau_checkpoints_new              (const char             *folder,
                                                  const char             *session_id,
                                                  goffset                 max_bytes);
TauCheckpoints *tau_checkpoints_new_default      (const char             *session_id);
gboolean        tau_checkpoints_note             (TauCheckpoints         *self,
                                                  const TauFileChange    *change,
                                                  GError                **error);
GPtrArray      *tau_checkpoints_plan             (TauCheckpoints         *self,
                                                  const TauRestoreScope  *scope);
GPtrArray      *tau_checkpoints_restore          (TauCheckpoints         *self,
                                                  const TauRestoreScope  *scope,
                                                  const char             *restore_id);
void            tau_checkpoints_run_async        (TauCheckpoints         *self,
                                                  const TauRestoreScope  *scope,
                                                  const char             *restore_id,
                                                  GAsyncReadyCallback     callback,
                                                  gpointer                user_data);
GPtrArray      *tau_checkpoints_run_finish       (TauCheckpoints         *self,
                                                  GAsyncResult           *result);

G_END_DECLS
