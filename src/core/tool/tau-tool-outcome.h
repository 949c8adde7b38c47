/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_OUTCOME (tau_tool_outcome_get_type ())

/* Boxed record: what a tool gave (AgentToolResult): content, details, terminate, and whether it failed. Partial results are outcomes too. */
typedef struct _TauToolOutcome TauToolOutcome;

GType           tau_tool_outcome_get_type      (void) G_GNUC_CONST;
TauToolOutcome *tau_tool_outcome_new           (GPtrArray *blocks, JsonNode *details /* nullable */, gboolean terminate, gboolean is_error);
TauToolOutcome *tau_tool_outcome_new_text      (const char *text, JsonNode *details /* nullable */);
TauToolOutcome *tau_tool_outcome_new_error     (const char *text);   /* details {} */
TauToolOutcome *tau_tool_outcome_ref           (TauToolOutcome *self);
void            tau_tool_outcome_unref         (TauToolOutcome *self);
TauToolOutcome *tau_tool_outcome_merge         (TauToolOutcome *self, GPtrArray *blocks /* nullable: keep */, JsonNode *details /* nullable: keep */,
                                                const gboolean *terminate /* nullable: keep */, const gboolean *is_error /* nullable: keep */);
GPtrArray      *tau_tool_outcome_get_blocks    (TauToolOutcome *self);   /* of TauBlock, borrowed */
JsonNode       *tau_tool_outcome_get_details   (TauToolOutcome *self);   /* nullable */
gboolean        tau_tool_outcome_get_terminate (TauToolOutcome *self);
gboolean        tau_tool_outcome_get_is_error  (TauToolOutcome *self);
JsonNode       *tau_tool_outcome_to_json       (TauToolOutcome *self);   /* {content, details?, terminate?} */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauToolOutcome, tau_tool_outcome_unref)

G_END_DECLS
