/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-stack-view.h"

G_BEGIN_DECLS

#define TAU_TYPE_FOLLOW_END (tau_follow_end_get_type ())
G_DECLARE_FINAL_TYPE (TauFollowEnd, tau_follow_end, TAU, FOLLOW_END, GObject)

TauFollowEnd *tau_follow_end_new    (GtkWidget *scroller, TauStackView *stack);
void          tau_follow_end_scroll (TauFollowEnd *self, double delta, GdkScrollUnit unit);
void          tau_follow_end_fling  (TauFollowEnd *self, double velocity);

G_END_DECLS
