/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-file.h"
#include "core/session/tau-session-journal.h"
#include "core/session/tau-session-writer.h"

G_BEGIN_DECLS

/* Shared by tau-session-file.c, which reads, tau-session-file-save.c, which writes, and tau-session-file-sync.c. */
struct _TauSessionFile
{
  GObject parent_instance;

  char            *path;         /* NULL: in memory */
  TauSessionEntry *header;       /* NULL for an empty file or one without */
  TauSessionTree  *tree;
  GQueue           waiting;      /* of TauSessionEntry, owned: in the tree and not in the file */
  gboolean         exists;       /* we know the file; entries are written at once */
  gboolean         must_migrate; /* the tree is migrated, the file is not */
  char            *obstacle;     /* nullable: why nothing may be appended, whoever holds the lease */
  char            *cwd;          /* nullable: what the header says, or one that is not where it belongs */
  int              fd;           /* appends and holds the lease; -1: neither */
  char            *holder;       /* nullable: who else holds the lease */
  TauSessionTail   tail;         /* the file as we know it */
  guint            n_touched;    /* how often it looked changed and was looked at whole */
  TauSessionJournal *journal;    /* nullable: entries that wait are in memory only */
  guint            n_journaled;    /* how many of those that wait stand in it; the first ones */
  gboolean         journal_failed; /* and that was said */
  TauUsage         usage;        /* of all answers */
  char            *error;        /* nullable: why entries wait */
  char            *sync_error;   /* nullable: why the disk may not have what was written */
  GPtrArray       *unsynced;     /* of what was written since the disk had all */
  guint            sync_source;  /* tries again */
  guint            retry_source;
  GPtrArray       *problems;     /* of char *, NULL-terminated */
};

/* tau-session-file.c */
void tau_session_file_say        (TauSessionFile *self, char *sentence /* transfer full */);
void tau_session_file_set_error  (TauSessionFile *self, const char *error);
void tau_session_file_count      (TauSessionFile *self, TauSessionEntry *entry);
void tau_session_file_set_holder (TauSessionFile *self, const char *holder);

void tau_session_file_set_sync_error (TauSessionFile *self, const char *error);

/* tau-session-file-sync.c */
void tau_session_file_unsynced_free (gpointer data);
void tau_session_file_note_written  (TauSessionFile *self, TauSessionEntry *entry /* transfer full */);
void tau_session_file_stop_syncing  (TauSessionFile *self);
void tau_session_file_end_syncing   (TauSessionFile *self);

/* tau-session-file-save.c */
void tau_session_file_let_go     (TauSessionFile *self);

G_END_DECLS
