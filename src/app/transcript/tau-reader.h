/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-marks.h"
#include "app/transcript/tau-lazy-row.h"
#include "app/transcript/tau-seeker.h"
#include "app/transcript/tau-step-groups.h"

G_BEGIN_DECLS

#define TAU_TYPE_READER (tau_reader_get_type ())
G_DECLARE_FINAL_TYPE (TauReader, tau_reader, TAU, READER, GObject)

TauReader *tau_reader_new           (TauTranscriptModel *model, TauStepGroups *groups, TauRowHost *host, GtkWidget *list, TauStackView *stack);
GtkWidget *tau_reader_get_find_bar  (TauReader *self);   /* borrowed; floating at first */
TauMarks  *tau_reader_get_marks     (TauReader *self);
void       tau_reader_row_built     (TauReader *self, GtkWidget *row);
gboolean   tau_reader_move_prompt   (TauReader *self, gboolean forward);
void       tau_reader_go_to         (TauReader *self, guint row);
guint      tau_reader_get_row       (TauReader *self);   /* the uppermost one in view */
char      *tau_reader_dup_position  (TauReader *self);   /* nullable: at the end */
void       tau_reader_restore       (TauReader *self, const char *position);
void       tau_reader_stop          (TauReader *self);
gboolean   tau_reader_is_moving     (TauReader *self);

G_END_DECLS
