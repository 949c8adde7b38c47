/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-kind.h"

/* The role strings are those of pi's session files and of its event stream. */
static const char * const roles[] = {
  [TAU_MESSAGE_KIND_OTHER] = NULL,
  [TAU_MESSAGE_KIND_USER] = "user",
  [TAU_MESSAGE_KIND_ASSISTANT] = "assistant",
  [TAU_MESSAGE_KIND_TOOL_RESULT] = "toolResult",
  [TAU_MESSAGE_KIND_BASH_EXECUTION] = "bashExecution",
  [TAU_MESSAGE_KIND_CUSTOM] = "custom",
  [TAU_MESSAGE_KIND_BRANCH_SUMMARY] = "branchSummary",
  [TAU_MESSAGE_KIND_COMPACTION_SUMMARY] = "compactionSummary",
  [TAU_MESSAGE_KIND_USER_ATTACHMENTS] = "user-with-attachments",
  [TAU_MESSAGE_KIND_ARTIFACT] = "artifact",
};

/**
 * tau_message_kind_to_role:
 * @kind: a kind
 *
 * Returns: (nullable): the role string of @kind, or %NULL for %TAU_MESSAGE_KIND_OTHER, which has none of its own
 */
const char *
tau_message_kind_to_role (TauMessageKind kind)
{
  g_return_val_if_fail ((gsize) kind < G_N_ELEMENTS (roles), NULL);

  return roles[kind];
}

/**
 * tau_message_kind_from_role:
 * @role: (nullable): a role as it stands in a file
 *
 * Returns: the built-in kind of @role; %TAU_MESSAGE_KIND_OTHER if there is none
 */
TauMessageKind
tau_message_kind_from_role (const char *role)
{
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++)
    if (roles[i] != NULL && g_strcmp0 (role, roles[i]) == 0)
      return (TauMessageKind) i;

  return TAU_MESSAGE_KIND_OTHER;
}
