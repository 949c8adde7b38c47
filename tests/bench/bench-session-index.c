/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-index.h"

#include "support/tau-test-dir.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Many sessions in a folder: how long the first reading takes, a start with what is remembered, and searches. By
 * default 5,000 files of 100 kB; TAU_BENCH_FILES and TAU_BENCH_KB say otherwise. A quarter of a file is conversation,
 * the rest output of steps, as in real files. */
#define N_WORDS 20000

static char *words[N_WORDS];

static void
make_words (void)
{
  static const char syllables[][4] = { "ba", "ker", "lo", "mi", "pra", "su", "ten", "vi", "xo", "zu", "da", "fre", "gi", "ho", "nul", "que" };

  for (guint i = 0; i < N_WORDS; i++)
    words[i] = g_strdup_printf ("%s%s%s%s", syllables[i % 16], syllables[i / 16 % 16], syllables[i / 256 % 16], i >= 4096 ? syllables[i / 4096] : "");
}

/* Few words are frequent and many are rare. */
static const char *
any_word (GRand *random)
{
  double x = g_rand_double (random);

  return words[(guint) (x * x * x * (N_WORDS - 1))];
}

static void
append_text (GString *out,
             GRand   *random,
             gsize    length)
{
  gsize end = out->len + length;

  while (out->len < end)
    {
      g_string_append (out, any_word (random));
      g_string_append_c (out, ' ');
    }
}

static void
append_message (GString    *out,
                GRand      *random,
                const char *role,
                gsize       length,
                gint64      time)
{
  g_string_append_printf (out, "{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":null,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":{\"role\":\"%s\",\"content\":[{\"type\":\"text\",\"text\":\"",
                          g_rand_int (random), role);
  append_text (out, random, length);
  g_string_append_printf (out, "\"}],\"timestamp\":%" G_GINT64_FORMAT "}}\n", time);
}

static gint64
write_sessions (const char *root,
                guint       n_files,
                gsize       size)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (1);
  g_autoptr(GString) text = g_string_new (NULL);
  gint64 total = 0;

  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/--p%u--", root, i % 40);
      g_autofree char *path = g_strdup_printf ("%s/%05u.jsonl", folder, i);

      g_mkdir_with_parents (folder, 0700);
      g_string_printf (text, "{\"type\":\"session\",\"version\":3,\"id\":\"%08x-%04x\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/p%u\"}\n", g_rand_int (random), i, i % 40);
      for (gint64 time = 1767261601000; text->len < size; time += 1000)
        {
          append_message (text, random, "user", 80, time);
          append_message (text, random, "assistant", 900, time);
          append_message (text, random, "toolResult", 3000, time);
        }
      g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
      total += (gint64) text->len;
    }
  return total;
}

static double
wait_loaded (TauSessionIndex *index,
             double          *first_seen)
{
  g_autoptr(GTimer) timer = g_timer_new ();

  *first_seen = -1;
  while (tau_session_index_is_loading (index))
    {
      g_main_context_iteration (NULL, TRUE);
      if (*first_seen < 0 && g_list_model_get_n_items (G_LIST_MODEL (index)) > 0)
        *first_seen = g_timer_elapsed (timer, NULL);
    }
  return g_timer_elapsed (timer, NULL);
}

static void
found_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  *(GPtrArray **) user_data = tau_session_index_search_finish (TAU_SESSION_INDEX (object), result, NULL);
}

static void
measure_search (TauSessionIndex *index,
                const char      *text)
{
  double best = G_MAXDOUBLE, worst = 0;
  guint n_found = 0;

  for (int round = 0; round < 10; round++)
    {
      g_autoptr(GTimer) timer = g_timer_new ();
      GPtrArray *found = NULL;

      tau_session_index_search_async (index, text, NULL, found_cb, &found);
      while (found == NULL)
        g_main_context_iteration (NULL, TRUE);
      best = MIN (best, g_timer_elapsed (timer, NULL));
      worst = MAX (worst, g_timer_elapsed (timer, NULL));
      n_found = found->len;
      g_ptr_array_unref (found);
    }
  printf ("search %-28s %5u found, best %5.1f ms, worst %5.1f ms\n", text, n_found, best * 1000, worst * 1000);
}

static guint
setting (const char *name,
         guint       fallback)
{
  const char *value = g_getenv (name);

  return value != NULL ? (guint) g_ascii_strtoull (value, NULL, 10) : fallback;
}

static long
peak_memory_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

int
main (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *root = tau_test_dir_mkdir (dir, "sessions");
  g_autofree char *cache = tau_test_dir_mkdir (dir, "cache");
  guint n_files = setting ("TAU_BENCH_FILES", 5000);
  static const char * const queries[] = { "ba", "bak", "baker", "praviba", "xozu suten", "ba ker lo mi", "\"baba kerba\"", "nothinglikeit" };
  TauSessionIndex *index;
  gint64 total;
  double first, all;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  make_words ();
  total = write_sessions (root, n_files, (gsize) setting ("TAU_BENCH_KB", 100) * 1000);
  printf ("%u files, %.0f MB\n", n_files, (double) total / 1e6);

  index = tau_session_index_new (root);
  all = wait_loaded (index, &first);
  printf ("first reading: %.2f s (%.0f MB/s), something is listed after %.2f s, memory %ld MB at most\n", all, (double) total / 1e6 / all, first, peak_memory_mb ());
  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    measure_search (index, queries[i]);
  g_object_unref (index);

  index = tau_session_index_new (root);
  all = wait_loaded (index, &first);
  printf ("start with what is remembered: %.3f s, listed after %.3f s\n", all, first);
  g_object_unref (index);
  for (guint i = 0; i < N_WORDS; i++)
    g_free (words[i]);
  return 0;
}
