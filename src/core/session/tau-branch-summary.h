/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-compaction.h"

G_BEGIN_DECLS

/**
 * TauBranchSummary:
 * @n_entries: how many entries are left behind
 * @messages: of TauMessage: what fits into a question
 * @files: what happened to files there
 *
 * A branch that is left, to be summarised.
 */
typedef struct
{
  guint       n_entries;
  GPtrArray  *messages;
  TauFileList files;
} TauBranchSummary;

TauBranchSummary *tau_branch_summary_new          (GPtrArray *from, GPtrArray *to, gint64 budget);
char             *tau_branch_summary_build_prompt (TauBranchSummary *self, const char *instructions, gboolean replace);
char             *tau_branch_summary_build        (TauBranchSummary *self, const char *text);
void              tau_branch_summary_free         (TauBranchSummary *self);

G_END_DECLS
