/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-schema-check.h"

#include "core/base/tau-json.h"

#include <math.h>
#include <string.h>

/* Checks a JSON value against a JSON Schema, as far as tools use it (agent-core: "must be …" lines). Pure: it
 * changes nothing and keeps nothing. Each violation is one line `PATH: MESSAGE`; the messages are pi's, since
 * models know them. A keyword that it does not know accepts everything, as the standard says. */

typedef struct
{
  GString *path;    /* JSON pointer with dots, "" at the root */
  GPtrArray *lines; /* of char *; NULL when only the answer matters */
  gboolean valid;
  guint depth;
} Check;

/* Deep enough for any arguments, shallow enough for the stack. */
#define MAX_DEPTH 200

static void check_value (Check *check, JsonNode *schema, JsonNode *value);

static void G_GNUC_PRINTF (2, 3)
fail (Check      *check,
      const char *format,
      ...)
{
  g_autofree char *message = NULL;
  va_list args;

  check->valid = FALSE;
  if (check->lines == NULL)
    return;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (check->lines,
                   g_strdup_printf ("%s: %s", check->path->len > 0 ? check->path->str : "root", message));
}

/* Goes one step down; returns where to cut the path again. Slash and tilde are escaped as in a JSON pointer. */
static gsize
enter (Check      *check,
       const char *name)
{
  gsize length = check->path->len;

  if (length > 0)
    g_string_append_c (check->path, '.');
  for (const char *c = name; *c != '\0'; c++)
    if (*c == '~')
      g_string_append (check->path, "~0");
    else if (*c == '/')
      g_string_append (check->path, "~1");
    else
      g_string_append_c (check->path, *c);
  return length;
}

static void
check_child (Check      *check,
             const char *name,
             JsonNode   *schema,
             JsonNode   *value)
{
  gsize length = enter (check, name);

  check_value (check, schema, value);
  g_string_truncate (check->path, length);
}

/* A question beside the check: does @value satisfy @schema? */
static gboolean
matches (Check    *check,
         JsonNode *schema,
         JsonNode *value)
{
  g_autoptr(GString) path = g_string_new (NULL);
  Check inner = { .path = path, .valid = TRUE, .depth = check->depth };

  check_value (&inner, schema, value);
  return inner.valid;
}

static gboolean
get_number (JsonObject *schema,
            const char *name,
            double     *number)
{
  JsonNode *node = json_object_get_member (schema, name);

  if (node == NULL || !tau_schema_is_type (node, "number"))
    return FALSE;

  *number = json_node_get_double (node);
  return TRUE;
}

static JsonArray *
get_array (JsonObject *schema,
           const char *name)
{
  JsonNode *node = json_object_get_member (schema, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static JsonObject *
get_object (JsonObject *schema,
            const char *name)
{
  JsonNode *node = json_object_get_member (schema, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static const char *
get_string (JsonObject *schema,
            const char *name)
{
  JsonNode *node = json_object_get_member (schema, name);

  return node != NULL && tau_schema_is_type (node, "string") ? json_node_get_string (node) : NULL;
}

static gboolean
check_type (Check      *check,
            JsonObject *schema,
            JsonNode   *value)
{
  JsonNode *type = json_object_get_member (schema, "type");
  g_autoptr(GString) names = NULL;

  if (type == NULL)
    return TRUE;
  if (tau_schema_is_type (type, "string"))
    {
      if (tau_schema_is_type (value, json_node_get_string (type)))
        return TRUE;
      fail (check, "must be %s", json_node_get_string (type));
      return FALSE;
    }
  if (!JSON_NODE_HOLDS_ARRAY (type))
    return TRUE;

  names = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (json_node_get_array (type)); i++)
    {
      const char *name = json_array_get_string_element (json_node_get_array (type), i);

      if (name == NULL || tau_schema_is_type (value, name))
        return TRUE;
      g_string_append_printf (names, "%s%s", i > 0 ? " or " : "", name);
    }
  fail (check, "must be either %s", names->str);
  return FALSE;
}

static void
check_values (Check      *check,
              JsonObject *schema,
              JsonNode   *value)
{
  JsonNode *constant = json_object_get_member (schema, "const");
  JsonArray *values = get_array (schema, "enum");
  gboolean found = values == NULL;

  if (constant != NULL && !tau_json_equal (constant, value))
    fail (check, "must be equal to constant");
  for (guint i = 0; !found && i < json_array_get_length (values); i++)
    found = tau_json_equal (json_array_get_element (values, i), value);
  if (!found)
    fail (check, "must be equal to one of the allowed values");
}

static void
check_any_of (Check     *check,
              JsonArray *members,
              JsonNode  *value)
{
  for (guint i = 0; i < json_array_get_length (members); i++)
    if (matches (check, json_array_get_element (members, i), value))
      return;

  for (guint i = 0; i < json_array_get_length (members); i++)
    check_value (check, json_array_get_element (members, i), value);
  fail (check, "must match a schema in anyOf");
}

static void
check_one_of (Check     *check,
              JsonArray *members,
              JsonNode  *value)
{
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (members); i++)
    n += matches (check, json_array_get_element (members, i), value);
  if (n == 1)
    return;

  for (guint i = 0; n == 0 && i < json_array_get_length (members); i++)
    check_value (check, json_array_get_element (members, i), value);
  fail (check, "must match exactly one schema in oneOf");
}

static void
check_combinations (Check      *check,
                    JsonObject *schema,
                    JsonNode   *value)
{
  JsonArray *all = get_array (schema, "allOf");
  JsonArray *any = get_array (schema, "anyOf");
  JsonArray *one = get_array (schema, "oneOf");
  JsonNode *not = json_object_get_member (schema, "not");

  for (guint i = 0; all != NULL && i < json_array_get_length (all); i++)
    check_value (check, json_array_get_element (all, i), value);
  if (any != NULL)
    check_any_of (check, any, value);
  if (one != NULL)
    check_one_of (check, one, value);
  if (not != NULL && matches (check, not, value))
    fail (check, "must not be valid");
}

static void
check_number (Check      *check,
              JsonObject *schema,
              double      value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double bound;

#define BOUND(name, operator)                                                      \
  if (get_number (schema, name, &bound) && !(value operator bound))                \
    fail (check, "must be " #operator " %s", g_ascii_formatd (text, sizeof text, "%.17g", bound))
  BOUND ("minimum", >=);
  BOUND ("maximum", <=);
  BOUND ("exclusiveMinimum", >);
  BOUND ("exclusiveMaximum", <);
#undef BOUND

  if (get_number (schema, "multipleOf", &bound) && bound > 0
      && fabs (value / bound - round (value / bound)) > 1e-9)
    fail (check, "must be multiple of %s", g_ascii_formatd (text, sizeof text, "%.17g", bound));
}

static void
check_count (Check      *check,
             JsonObject *schema,
             const char *min_name,
             const char *max_name,
             const char *noun,
             double      count)
{
  double bound;

  if (get_number (schema, min_name, &bound) && count < bound)
    fail (check, "must not have fewer than %.0f %s", bound, noun);
  if (get_number (schema, max_name, &bound) && count > bound)
    fail (check, "must not have more than %.0f %s", bound, noun);
}

/* A pattern that GRegex cannot read accepts everything: the tool's author meant another dialect. */
static gboolean
matches_pattern (const char *pattern,
                 const char *text)
{
  g_autoptr(GRegex) regex = g_regex_new (pattern, G_REGEX_DOLLAR_ENDONLY, 0, NULL);

  return regex == NULL || !g_utf8_validate (text, -1, NULL) || g_regex_match (regex, text, 0, NULL);
}

static gboolean
matches_format (const char *format,
                const char *text)
{
  static const struct { const char *name; const char *pattern; } formats[] = {
    { "date-time", "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[tT ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([zZ]|[+-]\\d\\d:?\\d\\d)$" },
    { "date", "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$" },
    { "time", "^([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([zZ]|[+-]\\d\\d:?\\d\\d)?$" },
    { "email", "^[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)*$" },
    { "hostname", "^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$" },
    { "uuid", "^(urn:uuid:)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" },
  };

  if (g_str_equal (format, "uri") || g_str_equal (format, "url"))
    return g_uri_is_valid (text, G_URI_FLAGS_NONE, NULL);
  if (g_str_equal (format, "ipv4") || g_str_equal (format, "ipv6"))
    return g_hostname_is_ip_address (text) && (strchr (text, ':') != NULL) == g_str_equal (format, "ipv6");

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, format))
      return matches_pattern (formats[i].pattern, text);
  return TRUE;
}

static void
check_string (Check      *check,
              JsonObject *schema,
              const char *text)
{
  const char *pattern = get_string (schema, "pattern");
  const char *format = get_string (schema, "format");

  check_count (check, schema, "minLength", "maxLength", "characters", g_utf8_strlen (text, -1));
  if (pattern != NULL && !matches_pattern (pattern, text))
    fail (check, "must match pattern \"%s\"", pattern);
  if (format != NULL && !matches_format (format, text))
    fail (check, "must match format \"%s\"", format);
}

static gboolean
has_duplicates (JsonArray *array)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    for (guint j = 0; j < i; j++)
      if (tau_json_equal (json_array_get_element (array, i), json_array_get_element (array, j)))
        return TRUE;
  return FALSE;
}

static void
check_array (Check      *check,
             JsonObject *schema,
             JsonArray  *array)
{
  JsonNode *items = json_object_get_member (schema, "items");
  JsonArray *tuple = get_array (schema, "prefixItems");

  if (items != NULL && JSON_NODE_HOLDS_ARRAY (items))
    {
      tuple = json_node_get_array (items);
      items = json_object_get_member (schema, "additionalItems");
    }
  check_count (check, schema, "minItems", "maxItems", "items", json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      gboolean in_tuple = tuple != NULL && i < json_array_get_length (tuple);
      JsonNode *item_schema = in_tuple ? json_array_get_element (tuple, i) : items;
      g_autofree char *name = g_strdup_printf ("%u", i);

      if (item_schema != NULL)
        check_child (check, name, item_schema, json_array_get_element (array, i));
    }
  if (tau_json_get_bool (json_object_get_member (schema, "uniqueItems"), NULL, FALSE) && has_duplicates (array))
    fail (check, "must not have duplicate items");
}

static void
check_required (Check      *check,
                JsonObject *schema,
                JsonObject *object)
{
  JsonArray *required = get_array (schema, "required");
  g_autoptr(GString) names = g_string_new (NULL);
  const char *first = NULL;
  gsize length;

  for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
    {
      const char *name = json_array_get_string_element (required, i);

      if (name == NULL || json_object_has_member (object, name))
        continue;
      g_string_append_printf (names, "%s%s", first != NULL ? ", " : "", name);
      if (first == NULL)
        first = name;
    }
  if (first == NULL)
    return;

  length = enter (check, first);
  fail (check, "must have required properties %s", names->str);
  g_string_truncate (check->path, length);
}

/* Whether a pattern property speaks for @name; checks it if so. */
static gboolean
check_pattern_properties (Check      *check,
                          JsonObject *patterns,
                          const char *name,
                          JsonNode   *value)
{
  gboolean known = FALSE;
  JsonObjectIter iter;
  const char *pattern;
  JsonNode *schema;

  if (patterns == NULL)
    return FALSE;

  json_object_iter_init_ordered (&iter, patterns);
  while (json_object_iter_next_ordered (&iter, &pattern, &schema))
    if (matches_pattern (pattern, name))
      {
        known = TRUE;
        check_child (check, name, schema, value);
      }
  return known;
}

static void
check_additional (Check      *check,
                  JsonObject *schema,
                  JsonObject *object)
{
  JsonObject *properties = get_object (schema, "properties");
  JsonObject *patterns = get_object (schema, "patternProperties");
  JsonNode *additional = json_object_get_member (schema, "additionalProperties");
  gboolean is_false = additional != NULL && tau_schema_is_type (additional, "boolean") && !json_node_get_boolean (additional);
  gboolean offended = FALSE;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (properties != NULL && json_object_has_member (properties, name))
        continue;
      if (check_pattern_properties (check, patterns, name, value) || additional == NULL)
        continue;
      check_child (check, name, additional, value);
      offended |= is_false;
    }
  if (offended)
    fail (check, "must not have additional properties");
}

static void
check_object (Check      *check,
              JsonObject *schema,
              JsonObject *object)
{
  JsonObject *properties = get_object (schema, "properties");
  JsonObjectIter iter;
  const char *name;
  JsonNode *property;

  check_required (check, schema, object);
  if (properties != NULL)
    {
      json_object_iter_init_ordered (&iter, properties);
      while (json_object_iter_next_ordered (&iter, &name, &property))
        if (json_object_has_member (object, name))
          check_child (check, name, property, json_object_get_member (object, name));
    }
  check_additional (check, schema, object);
  check_count (check, schema, "minProperties", "maxProperties", "properties", json_object_get_size (object));
}

static void
check_value (Check    *check,
             JsonNode *schema,
             JsonNode *value)
{
  JsonObject *object;

  if (tau_schema_is_type (schema, "boolean") && !json_node_get_boolean (schema))
    fail (check, "schema is false");
  if (!JSON_NODE_HOLDS_OBJECT (schema) || check->depth >= MAX_DEPTH)
    return;

  check->depth++;
  object = json_node_get_object (schema);
  if (check_type (check, object, value))
    {
      check_values (check, object, value);
      if (JSON_NODE_HOLDS_OBJECT (value))
        check_object (check, object, json_node_get_object (value));
      else if (JSON_NODE_HOLDS_ARRAY (value))
        check_array (check, object, json_node_get_array (value));
      else if (tau_schema_is_type (value, "string"))
        check_string (check, object, json_node_get_string (value));
      else if (tau_schema_is_type (value, "number"))
        check_number (check, object, json_node_get_double (value));
    }
  check_combinations (check, object, value);
  check->depth--;
}

/**
 * tau_schema_check:
 * @schema: a JSON Schema
 * @value: what is to be checked
 * @lines: (nullable) (element-type utf8): gets one line per violation
 *
 * Checks a value. References (`$ref`) are not followed.
 *
 * Returns: whether @value satisfies @schema
 */
gboolean
tau_schema_check (JsonNode  *schema,
                  JsonNode  *value,
                  GPtrArray *lines)
{
  g_autoptr(GString) path = g_string_new (NULL);
  Check check = { .path = path, .lines = lines, .valid = TRUE };

  check_value (&check, schema, value);
  return check.valid;
}

/**
 * tau_schema_is_type:
 * @value: a JSON value
 * @type: name of a type as JSON Schema has it
 *
 * Tests for a type. Whole numbers are integers however they are stored; unknown types are no value's.
 *
 * Returns: whether @value is of that type
 */
gboolean
tau_schema_is_type (JsonNode   *value,
                    const char *type)
{
  GType value_type = JSON_NODE_HOLDS_VALUE (value) ? json_node_get_value_type (value) : G_TYPE_INVALID;
  gboolean is_number = value_type == G_TYPE_INT64 || value_type == G_TYPE_DOUBLE;

  if (g_str_equal (type, "object"))
    return JSON_NODE_HOLDS_OBJECT (value);
  if (g_str_equal (type, "array"))
    return JSON_NODE_HOLDS_ARRAY (value);
  if (g_str_equal (type, "null"))
    return JSON_NODE_HOLDS_NULL (value);
  if (g_str_equal (type, "string"))
    return value_type == G_TYPE_STRING;
  if (g_str_equal (type, "boolean"))
    return value_type == G_TYPE_BOOLEAN;
  if (g_str_equal (type, "number"))
    return is_number;
  if (g_str_equal (type, "integer"))
    return is_number && json_node_get_double (value) == floor (json_node_get_double (value));
  return FALSE;
}
