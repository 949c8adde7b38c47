/* SPDX-License-Identifier: MIT */
#include "core/session/tau-branch-summary.h"

#include "core/session/tau-token-count.h"

/* What is told of a branch when the user leaves it. The newest part counts most, so messages are taken from the end until
 * the question would be too large. */

/* pi's files have these words in front of each such summary. */
#define PREAMBLE "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n"

static guint
count_common (GPtrArray *from,
              GPtrArray *to)
{
  guint n = 0;

  while (n < from->len && n < to->len && g_ptr_array_index (from, n) == g_ptr_array_index (to, n))
    n++;
  return n;
}

static gboolean
is_summary (TauSessionEntry *entry)
{
  TauSessionEntryKind kind = tau_session_entry_get_kind (entry);

  return kind == TAU_ENTRY_COMPACTION || kind == TAU_ENTRY_BRANCH_SUMMARY;
}

/* What a tool gave is known from what was made of it. */
static TauMessage *
dup_message (TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = tau_session_entry_dup_message (entry);

  return message != NULL && !g_str_equal (tau_message_get_role (message), "toolResult") ? g_steal_pointer (&message) : NULL;
}

static void
add_messages (TauBranchSummary *self,
              GPtrArray        *path,
              guint             start,
              gint64            budget)
{
  gint64 total = 0;

  for (guint i = path->len; i > start; i--)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i - 1);
      g_autoptr(TauMessage) message = dup_message (entry);
      gint64 tokens = message != NULL ? tau_token_count_message (message) : 0;
      gboolean fits = total + tokens <= budget;

      if (message == NULL)
        continue;
      if (fits || (is_summary (entry) && total * 10 < budget * 9))
        g_ptr_array_insert (self->messages, 0, g_object_ref (message));
      if (!fits)
        return;
      total += tokens;
    }
}

static void
add_details (TauFileCollector *files,
             GPtrArray        *path,
             guint             start)
{
  for (guint i = start; i < path->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);
      g_autoptr(JsonNode) json = NULL;

      if (tau_session_entry_get_kind (entry) != TAU_ENTRY_BRANCH_SUMMARY)
        continue;
      json = tau_session_entry_dup_json (entry);
      tau_file_collector_add_details (files, json);
    }
}

/**
 * tau_branch_summary_new:
 * @from: (element-type TauSessionEntry): branch that is left, root first
 * @to: (element-type TauSessionEntry): branch that is gone to, root first
 * @budget: tokens that a question may have, about
 *
 * Returns: (transfer full): what of @from is not on @to
 */
TauBranchSummary *
tau_branch_summary_new (GPtrArray *from,
                        GPtrArray *to,
                        gint64     budget)
{
  TauBranchSummary *self = g_new0 (TauBranchSummary, 1);
  TauFileCollector *files = tau_file_collector_new ();
  guint start = count_common (from, to);

  self->n_entries = from->len - start;
  self->messages = g_ptr_array_new_with_free_func (g_object_unref);
  add_messages (self, from, start, budget);
  add_details (files, from, start);
  tau_file_collector_add_messages (files, self->messages);
  self->files = tau_file_collector_finish (files);
  return self;
}

/**
 * tau_branch_summary_build_prompt:
 * @self: a branch that is left
 * @instructions: (nullable): of the user
 * @replace: whether they take the place of ours
 *
 * Returns: (transfer full): the question
 */
char *
tau_branch_summary_build_prompt (TauBranchSummary *self,
                                 const char       *instructions,
                                 gboolean          replace)
{
  return tau_summary_build_prompt (TAU_SUMMARY_BRANCH, self->messages, NULL, replace ? NULL : instructions, replace ? instructions : NULL);
}

/**
 * tau_branch_summary_build:
 * @self: a branch that was left
 * @text: what the model said about it
 *
 * Returns: (transfer full): the summary for the file
 */
char *
tau_branch_summary_build (TauBranchSummary *self,
                          const char       *text)
{
  g_autofree char *whole = g_strconcat (PREAMBLE, text, NULL);

  return tau_file_list_append_to (&self->files, whole);
}

/**
 * tau_branch_summary_free:
 * @self: (transfer full): a branch
 *
 * Frees it.
 */
void
tau_branch_summary_free (TauBranchSummary *self)
{
  g_ptr_array_unref (self->messages);
  tau_file_list_clear (&self->files);
  g_free (self);
}
