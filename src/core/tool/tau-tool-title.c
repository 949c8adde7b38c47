/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/tool/tau-tool-title.h"

#include "core/base/tau-json.h"

#include <glib/gi18n-lib.h>

/* How a tool call is named to a person: one line for rows and panels. Arguments may be half streamed, so every
 * field may be missing. */

/* Newlines and tabs would break a title that has one line. */
static char *
one_line (const char *text)
{
  char *line = g_strstrip (g_strdup (text));

  return g_strdelimit (line, "\n\r\t", ' ');
}

static char *
read_subject (JsonNode   *arguments,
              const char *path)
{
  gint64 offset = tau_json_get_int (arguments, "offset", 0);
  gint64 limit = tau_json_get_int (arguments, "limit", 0);

  if (offset > 0 && limit > 0)
    return g_strdup_printf ("%s:%" G_GINT64_FORMAT "–%" G_GINT64_FORMAT, path, offset, offset + limit - 1);
  if (offset > 0)
    return g_strdup_printf ("%s:%" G_GINT64_FORMAT, path, offset);
  return g_strdup (path);
}

static char *
search_subject (JsonNode   *arguments,
                const char *path)
{
  g_autofree char *pattern = one_line (tau_json_get_string (arguments, "pattern", ""));

  if (*path == '\0')
    return g_steal_pointer (&pattern);
  /* Translators: what is searched for, and the folder it is searched in. */
  return g_strdup_printf (_("%s in %s"), pattern, path);
}

static const char *
verb_of (const char *tool_name)
{
  static const struct { const char *name; const char *verb; } verbs[] = {
    { "read", N_("Read") },
    { "write", N_("Write") },
    { "edit", N_("Edit") },
    { "grep", N_("Search") },
    { "find", N_("Find") },
    { "ls", N_("List") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (verbs[i].name, tool_name))
      return _(verbs[i].verb);
  return tool_name;
}

/**
 * tau_tool_title_new:
 * @tool_name: name that the model used
 * @arguments: (nullable): the call's arguments, as far as they have come
 *
 * Names a tool call. Tools that are not built in are named by themselves, with their path argument if they have one.
 *
 * Returns: (transfer full): the title
 */
TauToolTitle *
tau_tool_title_new (const char *tool_name,
                    JsonNode   *arguments)
{
  TauToolTitle *self = g_new0 (TauToolTitle, 1);
  g_autofree char *path = one_line (tau_json_get_string (arguments, "path", ""));

  if (g_str_equal (tool_name, "bash"))
    {
      self->subject = one_line (tau_json_get_string (arguments, "command", ""));
      return self;
    }

  self->verb = g_strdup (verb_of (tool_name));
  if (g_str_equal (tool_name, "read"))
    self->subject = read_subject (arguments, path);
  else if (g_str_equal (tool_name, "grep") || g_str_equal (tool_name, "find"))
    self->subject = search_subject (arguments, path);
  else if (g_str_equal (tool_name, "ls") && *path == '\0')
    self->subject = g_strdup (".");
  else
    self->subject = g_strdup (path);
  if (*path != '\0')
    self->path = g_steal_pointer (&path);
  return self;
}

/**
 * tau_tool_title_dup_text:
 * @self: a title
 *
 * The title as one string, commands behind a dollar sign.
 *
 * Returns: (transfer full): the text
 */
char *
tau_tool_title_dup_text (const TauToolTitle *self)
{
  if (self->verb == NULL)
    return g_strdup_printf ("$ %s", self->subject);
  if (*self->subject == '\0')
    return g_strdup (self->verb);
  return g_strdup_printf ("%s %s", self->verb, self->subject);
}

/**
 * tau_tool_title_free:
 * @self: (transfer full): a title
 *
 * Frees a title.
 */
void
tau_tool_title_free (TauToolTitle *self)
{
  g_free (self->verb);
  g_free (self->subject);
  g_free (self->path);
  g_free (self);
}
