/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-info.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/session/tau-session-reader.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* What the list of sessions shows of one file: made by reading it once, whole, in a thread. It remembers size and
 * time of the file, so that an index reads again only what has changed. */
#define FIRST_MESSAGE_MAX 400 /* characters that are kept of the first prompt */

struct _TauSessionInfo
{
  GObject  parent_instance;

  char    *path;
  char    *id;
  char    *cwd;
  char    *name;
  char    *first_message;
  char    *parent_path;
  gint64   created;
  gint64   modified;
  guint    n_messages;
  gint64   file_size;
  gint64   file_time;   /* ns */
};

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

static void
take_header (TauSessionInfo  *self,
             TauSessionEntry *entry)
{
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);

  if (self->id != NULL)
    return;
  self->id = g_strdup (tau_json_get_string (json, "id", ""));
  self->cwd = tau_text_make_valid (tau_json_get_string (json, "cwd", ""), -1);
  self->parent_path = g_strdup (tau_json_get_string (json, "parentSession", NULL));
  self->created = tau_session_entry_get_time (entry);
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
                    JsonNode       *content)
{
  g_autofree char *text = dup_content_text (content);
  g_autofree char *valid = tau_text_make_valid (text, -1);

  g_strstrip (valid);
  if (*valid != '\0')
    self->first_message = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), FIRST_MESSAGE_MAX));
}

static void
take_message (TauSessionInfo  *self,
              TauSessionEntry *entry)
{
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);
  const char *role = tau_json_get_string (json, "message.role", "");
  gboolean from_user = g_str_equal (role, "user");

  self->n_messages++;
  if (from_user && self->first_message == NULL)
    take_first_message (self, tau_json_get (json, "message.content"));
  if (from_user || g_str_equal (role, "assistant"))
    self->modified = MAX (self->modified, tau_json_get_int (json, "message.timestamp", tau_session_entry_get_time (entry)));
}

static void
take_name (TauSessionInfo  *self,
           TauSessionEntry *entry)
{
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);
  g_autofree char *name = tau_text_make_valid (tau_json_get_string (json, "name", ""), -1);

  g_strstrip (name);
  g_free (self->name);
  self->name = *name != '\0' ? g_steal_pointer (&name) : NULL;
}

static void
take_entry (TauSessionInfo  *self,
            TauSessionEntry *entry)
{
  switch (tau_session_entry_get_kind (entry))
    {
    case TAU_ENTRY_SESSION:
      take_header (self, entry);
      break;
    case TAU_ENTRY_MESSAGE:
      take_message (self, entry);
      break;
    case TAU_ENTRY_SESSION_INFO:
      take_name (self, entry);
      break;
    case TAU_ENTRY_UNKNOWN:
    case TAU_ENTRY_MODEL_CHANGE:
    case TAU_ENTRY_THINKING_LEVEL_CHANGE:
    case TAU_ENTRY_COMPACTION:
    case TAU_ENTRY_BRANCH_SUMMARY:
    case TAU_ENTRY_CUSTOM:
    case TAU_ENTRY_CUSTOM_MESSAGE:
    case TAU_ENTRY_LABEL:
      break;
    default:
      g_assert_not_reached ();
    }
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
  g_autoptr(TauSessionInfo) self = g_object_new (TAU_TYPE_SESSION_INFO, NULL);
  g_autoptr(TauSessionText) text = NULL;

  /* First: what is appended while we read shall count as a change. */
  if (!stat_file (path, &self->file_size, &self->file_time))
    return NULL;
  text = tau_session_text_read (path, NULL);
  if (text == NULL || !tau_session_text_has_header (text))
    return NULL;

  self->path = g_strdup (path);
  for (guint i = 0; i < text->lines->len; i++)
    take_entry (self, g_ptr_array_index (text->lines, i));
  if (self->modified == 0)
    self->modified = self->created != 0 ? self->created : self->file_time / 1000000;
  return g_steal_pointer (&self);
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

  return self->modified;
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
