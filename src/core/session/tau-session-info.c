/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-info-private.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/session/tau-session-entry.h"
#include "core/session/tau-session-lines.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* What the list of sessions shows of one file: made by reading it once, line by line, in a thread. It remembers size
 * and time of the file, so that an index reads again only what has changed, and how far it has read, so that of a
 * file that has grown only the new lines are read. */
#define FIRST_MESSAGE_MAX 400 /* characters that are kept of the first prompt */
#define SEARCH_TITLE_MAX  120 /* characters of a title that are searched; what is further in is text, not title */
#define CHECKED_BYTES     256 /* before the place up to which a file was read; the same again: it has only grown */
#define MAX_EARLY         400 /* where pi writes the role of a message, at the latest */

G_DEFINE_FINAL_TYPE (TauSessionInfo, tau_session_info, G_TYPE_OBJECT)

static void
tau_session_info_finalize (GObject *object)
{
  TauSessionInfo *self = TAU_SESSION_INFO (object);

  g_free (self->path);
  g_free (self->id);
  g_free (self->cwd);
  g_free (self->name);
  g_free (self->first_message);
  g_free (self->parent_path);
  g_free (self->search_title);

  G_OBJECT_CLASS (tau_session_info_parent_class)->finalize (object);
}

static void
tau_session_info_class_init (TauSessionInfoClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_info_finalize;
}

static void
tau_session_info_init (TauSessionInfo *self)
{
}

static gboolean
stat_file (const char *path,
           gint64     *size,
           gint64     *time)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return FALSE;
  *size = status.st_size;
  *time = status.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + status.st_mtim.tv_nsec;
  return TRUE;
}

/* One reading of one file. */
typedef struct
{
  TauSessionInfo     *info;
  TauSessionTextFunc  func;      /* nullable */
  gpointer            user_data;
  gboolean            is_first;  /* nothing was read yet: here must be the header */
  gboolean            is_session;
} Reading;

static void
tell_text (Reading    *self,
           const char *text)
{
  g_autofree char *valid = NULL;

  if (self->func == NULL || text == NULL || *text == '\0')
    return;
  valid = tau_text_make_valid (text, -1);
  self->func (valid, self->user_data);
}

static void
take_header (Reading  *self,
             JsonNode *json)
{
  TauSessionInfo *info = self->info;
  const char *id = tau_json_get_string (json, "id", NULL);

  self->is_session = id != NULL;
  info->id = g_strdup (id);
  info->cwd = tau_text_make_valid (tau_json_get_string (json, "cwd", ""), -1);
  info->parent_path = g_strdup (tau_json_get_string (json, "parentSession", NULL));
  tau_clock_parse_iso (tau_json_get_string (json, "timestamp", ""), &info->created);
}

static char *
dup_content_text (JsonNode *content)
{
  JsonArray *blocks = tau_json_get_array (content, NULL);
  GString *text = g_string_new (tau_json_get_string (content, NULL, NULL));

  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    g_string_append (text, tau_json_get_string (json_array_get_element (blocks, i), "text", ""));
  return g_string_free (text, FALSE);
}

static void
take_first_message (TauSessionInfo *self,
                    const char     *text)
{
  g_autofree char *valid = tau_text_make_valid (text, -1);

  g_strstrip (valid);
  if (*valid != '\0')
    self->first_message = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), FIRST_MESSAGE_MAX));
}

/* What a step was about: its command, or the file that it touched. */
static void
take_calls (Reading  *self,
            JsonNode *content)
{
  JsonArray *blocks = tau_json_get_array (content, NULL);

  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    {
      JsonNode *block = json_array_get_element (blocks, i);

      tell_text (self, tau_json_get_string (block, "arguments.command", NULL));
      tell_text (self, tau_json_get_string (block, "arguments.path", NULL));
    }
}

static void
take_message (Reading  *self,
              JsonNode *json)
{
  TauSessionInfo *info = self->info;
  JsonNode *content = tau_json_get (json, "message.content");
  const char *role = tau_json_get_string (json, "message.role", "");
  gboolean from_user = g_str_equal (role, "user");
  gint64 time = 0;

  info->n_messages++;
  if (from_user || g_str_equal (role, "assistant"))
    {
      g_autofree char *text = dup_content_text (content);

      if (from_user && info->first_message == NULL)
        take_first_message (info, text);
      tell_text (self, text);
      take_calls (self, content);
      tau_clock_parse_iso (tau_json_get_string (json, "timestamp", ""), &time);
      info->modified = MAX (info->modified, tau_json_get_int (json, "message.timestamp", time));
    }
  else if (g_str_equal (role, "bashExecution"))
    tell_text (self, tau_json_get_string (json, "message.command", NULL));
}

static void
take_name (TauSessionInfo *self,
           JsonNode       *json)
{
  g_autofree char *name = tau_text_make_valid (tau_json_get_string (json, "name", ""), -1);

  g_strstrip (name);
  g_free (self->name);
  self->name = *name != '\0' ? g_steal_pointer (&name) : NULL;
}

/* The outputs of steps are most of a file, and nothing in them is wanted. */
static gboolean
is_tool_result (const TauSessionEnvelope *envelope)
{
  static const char mark[] = "\"message\":{\"role\":\"toolResult\"";

  return memmem (envelope->object.text, MIN (envelope->object.length, MAX_EARLY), mark, strlen (mark)) != NULL;
}

static gboolean
type_is (const TauSessionEnvelope *envelope,
         const char               *type)
{
  return envelope->type.length == strlen (type) && memcmp (envelope->type.text, type, envelope->type.length) == 0;
}

static void
object_cb (const TauSessionEnvelope *envelope,
           gpointer                  user_data)
{
  Reading *self = user_data;
  gboolean is_message = type_is (envelope, "message");
  gboolean is_header = self->is_first && type_is (envelope, "session");
  g_autoptr(JsonNode) json = NULL;

  if (is_message && is_tool_result (envelope))
    self->info->n_messages++;
  else if (is_message || is_header || type_is (envelope, "session_info"))
    json = tau_json_parse (envelope->object.text, (gssize) envelope->object.length, NULL);

  if (json != NULL && is_header)
    take_header (self, json);
  else if (json != NULL && is_message)
    take_message (self, json);
  else if (json != NULL)
    take_name (self->info, json);
  self->is_first = FALSE;
}

/* A sum over the bytes before a place in a file, to see whether they are still the same. */
static guint
check_before (const char *path,
              gint64      place)
{
  guint8 bytes[CHECKED_BYTES];
  gint64 start = MAX (place - CHECKED_BYTES, 0);
  guint sum = 2166136261u;   /* FNV-1a */
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  gssize n = fd >= 0 ? pread (fd, bytes, (gsize) (place - start), start) : 0;

  for (gssize i = 0; i < n; i++)
    sum = (sum ^ bytes[i]) * 16777619u;
  if (fd >= 0)
    g_close (fd, NULL);
  return sum;
}

/**
 * tau_session_info_new_empty: (skip)
 * @path: a file
 *
 * Returns: (transfer full): a record that says nothing yet
 */
TauSessionInfo *
tau_session_info_new_empty (const char *path)
{
  TauSessionInfo *self = g_object_new (TAU_TYPE_SESSION_INFO, NULL);

  self->path = g_strdup (path);
  self->number = -1;
  return self;
}

/* What was read before, if it still stands in the file. */
static TauSessionInfo *
begin_from (const char     *path,
            TauSessionInfo *before,
            gint64          size)
{
  TauSessionInfo *self = tau_session_info_new_empty (path);

  if (before == NULL || before->read_size == 0 || before->read_size > size
      || check_before (path, before->read_size) != before->read_check)
    return self;
  self->id = g_strdup (before->id);
  self->cwd = g_strdup (before->cwd);
  self->name = g_strdup (before->name);
  self->first_message = g_strdup (before->first_message);
  self->parent_path = g_strdup (before->parent_path);
  self->created = before->created;
  self->modified = before->modified;
  self->n_messages = before->n_messages;
  self->read_size = before->read_size;
  return self;
}

static gboolean
read_lines (Reading       *self,
            GCancellable  *cancellable)
{
  TauSessionInfo *info = self->info;
  g_autoptr(TauSessionLines) lines = tau_session_lines_open (info->path, info->read_size, TAU_SESSION_LINE_LISTED, NULL);
  const char *line;
  gsize length;

  while (lines != NULL && tau_session_lines_next (lines, &line, &length))
    {
      tau_session_scan_line (line, length, object_cb, self);
      if (!self->is_first && !self->is_session)
        return FALSE;
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      info->read_size = tau_session_lines_has_newline (lines) ? tau_session_lines_get_offset (lines) : 0;
    }
  return lines != NULL && self->is_session;
}

/**
 * tau_session_info_read_more:
 * @path: a file
 * @before: (nullable): what was read of it earlier; if the file has only grown, reading goes on where that ended
 * @from_start: (out): whether all was read, not only what is new
 * @func: (nullable) (scope call): gets the texts of the conversation that are read
 * @user_data: for @func
 * @cancellable: (nullable): stops it
 *
 * Reads a session file for the list, line by line. Blocks: call it in a thread.
 *
 * Returns: (transfer full) (nullable): what it holds, or %NULL if it cannot be read or does not begin with a header
 */
TauSessionInfo *
tau_session_info_read_more (const char         *path,
                            TauSessionInfo     *before,
                            gboolean           *from_start,
                            TauSessionTextFunc  func,
                            gpointer            user_data,
                            GCancellable       *cancellable)
{
  g_autoptr(TauSessionInfo) self = NULL;
  Reading reading = { .func = func, .user_data = user_data };
  gint64 size, time;

  /* First: what is appended while we read shall count as a change. */
  if (!stat_file (path, &size, &time))
    return NULL;
  self = begin_from (path, before, size);
  *from_start = self->id == NULL;
  self->file_size = size;
  self->file_time = time;
  reading.info = self;
  reading.is_first = *from_start;
  reading.is_session = !*from_start;
  if (!read_lines (&reading, cancellable))
    return NULL;
  self->read_check = check_before (path, self->read_size);
  return g_steal_pointer (&self);
}

/**
 * tau_session_info_read:
 * @path: a file
 *
 * Reads a session file for the list. Blocks: call it in a thread.
 *
 * Returns: (transfer full) (nullable): what it holds, or %NULL if it cannot be read or does not begin with a header
 */
TauSessionInfo *
tau_session_info_read (const char *path)
{
  gboolean from_start;

  return tau_session_info_read_more (path, NULL, &from_start, NULL, NULL, NULL);
}

/**
 * tau_session_info_read_header:
 * @path: a file
 *
 * Reads no more than the first line of a session file. Blocks.
 *
 * Returns: (transfer full) (nullable): a record with id and folder only, or %NULL if it is no session
 */
TauSessionInfo *
tau_session_info_read_header (const char *path)
{
  g_autoptr(TauSessionInfo) self = tau_session_info_new_empty (path);
  g_autoptr(TauSessionLines) lines = tau_session_lines_open (path, 0, TAU_SESSION_LINE_LISTED, NULL);
  Reading reading = { .info = self, .is_first = TRUE };
  const char *line;
  gsize length;

  while (lines != NULL && reading.is_first && tau_session_lines_next (lines, &line, &length))
    tau_session_scan_line (line, length, object_cb, &reading);
  return reading.is_session ? g_steal_pointer (&self) : NULL;
}

/**
 * tau_session_info_is_current:
 * @self: a record
 *
 * Compares size and time of the file with those it had when it was read.
 *
 * Returns: whether the file is unchanged
 */
gboolean
tau_session_info_is_current (TauSessionInfo *self)
{
  gint64 size, time;

  return stat_file (self->path, &size, &time) && size == self->file_size && time == self->file_time;
}

/**
 * tau_session_info_get_number: (skip)
 * @self: a record
 *
 * Returns: what the database calls it, -1 if it does not know it
 */
gint64
tau_session_info_get_number (TauSessionInfo *self)
{
  return self->number;
}

/**
 * tau_session_info_get_path:
 * @self: a record
 *
 * Returns: the file
 */
const char *
tau_session_info_get_path (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->path;
}

/**
 * tau_session_info_get_id:
 * @self: a record
 *
 * Returns: the session's id
 */
const char *
tau_session_info_get_id (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->id;
}

/**
 * tau_session_info_get_cwd:
 * @self: a record
 *
 * Returns: the folder that the session belongs to, "" if the file does not say
 */
const char *
tau_session_info_get_cwd (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->cwd;
}

/**
 * tau_session_info_get_name:
 * @self: a record
 *
 * Returns: (nullable): the name that the user gave
 */
const char *
tau_session_info_get_name (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->name;
}

/**
 * tau_session_info_get_first_message:
 * @self: a record
 *
 * Returns: the beginning of the first prompt, "" if there is none
 */
const char *
tau_session_info_get_first_message (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->first_message != NULL ? self->first_message : "";
}

/**
 * tau_session_info_get_parent_path:
 * @self: a record
 *
 * Returns: (nullable): file of the session that this one was forked from
 */
const char *
tau_session_info_get_parent_path (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  return self->parent_path;
}

/**
 * tau_session_info_get_created:
 * @self: a record
 *
 * Returns: time of the header, ms since 1970
 */
gint64
tau_session_info_get_created (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), 0);

  return self->created;
}

/**
 * tau_session_info_get_modified:
 * @self: a record
 *
 * Returns: time of the newest user or assistant message, else of the header, else of the file; ms since 1970
 */
gint64
tau_session_info_get_modified (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), 0);

  if (self->modified != 0)
    return self->modified;
  return self->created != 0 ? self->created : self->file_time / 1000000;
}

/**
 * tau_session_info_get_n_messages:
 * @self: a record
 *
 * Returns: messages of all roles and branches
 */
guint
tau_session_info_get_n_messages (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), 0);

  return self->n_messages;
}

/**
 * tau_session_info_dup_title:
 * @self: a record
 *
 * A title on one line: the name, else the first prompt, else a word that says that there is neither.
 *
 * Returns: (transfer full): the title
 */
char *
tau_session_info_dup_title (TauSessionInfo *self)
{
  const char *text;

  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  text = self->name != NULL ? self->name : tau_session_info_get_first_message (self);
  return *text != '\0' ? g_strdelimit (g_strdup (text), "\n\r\t", ' ') : g_strdup (_("New session"));
}

/**
 * tau_session_info_get_search_title:
 * @self: a record
 *
 * The beginning of the title without regard to case. Any thread may ask.
 *
 * Returns: what a search compares
 */
const char *
tau_session_info_get_search_title (TauSessionInfo *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INFO (self), NULL);

  if (g_once_init_enter (&self->search_title))
    {
      g_autofree char *title = tau_session_info_dup_title (self);
      g_autofree char *start = g_utf8_substring (title, 0, MIN (g_utf8_strlen (title, -1), SEARCH_TITLE_MAX));
      g_autofree char *folded = g_utf8_casefold (start, -1);

      g_once_init_leave (&self->search_title, g_utf8_normalize (folded, -1, G_NORMALIZE_DEFAULT_COMPOSE));
    }
  return self->search_title;
}
