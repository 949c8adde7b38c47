/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-glob.h"

#include <string.h>

/* Glob patterns for paths, as the tools that models know have them: `*` and `?` stop at a slash, `**` between slashes
 * is any number of folders, `[a-z]`, `[!a]`, `{one,two}`, a backslash takes the next character as it is. A pattern
 * without upper case letters does not tell them from lower case ones. */

static gboolean
has_upper_case (const char *pattern)
{
  for (const char *p = pattern; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isupper (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}

static void
append_literal (GString    *regex,
                const char *p)
{
  g_autofree char *escaped = g_regex_escape_string (p, g_utf8_next_char (p) - p);

  g_string_append (regex, escaped);
}

/* Translates the stars at @p; returns what is behind them. */
static const char *
append_stars (GString    *regex,
              const char *pattern,
              const char *p)
{
  gsize n = strspn (p, "*");
  gboolean at_start = p == pattern || p[-1] == '/';

  if (n == 2 && at_start && p[n] == '/')
    {
      g_string_append (regex, "(?:[^/]*/)*");
      return p + n + 1;
    }
  g_string_append (regex, n == 2 && at_start && p[n] == '\0' ? ".*" : "[^/]*");
  return p + n;
}

/* Translates the set at @p; returns what is behind it, or NULL if it is not closed. */
static const char *
append_set (GString    *regex,
            const char *p)
{
  const char *end;

  g_string_append (regex, "(?!/)[");
  p++;
  if (*p == '!' || *p == '^')
    {
      g_string_append_c (regex, '^');
      p++;
    }
  /* A bracket that comes first is one of the set. */
  end = *p != '\0' ? strchr (p + 1, ']') : NULL;
  if (end == NULL)
    return NULL;
  for (; p < end; p++)
    {
      if (strchr ("\\[]^", *p) != NULL)
        g_string_append_c (regex, '\\');
      g_string_append_c (regex, *p);
    }
  g_string_append_c (regex, ']');
  return end + 1;
}

static gboolean
translate (GString    *regex,
           const char *pattern)
{
  const char *p = pattern;
  int depth = 0;

  while (p != NULL && *p != '\0')
    {
      if (*p == '*')
        p = append_stars (regex, pattern, p);
      else if (*p == '[')
        p = append_set (regex, p);
      else
        {
          if (*p == '?')
            g_string_append (regex, "[^/]");
          else if (*p == '{')
            g_string_append (regex, (depth++, "(?:"));
          else if (*p == '}' && depth > 0)
            g_string_append (regex, (depth--, ")"));
          else if (*p == ',' && depth > 0)
            g_string_append_c (regex, '|');
          else
            {
              p += *p == '\\' && p[1] != '\0';
              append_literal (regex, p);
            }
          p = g_utf8_next_char (p);
        }
    }
  return p != NULL && depth == 0;
}

/**
 * tau_glob_compile:
 * @pattern: a glob, valid UTF-8
 * @error: return location for a %G_REGEX_ERROR
 *
 * Translates a glob into a regular expression for whole names or paths.
 *
 * Returns: (transfer full) (nullable): the expression
 */
GRegex *
tau_glob_compile (const char  *pattern,
                  GError     **error)
{
  g_autoptr(GString) regex = g_string_new ("\\A");

  if (!translate (regex, pattern))
    {
      g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE, "Unclosed bracket in glob pattern: %s", pattern);
      return NULL;
    }
  g_string_append (regex, "\\z");
  return g_regex_new (regex->str, G_REGEX_DOTALL | G_REGEX_OPTIMIZE | (has_upper_case (pattern) ? 0 : G_REGEX_CASELESS), 0, error);
}
