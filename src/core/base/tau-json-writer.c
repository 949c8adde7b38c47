/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include "core/base/tau-text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prints what JSON.stringify prints, to the byte, since session files and requests are shared with pi and compared to its.
 * Formats: ECMA-262, QuoteJSONString and Number::toString. */

/* The UTF-16 surrogate that is encoded at @at, or 0. */
static guint32
read_surrogate (const char *at,
                const char *end)
{
  if (end - at < 3 || (guchar) at[0] != 0xed || ((guchar) at[1] & 0xe0) != 0xa0 || ((guchar) at[2] & 0xc0) != 0x80)
    return 0;

  return 0xd000 | (((guint32) (guchar) at[1] & 0x3f) << 6) | ((guchar) at[2] & 0x3f);
}

/* Two halves that came from different texts make one character. */
static const char *
append_surrogate (GString    *out,
                  const char *at,
                  const char *end)
{
  guint32 high = read_surrogate (at, end);
  guint32 low = high < 0xdc00 ? read_surrogate (at + 3, end) : 0;

  if (low >= 0xdc00)
    {
      g_string_append_unichar (out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      return at + 6;
    }

  g_string_append_printf (out, "\\u%04x", high);
  return at + 3;
}

/* Appends the one ASCII character that needs an escape. */
static void
append_escape (GString *out,
               guchar   c)
{
  static const char names[0x20] = { ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't' };

  if (c >= 0x20)
    g_string_append_printf (out, "\\%c", c);
  else if (names[c] != '\0')
    g_string_append_printf (out, "\\%c", names[c]);
  else
    g_string_append_printf (out, "\\u%04x", c);
}

/* Appends the character at @at that cannot be copied as it is; returns where to go on. */
static const char *
append_special (GString    *out,
                const char *at,
                const char *end)
{
  int step;

  if ((guchar) *at < 0x80)
    {
      append_escape (out, (guchar) *at);
      return at + 1;
    }
  if ((guchar) at[0] == 0xc0 && end - at > 1 && (guchar) at[1] == 0x80)
    {
      append_escape (out, 0);
      return at + 2;
    }
  if (read_surrogate (at, end) != 0)
    return append_surrogate (out, at, end);

  step = tau_text_utf8_step (at, (gsize) (end - at));
  g_string_append (out, "\357\277\275");
  return step < 0 ? at - step : end;
}

static gboolean
needs_escape (char c)
{
  return (guchar) c < 0x20 || c == '"' || c == '\\';
}

/**
 * tau_json_append_string:
 * @out: where to
 * @text: a string as it stands in a node
 *
 * Appends @text in quotes, with escapes.
 */
void
tau_json_append_string (GString    *out,
                        const char *text)
{
  const char *end = text + strlen (text);
  const char *from = text;
  const char *at = text;

  g_string_append_c (out, '"');
  while (at < end)
    {
      int step = (guchar) *at < 0x80 ? !needs_escape (*at) : tau_text_utf8_step (at, (gsize) (end - at));

      if (step > 0)
        {
          at += step;
          continue;
        }
      g_string_append_len (out, from, at - from);
      from = at = append_special (out, at, end);
    }
  g_string_append_len (out, from, at - from);
  g_string_append_c (out, '"');
}

/* Makes d.ddde±x the next larger number of as many digits. */
static void
round_up (char *number)
{
  char *digit = strchr (number, 'e') - 1;

  while (digit > number && (*digit == '9' || *digit == '.'))
    {
      if (*digit == '9')
        *digit = '0';
      digit--;
    }
  *digit += 1;
}

/* Writes @value as d.ddde±x with @digits behind the point; TRUE if that reads back as the same number. */
static gboolean
format_exact (double value,
              int    digits,
              char  *buffer,
              int    size)
{
  char format[8];
  int exponent;

  g_snprintf (format, sizeof format, "%%.%de", digits);
  g_ascii_formatd (buffer, size, format, value);
  if (g_ascii_strtod (buffer, NULL) == value)
    return TRUE;

  /* The doubles above a power of two lie wider apart than those below: the second nearest text may be the one. */
  if (frexp (value, &exponent) != 0.5)
    return FALSE;
  round_up (buffer);
  return g_ascii_strtod (buffer, NULL) == value;
}

/* Writes @value with the fewest digits that read back as the same number. */
static void
format_shortest (double value,
                 char  *buffer,
                 int    size)
{
  /* 15 digits survive the way to a double and back; only the smallest numbers have fewer to give. */
  int digits = value < DBL_MIN ? 0 : 14;

  while (!format_exact (value, digits, buffer, size) && digits < 17)
    digits++;
}

static void
append_zeros (GString *out,
              int      count)
{
  while (count-- > 0)
    g_string_append_c (out, '0');
}

/* Number::toString: the decimal point stands behind digit @point. */
static void
append_digits (GString    *out,
               const char *digits,
               int         point)
{
  int count = (int) strlen (digits);

  if (point > 21 || point < -5)
    {
      g_string_append_c (out, digits[0]);
      if (count > 1)
        g_string_append_printf (out, ".%s", digits + 1);
      g_string_append_printf (out, "e%+d", point - 1);
    }
  else if (point <= 0)
    {
      g_string_append (out, "0.");
      append_zeros (out, -point);
      g_string_append (out, digits);
    }
  else if (count <= point)
    {
      g_string_append (out, digits);
      append_zeros (out, point - count);
    }
  else
    {
      g_string_append_len (out, digits, point);
      g_string_append_printf (out, ".%s", digits + point);
    }
}

static void
append_positive (GString *out,
                 double   value)
{
  char buffer[64];
  char digits[32];
  char *exponent;
  gsize count = 0;

  format_shortest (value, buffer, sizeof buffer);
  exponent = strchr (buffer, 'e');
  for (const char *p = buffer; p < exponent; p++)
    if (*p != '.')
      digits[count++] = *p;
  while (count > 1 && digits[count - 1] == '0')
    count--;
  digits[count] = '\0';

  append_digits (out, digits, (int) strtol (exponent + 1, NULL, 10) + 1);
}

/**
 * tau_json_append_double:
 * @out: where to
 * @value: a number
 *
 * Appends @value as JavaScript prints numbers: shortest digits, no ".0", exponent only below 1e-6 and from 1e21.
 * What is not finite becomes null.
 */
void
tau_json_append_double (GString *out,
                        double   value)
{
  if (!isfinite (value))
    g_string_append (out, "null");
  else if (value == 0)
    g_string_append_c (out, '0');
  else
    {
      if (value < 0)
        g_string_append_c (out, '-');
      append_positive (out, fabs (value));
    }
}

static void
append_value (GString  *out,
              JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    tau_json_append_string (out, json_node_get_string (node));
  else if (type == G_TYPE_INT64)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, json_node_get_int (node));
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "true" : "false");
  else
    tau_json_append_double (out, json_node_get_double (node));
}

/* @indent: columns of this level, or -1 for a text without any space. */
static void
append_line_break (GString *out,
                   int      indent)
{
  if (indent >= 0)
    g_string_append_printf (out, "\n%*s", indent, "");
}

static void append_node (GString *out, JsonNode *node, int indent);

static void
append_object (GString    *out,
               JsonObject *object,
               int         indent)
{
  int inner = indent < 0 ? -1 : indent + 2;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  gboolean first = TRUE;

  g_string_append_c (out, '{');
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &key, &value))
    {
      if (!first)
        g_string_append_c (out, ',');
      first = FALSE;
      append_line_break (out, inner);
      tau_json_append_string (out, key);
      g_string_append (out, indent < 0 ? ":" : ": ");
      append_node (out, value, inner);
    }
  if (!first)
    append_line_break (out, indent);
  g_string_append_c (out, '}');
}

static void
append_array (GString   *out,
              JsonArray *array,
              int        indent)
{
  guint length = json_array_get_length (array);
  int inner = indent < 0 ? -1 : indent + 2;

  g_string_append_c (out, '[');
  for (guint i = 0; i < length; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append_line_break (out, inner);
      append_node (out, json_array_get_element (array, i), inner);
    }
  if (length > 0)
    append_line_break (out, indent);
  g_string_append_c (out, ']');
}

static void
append_node (GString  *out,
             JsonNode *node,
             int       indent)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      append_object (out, json_node_get_object (node), indent);
      break;
    case JSON_NODE_ARRAY:
      append_array (out, json_node_get_array (node), indent);
      break;
    case JSON_NODE_VALUE:
      append_value (out, node);
      break;
    case JSON_NODE_NULL:
    default:
      g_string_append (out, "null");
    }
}

/**
 * tau_json_append:
 * @out: where to
 * @node: a tree
 *
 * Appends @node exactly as JSON.stringify prints it: keys in the order of the object, no spaces.
 */
void
tau_json_append (GString  *out,
                 JsonNode *node)
{
  g_return_if_fail (node != NULL);

  append_node (out, node, -1);
}

static char *
print (JsonNode *node,
       int       indent)
{
  GString *out = g_string_new (NULL);

  append_node (out, node, indent);
  return g_string_free (out, FALSE);
}

/**
 * tau_json_to_string:
 * @node: a tree
 *
 * See tau_json_append().
 *
 * Returns: (transfer full): the text
 */
char *
tau_json_to_string (JsonNode *node)
{
  g_return_val_if_fail (node != NULL, NULL);

  return print (node, -1);
}

/**
 * tau_json_to_pretty_string:
 * @node: a tree
 *
 * Prints @node as JSON.stringify (x, null, 2) does, without a line end behind it.
 *
 * Returns: (transfer full): the text
 */
char *
tau_json_to_pretty_string (JsonNode *node)
{
  g_return_val_if_fail (node != NULL, NULL);

  return print (node, 0);
}
