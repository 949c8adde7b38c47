/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-replace.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-file-error.h"

#include <sys/stat.h>

/* How the tools give a file new content: what it was is kept for undo, it is replaced as tau_io_replace() does it, and
 * what the model knows of it is noted. Errors are in the words that models know. */

static char *
digest_of (const TauFileReplacement *replacement)
{
  g_autoptr(GChecksum) checksum = g_checksum_new (TAU_CONTENT_CHECKSUM);

  for (guint i = 0; i < replacement->n_pieces; i++)
    g_checksum_update (checksum, replacement->pieces[i].data, (gssize) replacement->pieces[i].length);
  return g_strdup (g_checksum_get_string (checksum));
}

/* A change without the way back is still what was asked for; that there is none is said. */
static void
keep (const TauFileReplacement *replacement,
      TauCheckpoints           *checkpoints,
      const char               *after,
      GString                  *notes)
{
  TauFileChange change = { replacement->call_id, replacement->path, replacement->before, replacement->data,
                           replacement->length, 0644, after };
  g_autoptr(GError) error = NULL;
  struct stat status;

  if (stat (replacement->path, &status) == 0)
    change.mode = status.st_mode & 07777;
  if (!tau_checkpoints_note (checkpoints, &change, &error))
    g_string_append_printf (notes, "\n[The content before this change could not be kept for undo: %s.]", error->message);
}

/**
 * tau_file_replace:
 * @replacement: what is to be changed
 * @record: what the model knows of files
 * @checkpoints: (nullable): keeps what files were
 * @notes: gets a line of its own for whatever the model should know
 * @error: return location for a %TAU_TOOL_ERROR_FAILED
 *
 * Replaces a file's content, or makes the file in a folder that is there.
 *
 * Returns: whether it was done; if not, the old content is still there
 */
gboolean
tau_file_replace (const TauFileReplacement *replacement,
                  TauFileRecord            *record,
                  TauCheckpoints           *checkpoints,
                  GString                  *notes,
                  GError                  **error)
{
  g_autofree char *after = digest_of (replacement);
  TauIoReport report;

  if (checkpoints != NULL)
    keep (replacement, checkpoints, after, notes);

  if (!tau_io_replace (replacement->path, replacement->pieces, replacement->n_pieces, 0666, &report))
    {
      if (report.code == TAU_IO_NOT_REGULAR)
        g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", replacement->path);
      else
        tau_file_error_set (error, report.code, report.operation, replacement->path);
      return FALSE;
    }

  if (report.n_names > 1)
    g_string_append_printf (notes, "\n[This file has %u names (hard links). It was written in place, so all of them show the change.]",
                            report.n_names);
  /* After a drift the model still knows an older text: only a read can end that. */
  if (!replacement->drifted)
    tau_file_record_note (record, replacement->path, after);
  return TRUE;
}
