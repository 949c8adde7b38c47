/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-args.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <string.h>

/* JSON in which ' stands for ". */
static JsonNode *
parse (const char *text)
{
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse (json, -1, &error);

  g_assert_no_error (error);
  return node;
}

/* What becomes of value @given as property v of @schema; the lines of violations if it is refused. */
static char *
check (TauToolSchemaStyle style,
       const char        *schema,
       const char        *given)
{
  g_autofree char *object_schema = g_strdup_printf ("{'type':'object','properties':{'v':%s}}", schema);
  g_autofree char *object = g_strdup_printf ("{'v':%s}", given);
  g_autoptr(JsonNode) schema_node = parse (object_schema);
  g_autoptr(JsonNode) given_node = parse (object);
  g_autofree char *before = tau_json_to_string (given_node);
  g_autofree char *after = NULL;
  g_autoptr(JsonNode) checked = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) parts = NULL;

  checked = tau_tool_args_check ("t", schema_node, style, given_node, &error);
  after = tau_json_to_string (given_node);
  g_assert_cmpstr (before, ==, after);
  if (checked != NULL)
    return tau_json_to_string (tau_json_get (checked, "v"));

  g_assert_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_INVALID_ARGUMENTS);
  parts = g_strsplit (error->message, "\n\nReceived arguments:\n", 2);
  g_assert_true (g_str_has_prefix (parts[0], "Validation failed for tool \"t\":\n"));
  return g_strdup (parts[0] + strlen ("Validation failed for tool \"t\":\n"));
}

typedef struct
{
  const char *schema;
  const char *given;
  const char *wanted; /* JSON, or the lines of violations */
} Case;

static void
check_cases (TauToolSchemaStyle style,
             const Case        *cases,
             gsize              n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autofree char *got = check (style, cases[i].schema, cases[i].given);
      g_autofree char *wanted = g_strdelimit (g_strdup (cases[i].wanted), "'", '"');

      if (g_strcmp0 (got, wanted) != 0)
        g_error ("%s with %s gave %s, not %s", cases[i].schema, cases[i].given, got, wanted);
    }
}

static void
test_typed (void)
{
  static const Case cases[] = {
    { "{'type':'number'}", "'12'", "12" },
    { "{'type':'number'}", "' 3 '", "3" },
    { "{'type':'number'}", "'1e3'", "1000" },
    { "{'type':'number'}", "'0x10'", "16" },
    { "{'type':'number'}", "''", "0" },
    { "{'type':'number'}", "'TRUE'", "1" },
    { "{'type':'number'}", "true", "1" },
    { "{'type':'number'}", "null", "0" },
    { "{'type':'number'}", "'abc'", "  - v: must be number" },
    { "{'type':'number'}", "'null'", "  - v: must be number" },
    { "{'type':'number'}", "[1]", "  - v: must be number" },
    { "{'type':'integer'}", "1.5", "1" },
    { "{'type':'integer'}", "'1.5'", "1" },
    { "{'type':'boolean'}", "'False'", "false" },
    { "{'type':'boolean'}", "'1'", "true" },
    { "{'type':'boolean'}", "0", "false" },
    { "{'type':'boolean'}", "null", "false" },
    { "{'type':'boolean'}", "2", "  - v: must be boolean" },
    { "{'type':'string'}", "12", "'12'" },
    { "{'type':'string'}", "1.5", "'1.5'" },
    { "{'type':'string'}", "true", "'true'" },
    { "{'type':'string'}", "null", "'null'" },
    { "{'type':'string'}", "['x']", "  - v: must be string" },
    { "{'type':'null'}", "'undefined'", "null" },
    { "{'type':'array','items':{'type':'string'}}", "'x'", "['x']" },
    { "{'type':'array','items':{'type':'string'}}", "null", "['null']" },
    { "{'type':'object'}", "'{}'", "  - v: must be object" },
    { "{'type':'object','properties':{'n':{'type':'number'}}}", "{'n':'7','x':'7'}", "{'n':7,'x':'7'}" },
    { "{'anyOf':[{'type':'number'},{'type':'string'}]}", "'12'", "12" },
    { "{'anyOf':[{'type':'boolean'},{'type':'string'}]}", "'true'", "true" },
    { "{'anyOf':[{'type':'number'},{'type':'string'}]}", "'x'", "'x'" },
  };

  check_cases (TAU_TOOL_SCHEMA_TYPED, cases, G_N_ELEMENTS (cases));
}

static void
test_plain (void)
{
  static const Case cases[] = {
    { "{'type':'number'}", "'12'", "12" },
    { "{'type':'number'}", "''", "  - v: must be number" },
    { "{'type':'number'}", "'true'", "  - v: must be number" },
    { "{'type':'number'}", "true", "1" },
    { "{'type':'integer'}", "'3'", "3" },
    { "{'type':'integer'}", "1.5", "  - v: must be integer" },
    { "{'type':'integer'}", "'1.5'", "  - v: must be integer" },
    { "{'type':'boolean'}", "'true'", "true" },
    { "{'type':'boolean'}", "'True'", "  - v: must be boolean" },
    { "{'type':'string'}", "null", "''" },
    { "{'type':'null'}", "false", "null" },
    { "{'type':'null'}", "'null'", "  - v: must be null" },
    { "{'type':'array'}", "'x'", "  - v: must be array" },
    { "{'type':['string','number']}", "5", "5" },
    { "{'type':['number','boolean']}", "'true'", "true" },
    { "{'type':['number','boolean']}", "'x'", "  - v: must be either number or boolean" },
    { "{'type':'object','additionalProperties':{'type':'number'}}", "{'a':'1'}", "{'a':1}" },
  };

  check_cases (TAU_TOOL_SCHEMA_PLAIN, cases, G_N_ELEMENTS (cases));
}

static void
test_messages (void)
{
  static const Case cases[] = {
    { "{'const':1}", "2", "  - v: must be equal to constant" },
    { "{'enum':['a','b']}", "'c'", "  - v: must be equal to one of the allowed values" },
    { "{'anyOf':[{'type':'object'},{'type':'array'}]}", "5",
      "  - v: must be object\n  - v: must be array\n  - v: must match a schema in anyOf" },
    { "{'oneOf':[{'minimum':1},{'minimum':2}]}", "5", "  - v: must match exactly one schema in oneOf" },
    { "{'not':{'type':'number'}}", "5", "  - v: must not be valid" },
    { "{'minimum':5}", "4", "  - v: must be >= 5" },
    { "{'maximum':5}", "6", "  - v: must be <= 5" },
    { "{'exclusiveMinimum':5}", "5", "  - v: must be > 5" },
    { "{'exclusiveMaximum':0.5}", "0.5", "  - v: must be < 0.5" },
    { "{'multipleOf':3}", "4", "  - v: must be multiple of 3" },
    { "{'minLength':2}", "'é'", "  - v: must not have fewer than 2 characters" },
    { "{'maxItems':1}", "[1,2]", "  - v: must not have more than 1 items" },
    { "{'minProperties':1}", "{}", "  - v: must not have fewer than 1 properties" },
    { "{'pattern':'^a+$'}", "'b'", "  - v: must match pattern '^a+$'" },
    { "{'format':'date'}", "'2026-13-01'", "  - v: must match format 'date'" },
    { "{'format':'email'}", "'a@b.c'", "'a@b.c'" },
    { "{'format':'ipv4'}", "'::1'", "  - v: must match format 'ipv4'" },
    { "{'uniqueItems':true}", "[1,1]", "  - v: must not have duplicate items" },
    { "{'items':{'type':'object','required':['a','b']}}", "[{}]", "  - v.0.a: must have required properties a, b" },
    { "{'type':'object','properties':{'a':{'type':'number'}},'required':['b'],'additionalProperties':false}", "{'a':'x','c':1,'d':2}",
      "  - v.b: must have required properties b\n  - v.a: must be number\n  - v.c: schema is false\n  - v.d: schema is false\n"
      "  - v: must not have additional properties" },
  };

  check_cases (TAU_TOOL_SCHEMA_PLAIN, cases, G_N_ELEMENTS (cases));
}

/* The text that the model gets, whole. */
static void
test_text (void)
{
  static const struct { const char *given; const char *wanted; } cases[] = {
    { "{}", "Validation failed for tool 'read':\n  - path: must have required properties path\n\nReceived arguments:\n{}" },
    { "{'path':'a.txt','limit':'many'}",
      "Validation failed for tool 'read':\n  - limit: must be number\n\nReceived arguments:\n{\n  'path': 'a.txt',\n  'limit': 'many'\n}" },
    { "[]", "Validation failed for tool 'read':\n  - root: must be object\n\nReceived arguments:\n[]" },
    { "null", "Validation failed for tool 'read':\n  - root: must be object\n\nReceived arguments:\nnull" },
  };
  g_autoptr(JsonNode) schema = parse ("{'type':'object','required':['path'],'properties':{'path':{'type':'string'},'limit':{'type':'number'}}}");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(JsonNode) given = parse (cases[i].given);
      g_autofree char *wanted = g_strdelimit (g_strdup (cases[i].wanted), "'", '"');
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_tool_args_check ("read", schema, TAU_TOOL_SCHEMA_TYPED, given, &error));
      g_assert_cmpstr (error->message, ==, wanted);
    }
}

/* Arguments as deep as a parser takes them do not exhaust the stack. */
static void
test_deep (void)
{
  g_autoptr(GString) deep = g_string_new (NULL);
  g_autoptr(JsonNode) schema = parse ("{'type':'object','properties':{'v':{'type':'array','items':{'type':'array'}}}}");
  g_autoptr(JsonNode) given = NULL;
  g_autoptr(JsonNode) checked = NULL;

  g_string_append (deep, "{\"v\":");
  for (int i = 0; i < 100; i++)
    g_string_append_c (deep, '[');
  for (int i = 0; i < 100; i++)
    g_string_append_c (deep, ']');
  g_string_append_c (deep, '}');
  given = parse (deep->str);
  checked = tau_tool_args_check ("t", schema, TAU_TOOL_SCHEMA_PLAIN, given, NULL);
  g_assert_true (tau_json_equal (checked, given));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tool-args/typed", test_typed);
  g_test_add_func ("/tool-args/plain", test_plain);
  g_test_add_func ("/tool-args/messages", test_messages);
  g_test_add_func ("/tool-args/text", test_text);
  g_test_add_func ("/tool-args/deep", test_deep);

  return g_test_run ();
}
