/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-export.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/session/tau-session-info.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <string.h>

#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/home/u/<b>one\",\"parentSession\":\"/x.jsonl\"}\n"

static void
append_message (GString    *out,
                const char *id,
                const char *parent,
                const char *message)
{
  g_string_append_printf (out, "{\"type\":\"message\",\"id\":\"%s\",\"parentId\":%s,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":%s}\n", id, parent, message);
}

static char *
export_text (const char      *session,
             const char      *leaf,
             TauExportFormat  format)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", session);
  g_autofree char *output = tau_test_dir_build (dir, "out");
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *after = NULL;

  tau_session_export_async (path, leaf, format, output, tau_test_loop_result_cb, &result);
  tau_session_export_finish (tau_test_loop_wait_result (&result), &error);
  g_assert_no_error (error);
  after = tau_test_dir_read (dir, "a.jsonl");
  g_assert_cmpstr (after, ==, session);   /* the session itself is only read */
  return tau_test_dir_read (dir, "out");
}

static gboolean
is_one_of (const char         *text,
           gsize               length,
           const char * const *words)
{
  for (gsize i = 0; words[i] != NULL; i++)
    if (strlen (words[i]) == length && strncmp (words[i], text, length) == 0)
      return TRUE;
  return FALSE;
}

/* Every tag is one of ours, is closed in order, and has only attributes of ours; only images have an address of data. */
static const char *
check_tag (const char *at,
           GPtrArray  *open)
{
  static const char * const tags[] = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "h1", "h2", "h3", "h4", "h5", "h6", "p", "article", "pre", "code", "em",
    "strong", "s", "span", "a", "div", "blockquote", "details", "summary", "table", "tr", "th", "td", "ins", "del", "img", "hr", NULL
  };
  static const char * const empty[] = { "meta", "img", "hr", NULL };
  static const char * const attributes[] = { "lang", "charset", "name", "content", "http-equiv", "class", "href", "rel", "src", "alt", NULL };
  gboolean closes = *at == '/';
  const char *name = closes ? at + 1 : at;
  gsize length = strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789");

  at = name + length;
  g_assert_true (is_one_of (name, length, tags));
  while (*at == ' ')
    {
      gsize attribute = strcspn (++at, "=");

      g_assert_true (is_one_of (at, attribute, attributes));
      if (strncmp (at, "src", 3) == 0)
        g_assert_true (g_str_has_prefix (at, "src=\"data:image/"));
      if (strncmp (at, "href", 4) == 0)
        g_assert_true (g_str_has_prefix (at, "href=\"http") || g_str_has_prefix (at, "href=\"mailto:"));
      g_assert_cmpint (at[attribute + 1], ==, '"');
      at = strchr (at + attribute + 2, '"');
      g_assert_nonnull (at);
      at++;
    }
  g_assert_cmpint (*at, ==, '>');
  if (closes)
    {
      g_autofree char *last = g_ptr_array_steal_index (open, open->len - 1);

      g_assert_true (strlen (last) == length && strncmp (last, name, length) == 0);
    }
  else if (!is_one_of (name, length, empty))
    g_ptr_array_add (open, g_strndup (name, length));
  return at + 1;
}

static void
assert_inert (const char *html)
{
  g_autoptr(GPtrArray) open = g_ptr_array_new_with_free_func (g_free);
  const char *at = html + strlen ("<!DOCTYPE html>");

  g_assert_true (g_utf8_validate (html, -1, NULL));
  g_assert_true (g_str_has_prefix (html, "<!DOCTYPE html>"));
  g_assert_nonnull (strstr (html, "default-src 'none'"));
  while ((at = strchr (at, '<')) != NULL)
    at = check_tag (at + 1, open);
  g_assert_cmpuint (open->len, ==, 0);
  for (at = html; *at != '\0'; at++)
    g_assert_true ((guchar) *at >= 0x20 || *at == '\n' || *at == '\t');
}

static const char * const hostile[] = {
  "<script>alert(1)</script>", "</style></title><img src=x onerror=alert(1)>", "[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,x)",
  "![p](https://evil.example/t.png) <https://ok.example/?a=1&b=\\\"2\\\"'>", "```html\\n</code></pre><script>x</script>\\n```", "> - <b>q</b>\\n> - [a](http://a\\\" onclick=\\\"x)",
  "| <i> | b |\\n|---|:-:|\\n| `</td>` | **x** |", "&lt;script&gt; &#60;script&#62; &amp;amp;", "\\u0000\\u001b[31mred\\u0007\\ud800 \\u202e", "# <h1>\\n\\n1. a\\n   - [ ] b\\n   - [x] c\\n\\n---\\n<div onload=x>",
  "***a** b* ~~c~~ __d_e__ [*f*](mailto:a@b)",
};

static void
test_hostile_session_is_inert (void)
{
  g_autoptr(GString) session = g_string_new (HEADER);
  g_autofree char *huge = g_strnfill (1024 * 1024, '<');
  g_autofree char *huge_message = g_strdup_printf ("{\"role\":\"user\",\"content\":\"%s\"}", huge);
  g_autofree char *html = NULL;
  g_autofree char *markdown = NULL;

  append_message (session, "m0", "null", huge_message);
  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *user = g_strdup_printf ("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"},{\"type\":\"image\",\"mimeType\":\"%s\",\"data\":\"%s\"}]}", hostile[i], hostile[i], hostile[i]);
      g_autofree char *answer = g_strdup_printf ("{\"role\":\"assistant\",\"errorMessage\":\"%s\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"%s\"},{\"type\":\"text\",\"text\":\"%s\"},"
                                                 "{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"%s\",\"arguments\":{\"command\":\"%s\"}},{\"type\":\"toolCall\",\"id\":\"d\",\"name\":\"%s\",\"arguments\":{\"%s\":\"%s\"}}]}",
                                                 hostile[i], hostile[i], hostile[i], hostile[i], hostile[i], hostile[i], hostile[i], hostile[i]);
      g_autofree char *result = g_strdup_printf ("{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}", hostile[i]);
      g_autofree char *diff = g_strdup_printf ("{\"role\":\"toolResult\",\"toolCallId\":\"d\",\"toolName\":\"edit\",\"details\":{\"diff\":\"+%s\\n-%s\\n %s\"},\"content\":[]}", hostile[i], hostile[i], hostile[i]);
      g_autofree char *id = g_strdup_printf ("u%zu", i);
      g_autofree char *parent = i == 0 ? g_strdup ("\"m0\"") : g_strdup_printf ("\"d%zu\"", i - 1);
      const char *messages[] = { user, answer, result, diff };

      for (guint j = 0; j < 4; j++)
        {
          g_free (id);
          id = g_strdup_printf ("%c%zu", "uard"[j], i);
          append_message (session, id, parent, messages[j]);
          g_free (parent);
          parent = g_strdup_printf ("\"%s\"", id);
        }
    }
  g_string_append (session, "broken <script>\n\xff\xfe<script>\n");
  html = export_text (session->str, NULL, TAU_EXPORT_HTML);
  assert_inert (html);
  g_assert_nonnull (strstr (html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  g_assert_nonnull (strstr (html, "href=\"https://ok.example/"));
  g_assert_nonnull (strstr (html, "href=\"mailto:a@b\""));
  g_assert_nonnull (strstr (html, "prefers-color-scheme:dark"));
  g_assert_nonnull (strstr (html, "@media print"));
  markdown = export_text (session->str, NULL, TAU_EXPORT_MARKDOWN);
  g_assert_true (g_utf8_validate (markdown, -1, NULL));
}

static void
test_shows_the_conversation (void)
{
  g_autoptr(GString) session = g_string_new (HEADER);
  g_autofree char *html = NULL;
  g_autofree char *markdown = NULL;
  g_autofree char *lines = NULL;
  g_auto(GStrv) jsonl = NULL;
  g_autoptr(JsonNode) header = NULL;
  g_autoptr(JsonNode) last = NULL;

  append_message (session, "a", "null", "{\"role\":\"user\",\"content\":\"Fix it\\nplease\"}");
  append_message (session, "b", "\"a\"", "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"On **another** branch\"}]}");
  append_message (session, "c", "\"a\"", "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I **will**\\n\\n- one\"},{\"type\":\"toolCall\",\"id\":\"t\",\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}]}");
  append_message (session, "d", "\"c\"", "{\"role\":\"toolResult\",\"toolCallId\":\"t\",\"toolName\":\"bash\",\"content\":[{\"type\":\"text\",\"text\":\"```\\nout\"}],\"isError\":false}");
  append_message (session, "e", "\"d\"", "{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}]}");
  html = export_text (session->str, NULL, TAU_EXPORT_HTML);
  assert_inert (html);
  g_assert_nonnull (strstr (html, "<title>Fix it please</title>"));
  g_assert_nonnull (strstr (html, "I <strong>will</strong>"));
  g_assert_nonnull (strstr (html, "src=\"data:image/png;base64,iVBORw0KGgo=\""));
  g_assert_nonnull (strstr (html, "1 entry of other branches is left out."));
  g_assert_null (strstr (html, "another"));

  markdown = export_text (session->str, "c", TAU_EXPORT_MARKDOWN);
  g_assert_nonnull (strstr (markdown, "## You\n\nFix it\nplease\n\n## Assistant\n\nI **will**\n\n- one\n\n```console\n$ ls\n```\n"));
  g_free (markdown);
  markdown = export_text (session->str, NULL, TAU_EXPORT_MARKDOWN);
  g_assert_nonnull (strstr (markdown, "````\n```\nout\n````"));

  lines = export_text (session->str, NULL, TAU_EXPORT_JSONL);
  jsonl = g_strsplit (lines, "\n", -1);
  g_assert_cmpuint (g_strv_length (jsonl), ==, 6);
  header = tau_json_parse (jsonl[0], -1, NULL);
  g_assert_cmpstr (tau_json_get_string (header, "id", NULL), ==, "s1");
  g_assert_null (tau_json_get (header, "parentSession"));
  last = tau_json_parse (jsonl[4], -1, NULL);
  g_assert_cmpstr (tau_json_get_string (last, "parentId", NULL), ==, "d");
}

/* P78: no key leaves with an export, neither one that is known here nor one that looks like it. */
static void
test_keys_stay_here (void)
{
  static const char * const keys[] = { "my-own-secret-1", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz", "AIzaSyA1234567890abcdefghijklmnopqrstuvw", "from-the-environment<&>" };
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *auth = tau_test_dir_write (dir, "auth.json", "{\"anthropic\":{\"type\":\"api_key\",\"key\":\"my-own-secret-1\"}}");
  g_autoptr(GString) session = g_string_new (HEADER);

  g_setenv ("TAU_AGENT_DIR", tau_test_dir_get_path (dir), TRUE);
  g_setenv ("SOMETHING_API_KEY", keys[3], TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *message = g_strdup_printf ("{\"role\":\"toolResult\",\"toolCallId\":\"t\",\"toolName\":\"bash\",\"content\":[{\"type\":\"text\",\"text\":\"KEY=%s; done\"}]}", keys[i]);

      append_message (session, "a", "null", message);
    }
  for (guint format = TAU_EXPORT_HTML; format <= TAU_EXPORT_JSONL; format++)
    {
      g_autofree char *text = export_text (session->str, NULL, format);

      for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
        g_assert_null (strstr (text, keys[i]));
      g_assert_null (strstr (text, "from-the-environment"));
      g_assert_nonnull (strstr (text, "KEY=[key removed]; done"));
    }
  g_unsetenv ("SOMETHING_API_KEY");
  g_unsetenv ("TAU_AGENT_DIR");
}

static void
test_refuses_what_is_no_session (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", "garbage\n");
  g_autofree char *output = tau_test_dir_build (dir, "out.html");
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_session_export (path, NULL, TAU_EXPORT_HTML, output, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (tau_session_export ("/nonexistent.jsonl", NULL, TAU_EXPORT_HTML, output, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS));
}

static void
test_names (void)
{
  g_autofree char *name = tau_session_export_default_name ("/a/b/2026_x.jsonl", TAU_EXPORT_HTML);

  g_assert_cmpstr (name, ==, "pi-session-2026_x.html");
  g_assert_cmpint (tau_session_export_guess_format ("a.JSONL"), ==, TAU_EXPORT_JSONL);
  g_assert_cmpint (tau_session_export_guess_format ("a.md"), ==, TAU_EXPORT_MARKDOWN);
  g_assert_cmpint (tau_session_export_guess_format ("a"), ==, TAU_EXPORT_HTML);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-export/p78-keys-stay-here", test_keys_stay_here);
  g_test_add_func ("/session-export/conversation", test_shows_the_conversation);
  g_test_add_func ("/session-export/hostile-session-is-inert", test_hostile_session_is_inert);
  g_test_add_func ("/session-export/no-session", test_refuses_what_is_no_session);
  g_test_add_func ("/session-export/names", test_names);
  return g_test_run ();
}
