/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-content-store.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Contents of files by their digests, outside of any project: each once, compressed, in a folder that several
 * programs may use at a time. When all of them together are larger than they may be, those that were put first go.
 * It knows neither names nor sessions. Blocking; may be used from any thread. */
struct _TauContentStore
{
  GObject parent_instance;

  char *folder;
  goffset max_bytes;
  GMutex mutex;
  goffset total; /* of what is stored; -1: not counted yet */
};

G_DEFINE_FINAL_TYPE (TauContentStore, tau_content_store, G_TYPE_OBJECT)

/* What is made room for at once, so that not every put has to look through the folder. */
#define ROOM_SHARE 10

/* Level 1: what is read again at most once should above all be fast to write. */
#define COMPRESSION 1

static void
tau_content_store_finalize (GObject *object)
{
  TauContentStore *self = TAU_CONTENT_STORE (object);

  g_free (self->folder);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (tau_content_store_parent_class)->finalize (object);
}

static void
tau_content_store_class_init (TauContentStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_content_store_finalize;
}

static void
tau_content_store_init (TauContentStore *self)
{
  g_mutex_init (&self->mutex);
  self->total = -1;
}

/**
 * tau_content_store_new:
 * @folder: absolute path; made when something is put
 * @max_bytes: how much may be stored, as compressed
 *
 * Returns: (transfer full): a store
 */
TauContentStore *
tau_content_store_new (const char *folder,
                       goffset     max_bytes)
{
  TauContentStore *self = g_object_new (TAU_TYPE_CONTENT_STORE, NULL);

  self->folder = g_strdup (folder);
  self->max_bytes = max_bytes;
  return self;
}

static gboolean
set_error (GError    **error,
           const char *path)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

/* Two letters of the digest make a folder, so that none gets very long. */
static char *
path_of (TauContentStore *self,
         const char      *digest)
{
  g_autofree char *first = g_strndup (digest, 2);
  g_autofree char *name = g_strconcat (digest + strlen (first), ".gz", NULL);

  return g_build_filename (self->folder, first, name, NULL);
}

/* Only the owner may look in: contents can be secrets. */
static gboolean
make_folder_of (const char *path,
                GError    **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_mkdir_with_parents (folder, 0700) == 0 || set_error (error, folder);
}

/* Keeps other programs from pruning what is about to be used. -1 if that cannot be: it is only a courtesy. */
static int
lock (TauContentStore *self)
{
  g_autofree char *path = g_build_filename (self->folder, "lock", NULL);
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  while (fd >= 0 && flock (fd, LOCK_EX) != 0)
    if (errno != EINTR)
      break;
  return fd;
}

static void
unlock (int fd)
{
  if (fd >= 0)
    close (fd);
}

typedef struct
{
  char *path;
  goffset size;
  struct timespec time;
} Item;

static void
item_clear (gpointer data)
{
  g_free (((Item *) data)->path);
}

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  const struct timespec *time_a = &((const Item *) a)->time, *time_b = &((const Item *) b)->time;

  if (time_a->tv_sec != time_b->tv_sec)
    return time_a->tv_sec < time_b->tv_sec ? -1 : 1;
  return time_a->tv_nsec < time_b->tv_nsec ? -1 : time_a->tv_nsec > time_b->tv_nsec;
}

/* Also what a program that died has left half-written. */
static void
list_folder (const char *folder,
             GArray     *items)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      Item item = { 0 };
      struct stat status;

      if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      item.path = g_steal_pointer (&path);
      item.size = status.st_size;
      item.time = status.st_mtim;
      g_array_append_val (items, item);
    }
}

static GArray *
list_all (TauContentStore *self,
          goffset         *total)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Item));

  g_array_set_clear_func (items, item_clear);
  for (int i = 0; i < 256; i++)
    {
      char name[3];
      g_autofree char *folder = NULL;

      g_snprintf (name, sizeof name, "%02x", i);
      folder = g_build_filename (self->folder, name, NULL);
      list_folder (folder, items);
    }
  *total = 0;
  for (guint i = 0; i < items->len; i++)
    *total += g_array_index (items, Item, i).size;
  return items;
}

/* Takes the oldest away until there is room again; never @kept. */
static void
prune (TauContentStore *self,
       const char      *kept)
{
  g_autoptr(GArray) items = list_all (self, &self->total);
  const goffset wanted = self->max_bytes - self->max_bytes / ROOM_SHARE;

  if (self->total <= self->max_bytes)
    return;

  g_array_sort (items, compare_items);
  for (guint i = 0; i < items->len && self->total > wanted; i++)
    {
      const Item *item = &g_array_index (items, Item, i);

      if (!g_str_equal (item->path, kept) && g_unlink (item->path) == 0)
        self->total -= item->size;
    }
}

static gboolean
compress_into (int         fd,
               const void *data,
               gsize       length,
               GError    **error)
{
  g_autoptr(GOutputStream) file = g_unix_output_stream_new (fd, FALSE);
  g_autoptr(GConverter) compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, COMPRESSION));
  g_autoptr(GOutputStream) stream = g_converter_output_stream_new (file, compressor);

  return g_output_stream_write_all (stream, data, length, NULL, NULL, error)
         && g_output_stream_close (stream, NULL, error);
}

/* Beside, to disk, renamed: a content is there whole or not at all. */
static gboolean
write_item (const char *path,
            const void *data,
            gsize       length,
            GError    **error)
{
  g_autofree char *temporary = g_strdup_printf ("%s-%08x", path, g_random_int ());
  int fd = g_open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gboolean done;

  if (fd < 0)
    return set_error (error, temporary);

  done = compress_into (fd, data, length, error);
  if (done && fsync (fd) != 0 && errno != EINVAL)
    done = set_error (error, temporary);
  if (close (fd) != 0 && done)
    done = set_error (error, temporary);
  if (done && g_rename (temporary, path) != 0)
    done = set_error (error, path);
  if (!done)
    g_unlink (temporary);
  return done;
}

static gboolean
put_locked (TauContentStore *self,
            const char      *path,
            const void      *data,
            gsize            length,
            GError         **error)
{
  struct stat status;

  /* What is used again is new again. */
  if (utimensat (AT_FDCWD, path, NULL, 0) == 0)
    return TRUE;
  if (!write_item (path, data, length, error))
    return FALSE;

  if (self->total >= 0 && stat (path, &status) == 0)
    self->total += status.st_size;
  if (self->total < 0 || self->total > self->max_bytes)
    prune (self, path);
  return TRUE;
}

/**
 * tau_content_store_put:
 * @self: a store
 * @digest: of @data, %TAU_CONTENT_CHECKSUM as text
 * @data: a content
 * @length: bytes of @data
 * @error: return location for a %G_IO_ERROR
 *
 * Stores a content, if it is not there yet. Others may have to go for it.
 *
 * Returns: whether it is there now
 */
gboolean
tau_content_store_put (TauContentStore  *self,
                       const char       *digest,
                       const void       *data,
                       gsize             length,
                       GError          **error)
{
  g_autofree char *path = NULL;
  g_autoptr(GMutexLocker) locker = NULL;
  gboolean done;
  int fd;

  g_return_val_if_fail (TAU_IS_CONTENT_STORE (self), FALSE);

  if ((goffset) length > self->max_bytes)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is larger than all that may be kept");
      return FALSE;
    }
  path = path_of (self, digest);
  if (!make_folder_of (path, error))
    return FALSE;

  locker = g_mutex_locker_new (&self->mutex);
  fd = lock (self);
  done = put_locked (self, path, data, length, error);
  unlock (fd);
  return done;
}

static GBytes *
read_item (const char  *path,
           GError     **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInputStream) compressed = g_file_read (file, NULL, error);
  g_autoptr(GConverter) decompressor = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable ();

  if (compressed == NULL)
    return NULL;
  stream = g_converter_input_stream_new (G_INPUT_STREAM (compressed), decompressor);
  if (g_output_stream_splice (memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0)
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

/**
 * tau_content_store_get:
 * @self: a store
 * @digest: of a content
 * @error: return location for a %G_IO_ERROR; %G_IO_ERROR_NOT_FOUND if it is not there any more
 *
 * Returns: (transfer full) (nullable): the content
 */
GBytes *
tau_content_store_get (TauContentStore  *self,
                       const char       *digest,
                       GError          **error)
{
  g_autofree char *path = NULL;
  g_autofree char *found = NULL;
  g_autoptr(GBytes) bytes = NULL;

  g_return_val_if_fail (TAU_IS_CONTENT_STORE (self), NULL);

  path = path_of (self, digest);
  bytes = read_item (path, error);
  if (bytes == NULL)
    return NULL;
  found = g_compute_checksum_for_bytes (TAU_CONTENT_CHECKSUM, bytes);
  if (g_str_equal (found, digest))
    return g_steal_pointer (&bytes);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s is damaged", path);
  return NULL;
}

/**
 * tau_content_store_has:
 * @self: a store
 * @digest: of a content
 *
 * Returns: whether the content is still there
 */
gboolean
tau_content_store_has (TauContentStore *self,
                       const char      *digest)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (TAU_IS_CONTENT_STORE (self), FALSE);

  path = path_of (self, digest);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}
