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
 * truth here and everything else is derived from it. Any thread may read an entry. */

struct _TauSessionEntry
{
  gatomicrefcount      ref_count;
  GBytes              *text;        /* a slice of the file's bytes, or our own */
  TauSessionEntryKind  kind;
  char                *id;          /* nullable */
  char                *parent_id;   /* nullable */
  gint64               time;
  TauMessage          *message;     /* made when first asked for */
};

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

static TauSessionEntry *
entry_alloc (GBytes *text)
{
  TauSessionEntry *self = g_new0 (TauSessionEntry, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = text;
  return self;
}

static void
take_envelope_from_json (TauSessionEntry *self,
                         JsonNode        *json)
{
  const char *type = tau_json_get_string (json, "type", "");

  self->kind = kind_from_name (type, strlen (type));
  self->id = g_strdup (tau_json_get_string (json, "id", NULL));
  self->parent_id = g_strdup (tau_json_get_string (json, "parentId", NULL));
  self->time = parse_time (tau_json_get_string (json, "timestamp", NULL));
}

static char *
dup_span (const TauSpan *span)
{
  return span->text != NULL ? g_strndup (span->text, span->length) : NULL;
}

/**
 * tau_session_entry_new_from_file:
 * @file: the bytes of a file, kept alive by the entry
 * @envelope: an object found in them
 *
 * Returns: (transfer full): the entry
 */
TauSessionEntry *
tau_session_entry_new_from_file (GBytes                   *file,
                                 const TauSessionEnvelope *envelope)
{
  const char *start = g_bytes_get_data (file, NULL);
  TauSessionEntry *self = entry_alloc (g_bytes_new_from_bytes (file, (gsize) (envelope->object.text - start),
                                                               envelope->object.length));
  g_autofree char *time = NULL;

  if (envelope->has_escapes)
    {
      g_autoptr(JsonNode) json = tau_session_entry_dup_json (self);

      take_envelope_from_json (self, json);
      return self;
    }
  if (envelope->type.text != NULL)
    self->kind = kind_from_name (envelope->type.text, envelope->type.length);
  self->id = dup_span (&envelope->id);
  self->parent_id = dup_span (&envelope->parent_id);
  time = dup_span (&envelope->timestamp);
  self->time = parse_time (time);
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
  char *text = tau_json_to_string (json);
  TauSessionEntry *self = entry_alloc (g_bytes_new_take (text, strlen (text)));

  take_envelope_from_json (self, json);
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
  self->message = g_object_ref (message);
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
  g_bytes_unref (self->text);
  g_free (self->id);
  g_free (self->parent_id);
  g_clear_object (&self->message);
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
 * tau_session_entry_get_text:
 * @self: an entry
 * @length: (out): bytes
 *
 * Returns: (transfer none): the object as it stands in the file, without line end and without NUL
 */
const char *
tau_session_entry_get_text (TauSessionEntry *self,
                            gsize           *length)
{
  return g_bytes_get_data (self->text, length);
}

/**
 * tau_session_entry_dup_json:
 * @self: an entry
 *
 * Parses the line, each time anew.
 *
 * Returns: (transfer full) (nullable): the object
 */
JsonNode *
tau_session_entry_dup_json (TauSessionEntry *self)
{
  gsize length;
  const char *text = g_bytes_get_data (self->text, &length);

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
 * tau_session_entry_get_message:
 * @self: an entry
 *
 * Parsed when first asked for, then kept.
 *
 * Returns: (transfer none) (nullable): the message that it holds or stands for; %NULL for all other kinds and for a
 *   message that cannot be read
 */
TauMessage *
tau_session_entry_get_message (TauSessionEntry *self)
{
  TauMessage *message = g_atomic_pointer_get (&self->message);

  if (message != NULL)
    return message;
  if (self->kind != TAU_ENTRY_MESSAGE && self->kind != TAU_ENTRY_CUSTOM_MESSAGE
      && self->kind != TAU_ENTRY_COMPACTION && self->kind != TAU_ENTRY_BRANCH_SUMMARY)
    return NULL;

  message = make_message (self);
  if (message != NULL && !g_atomic_pointer_compare_and_exchange (&self->message, NULL, message))
    {
      /* Another thread was faster. */
      g_object_unref (message);
      message = g_atomic_pointer_get (&self->message);
    }
  return message;
}
