/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include <math.h>
#include <string.h>

/* Reads the arguments of a tool call while they still stream in, and those that a model wrote carelessly. First
 * strictly, then with the strings repaired; what is left is read tolerantly: what is open is closed, what is half there
 * is left out. The tolerant reader never judges: where it cannot go on, it ends the enclosing list with what that has.
 * It resumes behind a broken token where pi does, so that both show the same arguments. */

#define MAX_DEPTH 512

typedef struct
{
  const char *text;
  const char *at;
  const char *end;
  const char *last_e;           /* of the whole text: found once, so that many bad numbers cost no more than one */
  const char *last_backslash;
  guint       depth;
} Reader;

static JsonNode *read_value (Reader *self);

static void
skip_space (Reader *self)
{
  while (self->at < self->end && *self->at != '\0' && strchr (" \n\r\t", *self->at) != NULL)
    self->at++;
}

static gboolean
is_at (Reader *self,
       char    c)
{
  return self->at < self->end && *self->at == c;
}

static JsonNode *
parse_slice (const char *from,
             const char *to)
{
  return to > from ? tau_json_parse (from, to - from, NULL) : NULL;
}

/* The first half of a pair of escapes is no text yet. */
static JsonNode *
drop_open_surrogate (JsonNode *node)
{
  const char *string = json_node_get_string (node);
  gsize length = strlen (string);

  if (length >= 3 && (guchar) string[length - 3] == 0xed && ((guchar) string[length - 2] & 0xf0) == 0xa0)
    {
      g_autofree char *shorter = g_strndup (string, length - 3);

      json_node_set_string (node, shorter);
    }

  return node;
}

/* The first bytes of a character are no text yet either. */
static const char *
skip_open_character (const char *from,
                     const char *to)
{
  const char *lead = to - 1;
  gsize length;

  while (lead > from && to - lead < 4 && ((guchar) *lead & 0xc0) == 0x80)
    lead--;
  length = (guchar) *lead >= 0xf0 ? 4 : (guchar) *lead >= 0xe0 ? 3 : (guchar) *lead >= 0xc0 ? 2 : 1;

  return (gsize) (to - lead) < length ? lead : to;
}

/* Reads an unfinished string as if it ended at @to. */
static JsonNode *
close_string (const char *from,
              const char *to)
{
  g_autoptr(GString) quoted = NULL;
  JsonNode *node;

  if (to <= from)
    return NULL;

  to = skip_open_character (from, to);
  quoted = g_string_new_len (from, to - from);
  g_string_append_c (quoted, '"');
  node = tau_json_parse (quoted->str, (gssize) quoted->len, NULL);
  return node != NULL ? drop_open_surrogate (node) : NULL;
}

/* Goes to the closing quote. If there is none, @cut is where the text ends without a backslash that begins nothing. */
static gboolean
find_quote (Reader      *self,
            const char **cut)
{
  gboolean escaped = FALSE;

  for (; self->at < self->end; self->at++)
    {
      if (*self->at == '"' && !escaped)
        return TRUE;
      escaped = *self->at == '\\' && !escaped;
    }

  *cut = self->end - escaped;
  return FALSE;
}

static JsonNode *
read_string (Reader *self)
{
  const char *from = self->at;
  const char *cut;
  JsonNode *string;

  if (from == self->end)
    return NULL;

  self->at++;
  if (find_quote (self, &cut))
    {
      self->at++;
      return *from == '"' ? parse_slice (from, self->at) : NULL;
    }
  if (*from != '"')
    return NULL;

  string = close_string (from, cut);
  return string != NULL ? string : close_string (from, self->last_backslash);
}

/* A number reaches to the end of its list item; a cut-off exponent is left away. */
static JsonNode *
read_number (Reader *self)
{
  const char *from = self->at;
  JsonNode *number;

  if (from == self->text)
    self->at = self->end;
  if (is_at (self, '-'))
    self->at++;
  while (self->at < self->end && strchr (",]}", *self->at) == NULL)
    self->at++;

  number = parse_slice (from, self->at);
  return number != NULL ? number : parse_slice (from, self->last_e);
}

/* TRUE if @literal or, at the end of the text, at least the first @least characters of it stand here. */
static gboolean
take_literal (Reader     *self,
              const char *literal,
              gsize       least)
{
  gsize length = MIN ((gsize) (self->end - self->at), strlen (literal));

  if (length < least || memcmp (self->at, literal, length) != 0)
    return FALSE;

  self->at += length;
  return TRUE;
}

static JsonNode *
read_scalar (Reader *self)
{
  if (take_literal (self, "null", 1))
    return tau_json_node_new_null ();
  if (take_literal (self, "true", 1))
    return tau_json_node_new_bool (TRUE);
  if (take_literal (self, "false", 1))
    return tau_json_node_new_bool (FALSE);
  if (take_literal (self, "Infinity", 1))
    return tau_json_node_new_double (INFINITY);
  if (take_literal (self, "-Infinity", 2))
    return tau_json_node_new_double (-INFINITY);
  if (take_literal (self, "NaN", 1))
    return tau_json_node_new_double (NAN);
  return read_number (self);
}

static void
skip_comma (Reader *self)
{
  skip_space (self);
  if (is_at (self, ','))
    self->at++;
}

static JsonNode *
read_array (Reader *self)
{
  JsonArray *array = json_array_new ();

  self->at++;
  while (!is_at (self, ']'))
    {
      JsonNode *item = read_value (self);

      if (item == NULL)
        return tau_json_node_new_array (array);
      json_array_add_element (array, item);
      skip_comma (self);
    }

  self->at++;
  return tau_json_node_new_array (array);
}

static gboolean
read_member (Reader     *self,
             JsonObject *object)
{
  g_autoptr(JsonNode) key = NULL;
  JsonNode *value;

  skip_space (self);
  key = read_string (self);
  if (key == NULL)
    return FALSE;

  skip_space (self);
  if (self->at < self->end)
    self->at++;                  /* the colon, or whatever stands for it */
  value = read_value (self);
  if (value == NULL)
    return FALSE;

  tau_json_object_set (object, json_node_get_string (key), value);
  skip_comma (self);
  return TRUE;
}

static JsonNode *
read_object (Reader *self)
{
  JsonObject *object = json_object_new ();

  self->at++;
  skip_space (self);
  while (!is_at (self, '}'))
    if (!read_member (self, object))
      return tau_json_node_new_object (object);

  self->at++;
  return tau_json_node_new_object (object);
}

static JsonNode *
read_value (Reader *self)
{
  JsonNode *node;

  skip_space (self);
  if (self->at == self->end || self->depth == MAX_DEPTH)
    return NULL;

  self->depth++;
  switch (*self->at)
    {
    case '"':
      node = read_string (self);
      break;
    case '{':
      node = read_object (self);
      break;
    case '[':
      node = read_array (self);
      break;
    default:
      node = read_scalar (self);
    }
  self->depth--;

  return node;
}

static JsonNode *
parse_tolerant (const char *text,
                gsize       length)
{
  Reader reader = { .text = text, .at = text, .end = text + length };

  while (reader.end > text && g_ascii_isspace (reader.end[-1]))
    reader.end--;
  skip_space (&reader);
  reader.text = reader.at;
  reader.last_e = memrchr (text, 'e', length);
  reader.last_backslash = memrchr (text, '\\', length);
  return read_value (&reader);
}

/* Appends the escape that begins at @at and returns its length. A backslash that begins none stands for itself. */
static gsize
repair_escape (GString    *out,
               const char *at,
               const char *end)
{
  if (end - at > 1 && at[1] != '\0' && strchr ("\"\\/bfnrtu", at[1]) != NULL)
    {
      g_string_append_len (out, at, 2);
      return 2;
    }

  g_string_append (out, "\\\\");
  return 1;
}

static void
repair_control (GString *out,
                char     c)
{
  static const char names[0x20] = { ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't' };

  if (names[(guchar) c] != '\0')
    g_string_append_printf (out, "\\%c", names[(guchar) c]);
  else
    g_string_append_printf (out, "\\u%04x", (guint) c);
}

/* Makes the strings of @text say what was surely meant; NULL if there is nothing to mend. */
static GString *
repair (const char *text,
        gsize       length)
{
  GString *out = g_string_sized_new (length + 16);
  const char *end = text + length;
  gboolean in_string = FALSE;

  for (const char *at = text; at < end;)
    {
      if (in_string && *at == '\\')
        {
          at += repair_escape (out, at, end);
          continue;
        }
      if (*at == '"')
        in_string = !in_string;
      if (in_string && (guchar) *at < 0x20)
        repair_control (out, *at);
      else
        g_string_append_c (out, *at);
      at++;
    }

  /* A repair only ever adds bytes. */
  if (out->len == length)
    {
      g_string_free (out, TRUE);
      return NULL;
    }
  return out;
}

/**
 * tau_json_parse_repaired:
 * @text: JSON
 * @length: bytes of @text, or -1
 * @error: return location
 *
 * Like tau_json_parse(), but if that fails, once more with raw control characters and invalid escapes inside of strings
 * taken literally.
 *
 * Returns: (transfer full) (nullable): the tree, or %NULL with the %TAU_JSON_ERROR_SYNTAX of the first try
 */
JsonNode *
tau_json_parse_repaired (const char *text,
                         gssize      length,
                         GError    **error)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  g_autoptr(GError) first = NULL;
  g_autoptr(GString) repaired = NULL;
  JsonNode *node = tau_json_parse (text, (gssize) size, error != NULL ? &first : NULL);

  if (node == NULL)
    {
      repaired = repair (text, size);
      if (repaired != NULL)
        node = tau_json_parse (repaired->str, (gssize) repaired->len, NULL);
    }
  if (node == NULL && first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));

  return node;
}

/**
 * tau_json_parse_partial:
 * @text: JSON whose end may be missing
 * @length: bytes of @text, or -1
 *
 * Reads as much of @text as can be understood. Costs time in proportion to @length: who calls it for each piece of
 * a stream should not do so more often than somebody looks.
 *
 * Returns: (transfer full): a tree; an empty object if nothing can be understood. What is complete and valid
 *   may also be something else than an object
 */
JsonNode *
tau_json_parse_partial (const char *text,
                        gssize      length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  g_autoptr(GString) repaired = NULL;
  JsonNode *node = tau_json_parse_repaired (text, (gssize) size, NULL);

  if (node != NULL)
    return node;

  node = parse_tolerant (text, size);
  if (node == NULL && (repaired = repair (text, size)) != NULL)
    node = parse_tolerant (repaired->str, repaired->len);
  if (node != NULL && !JSON_NODE_HOLDS_NULL (node))
    return node;

  g_clear_pointer (&node, json_node_unref);
  return tau_json_node_new_object (json_object_new ());
}
