/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-announcer.h"

#include "app/transcript/transcript-fixture.h"

/* P82: what a screen reader hears, by the accessible name of the announcer. */

typedef struct
{
  TauAnnouncer *announcer;
  GListStore   *messages;
} Rig;

static void
set_up (Rig          *rig,
        gconstpointer data)
{
  rig->announcer = g_object_ref_sink (g_object_new (TAU_TYPE_ANNOUNCER, NULL));
  rig->messages = g_list_store_new (TAU_TYPE_MESSAGE);
  tau_announcer_set_messages (rig->announcer, G_LIST_MODEL (rig->messages));
}

static void
tear_down (Rig          *rig,
           gconstpointer data)
{
  g_assert_finalize_object (rig->announcer);
  g_assert_finalize_object (rig->messages);
}

static void
assert_said (Rig        *rig,
             const char *words)
{
  gtk_test_accessible_assert_property (rig->announcer, GTK_ACCESSIBLE_PROPERTY_LABEL, words);
}

static void
add (Rig        *rig,
     TauMessage *message)
{
  g_list_store_append (rig->messages, message);
  g_object_unref (message);
}

static void
test_answers (Rig          *rig,
              gconstpointer data)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autoptr(GPtrArray) none = new_blocks ();

  add (rig, make_text_answer ("First."));
  assert_said (rig, "First.");
  add (rig, make_user ("A question"));
  assert_said (rig, "First.");
  add (rig, make_text_answer ("First."));
  assert_said (rig, "First. ");

  g_ptr_array_add (blocks, tau_block_new_text ("I look.", NULL));
  add_call (blocks, "c1", "read", "{\"path\":\"a\"}");
  add (rig, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
  assert_said (rig, "I look.\nStep: read");
  add (rig, make_result ("c1", "read", "contents", NULL, FALSE));
  assert_said (rig, "I look.\nStep: read");
  add (rig, make_answer (none, TAU_STOP_REASON_ERROR, "429 slow down"));
  assert_said (rig, "429 slow down");
}

/* A session that is loaded is not read out, nor what went away; a long answer only as far as one may want to listen. */
static void
test_silence (Rig          *rig,
              gconstpointer data)
{
  g_autofree char *many = g_strnfill (100000, 'x');
  g_autofree char *some = g_strnfill (2000, 'x');

  add (rig, make_text_answer (many));
  assert_said (rig, some);
  tau_announcer_say (rig->announcer, "Said");
  tau_announcer_say (rig->announcer, " ");
  assert_said (rig, "Said");
  g_list_store_remove_all (rig->messages);
  assert_said (rig, "Said");
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr(TauMessage) message = make_text_answer ("Old");

      tau_announcer_set_messages (rig->announcer, NULL);
      g_list_store_append (rig->messages, message);
      tau_announcer_set_messages (rig->announcer, G_LIST_MODEL (rig->messages));
    }
  assert_said (rig, "Said");
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add ("/announcer/P82-answers", Rig, NULL, set_up, test_answers, tear_down);
  g_test_add ("/announcer/P82-silence", Rig, NULL, set_up, test_silence, tear_down);

  return g_test_run ();
}
