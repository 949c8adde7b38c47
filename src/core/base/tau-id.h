/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names and times that the session files hold. Tests replace both sources to get the same file each time. */

typedef gboolean (*TauIdTakenFunc) (const char *id, gpointer user_data);

char    *tau_id_new_uuid_v7          (void);
char    *tau_id_new_uuid_v4          (void);
char    *tau_id_new_entry            (TauIdTakenFunc taken, gpointer user_data);
void     tau_id_set_for_testing      (char *(*new_id) (void));

gint64   tau_clock_now_ms            (void);
char    *tau_clock_iso               (gint64 ms);
gboolean tau_clock_parse_iso         (const char *text, gint64 *ms);
void     tau_clock_set_for_testing   (gint64 (*now_ms) (void));

G_END_DECLS
