/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-step-groups.h"

#include "app/transcript/tau-disclosure.h"
#include "app/transcript/tau-lazy-row.h"
#include "app/transcript/tau-tool-row.h"
#include "app/transcript/transcript-fixture.h"

/* An answer that calls @tools, named by their first letters, and how their results came out: + good, - bad, none yet
 * where there are fewer. */
static void
add_steps (GListStore *messages,
           const char *tools,
           const char *results)
{
  static guint n_calls = 0;
  g_autoptr(GPtrArray) blocks = new_blocks ();
  guint first = n_calls;
  g_autoptr(TauMessage) answer = NULL;

  for (const char *tool = tools; *tool; tool++)
    {
      g_autofree char *id = g_strdup_printf ("call-%u", n_calls++);

      if (*tool == '.')
        g_ptr_array_add (blocks, tau_block_new_text ("A text.", NULL));
      else
        add_call (blocks, id, *tool == 'r' ? "read" : *tool == 'b' ? "bash" : *tool == 'e' ? "edit" : "other",
                  "{\"path\":\"a.c\",\"command\":\"ls\"}");
    }
  answer = make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL);
  g_list_store_append (messages, answer);
  for (guint i = 0; tools[i] && *results; i++)
    {
      g_autofree char *id = g_strdup_printf ("call-%u", first + i);
      g_autoptr(TauMessage) result = NULL;

      if (tools[i] == '.')
        continue;
      result = make_result (id, "read", i == 2 ? "a needle" : "hay", NULL, *results++ == '-');
      g_list_store_append (messages, result);
    }
}

/* The list in letters: G for a closed group, g for the line of an open one. */
static char *
describe (TauStepGroups *groups)
{
  static const char letters[] = { 'U', 'T', 'H', 's', 'B', 'S', 'C', 'E', '-', 'G' };
  guint n = g_list_model_get_n_items (G_LIST_MODEL (groups));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (groups), i);
      char letter = letters[tau_transcript_item_get_kind (item)];

      g_string_append_c (text, tau_transcript_item_get_nested (item) ? 'n' : letter);
    }
  return g_string_free (text, FALSE);
}

static void
assert_rows (TauStepGroups *groups,
             const char    *expected)
{
  g_autofree char *rows = describe (groups);

  g_assert_cmpstr (rows, ==, expected);
}

static void
assert_caption (TauStepGroups *groups,
                guint          position,
                const char    *caption)
{
  g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (groups), position);

  g_assert_cmpstr (tau_transcript_item_get_caption (item), ==, caption);
}

static void
test_what_is_put_together (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(TauStepGroups) groups = tau_step_groups_new (model);
  g_autoptr(TauMessage) user = make_user ("Read all");

  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  g_list_store_append (messages, user);
  for (guint i = 0; i < 3; i++)
    add_steps (messages, "r", "+");
  assert_rows (groups, "Usss");
  add_steps (messages, "r", "");
  assert_rows (groups, "Ussss");           /* the fourth one is at work */
  g_list_store_remove (messages, g_list_model_get_n_items (G_LIST_MODEL (messages)) - 1);
  add_steps (messages, "rrr", "+++");
  assert_rows (groups, "UG");
  assert_caption (groups, 1, "Read 6 files");
  add_steps (messages, "rr", "+");
  assert_rows (groups, "UGss");
  add_steps (messages, "bbbb.bbbbb", "+++++++++");
  assert_rows (groups, "UGssGTG");
  assert_caption (groups, 4, "Ran 4 commands");
  add_steps (messages, "rrrrr", "++-++");   /* what failed is open */
  assert_rows (groups, "UGssGTGsssss");
  add_steps (messages, "eeeeeoooo", "+++++++++");
  assert_rows (groups, "UGssGTGssssssssssssss");
}

static void
test_opens (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(TauStepGroups) groups = tau_step_groups_new (model);
  TauExpansions *expansions = tau_transcript_model_get_expansions (model);
  g_autoptr(TauTranscriptItem) line = NULL;

  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  add_steps (messages, ".rrrr", "++++");
  add_steps (messages, "bbbb", "++++");
  assert_rows (groups, "TGG");
  g_assert_cmpuint (tau_step_groups_place (groups, 3), ==, 1);
  g_assert_cmpuint (tau_step_groups_place (groups, 6), ==, 2);

  line = g_list_model_get_item (G_LIST_MODEL (groups), 1);
  tau_expansions_set (expansions, tau_transcript_item_get_key (line), TRUE);
  tau_step_groups_refresh (groups);
  assert_rows (groups, "TGnnnnG");
  g_assert_cmpuint (tau_step_groups_place (groups, 0), ==, 0);
  g_assert_cmpuint (tau_step_groups_place (groups, 1), ==, 2);
  g_assert_cmpuint (tau_step_groups_place (groups, 4), ==, 5);
  g_assert_cmpuint (tau_step_groups_place (groups, 5), ==, 6);
  tau_expansions_set_all (expansions, TRUE);
  assert_rows (groups, "TGnnnnGnnnn");
  tau_expansions_set_all (expansions, FALSE);
  assert_rows (groups, "TGG");
  tau_expansions_peek (expansions, tau_transcript_model_get_key (model, 7));
  assert_rows (groups, "TGGnnnn");
  tau_expansions_peek (expansions, 0);
  assert_rows (groups, "TGG");
}

typedef struct
{
  TauStepGroups *groups;
  GArray        *keys;     /* what a list that hears of changes only believes to show */
} Mirror;

static void
changed_cb (GListModel *list,
            guint       position,
            guint       n_removed,
            guint       n_added,
            Mirror     *mirror)
{
  if (n_removed > 0)
    g_array_remove_range (mirror->keys, position, n_removed);
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (list, i);
      guint64 key = tau_transcript_item_get_key (item);

      g_array_insert_val (mirror->keys, i, key);
    }
  g_assert_cmpuint (mirror->keys->len, ==, g_list_model_get_n_items (list));
}

static void
assert_mirrored (Mirror             *mirror,
                 TauTranscriptModel *model)
{
  g_autoptr(TauStepGroups) fresh = tau_step_groups_new (model);
  g_autofree char *ours = describe (mirror->groups);
  g_autofree char *theirs = describe (fresh);

  g_assert_cmpstr (ours, ==, theirs);
  for (guint i = 0; i < mirror->keys->len; i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (mirror->groups), i);

      g_assert_cmpuint (tau_transcript_item_get_key (item), ==, g_array_index (mirror->keys, guint64, i));
    }
  for (guint row = 0; row < g_list_model_get_n_items (G_LIST_MODEL (model)); row++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (mirror->groups),
                                                                 tau_step_groups_place (mirror->groups, row));

      if (tau_transcript_item_get_kind (item) != TAU_TRANSCRIPT_GROUP)
        g_assert_cmpuint (tau_transcript_item_get_key (item), ==, tau_transcript_model_get_key (model, row));
    }
}

static void
change_anything (GListStore    *messages,
                 TauStepGroups *groups,
                 TauExpansions *expansions)
{
  static const char * const steps[] = { "r", "rr", "rrrrr", "b", "bbbb", "rb", ".r", "r.", "e", ".", "rrrr.rrrr" };
  guint n = g_list_model_get_n_items (G_LIST_MODEL (messages));
  guint n_shown = g_list_model_get_n_items (G_LIST_MODEL (groups));

  switch (g_test_rand_int_range (0, 12))
    {
    case 0:
      if (n > 0)
        g_list_store_remove (messages, n - 1);
      break;
    case 1:
      if (n > 0)
        g_list_store_remove (messages, (guint) g_test_rand_int_range (0, (int) n));
      break;
    case 2:
      {
        g_autoptr(TauMessage) user = make_user ("Go on");

        g_list_store_insert (messages, (guint) g_test_rand_int_range (0, (int) n + 1), user);
      }
      break;
    case 3:
      if (n_shown > 0)
        {
          g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (groups),
                                                                     (guint) g_test_rand_int_range (0, (int) n_shown));
          guint64 key = tau_transcript_item_get_key (item);

          tau_expansions_set (expansions, key, !tau_expansions_get (expansions, key, FALSE));
          tau_step_groups_refresh (groups);
        }
      break;
    case 4:
      tau_expansions_set_all (expansions, g_test_rand_bit ());
      break;
    default:
      add_steps (messages, steps[g_test_rand_int_range (0, G_N_ELEMENTS (steps))],
                 g_test_rand_int_range (0, 5) > 0 ? "+++++++++" : g_test_rand_bit () ? "" : "-");
      break;
    }
}

/* Whatever happens, the list is told of it exactly, and groups are those that a new list would find. */
static void
test_any_change (void)
{
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
      g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
      g_autoptr(TauStepGroups) groups = tau_step_groups_new (model);
      g_autoptr(GArray) keys = g_array_new (FALSE, FALSE, sizeof (guint64));
      Mirror mirror = { groups, keys };

      g_signal_connect (groups, "items-changed", G_CALLBACK (changed_cb), &mirror);
      tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
      for (guint i = 0; i < 100; i++)
        {
          change_anything (messages, groups, tau_transcript_model_get_expansions (model));
          assert_mirrored (&mirror, model);
        }
    }
}

/* Groups known from outlines are those that parsed messages have. */
static void
test_unparsed (void)
{
  g_autoptr(GListStore) parsed = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(TauSessionMessages) unparsed = NULL;
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(TauTranscriptModel) expected = tau_transcript_model_new ();
  g_autoptr(TauStepGroups) groups = tau_step_groups_new (model);
  g_autoptr(TauStepGroups) wanted = tau_step_groups_new (expected);
  g_autofree char *ours = NULL;
  g_autofree char *theirs = NULL;
  TauMessageOutline outline;

  add_steps (parsed, ".rrrrr", "+++++");
  add_steps (parsed, "rr", "+-");
  for (guint i = 0; i < 5; i++)
    add_steps (parsed, "b", "+");
  add_steps (parsed, "rrrr.rrrrr", "+++++++++");
  add_steps (parsed, "rrrrr", "+++");
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (parsed)); i++)
    g_ptr_array_add (messages, g_list_model_get_item (G_LIST_MODEL (parsed), i));
  unparsed = read_back (messages, &file);
  tau_session_messages_get_outline (unparsed, 0, &outline);
  g_assert_true (outline.known);
  tau_transcript_model_set_messages (expected, G_LIST_MODEL (parsed));
  tau_transcript_model_set_messages (model, G_LIST_MODEL (unparsed));
  ours = describe (groups);
  theirs = describe (wanted);
  g_assert_cmpstr (ours, ==, theirs);
  g_assert_cmpstr (ours, ==, "TGssGGTGsssss");
}

static guint
count_widgets (GtkWidget *root,
               GType      type)
{
  guint n = g_type_is_a (G_OBJECT_TYPE (root), type) && gtk_widget_get_mapped (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    n += count_widgets (child, type);
  return n;
}

static GtkWidget *
find_widget (GtkWidget *root,
             GType      type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (root), type) && gtk_widget_get_mapped (root) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found; child = gtk_widget_get_next_sibling (child))
    found = find_widget (child, type);
  return found;
}

static void
test_in_a_window (void)
{
  Fixture fixture;
  GtkWidget *view, *entry;
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  fixture_open (&fixture, 700, 600);
  view = GTK_WIDGET (fixture.view);
  take_message (&fixture, make_user ("Read all"));
  add_steps (fixture.messages, "rrrrrrr", "+++++++");
  take_message (&fixture, make_text_answer ("Done."));
  run_frames (&fixture, 5);
  g_assert_cmpuint (count_widgets (view, TAU_TYPE_TOOL_ROW), ==, 0);

  /* A click opens and closes it. */
  for (guint i = 0; i < 2; i++)
    {
      g_signal_emit_by_name (gtk_widget_get_first_child (find_widget (view, TAU_TYPE_DISCLOSURE)), "clicked");
      run_frames (&fixture, 5);
      g_assert_cmpuint (count_widgets (view, TAU_TYPE_TOOL_ROW), ==, i == 0 ? 7 : 0);
    }

  /* Words in a folded step open both, and close them again. */
  gtk_widget_activate_action (view, "transcript.find", NULL);
  entry = find_widget (view, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "needle");
  g_signal_emit_by_name (entry, "search-changed");
  while (count_widgets (view, TAU_TYPE_TOOL_ROW) != 7 && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  run_frames (&fixture, 10);
  g_assert_cmpuint (count_widgets (view, TAU_TYPE_TOOL_ROW), ==, 7);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  g_signal_emit_by_name (entry, "search-changed");
  run_frames (&fixture, 10);
  g_assert_cmpuint (count_widgets (view, TAU_TYPE_TOOL_ROW), ==, 0);
  fixture_close (&fixture);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/step-groups/what-is-put-together", test_what_is_put_together);
  g_test_add_func ("/step-groups/opens", test_opens);
  g_test_add_func ("/step-groups/any-change", test_any_change);
  g_test_add_func ("/step-groups/unparsed", test_unparsed);
  g_test_add_func ("/step-groups/in-a-window", test_in_a_window);
  return g_test_run ();
}
