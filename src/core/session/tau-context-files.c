/* SPDX-License-Identifier: MIT */
#include "core/session/tau-context-files.h"

#include "core/base/tau-text.h"

/* Standing instructions for the model: the global ones first, then from the root of the file system down to the folder
 * of work, so that what is nearest is read last. Of each folder only the first name counts. */

static const char * const names[] = { "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD" };

static void
context_file_free (gpointer data)
{
  TauContextFile *self = data;

  g_free (self->path);
  g_free (self->text);
  g_free (self);
}

static gboolean
has_path (GPtrArray  *files,
          const char *path)
{
  for (guint i = 0; i < files->len; i++)
    if (g_str_equal (((TauContextFile *) g_ptr_array_index (files, i))->path, path))
      return TRUE;
  return FALSE;
}

static void
add_from_folder (GPtrArray  *files,
                 const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autofree char *contents = NULL;
      TauContextFile *file;
      gsize length;

      if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &contents, &length, NULL))
        continue;
      if (has_path (files, path))
        return;
      file = g_new0 (TauContextFile, 1);
      file->path = g_steal_pointer (&path);
      file->text = tau_text_make_valid (contents, (gssize) length);
      g_ptr_array_add (files, file);
      return;
    }
}

static void
add_ancestors (GPtrArray  *files,
               const char *folder)
{
  g_autofree char *parent = g_path_get_dirname (folder);

  if (!g_str_equal (parent, folder))
    add_ancestors (files, parent);
  add_from_folder (files, folder);
}

/**
 * tau_context_files_load:
 * @agent_dir: pi's folder
 * @cwd: folder of work, absolute
 *
 * Reads the instructions that count in a folder. Blocking; a few small files.
 *
 * Returns: (transfer full) (element-type TauContextFile): in the order of the prompt
 */
GPtrArray *
tau_context_files_load (const char *agent_dir,
                        const char *cwd)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (context_file_free);

  add_from_folder (files, agent_dir);
  add_ancestors (files, cwd);
  return files;
}
