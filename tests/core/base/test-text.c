/* SPDX-License-Identifier: MIT */
#include "core/base/tau-text.h"

#include <string.h>

#define FFFD "\357\277\275"

static void
test_valid (void)
{
  static const struct { const char *text; const char *scrubbed; const char *valid; } cases[] = {
    { "", "", "" },
    { "plain \xc3\xa9 \xf0\x9f\x98\x80", "plain \xc3\xa9 \xf0\x9f\x98\x80", "plain \xc3\xa9 \xf0\x9f\x98\x80" },
    { "a\xed\xa0\xbd" "b", "ab", "a" FFFD "b" },
    { "a\xed\xb8\x80", "a", "a" FFFD },
    { "\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
    { "\xed\xb8\x80\xed\xa0\xbd", "", FFFD FFFD },
    { "\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80", FFFD "\xf0\x9f\x98\x80" },
    { "a\xc0\x80" "b", "ab", "a" FFFD "b" },
    { "\xff\xe2\x82z\xe2\x82", "z", FFFD FFFD "z" FFFD },
    { "\xed\xa0", "", FFFD FFFD },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *scrubbed = tau_text_scrub (cases[i].text, -1);
      g_autofree char *valid = tau_text_make_valid (cases[i].text, -1);

      g_assert_cmpstr (scrubbed, ==, cases[i].scrubbed);
      g_assert_cmpstr (valid, ==, cases[i].valid);
    }
}

static void
test_valid_length (void)
{
  g_autofree char *scrubbed = tau_text_scrub ("a\0b\xc3\xa9", 4);
  g_autofree char *valid = tau_text_make_valid ("a\0b", 3);

  g_assert_cmpstr (scrubbed, ==, "ab");
  g_assert_cmpstr (valid, ==, "a" FFFD "b");
}

/* However a text is cut, what is left of it is the beginning of the whole. */
static void
test_scrub_at_every_cut (void)
{
  static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" "b\xed\xa0\xbd\xed\xb8\x80" "c\xed\xa0\xbd" "d\xed\xb8\x80" "e\xc0\x80\xff";
  g_autofree char *whole = tau_text_scrub (text, -1);

  g_assert_cmpstr (whole, ==, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" "b\xf0\x9f\x98\x80" "cde");
  for (gsize cut = 0; cut < sizeof text; cut++)
    {
      g_autofree char *beginning = tau_text_scrub (text, (gssize) cut);
      g_autofree char *shown = tau_text_make_valid (text, (gssize) cut);
      g_autofree char *rest = tau_text_scrub (text + cut, -1);

      g_assert_true (g_str_has_prefix (whole, beginning));
      g_assert_true (g_utf8_validate (shown, -1, NULL));
      g_assert_true (g_utf8_validate (rest, -1, NULL));
    }
}

static void
test_utf16_length (void)
{
  g_assert_cmpuint (tau_text_utf16_length (""), ==, 0);
  g_assert_cmpuint (tau_text_utf16_length ("h\xc3\xa9llo\xf0\x9f\x98\x80"), ==, 7);
  g_assert_cmpuint (tau_text_utf16_length ("\xe6\xbc\xa2\xed\xa0\xbd\xc0\x80"), ==, 3);
}

static void
test_trim (void)
{
  static const char * const cases[][2] = {
    { "", "" },
    { " \t\n\v\f\r\xc2\xa0\xe1\x9a\x80\xe2\x80\x80\xe2\x80\x8a\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\x9f\xe3\x80\x80\xef\xbb\xbf", "" },
    { " a b\n", "a b" },
    { "\xe3\x80\x80\xc3\xa9\xc2\xa0", "\xc3\xa9" },
    { "\xe2\x80\x8b", "\xe2\x80\x8b" },   /* U+200B is none */
    { "x\xf0\x9f\x98\x80\xe2\x80\xa8", "x\xf0\x9f\x98\x80" },
    { " \xa0 ", "\xa0" },                 /* half a NBSP */
    { "\xc2", "\xc2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *trimmed = tau_text_trim (cases[i][0]);

      g_assert_cmpstr (trimmed, ==, cases[i][1]);
      g_assert_cmpint (tau_text_is_blank (cases[i][0]), ==, cases[i][1][0] == '\0');
    }
  g_assert_true (tau_text_is_blank (NULL));
}

static void
test_format_size (void)
{
  static const struct { gint64 bytes; const char *text; } cases[] = {
    { 0, "0B" },
    { 1023, "1023B" },
    { 1024, "1.0KB" },
    { 1280, "1.3KB" },   /* 1.25: half goes up */
    { 51200, "50.0KB" },
    { 60000, "58.6KB" },
    { 1024 * 1024 - 1, "1024.0KB" },
    { 1024 * 1024, "1.0MB" },
    { G_GINT64_CONSTANT (5) << 40, "5242880.0MB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tau_text_format_size (cases[i].bytes);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_floor (void)
{
  const char *text = "a\xc3\xa9\xf0\x9f\x98\x80";
  static const gsize floors[] = { 0, 1, 1, 3, 3, 3, 3, 7 };

  for (gsize i = 0; i < G_N_ELEMENTS (floors); i++)
    g_assert_cmpuint (tau_text_utf8_floor (text, i), ==, floors[i]);
}

static void
test_count_lines (void)
{
  g_assert_cmpuint (tau_text_count_lines ("", -1), ==, 1);
  g_assert_cmpuint (tau_text_count_lines ("a", -1), ==, 1);
  g_assert_cmpuint (tau_text_count_lines ("a\n", -1), ==, 2);
  g_assert_cmpuint (tau_text_count_lines ("\n\n", -1), ==, 3);
  g_assert_cmpuint (tau_text_count_lines ("a\nb\nc", 3), ==, 2);
}

static void
test_ansi (void)
{
  static const char * const cases[][2] = {
    { "plain\r\n", "plain\r\n" },
    { "a\033[31mred\033[0m", "ared" },
    { "\033[38;5;200;1mx\033[?25l\033[2Ky", "xy" },
    { "\033]0;title\ax", "x" },
    { "\033]8;;http://a/\033\\link\033]8;;\033\\", "link" },
    { "\033]0;never ended\nnext", "0;never ended\nnext" },
    { "\033(B\033=x\033Mz", "xz" },
    { "\033P1;2|data\033\\x", "x" },
    { "\xc2\x9b" "31mx", "x" },
    { "\xc2\xa9", "\xc2\xa9" },
    { "x\033", "x" },
    { "x\033[3", "x" },
    { "\033[31\nx", "\nx" },
    { "\033\xc3\xa9", "\xc3\xa9" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tau_text_strip_ansi (cases[i][0], -1);

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

static void
test_ansi_hostile (void)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *stripped = NULL;

  for (guint i = 0; i < 300000; i++)
    g_string_append (text, "\033]x");
  stripped = tau_text_strip_ansi (text->str, (gssize) text->len);
  g_assert_cmpuint (strlen (stripped), ==, 300000);
}

static void
test_clean_output (void)
{
  g_autofree char *text = tau_text_clean_output ("a\033[31mred\033[0m\r\nb\0c\xc0\x80\xef\xbf\xba" FFFD "\x7f\tx\a\r\n", 32);

  g_assert_cmpstr (text, ==, "ared\nbc" FFFD "\x7f\tx\n");
}

/* What comes out if @bytes arrive in pieces that end at @first and @second. */
static char *
decode (const char *bytes,
        gsize       size,
        gsize       first,
        gsize       second)
{
  gsize cuts[] = { 0, first, second, size };
  TauUtf8Decoder decoder = { 0 };
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *piece = g_memdup2 (bytes + cuts[i], cuts[i + 1] - cuts[i]);

      tau_utf8_decoder_push (&decoder, piece, cuts[i + 1] - cuts[i], out);
      g_assert_true (out->len == 0 || g_utf8_validate (out->str, (gssize) out->len, NULL) || memchr (bytes, 0, size) != NULL);
    }
  tau_utf8_decoder_finish (&decoder, out);

  return g_string_free (out, FALSE);
}

/* Expected is what node's TextDecoder gives. */
static void
test_decoder (void)
{
  static const struct { const char *bytes; gsize size; const char *text; } cases[] = {
    { "h\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80!", 11, "h\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80!" },
    { "\xff\xfe" "a", 3, FFFD FFFD "a" },
    { "\xe2\x82" "a", 3, FFFD "a" },
    { "\xe2\x82\xe2\x82\xac", 5, FFFD "\xe2\x82\xac" },
    { "\xf0\x9f\x98", 3, FFFD },
    { "\xf0\x9f\xc3\xa9", 4, FFFD "\xc3\xa9" },
    { "\xed\xa0\x80", 3, FFFD FFFD FFFD },
    { "\xc0\x80\xc1", 3, FFFD FFFD FFFD },
    { "\xf5\x80", 2, FFFD FFFD },
    { "\xe0\x80\xaf", 3, FFFD FFFD FFFD },
    { "\xf4\x90\x80\x80", 4, FFFD FFFD FFFD FFFD },
    { "a\0b\xc3", 4, "a\xc0\x80" "b" FFFD },
    { "\xc3\0", 2, FFFD "\xc0\x80" },
    { "", 0, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize first = 0; first <= cases[i].size; first++)
      for (gsize second = first; second <= cases[i].size; second++)
        {
          g_autofree char *text = decode (cases[i].bytes, cases[i].size, first, second);

          g_assert_cmpstr (text, ==, cases[i].text);
        }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text/valid", test_valid);
  g_test_add_func ("/text/valid-length", test_valid_length);
  g_test_add_func ("/text/scrub-at-every-cut", test_scrub_at_every_cut);
  g_test_add_func ("/text/utf16-length", test_utf16_length);
  g_test_add_func ("/text/trim", test_trim);
  g_test_add_func ("/text/format-size", test_format_size);
  g_test_add_func ("/text/floor", test_floor);
  g_test_add_func ("/text/count-lines", test_count_lines);
  g_test_add_func ("/text/ansi", test_ansi);
  g_test_add_func ("/text/ansi-hostile", test_ansi_hostile);
  g_test_add_func ("/text/clean-output", test_clean_output);
  g_test_add_func ("/text/decoder", test_decoder);

  return g_test_run ();
}
