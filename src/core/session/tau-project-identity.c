/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-project-identity.h"

#include "core/base/tau-task.h"
#include <string.h>

/* What a project is apart from its path, so that it is known again when its folder was moved: where it is fetched from,
 * else its first commit, and the place inside the repository. Read from .git itself; git is run only for a repository
 * without a remote whose log does not reach back to the first commit. */
#define MAX_TEXT (1024 * 1024)

/* The repository's folder (.git) for @folder, and where @folder lies below its root. */
static char *
find_repository (const char *folder,
                 char      **inside)
{
  g_autofree char *directory = g_strdup (folder);

  while (TRUE)
    {
      g_autofree char *git = g_build_filename (directory, ".git", NULL);
      char *parent;

      if (g_file_test (git, G_FILE_TEST_EXISTS))
        {
          *inside = g_strdup (folder + strlen (directory));
          return g_steal_pointer (&git);
        }
      parent = g_path_get_dirname (directory);
      if (g_str_equal (parent, directory))
        {
          g_free (parent);
          return NULL;
        }
      g_free (directory);
      directory = parent;
    }
}

static char *
read_text (const char *folder,
           const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInputStream) stream = g_file_read (file, NULL, NULL);
  char *text = g_malloc (MAX_TEXT + 1);
  gsize length = 0;

  if (stream != NULL)
    g_input_stream_read_all (G_INPUT_STREAM (stream), text, MAX_TEXT, &length, NULL, NULL);
  text[length] = '\0';
  return text;
}

static char *
resolve (const char *base,
         const char *path)
{
  return g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (base, path, NULL);
}

/* A worktree or submodule has a file that names the folder, and that one may name a common one. */
static char *
follow_links (char *git)
{
  g_autofree char *own = git;
  g_autofree char *common = NULL;

  if (!g_file_test (own, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *base = g_path_get_dirname (own);
      g_autofree char *name = g_path_get_basename (own);
      g_autofree char *text = read_text (base, name);

      if (!g_str_has_prefix (text, "gitdir: "))
        return NULL;
      g_free (own);
      own = resolve (base, g_strstrip (text + strlen ("gitdir: ")));
    }
  common = g_strstrip (read_text (own, "commondir"));
  return *common != '\0' ? resolve (own, common) : g_steal_pointer (&own);
}

/* Without the name and password that an address may hold, and without the ending that it may have. */
static char *
clean_address (const char *address)
{
  const char *scheme = strstr (address, "://");
  const char *host = scheme != NULL ? scheme + strlen ("://") : address;
  const char *slash = strchr (host, '/');
  const char *at = memchr (host, '@', slash != NULL ? (gsize) (slash - host) : strlen (host));
  char *clean = scheme != NULL && at != NULL ? g_strdup (at + 1) : g_strdup (host);

  if (g_str_has_suffix (clean, ".git"))
    clean[strlen (clean) - strlen (".git")] = '\0';
  return clean;
}

static char *
find_remote (const char *git)
{
  g_autofree char *config = read_text (git, "config");
  g_auto(GStrv) lines = g_strsplit (config, "\n", -1);
  gboolean in_origin = FALSE;

  for (char **line = lines; *line != NULL; line++)
    {
      const char *text = g_strstrip (*line);
      const char *equals = strchr (text, '=');

      if (*text == '[')
        in_origin = g_str_equal (text, "[remote \"origin\"]");
      else if (in_origin && g_str_has_prefix (text, "url") && equals != NULL)
        return clean_address (g_strchug ((char *) equals + 1));
    }
  return NULL;
}

/* "0000… 1a2b… Name <mail> time zone TAB commit (initial): message" is the log's first line in a repository made here. */
static char *
find_first_in_log (const char *git)
{
  g_autofree char *log = read_text (git, "logs/HEAD");
  char *end = strchr (log, '\n');
  g_auto(GStrv) words = NULL;

  if (end != NULL)
    *end = '\0';
  if (strstr (log, "\tcommit (initial)") == NULL)
    return NULL;
  words = g_strsplit (log, " ", 3);
  return g_strv_length (words) == 3 ? g_strdup (words[1]) : NULL;
}

static char *
ask_git (const char *folder)
{
  g_autoptr(GSubprocess) git = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL,
                                                 "git", "-C", folder, "rev-list", "--max-parents=0", "HEAD", NULL);
  g_autofree char *output = NULL;

  if (git == NULL || !g_subprocess_communicate_utf8 (git, NULL, NULL, &output, NULL, NULL) || !g_subprocess_get_successful (git))
    return NULL;
  g_strstrip (output);
  return *output != '\0' ? g_strdup (strrchr (output, '\n') != NULL ? strrchr (output, '\n') + 1 : output) : NULL;
}

/**
 * tau_project_identity_read:
 * @folder: absolute path
 *
 * Finds out which project is in a folder. Blocks.
 *
 * Returns: (transfer full) (nullable): text that is the same for the same project, or %NULL if it is in no repository
 */
char *
tau_project_identity_read (const char *folder)
{
  g_autofree char *inside = NULL;
  g_autofree char *git = find_repository (folder, &inside);
  g_autofree char *remote = NULL;
  g_autofree char *first = NULL;

  if (git != NULL)
    git = follow_links (g_steal_pointer (&git));
  if (git == NULL)
    return NULL;
  remote = find_remote (git);
  if (remote != NULL)
    return g_strdup_printf ("remote %s%s", remote, inside);
  first = find_first_in_log (git);
  if (first == NULL)
    first = ask_git (folder);
  return first != NULL ? g_strdup_printf ("commit %s%s", first, inside) : NULL;
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_task_return_pointer (task, tau_project_identity_read (task_data), g_free);
}

/**
 * tau_project_identity_read_async:
 * @folder: absolute path
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_project_identity_read() does.
 */
void
tau_project_identity_read_async (const char          *folder,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, tau_project_identity_read_async);
  g_task_set_task_data (task, g_strdup (folder), g_free);
  tau_task_run_in_thread (task, read_thread);
}

/**
 * tau_project_identity_read_finish:
 * @result: what the callback got
 *
 * Returns: (transfer full) (nullable): as tau_project_identity_read()
 */
char *
tau_project_identity_read_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
