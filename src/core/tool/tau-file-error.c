/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-error.h"

#include "core/base/tau-error.h"

#include <errno.h>
#include <string.h>

/* Errors of the system in the words that models know from pi's runtime: `ENOENT: no such file or directory, open 'P'`. */

static const struct
{
  int number;
  const char *text;
} texts[] = {
  { ENOENT, "no such file or directory" },
  { EACCES, "permission denied" },
  { EPERM, "operation not permitted" },
  { EISDIR, "illegal operation on a directory" },
  { ENOTDIR, "not a directory" },
  { EEXIST, "file already exists" },
  { ENOSPC, "no space left on device" },
  { EROFS, "read-only file system" },
  { ELOOP, "too many symbolic links encountered" },
  { ENAMETOOLONG, "name too long" },
  { EMFILE, "too many open files" },
  { ETXTBSY, "text file is busy" },
  { EIO, "i/o error" },
  { EAGAIN, "resource temporarily unavailable" },
};

/**
 * tau_file_error_get_code:
 * @error_number: an errno value
 *
 * Returns: (transfer none): its symbolic name, "ENOENT"
 */
const char *
tau_file_error_get_code (int error_number)
{
  const char *name = strerrorname_np (error_number);

  return name != NULL ? name : "UNKNOWN";
}

/**
 * tau_file_error_set:
 * @error: (out) (nullable): return location
 * @error_number: an errno value
 * @operation: the system call, "open"
 * @path: the file
 *
 * Makes a %TAU_TOOL_ERROR_FAILED that names the error, the operation and the file.
 */
void
tau_file_error_set (GError    **error,
                    int         error_number,
                    const char *operation,
                    const char *path)
{
  const char *text = g_strerror (error_number);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i].number == error_number)
      text = texts[i].text;
  g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "%s: %s, %s '%s'",
               tau_file_error_get_code (error_number), text, operation, path);
}
