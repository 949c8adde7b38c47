/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauMessageKind:
 * @TAU_MESSAGE_KIND_OTHER: a registered role or an unknown one
 * @TAU_MESSAGE_KIND_USER: typed by the user
 * @TAU_MESSAGE_KIND_ASSISTANT: an answer of a model
 * @TAU_MESSAGE_KIND_TOOL_RESULT: what a tool gave
 * @TAU_MESSAGE_KIND_BASH_EXECUTION: a command that the user ran
 * @TAU_MESSAGE_KIND_CUSTOM: put in by an extension
 * @TAU_MESSAGE_KIND_BRANCH_SUMMARY: summary of a branch that was left
 * @TAU_MESSAGE_KIND_COMPACTION_SUMMARY: summary of what was compacted
 * @TAU_MESSAGE_KIND_USER_ATTACHMENTS: typed by the user, with files
 * @TAU_MESSAGE_KIND_ARTIFACT: a change to a made document, only for rebuilding it
 *
 * The built-in kinds of message. A switch over them has no default, so that the compiler names each place that a new
 * kind must visit.
 */
typedef enum
{
  TAU_MESSAGE_KIND_OTHER,
  TAU_MESSAGE_KIND_USER,
  TAU_MESSAGE_KIND_ASSISTANT,
  TAU_MESSAGE_KIND_TOOL_RESULT,
  TAU_MESSAGE_KIND_BASH_EXECUTION,
  TAU_MESSAGE_KIND_CUSTOM,
  TAU_MESSAGE_KIND_BRANCH_SUMMARY,
  TAU_MESSAGE_KIND_COMPACTION_SUMMARY,
  TAU_MESSAGE_KIND_USER_ATTACHMENTS,
  TAU_MESSAGE_KIND_ARTIFACT,
} TauMessageKind;

const char    *tau_message_kind_to_role   (TauMessageKind kind);   /* NULL for OTHER */
TauMessageKind tau_message_kind_from_role (const char *role);      /* nullable */

G_END_DECLS
