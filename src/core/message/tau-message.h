/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-block.h"
#include "core/message/tau-message-kind.h"

G_BEGIN_DECLS

#define TAU_TYPE_MESSAGE (tau_message_get_type ())
G_DECLARE_DERIVABLE_TYPE (TauMessage, tau_message, TAU, MESSAGE, GObject)

/* Abstract record. Subclasses set role, timestamp and blocks at construction; nothing changes afterwards. */
struct _TauMessageClass
{
  GObjectClass   parent_class;

  TauMessageKind kind;   /* set by built-in subclasses; OTHER for an application's own */
};

TauMessageKind tau_message_get_kind      (TauMessage *self);
const char    *tau_message_get_role      (TauMessage *self);   /* "user", "assistant", "toolResult", … as in files */
gint64         tau_message_get_timestamp (TauMessage *self);   /* ms since 1970 */
guint          tau_message_get_n_blocks  (TauMessage *self);
TauBlock      *tau_message_get_block     (TauMessage *self, guint position);   /* borrowed */
GPtrArray     *tau_message_dup_blocks    (TauMessage *self);                   /* transfer full: new array of references */
char          *tau_message_dup_text      (TauMessage *self, const char *separator);   /* text blocks joined */
gboolean       tau_message_has_images    (TauMessage *self);
GPtrArray     *tau_messages_copy         (GPtrArray *messages);   /* transfer full: new array of references */

/* For subclasses: construct properties "role" (string), "timestamp" (int64) and "blocks" (GPtrArray of TauBlock, taken as a copy of references). */

G_END_DECLS
