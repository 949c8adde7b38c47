/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-entry.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/message/tau-branch-summary-message.h"
#include "core/message/tau-compaction-summary-message.h"
#include "core/message/tau-custom-message.h"
#include "core/message/tau-message-json.h"

#include <string.h>

/* One line of a session file. An existing line is never written differently from how it was read, so the text is the
 * truth here and everything else is derived from it. An entry of a file only knows where its text stands: a session of
 * 250 MB is mostly text that nobody looks at again. Any thread may read an entry. */

struct _TauSessionEntry
{
  gatomicrefcount      ref_count;
  TauSessionEntryKind  kind;
  GBytes              *text;        /* nullable: our own, where there is no source */
  TauSessionSource    *source;      /* nullable */
  gint64               offset;      /* in the source */
  gsize                length;
  gint64               time;
  GWeakRef             message;     /* parsed again when nobody has it any more */
  char                *id;          /* nullable */
  char                *parent_id;   /* nullable */
  gboolean             has_escapes; /* @id does not stand in the text as it is */
  TauMessageOutline    outline;
  TauBlockOutline      blocks[];    /* of @outline; behind them @id and @parent_id, in the same block of memory */
};

static GMutex places_lock;   /* for @source, @offset and @length of all entries */

G_DEFINE_BOXED_TYPE (TauSessionEntry, tau_session_entry, tau_session_entry_ref, tau_session_entry_unref)

static const char * const kind_names[] = {
  [TAU_ENTRY_UNKNOWN] = "",
  [TAU_ENTRY_SESSION] = "session",
  [TAU_ENTRY_MESSAGE] = "message",
  [TAU_ENTRY_MODEL_CHANGE] = "model_change",
  [TAU_ENTRY_THINKING_LEVEL_CHANGE] = "thinking_level_change",
  [TAU_ENTRY_COMPACTION] = "compaction",
  [TAU_ENTRY_BRANCH_SUMMARY] = "branch_summary",
  [TAU_ENTRY_CUSTOM] = "custom",
  [TAU_ENTRY_CUSTOM_MESSAGE] = "custom_message",
  [TAU_ENTRY_LABEL] = "label",
  [TAU_ENTRY_SESSION_INFO] = "session_info",
};

static TauSessionEntryKind
kind_from_name (const char *name,
                gsize       length)
{
  for (guint i = TAU_ENTRY_SESSION; i < G_N_ELEMENTS (kind_names); i++)
    if (strlen (kind_names[i]) == length && memcmp (kind_names[i], name, length) == 0)
      return (TauSessionEntryKind) i;
  return TAU_ENTRY_UNKNOWN;
}

static gint64
parse_time (const char *iso)
{
  gint64 ms;

  return iso != NULL && tau_clock_parse_iso (iso, &ms) ? ms : 0;
}

static char *
put_string (char       **at,
            const char  *text,
            gsize        length)
{
  char *string = *at;

  if (text == NULL)
    return NULL;
  memcpy (string, text, length);
  string[length] = '\0';
  *at += length + 1;
  return string;
}

static TauSessionEntry *
entry_alloc (const TauSpan *id,
             const TauSpan *parent_id,
             guint          n_blocks)
{
  TauSessionEntry *self = g_malloc0 (sizeof *self + n_blocks * sizeof self->blocks[0] + id->length + parent_id->length + 2);
  char *at = (char *) (self->blocks + n_blocks);

  g_atomic_ref_count_init (&self->ref_count);
  /* Zeros are an empty GWeakRef, which g_weak_ref_init() makes under a lock. */
  self->id = put_string (&at, id->text, id->length);
  self->parent_id = put_string (&at, parent_id->text, parent_id->length);
  return self;
}

static TauSpan
span_of (const char *text)
{
  return (TauSpan) { text, text != NULL ? strlen (text) : 0 };
}

static TauSessionEntry *
alloc_from_json (JsonNode *json)
{
  const char *type = tau_json_get_string (json, "type", "");
  TauSpan id = span_of (tau_json_get_string (json, "id", NULL));
  TauSpan parent_id = span_of (tau_json_get_string (json, "parentId", NULL));
  TauSessionEntry *self = entry_alloc (&id, &parent_id, 0);

  self->kind = kind_from_name (type, strlen (type));
  self->time = parse_time (tau_json_get_string (json, "timestamp", NULL));
  return self;
}

static TauSessionEntry *
alloc_from_envelope (const TauSessionEnvelope *envelope)
{
  const TauMessageOutline *outline = &envelope->outline;
  TauSessionEntry *self;
  char time[64];

  if (envelope->has_escapes)
    {
      g_autoptr(JsonNode) json = tau_json_parse (envelope->object.text, (gssize) envelope->object.length, NULL);

      self = alloc_from_json (json);
      self->has_escapes = TRUE;
      return self;
    }
  self = entry_alloc (&envelope->id, &envelope->parent_id, outline->n_blocks);
  self->outline = *outline;
  self->outline.blocks = self->blocks;
  memcpy (self->blocks, outline->blocks, outline->n_blocks * sizeof self->blocks[0]);
  if (envelope->type.text != NULL)
    self->kind = kind_from_name (envelope->type.text, envelope->type.length);
  if (envelope->timestamp.text != NULL && envelope->timestamp.length < sizeof time)
    {
      memcpy (time, envelope->timestamp.text, envelope->timestamp.length);
      time[envelope->timestamp.length] = '\0';
      self->time = parse_time (time);
    }
  return self;
}

/**
 * tau_session_entry_new_from_file:
 * @source: the file, kept open by the entry
 * @offset: where the object begins in it
 * @envelope: the object as it was scanned
 *
 * Returns: (transfer full): the entry
 */
TauSessionEntry *
tau_session_entry_new_from_file (TauSessionSource         *source,
                                 gint64                    offset,
                                 const TauSessionEnvelope *envelope)
{
  TauSessionEntry *self = alloc_from_envelope (envelope);

  self->source = tau_session_source_ref (source);
  self->offset = offset;
  self->length = envelope->object.length;
  return self;
}

/**
 * tau_session_entry_new_from_json:
 * @json: an object with all fields of a line
 *
 * For entries that were changed on their way, as by a migration.
 *
 * Returns: (transfer full): the entry
 */
TauSessionEntry *
tau_session_entry_new_from_json (JsonNode *json)
{
  TauSessionEntry *self = alloc_from_json (json);
  char *text = tau_json_to_string (json);

  self->length = strlen (text);
  self->text = g_bytes_new_take (text, self->length);
  return self;
}

/**
 * tau_session_entry_new_header:
 * @id: of the session, a UUID
 * @time_ms: when it began, ms since 1970
 * @cwd: folder it belongs to
 * @parent_session: (nullable): file that it was forked from
 *
 * Returns: (transfer full): the first line of a file of version 3
 */
TauSessionEntry *
tau_session_entry_new_header (const char *id,
                              gint64      time_ms,
                              const char *cwd,
                              const char *parent_session)
{
  g_autoptr(JsonObject) object = json_object_new ();
  g_autoptr(JsonNode) node = NULL;
  g_autofree char *iso = tau_clock_iso (time_ms);

  json_object_set_string_member (object, "type", "session");
  json_object_set_int_member (object, "version", 3);
  json_object_set_string_member (object, "id", id);
  json_object_set_string_member (object, "timestamp", iso);
  json_object_set_string_member (object, "cwd", cwd);
  if (parent_session != NULL)
    json_object_set_string_member (object, "parentSession", parent_session);
  node = tau_json_node_new_object (g_steal_pointer (&object));
  return tau_session_entry_new_from_json (node);
}

static void
add_fields (JsonObject *object,
            JsonObject *fields)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, fields);
  while (json_object_iter_next_ordered (&iter, &key, &value))
    json_object_set_member (object, key, json_node_ref (value));
}

/**
 * tau_session_entry_new:
 * @kind: which type
 * @id: its id
 * @parent_id: (nullable): its parent's id
 * @time_ms: when it is appended, ms since 1970
 * @fields: (nullable): what it says, in the order of the file
 *
 * Extensions' own entries have their fields before the envelope, all others after it: so writes pi.
 *
 * Returns: (transfer full): the entry
 */
TauSessionEntry *
tau_session_entry_new (TauSessionEntryKind kind,
                       const char         *id,
                       const char         *parent_id,
                       gint64              time_ms,
                       JsonObject         *fields)
{
  g_autoptr(JsonObject) object = json_object_new ();
  g_autoptr(JsonNode) node = NULL;
  g_autofree char *iso = tau_clock_iso (time_ms);
  gboolean fields_first = kind == TAU_ENTRY_CUSTOM || kind == TAU_ENTRY_CUSTOM_MESSAGE;

  json_object_set_string_member (object, "type", kind_names[kind]);
  if (fields_first && fields != NULL)
    add_fields (object, fields);
  json_object_set_string_member (object, "id", id);
  if (parent_id != NULL)
    json_object_set_string_member (object, "parentId", parent_id);
  else
    json_object_set_null_member (object, "parentId");
  json_object_set_string_member (object, "timestamp", iso);
  if (!fields_first && fields != NULL)
    add_fields (object, fields);
  node = tau_json_node_new_object (g_steal_pointer (&object));
  return tau_session_entry_new_from_json (node);
}

static TauSessionEntry *
new_custom_message (const char       *id,
                    const char       *parent_id,
                    gint64            time_ms,
                    TauMessage       *message)
{
  g_autoptr(JsonNode) json = tau_message_to_json (message);
  JsonObject *object = json_node_get_object (json);

  json_object_remove_member (object, "role");
  json_object_remove_member (object, "timestamp");
  return tau_session_entry_new (TAU_ENTRY_CUSTOM_MESSAGE, id, parent_id, time_ms, object);
}

/**
 * tau_session_entry_new_message:
 * @id: its id
 * @parent_id: (nullable): its parent's id
 * @time_ms: when it is appended, ms since 1970
 * @message: what was said
 *
 * A message of an extension becomes an entry of its own kind, all others are "message" entries.
 *
 * Returns: (transfer full): the entry
 */
TauSessionEntry *
tau_session_entry_new_message (const char *id,
                               const char *parent_id,
                               gint64      time_ms,
                               TauMessage *message)
{
  TauSessionEntry *self;

  if (TAU_IS_CUSTOM_MESSAGE (message))
    self = new_custom_message (id, parent_id, time_ms, message);
  else
    {
      g_autoptr(JsonObject) fields = json_object_new ();

      json_object_set_member (fields, "message", tau_message_to_json (message));
      self = tau_session_entry_new (TAU_ENTRY_MESSAGE, id, parent_id, time_ms, fields);
    }
  g_weak_ref_set (&self->message, message);
  return self;
}

/**
 * tau_session_entry_ref:
 * @self: an entry
 *
 * Returns: (transfer full): @self
 */
TauSessionEntry *
tau_session_entry_ref (TauSessionEntry *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_session_entry_unref:
 * @self: (transfer full): an entry
 *
 * Gives back a reference.
 */
void
tau_session_entry_unref (TauSessionEntry *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->text, g_bytes_unref);
  g_clear_pointer (&self->source, tau_session_source_unref);
  g_weak_ref_clear (&self->message);
  g_free (self);
}

/**
 * tau_session_entry_get_kind:
 * @self: an entry
 *
 * Returns: what kind of line it is
 */
TauSessionEntryKind
tau_session_entry_get_kind (TauSessionEntry *self)
{
  return self->kind;
}

/**
 * tau_session_entry_get_id:
 * @self: an entry
 *
 * Returns: (nullable): its id
 */
const char *
tau_session_entry_get_id (TauSessionEntry *self)
{
  return self->id;
}

/**
 * tau_session_entry_get_parent_id:
 * @self: an entry
 *
 * Returns: (nullable): the id of its parent, which need not exist
 */
const char *
tau_session_entry_get_parent_id (TauSessionEntry *self)
{
  return self->parent_id;
}

/**
 * tau_session_entry_get_time:
 * @self: an entry
 *
 * Returns: when it was appended, ms since 1970; 0 if it does not say
 */
gint64
tau_session_entry_get_time (TauSessionEntry *self)
{
  return self->time;
}

/**
 * tau_session_entry_get_length:
 * @self: an entry
 *
 * Returns: bytes of its text
 */
gsize
tau_session_entry_get_length (TauSessionEntry *self)
{
  return self->length;
}

/**
 * tau_session_entry_get_outline:
 * @self: an entry
 * @outline: (out caller-allocates): what is known of its message without parsing it; good as long as @self
 *
 * Entries that were not scanned have no outline: it says that it is not known.
 */
void
tau_session_entry_get_outline (TauSessionEntry   *self,
                               TauMessageOutline *outline)
{
  *outline = self->outline;
  outline->known = self->outline.known && (self->kind == TAU_ENTRY_MESSAGE || self->kind == TAU_ENTRY_CUSTOM_MESSAGE);
}

static gboolean
may_have_message (TauSessionEntry *self)
{
  return self->kind == TAU_ENTRY_MESSAGE || self->kind == TAU_ENTRY_CUSTOM_MESSAGE
         || self->kind == TAU_ENTRY_COMPACTION || self->kind == TAU_ENTRY_BRANCH_SUMMARY;
}

/**
 * tau_session_entry_has_message:
 * @self: an entry
 *
 * Returns: whether it holds or stands for a message that can be read
 */
gboolean
tau_session_entry_has_message (TauSessionEntry *self)
{
  g_autoptr(TauMessage) message = NULL;

  if (!may_have_message (self))
    return FALSE;
  if (self->kind != TAU_ENTRY_BRANCH_SUMMARY && self->outline.known)
    return TRUE;
  message = tau_session_entry_dup_message (self);
  return message != NULL;
}

/* Another program may have written over the file: what stands there now must still be this entry. */
static gboolean
is_still_ours (TauSessionEntry *self,
               GBytes          *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return length >= 2 && text[0] == '{' && text[length - 1] == '}'
         && (self->id == NULL || self->has_escapes || memmem (text, length, self->id, strlen (self->id)) != NULL);
}

/**
 * tau_session_entry_dup_text:
 * @self: an entry
 *
 * Reads the text, if it stands in a file; any thread may do so.
 *
 * Returns: (transfer full) (nullable): the object as it stands in the file, without line end and without NUL; %NULL if
 *   the file does not have it any more
 */
GBytes *
tau_session_entry_dup_text (TauSessionEntry *self)
{
  g_autoptr(TauSessionSource) source = NULL;
  g_autoptr(GBytes) bytes = NULL;
  gint64 offset;
  gsize length;

  if (self->text != NULL)
    return g_bytes_ref (self->text);
  g_mutex_lock (&places_lock);
  source = tau_session_source_ref (self->source);
  offset = self->offset;
  length = self->length;
  g_mutex_unlock (&places_lock);

  bytes = tau_session_source_read (source, offset, length);
  return bytes != NULL && is_still_ours (self, bytes) ? g_steal_pointer (&bytes) : NULL;
}

/**
 * tau_session_entry_move:
 * @self: an entry of a file
 * @other: the same entry, found again when the file had been written anew
 *
 * Reads the text from the new place from now on.
 */
void
tau_session_entry_move (TauSessionEntry *self,
                        TauSessionEntry *other)
{
  if (self->source == NULL || other->source == NULL)
    return;
  g_mutex_lock (&places_lock);
  tau_session_source_unref (self->source);
  self->source = tau_session_source_ref (other->source);
  self->offset = other->offset;
  self->length = other->length;
  g_mutex_unlock (&places_lock);
}

/**
 * tau_session_entry_load:
 * @self: an entry that nobody else knows yet
 *
 * Takes the text into memory, because the file is about to be written anew.
 */
void
tau_session_entry_load (TauSessionEntry *self)
{
  if (self->text == NULL)
    self->text = tau_session_entry_dup_text (self);
}

/**
 * tau_session_entry_dup_json:
 * @self: an entry
 *
 * Reads and parses the line, each time anew.
 *
 * Returns: (transfer full) (nullable): the object; %NULL if it cannot be had
 */
JsonNode *
tau_session_entry_dup_json (TauSessionEntry *self)
{
  g_autoptr(GBytes) bytes = tau_session_entry_dup_text (self);
  gsize length;
  const char *text;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  return tau_json_parse (text, (gssize) length, NULL);
}

static TauMessage *
custom_message (TauSessionEntry *self,
                JsonNode        *json)
{
  JsonObject *object = json_node_get_object (json);
  TauMessage *message;

  json_object_set_string_member (object, "role", "custom");
  json_object_set_int_member (object, "timestamp", self->time);
  message = tau_message_from_json (json, NULL);
  return message;
}

static TauMessage *
make_message (TauSessionEntry *self)
{
  g_autoptr(JsonNode) json = tau_session_entry_dup_json (self);
  const char *summary = tau_json_get_string (json, "summary", "");
  JsonNode *message;

  if (json == NULL)
    return NULL;
  if (self->kind == TAU_ENTRY_CUSTOM_MESSAGE)
    return custom_message (self, json);
  if (self->kind == TAU_ENTRY_COMPACTION)
    return TAU_MESSAGE (tau_compaction_summary_message_new (summary, tau_json_get_int (json, "tokensBefore", 0), self->time));
  if (self->kind == TAU_ENTRY_BRANCH_SUMMARY)
    return *summary == '\0' ? NULL : TAU_MESSAGE (tau_branch_summary_message_new (summary, tau_json_get_string (json, "fromId", ""), self->time));

  message = tau_json_get (json, "message");
  return message != NULL ? tau_message_from_json (message, NULL) : NULL;
}

/**
 * tau_session_entry_peek_message:
 * @self: an entry
 *
 * Returns: (transfer full) (nullable): its message, if somebody has it parsed
 */
TauMessage *
tau_session_entry_peek_message (TauSessionEntry *self)
{
  return g_weak_ref_get (&self->message);
}

/**
 * tau_session_entry_dup_message:
 * @self: an entry
 *
 * Parses the message if nobody has it. The entry does not keep it: as long as somebody does, everybody gets the same.
 *
 * Returns: (transfer full) (nullable): the message that it holds or stands for; %NULL for all other kinds and for a
 *   message that cannot be read
 */
TauMessage *
tau_session_entry_dup_message (TauSessionEntry *self)
{
  TauMessage *message;

  if (!may_have_message (self))
    return NULL;

  message = tau_session_entry_peek_message (self);
  if (message != NULL)
    return message;
  message = make_message (self);
  if (message != NULL)
    g_weak_ref_set (&self->message, message);
  return message;
}
