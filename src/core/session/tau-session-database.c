/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-database.h"

#include "core/base/tau-paths.h"
#include "core/session/tau-session-info-private.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* One table has a row for each file. The texts of a session are cut into pieces; the table of words says in which
 * pieces a word stands, and keeps no text. It cannot forget pieces, so those of a file that is gone or was written
 * anew belong to nobody, and when they are the most, all is made anew. A database that is broken, or of another
 * version, is deleted: SQLite says so at the first statement or at a later one.
 *
 * Two connections, each with its lock: a search need not wait for files to be read. */
#define VERSION          1
#define PIECE_SIZE       (32 * 1024)
#define MAX_DEAD         20000  /* pieces that may belong to nobody before it is looked at their share */
#define BUSY_TIMEOUT_MS  2000
#define LOCK_SECTION(mutex) g_autoptr(GMutexLocker) locker = g_mutex_locker_new (mutex)

struct _TauSessionDatabase
{
  gatomicrefcount  ref_count;
  GMutex           read_lock;    /* taken before the other one */
  GMutex           write_lock;
  char            *path;         /* changes under both locks; NULL: in memory, and then the writer also reads */
  sqlite3         *writer;
  sqlite3         *reader;       /* opened when somebody searches */
  int              broken;       /* atomic */
};

static const char schema[] =
  "CREATE TABLE session (number INTEGER PRIMARY KEY, path BLOB UNIQUE NOT NULL, id TEXT, cwd TEXT, name TEXT,"
  " first_message TEXT, parent_path BLOB, created INTEGER, modified INTEGER, n_messages INTEGER, file_size INTEGER,"
  " file_time INTEGER, read_size INTEGER, read_check INTEGER);"
  "CREATE TABLE piece (number INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL);"
  "CREATE INDEX piece_session ON piece (session);"
  "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, prefix='2 3', tokenize='unicode61 remove_diacritics 2');";

static gboolean
run (sqlite3    *connection,
     const char *sql)
{
  return connection != NULL && sqlite3_exec (connection, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static gint64
query_int (sqlite3    *connection,
           const char *sql)
{
  sqlite3_stmt *statement = NULL;
  gint64 value = -1;

  if (sqlite3_prepare_v2 (connection, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step (statement) == SQLITE_ROW)
    value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

static sqlite3 *
open_connection (const char *path)
{
  sqlite3 *connection = NULL;

  if (sqlite3_open_v2 (path != NULL ? path : ":memory:", &connection,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK)
    {
      sqlite3_close (connection);
      return NULL;
    }
  sqlite3_busy_timeout (connection, BUSY_TIMEOUT_MS);
  return connection;
}

/* Returns: whether the writer stands on a database of ours */
static gboolean
open_writer (TauSessionDatabase *self)
{
  gint64 version;

  self->writer = open_connection (self->path);
  if (!run (self->writer, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"))
    return FALSE;
  version = query_int (self->writer, "PRAGMA user_version");
  if (version == VERSION)
    return query_int (self->writer, "SELECT count(*) FROM sqlite_master WHERE name IN ('session', 'piece', 'words')") == 3;
  if (version != 0 || query_int (self->writer, "SELECT count(*) FROM sqlite_master") != 0)
    return FALSE;
  return run (self->writer, "BEGIN") && run (self->writer, schema)
         && run (self->writer, "PRAGMA user_version=" G_STRINGIFY (VERSION)) && run (self->writer, "COMMIT");
}

static void
close_all (TauSessionDatabase *self)
{
  if (self->reader != self->writer)
    sqlite3_close (self->reader);
  sqlite3_close (self->writer);
  self->reader = self->writer = NULL;
}

static void
delete_files (TauSessionDatabase *self)
{
  static const char * const ends[] = { "", "-wal", "-shm", "-journal" };

  for (gsize i = 0; self->path != NULL && i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *path = g_strconcat (self->path, ends[i], NULL);

      g_unlink (path);
    }
}

/* Begins with an empty database; where none can be written, in memory. */
static void
start_over (TauSessionDatabase *self)
{
  close_all (self);
  delete_files (self);
  if (!open_writer (self))
    {
      close_all (self);
      g_clear_pointer (&self->path, g_free);
      open_writer (self);
    }
  g_atomic_int_set (&self->broken, FALSE);
}

/**
 * tau_session_database_new: (skip)
 * @path: (nullable): its file; its folder is made if need be. %NULL: in memory
 *
 * Opens the database. One that cannot be used is deleted and begun anew.
 *
 * Returns: (transfer full): the database
 */
TauSessionDatabase *
tau_session_database_new (const char *path)
{
  TauSessionDatabase *self = g_new0 (TauSessionDatabase, 1);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->write_lock);
  g_mutex_init (&self->read_lock);
  self->path = g_strdup (path);
  if (folder != NULL)
    g_mkdir_with_parents (folder, 0700);
  if (!open_writer (self))
    start_over (self);
  return self;
}

/**
 * tau_session_database_ref: (skip)
 * @self: a database
 *
 * Returns: (transfer full): the same
 */
TauSessionDatabase *
tau_session_database_ref (TauSessionDatabase *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_session_database_unref: (skip)
 * @self: (transfer full): a database
 *
 * Closes it with the last reference.
 */
void
tau_session_database_unref (TauSessionDatabase *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  close_all (self);
  g_mutex_clear (&self->write_lock);
  g_mutex_clear (&self->read_lock);
  g_free (self->path);
  g_free (self);
}

/**
 * tau_session_database_build_path: (skip)
 * @sessions_root: folder of all sessions
 *
 * Returns: (transfer full): the file for it, in the cache; another folder has another one
 */
char *
tau_session_database_build_path (const char *sessions_root)
{
  g_autofree char *cache = tau_paths_cache_dir ();
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, sessions_root, -1);
  g_autofree char *name = g_strdup_printf ("sessions-%.16s.sqlite", sum);

  return g_build_filename (cache, name, NULL);
}

static void
note_result (TauSessionDatabase *self,
             int                 result)
{
  int code = result & 0xff;

  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
    g_atomic_int_set (&self->broken, TRUE);
}

static char *
dup_column (sqlite3_stmt *statement,
            int           column)
{
  const void *bytes = sqlite3_column_blob (statement, column);

  return bytes != NULL ? g_strndup (bytes, (gsize) sqlite3_column_bytes (statement, column)) :
         sqlite3_column_type (statement, column) != SQLITE_NULL ? g_strdup ("") : NULL;
}

static TauSessionInfo *
read_row (sqlite3_stmt *row)
{
  g_autofree char *path = dup_column (row, 0);
  TauSessionInfo *info = tau_session_info_new_empty (path);

  info->id = dup_column (row, 1);
  info->cwd = dup_column (row, 2);
  info->name = dup_column (row, 3);
  info->first_message = dup_column (row, 4);
  info->parent_path = dup_column (row, 5);
  info->created = sqlite3_column_int64 (row, 6);
  info->modified = sqlite3_column_int64 (row, 7);
  info->n_messages = (guint) sqlite3_column_int64 (row, 8);
  info->file_size = sqlite3_column_int64 (row, 9);
  info->file_time = sqlite3_column_int64 (row, 10);
  info->read_size = sqlite3_column_int64 (row, 11);
  info->read_check = (guint) sqlite3_column_int64 (row, 12);
  info->number = sqlite3_column_int64 (row, 13);
  return info;
}

/**
 * tau_session_database_load: (skip)
 * @self: a database
 *
 * Returns: (transfer full) (element-type filename TauSessionInfo): path → what was known of each file when it was read
 */
GHashTable *
tau_session_database_load (TauSessionDatabase *self)
{
  g_autoptr(GMutexLocker) read_locker = g_mutex_locker_new (&self->read_lock);
  LOCK_SECTION (&self->write_lock);
  GHashTable *infos = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  sqlite3_stmt *row = NULL;
  int result = sqlite3_prepare_v2 (self->writer,
                                   "SELECT path, id, cwd, name, first_message, parent_path, created, modified, n_messages,"
                                   " file_size, file_time, read_size, read_check, number FROM session", -1, &row, NULL);

  while (row != NULL && (result = sqlite3_step (row)) == SQLITE_ROW)
    {
      TauSessionInfo *info = read_row (row);

      if (info->id != NULL && info->cwd != NULL)
        g_hash_table_insert (infos, info->path, info);
      else
        g_object_unref (info);
    }
  sqlite3_finalize (row);
  note_result (self, result);
  if (g_atomic_int_get (&self->broken))
    {
      g_hash_table_remove_all (infos);
      start_over (self);
    }
  return infos;
}

static void
bind_path (sqlite3_stmt *statement,
           int           column,
           const char   *path)
{
  if (path != NULL)
    sqlite3_bind_blob (statement, column, path, (int) strlen (path), SQLITE_TRANSIENT);
}

static void
execute (TauSessionDatabase *self,
         sqlite3_stmt       *statement)
{
  note_result (self, sqlite3_step (statement));
  sqlite3_finalize (statement);
}

static sqlite3_stmt *
prepare (TauSessionDatabase *self,
         const char         *sql)
{
  sqlite3_stmt *statement = NULL;

  note_result (self, sqlite3_prepare_v2 (self->writer, sql, -1, &statement, NULL));
  return statement;
}

static void
forget (TauSessionDatabase *self,
        const char         *path)
{
  sqlite3_stmt *pieces = prepare (self, "DELETE FROM piece WHERE session = (SELECT number FROM session WHERE path = ?)");
  sqlite3_stmt *session = prepare (self, "DELETE FROM session WHERE path = ?");

  bind_path (pieces, 1, path);
  execute (self, pieces);
  bind_path (session, 1, path);
  execute (self, session);
}

/* Texts of one reading, until there are enough for a piece. */
typedef struct
{
  GPtrArray *pieces;   /* of GString */
} Texts;

static void
string_free (gpointer data)
{
  g_string_free (data, TRUE);
}

static void
text_cb (const char *text,
         gpointer    user_data)
{
  Texts *self = user_data;
  GString *last = self->pieces->len > 0 ? g_ptr_array_index (self->pieces, self->pieces->len - 1) : NULL;

  if (last == NULL || last->len >= PIECE_SIZE)
    {
      last = g_string_new (NULL);
      g_ptr_array_add (self->pieces, last);
    }
  g_string_append (last, text);
  g_string_append_c (last, '\n');
}

static gint64
put_session (TauSessionDatabase *self,
             TauSessionInfo     *info)
{
  sqlite3_stmt *row = prepare (self, "INSERT INTO session (path, id, cwd, name, first_message, parent_path, created, modified,"
                                     " n_messages, file_size, file_time, read_size, read_check)"
                                     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                                     " ON CONFLICT (path) DO UPDATE SET id = excluded.id, cwd = excluded.cwd, name = excluded.name,"
                                     " first_message = excluded.first_message, parent_path = excluded.parent_path,"
                                     " created = excluded.created, modified = excluded.modified,"
                                     " n_messages = excluded.n_messages, file_size = excluded.file_size,"
                                     " file_time = excluded.file_time, read_size = excluded.read_size,"
                                     " read_check = excluded.read_check RETURNING number");
  gint64 number = -1;

  bind_path (row, 1, info->path);
  bind_path (row, 2, info->id);
  bind_path (row, 3, info->cwd);
  bind_path (row, 4, info->name);
  bind_path (row, 5, info->first_message);
  bind_path (row, 6, info->parent_path);
  sqlite3_bind_int64 (row, 7, info->created);
  sqlite3_bind_int64 (row, 8, info->modified);
  sqlite3_bind_int64 (row, 9, info->n_messages);
  sqlite3_bind_int64 (row, 10, info->file_size);
  sqlite3_bind_int64 (row, 11, info->file_time);
  sqlite3_bind_int64 (row, 12, info->read_size);
  sqlite3_bind_int64 (row, 13, info->read_check);
  if (row != NULL && sqlite3_step (row) == SQLITE_ROW)
    number = sqlite3_column_int64 (row, 0);
  note_result (self, sqlite3_finalize (row));
  return number;
}

static void
put_piece (TauSessionDatabase *self,
           gint64              session,
           GString            *text)
{
  sqlite3_stmt *piece = prepare (self, "INSERT INTO piece (session) VALUES (?)");
  sqlite3_stmt *words;

  sqlite3_bind_int64 (piece, 1, session);
  execute (self, piece);
  words = prepare (self, "INSERT INTO words (rowid, text) VALUES (?, ?)");
  sqlite3_bind_int64 (words, 1, sqlite3_last_insert_rowid (self->writer));
  sqlite3_bind_text (words, 2, text->str, (int) MIN (text->len, G_MAXINT), SQLITE_STATIC);
  execute (self, words);
}

/**
 * tau_session_database_read_file: (skip)
 * @self: a database
 * @path: a session file
 * @before: (nullable): what the database knows of it
 * @cancellable: (nullable): stops it
 *
 * Reads a file, or what was added to it, and remembers what it holds.
 *
 * Returns: (transfer full) (nullable): that, or %NULL if it is no session, and then it is forgotten
 */
TauSessionInfo *
tau_session_database_read_file (TauSessionDatabase *self,
                                const char         *path,
                                TauSessionInfo     *before,
                                GCancellable       *cancellable)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func (string_free);
  Texts texts = { pieces };
  gboolean from_start = TRUE;
  TauSessionInfo *info = tau_session_info_read_more (path, before, &from_start, text_cb, &texts, cancellable);
  LOCK_SECTION (&self->write_lock);

  if (info == NULL && g_cancellable_is_cancelled (cancellable))
    return NULL;
  if ((info == NULL || from_start) && before != NULL)
    forget (self, path);
  if (info != NULL)
    {
      info->number = put_session (self, info);
      for (guint i = 0; info->number >= 0 && i < pieces->len; i++)
        put_piece (self, info->number, g_ptr_array_index (pieces, i));
    }
  return info;
}

/**
 * tau_session_database_remove: (skip)
 * @self: a database
 * @path: a session file that is gone
 *
 * Forgets a file.
 */
void
tau_session_database_remove (TauSessionDatabase *self,
                             const char         *path)
{
  LOCK_SECTION (&self->write_lock);

  forget (self, path);
}

/**
 * tau_session_database_begin: (skip)
 * @self: a database
 *
 * Begins a change; many files in one are quicker than each for itself.
 */
void
tau_session_database_begin (TauSessionDatabase *self)
{
  LOCK_SECTION (&self->write_lock);

  run (self->writer, "BEGIN IMMEDIATE");
}

static gboolean
is_mostly_dead (TauSessionDatabase *self)
{
  gint64 ever = query_int (self->writer, "SELECT seq FROM sqlite_sequence WHERE name = 'piece'");
  gint64 alive = query_int (self->writer, "SELECT count(*) FROM piece");

  return ever - alive > MAX_DEAD && alive < ever / 2;
}

/**
 * tau_session_database_commit: (skip)
 * @self: a database
 *
 * Ends a change. A database that turned out to be broken, or holds mostly what is gone, is begun anew.
 *
 * Returns: whether it still holds what was put into it; if not, all files must be read again
 */
gboolean
tau_session_database_commit (TauSessionDatabase *self)
{
  g_autoptr(GMutexLocker) read_locker = g_mutex_locker_new (&self->read_lock);
  LOCK_SECTION (&self->write_lock);

  if (sqlite3_get_autocommit (self->writer) == 0)
    note_result (self, sqlite3_exec (self->writer, "COMMIT", NULL, NULL, NULL));
  if (sqlite3_get_autocommit (self->writer) == 0)
    run (self->writer, "ROLLBACK");
  if (!g_atomic_int_get (&self->broken) && !is_mostly_dead (self))
    return TRUE;
  start_over (self);
  return FALSE;
}

/**
 * tau_session_database_find_word: (skip)
 * @self: a database
 * @word: letters and digits only, as tau_session_query_new() gives them
 *
 * Looks for sessions in whose texts a word begins like @word. Case and accents do not matter.
 *
 * Returns: (transfer full): set of their numbers, as pointers
 */
GHashTable *
tau_session_database_find_word (TauSessionDatabase *self,
                                const char         *word)
{
  LOCK_SECTION (&self->read_lock);
  g_autoptr(GMutexLocker) write_locker = self->path == NULL ? g_mutex_locker_new (&self->write_lock) : NULL;
  g_autofree char *expression = g_strdup_printf ("\"%s\"*", word);
  GHashTable *numbers = g_hash_table_new (NULL, NULL);
  sqlite3_stmt *row = NULL;
  int result;

  if (self->path != NULL && self->reader == NULL)
    self->reader = open_connection (self->path);
  result = sqlite3_prepare_v2 (self->path != NULL ? self->reader : self->writer,
                               "SELECT DISTINCT session FROM words CROSS JOIN piece ON number = words.rowid WHERE words MATCH ?",
                               -1, &row, NULL);
  sqlite3_bind_text (row, 1, expression, -1, SQLITE_TRANSIENT);
  while (row != NULL && (result = sqlite3_step (row)) == SQLITE_ROW)
    g_hash_table_add (numbers, GSIZE_TO_POINTER ((gsize) sqlite3_column_int64 (row, 0)));
  sqlite3_finalize (row);
  if ((result & 0xff) == SQLITE_CORRUPT || (result & 0xff) == SQLITE_NOTADB)
    g_atomic_int_set (&self->broken, TRUE);   /* the next change begins anew */
  return numbers;
}
