/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-sse-parser.h"

#include <string.h>

/* What came out, written as one string: name, data (LF shown as /), one event a line. */
static void
record_cb (const char *name,
           const char *data,
           gsize       length,
           gpointer    user_data)
{
  GString *out = user_data;
  g_autofree char *copy = g_strndup (data, length);

  g_assert_cmpuint (data[length], ==, '\0');
  g_string_append_printf (out, "[%s|%s]\n", name, g_strdelimit (copy, "\n", '/'));
}

/* Feeds @text in three pieces: up to @first, up to @second, the rest. */
static char *
parse_in_pieces (const char *text,
                 gsize       size,
                 gsize       first,
                 gsize       second)
{
  g_autoptr(GString) out = g_string_new (NULL);
  TauSseParser parser;
  gsize cuts[] = { 0, first, second, size };

  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, record_cb, out);
  for (guint i = 0; i < 3; i++)
    {
      /* A copy of its own, so that a read beyond the piece is seen by the sanitizer. */
      gsize length = cuts[i + 1] - cuts[i];
      g_autofree char *piece = g_memdup2 (text + cuts[i], length);
      gboolean ok = tau_sse_parser_push (&parser, piece, length, NULL);

      g_assert_true (ok);
    }
  tau_sse_parser_finish (&parser);
  tau_sse_parser_clear (&parser);

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
check_at_every_pair_of_cuts (const char *text,
                             gsize       size,
                             const char *expected)
{
  for (gsize first = 0; first <= size; first++)
    for (gsize second = first; second <= size; second++)
      {
        g_autofree char *got = parse_in_pieces (text, size, first, second);

        g_assert_cmpstr (got, ==, expected);
      }
}

#define CHECK(text, expected) check_at_every_pair_of_cuts (text, sizeof text - 1, expected)

static void
test_line_ends (void)
{
  CHECK ("data: a\n\ndata: b\n\n", "[|a]\n[|b]\n");
  CHECK ("data: a\r\rdata: b\r\r", "[|a]\n[|b]\n");
  CHECK ("data: a\r\n\r\ndata: b\r\n\r\n", "[|a]\n[|b]\n");
  CHECK ("event: x\rdata: a\ndata: b\r\n\rdata: c\n\r\n", "[x|a/b]\n[|c]\n");
}

static void
test_nasty_stream (void)
{
  CHECK (": comment\r\n"
         "event: one\r\n"
         ":another\r\n"
         "data: {\"a\":\"\xc3\xa9\xf0\x9f\x98\x80\"}\r\n"
         "id: 7\r\n"
         "retry: 10\r\n"
         "nonsense\r\n"
         "data:two\r\n"
         "data\r\n"
         "\r\n"
         "\r\n"
         "event: lost name\n\n"
         "data:  keeps one space\n\n",
         "[one|{\"a\":\"\xc3\xa9\xf0\x9f\x98\x80\"}/two/]\n[| keeps one space]\n");
}

static void
test_end_without_blank_line (void)
{
  CHECK ("event: a\ndata: 1\n\nevent: b\ndata: 2\n", "[a|1]\n[b|2]\n");
  CHECK ("data: 1\n\ndata: 2", "[|1]\n[|2]\n");
  CHECK ("data: 1\n\nevent: nothing", "[|1]\n");
  CHECK ("", "");
}

static void
test_empty_data (void)
{
  CHECK ("data:\n\ndata\n\ndata: \n\n", "[|]\n[|]\n[|]\n");
}

static void
test_byte_order_mark (void)
{
  CHECK ("\xef\xbb\xbf" "data: a\n\n", "[|a]\n");
  /* Only one mark, and only at the start. */
  CHECK ("\xef\xbb" "data: a\n\n", "");
  CHECK ("data: \xef\xbb\xbf\n\n", "[|\xef\xbb\xbf]\n");
}

static void
count_cb (const char *name,
          const char *data,
          gsize       length,
          gpointer    user_data)
{
  gsize *total = user_data;

  *total += length;
}

static void
test_limit (void)
{
  g_autofree char *block = g_malloc (4096);
  g_autoptr(GError) error = NULL;
  TauSseParser parser;
  gsize total = 0;
  gboolean ok = TRUE;
  guint n = 0;

  memset (block, 'x', 4096);
  tau_sse_parser_init (&parser, 64 * 1024, count_cb, &total);
  for (n = 0; ok && n < 100; n++)
    ok = tau_sse_parser_push (&parser, block, 4096, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE);
  g_assert_cmpuint (n, ==, 17);
  g_assert_cmpuint (total, ==, 0);
  tau_sse_parser_clear (&parser);

  /* Many lines of one event count together. */
  g_clear_error (&error);
  block[0] = 'd'; block[1] = 'a'; block[2] = 't'; block[3] = 'a'; block[4] = ':'; block[4095] = '\n';
  tau_sse_parser_init (&parser, 64 * 1024, count_cb, &total);
  for (n = 0, ok = TRUE; ok && n < 100; n++)
    ok = tau_sse_parser_push (&parser, block, 4096, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE);
  g_assert_cmpuint (n, <, 20);
  tau_sse_parser_clear (&parser);
}

static void
test_large_event (void)
{
  g_autoptr(GString) text = g_string_new ("data: ");
  TauSseParser parser;
  gsize total = 0;
  gboolean ok;

  for (guint i = 0; i < 3 * 1024 * 1024; i++)
    g_string_append_c (text, 'y');
  g_string_append (text, "\n\ndata: z\n\n");

  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, count_cb, &total);
  for (gsize at = 0; at < text->len; at += 16384)
    {
      ok = tau_sse_parser_push (&parser, text->str + at, MIN (16384, text->len - at), NULL);
      g_assert_true (ok);
    }
  g_assert_cmpuint (total, ==, 3 * 1024 * 1024 + 1);
  g_assert_cmpuint (parser.data->allocated_len, <, 1024 * 1024);
  tau_sse_parser_clear (&parser);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sse-parser/line-ends", test_line_ends);
  g_test_add_func ("/sse-parser/nasty-stream", test_nasty_stream);
  g_test_add_func ("/sse-parser/end-without-blank-line", test_end_without_blank_line);
  g_test_add_func ("/sse-parser/empty-data", test_empty_data);
  g_test_add_func ("/sse-parser/byte-order-mark", test_byte_order_mark);
  g_test_add_func ("/sse-parser/limit", test_limit);
  g_test_add_func ("/sse-parser/large-event", test_large_event);

  return g_test_run ();
}
