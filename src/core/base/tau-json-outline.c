/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json-outline.h"

#include "core/base/tau-json.h"

#include <string.h>

/* A value as people like to read it: one member a line, deeper ones indented, texts of several lines as they are,
 * without quotes and backslashes. It is not meant to be read by a program. */

#define MAX_DEPTH 32

static void add_value (GString *out, JsonNode *node, guint depth);

static void
add_indent (GString *out,
            guint    depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (out, "  ");
}

static void
add_lines (GString    *out,
           const char *text,
           guint       depth)
{
  for (; *text; text += strcspn (text, "\n"), text += *text == '\n')
    {
      g_string_append_c (out, '\n');
      add_indent (out, depth);
      g_string_append_len (out, text, (gssize) strcspn (text, "\n"));
    }
}

static void
add_member (GString    *out,
            const char *name,
            JsonNode   *value,
            guint       depth)
{
  if (out->len > 0)
    g_string_append_c (out, '\n');
  add_indent (out, depth);
  g_string_append (out, name);
  add_value (out, value, depth + 1);
}

static void
add_children (GString  *out,
              JsonNode *node,
              guint     depth)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      g_autoptr(GList) names = json_object_get_members (json_node_get_object (node));

      for (GList *at = names; at; at = at->next)
        {
          g_autofree char *name = g_strconcat (at->data, ":", NULL);

          add_member (out, name, json_object_get_member (json_node_get_object (node), at->data), depth);
        }
    }
  else
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        add_member (out, "-", json_array_get_element (array, i), depth);
    }
}

static gboolean
has_children (JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_size (json_node_get_object (node)) > 0;
  return JSON_NODE_HOLDS_ARRAY (node) && json_array_get_length (json_node_get_array (node)) > 0;
}

static void
add_value (GString  *out,
           JsonNode *node,
           guint     depth)
{
  const char *text = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
                       ? json_node_get_string (node)
                       : NULL;

  if (has_children (node) && depth <= MAX_DEPTH)
    {
      add_children (out, node, depth);
      return;
    }
  if (text && strchr (text, '\n'))
    {
      add_lines (out, text, depth);
      return;
    }
  if (depth > 0)
    g_string_append_c (out, ' ');
  if (text && *text)
    g_string_append (out, text);
  else
    tau_json_append (out, node);
}

/**
 * tau_json_dup_outline:
 * @node: a value
 *
 * Returns: (transfer full): the value as indented lines; strings keep the form that tau_json_parse() gives them
 */
char *
tau_json_dup_outline (JsonNode *node)
{
  GString *out = g_string_new (NULL);

  add_value (out, node, 0);
  /* An empty value at the top has nothing to tell. */
  if (!has_children (node) && (JSON_NODE_HOLDS_OBJECT (node) || JSON_NODE_HOLDS_ARRAY (node)))
    g_string_truncate (out, 0);
  return g_string_free (out, FALSE);
}
