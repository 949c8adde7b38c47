/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-find-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-glob.h"
#include "core/tool/tau-listing.h"
#include "core/tool/tau-ripgrep.h"

#include <string.h>

/* The find tool: files and folders by glob. ripgrep lists the files, since it knows what is ignored; the folders are
 * those on the way to them. Sorted, `.git` left out. Patterns and notices are pi's. */

#define DEFAULT_LIMIT 1000

static const char description[] =
  "Find files and folders by a glob pattern. Paths come relative to the searched folder, folders with a slash at the end, at most 1000 or "
  "50KB. What .gitignore names is left out.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"pattern\"],\"properties\":{"
  "\"pattern\":{\"type\":\"string\",\"description\":\"Glob such as *.c, **/*.json or src/**/test-*.c\"},"
  "\"path\":{\"type\":\"string\",\"description\":\"Folder to search; the working directory if left out\"},"
  "\"limit\":{\"type\":\"number\",\"description\":\"How many paths to show at most\"}}}";

typedef struct
{
  char *pattern;
  char *path;
  gint64 limit;

  GRegex *regex;
  gboolean whole_path; /* the pattern speaks of folders */
  gboolean absolute;   /* and of all from the root on */
  GHashTable *folders; /* those seen */
  GPtrArray *found;
} FindJob;

static void
find_job_free (FindJob *job)
{
  g_free (job->pattern);
  g_free (job->path);
  g_clear_pointer (&job->regex, g_regex_unref);
  g_hash_table_unref (job->folders);
  g_ptr_array_unref (job->found);
  g_free (job);
}

static gboolean
matches (FindJob    *job,
         const char *relative)
{
  const char *slash = strrchr (relative, '/');
  g_autofree char *subject = NULL;
  g_autofree char *valid = NULL;

  if (job->absolute)
    subject = g_build_filename (job->path, relative, NULL);
  else
    subject = g_strdup (job->whole_path || slash == NULL ? relative : slash + 1);
  valid = tau_text_make_valid (subject, -1);
  return g_regex_match (job->regex, valid, 0, NULL);
}

/* Looks at the folders on the way to a file, from the file's up to one that was seen. */
static void
take_folders (FindJob    *job,
              const char *path)
{
  const char *slash = strrchr (path, '/');

  while (slash != NULL)
    {
      g_autofree char *folder = g_strndup (path, slash - path);

      if (g_hash_table_contains (job->folders, folder))
        return;
      if (matches (job, folder))
        g_ptr_array_add (job->found, g_strconcat (folder, "/", NULL));
      g_hash_table_add (job->folders, g_strdup (folder));
      slash = memrchr (path, '/', slash - path);
    }
}

static gboolean
take_file (const char *line,
           gsize       length,
           gpointer    user_data)
{
  FindJob *job = user_data;
  g_autofree char *path = g_strndup (line, length);

  if (matches (job, path))
    g_ptr_array_add (job->found, g_strdup (path));
  take_folders (job, path);
  return TRUE;
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static TauToolOutcome *
make_outcome (FindJob *job)
{
  g_auto(TauListing) listing = { 0 };

  if (job->found->len == 0)
    return tau_tool_outcome_new_text ("No files found matching pattern", NULL);

  tau_listing_init (&listing);
  g_ptr_array_sort (job->found, compare_paths);
  for (guint i = 0; i < MIN (job->found->len, job->limit); i++)
    tau_listing_add_row (&listing, "%s", (const char *) g_ptr_array_index (job->found, i));
  if (job->found->len >= job->limit)
    {
      tau_listing_add_notice (&listing, "%" G_GINT64_FORMAT " results limit reached. Use limit=%" G_GINT64_FORMAT " for more, or refine pattern",
                              job->limit, 2 * job->limit);
      json_object_set_int_member (listing.details, "resultLimitReached", job->limit);
    }
  tau_listing_cut (&listing);
  return tau_listing_make (&listing);
}

/* A pattern with a slash speaks of paths, below any folder unless it begins at the root. */
static gboolean
compile (FindJob  *job,
         GError  **error)
{
  g_autofree char *glob = NULL;

  job->whole_path = strchr (job->pattern, '/') != NULL;
  job->absolute = g_path_is_absolute (job->pattern);
  if (!job->whole_path || job->absolute || g_str_has_prefix (job->pattern, "**/"))
    glob = g_strdup (job->pattern);
  else
    glob = g_strconcat ("**/", job->pattern, NULL);
  job->regex = tau_glob_compile (glob, error);
  return job->regex != NULL;
}

static TauToolOutcome *
find_files (FindJob       *job,
            GCancellable  *cancellable,
            GError       **error)
{
  static const char *const arguments[] = { "--files", "--no-require-git", "--color=never", "--null", "--glob=!.git", NULL };

  if (!g_file_test (job->path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Path not found: %s", job->path);
      return NULL;
    }
  if (!g_file_test (job->path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a directory: %s", job->path);
      return NULL;
    }
  if (!compile (job, error) || !tau_ripgrep_run (arguments, job->path, '\0', take_file, job, cancellable, error))
    return NULL;
  return make_outcome (job);
}

static void
find_in_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  TauToolOutcome *outcome = find_files (task_data, cancellable, &error);

  tau_builtin_tool_return_outcome (task, outcome, error);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  g_autoptr(GTask) owned = task;
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  FindJob *job = g_new0 (FindJob, 1);

  job->pattern = tau_text_make_valid (tau_json_get_string (arguments, "pattern", ""), -1);
  job->path = tau_paths_resolve (tau_tool_context_get_cwd (context), tau_json_get_string (arguments, "path", "."));
  job->limit = (gint64) CLAMP (tau_json_get_double (arguments, "limit", DEFAULT_LIMIT), 1, 1e9);
  job->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  job->found = g_ptr_array_new_with_free_func (g_free);
  g_task_set_task_data (task, job, (GDestroyNotify) find_job_free);
  tau_task_run_in_thread (task, find_in_thread);
}

static const TauBuiltinToolInfo info = {
  .name = "find",
  .label = "Find",
  .description = description,
  .parameters = parameters,
  .snippet = "Find files by glob pattern (leaves out what .gitignore names)",
  .execute = execute,
};

/**
 * tau_find_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the find tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_find_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
