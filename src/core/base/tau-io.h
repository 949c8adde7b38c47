/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TauIoReport:code of a target that is a pipe, a device or a socket. */
#define TAU_IO_NOT_REGULAR (-1)

/**
 * TauIoPiece:
 * @data: bytes
 * @length: how many
 *
 * A part of a file's new content.
 */
typedef struct
{
  const void *data;
  gsize       length;
} TauIoPiece;

/**
 * TauIoReport:
 * @code: why it failed: an errno value or %TAU_IO_NOT_REGULAR; 0 if it did not
 * @operation: the system call that failed, "open"
 * @n_names: how many names (hard links) the file has that was written; 1 if it was made
 *
 * What became of a file.
 */
typedef struct
{
  int         code;
  const char *operation;
  guint       n_names;
} TauIoReport;

gboolean tau_io_replace      (const char       *path,
                              const TauIoPiece *pieces,
                              guint             n_pieces,
                              int               mode_if_new,
                              TauIoReport      *report);
int      tau_io_sync                 (int fd);   /* errno value, or 0 */
void     tau_io_set_sync_for_testing (int (*sync) (int fd));   /* NULL: fsync() */
gboolean tau_io_write_atomic (const char       *path,
                              const void       *data,
                              gsize             length,
                              int               mode_if_new,
                              GError          **error);

G_END_DECLS
