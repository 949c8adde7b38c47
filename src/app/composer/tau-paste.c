/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-paste.h"

#include <glib/gi18n.h>

#include <string.h>

/* A text view lays a paragraph out as a whole, at each key: longer ones would freeze the window. */
#define MAX_SIZE (1024 * 1024)
#define MAX_LINE (64 * 1024)

static gboolean
fits (const char *text)
{
  if (strlen (text) > MAX_SIZE)
    return FALSE;
  for (const char *line = text; *line != '\0'; line += *line == '\n' ? 1 : 0)
    {
      size_t length = strcspn (line, "\n");

      if (length > MAX_LINE)
        return FALSE;
      line += length;
    }
  return TRUE;
}

/**
 * tau_paste_dup_text:
 * @text: what the clipboard holds
 * @error: return location
 *
 * Text is pasted as it is, but for line ends, which become "\n".
 *
 * Returns: (transfer full): what goes into the field; %NULL for text of more than 1 MiB or with a line of more than 64 KiB
 */
char *
tau_paste_dup_text (const char  *text,
                    GError     **error)
{
  g_autoptr(GString) pasted = g_string_new (text);

  g_string_replace (pasted, "\r\n", "\n", 0);
  if (fits (pasted->str))
    return g_string_free (g_steal_pointer (&pasted), FALSE);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                       _("The clipboard holds too much text for a message. Save it to a file and name that with @."));
  return NULL;
}

/* As a key would: what is selected goes, and one undo takes all back. */
static void
insert (GtkTextView *view,
        const char  *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete_selection (buffer, TRUE, gtk_text_view_get_editable (view));
  gtk_text_buffer_insert_interactive_at_cursor (buffer, text, -1, gtk_text_view_get_editable (view));
  gtk_text_buffer_end_user_action (buffer);
  gtk_text_view_scroll_mark_onscreen (view, gtk_text_buffer_get_insert (buffer));
}

/* Why nothing was pasted, in words that help. */
static GError *
explain (GdkClipboard *clipboard,
         GError       *error)
{
  GdkContentFormats *formats = gdk_clipboard_get_formats (clipboard);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_copy (error);
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE) || gdk_content_formats_contain_mime_type (formats, "image/png"))
    return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                _("The clipboard holds a picture; only text can be pasted. Save it to a file and name that with @."));
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("The clipboard holds no text."));
}

static void
text_read_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (object), result, &error);
  g_autofree char *pasted = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (text == NULL)
    {
      g_task_return_error (task, explain (GDK_CLIPBOARD (object), error));
      return;
    }
  pasted = tau_paste_dup_text (text, &error);
  if (pasted == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  insert (g_task_get_source_object (task), pasted);
  g_task_return_boolean (task, TRUE);
}

/**
 * tau_paste_async:
 * @view: where to paste
 * @cancellable: (nullable): to give up while the other program is slow
 * @callback: called when text was pasted, or not
 * @user_data: for @callback
 *
 * Puts the text of the clipboard in place of what is selected.
 */
void
tau_paste_async (GtkTextView         *view,
                 GCancellable        *cancellable,
                 GAsyncReadyCallback  callback,
                 gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (view, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_paste_async);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), cancellable, text_read_cb, g_steal_pointer (&task));
}

/**
 * tau_paste_finish:
 * @view: where to paste
 * @result: a result of tau_paste_async()
 * @error: return location
 *
 * Returns: %FALSE if nothing was pasted: @error holds a sentence for people, or %G_IO_ERROR_CANCELLED
 */
gboolean
tau_paste_finish (GtkTextView   *view,
                  GAsyncResult  *result,
                  GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
