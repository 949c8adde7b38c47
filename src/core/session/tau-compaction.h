/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"
#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

/**
 * TauFileList:
 * @read: paths that were read and not changed, sorted
 * @modified: paths that were written or edited, sorted
 *
 * What the summarised part did to files; paths are as the model wrote them.
 */
typedef struct
{
  char **read;
  char **modified;
} TauFileList;

/**
 * TauCompactionPlan:
 * @history: of TauMessage: to be summarised
 * @turn_prefix: of TauMessage: beginning of the turn that is cut in two; empty if none is
 * @split_turn: whether a turn is cut in two
 * @first_kept: index on the branch of the first entry that stays
 * @first_kept_id: (nullable): its id
 * @previous_summary: (nullable): of an earlier compaction, to be continued
 * @tokens_before: estimate of the whole context
 * @files: what happened to files in the summarised part and before
 *
 * Where to cut a branch and what to ask for.
 */
typedef struct
{
  GPtrArray   *history;
  GPtrArray   *turn_prefix;
  gboolean     split_turn;
  guint        first_kept;
  char        *first_kept_id;
  char        *previous_summary;
  gint64       tokens_before;
  TauFileList  files;
} TauCompactionPlan;

TauCompactionPlan *tau_compaction_plan_new  (GPtrArray *path, gint64 keep_recent, GError **error);
void               tau_compaction_plan_free (TauCompactionPlan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauCompactionPlan, tau_compaction_plan_free)

/* Files (tau-file-list.c) */
typedef struct _TauFileCollector TauFileCollector;

TauFileCollector *tau_file_collector_new          (void);
void              tau_file_collector_add_messages (TauFileCollector *self, GPtrArray *messages);
void              tau_file_collector_add_details  (TauFileCollector *self, JsonNode *entry);
TauFileList       tau_file_collector_finish       (TauFileCollector *self);   /* frees @self */
char             *tau_file_list_append_to         (const TauFileList *self, const char *summary);
JsonNode         *tau_file_list_to_json           (const TauFileList *self);
void              tau_file_list_clear             (TauFileList *self);

/**
 * TauSummaryKind:
 * @TAU_SUMMARY_HISTORY: of everything before a place
 * @TAU_SUMMARY_TURN_PREFIX: of the beginning of a turn that is cut in two
 * @TAU_SUMMARY_BRANCH: of a branch that is left
 *
 * What is to be summarised. The texts are in tau-summary-prompts.c.
 */
typedef enum
{
  TAU_SUMMARY_HISTORY,
  TAU_SUMMARY_TURN_PREFIX,
  TAU_SUMMARY_BRANCH,
} TauSummaryKind;

char       *tau_summary_serialise      (GPtrArray *messages);
char       *tau_summary_build_prompt   (TauSummaryKind kind, GPtrArray *messages, const char *previous_summary, const char *focus, const char *instead);
const char *tau_summary_system_prompt  (void);
char       *tau_summary_join_turn      (const char *history, const char *turn_prefix);

G_END_DECLS
