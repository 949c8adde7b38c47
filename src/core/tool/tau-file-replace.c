/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-replace.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-file-error.h"

/* tau_io_replace() in the words that models know. */

/**
 * tau_file_replace:
 * @path: absolute path; a link is followed
 * @pieces: (array length=n_pieces): the new content, one after another
 * @n_pieces: how many
 * @notes: gets a line of its own for what the model should know of the file
 * @error: return location for a %TAU_TOOL_ERROR_FAILED
 *
 * Replaces a file's content, or makes the file in a folder that is there.
 *
 * Returns: whether it was done; if not, the old content is still there
 */
gboolean
tau_file_replace (const char        *path,
                  const TauIoPiece  *pieces,
                  guint              n_pieces,
                  GString           *notes,
                  GError           **error)
{
  TauIoReport report;

  if (tau_io_replace (path, pieces, n_pieces, 0666, &report))
    {
      if (report.n_names > 1)
        g_string_append_printf (notes, "\n[This file has %u names (hard links). It was written in place, so all of them show the change.]",
                                report.n_names);
      return TRUE;
    }

  if (report.code == TAU_IO_NOT_REGULAR)
    g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", path);
  else
    tau_file_error_set (error, report.code, report.operation, path);
  return FALSE;
}
