/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-schema-coerce.h"

#include "core/base/tau-json.h"
#include "core/tool/tau-schema-check.h"

#include <math.h>
#include <string.h>

/* Makes a JSON value fit a JSON Schema where that is obvious ("12" for a number), as pi does: models lean on it.
 * Pure and without errors: what does not fit is left for tau_schema_check() to name. Built-in tools have *typed*
 * schemas, which convert more than *plain* ones. A value is never changed, only replaced; so results share what
 * was right already. */

/* Deep enough for any arguments, shallow enough for the stack. */
#define MAX_DEPTH 200

typedef struct
{
  gboolean typed;
  guint depth;
} Coercion;

static JsonNode *coerce (const Coercion *coercion, JsonNode *schema, JsonNode *value);

static JsonNode *
new_number (double number)
{
  if (number == floor (number) && fabs (number) < 9007199254740992.0)
    return tau_json_node_new_int ((gint64) number);
  return tau_json_node_new_double (number);
}

static gboolean
is_prefixed (const char *text,
             char        letter)
{
  return text[0] == '0' && (text[1] | 0x20) == letter;
}

/* Reads a number as JavaScript's Number() does: decimal, 0x, 0o, 0b, blanks around. */
static gboolean
read_number (const char *text,
             double     *number)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  int base = is_prefixed (stripped, 'x') ? 16 : is_prefixed (stripped, 'o') ? 8 : is_prefixed (stripped, 'b') ? 2 : 0;
  guint64 integer;
  char *end;

  if (base != 0)
    {
      if (!g_ascii_string_to_unsigned (stripped + 2, base, 0, G_MAXUINT64, &integer, NULL))
        return FALSE;
      *number = (double) integer;
      return TRUE;
    }

  if (*stripped == '\0' || strspn (stripped, "+-.0123456789eE") != strlen (stripped))
    return FALSE;
  *number = g_ascii_strtod (stripped, &end);
  return *end == '\0' && isfinite (*number);
}

static gboolean
is_blank (const char *text)
{
  return text[strspn (text, " \t\r\n\v\f")] == '\0';
}

static JsonNode *
string_to_number (const Coercion *coercion,
                  const char     *text)
{
  double number;

  if (coercion->typed && is_blank (text))
    return new_number (0);
  if (coercion->typed && g_ascii_strcasecmp (text, "true") == 0)
    return new_number (1);
  if (coercion->typed && g_ascii_strcasecmp (text, "false") == 0)
    return new_number (0);
  return read_number (text, &number) ? new_number (number) : NULL;
}

static JsonNode *
to_number (const Coercion *coercion,
           JsonNode       *value)
{
  if (JSON_NODE_HOLDS_NULL (value))
    return new_number (0);
  if (tau_schema_is_type (value, "boolean"))
    return new_number (json_node_get_boolean (value) ? 1 : 0);
  if (tau_schema_is_type (value, "string"))
    return string_to_number (coercion, json_node_get_string (value));
  return NULL;
}

/* Typed schemas cut the fraction off, plain ones let it fail. */
static JsonNode *
to_integer (const Coercion *coercion,
            JsonNode       *value)
{
  g_autoptr(JsonNode) number = tau_schema_is_type (value, "number") ? json_node_ref (value)
                                                                    : to_number (coercion, value);

  if (number == NULL)
    return NULL;
  if (!tau_schema_is_type (number, "integer"))
    return coercion->typed ? new_number (trunc (json_node_get_double (number))) : NULL;
  return g_steal_pointer (&number);
}

static gboolean
equals (const Coercion *coercion,
        const char     *text,
        const char     *word)
{
  return coercion->typed ? g_ascii_strcasecmp (text, word) == 0 : g_str_equal (text, word);
}

static JsonNode *
to_boolean (const Coercion *coercion,
            JsonNode       *value)
{
  if (JSON_NODE_HOLDS_NULL (value))
    return tau_json_node_new_bool (FALSE);
  if (tau_schema_is_type (value, "number"))
    {
      double number = json_node_get_double (value);

      return number == 0 || number == 1 ? tau_json_node_new_bool (number == 1) : NULL;
    }
  if (tau_schema_is_type (value, "string"))
    {
      const char *text = json_node_get_string (value);

      if (equals (coercion, text, "true") || (coercion->typed && g_str_equal (text, "1")))
        return tau_json_node_new_bool (TRUE);
      if (equals (coercion, text, "false") || (coercion->typed && g_str_equal (text, "0")))
        return tau_json_node_new_bool (FALSE);
    }
  return NULL;
}

static JsonNode *
to_string (const Coercion *coercion,
           JsonNode       *value)
{
  g_autofree char *text = NULL;

  if (JSON_NODE_HOLDS_NULL (value))
    return tau_json_node_new_string (coercion->typed ? "null" : "");
  if (!JSON_NODE_HOLDS_VALUE (value))
    return NULL;

  text = tau_json_to_string (value);
  return tau_json_node_new_string (text);
}

static JsonNode *
to_null (const Coercion *coercion,
         JsonNode       *value)
{
  static const char *const words[] = { "0", "null", "undefined", NULL };
  gboolean is_null = FALSE;

  if (tau_schema_is_type (value, "string"))
    {
      const char *text = json_node_get_string (value);

      is_null = *text == '\0' || (coercion->typed && g_strv_contains (words, text));
    }
  else if (tau_schema_is_type (value, "number"))
    is_null = json_node_get_double (value) == 0;
  else if (tau_schema_is_type (value, "boolean"))
    is_null = !json_node_get_boolean (value);
  return is_null ? tau_json_node_new_null () : NULL;
}

static JsonNode *
to_array (const Coercion *coercion,
          JsonNode       *value)
{
  JsonArray *array;

  if (!coercion->typed)
    return NULL;

  array = json_array_new ();
  json_array_add_element (array, json_node_ref (value));
  return tau_json_node_new_array (array);
}

/* A value of @type made of one that is not, or NULL if there is no obvious one. */
static JsonNode *
convert (const Coercion *coercion,
         const char     *type,
         JsonNode       *value)
{
  static const struct
  {
    const char *type;
    JsonNode *(*convert) (const Coercion *coercion, JsonNode *value);
  } conversions[] = {
    { "number", to_number }, { "integer", to_integer }, { "boolean", to_boolean },
    { "string", to_string }, { "null", to_null },       { "array", to_array },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (conversions); i++)
    if (g_str_equal (conversions[i].type, type))
      return conversions[i].convert (coercion, value);
  return NULL;
}

static JsonNode *
coerce_type (const Coercion *coercion,
             JsonNode       *type,
             JsonNode       *value)
{
  JsonNode *converted = NULL;
  JsonArray *types;

  if (tau_schema_is_type (type, "string"))
    {
      if (!tau_schema_is_type (value, json_node_get_string (type)))
        converted = convert (coercion, json_node_get_string (type), value);
      return converted != NULL ? converted : json_node_ref (value);
    }
  if (!JSON_NODE_HOLDS_ARRAY (type))
    return json_node_ref (value);

  types = json_node_get_array (type);
  for (guint i = 0; i < json_array_get_length (types); i++)
    if (tau_schema_is_type (value, json_array_get_string_element (types, i)))
      return json_node_ref (value);
  for (guint i = 0; converted == NULL && i < json_array_get_length (types); i++)
    converted = convert (coercion, json_array_get_string_element (types, i), value);
  return converted != NULL ? converted : json_node_ref (value);
}

/* The first member that @value can be made to fit wins, even if @value already fits a later one. */
static JsonNode *
coerce_union (const Coercion *coercion,
              JsonArray      *members,
              JsonNode       *value)
{
  for (guint i = 0; i < json_array_get_length (members); i++)
    {
      JsonNode *member = json_array_get_element (members, i);
      g_autoptr(JsonNode) candidate = coerce (coercion, member, value);

      if (tau_schema_check (member, candidate, NULL))
        return g_steal_pointer (&candidate);
    }
  return json_node_ref (value);
}

static JsonNode *
coerce_items (const Coercion *coercion,
              JsonObject     *schema,
              JsonNode       *value)
{
  JsonNode *items = json_object_get_member (schema, "items");
  JsonArray *tuple = items != NULL && JSON_NODE_HOLDS_ARRAY (items) ? json_node_get_array (items) : NULL;
  JsonArray *from = json_node_get_array (value);
  JsonArray *to;

  if (items == NULL)
    return json_node_ref (value);

  to = json_array_sized_new (json_array_get_length (from));
  for (guint i = 0; i < json_array_get_length (from); i++)
    {
      JsonNode *item = json_array_get_element (from, i);
      JsonNode *item_schema = tuple == NULL ? items
                              : i < json_array_get_length (tuple) ? json_array_get_element (tuple, i) : NULL;

      json_array_add_element (to, item_schema != NULL ? coerce (coercion, item_schema, item) : json_node_ref (item));
    }
  return tau_json_node_new_array (to);
}

static JsonNode *
property_schema (JsonObject *schema,
                 const char *name)
{
  JsonNode *properties = json_object_get_member (schema, "properties");
  JsonNode *additional = json_object_get_member (schema, "additionalProperties");

  if (properties != NULL && JSON_NODE_HOLDS_OBJECT (properties)
      && json_object_has_member (json_node_get_object (properties), name))
    return json_object_get_member (json_node_get_object (properties), name);
  return additional != NULL && JSON_NODE_HOLDS_OBJECT (additional) ? additional : NULL;
}

static JsonNode *
coerce_properties (const Coercion *coercion,
                   JsonObject     *schema,
                   JsonNode       *value)
{
  JsonObject *to = json_object_new ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *property;

  json_object_iter_init_ordered (&iter, json_node_get_object (value));
  while (json_object_iter_next_ordered (&iter, &name, &property))
    {
      JsonNode *own = property_schema (schema, name);

      json_object_set_member (to, name, own != NULL ? coerce (coercion, own, property) : json_node_ref (property));
    }
  return tau_json_node_new_object (to);
}

static JsonNode *
take_replacement (JsonNode *value,
                  JsonNode *replacement)
{
  json_node_unref (value);
  return replacement;
}

static JsonNode *
coerce_combinations (const Coercion *coercion,
                     JsonObject     *schema,
                     JsonNode       *value)
{
  static const char *const unions[] = { "anyOf", "oneOf" };
  JsonNode *all = json_object_get_member (schema, "allOf");
  JsonNode *result = json_node_ref (value);

  for (guint i = 0; all != NULL && JSON_NODE_HOLDS_ARRAY (all) && i < json_array_get_length (json_node_get_array (all)); i++)
    result = take_replacement (result, coerce (coercion, json_array_get_element (json_node_get_array (all), i), result));
  for (gsize i = 0; i < G_N_ELEMENTS (unions); i++)
    {
      JsonNode *members = json_object_get_member (schema, unions[i]);

      if (members != NULL && JSON_NODE_HOLDS_ARRAY (members))
        result = take_replacement (result, coerce_union (coercion, json_node_get_array (members), result));
    }
  return result;
}

static JsonNode *
coerce (const Coercion *coercion,
        JsonNode       *schema,
        JsonNode       *value)
{
  Coercion deeper = { coercion->typed, coercion->depth + 1 };
  JsonObject *object;
  JsonNode *type, *result;

  if (!JSON_NODE_HOLDS_OBJECT (schema) || coercion->depth >= MAX_DEPTH)
    return json_node_ref (value);

  object = json_node_get_object (schema);
  type = json_object_get_member (object, "type");
  result = coerce_combinations (&deeper, object, value);
  if (type != NULL)
    result = take_replacement (result, coerce_type (&deeper, type, result));
  if (JSON_NODE_HOLDS_ARRAY (result))
    result = take_replacement (result, coerce_items (&deeper, object, result));
  else if (JSON_NODE_HOLDS_OBJECT (result))
    result = take_replacement (result, coerce_properties (&deeper, object, result));
  return result;
}

/**
 * tau_schema_coerce_typed:
 * @schema: schema of a built-in tool
 * @value: what the model sent
 *
 * Converts as pi does for its own tools: everything that has some sense as the wanted type.
 *
 * Returns: (transfer full): a value, maybe @value itself; not yet checked
 */
JsonNode *
tau_schema_coerce_typed (JsonNode *schema,
                         JsonNode *value)
{
  return coerce (&(Coercion) { .typed = TRUE }, schema, value);
}

/**
 * tau_schema_coerce_plain:
 * @schema: any JSON Schema
 * @value: what the model sent
 *
 * Converts as pi does for tools that came with a plain schema: less than for its own.
 *
 * Returns: (transfer full): a value, maybe @value itself; not yet checked
 */
JsonNode *
tau_schema_coerce_plain (JsonNode *schema,
                         JsonNode *value)
{
  return coerce (&(Coercion) { .typed = FALSE }, schema, value);
}
