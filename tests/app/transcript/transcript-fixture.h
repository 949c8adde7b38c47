/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-view.h"
#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-messages.h"
#include "core/tool/tau-tool-run.h"

#include <adwaita.h>
#include <glib/gstdio.h>

/* A window with a transcript in it, the messages it shows, and makers of messages. */

typedef struct
{
  GtkWidget         *window;
  TauTranscriptView *view;
  GListStore        *messages;
  GListStore        *runs;
  guint              n_frames;
  gboolean           watch_end;     /* each painted frame must show the end */
  guint              n_off_end;
  double             worst;
} Fixture;

static inline TauMessage *
make_user (const char *text)
{
  return TAU_MESSAGE (tau_user_message_new (text, NULL, 1));
}

static inline TauMessage *
make_answer (GPtrArray    *blocks,
             TauStopReason reason,
             const char   *error)
{
  TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m", .stop_reason = reason,
                                .error_message = error, .timestamp = 2 };

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

static inline GPtrArray *
new_blocks (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
}

static inline TauMessage *
make_text_answer (const char *markdown)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();

  g_ptr_array_add (blocks, tau_block_new_text (markdown, NULL));
  return make_answer (blocks, TAU_STOP_REASON_STOP, NULL);
}

static inline void
add_call (GPtrArray  *blocks,
          const char *id,
          const char *name,
          const char *json)
{
  g_autoptr(JsonNode) arguments = tau_json_parse (json, -1, NULL);

  g_ptr_array_add (blocks, tau_block_new_tool_call (id, name, arguments, NULL));
}

static inline TauMessage *
make_result (const char *id,
             const char *name,
             const char *text,
             const char *details,
             gboolean    is_error)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autoptr(JsonNode) node = details ? tau_json_parse (details, -1, NULL) : NULL;

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  return TAU_MESSAGE (tau_tool_result_message_new (id, name, blocks, node, is_error, 3));
}

/* A session file with @messages, read as the program reads it. */
static inline TauSessionMessages *
read_back (GPtrArray      *messages,
           TauSessionFile **file)
{
  g_autofree char *folder = g_dir_make_tmp ("tau-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "s.jsonl", NULL);
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header ("s", 1, "/", NULL);
  g_autoptr(TauSessionFile) made = tau_session_file_new (path, header);
  TauSessionTree *tree = tau_session_file_get_tree (made);
  TauSessionMessages *list = tau_session_messages_new ();

  for (guint i = 0; i < messages->len; i++)
    {
      g_autofree char *id = g_strdup_printf ("%08x", i);
      TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
      g_autoptr(TauSessionEntry) entry =
        tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, 1, g_ptr_array_index (messages, i));

      tau_session_file_append (made, entry);
    }
  g_assert_true (tau_session_file_create (made));
  tau_session_file_close (made);
  *file = tau_session_file_load (path, NULL);
  tau_session_messages_set_entries (list, tau_session_tree_get_entries (tau_session_file_get_tree (*file)));
  g_unlink (path);
  g_rmdir (folder);
  return list;
}

static inline void
take_message (Fixture    *fixture,
              TauMessage *message)
{
  g_list_store_append (fixture->messages, message);
  g_object_unref (message);
}

static inline void
painted_cb (GdkFrameClock *clock,
            Fixture       *fixture)
{
  GtkAdjustment *adjustment = tau_transcript_view_get_adjustment (fixture->view);
  double off = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment) -
               gtk_adjustment_get_value (adjustment);

  fixture->n_frames++;
  if (fixture->watch_end && ABS (off) > 0.5)
    {
      fixture->n_off_end++;
      fixture->worst = MAX (fixture->worst, ABS (off));
    }
}

static inline void
run_frames (Fixture *fixture,
            guint    n)
{
  guint until = fixture->n_frames + n;

  while (fixture->n_frames < until)
    {
      gtk_widget_queue_draw (GTK_WIDGET (fixture->view));
      g_main_context_iteration (NULL, TRUE);
    }
}

static inline void
load_style (void)
{
  g_autoptr(GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, "/io/github/tau_agent/Tau/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static inline void
fixture_open (Fixture *fixture,
              int      width,
              int      height)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *entry = gtk_entry_new ();

  load_style ();
  *fixture = (Fixture) { 0 };
  fixture->messages = g_list_store_new (TAU_TYPE_MESSAGE);
  fixture->runs = g_list_store_new (TAU_TYPE_TOOL_RUN);
  fixture->view = TAU_TRANSCRIPT_VIEW (tau_transcript_view_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (fixture->view));
  gtk_box_append (GTK_BOX (box), entry);
  gtk_widget_add_css_class (box, "conversation");
  fixture->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  gtk_window_set_child (GTK_WINDOW (fixture->window), box);
  gtk_widget_grab_focus (entry);
  tau_transcript_view_set_messages (fixture->view, G_LIST_MODEL (fixture->messages));
  tau_transcript_view_set_tool_runs (fixture->view, G_LIST_MODEL (fixture->runs));
  gtk_window_present (GTK_WINDOW (fixture->window));
  g_signal_connect (gtk_widget_get_frame_clock (fixture->window), "after-paint", G_CALLBACK (painted_cb), fixture);
}

static inline void
fixture_close (Fixture *fixture)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->view), (gpointer *) &fixture->view);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_clear_object (&fixture->messages);
  g_clear_object (&fixture->runs);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (fixture->view);
}

/* Saves what the window shows as PNG, where $TAU_SCREENSHOT_DIR says. */
static inline void
save_screenshot (Fixture    *fixture,
                 const char *name)
{
  const char *folder = g_getenv ("TAU_SCREENSHOT_DIR");
  g_autofree char *path = g_strdup_printf ("%s/%s.png", folder ? folder : g_get_tmp_dir (), name);
  int width = gtk_widget_get_width (fixture->window);
  int height = gtk_widget_get_height (fixture->window);
  g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new (fixture->window);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  g_autoptr(GdkTexture) texture = NULL;

  if (folder)
    g_mkdir_with_parents (folder, 0755);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, width, height));
  gsk_render_node_unref (node);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}
