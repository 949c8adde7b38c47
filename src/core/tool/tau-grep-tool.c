/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-grep-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-listing.h"
#include "core/tool/tau-ripgrep.h"

#include <string.h>

/* The grep tool: ripgrep's matches as rows. It runs in the searched folder, so that globs are relative to it, in the
 * order of paths, so that two searches give the same, and leaves `.git` out. Rows and notices are pi's. */

#define DEFAULT_LIMIT 100
/* Rows beyond what a result may hold are only counted; this many bytes of them are enough. */
#define MAX_ROWS_BYTES ((gsize) 4 * 1024 * 1024)
/* UTF-16 units, as pi counts. */
#define MAX_LINE_UNITS 500

static const char description[] =
  "Search the contents of files for a regular expression or a fixed text. Each match comes as path:line: text, at most 100 matches or "
  "50KB; long lines are cut. Files that .gitignore names are left out.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"pattern\"],\"properties\":{"
  "\"pattern\":{\"type\":\"string\",\"description\":\"Regular expression, or fixed text with literal\"},"
  "\"path\":{\"type\":\"string\",\"description\":\"Folder or file to search; the working directory if left out\"},"
  "\"glob\":{\"type\":\"string\",\"description\":\"Only files whose path in that folder matches, such as *.c or src/**/*.h\"},"
  "\"ignoreCase\":{\"type\":\"boolean\",\"description\":\"Take upper and lower case for the same\"},"
  "\"literal\":{\"type\":\"boolean\",\"description\":\"Take the pattern as fixed text\"},"
  "\"context\":{\"type\":\"number\",\"description\":\"Lines to show before and after each match\"},"
  "\"limit\":{\"type\":\"number\",\"description\":\"How many matches to show at most\"}}}";

typedef struct
{
  char *pattern;
  char *path;
  char *glob;
  gboolean ignore_case;
  gboolean literal;
  gint64 context;
  gint64 limit;

  char *folder; /* where ripgrep runs */
  TauListing listing;
  gint64 n_matches;
  gboolean lines_cut;
  char *lines_path; /* the file that @lines are of */
  GStrv lines;
} GrepJob;

static void
grep_job_free (GrepJob *job)
{
  g_free (job->pattern);
  g_free (job->path);
  g_free (job->glob);
  g_free (job->folder);
  g_free (job->lines_path);
  g_strfreev (job->lines);
  tau_listing_clear (&job->listing);
  g_free (job);
}

static char *
without_cr (const char *text,
            gsize       length)
{
  GString *out = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    if (text[i] != '\r')
      g_string_append_c (out, text[i]);
  return g_string_free (out, FALSE);
}

/* Cuts @text to MAX_LINE_UNITS; TRUE if something was lost. */
static gboolean
cut_line (char *text)
{
  gsize units = 0;
  char *p = text;

  while (*p != '\0')
    {
      units += g_utf8_get_char (p) > 0xffff ? 2 : 1;
      if (units > MAX_LINE_UNITS)
        {
          *p = '\0';
          return TRUE;
        }
      p = g_utf8_next_char (p);
    }
  return FALSE;
}

static void
add_row (GrepJob    *job,
         const char *path,
         gint64      number,
         gboolean    is_match,
         const char *line,
         gsize       length)
{
  g_autofree char *plain = without_cr (line, length);
  g_autofree char *text = tau_text_make_valid (plain, -1);
  const char sign = is_match ? ':' : '-';
  gboolean cut = cut_line (text);

  job->lines_cut |= cut;
  tau_listing_add_row (&job->listing, "%s%c%" G_GINT64_FORMAT "%c %s%s", path, sign, number, sign, text, cut ? "... [truncated]" : "");
}

/* A string of ripgrep's JSON: text, or base64 of what is not UTF-8. */
static char *
get_text (JsonNode   *node,
          const char *name,
          gsize      *length)
{
  g_autofree char *text_name = g_strconcat (name, ".text", NULL);
  g_autofree char *bytes_name = g_strconcat (name, ".bytes", NULL);
  const char *text = tau_json_get_string (node, text_name, NULL);
  const char *bytes = tau_json_get_string (node, bytes_name, NULL);
  char *decoded;

  if (text == NULL && bytes != NULL)
    {
      decoded = (char *) g_base64_decode (bytes, length);
      decoded = g_realloc (decoded, *length + 1);
      decoded[*length] = '\0';
      return decoded;
    }
  *length = text != NULL ? strlen (text) : 0;
  return g_strdup (text != NULL ? text : "");
}

static void
load_lines (GrepJob    *job,
            const char *path)
{
  g_autofree char *full = g_build_filename (job->folder, path, NULL);
  g_autofree char *contents = NULL;

  if (g_strcmp0 (job->lines_path, path) == 0)
    return;

  g_clear_pointer (&job->lines, g_strfreev);
  g_free (job->lines_path);
  job->lines_path = g_strdup (path);
  if (g_file_get_contents (full, &contents, NULL, NULL))
    job->lines = g_strsplit (contents, "\n", -1);
}

static void
add_block (GrepJob    *job,
           const char *path,
           gint64      number)
{
  gint64 n_lines;

  load_lines (job, path);
  if (job->lines == NULL)
    {
      tau_listing_add_row (&job->listing, "%s:%" G_GINT64_FORMAT ": (unable to read file)", path, number);
      return;
    }
  n_lines = g_strv_length (job->lines);
  for (gint64 i = MAX (1, number - job->context); i <= MIN (n_lines, number + job->context); i++)
    add_row (job, path, i, i == number, job->lines[i - 1], strlen (job->lines[i - 1]));
}

static gboolean
take_line (const char *line,
           gsize       length,
           gpointer    user_data)
{
  GrepJob *job = user_data;
  g_autoptr(JsonNode) event = tau_json_parse (line, length, NULL);
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  gsize path_length, text_length;
  const char *relative;
  gint64 number;

  if (g_strcmp0 (tau_json_get_string (event, "type", NULL), "match") != 0)
    return TRUE;

  path = get_text (event, "data.path", &path_length);
  relative = g_str_has_prefix (path, "./") ? path + 2 : path;
  number = tau_json_get_int (event, "data.line_number", 0);
  if (job->context > 0)
    add_block (job, relative, number);
  else
    {
      text = get_text (event, "data.lines", &text_length);
      if (text_length > 0 && text[text_length - 1] == '\n')
        text_length--;
      add_row (job, relative, number, TRUE, text, text_length);
    }
  return ++job->n_matches < job->limit && job->listing.rows->len < MAX_ROWS_BYTES;
}

static TauToolOutcome *
search (GrepJob       *job,
        GCancellable  *cancellable,
        GError       **error)
{
  gboolean is_folder = g_file_test (job->path, G_FILE_TEST_IS_DIR);
  g_autofree char *name = g_path_get_basename (job->path);
  g_autofree char *target = is_folder ? g_strdup ("./") : g_strconcat ("./", name, NULL);
  g_autoptr(GPtrArray) arguments = g_ptr_array_new ();

  if (!is_folder && !g_file_test (job->path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Path not found: %s", job->path);
      return NULL;
    }
  /* ripgrep would wait for somebody to write into a pipe, and read a device for ever. */
  if (!is_folder && !g_file_test (job->path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", job->path);
      return NULL;
    }

#define add(argument) g_ptr_array_add (arguments, (char *) (argument))
  job->folder = is_folder ? g_strdup (job->path) : g_path_get_dirname (job->path);
  add ("--json");
  add ("--line-number");
  add ("--color=never");
  add ("--sort=path");
  if (job->ignore_case)
    add ("--ignore-case");
  if (job->literal)
    add ("--fixed-strings");
  if (job->glob != NULL)
    {
      add ("--glob");
      add (job->glob);
    }
  add ("--glob=!.git");
  add ("--");
  add (job->pattern);
  add (target);
  add (NULL);
#undef add
  if (!tau_ripgrep_run ((const char * const *) arguments->pdata, job->folder, '\n', take_line, job, cancellable, error))
    return NULL;
  if (job->n_matches == 0)
    return tau_tool_outcome_new_text ("No matches found", NULL);

  if (job->n_matches >= job->limit)
    {
      tau_listing_add_notice (&job->listing, "%" G_GINT64_FORMAT " matches limit reached. Use limit=%" G_GINT64_FORMAT " for more, or refine pattern",
                              job->limit, 2 * job->limit);
      json_object_set_int_member (job->listing.details, "matchLimitReached", job->limit);
    }
  tau_listing_cut (&job->listing);
  if (job->lines_cut)
    {
      tau_listing_add_notice (&job->listing, "Some lines truncated to %d chars. Use read tool to see full lines", MAX_LINE_UNITS);
      json_object_set_boolean_member (job->listing.details, "linesTruncated", TRUE);
    }
  return tau_listing_make (&job->listing);
}

static void
search_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      task_data,
                  GCancellable *cancellable)
{
  GError *error = NULL;
  TauToolOutcome *outcome = search (task_data, cancellable, &error);

  tau_builtin_tool_return_outcome (task, outcome, error);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  g_autoptr(GTask) owned = task;
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  GrepJob *job = g_new0 (GrepJob, 1);

  tau_listing_init (&job->listing);
  job->pattern = g_strdup (tau_json_get_string (arguments, "pattern", ""));
  job->path = tau_paths_resolve (tau_tool_context_get_cwd (context), tau_json_get_string (arguments, "path", "."));
  job->glob = g_strdup (tau_json_get_string (arguments, "glob", NULL));
  job->ignore_case = tau_json_get_bool (arguments, "ignoreCase", FALSE);
  job->literal = tau_json_get_bool (arguments, "literal", FALSE);
  job->context = (gint64) CLAMP (tau_json_get_double (arguments, "context", 0), 0, 1e6);
  job->limit = (gint64) CLAMP (tau_json_get_double (arguments, "limit", DEFAULT_LIMIT), 1, 1e9);
  g_task_set_task_data (task, job, (GDestroyNotify) grep_job_free);
  tau_task_run_in_thread (task, search_in_thread);
}

static const TauBuiltinToolInfo info = {
  .name = "grep",
  .label = "Search",
  .description = description,
  .parameters = parameters,
  .snippet = "Search in files by pattern (leaves out what .gitignore names)",
  .execute = execute,
};

/**
 * tau_grep_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the grep tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_grep_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
