/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"

#include "core/base/tau-error.h"

#include <string.h>

static void
check (const char *text,
       const char *expected)
{
  g_autofree char *copy = g_memdup2 (text, strlen (text));   /* no NUL behind it */
  g_autoptr(JsonNode) node = tau_json_parse_partial (text[0] != '\0' ? copy : "", (gssize) strlen (text));
  g_autofree char *printed = tau_json_to_string (node);

  g_assert_cmpstr (printed, ==, expected);
}

static void
test_unfinished (void)
{
  check ("", "{}");
  check (" \n", "{}");
  check ("{", "{}");
  check ("{\"", "{}");
  check ("{\"a", "{}");
  check ("{\"a\"", "{}");
  check ("{\"a\":", "{}");
  check ("{\"a\":\"", "{\"a\":\"\"}");
  check ("{\"a\":\"x\\n", "{\"a\":\"x\\n\"}");
  check ("{\"a\":\"x\\", "{\"a\":\"x\"}");
  check ("{\"a\":\"x\\\\", "{\"a\":\"x\\\\\"}");
  check ("{\"a\":\"x\\u12", "{\"a\":\"x\"}");
  check ("{\"a\":\"x\",\"b", "{\"a\":\"x\"}");
  check ("{\"a\":\"x\",", "{\"a\":\"x\"}");
  check ("{\"a\":[{\"b\":\"c", "{\"a\":[{\"b\":\"c\"}]}");
  check ("{\"a\":[1,", "{\"a\":[1]}");
  check ("{\"a\":{\"b\":{}", "{\"a\":{\"b\":{}}}");
  check ("[1,2", "[1,2]");
  check ("\"abc", "\"abc\"");
}

/* A character that comes as two escapes shows when both are there. */
static void
test_open_surrogate (void)
{
  check ("{\"a\":\"y\\ud83d", "{\"a\":\"y\"}");
  check ("{\"a\":\"y\\ud83d\\ude", "{\"a\":\"y\"}");
  check ("{\"a\":\"y\\ud83d\\ude00", "{\"a\":\"y\xf0\x9f\x98\x80\"}");
  check ("{\"a\":\"y\\ud83d\"}", "{\"a\":\"y\\ud83d\"}");
}

static void
test_literals (void)
{
  check ("{\"a\":t", "{\"a\":true}");
  check ("{\"a\":fal", "{\"a\":false}");
  check ("{\"a\":nu", "{\"a\":null}");
  check ("{\"a\":Na", "{\"a\":null}");
  check ("{\"a\":-Inf", "{\"a\":null}");
  check ("{\"a\":tr ", "{\"a\":true}");
  check ("n", "{}");
  check ("null", "null");
}

static void
test_numbers (void)
{
  check ("{\"a\":12", "{\"a\":12}");
  check ("{\"a\":12e", "{\"a\":12}");
  check ("{\"a\":1.", "{}");
  check ("{\"a\":-", "{}");
  check ("{\"b\":1,\"a\":-", "{\"b\":1}");
  check ("12e", "12");
  check ("-", "{}");
}

static void
test_malformed (void)
{
  check ("{bad", "{}");
  check ("garbage", "{}");
  check ("{\"a\":1} trailing", "{\"a\":1}");
  check ("{\"a\":[1,x],\"b\":2}", "{\"a\":[1]}");
  check ("{\"a\":1,b:2}", "{\"a\":1}");
  check ("{\"a\":01}", "{}");
  check ("{\"a\":1,}", "{\"a\":1}");
  check ("[1,]", "[1]");
}

/* Complete but careless strings are repaired; in unfinished ones that waits for the closing quote. */
static void
test_repair (void)
{
  check ("{\"a\":\"x\ty\"}", "{\"a\":\"x\\ty\"}");
  check ("{\"a\":\"x\ty", "{}");
  check ("{\"a\":\"\x01\"}", "{\"a\":\"\\u0001\"}");
  check ("{\"re\":\"\\d+\\.c\"}", "{\"re\":\"\\\\d+\\\\.c\"}");
  check ("{\"a\":\"line1\nline2\"}", "{\"a\":\"line1\\nline2\"}");
  check ("{\"a\":\"\\\"\\q\"}", "{\"a\":\"\\\"\\\\q\"}");
}

static void
test_repaired (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = tau_json_parse_repaired ("[\"a\nb\\x\"]", -1, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (tau_json_get_string (node, "0", NULL), ==, "a\nb\\x");

  g_assert_null (tau_json_parse_repaired ("[\"a\nb\"", -1, &error));
  g_assert_error (error, TAU_JSON_ERROR, TAU_JSON_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "line 1, column 4"));
}

static void
test_complete (void)
{
  check ("{\"path\":\"a\",\"n\":[1,2]}", "{\"path\":\"a\",\"n\":[1,2]}");
  check ("[]", "[]");
  check ("\"s\"", "\"s\"");
  check ("3", "3");
}

/* However the stream is cut, there is an object, and what it says of a finished member stays said. */
static void
test_every_cut (void)
{
  static const char text[] = "{\"path\":\"d\\u00e9/\xf0\x9f\x98\x80\",\"edits\":[{\"oldText\":\"a\\\\\\\"\",\"n\":-1.25e+2}],\"x\":null}";
  gsize path_end = (gsize) (strstr (text, ",\"edits") - text);

  for (gsize cut = 0; cut < sizeof text; cut++)
    {
      g_autoptr(JsonNode) node = tau_json_parse_partial (text, (gssize) cut);

      g_assert_true (JSON_NODE_HOLDS_OBJECT (node));
      if (cut >= path_end)
        g_assert_cmpstr (tau_json_get_string (node, "path", NULL), ==, "d\xc3\xa9/\xf0\x9f\x98\x80");
    }
}

static gboolean is_beginning (JsonNode *part, JsonNode *whole, gboolean last);

/* @last: nothing comes behind @part, so it may be unfinished. */
static gboolean
is_beginning_of_object (JsonObject *part,
                        JsonObject *whole,
                        gboolean    last)
{
  g_autoptr(GList) names = json_object_get_members (whole);
  guint n = json_object_get_size (part);
  guint i = 0;

  for (GList *name = names; i < n; name = name->next, i++)
    {
      JsonNode *value = name != NULL ? json_object_get_member (part, name->data) : NULL;

      if (value == NULL || !is_beginning (value, json_object_get_member (whole, name->data), last && i == n - 1))
        return FALSE;
    }

  return last || n == json_object_get_size (whole);
}

static gboolean
is_beginning_of_array (JsonArray *part,
                       JsonArray *whole,
                       gboolean   last)
{
  guint n = json_array_get_length (part);

  if (n > json_array_get_length (whole))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!is_beginning (json_array_get_element (part, i), json_array_get_element (whole, i), last && i == n - 1))
      return FALSE;

  return last || n == json_array_get_length (whole);
}

static gboolean
is_beginning (JsonNode *part,
              JsonNode *whole,
              gboolean  last)
{
  const char *text = tau_json_get_string (whole, NULL, NULL);
  const char *beginning = tau_json_get_string (part, NULL, NULL);

  if (JSON_NODE_TYPE (part) != JSON_NODE_TYPE (whole))
    return FALSE;
  if (JSON_NODE_HOLDS_OBJECT (whole))
    return is_beginning_of_object (json_node_get_object (part), json_node_get_object (whole), last);
  if (JSON_NODE_HOLDS_ARRAY (whole))
    return is_beginning_of_array (json_node_get_array (part), json_node_get_array (whole), last);
  if (text != NULL && last)
    return beginning != NULL && g_str_has_prefix (text, beginning);

  /* An unfinished number is another one. */
  return json_node_equal (part, whole) || (last && json_node_get_value_type (whole) != G_TYPE_BOOLEAN && text == NULL);
}

/* What is shown of arguments while they come is the beginning of what they will be, and no character is shown in halves. */
static void
test_beginnings (void)
{
  static const char * const texts[] = {
    "{\"path\":\"d\\u00e9/\xf0\x9f\x98\x80\",\"edits\":[{\"oldText\":\"a\\\\\\\"\",\"n\":-1.25e+2},{\"oldText\":\"\"}],\"x\":null,\"y\":true}",
    "{\"a\":\"\\ud83d\\ude00x\\ud83d\\ude00\",\"b\":\"\xe2\x82\xac\\n\\t\\/\",\"c\":[],\"d\":{}}",
    " { \"a\" : [ 1 , [ 2 , { \"b\" : [ false , \"c\" ] } ] ] , \"e\" : \"f\" } ",
    "{\"command\":\"grep -E \\\"a\\\\|b\\\" *.c\\n\",\"timeout\":10}",
    "{\"raw\":\"tab\there\",\"re\":\"\\d+\",\"line\":\"1\n2\",\"z\":1}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(JsonNode) whole = tau_json_parse_partial (texts[i], -1);

      for (gsize cut = 0; cut <= strlen (texts[i]); cut++)
        {
          g_autoptr(JsonNode) part = tau_json_parse_partial (texts[i], (gssize) cut);
          g_autofree char *printed = tau_json_to_string (part);

          if (!is_beginning (part, whole, TRUE))
            g_test_message ("%.*s: %s", (int) cut, texts[i], printed);
          g_assert_true (is_beginning (part, whole, TRUE));
          g_assert_null (strstr (printed, "\\ud83d"));
          g_assert_true (g_utf8_validate (printed, -1, NULL));
        }
    }
}

static void
test_hostile (void)
{
  g_autofree char *brackets = g_strnfill (200000, '[');
  g_autofree char *bad_numbers = g_strnfill (400000, 'x');
  g_autoptr(JsonNode) deep = tau_json_parse_partial (brackets, -1);
  g_autoptr(JsonNode) wide = NULL;

  for (gsize i = 0; i + 2 < 400000; i += 2)
    memcpy (bad_numbers + i, i < 1000 ? "[1" : ",-", 2);
  wide = tau_json_parse_partial (bad_numbers, -1);

  g_assert_true (JSON_NODE_HOLDS_ARRAY (deep));
  g_assert_true (JSON_NODE_HOLDS_ARRAY (wide));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-partial/unfinished", test_unfinished);
  g_test_add_func ("/json-partial/open-surrogate", test_open_surrogate);
  g_test_add_func ("/json-partial/literals", test_literals);
  g_test_add_func ("/json-partial/numbers", test_numbers);
  g_test_add_func ("/json-partial/malformed", test_malformed);
  g_test_add_func ("/json-partial/repair", test_repair);
  g_test_add_func ("/json-partial/repaired", test_repaired);
  g_test_add_func ("/json-partial/complete", test_complete);
  g_test_add_func ("/json-partial/every-cut", test_every_cut);
  g_test_add_func ("/json-partial/beginnings", test_beginnings);
  g_test_add_func ("/json-partial/hostile", test_hostile);

  return g_test_run ();
}
