/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/config/tau-front-matter.h"

#include "core/base/tau-error.h"
#include "core/base/tau-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The part of YAML that heads of skills and templates use: one mapping of scalars, plain, quoted, or as a block after
 * "|" or ">". Nested values are skipped, since no field that we use has any. */

/* Takes one line off *@rest; %NULL at the end. */
static char *
take_line (const char **rest)
{
  const char *end;
  char *line;

  if (**rest == '\0')
    return NULL;
  end = strchrnul (*rest, '\n');
  line = g_strndup (*rest, (gsize) (end - *rest));
  *rest = *end == '\0' ? end : end + 1;
  return line;
}

static gsize
indentation (const char *line)
{
  return strspn (line, " ");
}

/* Reads a quoted scalar; %NULL if its end is missing. */
static char *
unquote (const char *text)
{
  g_autoptr(GString) out = g_string_new (NULL);
  char quote = *text;

  for (const char *at = text + 1; *at != '\0'; at++)
    {
      if (*at == quote && quote == '\'' && at[1] == '\'')
        at++;
      else if (*at == quote)
        return g_string_free (g_steal_pointer (&out), FALSE);
      else if (*at == '\\' && quote == '"' && at[1] != '\0')
        {
          at++;
          g_string_append_c (out, *at == 'n' ? '\n' : *at == 't' ? '\t' : *at);
          continue;
        }
      g_string_append_c (out, *at);
    }
  return NULL;
}

/* A comment ends a plain scalar if a blank stands before it. */
static char *
plain_scalar (const char *text)
{
  const char *comment = strstr (text, " #");

  if (*text == '#')
    return g_strdup ("");
  return g_strchomp (comment != NULL ? g_strndup (text, (gsize) (comment - text)) : g_strdup (text));
}

/* Lines of a block scalar: "|" keeps line ends, ">" folds them to blanks; trailing ones go, which no field of ours needs. */
static char *
block_scalar (const char **rest,
              char         style)
{
  g_autoptr(GString) out = g_string_new (NULL);
  gsize indent = 0;

  while (**rest != '\0')
    {
      const char *before = *rest;
      g_autofree char *line = take_line (rest);
      gboolean blank = tau_text_is_blank (line);

      if (!blank && indentation (line) == 0)
        {
          *rest = before;
          break;
        }
      if (!blank && indent == 0)
        indent = indentation (line);
      if (out->len > 0)
        g_string_append_c (out, style == '>' && !blank && out->str[out->len - 1] != '\n' ? ' ' : '\n');
      g_string_append (out, blank ? "" : line + MIN (indent, indentation (line)));
    }
  return g_strchomp (g_string_free (g_steal_pointer (&out), FALSE));
}

/* A plain scalar goes on in lines that are indented. */
static char *
continued_scalar (const char **rest,
                  char        *first)
{
  g_autoptr(GString) out = g_string_new (first);

  g_free (first);
  while (**rest == ' ')
    {
      g_autofree char *line = take_line (rest);

      if (out->len > 0)
        g_string_append_c (out, ' ');
      g_string_append (out, g_strstrip (line));
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
read_value (const char  *value,
            const char **rest)
{
  while (*value == ' ' || *value == '\t')
    value++;
  if (*value == '|' || *value == '>')
    return block_scalar (rest, *value);
  if (*value == '"' || *value == '\'')
    return unquote (value);
  return continued_scalar (rest, plain_scalar (value));
}

static gboolean
read_fields (TauFrontMatter *self,
             const char     *head,
             GError        **error)
{
  const char *rest = head;

  while (*rest != '\0')
    {
      g_autofree char *line = take_line (&rest);
      char *colon = strchr (line, ':');
      char *value;

      if (tau_text_is_blank (line) || *line == '#' || *line == '-' || *line == ' ')
        continue;
      if (colon == NULL || (colon[1] != '\0' && !g_ascii_isspace (colon[1])))
        {
          g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX, _("not a “name: value” line: %s"), line);
          return FALSE;
        }
      *colon = '\0';
      value = read_value (colon + 1, &rest);
      if (value == NULL)
        {
          g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX, _("“%s” has a quote without end"), line);
          return FALSE;
        }
      g_hash_table_replace (self->fields, g_strdup (g_strstrip (line)), value);
    }
  return TRUE;
}

/**
 * tau_front_matter_parse:
 * @text: a whole file, valid UTF-8
 * @error: return location
 *
 * A head starts with "---" at the very beginning and ends before the next line that starts so; without both the whole
 * text is the body.
 *
 * Returns: (transfer full) (nullable): head and body, or %NULL if the head cannot be read
 */
TauFrontMatter *
tau_front_matter_parse (const char *text,
                        GError    **error)
{
  g_autoptr(TauFrontMatter) self = g_new0 (TauFrontMatter, 1);
  g_auto(GStrv) pieces = g_strsplit (text, "\r\n", -1);
  g_autofree char *unix_text = g_strjoinv ("\n", pieces);
  char *head = NULL, *end = NULL;

  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_str_has_prefix (unix_text, "---"))
    {
      head = strchr (unix_text, '\n');
      end = head != NULL ? strstr (head, "\n---") : NULL;
    }
  if (end == NULL)
    {
      self->body = tau_text_trim (unix_text);
      return g_steal_pointer (&self);
    }

  *end = '\0';
  self->body = tau_text_trim (strchrnul (end + 1, '\n'));
  if (!read_fields (self, end == head ? "" : head + 1, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * tau_front_matter_free:
 * @self: (transfer full): head and body
 *
 * Frees both.
 */
void
tau_front_matter_free (TauFrontMatter *self)
{
  g_clear_pointer (&self->fields, g_hash_table_unref);
  g_free (self->body);
  g_free (self);
}

/**
 * tau_front_matter_get:
 * @self: head and body
 * @key: name of a field
 *
 * Returns: (transfer none) (nullable): its value; %NULL if it is missing
 */
const char *
tau_front_matter_get (TauFrontMatter *self,
                      const char     *key)
{
  return g_hash_table_lookup (self->fields, key);
}
