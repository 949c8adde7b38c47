/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/tau-file-arguments.h"

#include "core/base/tau-paths.h"
#include "core/base/tau-text.h"
#include "core/message/tau-block.h"
#include "core/tool/tau-image-fit.h"

#include <glib/gi18n.h>

#include <errno.h>
#include <unistd.h>

/* Far more than a model reads. What is longer is a mistake, or a device that never ends. */
#define LONGEST_FILE (64 * 1024 * 1024)

/* What a picture becomes in the prompt is fixed by pi: a tag with the note on its size, if any. */
static void
append_image (GString      *text,
              GPtrArray    *images,
              const char   *path,
              const guint8 *bytes,
              gsize         length,
              const char   *mime_type,
              gboolean      resize)
{
  g_autoptr(TauFittedImage) fitted = resize ? tau_image_fit (bytes, length, mime_type) : NULL;
  g_autofree char *whole = fitted == NULL ? g_base64_encode (bytes, length) : NULL;
  const char *data = fitted != NULL ? fitted->data : whole;
  const char *note = "";

  if (data == NULL)
    note = "[Image omitted: could not be resized below the inline image size limit.]";
  else if (fitted != NULL && fitted->note != NULL)
    note = fitted->note;

  if (data != NULL)
    g_ptr_array_add (images, tau_block_new_image (data, fitted != NULL ? fitted->mime_type : mime_type));
  g_string_append_printf (text, "<file name=\"%s\">%s</file>\n", path, note);
}

/* A pipe is read like a file: the shell makes one of `@<(git diff)`. */
static guint8 *
load (const char *path,
      gsize      *length,
      GError    **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree guint8 *bytes = NULL;

  if (stream == NULL)
    return NULL;
  bytes = g_malloc (LONGEST_FILE + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), bytes, LONGEST_FILE + 1, length, NULL, error))
    return NULL;
  if (*length > LONGEST_FILE)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("“%s” is longer than %d MB"), path, LONGEST_FILE / 1024 / 1024);
      return NULL;
    }

  return g_realloc (g_steal_pointer (&bytes), *length + 1);
}

static gboolean
read_file (const char *path,
           gboolean    resize_images,
           GString    *text,
           GPtrArray  *images,
           GError    **error)
{
  g_autofree guint8 *contents = NULL;
  g_autofree char *valid = NULL;
  const char *mime_type;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Error: File not found: %s"), path);
      return FALSE;
    }
  contents = load (path, &length, error);
  if (contents == NULL)
    {
      g_prefix_error (error, "%s ", _("Error: Could not read a file:"));
      return FALSE;
    }
  if (length == 0)
    return TRUE;

  mime_type = tau_image_sniff_type (contents, length);
  if (mime_type != NULL)
    {
      append_image (text, images, path, contents, length, mime_type, resize_images);
      return TRUE;
    }

  valid = tau_text_make_valid ((const char *) contents, (gssize) length);
  g_string_append_printf (text, "<file name=\"%s\">\n%s\n</file>\n", path, valid);

  return TRUE;
}

/**
 * tau_file_arguments_read:
 * @files: (nullable) (array zero-terminated=1): names after `@` on the command line
 * @cwd: folder that they are relative to
 * @resize_images: whether large pictures are made smaller
 * @text: the contents are appended, each in a tag with its absolute path
 * @images: (element-type TauBlock): pictures are appended
 * @error: return location for an error that names the file
 *
 * Reads the files that go before the first message. Empty ones are skipped.
 *
 * Returns: whether all could be read
 */
gboolean
tau_file_arguments_read (const char * const *files,
                         const char         *cwd,
                         gboolean            resize_images,
                         GString            *text,
                         GPtrArray          *images,
                         GError            **error)
{
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autofree char *path = tau_paths_resolve_existing (cwd, files[i]);

      if (!read_file (path, resize_images, text, images, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * tau_file_arguments_stdin:
 *
 * Reads standard input to its end, unless it is a terminal.
 *
 * Returns: (transfer full): what was read, made valid UTF-8 and trimmed
 */
char *
tau_file_arguments_stdin (void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autofree char *valid = NULL;
  guint8 buffer[65536];
  gssize got;

  if (isatty (STDIN_FILENO))
    return g_strdup ("");

  while ((got = read (STDIN_FILENO, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
    if (got > 0)
      g_byte_array_append (bytes, buffer, (guint) got);

  g_byte_array_append (bytes, (const guint8 *) "", 1);
  valid = tau_text_make_valid ((const char *) bytes->data, (gssize) bytes->len - 1);

  return tau_text_trim (valid);
}
