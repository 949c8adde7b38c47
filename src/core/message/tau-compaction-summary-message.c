/* SPDX-License-Identifier: MIT */
#include "core/message/tau-compaction-summary-message.h"

#include "core/base/tau-id.h"

#include <gio/gio.h>

/* TauCompactionSummaryMessage: record that stands for the messages which were compacted away. It lives in memory only;
 * the session keeps a compaction entry, from whose ISO time it is stamped. */

#define PREFIX "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
#define SUFFIX "\n</summary>"

struct _TauCompactionSummaryMessage
{
  TauMessage parent_instance;

  char      *summary;
  gint64     tokens_before;
};

G_DEFINE_FINAL_TYPE (TauCompactionSummaryMessage, tau_compaction_summary_message, TAU_TYPE_MESSAGE)

static void
tau_compaction_summary_message_finalize (GObject *object)
{
  TauCompactionSummaryMessage *self = TAU_COMPACTION_SUMMARY_MESSAGE (object);

  g_clear_pointer (&self->summary, g_free);

  G_OBJECT_CLASS (tau_compaction_summary_message_parent_class)->finalize (object);
}

static void
tau_compaction_summary_message_class_init (TauCompactionSummaryMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_compaction_summary_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_COMPACTION_SUMMARY;
}

static void
tau_compaction_summary_message_init (TauCompactionSummaryMessage *self)
{
}

/**
 * tau_compaction_summary_message_new:
 * @summary: text of the summary
 * @tokens_before: size of the context before it was compacted
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a compaction summary
 */
TauCompactionSummaryMessage *
tau_compaction_summary_message_new (const char *summary,
                                    gint64      tokens_before,
                                    gint64      timestamp)
{
  TauCompactionSummaryMessage *self;

  g_return_val_if_fail (summary != NULL, NULL);

  self = g_object_new (TAU_TYPE_COMPACTION_SUMMARY_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_COMPACTION_SUMMARY),
                       "timestamp", timestamp,
                       NULL);
  self->summary = g_strdup (summary);
  self->tokens_before = tokens_before;

  return self;
}

/**
 * tau_compaction_summary_message_new_iso:
 * @summary: text of the summary
 * @tokens_before: size of the context before it was compacted
 * @iso_time: time of the entry, ISO 8601
 * @error: return location for %G_IO_ERROR_INVALID_DATA if @iso_time is no time
 *
 * Returns: (transfer full) (nullable): a compaction summary
 */
TauCompactionSummaryMessage *
tau_compaction_summary_message_new_iso (const char *summary,
                                        gint64      tokens_before,
                                        const char *iso_time,
                                        GError    **error)
{
  gint64 timestamp;

  g_return_val_if_fail (iso_time != NULL, NULL);

  if (!tau_clock_parse_iso (iso_time, &timestamp))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "not an ISO 8601 time: %s", iso_time);
      return NULL;
    }

  return tau_compaction_summary_message_new (summary, tokens_before, timestamp);
}

/**
 * tau_compaction_summary_message_get_summary:
 * @self: a compaction summary
 *
 * Returns: its text
 */
const char *
tau_compaction_summary_message_get_summary (TauCompactionSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_COMPACTION_SUMMARY_MESSAGE (self), NULL);

  return self->summary;
}

/**
 * tau_compaction_summary_message_get_tokens_before:
 * @self: a compaction summary
 *
 * Returns: size of the context before it was compacted, in tokens
 */
gint64
tau_compaction_summary_message_get_tokens_before (TauCompactionSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_COMPACTION_SUMMARY_MESSAGE (self), 0);

  return self->tokens_before;
}

/**
 * tau_compaction_summary_message_dup_llm_text:
 * @self: a compaction summary
 *
 * The wording is pi's, so that a session reads the same to the model in both programs.
 *
 * Returns: (transfer full): what the model reads
 */
char *
tau_compaction_summary_message_dup_llm_text (TauCompactionSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_COMPACTION_SUMMARY_MESSAGE (self), NULL);

  return g_strconcat (PREFIX, self->summary, SUFFIX, NULL);
}
