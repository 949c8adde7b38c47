/* SPDX-License-Identifier: MIT */
#include "core/base/tau-paths.h"

#include "support/tau-test-dir.h"

typedef char *(*MakePath) (void);

static void
check_place (MakePath    make,
             const char *expected)
{
  g_autofree char *path = make ();

  g_assert_cmpstr (path, ==, expected);
}

static void
test_places (void)
{
  g_setenv ("HOME", "/home/u", TRUE);
  g_unsetenv ("TAU_AGENT_DIR");
  g_unsetenv ("PI_CODING_AGENT_DIR");
  check_place (tau_paths_agent_dir, "/home/u/.pi/agent");
  g_setenv ("PI_CODING_AGENT_DIR", "~/pi", TRUE);
  check_place (tau_paths_agent_dir, "/home/u/pi");
  g_setenv ("TAU_AGENT_DIR", "/t", TRUE);
  check_place (tau_paths_agent_dir, "/t");
  g_setenv ("TAU_AGENT_DIR", "", TRUE);
  check_place (tau_paths_agent_dir, "/home/u/pi");

  g_setenv ("XDG_CACHE_HOME", "/c", TRUE);
  g_setenv ("XDG_DATA_HOME", "relative", TRUE);
  g_unsetenv ("XDG_STATE_HOME");
  check_place (tau_paths_cache_dir, "/c/tau");
  check_place (tau_paths_data_dir, "/home/u/.local/share/tau");
  check_place (tau_paths_state_dir, "/home/u/.local/state/tau");
}

static void
test_resolve (void)
{
  static const char * const cases[][2] = {
    { "a.txt", "/w/d/a.txt" },
    { "@a.txt", "/w/d/a.txt" },
    { "@@a", "/w/d/@a" },
    { "./a/../b//c/", "/w/d/b/c" },
    { "../../../x", "/x" },
    { "/", "/" },
    { "//x/./y/", "/x/y" },
    { "..", "/w" },
    { "", "/w/d" },
    { ".", "/w/d" },
    { "~", "/home/u" },
    { "~/x", "/home/u/x" },
    { "@~/x", "/home/u/x" },
    { "~v/x", "/w/d/~v/x" },
    { "a\xc2\xa0" "b\xe2\x80\x83" "c\xe2\x80\xaf" "d\xe2\x81\x9f" "e\xe3\x80\x80" "f", "/w/d/a b c d e f" },
    { "a\xe2\x80\x8b", "/w/d/a\xe2\x80\x8b" },
    { "\xff\xe2", "/w/d/\xff\xe2" },
    { "...", "/w/d/..." },
  };

  g_setenv ("HOME", "/home/u", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = tau_paths_resolve ("/w/d/", cases[i][0]);

      g_assert_cmpstr (path, ==, cases[i][1]);
    }
}

static void
test_resolve_existing (void)
{
  static const char * const cases[][2] = {   /* what is there, what was written */
    { "shot 10.00\xe2\x80\xafPM.txt", "shot 10.00 PM.txt" },
    { "shot 11.00\xe2\x80\xaf" "am.png", "shot 11.00 am.png" },
    { "d\xe2\x80\x99" "e.txt", "d'e.txt" },
    { "cafe\xcc\x81.txt", "caf\xc3\xa9.txt" },
    { "l\xe2\x80\x99" "e\xcc\x81t\xc3\xa9", "no" },
    { "l\xe2\x80\x99" "e\xcc\x81te\xcc\x81", "l'\xc3\xa9t\xc3\xa9" },
    { "plain.txt", "@plain.txt" },
    { "a b", "a\xc2\xa0" "b" },
  };
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *written = tau_test_dir_write (dir, cases[i][0], "x");
      g_autofree char *found = tau_paths_resolve_existing (tau_test_dir_get_path (dir), cases[i][1]);
      g_autofree char *missing = tau_test_dir_build (dir, "no");

      g_assert_cmpstr (found, ==, g_str_equal (cases[i][1], "no") ? missing : written);
    }
}

static void
test_is_inside (void)
{
  g_assert_true (tau_paths_is_inside ("/a/b", "/a/b"));
  g_assert_true (tau_paths_is_inside ("/a/b/", "/a/b/c"));
  g_assert_true (tau_paths_is_inside ("/a/b", "/a//b/./c"));
  g_assert_true (tau_paths_is_inside ("/", "/x"));
  g_assert_true (tau_paths_is_inside ("/", "/"));
  g_assert_false (tau_paths_is_inside ("/a/b", "/a/bc"));
  g_assert_false (tau_paths_is_inside ("/a/b", "/a"));
  g_assert_false (tau_paths_is_inside ("/a/b", "/a/b/../c"));
}

static void
test_shorten (void)
{
  static const char * const cases[][2] = {
    { "/home/u", "~" }, { "/home/u/x", "~/x" }, { "/home/user", "/home/user" }, { "/", "/" },
  };

  g_setenv ("HOME", "/home/u/", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = tau_paths_shorten (cases[i][0]);

      g_assert_cmpstr (path, ==, cases[i][1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/paths/places", test_places);
  g_test_add_func ("/paths/resolve", test_resolve);
  g_test_add_func ("/paths/resolve-existing", test_resolve_existing);
  g_test_add_func ("/paths/is-inside", test_is_inside);
  g_test_add_func ("/paths/shorten", test_shorten);

  return g_test_run ();
}
