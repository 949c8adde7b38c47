/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-toolbox.h"

#include "tool-fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

/* read, write and edit on real files. */

static void G_GNUC_PRINTF (4, 5)
check (ToolFixture *fixture,
       const char  *name,
       const char  *wanted,
       const char  *format,
       ...)
{
  g_auto(ToolResult) result = { 0 };
  g_autofree char *arguments = NULL;
  va_list args;

  va_start (args, format);
  arguments = g_strdup_vprintf (format, args);
  va_end (args);
  result = tool_fixture_call (fixture, name, "%s", arguments);
  g_assert_cmpstr (result.text, ==, wanted);
}

static void
write_file (ToolFixture *fixture,
            const char  *name,
            const char  *contents)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, name, contents);

  g_assert_nonnull (path);
}

static void
check_file (ToolFixture *fixture,
            const char  *name,
            const char  *wanted)
{
  g_autofree char *contents = tau_test_dir_read (fixture->dir, name);

  g_assert_cmpstr (contents, ==, wanted);
}

static char *
numbers (int n)
{
  GString *out = g_string_new (NULL);

  for (int i = 1; i <= n; i++)
    g_string_append_printf (out, "%d\n", i);
  return g_string_free (out, FALSE);
}

static void
test_read_ranges (ToolFixture  *fixture,
                  gconstpointer data)
{
  g_autofree char *lines = numbers (3000);
  g_autofree char *first = numbers (2000);
  g_autofree char *wanted = g_strdup_printf ("%s\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]", first);
  g_auto(ToolResult) result = { 0 };

  write_file (fixture, "n", lines);
  write_file (fixture, "empty", "");
  check (fixture, "read", wanted, "{'path':'n'}");
  check (fixture, "read", "1\n2\n\n[2999 more lines in file. Use offset=3 to continue.]", "{'path':'n','limit':2}");
  check (fixture, "read", "\n\n[3001 more lines in file. Use offset=1 to continue.]", "{'path':'n','limit':0}");
  check (fixture, "read", "2999\n3000\n", "{'path':'n','offset':2999}");
  check (fixture, "read", "7\n8\n\n[2993 more lines in file. Use offset=9 to continue.]", "{'path':'n','offset':'7','limit':'2'}");
  check (fixture, "read", "", "{'path':'n','offset':3001}");
  check (fixture, "read", "Offset 3002 is beyond end of file (3001 lines total)", "{'path':'n','offset':3002}");
  check (fixture, "read", "", "{'path':'@empty'}");

  result = tool_fixture_call (fixture, "read", "{'path':'n'}");
  g_assert_cmpint (tau_json_get_int (tau_tool_outcome_get_details (result.outcome), "truncation.totalLines", 0), ==, 3001);
}

static void
test_read_bytes (ToolFixture  *fixture,
                 gconstpointer data)
{
  g_autofree char *line = g_strnfill (999, 'x');
  g_autofree char *long_line = g_strnfill (60000, 'y');
  g_autoptr(GString) text = g_string_new (NULL);
  g_auto(ToolResult) result = { 0 };

  for (int i = 0; i < 100; i++)
    g_string_append_printf (text, "%s\n", line);
  g_string_append (text, long_line);
  write_file (fixture, "t", text->str);
  result = tool_fixture_call (fixture, "read", "{'path':'t'}");
  g_assert_true (g_str_has_suffix (result.text, "x\n\n[Showing lines 1-51 of 101 (50.0KB limit). Use offset=52 to continue.]"));
  check (fixture, "read", "[Line 101 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '101p' t | head -c 51200]", "{'path':'t','offset':101}");
}

static void
test_read_text_as_it_is (ToolFixture  *fixture,
                         gconstpointer data)
{
  g_autofree char *path = tau_test_dir_build (fixture->dir, "nul");

  write_file (fixture, "bom", "\xef\xbb\xbf""a\r\nb\rc");
  write_file (fixture, "latin", "caf\xe9\nna\xefve\n");
  write_file (fixture, "mixed", "é ü \xff ö\n");
  g_assert_true (g_file_set_contents (path, "a\0b", 3, NULL));
  check (fixture, "read", "\xef\xbb\xbf""a\r\nb\rc", "{'path':'bom'}");
  check (fixture, "read", "café\nnaïve\n\n\n[This file is not UTF-8. It was read as WINDOWS-1252.]", "{'path':'latin'}");
  check (fixture, "read", "é ü \ufffd ö\n", "{'path':'mixed'}");
  check (fixture, "read", "a\xc0\x80""b", "{'path':'nul'}");
}

static void
write_encoded (ToolFixture *fixture,
               const char  *name,
               const char  *text,
               const char  *encoding)
{
  g_autofree char *path = tau_test_dir_build (fixture->dir, name);
  gsize length;
  g_autofree char *bytes = g_convert (text, -1, encoding, "UTF-8", NULL, &length, NULL);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

/* What is not UTF-8 is decoded for the model, and said. */
static void
test_read_encodings (ToolFixture  *fixture,
                     gconstpointer data)
{
  write_encoded (fixture, "sjis", "こんにちは 表\nカタカナ\n", "SHIFT_JIS");
  write_encoded (fixture, "le", "\xef\xbb\xbf" "one\ntwo é\n", "UTF-16LE");
  write_encoded (fixture, "be", "\xef\xbb\xbf" "one\ntwo é\n", "UTF-16BE");
  check (fixture, "read", "こんにちは 表\nカタカナ\n\n\n[This file is not UTF-8. It was read as SHIFT_JIS.]", "{'path':'sjis'}");
  check (fixture, "read", "カタカナ\n\n[1 more lines in file. Use offset=3 to continue.]\n\n[This file is not UTF-8. It was read as SHIFT_JIS.]",
         "{'path':'sjis','offset':2,'limit':1}");
  check (fixture, "read", "two é\n\n\n[This file is not UTF-8. It was read as UTF-16LE.]", "{'path':'le','offset':2}");
  check (fixture, "read", "two é\n\n\n[This file is not UTF-8. It was read as UTF-16BE.]", "{'path':'be','offset':2}");
}

/* Whatever else happens to the file meanwhile, a read ends, with what was there at some time. */
static gpointer
change_all_the_time (gpointer user_data)
{
  const char *path = user_data;
  g_autofree char *text = g_strnfill (3 * 1024 * 1024, 'x');

  for (int i = 0; i < 200; i++)
    {
      FILE *file = fopen (path, "w");

      fwrite (text, 1, (gsize) (i % 7) * 500000, file);
      fclose (file);
      g_assert_cmpint (truncate (path, (i % 5) * 100000), ==, 0);
    }
  return NULL;
}

static void
test_read_while_it_changes (ToolFixture  *fixture,
                            gconstpointer data)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, "a", "");
  GThread *thread = g_thread_new ("change", change_all_the_time, path);

  for (int i = 0; i < 50; i++)
    {
      g_auto(ToolResult) result = tool_fixture_call (fixture, "read", "{'path':'a'}");

      g_assert_false (result.is_error);
      /* One line of the same letter, or that it is too long; what was cut off under the reader's hands may come as NULs. */
      g_assert_true (strspn (result.text, "x\xc0\x80") == strlen (result.text) || g_str_has_prefix (result.text, "[Line 1 is "));
    }
  g_thread_join (thread);
}

static void
test_read_odd_paths (ToolFixture  *fixture,
                     gconstpointer data)
{
  write_file (fixture, "shot 10.00\u202fPM.txt", "1");
  write_file (fixture, "d\u2019e.txt", "2");
  write_file (fixture, "a b.txt", "3");
  check (fixture, "read", "1", "{'path':'shot 10.00 PM.txt'}");
  check (fixture, "read", "2", "{'path':'d\\u0027e.txt'}");
  check (fixture, "read", "3", "{'path':'a\u00a0b.txt'}");
  write_file (fixture, "e\u0301t\u2019s.txt", "4");
  write_file (fixture, "two\nlines", "5");
  check (fixture, "read", "4", "{'path':'\u00e9t\\u0027s.txt'}");
  check (fixture, "read", "5", "{'path':'two\\nlines'}");
  check (fixture, "edit", "Successfully replaced 1 block(s) in two\nlines.", "{'path':'two\\nlines','oldText':'5','newText':'6'}");
  check_file (fixture, "two\nlines", "6");
}

/* Pictures are known by their first bytes, whatever they are called. */
static void
test_read_image_types (ToolFixture  *fixture,
                       gconstpointer data)
{
  static const struct { const char *bytes; gsize length; const char *type; } cases[] = {
    { "\xff\xd8\xff\xe0\0\x10JFIF\0", 11, "image/jpeg" },
    { "GIF89a\1\0\1\0", 10, "image/gif" },
    { "RIFF\x1a\0\0\0WEBPVP8L", 16, "image/webp" },
  };
  g_autofree char *path = tau_test_dir_build (fixture->dir, "picture.txt");

  g_object_set (fixture->context, "auto-resize-images", FALSE, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wanted = g_strdup_printf ("Read image file [%s]", cases[i].type);

      g_assert_true (g_file_set_contents (path, cases[i].bytes, (gssize) cases[i].length, NULL));
      check (fixture, "read", wanted, "{'path':'picture.txt'}");
    }
}

/* What is no file of bytes is said so, at once. */
static void
test_read_refusals (ToolFixture  *fixture,
                    gconstpointer data)
{
  const char *root = tau_test_dir_get_path (fixture->dir);
  g_autofree char *fifo = tau_test_dir_build (fixture->dir, "fifo");
  g_autofree char *missing = g_strdup_printf ("ENOENT: no such file or directory, access '%s/nope'", root);
  g_autofree char *folder = g_strdup_printf ("EISDIR: illegal operation on a directory, read '%s'", root);
  g_autofree char *pipe = g_strdup_printf ("Not a regular file: %s", fifo);
  g_auto(ToolResult) proc = { 0 };

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  check (fixture, "read", missing, "{'path':'nope'}");
  check (fixture, "read", folder, "{'path':'.'}");
  check (fixture, "read", pipe, "{'path':'fifo'}");
  check (fixture, "read", "Not a regular file: /dev/zero", "{'path':'/dev/zero'}");
  check (fixture, "edit", pipe, "{'path':'fifo','oldText':'a','newText':'b'}");
  check (fixture, "write", pipe, "{'path':'fifo','content':'b'}");
  proc = tool_fixture_call (fixture, "read", "{'path':'/proc/self/status'}");
  g_assert_true (g_str_has_prefix (proc.text, "Name:"));
}

/* Base64 of PNG, by name of file. */
static void
write_png (ToolFixture *fixture,
           const char  *name,
           const char  *base64)
{
  g_autofree char *path = tau_test_dir_build (fixture->dir, name);
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (base64, &length);

  g_assert_true (g_file_set_contents (path, (char *) bytes, length, NULL));
}

static void
test_read_image (ToolFixture  *fixture,
                 gconstpointer data)
{
  static const char png[] = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";
  g_auto(ToolResult) result = { 0 };
  GPtrArray *blocks;

  write_png (fixture, "red.dat", png);
  write_file (fixture, "text.png", "just text");
  result = tool_fixture_call (fixture, "read", "{'path':'red.dat'}");
  g_assert_cmpstr (result.text, ==, "Read image file [image/png]");
  blocks = tau_tool_outcome_get_blocks (result.outcome);
  g_assert_cmpuint (blocks->len, ==, 2);
  g_assert_cmpstr (tau_block_get_data (g_ptr_array_index (blocks, 1)), ==, png);
  g_assert_cmpstr (tau_block_get_mime_type (g_ptr_array_index (blocks, 1)), ==, "image/png");
  check (fixture, "read", "just text", "{'path':'text.png'}");
  tau_tool_context_set_accepts_images (fixture->context, FALSE);
  check (fixture, "read", "Read image file [image/png]\n[Current model does not support images. The image will be omitted from this request.]",
         "{'path':'red.dat'}");
}

static void
test_write (ToolFixture  *fixture,
            gconstpointer data)
{
  g_autofree char *contents = NULL;
  g_autofree char *path = tau_test_dir_build (fixture->dir, "nul");
  g_autofree char *over_file = g_strdup_printf ("EISDIR: illegal operation on a directory, open '%s/new'", tau_test_dir_get_path (fixture->dir));
  gsize length;

  check (fixture, "write", "Successfully wrote 10 bytes to new/deep/a.txt", "{'path':'new/deep/a.txt','content':'héllo😀'}");
  check_file (fixture, "new/deep/a.txt", "héllo😀");
  check (fixture, "write", "Successfully wrote 3 bytes to @new/deep/a.txt", "{'path':'@new/deep/a.txt','content':'a\\r\\n'}");
  check_file (fixture, "new/deep/a.txt", "a\r\n");
  check (fixture, "write", over_file, "{'path':'new','content':''}");
  check (fixture, "write", "Successfully wrote 6 bytes to nul", "{'path':'nul','content':'a\\u0000b\\ud800'}");
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, "a\0b\xef\xbf\xbd", 6);
}

static void
test_edit (ToolFixture  *fixture,
           gconstpointer data)
{
  g_auto(ToolResult) result = { 0 };
  JsonNode *details;

  write_file (fixture, "a.txt", "one\ntwo\nthree");
  result = tool_fixture_call (fixture, "edit", "{'path':'a.txt','oldText':'two','newText':'2'}");
  details = tau_tool_outcome_get_details (result.outcome);
  g_assert_cmpstr (result.text, ==, "Successfully replaced 1 block(s) in a.txt.");
  g_assert_cmpstr (tau_json_get_string (details, "diff", NULL), ==, " 1 one\n-2 two\n+2 2\n 3 three");
  g_assert_cmpint (tau_json_get_int (details, "firstChangedLine", 0), ==, 2);
  check_file (fixture, "a.txt", "one\n2\nthree");

  check (fixture, "edit", "Successfully replaced 2 block(s) in a.txt.",
         "{'path':'a.txt','edits':[{'oldText':'one','newText':'1'}],'oldText':'three','newText':'3'}");
  check (fixture, "edit", "Successfully replaced 1 block(s) in a.txt.",
         "{'path':'a.txt','edits':'[{\\u0022oldText\\u0022:\\u00223\\u0022,\\u0022newText\\u0022:\\u0022drei\\u0022}]'}");
  check_file (fixture, "a.txt", "1\n2\ndrei");
  check (fixture, "edit", "Could not edit file: nope. Error code: ENOENT.", "{'path':'nope','oldText':'x','newText':'q'}");
  check (fixture, "edit", "Edit tool input is invalid. edits must contain at least one replacement.", "{'path':'a.txt','edits':[]}");
  check (fixture, "edit",
         "Could not find edits[1] in a.txt. The oldText must match exactly including all whitespace and newlines.",
         "{'path':'a.txt','edits':[{'oldText':'1','newText':'x'},{'oldText':'z','newText':'x'}]}");
  check_file (fixture, "a.txt", "1\n2\ndrei");
}

static void
test_edit_arguments (ToolFixture  *fixture,
                     gconstpointer data)
{
  g_auto(ToolResult) extra = tool_fixture_call (fixture, "edit", "{'path':'a','edits':[],'why':'x'}");
  g_auto(ToolResult) text = tool_fixture_call (fixture, "edit", "{'path':'a','edits':['x']}");

  g_assert_true (g_str_has_prefix (extra.text, "Validation failed for tool \"edit\":\n  - why: schema is false\n"
                                               "  - root: must not have additional properties\n\nReceived arguments:\n"));
  g_assert_true (g_str_has_prefix (text.text, "Validation failed for tool \"edit\":\n  - edits.0: must be object\n"));
}

/* P44: a link stays a link; what it leads to has the new text. */
static void
test_p44_links (ToolFixture  *fixture,
                gconstpointer data)
{
  g_autofree char *folder = tau_test_dir_mkdir (fixture->dir, "d");
  g_autofree char *link = tau_test_dir_build (fixture->dir, "link");
  g_autofree char *dangling = tau_test_dir_build (fixture->dir, "dangling");
  g_autofree char *loop = tau_test_dir_build (fixture->dir, "loop");

  write_file (fixture, "d/target", "old");
  g_assert_cmpint (symlink ("d/target", link), ==, 0);
  g_assert_cmpint (symlink ("d/later", dangling), ==, 0);
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  check (fixture, "edit", "Successfully replaced 1 block(s) in link.", "{'path':'link','oldText':'old','newText':'new'}");
  check (fixture, "write", "Successfully wrote 1 bytes to dangling", "{'path':'dangling','content':'x'}");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (dangling, G_FILE_TEST_IS_SYMLINK));
  check_file (fixture, "d/target", "new");
  check_file (fixture, "d/later", "x");
  {
    g_auto(ToolResult) result = tool_fixture_call (fixture, "write", "{'path':'loop','content':'x'}");

    g_assert_true (g_str_has_prefix (result.text, "ELOOP: "));
  }
}

/* P45: mode, owner, hard links and attributes stay; nothing is left beside the file. */
static void
test_p45_metadata (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, "script", "old");
  g_autofree char *twin = tau_test_dir_build (fixture->dir, "twin");
  gboolean has_attributes;
  struct stat before, after;
  char value[8];

  g_assert_cmpint (chmod (path, 06751), ==, 0);
  has_attributes = setxattr (path, "user.tau", "kept", 4, 0) == 0;
  g_assert_cmpint (stat (path, &before), ==, 0);
  check (fixture, "edit", "Successfully replaced 1 block(s) in script.", "{'path':'script','oldText':'old','newText':'new'}");
  g_assert_cmpint (stat (path, &after), ==, 0);
  g_assert_cmpint (after.st_mode, ==, before.st_mode);
  g_assert_cmpint (after.st_uid, ==, before.st_uid);
  if (has_attributes)
    g_assert_cmpint (getxattr (path, "user.tau", value, sizeof value), ==, 4);

  g_assert_cmpint (link (path, twin), ==, 0);
  check (fixture, "write", "Successfully wrote 6 bytes to script\n[This file has 2 names (hard links). It was written in place, so all of them show the change.]",
         "{'path':'script','content':'longer'}");
  check (fixture, "edit", "Successfully replaced 1 block(s) in twin.\n[This file has 2 names (hard links). It was written in place, so all of them show the change.]",
         "{'path':'twin','oldText':'longer','newText':'s'}");
  check_file (fixture, "script", "s");
  g_assert_cmpint (stat (path, &after), ==, 0);
  g_assert_cmpint (after.st_nlink, ==, 2);
  check (fixture, "ls", "script\ntwin", "{}");
}

/* Where the new content does not fit, the old one stays, and nothing beside it. A limit on the size of files stands for
 * the full disk: the write fails half-way, as there. */
static void
test_no_room (ToolFixture  *fixture,
              gconstpointer data)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autofree char *path = tau_test_dir_write (fixture->dir, "a.txt", "old");
  g_autofree char *twin = tau_test_dir_build (fixture->dir, "twin");
  void (*old_handler) (int) = signal (SIGXFSZ, SIG_IGN);
  struct rlimit old_limit, limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  limit = old_limit;
  limit.rlim_cur = 50000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  for (int i = 0; i < 2; i++)
    {
      g_auto(ToolResult) written = tool_fixture_call (fixture, "write", "{'path':'a.txt','content':'%s'}", text);
      g_auto(ToolResult) edited = tool_fixture_call (fixture, "edit", "{'path':'a.txt','oldText':'old','newText':'%s'}", text);
      g_auto(ToolResult) made = tool_fixture_call (fixture, "write", "{'path':'new','content':'%s'}", text);

      g_assert_true (written.is_error && g_str_has_prefix (written.text, "EFBIG: "));
      g_assert_true (edited.is_error && g_str_has_prefix (edited.text, "EFBIG: "));
      g_assert_true (made.is_error && g_str_has_prefix (made.text, "EFBIG: "));
      check_file (fixture, "a.txt", "old");
      check (fixture, "ls", i == 0 ? "a.txt" : "a.txt\ntwin", "{}");
      /* A second name makes the next round write in place. */
      g_assert_true (i == 1 || link (path, twin) == 0);
    }
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  signal (SIGXFSZ, old_handler);
}

/* P46: what somebody else changed since it was read is not overwritten. */
static void
test_p46_drift (ToolFixture  *fixture,
                gconstpointer data)
{
  static const char refusal[] = "a.txt has changed since you read it, so it was not written. Read it again, then write.";

  write_file (fixture, "a.txt", "one\ntwo\n");
  check (fixture, "read", "one\ntwo\n", "{'path':'a.txt'}");
  write_file (fixture, "a.txt", "one\ntwo\nthree\n");
  check (fixture, "write", refusal, "{'path':'a.txt','content':'x'}");
  check_file (fixture, "a.txt", "one\ntwo\nthree\n");
  check (fixture, "edit", "Successfully replaced 1 block(s) in a.txt.\n[The file had changed since you read it. Read it again to see the other changes.]",
         "{'path':'a.txt','oldText':'two','newText':'2'}");
  check_file (fixture, "a.txt", "one\n2\nthree\n");
  check (fixture, "write", refusal, "{'path':'a.txt','content':'x'}");
  check (fixture, "read", "2\n\n[2 more lines in file. Use offset=3 to continue.]", "{'path':'a.txt','offset':2,'limit':1}");
  check (fixture, "write", "Successfully wrote 1 bytes to a.txt", "{'path':'a.txt','content':'x'}");
}

/* P47: neither a touched file nor the agent's own changes count; nor does a file that was never read. */
static void
test_p47_no_drift (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, "a.txt", "one\n");
  g_autofree char *link = tau_test_dir_build (fixture->dir, "link");

  g_assert_cmpint (symlink ("a.txt", link), ==, 0);
  check (fixture, "read", "one\n", "{'path':'link'}");
  g_assert_cmpint (g_utime (path, NULL), ==, 0);
  write_file (fixture, "a.txt", "one\n");
  check (fixture, "edit", "Successfully replaced 1 block(s) in a.txt.", "{'path':'a.txt','oldText':'one','newText':'1'}");
  check (fixture, "edit", "Successfully replaced 1 block(s) in link.", "{'path':'link','oldText':'1','newText':'2'}");
  check (fixture, "write", "Successfully wrote 1 bytes to a.txt", "{'path':'a.txt','content':'x'}");
  check (fixture, "write", "Successfully wrote 1 bytes to a.txt", "{'path':'a.txt','content':'y'}");
  write_file (fixture, "unread", "1");
  write_file (fixture, "unread", "2");
  check (fixture, "write", "Successfully wrote 1 bytes to unread", "{'path':'unread','content':'3'}");
  g_assert_cmpint (g_unlink (path), ==, 0);
  check (fixture, "write", "Successfully wrote 1 bytes to a.txt", "{'path':'a.txt','content':'z'}");
}

/* P47: a session that was opened again has seen nothing yet, so nothing has drifted. */
static void
test_p47_resumed (ToolFixture  *fixture,
                  gconstpointer data)
{
  ToolFixture resumed = *fixture;

  write_file (fixture, "a.txt", "one\n");
  check (fixture, "read", "one\n", "{'path':'a.txt'}");
  write_file (fixture, "a.txt", "mine\n");
  resumed.context = tau_tool_context_new (tau_test_dir_get_path (fixture->dir));
  resumed.toolbox = tau_toolbox_new_builtin (resumed.context);
  check (&resumed, "edit", "Successfully replaced 1 block(s) in a.txt.", "{'path':'a.txt','oldText':'mine','newText':'ours'}");
  check (&resumed, "write", "Successfully wrote 1 bytes to a.txt", "{'path':'a.txt','content':'x'}");
  g_object_unref (resumed.toolbox);
  g_object_unref (resumed.context);
}

/* Ten edits of one file at once, half of them through a link: each finds what the one before has written. */
static void
test_queue (ToolFixture  *fixture,
            gconstpointer data)
{
  TauTool *tool = tau_toolbox_lookup (fixture->toolbox, "edit");
  g_autofree char *link = tau_test_dir_build (fixture->dir, "link");
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  GAsyncResult *results[10] = { NULL };

  write_file (fixture, "a.txt", "0");
  g_assert_cmpint (symlink ("a.txt", link), ==, 0);
  for (int i = 0; i < 10; i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"path\":\"%s\",\"edits\":[{\"oldText\":\"%d\",\"newText\":\"%d\"}]}",
                                               i % 2 ? "link" : "a.txt", i, i + 1);
      g_autoptr(JsonNode) arguments = tau_json_parse (json, -1, NULL);
      TauToolRun *run = tau_tool_run_new ("c", "edit", arguments);

      g_ptr_array_add (runs, run);
      tau_tool_execute_async (tool, run, NULL, tau_test_loop_result_cb, &results[i]);
    }
  for (int i = 0; i < 10; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(TauToolOutcome) outcome = NULL;

      tau_test_loop_wait_result (&results[i]);
      outcome = tau_tool_execute_finish (tool, results[i], &error);
      g_assert_no_error (error);
      g_object_unref (results[i]);
    }
  check_file (fixture, "a.txt", "10");
}

/* What a user without rights may not do. Run by test_unprivileged() in a process of its own. */
static void
test_as_nobody (ToolFixture  *fixture,
                gconstpointer data)
{
  const char *root = tau_test_dir_get_path (fixture->dir);
  g_autofree char *secret = tau_test_dir_write (fixture->dir, "secret", "x");
  g_autofree char *fixed = tau_test_dir_write (fixture->dir, "fixed", "x");
  g_autofree char *locked = tau_test_dir_mkdir (fixture->dir, "locked");
  g_autofree char *inner = tau_test_dir_write (fixture->dir, "locked/inner", "old");
  g_autofree char *script = tau_test_dir_write (fixture->dir, "script", "x");
  g_autofree char *not_read = g_strdup_printf ("EACCES: permission denied, access '%s/secret'", root);
  g_autofree char *not_written = g_strdup_printf ("EACCES: permission denied, open '%s/fixed'", root);
  g_autofree char *not_made = g_strdup_printf ("EACCES: permission denied, open '%s/locked/new'", root);
  g_auto(ToolResult) closed = { 0 };
  struct stat status;

  g_assert_cmpuint (geteuid (), !=, 0);
  g_assert_cmpint (chmod (secret, 0), ==, 0);
  g_assert_cmpint (chmod (fixed, 0444), ==, 0);
  g_assert_cmpint (chmod (locked, 0555), ==, 0);
  check (fixture, "read", not_read, "{'path':'secret'}");
  check (fixture, "write", not_written, "{'path':'fixed','content':'y'}");
  check (fixture, "edit", "Could not edit file: fixed. Error code: EACCES.", "{'path':'fixed','oldText':'x','newText':'y'}");
  check_file (fixture, "fixed", "x");
  /* In a folder that may not be written to, a file can still be, in place. */
  check (fixture, "edit", "Successfully replaced 1 block(s) in locked/inner.", "{'path':'locked/inner','oldText':'old','newText':'new'}");
  check_file (fixture, "locked/inner", "new");
  check (fixture, "write", not_made, "{'path':'locked/new','content':'y'}");
  /* Writing takes the set-ID bits away; they come back. */
  g_assert_cmpint (chmod (script, 06755), ==, 0);
  check (fixture, "edit", "Successfully replaced 1 block(s) in script.", "{'path':'script','oldText':'x','newText':'y'}");
  g_assert_cmpint (stat (script, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 06755);
  g_assert_cmpint (chmod (locked, 0), ==, 0);
  closed = tool_fixture_call (fixture, "ls", "{'path':'locked'}");
  g_assert_true (g_str_has_prefix (closed.text, "Cannot read directory: "));
}

static const char *program;

/* Root may do everything, so the cases run again as someone who may not. That one may not enter every folder in which
 * a build can be, so the program is copied to where it can be reached. */
static void
test_unprivileged (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *copy = tau_test_dir_build (dir, "program");
  g_autoptr(GFile) from = g_file_new_for_path (program);
  g_autoptr(GFile) to = g_file_new_for_path (copy);
  g_autoptr(GSubprocess) process = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *output = NULL;

  g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (chmod (copy, 0755), ==, 0);
  g_assert_cmpint (chmod (tau_test_dir_get_path (dir), 0755), ==, 0);

  if (geteuid () == 0)
    process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, &error, "setpriv", "--reuid=65534",
                                "--regid=65534", "--clear-groups", copy, "--as-nobody", NULL);
  else
    process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, &error, program, "--as-nobody", NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  if (!g_subprocess_get_successful (process))
    g_error ("%s", output);
}

#define add(path, func) g_test_add (path, ToolFixture, NULL, tool_fixture_set_up, func, tool_fixture_tear_down)

int
main (int   argc,
      char *argv[])
{
  gboolean as_nobody = argc == 2 && g_str_equal (argv[1], "--as-nobody");

  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  if (as_nobody)
    {
      add ("/file-tools/as-nobody", test_as_nobody);
      return g_test_run ();
    }

  add ("/file-tools/read-ranges", test_read_ranges);
  add ("/file-tools/read-bytes", test_read_bytes);
  add ("/file-tools/read-text-as-it-is", test_read_text_as_it_is);
  add ("/file-tools/read-encodings", test_read_encodings);
  add ("/file-tools/read-while-it-changes", test_read_while_it_changes);
  add ("/file-tools/read-odd-paths", test_read_odd_paths);
  add ("/file-tools/read-image-types", test_read_image_types);
  add ("/file-tools/read-refusals", test_read_refusals);
  add ("/file-tools/read-image", test_read_image);
  add ("/file-tools/write", test_write);
  add ("/file-tools/edit", test_edit);
  add ("/file-tools/edit-arguments", test_edit_arguments);
  add ("/file-tools/p44-links", test_p44_links);
  add ("/file-tools/p45-metadata", test_p45_metadata);
  add ("/file-tools/no-room", test_no_room);
  add ("/file-tools/p46-drift", test_p46_drift);
  add ("/file-tools/p47-no-drift", test_p47_no_drift);
  add ("/file-tools/p47-resumed", test_p47_resumed);
  add ("/file-tools/queue", test_queue);
  g_test_add_func ("/file-tools/unprivileged", test_unprivileged);

  return g_test_run ();
}
