/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-info.h"

#include "core/base/tau-json.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-dir.h"

#include <glib/gstdio.h>
#include <string.h>

/* Session files that somebody else wrote, that were damaged, or that are none. Whatever can be read is there; what is no
 * session is never written to; and one more entry can be added to all others, which are whole then. TAU_MUTANTS=10000
 * makes the last test thorough. */

typedef struct
{
  const char *name;         /* tests/fixtures/sessions/NAME.jsonl */
  const char *ids;          /* of the entries in the order of the file; NULL: only how many there are */
  guint       n_entries;
  guint       n_path;       /* from the root to the leaf */
  guint       n_problems;
  gboolean    read_only;
  gboolean    changes;      /* what stands there does not stay as it is when something is added */
} Case;

static const Case cases[] = {
  { "garbage", "", 0, 0, 1, TRUE },
  { "junk-before-header", "u1", 1, 1, 1 },
  { "entry-before-header", "u1 u2", 2, 2, 0, TRUE },
  { "broken-line-in-the-middle", "u1 u3", 2, 1, 1 },
  { "no-final-newline", "u1 u2", 2, 2, 0 },
  { "torn-last-line", "u1 u2", 2, 2, 1, FALSE, TRUE },
  { "version-9", "u1 h1 u2", 3, 3, 0 },
  { "not-objects", "u1 u2", 2, 2, 1 },
  { "two-headers", "u1 u1 u2", 3, 2, 0 },
  { "two-on-one-line", "u1 u2 u3", 3, 3, 0 },
  { "glued-to-a-torn-line", "u1 u3", 2, 1, 1 },
  { "glued-without-final-newline", "u1 u3", 2, 1, 1 },
  { "cycle", "a b c d", 4, 1, 0 },
  { "duplicate-ids", "u1 u2 u2 u3", 4, 3, 0 },
  { "missing-parent", "u1 u2", 2, 2, 0 },
  { "line-separators", "u1 u2", 2, 2, 0 },
  { "surrogates", "u1 u2", 2, 2, 0 },
  { "bom-and-crlf", "u1 u2", 2, 2, 0 },
  { "version-1", NULL, 3, 3, 0, FALSE, TRUE },
  { "version-2", "u1 h1", 2, 2, 0, FALSE, TRUE },
  { "every-type", "m1 t1 u1 a1 r1 b1 x1 x2 l1 i1 k1 z1 u2", 13, 13, 0 },
};

static char *
dup_fixture (const char *name,
             gsize      *length)
{
  g_autofree char *file = g_strconcat (name, ".jsonl", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "sessions", file, NULL);
  char *contents = NULL;
  g_autoptr(GError) error = NULL;

  g_file_get_contents (path, &contents, length, &error);
  g_assert_no_error (error);
  return contents;
}

static char *
dup_ids (TauSessionFile *file)
{
  GPtrArray *entries = tau_session_tree_get_entries (tau_session_file_get_tree (file));
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", tau_session_entry_get_id (g_ptr_array_index (entries, i)));
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
append (TauSessionFile *file)
{
  TauSessionTree *tree = tau_session_file_get_tree (file);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  g_autoptr(TauMessage) message = TAU_MESSAGE (tau_user_message_new ("added", NULL, 5));
  g_autoptr(TauSessionEntry) entry = tau_session_entry_new_message ("added1", leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, 7, message);

  tau_session_file_append (file, entry);
}

static void
check_load (TauSessionFile *file,
            const Case     *expected)
{
  TauSessionTree *tree = tau_session_file_get_tree (file);
  g_autofree char *ids = dup_ids (file);
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));

  if (expected->ids != NULL)
    g_assert_cmpstr (ids, ==, expected->ids);
  g_assert_cmpuint (tau_session_tree_get_entries (tree)->len, ==, expected->n_entries);
  g_assert_cmpuint (path->len, ==, expected->n_path);
  g_assert_cmpuint (g_strv_length ((char **) tau_session_file_get_problems (file)), ==, expected->n_problems);
  g_assert_cmpint (tau_session_file_is_read_only (file), ==, expected->read_only);
  g_assert_cmpint (tau_session_file_get_obstacle (file) != NULL, ==, expected->read_only);
}

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  gsize length;
  g_autofree char *contents = dup_fixture (expected->name, &length);
  g_autofree char *path = tau_test_dir_build (dir, "s.jsonl");
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(TauSessionFile) again = NULL;
  gsize after_length;

  g_assert_true (g_file_set_contents (path, contents, (gssize) length, NULL));
  file = tau_session_file_load (path, NULL);
  check_load (file, expected);
  tau_session_file_take_lease (file);
  g_assert_true (g_file_get_contents (path, &before, &after_length, NULL));
  g_assert_cmpmem (before, after_length, contents, length);

  append (file);
  g_assert_null (tau_session_file_get_error (file));
  tau_session_file_close (file);
  g_assert_true (g_file_get_contents (path, &after, &after_length, NULL));
  if (expected->read_only)
    g_assert_cmpmem (after, after_length, contents, length);
  if (expected->read_only)
    return;
  if (!expected->changes)
    g_assert_cmpmem (after, length, contents, length);
  again = tau_session_file_load (path, NULL);
  g_assert_cmpuint (tau_session_tree_get_entries (tau_session_file_get_tree (again))->len, ==, expected->n_entries + 1);
  g_assert_cmpstr (tau_session_entry_get_id (tau_session_tree_get_leaf (tau_session_file_get_tree (again))), ==, "added1");
}

/* P66: the title stands anywhere in the file, and stays when the file grows. */
static void
test_title (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *contents = dup_fixture ("every-type", NULL);
  g_autoptr(GString) text = g_string_new (contents);
  g_autofree char *path = NULL;
  g_autoptr(TauSessionFile) file = NULL;
  g_autofree char *name = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "{\"type\":\"custom\",\"customType\":\"x\",\"id\":\"g%u\",\"parentId\":\"u2\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}\n", i);
  path = tau_test_dir_write (dir, "s.jsonl", text->str);
  file = tau_session_file_load (path, NULL);
  append (file);
  name = tau_session_tree_dup_name (tau_session_file_get_tree (file));
  g_assert_cmpstr (name, ==, "my name");
}

static guint
place_in (GRand   *rand,
          GString *text)
{
  return text->len > 0 ? (guint) g_rand_int_range (rand, 0, (gint32) text->len) : 0;
}

static void
mutate (GRand   *rand,
        GString *text)
{
  guint at = place_in (rand, text);
  guint length = (guint) g_rand_int_range (rand, 1, 80);
  g_autofree char *piece = NULL;

  switch (g_rand_int_range (rand, 0, 6))
    {
    case 0:
      text->str[at] = (char) g_rand_int_range (rand, 0, 256);
      break;
    case 1:
      g_string_erase (text, at, (gssize) MIN (length, text->len - at));
      break;
    case 2:
      piece = g_memdup2 (text->str + at, MIN (length, text->len - at));
      g_string_insert_len (text, place_in (rand, text), piece, (gssize) MIN (length, text->len - at));
      break;
    case 3:
      g_string_insert_c (text, at, "\n\r{}[]\",:\\"[g_rand_int_range (rand, 0, 10)]);
      break;
    case 4:
      g_string_truncate (text, at);
      break;
    default:
      g_string_insert (text, at, at % 2 == 0 ? "null\n" : "\xE2\x80\xA8");
    }
}

/* What a strict parser finds when it is given line for line must be in the tree, and under its id unless the file is of
 * the version that had none. */
static void
check_nothing_lost (TauSessionFile *file,
                    const GString  *text)
{
  const char *end = text->str + text->len;
  gboolean has_ids = FALSE;
  guint n_objects = 0;

  for (const char *line = text->str; line < end;)
    {
      const char *newline = memchr (line, '\n', (gsize) (end - line));
      const char *line_end = newline != NULL ? newline : end;
      g_autoptr(JsonNode) json = memchr (line, '\0', (gsize) (line_end - line)) == NULL ? tau_json_parse (line, line_end - line, NULL) : NULL;
      const char *id = json != NULL && JSON_NODE_HOLDS_OBJECT (json) ? tau_json_get_string (json, "id", NULL) : NULL;
      gboolean is_header = g_strcmp0 (tau_json_get_string (json, "type", ""), "session") == 0;

      if (is_header && n_objects == 0)
        has_ids = tau_json_get_int (json, "version", 1) >= 2;
      n_objects += id != NULL && !is_header;
      if (id != NULL && !is_header && has_ids && g_utf8_validate (line, line_end - line, NULL)
          && tau_session_tree_lookup (tau_session_file_get_tree (file), id) == NULL)
        g_error ("lost: %.*s", (int) (line_end - line), line);
      line = line_end + 1;
    }
  g_assert_cmpuint (n_objects, <=, tau_session_tree_get_entries (tau_session_file_get_tree (file))->len);
}

/* Everything that a window, its list or a model would ask for. */
static void
use (TauSessionFile *file)
{
  g_autoptr(TauSessionInfo) info = tau_session_info_read (tau_session_file_get_path (file));
  TauSessionTree *tree = tau_session_file_get_tree (file);
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));
  g_autofree char *name = tau_session_tree_dup_name (tree);

  for (guint i = 0; i < path->len; i++)
    {
      g_autoptr(TauMessage) message = tau_session_entry_dup_message (g_ptr_array_index (path, i));
      g_autofree char *text = message != NULL ? tau_message_dup_text (message, "\n") : NULL;
    }
  g_assert_cmpint (info != NULL, ==, tau_session_file_get_header (file) != NULL);
}

/* Without a sync, of which there would be thousands. */
static void
write_file (const char    *path,
            const GString *text)
{
  FILE *stream = g_fopen (path, "w");

  g_assert_cmpuint (fwrite (text->str, 1, text->len, stream), ==, text->len);
  g_assert_cmpint (fclose (stream), ==, 0);
}

static void
test_mutants (void)
{
  const char *wish = g_getenv ("TAU_MUTANTS");
  guint n_mutants = wish != NULL ? (guint) g_ascii_strtoull (wish, NULL, 10) : 500;
  g_autoptr(GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_build (dir, "s.jsonl");
  static const char * const bases[] = { "every-type", "version-1", "version-2", "two-on-one-line", "torn-last-line" };

  for (guint i = 0; i < n_mutants; i++)
    {
      gsize length, after_length;
      g_autofree char *base = dup_fixture (bases[i % G_N_ELEMENTS (bases)], &length);
      g_autoptr(GString) text = g_string_new_len (base, (gssize) length);
      g_autoptr(TauSessionFile) file = NULL;
      g_autofree char *after = NULL;
      guint n_entries;

      for (int n = g_rand_int_range (rand, 1, 5); n > 0; n--)
        mutate (rand, text);
      write_file (path, text);
      file = tau_session_file_load (path, NULL);
      g_assert_nonnull (file);
      check_nothing_lost (file, text);
      use (file);
      n_entries = tau_session_tree_get_entries (tau_session_file_get_tree (file))->len;
      append (file);
      g_assert_true (g_file_get_contents (path, &after, &after_length, NULL));
      if (tau_session_file_is_read_only (file) || tau_session_file_get_header (file) == NULL)
        g_assert_cmpmem (after, after_length, text->str, text->len);
      else
        {
          g_autoptr(TauSessionFile) again = tau_session_file_load (path, NULL);

          g_assert_cmpuint (tau_session_tree_get_entries (tau_session_file_get_tree (again))->len, ==, n_entries + 1);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/session-damage/", cases[i].read_only ? "p65-" : "", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/session-damage/p66-title", test_title);
  g_test_add_func ("/session-damage/p65-mutants", test_mutants);
  return g_test_run ();
}
