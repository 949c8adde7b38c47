/* SPDX-License-Identifier: MIT */
#include "core/session/tau-compaction.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-session-context.h"
#include "core/session/tau-token-count.h"

/* Where to cut a branch so that its older part can be replaced by a summary. Pure: entries in, a plan out. The rules are
 * pi's, so that a session is compacted alike by both. */

static gboolean
is_kind (GPtrArray           *path,
         guint                index,
         TauSessionEntryKind  kind)
{
  return tau_session_entry_get_kind (g_ptr_array_index (path, index)) == kind;
}

/* The message of a "message" entry, to be given back; summaries and messages of extensions have other kinds. */
static TauMessage *
message_at (GPtrArray *path,
            guint      index)
{
  return is_kind (path, index, TAU_ENTRY_MESSAGE) ? tau_session_entry_dup_message (g_ptr_array_index (path, index)) : NULL;
}

static gboolean
has_role (GPtrArray  *path,
          guint       index,
          const char *role)
{
  g_autoptr(TauMessage) message = message_at (path, index);

  return message != NULL && g_str_equal (tau_message_get_role (message), role);
}

/* A tool result must stay with its call. */
static gboolean
can_cut_at (GPtrArray *path,
            guint      index)
{
  g_autoptr(TauMessage) message = message_at (path, index);

  if (message != NULL)
    return !TAU_IS_UNKNOWN_MESSAGE (message) && !has_role (path, index, "toolResult");
  return is_kind (path, index, TAU_ENTRY_BRANCH_SUMMARY) || is_kind (path, index, TAU_ENTRY_CUSTOM_MESSAGE);
}

/* The first place at or after @from where a cut is possible; the end of the path if there is none. */
static guint
next_cut (GPtrArray *path,
          guint      from)
{
  while (from < path->len && !can_cut_at (path, from))
    from++;
  return from;
}

/* Walks back until enough is kept. Only messages count, not summaries and not those of extensions. */
static guint
find_cut (GPtrArray *path,
          guint      start,
          gint64     keep_recent)
{
  guint first = next_cut (path, start);
  gint64 tokens = 0;

  if (first == path->len)
    return start;
  for (guint i = path->len; i > start; i--)
    {
      g_autoptr(TauMessage) message = message_at (path, i - 1);
      guint cut;

      if (message == NULL)
        continue;
      tokens += tau_token_count_message (message);
      if (tokens < keep_recent)
        continue;
      cut = next_cut (path, i - 1);
      return cut < path->len ? cut : first;
    }
  return first;
}

/* Settings, labels and names in front of the cut stay with what follows them. */
static guint
move_over_settings (GPtrArray *path,
                    guint      start,
                    guint      cut)
{
  while (cut > start && !is_kind (path, cut - 1, TAU_ENTRY_MESSAGE) && !is_kind (path, cut - 1, TAU_ENTRY_COMPACTION))
    cut--;
  return cut;
}

/* Where the turn that is cut begins; G_MAXUINT if it cannot be found. */
static guint
find_turn_start (GPtrArray *path,
                 guint      start,
                 guint      cut)
{
  for (guint i = cut + 1; i > start; i--)
    if (has_role (path, i - 1, "user") || has_role (path, i - 1, "bashExecution")
        || is_kind (path, i - 1, TAU_ENTRY_BRANCH_SUMMARY) || is_kind (path, i - 1, TAU_ENTRY_CUSTOM_MESSAGE))
      return i - 1;
  return G_MAXUINT;
}

static GPtrArray *
collect_messages (GPtrArray *path,
                  guint      start,
                  guint      end)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = start; i < end; i++)
    {
      TauMessage *message = is_kind (path, i, TAU_ENTRY_COMPACTION) ? NULL
                                                                    : tau_session_entry_dup_message (g_ptr_array_index (path, i));

      if (message != NULL)
        g_ptr_array_add (messages, message);
    }
  return messages;
}

/* Where the part to be summarised begins: behind what an earlier compaction took. */
static guint
find_start (TauCompactionPlan *self,
            GPtrArray         *path,
            TauFileCollector  *files)
{
  guint compaction = path->len;
  g_autoptr(JsonNode) json = NULL;
  const char *kept;

  while (compaction > 0 && !is_kind (path, compaction - 1, TAU_ENTRY_COMPACTION))
    compaction--;
  if (compaction == 0)
    return 0;

  json = tau_session_entry_dup_json (g_ptr_array_index (path, compaction - 1));
  self->previous_summary = g_strdup (tau_json_get_string (json, "summary", NULL));
  tau_file_collector_add_details (files, json);
  kept = tau_json_get_string (json, "firstKeptEntryId", NULL);
  for (guint i = 0; kept != NULL && i < path->len; i++)
    if (g_strcmp0 (tau_session_entry_get_id (g_ptr_array_index (path, i)), kept) == 0)
      return i;
  return compaction;
}

static gint64
count_tokens (GPtrArray *path)
{
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);
  g_autoptr(GPtrArray) messages = tau_session_context_dup_messages (context);

  return tau_token_count_context (messages).tokens;
}

static void
fill (TauCompactionPlan *self,
      GPtrArray         *path,
      gint64             keep_recent)
{
  TauFileCollector *files = tau_file_collector_new ();
  guint start = find_start (self, path, files);
  guint cut = move_over_settings (path, start, find_cut (path, start, keep_recent));
  guint turn_start = cut < path->len && !has_role (path, cut, "user") ? find_turn_start (path, start, cut) : G_MAXUINT;

  self->split_turn = turn_start != G_MAXUINT;
  self->first_kept = cut;
  self->first_kept_id = cut < path->len ? g_strdup (tau_session_entry_get_id (g_ptr_array_index (path, cut))) : NULL;
  self->history = collect_messages (path, start, self->split_turn ? turn_start : cut);
  self->turn_prefix = collect_messages (path, self->split_turn ? turn_start : cut, cut);
  self->tokens_before = count_tokens (path);
  tau_file_collector_add_messages (files, self->history);
  tau_file_collector_add_messages (files, self->turn_prefix);
  self->files = tau_file_collector_finish (files);
}

/**
 * tau_compaction_plan_new:
 * @path: (element-type TauSessionEntry): a branch, root first
 * @keep_recent: how many tokens of its end are to stay, about
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND if there is nothing to do
 *
 * Returns: (transfer full) (nullable): the plan
 */
TauCompactionPlan *
tau_compaction_plan_new (GPtrArray *path,
                         gint64     keep_recent,
                         GError   **error)
{
  TauCompactionPlan *self;

  if (path->len == 0 || is_kind (path, path->len - 1, TAU_ENTRY_COMPACTION))
    {
      g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND,
                           path->len == 0 ? "Nothing to compact (session too small)" : "Already compacted");
      return NULL;
    }
  self = g_new0 (TauCompactionPlan, 1);
  fill (self, path, keep_recent);
  return self;
}

/**
 * tau_compaction_plan_free:
 * @self: (transfer full): a plan
 *
 * Frees it.
 */
void
tau_compaction_plan_free (TauCompactionPlan *self)
{
  g_ptr_array_unref (self->history);
  g_ptr_array_unref (self->turn_prefix);
  g_free (self->first_kept_id);
  g_free (self->previous_summary);
  tau_file_list_clear (&self->files);
  g_free (self);
}
