/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-marks.h"

#include "support/tau-test-dir.h"

#include <string.h>

static void
count_cb (guint *n)
{
  (*n)++;
}

static void
test_remembers (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_build (dir, "below/marks.json");
  TauSessionMarks *marks = tau_session_marks_new (path);
  guint n = 0;

  g_signal_connect_swapped (marks, "changed", G_CALLBACK (count_cb), &n);
  g_assert_false (tau_session_marks_get (marks, "s.1", TAU_SESSION_MARK_PINNED));
  tau_session_marks_set (marks, "s.1", TAU_SESSION_MARK_PINNED, TRUE);
  tau_session_marks_set (marks, "s.1", TAU_SESSION_MARK_PINNED, TRUE);
  tau_session_marks_set (marks, "s2", TAU_SESSION_MARK_ARCHIVED, TRUE);
  tau_session_marks_set (marks, "s2", TAU_SESSION_MARK_ARCHIVED, FALSE);
  tau_session_marks_set_folder (marks, "/old.place", "/new");
  tau_session_marks_set_project (marks, "/old.place", "root:abc");
  g_assert_cmpuint (n, ==, 5);
  g_assert_finalize_object (marks);

  marks = tau_session_marks_new (path);
  g_assert_true (tau_session_marks_get (marks, "s.1", TAU_SESSION_MARK_PINNED));
  g_assert_false (tau_session_marks_get (marks, "s.1", TAU_SESSION_MARK_UNREAD));
  g_assert_false (tau_session_marks_get (marks, "s2", TAU_SESSION_MARK_ARCHIVED));
  g_assert_cmpstr (tau_session_marks_get_folder (marks, "/old.place"), ==, "/new");
  g_assert_cmpstr (tau_session_marks_get_folder (marks, "/other"), ==, "/other");
  g_assert_cmpstr (tau_session_marks_get_project (marks, "/old.place"), ==, "root:abc");
  tau_session_marks_set_folder (marks, "/old.place", NULL);
  g_assert_cmpstr (tau_session_marks_get_folder (marks, "/old.place"), ==, "/old.place");
  g_assert_finalize_object (marks);
}

/* Two programs, and a field that neither knows. */
static void
test_keeps_what_others_wrote (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "marks.json", "{\"sessions\":{\"a\":{\"colour\":\"red\"}},\"later\":[1]}");
  TauSessionMarks *first = tau_session_marks_new (path);
  TauSessionMarks *second = tau_session_marks_new (path);
  g_autofree char *text = NULL;

  tau_session_marks_set (first, "a", TAU_SESSION_MARK_PINNED, TRUE);
  tau_session_marks_set (second, "b", TAU_SESSION_MARK_PINNED, TRUE);
  g_assert_finalize_object (first);
  g_assert_finalize_object (second);
  first = tau_session_marks_new (path);
  g_assert_true (tau_session_marks_get (first, "a", TAU_SESSION_MARK_PINNED));
  g_assert_true (tau_session_marks_get (first, "b", TAU_SESSION_MARK_PINNED));
  g_assert_finalize_object (first);
  text = tau_test_dir_read (dir, "marks.json");
  g_assert_nonnull (strstr (text, "\"red\""));
  g_assert_nonnull (strstr (text, "\"later\""));
}

static void
test_never_writes_what_it_cannot_read (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  static const char * const texts[] = { "{\"sessions\":", "[]", "\xff\xfe" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = tau_test_dir_write (dir, "marks.json", texts[i]);
      g_autofree char *text = NULL;
      TauSessionMarks *marks = tau_session_marks_new (path);

      tau_session_marks_set (marks, "a", TAU_SESSION_MARK_PINNED, TRUE);
      g_assert_true (tau_session_marks_get (marks, "a", TAU_SESSION_MARK_PINNED));
      g_assert_finalize_object (marks);
      text = tau_test_dir_read (dir, "marks.json");
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

/* P61: a project that is found again under another path. */
static void
test_knows_lost_folders (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_build (dir, "marks.json");
  g_autoptr(TauSessionMarks) marks = tau_session_marks_new (path);
  g_auto(GStrv) lost = NULL;
  g_auto(GStrv) none = NULL;

  tau_session_marks_set_project (marks, "/a", "one");
  tau_session_marks_set_project (marks, "/b", "two");
  tau_session_marks_set_project (marks, "/c", "one");
  lost = tau_session_marks_dup_lost (marks, "one", "/c");
  g_assert_cmpuint (g_strv_length (lost), ==, 1);
  g_assert_cmpstr (lost[0], ==, "/a");
  tau_session_marks_set_folder (marks, "/a", "/c");
  none = tau_session_marks_dup_lost (marks, "one", "/c");
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-marks/remembers", test_remembers);
  g_test_add_func ("/session-marks/keeps-what-others-wrote", test_keeps_what_others_wrote);
  g_test_add_func ("/session-marks/unreadable", test_never_writes_what_it_cannot_read);
  g_test_add_func ("/session-marks/p61-lost-folders", test_knows_lost_folders);
  return g_test_run ();
}
