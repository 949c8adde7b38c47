/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_UNSENT (tau_unsent_get_type ())
G_DECLARE_FINAL_TYPE (TauUnsent, tau_unsent, TAU, UNSENT, GObject)

/* LIVE, main thread only: what of a session was typed or queued and not sent, kept on disk. */

TauUnsent  *tau_unsent_new         (const char *session_id, const char *session_path, const char *cwd);
gboolean    tau_unsent_adopt       (TauUnsent *self);   /* takes what was left behind in the same folder */
const char *tau_unsent_get_text    (TauUnsent *self, int *cursor);
void        tau_unsent_set_text    (TauUnsent *self, const char *text, int cursor);
GPtrArray  *tau_unsent_take_queue  (TauUnsent *self, gboolean steering);   /* of TauMessage; what an earlier owner left */
void        tau_unsent_set_queue   (TauUnsent *self, GPtrArray *steering, GPtrArray *follow_ups);
void        tau_unsent_save_soon   (TauUnsent *self);
void        tau_unsent_save        (TauUnsent *self);   /* blocking */

G_END_DECLS
