/* SPDX-License-Identifier: MIT */
#include "core/message/tau-branch-summary-message.h"

#include "core/base/tau-id.h"

#include <gio/gio.h>

/* TauBranchSummaryMessage: record of what happened on a branch that the user left, put where he went on. It lives in
 * memory only; the session keeps a branch_summary entry, from whose ISO time it is stamped. */

#define PREFIX "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
#define SUFFIX "</summary>"

struct _TauBranchSummaryMessage
{
  TauMessage parent_instance;

  char      *summary;
  char      *from_id;
};

G_DEFINE_FINAL_TYPE (TauBranchSummaryMessage, tau_branch_summary_message, TAU_TYPE_MESSAGE)

static void
tau_branch_summary_message_finalize (GObject *object)
{
  TauBranchSummaryMessage *self = TAU_BRANCH_SUMMARY_MESSAGE (object);

  g_clear_pointer (&self->summary, g_free);
  g_clear_pointer (&self->from_id, g_free);

  G_OBJECT_CLASS (tau_branch_summary_message_parent_class)->finalize (object);
}

static void
tau_branch_summary_message_class_init (TauBranchSummaryMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_branch_summary_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_BRANCH_SUMMARY;
}

static void
tau_branch_summary_message_init (TauBranchSummaryMessage *self)
{
}

/**
 * tau_branch_summary_message_new:
 * @summary: text of the summary
 * @from_id: id of the entry that the user went back to, or "root"
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a branch summary
 */
TauBranchSummaryMessage *
tau_branch_summary_message_new (const char *summary,
                                const char *from_id,
                                gint64      timestamp)
{
  TauBranchSummaryMessage *self;

  g_return_val_if_fail (summary != NULL && from_id != NULL, NULL);

  self = g_object_new (TAU_TYPE_BRANCH_SUMMARY_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_BRANCH_SUMMARY),
                       "timestamp", timestamp,
                       NULL);
  self->summary = g_strdup (summary);
  self->from_id = g_strdup (from_id);

  return self;
}

/**
 * tau_branch_summary_message_new_iso:
 * @summary: text of the summary
 * @from_id: id of the entry that the user went back to, or "root"
 * @iso_time: time of the entry, ISO 8601
 * @error: return location for %G_IO_ERROR_INVALID_DATA if @iso_time is no time
 *
 * Returns: (transfer full) (nullable): a branch summary
 */
TauBranchSummaryMessage *
tau_branch_summary_message_new_iso (const char *summary,
                                    const char *from_id,
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

  return tau_branch_summary_message_new (summary, from_id, timestamp);
}

/**
 * tau_branch_summary_message_get_summary:
 * @self: a branch summary
 *
 * Returns: its text
 */
const char *
tau_branch_summary_message_get_summary (TauBranchSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_BRANCH_SUMMARY_MESSAGE (self), NULL);

  return self->summary;
}

/**
 * tau_branch_summary_message_get_from_id:
 * @self: a branch summary
 *
 * Returns: id of the entry that the user went back to, or "root"
 */
const char *
tau_branch_summary_message_get_from_id (TauBranchSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_BRANCH_SUMMARY_MESSAGE (self), NULL);

  return self->from_id;
}

/**
 * tau_branch_summary_message_dup_llm_text:
 * @self: a branch summary
 *
 * The wording is pi's, so that a session reads the same to the model in both programs.
 *
 * Returns: (transfer full): what the model reads
 */
char *
tau_branch_summary_message_dup_llm_text (TauBranchSummaryMessage *self)
{
  g_return_val_if_fail (TAU_IS_BRANCH_SUMMARY_MESSAGE (self), NULL);

  return g_strconcat (PREFIX, self->summary, SUFFIX, NULL);
}
