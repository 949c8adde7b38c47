/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"
#include "core/session/tau-session-scan.h"
#include "core/session/tau-session-source.h"

G_BEGIN_DECLS

/**
 * TauSessionEntryKind:
 * @TAU_ENTRY_UNKNOWN: a type of somebody else: kept, may be a parent, says nothing to the model
 * @TAU_ENTRY_SESSION: the header; not a node of the tree
 * @TAU_ENTRY_MESSAGE: user, assistant, toolResult, bashExecution
 * @TAU_ENTRY_MODEL_CHANGE: provider, modelId
 * @TAU_ENTRY_THINKING_LEVEL_CHANGE: thinkingLevel
 * @TAU_ENTRY_COMPACTION: summary, firstKeptEntryId, tokensBefore, details
 * @TAU_ENTRY_BRANCH_SUMMARY: fromId, summary, details
 * @TAU_ENTRY_CUSTOM: state of an extension
 * @TAU_ENTRY_CUSTOM_MESSAGE: a message of an extension
 * @TAU_ENTRY_LABEL: targetId, label
 * @TAU_ENTRY_SESSION_INFO: name
 *
 * Types of lines of a session file.
 */
typedef enum
{
  TAU_ENTRY_UNKNOWN,
  TAU_ENTRY_SESSION,
  TAU_ENTRY_MESSAGE,
  TAU_ENTRY_MODEL_CHANGE,
  TAU_ENTRY_THINKING_LEVEL_CHANGE,
  TAU_ENTRY_COMPACTION,
  TAU_ENTRY_BRANCH_SUMMARY,
  TAU_ENTRY_CUSTOM,
  TAU_ENTRY_CUSTOM_MESSAGE,
  TAU_ENTRY_LABEL,
  TAU_ENTRY_SESSION_INFO,
} TauSessionEntryKind;

#define TAU_TYPE_SESSION_ENTRY (tau_session_entry_get_type ())

/* Boxed record: one line of a session file whose text is read and parsed when asked for. */
typedef struct _TauSessionEntry TauSessionEntry;

GType                tau_session_entry_get_type        (void) G_GNUC_CONST;
TauSessionEntry     *tau_session_entry_new_from_file   (TauSessionSource *source, gint64 offset, const TauSessionEnvelope *envelope);
TauSessionEntry     *tau_session_entry_new_from_json   (JsonNode *json);
TauSessionEntry     *tau_session_entry_new_header      (const char *id, gint64 time_ms, const char *cwd, const char *parent_session);
TauSessionEntry     *tau_session_entry_new             (TauSessionEntryKind kind, const char *id, const char *parent_id, gint64 time_ms, JsonObject *fields);
TauSessionEntry     *tau_session_entry_new_message     (const char *id, const char *parent_id, gint64 time_ms, TauMessage *message);
TauSessionEntry     *tau_session_entry_ref             (TauSessionEntry *self);
void                 tau_session_entry_unref           (TauSessionEntry *self);
TauSessionEntryKind  tau_session_entry_get_kind        (TauSessionEntry *self);
const char          *tau_session_entry_get_id          (TauSessionEntry *self);   /* nullable */
const char          *tau_session_entry_get_parent_id   (TauSessionEntry *self);   /* nullable */
gint64               tau_session_entry_get_time        (TauSessionEntry *self);   /* ms since 1970, 0 if unknown */
gsize                tau_session_entry_get_length      (TauSessionEntry *self);
void                 tau_session_entry_get_outline     (TauSessionEntry *self, TauMessageOutline *outline);
gboolean             tau_session_entry_has_message     (TauSessionEntry *self);   /* most often known without parsing */
GBytes              *tau_session_entry_dup_text        (TauSessionEntry *self);   /* nullable; not NUL-terminated */
void                 tau_session_entry_move            (TauSessionEntry *self, TauSessionEntry *other);
void                 tau_session_entry_load            (TauSessionEntry *self);
JsonNode            *tau_session_entry_dup_json        (TauSessionEntry *self);   /* NULL if it cannot be parsed */
TauMessage          *tau_session_entry_peek_message    (TauSessionEntry *self);   /* transfer full; only if somebody has it */
TauMessage          *tau_session_entry_dup_message     (TauSessionEntry *self);   /* transfer full; what it says to the model, or NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionEntry, tau_session_entry_unref)

G_END_DECLS
