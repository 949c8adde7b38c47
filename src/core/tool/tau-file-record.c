/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-record.h"

#include <stdlib.h>

/* What the model last saw of each file: a digest of the content that it read or wrote itself. A file whose content is
 * another one by now has drifted: somebody else changed it. Times do not count, since builds and checkouts touch
 * files without changing them. Starts empty; a file that was never read cannot drift. Used from the threads of tools. */
struct _TauFileRecord
{
  GObject parent_instance;

  GMutex mutex;
  GHashTable *checksums; /* real path → digest */
};

G_DEFINE_FINAL_TYPE (TauFileRecord, tau_file_record, G_TYPE_OBJECT)

static void
tau_file_record_finalize (GObject *object)
{
  TauFileRecord *self = TAU_FILE_RECORD (object);

  g_hash_table_unref (self->checksums);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (tau_file_record_parent_class)->finalize (object);
}

static void
tau_file_record_class_init (TauFileRecordClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_file_record_finalize;
}

static void
tau_file_record_init (TauFileRecord *self)
{
  g_mutex_init (&self->mutex);
  self->checksums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * tau_file_record_new:
 *
 * Returns: (transfer full): an empty record
 */
TauFileRecord *
tau_file_record_new (void)
{
  return g_object_new (TAU_TYPE_FILE_RECORD, NULL);
}

static char *
key_of (const char *path)
{
  char *real = realpath (path, NULL);
  char *key = g_strdup (real != NULL ? real : path);

  free (real);
  return key;
}

/**
 * tau_file_record_note:
 * @self: a record
 * @path: absolute path of a file
 * @checksum: digest of its content, as text
 *
 * Says that the model has seen this content.
 */
void
tau_file_record_note (TauFileRecord *self,
                      const char    *path,
                      const char    *checksum)
{
  g_autoptr(GMutexLocker) locker = NULL;

  g_return_if_fail (TAU_IS_FILE_RECORD (self));

  locker = g_mutex_locker_new (&self->mutex);
  g_hash_table_replace (self->checksums, key_of (path), g_strdup (checksum));
}

/**
 * tau_file_record_has_drifted:
 * @self: a record
 * @path: absolute path of a file
 * @checksum: digest of its content now, as text
 *
 * Returns: whether the model has seen another content of this file
 */
gboolean
tau_file_record_has_drifted (TauFileRecord *self,
                             const char    *path,
                             const char    *checksum)
{
  g_autofree char *key = key_of (path);
  g_autoptr(GMutexLocker) locker = NULL;
  const char *seen;

  g_return_val_if_fail (TAU_IS_FILE_RECORD (self), FALSE);

  locker = g_mutex_locker_new (&self->mutex);
  seen = g_hash_table_lookup (self->checksums, key);
  return seen != NULL && !g_str_equal (seen, checksum);
}
