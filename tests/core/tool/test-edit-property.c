/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-toolbox.h"

#include "tool-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* What holds for every edit of every file, whatever its encoding, line endings, byte order mark, links and mode: the
 * bytes outside the places that were named are the same, the places hold the new text with endings of the file, and
 * all that is not content stays. TAU_PROPERTY_ROUNDS=N tries more files. */

#define N_ROUNDS 400
#define MAX_EDITS 4
#define NOBODY 65534

/* A character as a file has it, as text, and as a model may write it instead. */
typedef struct
{
  const char *bytes;
  const char *text;
  const char *plain;
} Character;

static const Character utf8[] = {
  { "a", "a", "a" },
  { "B", "B", "B" },
  { " ", " ", " " },
  { "\t", "\t", "\t" },
  { "\\", "\\", "\\" },
  { "\xc3\xa9", "\xc3\xa9", "e\xcc\x81" },
  { "e\xcc\x81", "e\xcc\x81", "\xc3\xa9" },
  { "\xef\xac\x81", "\xef\xac\x81", "fi" },
  { "\xe6\x97\xa5", "\xe6\x97\xa5", "\xe6\x97\xa5" },
  { "\xef\xbc\xa1", "\xef\xbc\xa1", "A" },
  { "\xe3\x80\x80", "\xe3\x80\x80", " " },
  { "\xe2\x80\xaf", "\xe2\x80\xaf", " " },
  { "\xe2\x80\x9c", "\xe2\x80\x9c", "\"" },
  { "\xe2\x80\x94", "\xe2\x80\x94", "-" },
  { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
};

static const Character latin1[] = {
  { "a", "a", "a" },
  { " ", " ", " " },
  { "\\", "\\", "\\" },
  { "\xe9", "\xc3\xa9", "e\xcc\x81" },
  { "\xdf", "\xc3\x9f", "\xc3\x9f" },
  { "\xef", "\xc3\xaf", "\xc3\xaf" },
  { "\xa0", "\xc2\xa0", " " },
};

static const Character shift_jis[] = {
  { "a", "a", "a" },
  { " ", " ", " " },
  { "\x82\xa0", "\xe3\x81\x82", "\xe3\x81\x82" },
  { "\x83\x4a", "\xe3\x82\xab", "\xe3\x82\xab" },
  { "\x95\x5c", "\xe8\xa1\xa8", "\xe8\xa1\xa8" }, /* its second byte is a backslash */
  { "\x81\x5b", "\xe3\x83\xbc", "\xe3\x83\xbc" },
};

static const struct
{
  const char *first_line; /* shows what the file is; not edited */
  const Character *characters;
  int n_characters;
} encodings[] = {
  { "\xc3\xa4 plain UTF-8", utf8, G_N_ELEMENTS (utf8) },
  { "caf\xe9, na\xefve, stra\xdf" "e", latin1, G_N_ELEMENTS (latin1) },
  { "\x82\xa0\x82\xa2\x82\xa4\x83\x4a\x83\x4a", shift_jis, G_N_ELEMENTS (shift_jis) },
};

typedef enum
{
  ENDINGS_LF,
  ENDINGS_CRLF,
  ENDINGS_CR,
  ENDINGS_MIXED,
  N_ENDINGS,
} Endings;

static const char *const endings[] = { "\n", "\r\n", "\r" };

/* A file as pieces that each are one character or one line ending. */
typedef struct
{
  int encoding;
  Endings endings;
  gboolean bom;
  GPtrArray *bytes; /* of GString */
  GPtrArray *texts; /* LF for endings */
  GPtrArray *plains;
  GArray *tokens; /* of int: where the name of each line begins */
} Model;

static void
string_free (gpointer string)
{
  g_string_free (string, TRUE);
}

static void
model_init (Model *model)
{
  model->bytes = g_ptr_array_new_with_free_func (string_free);
  model->texts = g_ptr_array_new_with_free_func (string_free);
  model->plains = g_ptr_array_new_with_free_func (string_free);
  model->tokens = g_array_new (FALSE, FALSE, sizeof (int));
}

static void
model_clear (Model *model)
{
  g_ptr_array_unref (model->bytes);
  g_ptr_array_unref (model->texts);
  g_ptr_array_unref (model->plains);
  g_array_unref (model->tokens);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static int
any (int n)
{
  return g_test_rand_int_range (0, n);
}

static void
add (Model      *model,
     const char *bytes,
     const char *text,
     const char *plain)
{
  g_ptr_array_add (model->bytes, g_string_new (bytes));
  g_ptr_array_add (model->texts, g_string_new (text));
  g_ptr_array_add (model->plains, g_string_new (plain));
}

static void
add_ending (Model *model)
{
  add (model, endings[model->endings == ENDINGS_MIXED ? any (ENDINGS_MIXED) : (int) model->endings], "\n", "\n");
}

static const Character *
any_character (const Model *model)
{
  return &encodings[model->encoding].characters[any (encodings[model->encoding].n_characters)];
}

/* No ligatures and the like within a name, so that it is found once. */
static void
add_line (Model *model,
          int    number)
{
  g_autofree char *name = g_strdup_printf ("<%03d>", number);

  for (int i = any (4); i > 0; i--)
    {
      const Character *c = any_character (model);

      add (model, c->bytes, c->text, c->plain);
    }
  g_array_append_val (model->tokens, model->bytes->len);
  for (const char *p = name; *p != '\0'; p++)
    {
      const char letter[] = { *p, '\0' };

      add (model, letter, letter, letter);
    }
  for (int i = any (6); i > 0; i--)
    {
      const Character *c = any_character (model);

      add (model, c->bytes, c->text, c->plain);
    }
}

static void
fill (Model *model)
{
  int n_lines = 1 + any (12);

  model->encoding = any (G_N_ELEMENTS (encodings));
  model->endings = any (N_ENDINGS);
  model->bom = model->encoding == 0 && any (3) == 0;
  for (int i = 1; i <= n_lines; i++)
    {
      add_ending (model);
      add_line (model, i);
    }
  if (any (2) == 0)
    add_ending (model);
}

static GString *
join (const GPtrArray *parts,
      int              start,
      int              end)
{
  GString *out = g_string_new (NULL);

  for (int i = start; i < end; i++)
    {
      const GString *part = g_ptr_array_index (parts, i);

      g_string_append_len (out, part->str, part->len);
    }
  return out;
}

/* A place and what is to stand there: characters of the file's encoding, and line ends. */
typedef struct
{
  int start;
  int end;
  gboolean plain; /* named as a model may write it */
  GPtrArray *bytes; /* what an LF becomes is left open */
  GPtrArray *texts;
} Change;

/* A change around the name of each line that is chosen, up to the name of the next. */
static int
choose_changes (const Model *model,
                Change       changes[MAX_EDITS])
{
  int n_lines = (int) model->tokens->len;
  int n = 0;

  for (int line = any (3); line < n_lines && n < MAX_EDITS; line += 1 + any (4))
    {
      Change *change = &changes[n++];
      int token = g_array_index (model->tokens, int, line);
      int last = line + 1 < n_lines ? line + any (2) : line;
      int least = n > 1 ? changes[n - 2].end : 1;
      int most = last + 1 < n_lines ? g_array_index (model->tokens, int, last + 1) : (int) model->bytes->len;
      int end = g_array_index (model->tokens, int, last) + 5;

      change->start = token - any (MIN (3, token - least) + 1);
      change->end = end + any (most - end + 1);
      change->plain = any (3) == 0;
      change->bytes = g_ptr_array_new_with_free_func (string_free);
      change->texts = g_ptr_array_new_with_free_func (string_free);
      line = last;
      for (int i = any (8); i > 0; i--)
        {
          const Character *c = any_character (model);
          gboolean newline = any (4) == 0;

          g_ptr_array_add (change->bytes, g_string_new (newline ? "\n" : c->bytes));
          g_ptr_array_add (change->texts, g_string_new (newline ? "\n" : c->text));
        }
    }
  return n;
}

static void
append_json_text (GString         *json,
                  const GPtrArray *parts,
                  int              start,
                  int              end)
{
  g_autoptr(JsonNode) node = NULL;
  GString *text = join (parts, start, end);
  g_autofree char *quoted = NULL;

  node = json_node_new (JSON_NODE_VALUE);
  json_node_set_string (node, text->str);
  quoted = tau_json_to_string (node);
  g_string_append (json, quoted);
  g_string_free (text, TRUE);
}

static JsonNode *
make_arguments (const Model  *model,
                const Change *changes,
                int           n)
{
  g_autoptr(GString) json = g_string_new ("{\"path\":\"name\",\"edits\":[");
  g_autoptr(GError) error = NULL;
  JsonNode *arguments;

  for (int i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? ",{\"oldText\":" : "{\"oldText\":");
      append_json_text (json, changes[i].plain ? model->plains : model->texts, changes[i].start, changes[i].end);
      g_string_append (json, ",\"newText\":");
      append_json_text (json, changes[i].texts, 0, (int) changes[i].texts->len);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}");
  arguments = tau_json_parse (json->str, json->len, &error);
  g_assert_no_error (error);
  return arguments;
}

/* Goes over what must be the same. Where a lone CR and an LF have come together, one CR more keeps them two endings. */
static void
skip_same (const Model  *model,
           int           start,
           int           end,
           const char  **p,
           const char   *stop)
{
  g_autoptr(GString) same = join (model->bytes, start, end);

  if (same->len > 0 && same->str[0] == '\n' && **p == '\r' && stop - *p > 1)
    (*p)++;
  g_assert_cmpint (stop - *p, >=, (gssize) same->len);
  g_assert_cmpmem (*p, same->len, same->str, same->len);
  *p += same->len;
}

static void
skip_changed (const Model   *model,
              const Change  *change,
              const char   **p,
              const char    *stop)
{
  for (guint i = 0; i < change->bytes->len; i++)
    {
      const GString *part = g_ptr_array_index (change->bytes, i);
      gsize length = part->len;

      if (part->str[0] != '\n')
        g_assert_cmpmem (*p, MIN ((gsize) (stop - *p), length), part->str, length);
      else if (model->endings == ENDINGS_MIXED)
        {
          g_assert_true (**p == '\r' || **p == '\n');
          length = **p == '\r' && stop - *p > 1 && (*p)[1] == '\n' ? 2 : 1;
        }
      else
        {
          length = strlen (endings[model->endings]);
          g_assert_cmpmem (*p, MIN ((gsize) (stop - *p), length), endings[model->endings], length);
        }
      *p += length;
    }
}

static void
check_content (const Model  *model,
               const char   *head,
               const Change *changes,
               int           n,
               const char   *bytes,
               gsize         length)
{
  const char *p = bytes, *stop = bytes + length;
  int done = 0;

  g_assert_cmpmem (p, MIN (length, strlen (head)), head, strlen (head));
  p += strlen (head);
  for (int i = 0; i < n; i++)
    {
      skip_same (model, done, changes[i].start, &p, stop);
      skip_changed (model, &changes[i], &p, stop);
      done = changes[i].end;
    }
  skip_same (model, done, (int) model->bytes->len, &p, stop);
  g_assert_true (p == stop);
}

/* A file "target" that "name" leads to: itself, by links, or by being the same file. */
typedef enum
{
  NAME_PLAIN,
  NAME_LINK,
  NAME_CHAIN,
  NAME_HARD_LINK,
  N_NAMES,
} NameKind;

static void
make_name (TauTestDir *dir,
           NameKind    kind)
{
  g_autofree char *target = tau_test_dir_build (dir, "sub/target");
  g_autofree char *middle = tau_test_dir_build (dir, "sub/middle");
  g_autofree char *name = tau_test_dir_build (dir, "name");

  if (kind == NAME_PLAIN)
    g_assert_cmpint (rename (target, name), ==, 0);
  else if (kind == NAME_LINK)
    g_assert_cmpint (symlink ("sub/target", name), ==, 0);
  else if (kind == NAME_HARD_LINK)
    g_assert_cmpint (link (target, name), ==, 0);
  else
    {
      g_assert_cmpint (symlink ("target", middle), ==, 0);
      g_assert_cmpint (symlink ("sub/middle", name), ==, 0);
    }
}

static guint
count_names (TauTestDir *dir,
             const char *name)
{
  g_autofree char *path = tau_test_dir_build (dir, name);
  g_autoptr(GDir) listing = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (listing) != NULL)
    n++;
  return n;
}

static void
free_changes (Change *changes,
              int     n)
{
  for (int i = 0; i < n; i++)
    {
      g_ptr_array_unref (changes[i].bytes);
      g_ptr_array_unref (changes[i].texts);
    }
}

static int n_rounds_given;

/* With a number of rounds given, the one that fails is the last one shown. */
static void
tell (const char *before,
      const char *after,
      JsonNode   *arguments)
{
  g_autofree char *shown_before = g_strescape (before, NULL);
  g_autofree char *shown_after = g_strescape (after, NULL);
  g_autofree char *json = tau_json_to_string (arguments);
  g_autofree char *shown_json = g_strescape (json, "\"");

  g_test_message ("before %s\nafter %s\n%s", shown_before, shown_after, shown_json);
}

static void
try_one (ToolFixture *fixture)
{
  static const int modes[] = { 0644, 0755, 0600, 02755 };
  NameKind kind = any (N_NAMES);
  g_auto(Model) model = { 0 };
  Change changes[MAX_EDITS];
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *sub = tau_test_dir_mkdir (dir, "sub");
  g_autofree char *target = tau_test_dir_build (dir, "sub/target");
  g_autofree char *name = tau_test_dir_build (dir, "name");
  g_autofree char *head = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GString) before = NULL;
  g_autoptr(JsonNode) arguments = NULL;
  g_autoptr(TauToolRun) run = NULL;
  g_auto(ToolResult) result = { 0 };
  gboolean has_attributes;
  struct stat old_status, status;
  char value[8];
  gsize length;
  int n;

  model_init (&model);
  do
    {
      model_clear (&model);
      model_init (&model);
      fill (&model);
      n = choose_changes (&model, changes);
    }
  while (n == 0);
  head = g_strconcat (model.bom ? "\xef\xbb\xbf" : "", encodings[model.encoding].first_line, NULL);
  before = join (model.bytes, 0, (int) model.bytes->len);
  g_string_prepend (before, head);
  g_assert_true (g_file_set_contents (target, before->str, before->len, NULL));
  has_attributes = setxattr (target, "user.tau", "kept", 4, 0) == 0;
  if (geteuid () == 0)
    g_assert_cmpint (chown (target, (uid_t) -1, NOBODY), ==, 0);
  g_assert_cmpint (chmod (target, modes[any (G_N_ELEMENTS (modes))]), ==, 0);
  make_name (dir, kind);
  g_assert_cmpint (stat (name, &old_status), ==, 0);

  g_object_set (fixture->context, "cwd", tau_test_dir_get_path (dir), NULL);
  arguments = make_arguments (&model, changes, n);
  run = tau_tool_run_new ("call", "edit", arguments);
  result = tool_fixture_run (fixture, run);
  g_assert_true (g_file_get_contents (name, &after, &length, NULL));
  if (n_rounds_given > 0)
    tell (before->str, after, arguments);
  if (result.is_error)
    {
      /* New text that is the old one. */
      if (!g_str_has_prefix (result.text, "No changes made to name."))
        g_error ("%s", result.text);
      g_assert_cmpmem (after, length, before->str, before->len);
    }
  else
    check_content (&model, head, changes, n, after, length);

  g_assert_cmpint (stat (name, &status), ==, 0);
  g_assert_cmpuint (status.st_mode, ==, old_status.st_mode);
  g_assert_cmpuint (status.st_uid, ==, old_status.st_uid);
  g_assert_cmpuint (status.st_gid, ==, old_status.st_gid);
  g_assert_cmpuint (status.st_nlink, ==, old_status.st_nlink);
  g_assert_true (!has_attributes || getxattr (name, "user.tau", value, sizeof value) == 4);
  g_assert_true (g_file_test (name, G_FILE_TEST_IS_SYMLINK) == (kind == NAME_LINK || kind == NAME_CHAIN));
  g_assert_cmpuint (count_names (dir, "."), ==, 2);
  g_assert_cmpuint (count_names (dir, "sub"), ==, kind == NAME_PLAIN ? 0 : kind == NAME_CHAIN ? 2 : 1);
  if (kind != NAME_PLAIN)
    {
      g_assert_cmpint (stat (target, &old_status), ==, 0);
      g_assert_cmpuint (old_status.st_ino, ==, status.st_ino);
    }
  free_changes (changes, n);
}

static void
test_edits (ToolFixture  *fixture,
            gconstpointer data)
{
  for (int i = 0; i < (n_rounds_given > 0 ? n_rounds_given : N_ROUNDS); i++)
    try_one (fixture);
}

/* UTF-16 is not edited, and not harmed. */
static void
test_utf16 (ToolFixture  *fixture,
            gconstpointer data)
{
  static const char *const names[] = { "UTF-16LE", "UTF-16BE" };
  g_autofree char *path = tau_test_dir_build (fixture->dir, "u.txt");

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length, after_length;
      g_autofree char *bytes = g_convert ("\xef\xbb\xbf" "one\r\ntwo\r\n", -1, names[i], "UTF-8", NULL, &length, NULL);
      g_autofree char *wanted = g_strdup_printf ("u.txt is encoded as %s, which edit does not change. Convert the file, or change it with a command.",
                                                 names[i]);
      g_autofree char *after = NULL;
      g_auto(ToolResult) result = { 0 };

      g_assert_true (g_file_set_contents (path, bytes, length, NULL));
      result = tool_fixture_call (fixture, "edit", "{'path':'u.txt','edits':[{'oldText':'two','newText':'2'}]}");
      g_assert_true (result.is_error);
      g_assert_cmpstr (result.text, ==, wanted);
      g_assert_true (g_file_get_contents (path, &after, &after_length, NULL));
      g_assert_cmpmem (after, after_length, bytes, length);
    }
}

#define add_test(path, func) g_test_add (path, ToolFixture, NULL, tool_fixture_set_up, func, tool_fixture_tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("TAU_PROPERTY_ROUNDS") != NULL)
    n_rounds_given = atoi (g_getenv ("TAU_PROPERTY_ROUNDS"));

  add_test ("/edit-property/edits", test_edits);
  add_test ("/edit-property/utf16", test_utf16);

  return g_test_run ();
}
