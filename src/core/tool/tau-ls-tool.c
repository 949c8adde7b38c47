/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-ls-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-listing.h"

#include <string.h>

/* The ls tool: the names in one folder. Their order is that of a dictionary in any locale, so that two machines show
 * the same: signs, digits, letters; case and accents only decide between equal names. It is pi's, save for letters
 * beyond Latin ones, which follow their code points. */

#define DEFAULT_LIMIT 500

static const char description[] =
  "List a folder: hidden names too, folders with a slash at the end, in alphabetical order, at most 500 names or 50KB.";

static const char parameters[] =
  "{\"type\":\"object\",\"properties\":{"
  "\"path\":{\"type\":\"string\",\"description\":\"Folder to list; the working directory if left out\"},"
  "\"limit\":{\"type\":\"number\",\"description\":\"How many names to show at most\"}},\"required\":[]}";

typedef struct
{
  char *path;
  gint64 limit;
} LsJob;

typedef struct
{
  char *name;
  char *base;    /* what is compared first: letters without case and accents */
  char *accents; /* what is compared then */
} Entry;

static void
ls_job_free (LsJob *job)
{
  g_free (job->path);
  g_free (job);
}

static void
entry_clear (gpointer data)
{
  Entry *entry = data;

  g_free (entry->name);
  g_free (entry->base);
  g_free (entry->accents);
}

/* Signs before digits before letters; the order of signs is that of the Unicode collation. */
static void
append_rank (GString *key,
             gunichar c)
{
  static const char signs[] = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
  const char *sign = c < 0x80 && c != 0 ? strchr (signs, (int) c) : NULL;

  if (sign != NULL)
    g_string_append_c (key, (char) (1 + (sign - signs)));
  else
    g_string_append_unichar (key, c);
}

static void
entry_init (Entry      *entry,
            const char *name)
{
  g_autofree char *valid = tau_text_make_valid (name, -1);
  g_autofree char *lower = g_utf8_strdown (valid, -1);
  g_autofree char *parts = g_utf8_normalize (lower, -1, G_NORMALIZE_NFD);
  g_autoptr(GString) base = g_string_new (NULL);
  g_autoptr(GString) accents = g_string_new (NULL);

  for (const char *p = parts; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_ismark (g_utf8_get_char (p)))
      g_string_append_unichar (accents, g_utf8_get_char (p));
    else
      append_rank (base, g_utf8_get_char (p));
  entry->name = g_strdup (name);
  entry->base = g_string_free (g_steal_pointer (&base), FALSE);
  entry->accents = g_string_free (g_steal_pointer (&accents), FALSE);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *entry_a = a, *entry_b = b;
  int order = strcmp (entry_a->base, entry_b->base);

  if (order == 0)
    order = strcmp (entry_a->accents, entry_b->accents);
  return order != 0 ? order : strcmp (entry_a->name, entry_b->name);
}

static GArray *
read_folder (const char  *path,
             GError     **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GDir) dir = NULL;
  GArray *entries;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Path not found: %s", path);
      return NULL;
    }
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a directory: %s", path);
      return NULL;
    }
  dir = g_dir_open (path, 0, &local_error);
  if (dir == NULL)
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Cannot read directory: %s", local_error->message);
      return NULL;
    }

  entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (entries, entry_clear);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      Entry entry;

      entry_init (&entry, name);
      g_array_append_val (entries, entry);
    }
  g_array_sort (entries, compare_entries);
  return entries;
}

static TauToolOutcome *
list (LsJob         *job,
      GCancellable  *cancellable,
      GError       **error)
{
  g_autoptr(GArray) entries = read_folder (job->path, error);
  g_auto(TauListing) listing = { 0 };
  gint64 n_rows = 0;

  if (entries == NULL)
    return NULL;

  tau_listing_init (&listing);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *name = g_array_index (entries, Entry, i).name;
      g_autofree char *full = g_build_filename (job->path, name, NULL);

      /* Each name may ask a disk far away. */
      if (g_cancellable_is_cancelled (cancellable))
        {
          g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_ABORTED, "Operation aborted");
          return NULL;
        }
      if (n_rows == job->limit)
        {
          tau_listing_add_notice (&listing, "%" G_GINT64_FORMAT " entries limit reached. Use limit=%" G_GINT64_FORMAT " for more",
                                  job->limit, 2 * job->limit);
          json_object_set_int_member (listing.details, "entryLimitReached", job->limit);
          break;
        }
      /* A link to nothing is not shown. */
      if (!g_file_test (full, G_FILE_TEST_EXISTS))
        continue;
      tau_listing_add_row (&listing, "%s%s", name, g_file_test (full, G_FILE_TEST_IS_DIR) ? "/" : "");
      n_rows++;
    }
  if (n_rows == 0)
    return tau_tool_outcome_new_text ("(empty directory)", NULL);
  tau_listing_cut (&listing);
  return tau_listing_make (&listing);
}

static void
list_in_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  TauToolOutcome *outcome = list (task_data, cancellable, &error);

  tau_builtin_tool_return_outcome (task, outcome, error);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  g_autoptr(GTask) owned = task;
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  LsJob *job = g_new0 (LsJob, 1);

  job->path = tau_paths_resolve (tau_tool_context_get_cwd (context), tau_json_get_string (arguments, "path", "."));
  job->limit = (gint64) CLAMP (tau_json_get_double (arguments, "limit", DEFAULT_LIMIT), 1, 1e9);
  g_task_set_task_data (task, job, (GDestroyNotify) ls_job_free);
  tau_task_run_in_thread (task, list_in_thread);
}

static const TauBuiltinToolInfo info = {
  .name = "ls",
  .label = "List",
  .description = description,
  .parameters = parameters,
  .snippet = "List a folder",
  .execute = execute,
};

/**
 * tau_ls_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the ls tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_ls_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
