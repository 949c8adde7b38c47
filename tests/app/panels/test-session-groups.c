/* SPDX-License-Identifier: MIT */
#include "app/panels/tau-session-groups.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <string.h>
#include <utime.h>

typedef struct
{
  TauTestDir       *dir;
  TauSessionIndex  *index;
  TauSessionGroups *groups;
} Rig;

/* A session file whose last message is @minute minutes after the others' beginning. */
static void
write_session (Rig        *rig,
               const char *folder,
               const char *id,
               const char *prompt,
               int         minute)
{
  g_autofree char *name = g_strdup_printf ("sessions/--%s--/2026-01-01T00-00-00-000Z_%s.jsonl", folder, id);
  g_autofree char *text = g_strdup_printf (
    "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/%s\"}\n"
    "{\"type\":\"message\",\"id\":\"aaaaaaa1\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:%02d:00.000Z\","
    "\"message\":{\"role\":\"user\",\"content\":\"%s\",\"timestamp\":%" G_GINT64_FORMAT "}}\n",
    id, folder, minute, prompt, G_GINT64_CONSTANT (1767225600000) + minute * 60000);
  g_autofree char *path = tau_test_dir_write (rig->dir, name, text);
  struct utimbuf times = { 1767225600 + minute * 60, 1767225600 + minute * 60 };

  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
rig_set_up (Rig           *rig,
            gconstpointer  data)
{
  g_autofree char *root = NULL;

  rig->dir = tau_test_dir_new ();
  root = tau_test_dir_build (rig->dir, "sessions");
  write_session (rig, "alpha", "s1", "Oldest", 1);
  write_session (rig, "beta", "s2", "Parser", 2);
  write_session (rig, "alpha", "s3", "Newer", 3);
  write_session (rig, "gamma", "s4", "Newest", 4);
  rig->index = tau_session_index_new (root);
  rig->groups = tau_session_groups_new ();
  tau_session_groups_set_index (rig->groups, rig->index);
  tau_test_wait_until (g_list_model_get_n_items (G_LIST_MODEL (rig->groups)) == 7);
}

static void
rig_tear_down (Rig           *rig,
               gconstpointer  data)
{
  g_assert_finalize_object (rig->groups);
  g_clear_object (&rig->index);
  tau_test_dir_free (rig->dir);
}

/* "/folder: prompt, prompt; /folder: …" */
static char *
dup_groups (Rig *rig)
{
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rig->groups)); i++)
    {
      g_autoptr(TauSessionItem) item = g_list_model_get_item (G_LIST_MODEL (rig->groups), i);
      TauSessionInfo *info = tau_session_item_get_info (item);

      if (info == NULL)
        g_string_append_printf (out, "%s%s:", out->len > 0 ? "; " : "",
                                tau_session_item_get_folder (item) != NULL ? tau_session_item_get_folder (item) : "PINNED");
      else
        g_string_append_printf (out, " %.*s%s", (int) tau_session_item_get_depth (item), ">>>>>>>>",
                                tau_session_info_get_first_message (info));
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
groups_are (Rig        *rig,
            const char *expected)
{
  g_autofree char *groups = dup_groups (rig);

  return g_str_equal (groups, expected);
}

static void
test_newest_first (Rig           *rig,
                   gconstpointer  data)
{
  tau_test_wait_until (groups_are (rig, "/gamma: Newest; /alpha: Newer Oldest; /beta: Parser"));
}

static void
test_shown_folder_comes_first (Rig           *rig,
                               gconstpointer  data)
{
  tau_session_groups_set_folder (rig->groups, "/beta");
  tau_test_wait_until (groups_are (rig, "/beta: Parser; /gamma: Newest; /alpha: Newer Oldest"));
}

static void
test_query_narrows (Rig           *rig,
                    gconstpointer  data)
{
  tau_session_groups_set_query (rig->groups, "PARS");
  tau_test_wait_until (groups_are (rig, "/beta: Parser"));
  tau_session_groups_set_query (rig->groups, "/alpha");
  tau_test_wait_until (groups_are (rig, "/alpha: Newer Oldest"));
  tau_session_groups_set_query (rig->groups, "nothing has this");
  tau_test_wait_until (groups_are (rig, ""));
  tau_session_groups_set_query (rig->groups, "");
  tau_test_wait_until (groups_are (rig, "/gamma: Newest; /alpha: Newer Oldest; /beta: Parser"));
}

static void
test_new_file_appears (Rig           *rig,
                       gconstpointer  data)
{
  write_session (rig, "beta", "s5", "Latest", 5);
  tau_session_index_refresh (rig->index);
  tau_test_wait_until (groups_are (rig, "/beta: Latest Parser; /gamma: Newest; /alpha: Newer Oldest"));
}

/* A session that was forked from another one stands below it, though it is newer than others; a circle does no harm. */
static void
write_fork (Rig        *rig,
            const char *id,
            const char *parent_id,
            int         minute)
{
  g_autofree char *parent = g_strdup_printf ("%s/sessions/--alpha--/2026-01-01T00-00-00-000Z_%s.jsonl", tau_test_dir_get_path (rig->dir), parent_id);
  g_autofree char *name = g_strdup_printf ("sessions/--alpha--/2026-01-01T00-00-00-000Z_%s.jsonl", id);
  g_autofree char *text = g_strdup_printf (
    "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/alpha\",\"parentSession\":\"%s\"}\n"
    "{\"type\":\"message\",\"id\":\"aaaaaaa1\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:00:00.000Z\","
    "\"message\":{\"role\":\"user\",\"content\":\"%s\",\"timestamp\":%" G_GINT64_FORMAT "}}\n",
    id, parent, id, G_GINT64_CONSTANT (1767225600000) + minute * 60000);

  g_free (tau_test_dir_write (rig->dir, name, text));
}

static void
test_forks_below_their_origin (Rig           *rig,
                               gconstpointer  data)
{
  write_fork (rig, "f1", "s1", 10);
  write_fork (rig, "f2", "f1", 11);
  write_fork (rig, "f3", "s1", 12);
  write_fork (rig, "c1", "c2", 1);
  write_fork (rig, "c2", "c1", 1);
  write_fork (rig, "me", "me", 0);
  tau_session_index_refresh (rig->index);
  tau_test_wait_until (groups_are (rig, "/alpha: Oldest >f3 >f1 >>f2 Newer c1 >c2 me; /gamma: Newest; /beta: Parser")
                       || groups_are (rig, "/alpha: Oldest >f3 >f1 >>f2 Newer c2 >c1 me; /gamma: Newest; /beta: Parser"));
}

static void
test_pins_archive_and_folders (Rig           *rig,
                               gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_build (rig->dir, "marks.json");
  g_autoptr(TauSessionMarks) marks = tau_session_marks_new (path);

  tau_session_groups_set_marks (rig->groups, marks);
  tau_session_marks_set (marks, "s1", TAU_SESSION_MARK_PINNED, TRUE);
  tau_session_marks_set (marks, "s4", TAU_SESSION_MARK_ARCHIVED, TRUE);
  tau_test_wait_until (groups_are (rig, "PINNED: Oldest; /alpha: Newer; /beta: Parser"));
  tau_session_groups_show (rig->groups, TRUE, TRUE);
  tau_test_wait_until (groups_are (rig, "PINNED: Oldest; /gamma: Newest; /alpha: Newer; /beta: Parser"));
  tau_session_marks_set_folder (marks, "/beta", "/moved/beta");
  tau_session_groups_set_folder (rig->groups, "/moved/beta");
  tau_session_groups_show (rig->groups, FALSE, TRUE);
  tau_test_wait_until (groups_are (rig, "/moved/beta: Parser"));
  tau_session_groups_show (rig->groups, TRUE, FALSE);
  tau_session_groups_set_query (rig->groups, "newest");   /* what is archived is found */
  tau_test_wait_until (groups_are (rig, "/gamma: Newest"));
}

static void
changed_cb (GListModel *model,
            guint       position,
            guint       removed,
            guint       added,
            guint      *counts)
{
  counts[0] += removed;
  counts[1] += added;
}

/* P63: rows that stay are not replaced, so that neither scrolling nor the keyboard loses its place. */
static void
test_only_what_differs_changes (Rig           *rig,
                                gconstpointer  data)
{
  guint counts[2] = { 0, 0 };

  tau_test_wait_until (groups_are (rig, "/gamma: Newest; /alpha: Newer Oldest; /beta: Parser"));
  g_signal_connect (rig->groups, "items-changed", G_CALLBACK (changed_cb), counts);
  tau_session_index_refresh (rig->index);
  tau_test_wait_until (!tau_session_index_is_loading (rig->index));
  tau_test_loop_settle ();
  g_assert_cmpuint (counts[0] + counts[1], ==, 0);
  write_session (rig, "beta", "s0", "First", 0);
  tau_session_index_refresh (rig->index);
  tau_test_wait_until (groups_are (rig, "/gamma: Newest; /alpha: Newer Oldest; /beta: Parser First"));
  g_assert_cmpuint (counts[0], ==, 0);
  g_assert_cmpuint (counts[1], ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add ("/app/session-groups/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("newest-first", test_newest_first);
  ADD ("shown-folder-comes-first", test_shown_folder_comes_first);
  ADD ("query-narrows", test_query_narrows);
  ADD ("new-file-appears", test_new_file_appears);
  ADD ("forks-below-their-origin", test_forks_below_their_origin);
  ADD ("pins-archive-and-folders", test_pins_archive_and_folders);
  ADD ("p63-only-what-differs-changes", test_only_what_differs_changes);
  return g_test_run ();
}
