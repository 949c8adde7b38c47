/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include "core/base/tau-error.h"

#include <math.h>
#include <string.h>

static JsonNode *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse (text, -1, &error);

  g_assert_no_error (error);
  return node;
}

/* The right column is what node prints for JSON.stringify (JSON.parse (left)). */
static void
test_round_trip (void)
{
  static const char * const cases[][2] = {
    { "\"\\u007f\"", "\"\x7f\"" },
    { "\"\\u0001\\u001f\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\"\\u0001\\u001f\\b\\f\\n\\r\\t/\\\\\\\"\"" },
    { "\"a\\u0000b\"", "\"a\\u0000b\"" },
    { "\"\\ud800\"", "\"\\ud800\"" },
    { "\"x\\uDC00y\"", "\"x\\udc00y\"" },
    { "\"\\ud83d\\ud83d\\ude00\\ude00\"", "\"\\ud83d\xf0\x9f\x98\x80\\ude00\"" },
    { "\"\\ud83d\\u0041\"", "\"\\ud83dA\"" },
    { "\"\\u00e9 \xe6\xbc\xa2 \xe2\x80\xa8\"", "\"\xc3\xa9 \xe6\xbc\xa2 \xe2\x80\xa8\"" },
    { "1.0", "1" },
    { "-0", "0" },
    { "-0.0", "0" },
    { "1e5", "100000" },
    { "1E+2", "100" },
    { "0.1", "0.1" },
    { "4.35", "4.35" },
    { "3.141592653589793", "3.141592653589793" },
    { "0.000039999999999999996", "0.000039999999999999996" },
    { "0.000001", "0.000001" },
    { "1e-7", "1e-7" },
    { "-1.5e-7", "-1.5e-7" },
    { "5e-324", "5e-324" },
    { "1.7976931348623157e308", "1.7976931348623157e+308" },
    { "7.120236347223045e-307", "7.120236347223045e-307" },
    { "1e20", "100000000000000000000" },
    { "1e21", "1e+21" },
    { "1e400", "null" },
    { "9007199254740991", "9007199254740991" },
    { "9007199254740993", "9007199254740992" },
    { "9223372036854775808", "9223372036854776000" },
    { "18446744073709551616", "18446744073709552000" },
    { "123456789012345680000", "123456789012345680000" },
    { " [ 1 , {\t\"a\" :\r\n[ ] } , true , false , null ] ", "[1,{\"a\":[]},true,false,null]" },
    { "{\"2\":1,\"1\":2,\"a\":3,\"01\":4,\"4294967295\":5,\"4294967294\":6}",
      "{\"1\":2,\"2\":1,\"4294967294\":6,\"a\":3,\"01\":4,\"4294967295\":5}" },
    { "{\"a\":1,\"b\":2,\"a\":[3]}", "{\"a\":[3],\"b\":2}" },
    { "{\"a\":\"x\",\"1\":0,\"a\":null,\"a\":{\"c\":1},\"1\":7}", "{\"1\":7,\"a\":{\"c\":1}}" },
    { "{\"\":{\"\":{}}}", "{\"\":{\"\":{}}}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(JsonNode) node = parse (cases[i][0]);
      g_autofree char *text = tau_json_to_string (node);

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

static void
test_rejected (void)
{
  static const char * const cases[] = {
    "", " ", "'x'", "/* c */1", "// c\n1", "01", "-01", ".5", "5.", "1e", "1e+", "-", "+1", "0x10", "\"\t\"", "\"\\x41\"",
    "\"\\q\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\", "\"", "\"a", "var x = 1;", "{} {}", "1 2", "[0123]", "[1,]", "[,1]",
    "[1 2]", "[1", "[", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\"}", "{\"a\" 1}", "{\"a\":}", "{\"a\":1", "{\"a\":1]", "{",
    "nul", "nulll", "True", "NaN", "Infinity", "undefined", "\xef\xbb\xbf" "1", "\xc2\xa0" "1", "\v1", "]", "}", ":", ",",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(JsonNode) node = tau_json_parse (cases[i], -1, &error);

      g_test_message ("%s", cases[i]);
      g_assert_null (node);
      g_assert_error (error, TAU_JSON_ERROR, TAU_JSON_ERROR_SYNTAX);
    }
}

static void
test_error_position (void)
{
  static const struct { const char *text; const char *message; } cases[] = {
    { "", "unexpected end at line 1, column 1" },
    { "{\n  \"\xc3\xa9\": x\n}", "unexpected character at line 2, column 8" },
    { "[1,\n2", "unexpected end at line 2, column 2" },
    { "{} 1", "text behind the end at line 1, column 4" },
    { "{\"a\":1,}", "expected a key in double quotes at line 1, column 8" },
    { "\"a\nb\"", "control character in a string at line 1, column 3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_json_parse (cases[i].text, -1, &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_length (void)
{
  g_autoptr(JsonNode) node = tau_json_parse ("123456", 3, NULL);

  g_assert_cmpint (tau_json_get_int (node, NULL, 0), ==, 123);
  g_assert_null (tau_json_parse ("\"a\"", 2, NULL));
  g_assert_null (tau_json_parse ("\"a\0b\"", 5, NULL));
  g_assert_null (tau_json_parse ("true", 3, NULL));
}

/* One U+FFFD for each wrong sequence, as TextDecoder has it. */
static void
test_invalid_utf8 (void)
{
  g_autoptr(JsonNode) node = tau_json_parse ("\"a\xff" "b\xe2\x82" "c\xed\xa0\x80" "d\xc0\x80\"", -1, NULL);

  g_assert_cmpstr (tau_json_get_string (node, NULL, NULL), ==,
                   "a\357\277\275b\357\277\275c\357\277\275\357\277\275\357\277\275d\357\277\275\357\277\275");
}

static void
test_encoding_of_strings (void)
{
  g_autoptr(JsonNode) node = parse ("\"\\u0000\\ud83d\"");
  g_autoptr(JsonNode) halves = tau_json_node_new_string ("\xed\xa0\xbd\xed\xb8\x80\xff");
  g_autofree char *joined = tau_json_to_string (halves);

  g_assert_cmpstr (tau_json_get_string (node, NULL, NULL), ==, "\xc0\x80\xed\xa0\xbd");
  g_assert_cmpstr (joined, ==, "\"\xf0\x9f\x98\x80\357\277\275\"");
}

static void
test_depth (void)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(JsonNode) node = NULL;

  for (guint i = 0; i < 512; i++)
    g_string_append_c (text, '[');
  for (guint i = 0; i < 512; i++)
    g_string_append_c (text, ']');
  node = parse (text->str);
  g_assert_nonnull (node);

  g_string_prepend (text, "[");
  g_string_append (text, "]");
  g_assert_null (tau_json_parse (text->str, -1, NULL));
}

/* Quadratic work on these would take minutes. */
static void
test_hostile_size (void)
{
  g_autoptr(GString) text = g_string_new ("{");
  g_autoptr(JsonNode) node = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "\"k%u\":1,", i);
  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "\"k99999\":2,");
  g_string_append (text, "\"k0\":3}");
  node = parse (text->str);

  g_assert_cmpuint (json_object_get_size (tau_json_get_object (node, NULL)), ==, 100000);
  g_assert_cmpint (tau_json_get_int (node, "k99999", 0), ==, 2);
  g_assert_cmpint (tau_json_get_int (node, "k0", 0), ==, 3);
}

static void
test_relaxed (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = tau_json_parse_relaxed ("// first\n{ // c\n \"u\": \"http://x\", // \"d\"\n \"l\": [1, 2, ], }// end",
                                                     -1, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = tau_json_to_string (node);
  g_assert_cmpstr (text, ==, "{\"u\":\"http://x\",\"l\":[1,2]}");

  g_assert_null (tau_json_parse_relaxed ("[,]", -1, NULL));
  g_assert_null (tau_json_parse_relaxed ("[1,,]", -1, NULL));
  g_assert_null (tau_json_parse_relaxed ("[1] / 2", -1, NULL));
  g_assert_null (tau_json_parse_relaxed ("// only", -1, NULL));
}

static void
test_pretty (void)
{
  g_autoptr(JsonNode) node = parse ("{\"a\":[1,{\"b\":[]},{}],\"c\":{\"d\":null}}");
  g_autofree char *text = tau_json_to_pretty_string (node);

  g_assert_cmpstr (text, ==,
                   "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    },\n    {}\n  ],\n  \"c\": {\n    \"d\": null\n  }\n}");
}

static void
test_get (void)
{
  g_autoptr(JsonNode) node = parse ("{\"a\":{\"b\":[10,{\"c\":\"x\"}]},\"t\":true,\"d\":2.75,\"z\":null,\"h\":1e300,\"7\":\"s\"}");

  g_assert_cmpstr (tau_json_get_string (node, "a.b.1.c", NULL), ==, "x");
  g_assert_cmpstr (tau_json_get_string (node, "7", NULL), ==, "s");
  g_assert_cmpint (tau_json_get_int (node, "a.b.0", 0), ==, 10);
  g_assert_cmpint (tau_json_get_int (node, "d", 0), ==, 2);
  g_assert_cmpint (tau_json_get_int (node, "h", 0), ==, G_MAXINT64);
  g_assert_cmpfloat (tau_json_get_double (node, "d", 0), ==, 2.75);
  g_assert_cmpfloat (tau_json_get_double (node, "a.b.0", 0), ==, 10);
  g_assert_true (tau_json_get_bool (node, "t", FALSE));
  g_assert_true (tau_json_is_null (node, "z"));
  g_assert_nonnull (tau_json_get_object (node, "a"));
  g_assert_nonnull (tau_json_get_array (node, "a.b"));
  g_assert_true (tau_json_get (node, "") == node);
  g_assert_true (tau_json_get (node, NULL) == node);
}

static void
test_get_fallback (void)
{
  g_autoptr(JsonNode) node = parse ("{\"a\":[1],\"s\":\"12\",\"z\":null}");
  static const char * const missing[] = { "x", "a.1", "a.-1", "a.0.b", "a.x", "a.0x", "s.t", "z.z", "a.99999999999999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (missing); i++)
    g_assert_null (tau_json_get (node, missing[i]));

  g_assert_cmpstr (tau_json_get_string (node, "a", "f"), ==, "f");
  g_assert_cmpstr (tau_json_get_string (node, "z", "f"), ==, "f");
  g_assert_cmpint (tau_json_get_int (node, "s", 5), ==, 5);
  g_assert_cmpfloat (tau_json_get_double (node, "z", 5), ==, 5);
  g_assert_true (tau_json_get_bool (node, "a.0", TRUE));
  g_assert_null (tau_json_get_object (node, "a"));
  g_assert_null (tau_json_get_array (node, "s"));
  g_assert_false (tau_json_is_null (node, "x"));
  g_assert_cmpint (tau_json_get_int (NULL, "a", 5), ==, 5);
  g_assert_null (tau_json_get_string (NULL, NULL, NULL));
}

static void
test_equal (void)
{
  static const struct { const char *a; const char *b; gboolean equal; } cases[] = {
    { "{\"a\":1,\"b\":[1,\"x\",null,true]}", "{\"b\":[1.0,\"x\",null,true],\"a\":1}", TRUE },
    { "{\"a\":1}", "{\"a\":1,\"b\":1}", FALSE },
    { "{\"a\":1}", "{\"b\":1}", FALSE },
    { "[1,2]", "[2,1]", FALSE },
    { "[1]", "[1,1]", FALSE },
    { "1", "\"1\"", FALSE },
    { "1", "true", FALSE },
    { "0.5", "0.5", TRUE },
    { "null", "false", FALSE },
    { "[]", "{}", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(JsonNode) a = parse (cases[i].a);
      g_autoptr(JsonNode) b = parse (cases[i].b);

      g_assert_cmpint (tau_json_equal (a, b), ==, cases[i].equal);
      g_assert_cmpint (tau_json_equal (b, a), ==, cases[i].equal);
      g_assert_false (tau_json_equal (a, NULL));
    }
  g_assert_true (tau_json_equal (NULL, NULL));
}

static void
test_copy (void)
{
  g_autoptr(JsonNode) node = parse ("{\"b\":[{\"x\":1}],\"a\":\"s\",\"n\":null,\"t\":true}");
  g_autofree char *before = tau_json_to_string (node);
  g_autoptr(JsonNode) copy = tau_json_copy (node);
  g_autofree char *text = tau_json_to_string (copy);
  g_autofree char *after = NULL;

  g_assert_cmpstr (text, ==, before);
  tau_json_object_set (tau_json_get_object (copy, "b.0"), "x", tau_json_node_new_int (2));
  after = tau_json_to_string (node);
  g_assert_cmpstr (after, ==, before);
  g_assert_null (tau_json_copy (NULL));
}

static void
test_build (void)
{
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  g_autoptr(JsonNode) node = tau_json_node_new_object (object);
  g_autofree char *text = NULL;

  json_array_add_element (array, tau_json_node_new_double (0.5));
  json_array_add_element (array, tau_json_node_new_double (NAN));
  json_array_add_element (array, tau_json_node_new_double (3));
  tau_json_object_set (object, "z", tau_json_node_new_string ("\n"));
  tau_json_object_set (object, "a", tau_json_node_new_array (array));
  tau_json_object_set (object, "n", tau_json_node_new_null ());
  tau_json_object_set (object, "b", tau_json_node_new_bool (FALSE));
  tau_json_object_set (object, "z", tau_json_node_new_int (-5));
  text = tau_json_to_string (node);

  g_assert_cmpstr (text, ==, "{\"z\":-5,\"a\":[0.5,null,3],\"n\":null,\"b\":false}");
}

/* What was parsed prints as something that parses to the same; what was not names a place. */
static void
check_mutant (const char *text,
              gsize       length)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = tau_json_parse (text, (gssize) length, &error);
  g_autoptr(JsonNode) partial = tau_json_parse_partial (text, (gssize) length);
  g_autoptr(JsonNode) again = NULL;
  g_autofree char *printed = NULL;

  g_assert_nonnull (partial);
  if (node == NULL)
    {
      g_assert_nonnull (strstr (error->message, " at line "));
      return;
    }

  g_assert_true (tau_json_equal (node, partial) || JSON_NODE_HOLDS_VALUE (node));
  printed = tau_json_to_string (node);
  again = parse (printed);
  g_assert_true (tau_json_equal (node, again));
}

static void
test_mutations (void)
{
  static const char seed[] = "{\"a\":[1,{\"b\":\"x\\n\\u00e9\\ud83d\"}],\"1\":true,\"d\":null,\"e\":-1.5e3,\"a\":\"\xe6\xbc\xa2\"}";
  static const char bytes[] = "{}[]\",:\\u0e-.1 nt\t\xff\xc3\xed";

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_memdup2 (seed, sizeof seed - 1);
      gsize length = (gsize) g_test_rand_int_range (1, (gint32) sizeof seed);

      for (guint k = 0; k < 3; k++)
        text[g_test_rand_int_range (0, (gint32) length)] = bytes[g_test_rand_int_range (0, sizeof bytes - 1)];
      check_mutant (text, length);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json/round-trip", test_round_trip);
  g_test_add_func ("/json/rejected", test_rejected);
  g_test_add_func ("/json/error-position", test_error_position);
  g_test_add_func ("/json/length", test_length);
  g_test_add_func ("/json/invalid-utf8", test_invalid_utf8);
  g_test_add_func ("/json/encoding-of-strings", test_encoding_of_strings);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/hostile-size", test_hostile_size);
  g_test_add_func ("/json/relaxed", test_relaxed);
  g_test_add_func ("/json/pretty", test_pretty);
  g_test_add_func ("/json/get", test_get);
  g_test_add_func ("/json/get-fallback", test_get_fallback);
  g_test_add_func ("/json/equal", test_equal);
  g_test_add_func ("/json/copy", test_copy);
  g_test_add_func ("/json/build", test_build);
  g_test_add_func ("/json/mutations", test_mutations);

  return g_test_run ();
}
