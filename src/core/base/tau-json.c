/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include <math.h>
#include <string.h>

/* Access by path with a default, so that nobody climbs a ladder of casts, and the makers of nodes that json-glib
 * lacks in one call. Data from outside may have any shape: no getter here minds a missing node or a wrong type. */

static JsonNode *
get_child (JsonNode   *node,
           const char *name)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_member (json_node_get_object (node), name);

  if (JSON_NODE_HOLDS_ARRAY (node) && g_ascii_isdigit (name[0]))
    {
      JsonArray *array = json_node_get_array (node);
      char *end;
      guint64 index = g_ascii_strtoull (name, &end, 10);

      if (*end == '\0' && index < json_array_get_length (array))
        return json_array_get_element (array, (guint) index);
    }

  return NULL;
}

/**
 * tau_json_get:
 * @node: (nullable): a tree
 * @path: (nullable): member names and array indices with dots between, like "choices.0.delta"
 *
 * Looks up a part of a tree. An empty path means @node itself. Keys that contain a dot cannot be reached so.
 *
 * Returns: (transfer none) (nullable): the node, or %NULL if there is none
 */
JsonNode *
tau_json_get (JsonNode   *node,
              const char *path)
{
  if (path == NULL)
    return node;

  while (node != NULL && *path != '\0')
    {
      gsize length = strcspn (path, ".");
      char name[128];

      if (length >= sizeof name)
        return NULL;
      memcpy (name, path, length);
      name[length] = '\0';

      node = get_child (node, name);
      path += length;
      if (*path == '.')
        path++;
    }

  return node;
}

/* The node at @path if it is a value of @type. */
static JsonNode *
get_value (JsonNode   *node,
           const char *path,
           GType       type)
{
  JsonNode *found = tau_json_get (node, path);

  if (found == NULL || !JSON_NODE_HOLDS_VALUE (found))
    return NULL;
  return json_node_get_value_type (found) == type ? found : NULL;
}

/**
 * tau_json_get_string:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 * @fallback: (nullable): what to return if there is no string
 *
 * Returns: (transfer none) (nullable): the string, alive as long as its node, in the encoding that the header describes
 */
const char *
tau_json_get_string (JsonNode   *node,
                     const char *path,
                     const char *fallback)
{
  JsonNode *found = get_value (node, path, G_TYPE_STRING);

  return found != NULL ? json_node_get_string (found) : fallback;
}

/**
 * tau_json_get_int:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 * @fallback: what to return if there is no number
 *
 * Returns: the number; a fraction is cut off, and what is too large becomes the largest
 */
gint64
tau_json_get_int (JsonNode   *node,
                  const char *path,
                  gint64      fallback)
{
  JsonNode *found = get_value (node, path, G_TYPE_INT64);
  double value;

  if (found != NULL)
    return json_node_get_int (found);

  value = tau_json_get_double (node, path, NAN);
  if (isnan (value))
    return fallback;
  if (value >= (double) G_MAXINT64)
    return G_MAXINT64;
  return value <= (double) G_MININT64 ? G_MININT64 : (gint64) value;
}

/**
 * tau_json_get_double:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 * @fallback: what to return if there is no number
 *
 * Returns: the number
 */
double
tau_json_get_double (JsonNode   *node,
                     const char *path,
                     double      fallback)
{
  JsonNode *found = get_value (node, path, G_TYPE_DOUBLE);

  if (found == NULL)
    found = get_value (node, path, G_TYPE_INT64);
  return found != NULL ? json_node_get_double (found) : fallback;
}

/**
 * tau_json_get_bool:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 * @fallback: what to return if there is neither true nor false
 *
 * Returns: the value
 */
gboolean
tau_json_get_bool (JsonNode   *node,
                   const char *path,
                   gboolean    fallback)
{
  JsonNode *found = get_value (node, path, G_TYPE_BOOLEAN);

  return found != NULL ? json_node_get_boolean (found) : fallback;
}

/**
 * tau_json_get_object:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 *
 * Returns: (transfer none) (nullable): the object, if there is one
 */
JsonObject *
tau_json_get_object (JsonNode   *node,
                     const char *path)
{
  JsonNode *found = tau_json_get (node, path);

  return found != NULL && JSON_NODE_HOLDS_OBJECT (found) ? json_node_get_object (found) : NULL;
}

/**
 * tau_json_get_array:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 *
 * Returns: (transfer none) (nullable): the array, if there is one
 */
JsonArray *
tau_json_get_array (JsonNode   *node,
                    const char *path)
{
  JsonNode *found = tau_json_get (node, path);

  return found != NULL && JSON_NODE_HOLDS_ARRAY (found) ? json_node_get_array (found) : NULL;
}

/**
 * tau_json_is_null:
 * @node: (nullable): a tree
 * @path: (nullable): see tau_json_get()
 *
 * Returns: %TRUE if a null stands there; %FALSE also if nothing does
 */
gboolean
tau_json_is_null (JsonNode   *node,
                  const char *path)
{
  JsonNode *found = tau_json_get (node, path);

  return found != NULL && JSON_NODE_HOLDS_NULL (found);
}

static gboolean
objects_equal (JsonObject *a,
               JsonObject *b)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  if (json_object_get_size (a) != json_object_get_size (b))
    return FALSE;

  json_object_iter_init (&iter, a);
  while (json_object_iter_next (&iter, &key, &value))
    if (!tau_json_equal (value, json_object_get_member (b, key)))
      return FALSE;

  return TRUE;
}

static gboolean
arrays_equal (JsonArray *a,
              JsonArray *b)
{
  guint length = json_array_get_length (a);

  if (length != json_array_get_length (b))
    return FALSE;
  for (guint i = 0; i < length; i++)
    if (!tau_json_equal (json_array_get_element (a, i), json_array_get_element (b, i)))
      return FALSE;

  return TRUE;
}

static gboolean
is_number (GType type)
{
  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

static gboolean
values_equal (JsonNode *a,
              JsonNode *b)
{
  GType type = json_node_get_value_type (a);
  GType other = json_node_get_value_type (b);

  if (type == G_TYPE_INT64 && other == G_TYPE_INT64)
    return json_node_get_int (a) == json_node_get_int (b);
  if (is_number (type) && is_number (other))
    return json_node_get_double (a) == json_node_get_double (b);
  if (type != other)
    return FALSE;
  if (type == G_TYPE_STRING)
    return g_str_equal (json_node_get_string (a), json_node_get_string (b));
  return json_node_get_boolean (a) == json_node_get_boolean (b);
}

/**
 * tau_json_equal:
 * @a: (nullable): a tree
 * @b: (nullable): another
 *
 * Compares by value: 1 and 1.0 are equal, and the order of keys does not count.
 *
 * Returns: %TRUE if both say the same, or both are %NULL
 */
gboolean
tau_json_equal (JsonNode *a,
                JsonNode *b)
{
  if (a == b)
    return TRUE;
  if (a == NULL || b == NULL || json_node_get_node_type (a) != json_node_get_node_type (b))
    return FALSE;

  switch (json_node_get_node_type (a))
    {
    case JSON_NODE_OBJECT:
      return objects_equal (json_node_get_object (a), json_node_get_object (b));
    case JSON_NODE_ARRAY:
      return arrays_equal (json_node_get_array (a), json_node_get_array (b));
    case JSON_NODE_VALUE:
      return values_equal (a, b);
    case JSON_NODE_NULL:
    default:
      return TRUE;
    }
}

static JsonNode *
copy_object (JsonObject *object)
{
  JsonObject *copy = json_object_new ();
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &key, &value))
    json_object_set_member (copy, key, tau_json_copy (value));

  return tau_json_node_new_object (copy);
}

static JsonNode *
copy_array (JsonArray *array)
{
  guint length = json_array_get_length (array);
  JsonArray *copy = json_array_sized_new (length);

  for (guint i = 0; i < length; i++)
    json_array_add_element (copy, tau_json_copy (json_array_get_element (array, i)));

  return tau_json_node_new_array (copy);
}

/**
 * tau_json_copy:
 * @node: (nullable): a tree
 *
 * Copies a tree with all that is in it, unlike json_node_copy().
 *
 * Returns: (transfer full) (nullable): the copy; %NULL for %NULL
 */
JsonNode *
tau_json_copy (JsonNode *node)
{
  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return copy_object (json_node_get_object (node));
  if (JSON_NODE_HOLDS_ARRAY (node))
    return copy_array (json_node_get_array (node));
  return json_node_copy (node);
}

/**
 * tau_json_object_set:
 * @object: where to
 * @key: the name
 * @value: (transfer full): what to put there
 *
 * Sets a member; a new one goes to the end.
 */
void
tau_json_object_set (JsonObject *object,
                     const char *key,
                     JsonNode   *value)
{
  g_return_if_fail (object != NULL);
  g_return_if_fail (value != NULL);

  json_object_set_member (object, key, value);
}

/**
 * tau_json_node_new_string:
 * @value: a text
 *
 * Returns: (transfer full): a node with a copy of it
 */
JsonNode *
tau_json_node_new_string (const char *value)
{
  g_return_val_if_fail (value != NULL, tau_json_node_new_null ());

  return json_node_init_string (json_node_alloc (), value);
}

/**
 * tau_json_node_new_int:
 * @value: a number
 *
 * Returns: (transfer full): a node with it
 */
JsonNode *
tau_json_node_new_int (gint64 value)
{
  return json_node_init_int (json_node_alloc (), value);
}

/**
 * tau_json_node_new_double:
 * @value: a number
 *
 * Returns: (transfer full): a node with it
 */
JsonNode *
tau_json_node_new_double (double value)
{
  return json_node_init_double (json_node_alloc (), value);
}

/**
 * tau_json_node_new_bool:
 * @value: true or false
 *
 * Returns: (transfer full): a node with it
 */
JsonNode *
tau_json_node_new_bool (gboolean value)
{
  return json_node_init_boolean (json_node_alloc (), value);
}

/**
 * tau_json_node_new_null:
 *
 * Returns: (transfer full): a node that is null
 */
JsonNode *
tau_json_node_new_null (void)
{
  return json_node_init_null (json_node_alloc ());
}

/**
 * tau_json_node_new_object:
 * @object: (transfer full): an object
 *
 * Returns: (transfer full): a node that owns it
 */
JsonNode *
tau_json_node_new_object (JsonObject *object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);
  return node;
}

/**
 * tau_json_node_new_array:
 * @array: (transfer full): an array
 *
 * Returns: (transfer full): a node that owns it
 */
JsonNode *
tau_json_node_new_array (JsonArray *array)
{
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  json_node_take_array (node, array);
  return node;
}
