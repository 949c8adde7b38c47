/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include "core/base/tau-error.h"
#include "core/base/tau-text.h"

#include <math.h>
#include <string.h>

/* A strict reader of RFC 8259 that yields what JSON.parse would: numbers are doubles, the last of equal keys wins,
 * keys that look like array indices come first. It goes once over the text, by recursive descent whose depth
 * is capped; one scratch buffer serves all strings. Only the relaxed mode, for files that people write, takes
 * // comments and trailing commas. */

#define MAX_DEPTH 512
#define MAX_SAFE_INTEGER ((double) (G_GINT64_CONSTANT (1) << 53))

typedef struct
{
  const char *start;
  const char *at;
  const char *end;
  GString    *scratch;
  guint       depth;
  gboolean    relaxed;
  const char *problem;   /* what went wrong at @at, NULL so far */
} Parser;

/* An object while its members come. Repeated keys wait aside: json_object_set_member() looks through all keys to replace
 * one, which a hostile text could make quadratic. */
typedef struct
{
  JsonObject *object;
  GHashTable *repeated;    /* key → the last value of a key that the object has already; NULL if there is none */
  gboolean    has_index;   /* some keys belong to the front */
} Members;

static JsonNode *parse_value (Parser *self);

/* Always FALSE. */
static gboolean
fail (Parser     *self,
      const char *problem)
{
  if (self->problem == NULL)
    self->problem = self->at == self->end ? "unexpected end" : problem;
  return FALSE;
}

static void
skip_comment (Parser *self)
{
  const char *stop = memchr (self->at, '\n', (gsize) (self->end - self->at));

  self->at = stop != NULL ? stop : self->end;
}

static void
skip_space (Parser *self)
{
  while (self->at < self->end)
    {
      char c = *self->at;

      if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
        self->at++;
      else if (c == '/' && self->relaxed && self->end - self->at > 1 && self->at[1] == '/')
        skip_comment (self);
      else
        break;
    }
}

static gboolean
take (Parser *self,
      char    c)
{
  if (self->at == self->end || *self->at != c)
    return FALSE;

  self->at++;
  return TRUE;
}

/* The four digits of \uXXXX, or -1. */
static int
read_hex4 (const char *digits,
           const char *end)
{
  int value = 0;

  if (end - digits < 4)
    return -1;
  for (guint i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (digits[i]))
        return -1;
      value = value * 16 + g_ascii_xdigit_value (digits[i]);
    }

  return value;
}

/* Appends a code point or half of a pair, in the encoding that tau-json.h describes. */
static void
append_code_point (GString *out,
                   guint32  c)
{
  char bytes[6];

  if (c == 0)
    g_string_append_len (out, "\xc0\x80", 2);
  else
    g_string_append_len (out, bytes, g_unichar_to_utf8 (c, bytes));   /* which does not mind surrogates */
}

/* At the "u" of an escape. */
static gboolean
parse_unicode_escape (Parser *self)
{
  int unit = read_hex4 (self->at + 1, self->end);

  if (unit < 0)
    return FALSE;
  self->at += 5;

  if (unit >= 0xd800 && unit < 0xdc00 && self->end - self->at >= 6 && self->at[0] == '\\' && self->at[1] == 'u')
    {
      int low = read_hex4 (self->at + 2, self->end);

      if (low >= 0xdc00 && low < 0xe000)
        {
          unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
          self->at += 6;
        }
    }

  append_code_point (self->scratch, (guint32) unit);
  return TRUE;
}

/* Behind the backslash. */
static gboolean
parse_escape (Parser *self)
{
  static const char names[] = "\"\\/bfnrt";
  static const char values[] = "\"\\/\b\f\n\r\t";
  const char *name;

  if (self->at == self->end || *self->at == '\0')
    return FALSE;
  if (*self->at == 'u')
    return parse_unicode_escape (self);

  name = strchr (names, *self->at);
  if (name == NULL)
    return FALSE;
  self->at++;
  g_string_append_c (self->scratch, values[name - names]);
  return TRUE;
}

/* Takes the plain characters up to the next quote, backslash, control character or broken byte. */
static void
take_plain (Parser *self)
{
  const char *from = self->at;
  const char *at = from;
  const char *end = self->end;

  while (at < end && *at != '"' && *at != '\\' && (guchar) *at >= 0x20)
    {
      int step = (guchar) *at < 0x80 ? 1 : tau_text_utf8_step (at, (gsize) (end - at));

      if (step <= 0)
        break;
      at += step;
    }

  g_string_append_len (self->scratch, from, at - from);
  self->at = at;
}

static void
replace_broken (Parser *self)
{
  int step = tau_text_utf8_step (self->at, (gsize) (self->end - self->at));

  self->at = step < 0 ? self->at - step : self->end;
  g_string_append (self->scratch, "\357\277\275");
}

/* Behind the opening quote: reads into the scratch buffer, to behind the closing one. */
static gboolean
parse_string (Parser *self)
{
  g_string_truncate (self->scratch, 0);

  while (TRUE)
    {
      take_plain (self);
      if (take (self, '"'))
        return TRUE;

      if (take (self, '\\'))
        {
          if (!parse_escape (self))
            return fail (self, "invalid escape");
        }
      else if (self->at == self->end || (guchar) *self->at < 0x20)
        return fail (self, "control character in a string");
      else
        replace_broken (self);
    }
}

static gboolean
skip_digits (Parser *self)
{
  const char *from = self->at;

  while (self->at < self->end && g_ascii_isdigit (*self->at))
    self->at++;

  return self->at > from;
}

/* Goes over a number; @whole tells if it has neither fraction nor exponent. */
static gboolean
skip_number (Parser   *self,
             gboolean *whole)
{
  *whole = TRUE;
  take (self, '-');
  if (!take (self, '0') && !skip_digits (self))
    return FALSE;

  if (take (self, '.'))
    {
      *whole = FALSE;
      if (!skip_digits (self))
        return FALSE;
    }
  if (take (self, 'e') || take (self, 'E'))
    {
      *whole = FALSE;
      if (!take (self, '+'))
        take (self, '-');
      if (!skip_digits (self))
        return FALSE;
    }

  return TRUE;
}

static gint64
read_short_integer (const char *at,
                    const char *end)
{
  gboolean negative = *at == '-';
  gint64 value = 0;

  for (at += negative; at < end; at++)
    value = value * 10 + (*at - '0');

  return negative ? -value : value;
}

static JsonNode *
parse_number (Parser *self)
{
  const char *from = self->at;
  gboolean whole;
  double value;

  if (!skip_number (self, &whole))
    {
      fail (self, self->at == from ? "unexpected character" : "invalid number");
      return NULL;
    }
  if (whole && self->at - from <= 15)
    return tau_json_node_new_int (read_short_integer (from, self->at));

  /* strtod() wants a NUL behind the number. */
  g_string_truncate (self->scratch, 0);
  g_string_append_len (self->scratch, from, self->at - from);
  value = g_ascii_strtod (self->scratch->str, NULL);

  if (fabs (value) <= MAX_SAFE_INTEGER && value == floor (value))
    return tau_json_node_new_int ((gint64) value);
  return tau_json_node_new_double (value);
}

static JsonNode *
parse_literal (Parser     *self,
               const char *literal,
               JsonNode   *node)
{
  gsize length = strlen (literal);

  if ((gsize) (self->end - self->at) < length || memcmp (self->at, literal, length) != 0)
    {
      fail (self, "unexpected character");
      json_node_unref (node);
      return NULL;
    }

  self->at += length;
  return node;
}

static gboolean
enter (Parser *self)
{
  if (self->depth == MAX_DEPTH)
    return fail (self, "nested too deeply");

  self->depth++;
  return TRUE;
}

/* Behind an item: TRUE if another one follows; else the list is closed, or something failed. */
static gboolean
take_separator (Parser *self,
                char    close)
{
  skip_space (self);
  if (take (self, close))
    return FALSE;
  if (!take (self, ','))
    return fail (self, "expected a comma or the end of the list");

  skip_space (self);
  return !(self->relaxed && take (self, close));
}

static JsonNode *
parse_array (Parser *self)
{
  g_autoptr(JsonArray) array = NULL;
  gboolean more;

  if (!enter (self))
    return NULL;

  array = json_array_new ();
  self->at++;
  skip_space (self);
  for (more = !take (self, ']'); more; more = take_separator (self, ']'))
    {
      JsonNode *item = parse_value (self);

      if (item == NULL)
        return NULL;
      json_array_add_element (array, item);
    }

  self->depth--;
  return self->problem == NULL ? tau_json_node_new_array (g_steal_pointer (&array)) : NULL;
}

/* The number of a key that JavaScript takes for an array index (ECMA-262, "array index"), else -1. */
static gint64
key_index (const char *key)
{
  gsize length = strspn (key, "0123456789");
  gint64 index;

  if (length == 0 || length > 10 || key[length] != '\0' || (key[0] == '0' && length > 1))
    return -1;

  index = g_ascii_strtoll (key, NULL, 10);
  return index < G_MAXUINT32 ? index : -1;
}

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  gint64 left = key_index (*(const char * const *) a);
  gint64 right = key_index (*(const char * const *) b);

  return (left > right) - (left < right);
}

static void
add_member (Members    *members,
            const char *key,
            JsonNode   *value)
{
  if (g_ascii_isdigit (key[0]))
    members->has_index |= key_index (key) >= 0;

  if (!json_object_has_member (members->object, key))
    {
      json_object_set_member (members->object, key, value);
      return;
    }

  if (members->repeated == NULL)
    members->repeated = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_node_unref);
  g_hash_table_replace (members->repeated, g_strdup (key), value);
}

static JsonNode *
last_value (Members    *members,
            const char *key)
{
  JsonNode *value = members->repeated != NULL ? g_hash_table_lookup (members->repeated, key) : NULL;

  return json_node_ref (value != NULL ? value : json_object_get_member (members->object, key));
}

/* JavaScript lists index keys first, in the order of their numbers; the others keep theirs. */
static JsonObject *
rebuild (Members *members)
{
  JsonObject *object = json_object_new ();
  g_autoptr(GPtrArray) keys = g_ptr_array_new ();
  g_autoptr(GPtrArray) others = g_ptr_array_new ();
  g_autoptr(GList) list = json_object_get_members (members->object);

  for (GList *l = list; l != NULL; l = l->next)
    g_ptr_array_add (key_index (l->data) >= 0 ? keys : others, l->data);
  g_ptr_array_sort (keys, compare_keys);
  g_ptr_array_extend (keys, others, NULL, NULL);

  for (guint i = 0; i < keys->len; i++)
    json_object_set_member (object, g_ptr_array_index (keys, i), last_value (members, g_ptr_array_index (keys, i)));

  return object;
}

static gboolean
parse_member (Parser  *self,
              Members *members)
{
  g_autofree char *long_key = NULL;
  char short_key[64];
  const char *key = short_key;
  JsonNode *value;

  if (!take (self, '"'))
    return fail (self, "expected a key in double quotes");
  if (!parse_string (self))
    return FALSE;

  /* The value will use the scratch buffer too. */
  if (self->scratch->len < sizeof short_key)
    memcpy (short_key, self->scratch->str, self->scratch->len + 1);
  else
    key = long_key = g_strndup (self->scratch->str, self->scratch->len);

  skip_space (self);
  if (!take (self, ':'))
    return fail (self, "expected a colon");

  value = parse_value (self);
  if (value == NULL)
    return FALSE;
  add_member (members, key, value);
  return TRUE;
}

/* At the brace. The members that could be read are there even if a later one could not. */
static void
parse_members (Parser  *self,
               Members *members)
{
  gboolean more;

  self->at++;
  skip_space (self);
  for (more = !take (self, '}'); more; more = take_separator (self, '}'))
    if (!parse_member (self, members))
      break;
}

static JsonNode *
parse_object (Parser *self)
{
  Members members = { 0 };
  JsonNode *node = NULL;

  if (!enter (self))
    return NULL;

  members.object = json_object_new ();
  parse_members (self, &members);
  if (self->problem == NULL && (members.repeated != NULL || members.has_index))
    node = tau_json_node_new_object (rebuild (&members));
  else if (self->problem == NULL)
    node = tau_json_node_new_object (json_object_ref (members.object));

  self->depth--;
  json_object_unref (members.object);
  g_clear_pointer (&members.repeated, g_hash_table_unref);
  return node;
}

static JsonNode *
parse_value (Parser *self)
{
  skip_space (self);

  switch (self->at < self->end ? *self->at : '\0')
    {
    case '{':
      return parse_object (self);
    case '[':
      return parse_array (self);
    case '"':
      self->at++;
      return parse_string (self) ? tau_json_node_new_string (self->scratch->str) : NULL;
    case 't':
      return parse_literal (self, "true", tau_json_node_new_bool (TRUE));
    case 'f':
      return parse_literal (self, "false", tau_json_node_new_bool (FALSE));
    case 'n':
      return parse_literal (self, "null", tau_json_node_new_null ());
    default:
      return parse_number (self);
    }
}

static void
set_error (Parser  *self,
           GError **error)
{
  guint line = 1;
  guint column = 1;

  for (const char *p = self->start; p < self->at; p++)
    {
      if (*p == '\n')
        {
          line++;
          column = 1;
        }
      else if (((guchar) *p & 0xc0) != 0x80)
        column++;
    }

  g_set_error (error, TAU_JSON_ERROR, TAU_JSON_ERROR_SYNTAX, "%s at line %u, column %u", self->problem, line, column);
}

static JsonNode *
parse (const char *text,
       gssize      length,
       gboolean    relaxed,
       GError    **error)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  Parser parser = { .start = text, .at = text, .end = text + size, .relaxed = relaxed };
  JsonNode *root;

  parser.scratch = g_string_sized_new (256);
  root = parse_value (&parser);
  if (root != NULL)
    {
      skip_space (&parser);
      if (parser.at < parser.end)
        fail (&parser, "text behind the end");
    }
  if (parser.problem != NULL)
    {
      g_clear_pointer (&root, json_node_unref);
      if (error != NULL)
        set_error (&parser, error);
    }

  g_string_free (parser.scratch, TRUE);
  return root;
}

/**
 * tau_json_parse:
 * @text: JSON
 * @length: bytes of @text, or -1
 * @error: return location
 *
 * Reads one JSON text (RFC 8259), strictly. Integers up to 2^53 become int64 nodes, other numbers doubles. Bytes that are
 * not UTF-8 become U+FFFD. Lists may be nested 512 deep.
 *
 * Returns: (transfer full) (nullable): the tree, or %NULL with %TAU_JSON_ERROR_SYNTAX, whose message ends in
 *   "line L, column C"
 */
JsonNode *
tau_json_parse (const char *text,
                gssize      length,
                GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  return parse (text, length, FALSE, error);
}

/**
 * tau_json_parse_relaxed:
 * @text: JSON that a person wrote
 * @length: bytes of @text, or -1
 * @error: return location
 *
 * Like tau_json_parse(), but takes // comments outside of strings, and a comma behind the last item.
 *
 * Returns: (transfer full) (nullable): the tree, or %NULL with %TAU_JSON_ERROR_SYNTAX
 */
JsonNode *
tau_json_parse_relaxed (const char *text,
                        gssize      length,
                        GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  return parse (text, length, TRUE, error);
}
