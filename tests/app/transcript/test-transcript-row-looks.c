/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/transcript/tau-lazy-row.h"

#include <string.h>

/* Every kind of row that is no common one, light and dark, narrow and wide, from left to right and from right to left:
 * pictures to look at, in which something is to be seen, and rows that stay within the window. */

static void
add_entry (TauSessionTree     *tree,
           TauSessionMessages *list,
           const char         *fields)
{
  guint n = tau_session_tree_get_entries (tree)->len;
  g_autofree char *parent = n > 0 ? g_strdup_printf ("\"%u\"", n - 1) : g_strdup ("null");
  g_autofree char *text = g_strdup_printf ("{%s,\"id\":\"%u\",\"parentId\":%s,\"timestamp\":\"2026-01-01T00:00:00.000Z\"}",
                                           fields, n, parent);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauSessionEntry) entry = tau_session_entry_new_from_json (json);

  tau_session_tree_append (tree, entry);
  if (tau_session_entry_has_message (entry))
    tau_session_messages_append (list, entry);
}

static void
add_message (TauSessionTree     *tree,
             TauSessionMessages *list,
             TauMessage         *message)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  g_autofree char *id = g_strdup_printf ("%u", tau_session_tree_get_entries (tree)->len);
  g_autoptr(TauSessionEntry) entry =
    tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, 1, message);

  tau_session_tree_append (tree, entry);
  tau_session_messages_append (list, entry);
  g_object_unref (message);
}

static void
add_asides (TauSessionTree     *tree,
            TauSessionMessages *list)
{
  TauBashExecutionFields hidden = { .command = "env | grep -i token", .output = "TOKEN=x\n", .has_exit_code = TRUE,
                                    .exclude_from_context = TRUE, .has_exclude = TRUE, .timestamp = 5 };

  add_entry (tree, list, "\"type\":\"branch_summary\",\"fromId\":\"0\",\"summary\":\"The other way was tried: it is slower.\"");
  add_entry (tree, list, "\"type\":\"custom_message\",\"customType\":\"weather-report\",\"content\":\"Rain from **noon** on.\",\"display\":true");
  add_message (tree, list, make_user ("<skill name=\"release\" location=\"/s/SKILL.md\">\nReferences are relative to /s.\n\n# Release\n</skill>\n\nMake a release of it"));
  add_entry (tree, list, "\"type\":\"model_change\",\"provider\":\"p\",\"modelId\":\"a-model-with-a-rather-long-name-2026-01-01\"");
  add_entry (tree, list, "\"type\":\"thinking_level_change\",\"thinkingLevel\":\"high\"");
  add_message (tree, list, make_user ("Read them all, then go on"));
  add_message (tree, list, TAU_MESSAGE (tau_bash_execution_message_new (&hidden)));
}

static void
add_work (TauSessionTree     *tree,
          TauSessionMessages *list)
{
  g_autoptr(GPtrArray) reads = new_blocks ();
  g_autoptr(GPtrArray) others = new_blocks ();
  g_autoptr(GPtrArray) none = new_blocks ();

  g_ptr_array_add (reads, tau_block_new_thinking ("The files first.\n\nThen the rest.", NULL, FALSE));
  for (guint i = 0; i < 7; i++)
    {
      g_autofree char *id = g_strdup_printf ("r%u", i);
      g_autofree char *json = g_strdup_printf ("{\"path\":\"src/part-%u.c\"}", i);

      add_call (reads, id, "read", json);
    }
  add_message (tree, list, make_answer (reads, TAU_STOP_REASON_TOOL_USE, NULL));
  for (guint i = 0; i < 7; i++)
    {
      g_autofree char *id = g_strdup_printf ("r%u", i);

      add_message (tree, list, make_result (id, "read", "int a;\nint b;\n", NULL, FALSE));
    }
  add_call (others, "w", "write", "{\"path\":\"src/new.py\",\"content\":\"def f (x):\\n    return x + 1  # next\\n\"}");
  add_call (others, "l", "ls", "{\"path\":\"src\"}");
  add_call (others, "u", "search_issues", "{\"query\":\"crash at start\",\"filter\":{\"state\":\"open\",\"labels\":[\"bug\",\"ui\"]},\"limit\":5}");
  add_message (tree, list, make_answer (others, TAU_STOP_REASON_TOOL_USE, NULL));
  add_message (tree, list, make_result ("w", "write", "Wrote 2 lines", NULL, FALSE));
  add_message (tree, list, make_result ("l", "ls", "app\ncore\n", NULL, FALSE));
  add_message (tree, list, make_result ("u", "search_issues", "The service did not answer", NULL, TRUE));
  add_message (tree, list, make_text_answer ("Text with math $e^{i\\pi} = -1$ and ![a picture](https://example.org/a.png).\n\n$$\\int_0^1 x\\,dx$$\n\n<b>html</b>\n\n"
                                             "```mermaid\ngraph TD\n  A --> B\n```\n"));
  add_message (tree, list, make_answer (none, TAU_STOP_REASON_ABORTED, "Request was aborted"));
}

/* Whether anything at all was painted: more than a few colours. */
static guint
count_colours (GtkWidget *window)
{
  int width = gtk_widget_get_width (window), height = gtk_widget_get_height (window);
  g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new (window);
  g_autoptr(GHashTable) colours = g_hash_table_new (NULL, NULL);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autofree guint32 *pixels = g_new0 (guint32, (gsize) width * (gsize) height);
  g_autoptr(GdkTexture) texture = NULL;
  GskRenderNode *node;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  gsk_render_node_unref (node);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    g_hash_table_add (colours, GUINT_TO_POINTER (pixels[i]));
  return g_hash_table_size (colours);
}

/* What can be scrolled sideways may be wider than its place. */
static void
assert_within (GtkWidget *widget,
               GtkWidget *view)
{
  graphene_rect_t bounds;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_SCROLLBAR (widget))
    return;
  if (gtk_widget_get_width (widget) > 0 && gtk_widget_compute_bounds (widget, view, &bounds))
    {
      if (bounds.origin.x < -0.5 || bounds.origin.x + bounds.size.width > gtk_widget_get_width (view) + 0.5)
        g_error ("%s reaches from %.0f to %.0f in a view %d wide", G_OBJECT_TYPE_NAME (widget), bounds.origin.x,
                 bounds.origin.x + bounds.size.width, gtk_widget_get_width (view));
    }
  if (GTK_IS_SCROLLED_WINDOW (widget)
      && gtk_widget_get_ancestor (widget, TAU_TYPE_LAZY_ROW) != NULL)
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    assert_within (child, view);
}

static void
shoot (Fixture    *fixture,
       const char *name,
       const char *part)
{
  g_autofree char *file = g_strdup_printf ("rows-%s-%s", name, part);

  run_frames (fixture, 20);
  save_screenshot (fixture, file);
  g_assert_cmpuint (count_colours (fixture->window), >, 20);
  assert_within (GTK_WIDGET (fixture->view), GTK_WIDGET (fixture->view));
}

/* As under the pointer. */
static void
point_at_users (GtkWidget *widget)
{
  if (gtk_widget_has_css_class (widget, "user-row"))
    gtk_widget_set_state_flags (widget, GTK_STATE_FLAG_PRELIGHT, FALSE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    point_at_users (child);
}

static void
look_at (int              width,
         gboolean         dark,
         GtkTextDirection direction)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  g_autoptr(TauSessionMessages) list = tau_session_messages_new ();
  g_autofree char *name = g_strdup_printf ("%d-%s-%s", width, dark ? "dark" : "light",
                                           direction == GTK_TEXT_DIR_RTL ? "rtl" : "ltr");
  Fixture fixture;

  gtk_widget_set_default_direction (direction);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
  tau_session_messages_set_tree (list, tree);
  add_entry (tree, list, "\"type\":\"model_change\",\"provider\":\"p\",\"modelId\":\"first\"");
  add_asides (tree, list);
  add_work (tree, list);
  fixture_open (&fixture, width, 1000);
  tau_transcript_view_set_messages (fixture.view, G_LIST_MODEL (list));
  shoot (&fixture, name, "closed");
  tau_transcript_view_expand_all (fixture.view, TRUE);
  shoot (&fixture, name, "open-end");
  tau_transcript_view_scroll_to_start (fixture.view);
  run_frames (&fixture, 20);
  point_at_users (GTK_WIDGET (fixture.view));
  shoot (&fixture, name, "open-top");
  tau_transcript_view_set_messages (fixture.view, NULL);
  fixture_close (&fixture);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
test_rows (void)
{
  for (guint i = 0; i < 8; i++)
    look_at (i & 1 ? 360 : 1200, (i & 2) != 0, i & 4 ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/transcript/row-looks", test_rows);
  return g_test_run ();
}
