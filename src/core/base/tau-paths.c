/* SPDX-License-Identifier: MIT */
#include "core/base/tau-paths.h"

#include <string.h>

/* Where files are: the places of Tau, and what a model or a person means by a path. All is lexical but
 * tau_paths_resolve_existing(), which asks the disk. Paths are bytes; none has to be UTF-8. */

static const char *
home_dir (void)
{
  const char *home = g_getenv ("HOME");

  return home != NULL && *home != '\0' ? home : g_get_home_dir ();
}

/**
 * tau_paths_expand_home:
 * @path: a path
 *
 * Replaces a leading "~" or "~/" by the home directory. "~name" is left alone.
 *
 * Returns: (transfer full): the path
 */
char *
tau_paths_expand_home (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  if (path[0] == '~' && (path[1] == '/' || path[1] == '\0'))
    return g_strconcat (home_dir (), path + 1, NULL);
  return g_strdup (path);
}

static char *
dir_from_environment (const char *variable)
{
  const char *value = g_getenv (variable);

  return value != NULL && *value != '\0' ? tau_paths_expand_home (value) : NULL;
}

/**
 * tau_paths_agent_dir:
 *
 * The directory of settings, credentials and sessions, shared with pi: `$TAU_AGENT_DIR`, else
 * `$PI_CODING_AGENT_DIR`, else `~/.pi/agent`.
 *
 * Returns: (transfer full): its path; it need not exist
 */
char *
tau_paths_agent_dir (void)
{
  char *dir = dir_from_environment ("TAU_AGENT_DIR");

  if (dir == NULL)
    dir = dir_from_environment ("PI_CODING_AGENT_DIR");
  return dir != NULL ? dir : g_build_filename (home_dir (), ".pi", "agent", NULL);
}

/* A place of the XDG base directory specification, which wants relative values ignored. */
static char *
xdg_dir (const char *variable,
         const char *below_home)
{
  const char *value = g_getenv (variable);

  if (value != NULL && g_path_is_absolute (value))
    return g_build_filename (value, "tau", NULL);
  return g_build_filename (home_dir (), below_home, "tau", NULL);
}

/**
 * tau_paths_cache_dir:
 *
 * Returns: (transfer full): where Tau keeps what it can make again; it need not exist
 */
char *
tau_paths_cache_dir (void)
{
  return xdg_dir ("XDG_CACHE_HOME", ".cache");
}

/**
 * tau_paths_data_dir:
 *
 * Returns: (transfer full): where Tau keeps data of its own; it need not exist
 */
char *
tau_paths_data_dir (void)
{
  return xdg_dir ("XDG_DATA_HOME", ".local/share");
}

/**
 * tau_paths_state_dir:
 *
 * Returns: (transfer full): where Tau keeps logs, history and the like; it need not exist
 */
char *
tau_paths_state_dir (void)
{
  return xdg_dir ("XDG_STATE_HOME", ".local/state");
}

/* Removes empty parts, "." and ".." from an absolute path. */
static char *
remove_dots (const char *path)
{
  g_auto(GStrv) parts = g_strsplit (path, "/", -1);
  GString *out = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (g_str_equal (parts[i], "") || g_str_equal (parts[i], "."))
        continue;
      if (!g_str_equal (parts[i], ".."))
        g_string_append_printf (out, "/%s", parts[i]);
      else if (out->len > 0)
        g_string_truncate (out, (gsize) (strrchr (out->str, '/') - out->str));
    }
  if (out->len == 0)
    g_string_append_c (out, '/');

  return g_string_free (out, FALSE);
}

/**
 * tau_paths_normalize:
 * @cwd: an absolute path
 * @path: a path, taken as it is
 *
 * Makes @path absolute, without "." and "..", double and trailing slashes, as node's path.resolve() does. Links are not
 * followed.
 *
 * Returns: (transfer full): the path
 */
char *
tau_paths_normalize (const char *cwd,
                     const char *path)
{
  g_autofree char *joined = NULL;

  g_return_val_if_fail (cwd != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  joined = g_path_is_absolute (path) ? g_strdup (path) : g_strconcat (cwd, "/", path, NULL);
  return remove_dots (joined);
}

/* Bytes of a Unicode space other than " " at @at, or 0. */
static gsize
wide_space_length (const char *at)
{
  static const char * const spaces[] = { "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80" };

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (g_str_has_prefix (at, spaces[i]))
      return strlen (spaces[i]);
  if (g_str_has_prefix (at, "\xe2\x80") && (guchar) at[2] >= 0x80 && (guchar) at[2] <= 0x8a)
    return 3;

  return 0;
}

static char *
plain_spaces (const char *path)
{
  GString *out = g_string_new (NULL);

  while (*path != '\0')
    {
      gsize length = wide_space_length (path);

      g_string_append_c (out, length > 0 ? ' ' : *path);
      path += MAX (length, 1);
    }

  return g_string_free (out, FALSE);
}

/**
 * tau_paths_resolve:
 * @cwd: the directory that relative paths start from
 * @path: a path as a model or a person wrote it
 *
 * Finds out which file is meant: without one leading "@", with plain spaces for Unicode's, with the home directory for "~",
 * absolute and normalised.
 *
 * Returns: (transfer full): an absolute path
 */
char *
tau_paths_resolve (const char *cwd,
                   const char *path)
{
  g_autofree char *spaced = NULL;
  g_autofree char *expanded = NULL;

  g_return_val_if_fail (cwd != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  spaced = plain_spaces (path[0] == '@' ? path + 1 : path);
  expanded = tau_paths_expand_home (spaced);
  return tau_paths_normalize (cwd, expanded);
}

/* macOS names its screenshots with U+202F before AM and PM. */
static char *
narrow_space_before_am_pm (const char *path)
{
  GString *out = g_string_new (NULL);

  for (; *path != '\0'; path++)
    if (g_ascii_strncasecmp (path, " AM.", 4) == 0 || g_ascii_strncasecmp (path, " PM.", 4) == 0)
      g_string_append (out, "\xe2\x80\xaf");
    else
      g_string_append_c (out, *path);

  return g_string_free (out, FALSE);
}

static char *
curly_quotes (const char *path)
{
  g_auto(GStrv) parts = g_strsplit (path, "'", -1);

  return g_strjoinv ("\xe2\x80\x99", parts);
}

/**
 * tau_paths_resolve_existing:
 * @cwd: the directory that relative paths start from
 * @path: a path as a model or a person wrote it
 *
 * Like tau_paths_resolve(), but if there is no such file, tries spellings that look the same: a narrow space before AM
 * or PM, decomposed accents, typographic apostrophes.
 *
 * Returns: (transfer full): an absolute path; that of tau_paths_resolve() if none exists
 */
char *
tau_paths_resolve_existing (const char *cwd,
                            const char *path)
{
  g_autofree char *resolved = tau_paths_resolve (cwd, path);
  g_autofree char *decomposed = g_utf8_normalize (resolved, -1, G_NORMALIZE_NFD);
  g_autofree char *narrow = narrow_space_before_am_pm (resolved);
  g_autofree char *curly = curly_quotes (resolved);
  g_autofree char *both = decomposed != NULL ? curly_quotes (decomposed) : NULL;
  const char *spellings[] = { resolved, narrow, decomposed, curly, both };

  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    if (spellings[i] != NULL && g_file_test (spellings[i], G_FILE_TEST_EXISTS))
      return g_strdup (spellings[i]);

  return g_steal_pointer (&resolved);
}

/* What is left of @path below @dir: "" if they are the same, else "/…"; NULL if it lies elsewhere. Both are normalised. */
static const char *
below (const char *dir,
       const char *path)
{
  gsize length = strlen (dir);

  if (g_str_equal (dir, "/"))
    return g_str_equal (path, "/") ? "" : path;
  if (!g_str_has_prefix (path, dir) || (path[length] != '/' && path[length] != '\0'))
    return NULL;
  return path + length;
}

/**
 * tau_paths_is_inside:
 * @dir: an absolute path
 * @path: an absolute path
 *
 * Compares names only: who cares about links resolves them first.
 *
 * Returns: %TRUE if @path is @dir or lies below it
 */
gboolean
tau_paths_is_inside (const char *dir,
                     const char *path)
{
  g_autofree char *normal_dir = tau_paths_normalize ("/", dir);
  g_autofree char *normal_path = tau_paths_normalize ("/", path);

  return below (normal_dir, normal_path) != NULL;
}

/**
 * tau_paths_shorten:
 * @path: an absolute path
 *
 * Returns: (transfer full): @path for display, with "~" for the home directory
 */
char *
tau_paths_shorten (const char *path)
{
  g_autofree char *home = tau_paths_normalize ("/", home_dir ());
  const char *rest = g_str_equal (home, "/") ? NULL : below (home, path);

  return rest != NULL ? g_strconcat ("~", rest, NULL) : g_strdup (path);
}
