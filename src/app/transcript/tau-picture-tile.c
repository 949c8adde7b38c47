/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-picture-tile.h"

#include "core/base/tau-task.h"
#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* TauPictureTile: a picture of a message in a place of fixed size, so that nothing moves when it is there. It is
 * decoded by another thread, no larger than it is shown, and only if its size is sane; a click shows it in a window
 * of its own. */
struct _TauPictureTile
{
  GtkWidget     parent_instance;
  TauBlock     *image;
  GtkWidget    *button;
  GtkWidget    *picture;
  GCancellable *cancellable;   /* while decoding */
  int           width;
  int           height;
};

#define MAX_BYTES  (64 * 1024 * 1024)   /* in base64 */
#define MAX_PIXELS (64 * 1000 * 1000)
#define LARGE      2000                 /* pixels of a side, when it is enlarged */

typedef struct
{
  TauBlock *image;
  int       bound;    /* pixels of a side */
  gboolean  refused;
} Job;

G_DEFINE_FINAL_TYPE (TauPictureTile, tau_picture_tile, GTK_TYPE_WIDGET)

static void
job_free (gpointer data)
{
  tau_block_unref (((Job *) data)->image);
  g_free (data);
}

/* A small file may claim to be a picture of a thousand million points. */
static void
size_prepared_cb (GdkPixbufLoader *loader,
                  int              width,
                  int              height,
                  Job             *job)
{
  int side = MAX (width, height);

  if ((gint64) width * height > MAX_PIXELS)
    {
      job->refused = TRUE;
      gdk_pixbuf_loader_set_size (loader, 1, 1);
    }
  else if (side > job->bound)
    {
      gdk_pixbuf_loader_set_size (loader, MAX (1, width * job->bound / side), MAX (1, height * job->bound / side));
    }
}

static GdkTexture *
decode (Job *job)
{
  g_autoptr(GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  const char *base64 = tau_block_get_data (job->image);
  g_autofree guchar *data = NULL;
  gsize size = 0;
  gboolean good = TRUE;
  GdkPixbuf *pixbuf;

  if (strlen (base64) > MAX_BYTES)
    return NULL;
  data = g_base64_decode (base64, &size);
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), job);
  /* In pieces: when the size turns out to be insane, no more of it is read. */
  for (gsize at = 0; at < size && good && !job->refused; at += 65536)
    good = gdk_pixbuf_loader_write (loader, data + at, MIN (65536, size - at), NULL);
  good = gdk_pixbuf_loader_close (loader, NULL) && good && !job->refused;
  pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  return good && pixbuf ? gdk_texture_new_for_pixbuf (pixbuf) : NULL;
}

static void
decode_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  g_task_return_pointer (task, decode (task_data), g_object_unref);
}

static void
decode_async (GtkWidget           *source,
              TauBlock            *image,
              int                  bound,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (source, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->image = tau_block_ref (image);
  job->bound = bound;
  g_task_set_source_tag (task, decode_async);
  g_task_set_task_data (task, job, job_free);
  tau_task_run_in_thread (task, decode_thread);
}

static void
show_missing (TauPictureTile *self)
{
  gtk_button_set_icon_name (GTK_BUTTON (self->button), "image-missing-symbolic");
  gtk_widget_set_sensitive (self->button, FALSE);
  self->picture = NULL;
}

static void
decoded_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  TauPictureTile *self = TAU_PICTURE_TILE (source);
  g_autoptr(GError) error = NULL;
  g_autoptr(GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (texture)
    gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
  else
    show_missing (self);
}

static gboolean
close_cb (GtkWidget *widget,
          GVariant  *arguments,
          gpointer   user_data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
enlarged_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GtkWidget) picture = user_data;
  g_autoptr(GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), NULL);

  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
}

static void
enlarge_cb (TauPictureTile *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *picture = gtk_picture_new_for_paintable (tau_picture_tile_get_picture (self));
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_set_vexpand (picture, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), picture);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _("Picture"));
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (root));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (close_cb, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  gtk_window_present (GTK_WINDOW (window));
  decode_async (GTK_WIDGET (self), self->image, LARGE, NULL, enlarged_cb, g_object_ref (picture));
}

static void
tau_picture_tile_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  TauPictureTile *self = TAU_PICTURE_TILE (widget);

  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? self->width : self->height;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN (self->width, 96) : self->height;
}

static void
tau_picture_tile_size_allocate (GtkWidget *widget,
                                int        width,
                                int        height,
                                int        baseline)
{
  int minimum;

  /* Asked as GTK wants it to be; it fits, whatever it answers. */
  gtk_widget_measure (TAU_PICTURE_TILE (widget)->button, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (TAU_PICTURE_TILE (widget)->button, &(GtkAllocation) { 0, 0, MAX (width, minimum), height }, -1);
}

static void
tau_picture_tile_dispose (GObject *object)
{
  TauPictureTile *self = TAU_PICTURE_TILE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_pointer (&self->image, tau_block_unref);
  G_OBJECT_CLASS (tau_picture_tile_parent_class)->dispose (object);
}

static void
tau_picture_tile_class_init (TauPictureTileClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_picture_tile_dispose;
  widget_class->measure = tau_picture_tile_measure;
  widget_class->size_allocate = tau_picture_tile_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "picturetile");
}

static void
tau_picture_tile_init (TauPictureTile *self)
{
  self->picture = gtk_picture_new ();
  self->button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->button), self->picture);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_set_focus_on_click (self->button, FALSE);
  gtk_widget_set_overflow (self->button, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_tooltip_text (self->button, _("Enlarge"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Picture"), -1);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (enlarge_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
}

/**
 * tau_picture_tile_new:
 * @image: a picture of a message, with data
 * @width: of its place
 * @height: of its place
 * @cover: whether it fills its place, and what is too much is cut off
 *
 * Returns: (transfer floating): the picture, as soon as it is decoded
 */
GtkWidget *
tau_picture_tile_new (TauBlock *image,
                      int       width,
                      int       height,
                      gboolean  cover)
{
  TauPictureTile *self = g_object_new (TAU_TYPE_PICTURE_TILE, NULL);

  self->image = tau_block_ref (image);
  self->width = width;
  self->height = height;
  gtk_picture_set_content_fit (GTK_PICTURE (self->picture), cover ? GTK_CONTENT_FIT_COVER : GTK_CONTENT_FIT_CONTAIN);
  self->cancellable = g_cancellable_new ();
  decode_async (GTK_WIDGET (self), image, 2 * MAX (width, height), self->cancellable, decoded_cb, NULL);
  return GTK_WIDGET (self);
}

/**
 * tau_picture_tile_is_loading:
 * @self: a tile
 *
 * Returns: whether the picture is still being decoded
 */
gboolean
tau_picture_tile_is_loading (TauPictureTile *self)
{
  return self->cancellable != NULL;
}

/**
 * tau_picture_tile_get_picture:
 * @self: a tile
 *
 * Returns: (transfer none) (nullable): what it shows
 */
GdkPaintable *
tau_picture_tile_get_picture (TauPictureTile *self)
{
  return self->picture ? gtk_picture_get_paintable (GTK_PICTURE (self->picture)) : NULL;
}
