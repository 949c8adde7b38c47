/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-match.h"

#include <string.h>

static TauEditResult *
apply (const char  *bytes,
       gssize       length,
       const char  *old_text,
       const char  *new_text,
       GError     **error)
{
  const TauEdit edit = { old_text, strlen (old_text), new_text, strlen (new_text) };

  return tau_edit_apply ("P", bytes, length < 0 ? strlen (bytes) : (gsize) length, &edit, 1, error);
}

/* The file as the hunks make it. */
static GString *
make (const char          *bytes,
      gssize               length,
      const TauEditResult *result)
{
  GString *made = g_string_new (NULL);
  gsize done = 0, end = length < 0 ? strlen (bytes) : (gsize) length;

  for (guint i = 0; i < result->hunks->len; i++)
    {
      const TauEditHunk *hunk = &g_array_index (result->hunks, TauEditHunk, i);

      g_assert_cmpuint (done, <=, hunk->start);
      g_string_append_len (made, bytes + done, hunk->start - done);
      g_string_append_len (made, hunk->bytes->str, hunk->bytes->len);
      done = hunk->end;
    }
  g_string_append_len (made, bytes + done, end - done);
  return made;
}

static void
check (const char *bytes,
       const char *old_text,
       const char *new_text,
       const char *wanted)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauEditResult) result = apply (bytes, -1, old_text, new_text, &error);
  g_autoptr(GString) made = NULL;

  g_assert_no_error (error);
  made = make (bytes, -1, result);
  g_assert_cmpmem (made->str, made->len, wanted, strlen (wanted));
}

static void
check_refused (const char *bytes,
               const char *old_text,
               const char *new_text,
               const char *wanted)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauEditResult) result = apply (bytes, -1, old_text, new_text, &error);

  g_assert_null (result);
  g_assert_cmpstr (error->message, ==, wanted);
}

/* P40: line endings are not part of the question, and are kept by place. */
static void
test_p40_endings (void)
{
  check ("a\r\nb\r\nc\r\n", "a\nb", "a\nB", "a\r\nB\r\nc\r\n");
  check ("a\r\nb\r\nc\r\n", "a\r\nb\r\n", "x\ny\nz\n", "x\r\ny\r\nz\r\nc\r\n");
  check ("a\nb\r\nc\rd\n", "b", "B", "a\nB\r\nc\rd\n");
  check ("a\nb\r\nc\rd\n", "b\nc", "b\nnew\nc", "a\nb\r\nnew\r\nc\rd\n");
  check ("a\rb\rc", "b", "B", "a\rB\rc");
  check ("a\r\nb", "b", "b\nc", "a\r\nb\r\nc");
  check ("one line", "line", "line\ntwo", "one line\ntwo");
  check ("a\nb\r\nc", "a\nb\nc", "a\nb\nC", "a\nb\r\nC");
  /* A lone CR and an LF that come together are still two line ends. */
  check ("a\rXX\nb", "XX", "", "a\r\r\nb");
  check ("a\rb\nc", "b", "b\n", "a\rb\r\r\nc");
}

/* P41: the byte order mark is set aside and comes back. */
static void
test_p41_byte_order_mark (void)
{
  check ("\xef\xbb\xbf""a\r\nb", "a\nb", "x", "\xef\xbb\xbfx");
  check ("\xef\xbb\xbf""a", "a", "b", "\xef\xbb\xbf""b");
}

/* P42: what differs in form only is found, and nothing else changes. */
static void
test_p42_forms (void)
{
  static const struct { const char *bytes; const char *old_text; const char *new_text; const char *wanted; } cases[] = {
    { "say \u201chi\u201d  \nkeep\u00a0me  \n", "say \"hi\"", "say 'ho'", "say 'ho'  \nkeep\u00a0me  \n" },
    { "10\u202fAM \u2013 e\u0301t\u00e9\n", "10 AM - \u00e9t\u00e9", "noon", "noon\n" },
    { "e\u0301t\u00e9 \ufb01n\n", "\u00e9t\u00e9 fin", "x", "x\n" },
    { "\uff21\uff22\uff23 \uff76\uff9e\n", "ABC \u30ac", "x", "x\n" },
    { "foo  \nbar\t\nend", "foo\nbar\n", "x\n", "x\nend" },
    { "foo\nbar", "foo  \nbar", "x\nbar", "x\nbar" },
    /* Blanks that were named are replaced too, as far as they are there. */
    { "f\u00e9  bar\n", "fe\u0301 ", "x", "x bar\n" },
    { "a\u00a0\u00a0\n\u201cb\u201d\nc", " \n\"b\"", "!", "a\u00a0!\nc" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(TauEditResult) result = apply (cases[i].bytes, -1, cases[i].old_text, cases[i].new_text, &error);
      g_autoptr(GString) made = NULL;

      g_assert_no_error (error);
      made = make (cases[i].bytes, -1, result);
      g_assert_cmpstr (made->str, ==, cases[i].wanted);
      g_assert_true (result->inexact);
    }
  /* Half of a character that stands for two is no place. */
  check_refused ("\ufb01x\n", "ix ", "y",
                 "Could not find the exact text in P. The old text must match exactly including all whitespace and newlines.");
}

/* A large file is looked at piece by piece: nothing is lost or found twice where two pieces meet. */
static void
test_large (void)
{
  g_autoptr(GString) file = g_string_new (NULL);

  for (int i = 0; i < 60000; i++)
    g_string_append_printf (file, "line %06d, caf\xe9  \r\n", i);
  /* Lines have 21 bytes, pieces 1 MiB and a bit. */
  for (int i = 1024 * 1024 / 21 - 5; i < 1024 * 1024 / 21 + 5; i++)
    {
      g_autofree char *old_text = g_strdup_printf ("line %06d, café  \nline %06d, cafe\u0301 \nline %06d", i, i + 1, i + 2);
      g_autofree char *wanted = g_strdup_printf ("line %06d, caf\xe9  \r\nnew, caf\xe9  \r\n", i - 1);
      g_autoptr(GError) error = NULL;
      g_autoptr(TauEditResult) result = NULL;
      g_autoptr(GString) made = NULL;

      result = apply (file->str, file->len, old_text, "new", &error);
      g_assert_no_error (error);
      made = make (file->str, file->len, result);
      g_assert_nonnull (strstr (made->str, wanted));
      g_assert_cmpuint (made->len, ==, file->len - 2 * strlen ("line 000000, cafX  XX") - strlen ("line 000000") + strlen ("new"));
    }
  {
    g_autoptr(GError) error = NULL;

    g_assert_null (apply (file->str, file->len, "line 03", "x", &error));
    g_assert_cmpstr (error->message, ==, "Found 10000 occurrences of the text in P. The text must be unique. Please provide more context to make it unique.");
  }
}

/* P43: bytes of another encoding stay what they are. */
static void
test_p43_encodings (void)
{
  check ("caf\xe9 one\nna\xefve two\n", "one", "1", "caf\xe9 1\nna\xefve two\n");
  check ("caf\xe9 one\nna\xefve two\n", "café one", "thé one", "th\xe9 one\nna\xefve two\n");
  check ("\x83\x65\x83\x58\x83\x67 a\n\x82\xb1\x82\xf1 b\n", "テスト a", "こん a", "\x82\xb1\x82\xf1 a\n\x82\xb1\x82\xf1 b\n");
  check ("caf\xe9 one\n", "one", "\u20ac", "caf\xe9 \x80\n");
  /* The second line alone could be UTF-8; the file is not. */
  check ("caf\xe9\n\xdf\xa0 two\n", "\u00a0 two", "2", "caf\xe9\n\xdf" "2\n");
  /* Mostly UTF-8: the broken byte is a broken byte. */
  check ("é ü ö \xff one\n", "one", "two", "é ü ö \xff two\n");
  check ("é ü ö \xff one\n", "\ufffd one", "\ufffd two", "é ü ö \xff two\n");
  check_refused ("caf\xe9 one\n", "one", "日本",
                 "The new text has characters that cannot be written in WINDOWS-1252, the encoding of P.");
}

static void
test_utf16_is_refused (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (apply ("\xff\xfe" "a\0b\0", 6, "a", "b", &error));
  g_assert_cmpstr (error->message, ==, "P is encoded as UTF-16LE, which edit does not change. Convert the file, or change it with a command.");
}

static void
test_nul (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauEditResult) result = apply ("a\0b\r\nc\xff", 7, "c", "d", &error);
  g_autoptr(GString) made = NULL;

  g_assert_no_error (error);
  made = make ("a\0b\r\nc\xff", 7, result);
  g_assert_cmpmem (made->str, made->len, "a\0b\r\nd\xff", 7);
}

static void
test_refusals (void)
{
  check_refused ("x\nx\ny\n", "zzz", "q",
                 "Could not find the exact text in P. The old text must match exactly including all whitespace and newlines.");
  check_refused ("x\nx\ny\n", "x", "q",
                 "Found 2 occurrences of the text in P. The text must be unique. Please provide more context to make it unique.");
  check_refused ("foo \nfoo\n", "foo \n", "q",
                 "Found 2 occurrences of the text in P. The text must be unique. Please provide more context to make it unique.");
  check_refused ("x", "", "q", "oldText must not be empty in P.");
  check_refused ("x", "x", "x",
                 "No changes made to P. The replacement produced identical content. This might indicate an issue with special characters "
                 "or the text not existing as expected.");
  check_refused ("", "x", "y",
                 "Could not find the exact text in P. The old text must match exactly including all whitespace and newlines.");
}

static void
check_several (const TauEdit *edits,
               guint          n_edits,
               const char    *wanted)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauEditResult) result = tau_edit_apply ("P", "a b b c\n", 8, edits, n_edits, &error);
  g_autoptr(GString) made = result != NULL ? make ("a b b c\n", 8, result) : NULL;

  g_assert_cmpstr (made != NULL ? made->str : error->message, ==, wanted);
}

#define EDIT(old_text, new_text) { old_text, sizeof (old_text) - 1, new_text, sizeof (new_text) - 1 }

static void
test_several (void)
{
  const TauEdit good[] = { EDIT ("c", "C"), EDIT ("a", "A") };
  const TauEdit missing[] = { EDIT ("a", "A"), EDIT ("z", "Z") };
  const TauEdit twice[] = { EDIT ("a", "A"), EDIT ("b", "B") };
  const TauEdit empty[] = { EDIT ("a", "A"), EDIT ("", "B") };
  const TauEdit overlap[] = { EDIT ("b c", "1"), EDIT ("a b b", "2") };
  const TauEdit touching[] = { EDIT ("a b ", "1"), EDIT ("b c", "2") };
  const TauEdit nothing[] = { EDIT ("a", "a"), EDIT ("c", "c") };

  check_several (good, 2, "A b b C\n");
  check_several (missing, 2, "Could not find edits[1] in P. The oldText must match exactly including all whitespace and newlines.");
  check_several (twice, 2, "Found 2 occurrences of edits[1] in P. Each oldText must be unique. Please provide more context to make it unique.");
  check_several (empty, 2, "edits[1].oldText must not be empty in P.");
  check_several (overlap, 2, "edits[1] and edits[0] overlap in P. Merge them into one edit or target disjoint regions.");
  check_several (touching, 2, "12\n");
  check_several (nothing, 2, "No changes made to P. The replacements produced identical content.");
  check_several (NULL, 0, "Edit tool input is invalid. edits must contain at least one replacement.");
}

/* What random files are made of: an encoding's way to write the same lines. */
typedef struct
{
  const char *encoding;
  const char *words[4];
} Alphabet;

static const Alphabet alphabets[] = {
  { "UTF-8", { "plain", "\u00fcber\u00a0all", "\u65e5\u672c", "\u201cq\u201d \U0001f600" } },
  { "WINDOWS-1252", { "plain", "\u00fcber\u00a0all", "na\u00efve", "\u201cq\u201d" } },
  { "SHIFT_JIS", { "plain", "\u65e5\u672c", "\u3053\u3093\u306b\u3061\u306f", "\u30c6\u30b9\u30c8" } },
};

/* Random files and edits: the bytes before and behind the changed lines are the same bytes, and the text between is
 * the new one in the file's encoding. */
static void
test_random (void)
{
  static const char *const endings[] = { "\n", "\r\n", "\r" };

  for (int i = 0; i < 3000; i++)
    {
      const Alphabet *alphabet = &alphabets[g_test_rand_int_range (0, G_N_ELEMENTS (alphabets))];
      const int n_lines = g_test_rand_int_range (3, 12);
      const int changed = g_test_rand_int_range (0, n_lines);
      const gboolean with_mark = g_str_equal (alphabet->encoding, "UTF-8") && g_test_rand_bit ();
      g_autofree char *old_text = g_strdup_printf ("<%d %s>", changed, alphabet->words[changed % 4]);
      g_autofree char *new_text = g_strdup_printf ("<new %s>", alphabet->words[g_test_rand_int_range (0, 4)]);
      g_autofree char *new_bytes = g_convert (new_text, -1, alphabet->encoding, "UTF-8", NULL, NULL, NULL);
      g_autoptr(GString) before = g_string_new (with_mark ? "\xef\xbb\xbf" : "");
      g_autoptr(GString) wanted = g_string_new (before->str);
      g_autoptr(TauEditResult) result = NULL;
      g_autoptr(GString) made = NULL;
      g_autoptr(GError) error = NULL;

      for (int line = 0; line < n_lines; line++)
        {
          g_autofree char *text = g_strdup_printf ("<%d %s>", line, alphabet->words[line % 4]);
          g_autofree char *bytes = g_convert (text, -1, alphabet->encoding, "UTF-8", NULL, NULL, NULL);
          const char *ending = endings[g_test_rand_int_range (0, 3)];
          const char *blanks = g_test_rand_bit () ? "  " : "";

          g_string_append_printf (before, "%s%s%s", bytes, blanks, ending);
          g_string_append_printf (wanted, "%s%s%s", line == changed ? new_bytes : bytes, blanks, ending);
        }
      result = apply (before->str, before->len, old_text, new_text, &error);
      g_assert_no_error (error);
      made = make (before->str, before->len, result);
      g_assert_cmpmem (made->str, made->len, wanted->str, wanted->len);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/edit-match/p40-endings", test_p40_endings);
  g_test_add_func ("/edit-match/p41-byte-order-mark", test_p41_byte_order_mark);
  g_test_add_func ("/edit-match/p42-forms", test_p42_forms);
  g_test_add_func ("/edit-match/p43-encodings", test_p43_encodings);
  g_test_add_func ("/edit-match/utf16-is-refused", test_utf16_is_refused);
  g_test_add_func ("/edit-match/nul", test_nul);
  g_test_add_func ("/edit-match/refusals", test_refusals);
  g_test_add_func ("/edit-match/several", test_several);
  g_test_add_func ("/edit-match/random", test_random);
  g_test_add_func ("/edit-match/large", test_large);

  return g_test_run ();
}
