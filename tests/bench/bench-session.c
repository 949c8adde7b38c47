/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-session-context.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-messages.h"

#include <glib/gstdio.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Opening long sessions, beside `wc -l` on the same warm file and, where node is installed, beside what pi does: parse
 * every line and make a map of ids. Opening is: scan, tree, context of the leaf, and the messages of the last screen.
 * Arguments: files to open; without any, files of our own are made. */

#define SCREEN 30
#define ROUNDS 7

static double
now_ms (void)
{
  return (double) g_get_monotonic_time () / 1000.0;
}

static gint64
resident_bytes (void)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) numbers = NULL;

  malloc_trim (0);
  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  numbers = g_strsplit (text, " ", 3);
  return g_ascii_strtoll (numbers[1], NULL, 10) * sysconf (_SC_PAGESIZE);
}

/* Turns of a question, an answer with a call, a result, and an answer in Markdown; about 2.5 KB a message. */
static void
write_messages (FILE *file,
                guint n_messages)
{
  g_autoptr(GString) result = g_string_new (NULL);
  g_autoptr(GString) answer = g_string_new (NULL);

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (result, "src/file-%u.c:%u: a line of code with \\\"quotes\\\" and\\ttabs, as grep finds it\\n", i, i * 7);
  for (guint i = 0; i < 16; i++)
    g_string_append_printf (answer, "Paragraph %u has **bold** words, `code` and enough of them to fill some lines.\\n\\n- a\\n- b\\n\\n", i);
  fputs ("{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/tmp\"}\n", file);
  for (guint i = 0; i < n_messages; i++)
    {
      fprintf (file, "{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":", i);
      if (i == 0)
        fputs ("null", file);
      else
        fprintf (file, "\"%08x\"", i - 1);
      fputs (",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":{", file);
      if (i % 4 == 0)
        fprintf (file, "\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Question %u?\"}],\"timestamp\":1}}\n", i);
      else if (i % 4 == 2)
        fprintf (file, "\"role\":\"toolResult\",\"toolCallId\":\"c%u\",\"toolName\":\"grep\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
                       "\"isError\":false,\"timestamp\":1}}\n", i - 1, result->str);
      else
        fprintf (file, "\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}%s],\"api\":\"a\",\"provider\":\"p\",\"model\":\"m\","
                       "\"usage\":{\"input\":22,\"output\":63,\"cacheRead\":3000,\"cacheWrite\":2080,\"totalTokens\":5165,\"cost\":"
                       "{\"input\":0.000066,\"output\":0.000945,\"cacheRead\":0.0009,\"cacheWrite\":0.0078,\"total\":0.009711}},"
                       "\"stopReason\":\"stop\",\"timestamp\":1}}\n", answer->str,
                 i % 4 == 1 ? ",{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"grep\",\"arguments\":{\"pattern\":\"x\"}}" : "");
    }
}

typedef struct
{
  TauSessionFile     *file;
  TauSessionMessages *messages;
  double              scanned;
  double              all;
} Opened;

static void
open_session (Opened     *opened,
              const char *path)
{
  double start = now_ms ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) branch = NULL;
  g_autoptr(TauSessionContext) context = NULL;
  TauSessionTree *tree;
  guint n;

  opened->file = tau_session_file_load (path, &error);
  g_assert_no_error (error);
  opened->scanned = now_ms () - start;
  tree = tau_session_file_get_tree (opened->file);
  branch = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));
  context = tau_session_context_new (branch);
  opened->messages = tau_session_messages_new ();
  tau_session_messages_set_entries (opened->messages, context->entries);
  n = g_list_model_get_n_items (G_LIST_MODEL (opened->messages));
  for (guint i = n > SCREEN ? n - SCREEN : 0; i < n; i++)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (G_LIST_MODEL (opened->messages), i);

      g_assert_nonnull (message);
    }
  opened->all = now_ms () - start;
}

static void
close_session (Opened *opened)
{
  g_object_unref (opened->file);
  g_object_unref (opened->messages);
}

static double
time_process (const char * const *argv,
              guint                rounds)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < rounds; i++)
    {
      double start = now_ms ();
      g_autofree char *output = NULL;
      int status;

      if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL, &status, NULL)
          || status != 0)
        return -1;
      /* A process that times itself says how long it took. */
      best = MIN (best, strstr (output, "ms") != NULL ? g_ascii_strtod (output, NULL) : now_ms () - start);
    }
  return best;
}

static double
time_append (TauSessionFile *file)
{
  g_autoptr(TauMessage) message = TAU_MESSAGE (tau_user_message_new ("One more question.", NULL, 1));
  double start = now_ms ();

  for (guint i = 0; i < 1000; i++)
    {
      TauSessionTree *tree = tau_session_file_get_tree (file);
      g_autofree char *id = tau_session_tree_make_id (tree);
      g_autoptr(TauSessionEntry) entry =
        tau_session_entry_new_message (id, tau_session_entry_get_id (tau_session_tree_get_leaf (tree)), 1, message);

      tau_session_file_append (file, entry);
    }
  return now_ms () - start;
}

static void
measure (const char *path,
         gboolean    append)
{
  static const char load[] =
    "const fs=require('fs');const t=process.hrtime.bigint();const m=new Map();"
    "for(const l of fs.readFileSync(process.argv[1],'utf8').trim().split('\\n')){if(!l.trim())continue;"
    "try{const e=JSON.parse(l);m.set(e.id,e)}catch{}}"
    "console.log(Number(process.hrtime.bigint()-t)/1e6+' ms')";
  const char * const wc[] = { "wc", "-l", path, NULL };
  const char * const node[] = { "node", "-e", load, path, NULL };
  double lines = time_process (wc, ROUNDS), theirs = time_process (node, 2);
  double scanned = G_MAXDOUBLE, all = G_MAXDOUBLE;
  gint64 before = resident_bytes ();
  gint64 grown = 0;
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  for (guint i = 0; i < ROUNDS; i++)
    {
      Opened opened;

      open_session (&opened, path);
      scanned = MIN (scanned, opened.scanned);
      all = MIN (all, opened.all);
      if (i == 0)
        grown = resident_bytes () - before;
      if (append && i == ROUNDS - 1)
        printf ("  append: %.1f µs an entry\n", time_append (opened.file));
      close_session (&opened);
    }
  printf ("%.1f MB: wc -l %.1f ms; open %.1f ms (scan %.1f), %.1f times wc; memory +%.1f MB, %.1f %% of the file\n",
          (double) info.st_size / 1e6, lines, all, scanned, all / lines, (double) grown / 1e6, 100.0 * (double) grown / (double) info.st_size);
  if (theirs > 0)
    printf ("  node, JSON.parse of every line: %.1f ms, %.1f times ours\n", theirs, theirs / all);
  fflush (stdout);
}

int
main (int   argc,
      char *argv[])
{
  static const guint sizes[] = { 1000, 10000, 100000 };

  for (int i = 1; i < argc; i++)
    measure (argv[i], FALSE);
  for (guint i = 0; argc == 1 && i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/tau-bench-%u-%d.jsonl", g_get_tmp_dir (), sizes[i], getpid ());
      FILE *file = fopen (path, "w");

      write_messages (file, sizes[i]);
      fclose (file);
      printf ("%u messages, ", sizes[i]);
      measure (path, TRUE);
      g_unlink (path);
    }
  return 0;
}
