/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

/**
 * TauSuggestion:
 * @text: what takes the place of the word
 * @label: what is shown of it
 * @detail: (nullable): what it is for
 *
 * A way to go on with a word.
 */
typedef struct
{
  char *text;
  char *label;
  char *detail;
} TauSuggestion;

#define TAU_TYPE_SUGGESTIONS (tau_suggestions_get_type ())
G_DECLARE_FINAL_TYPE (TauSuggestions, tau_suggestions, TAU, SUGGESTIONS, GObject)

/* LIVE, main thread only: what a word may become. Signal "changed": the project's files are known better than before. */

TauSuggestions      *tau_suggestions_new         (void);
void                 tau_suggestions_set_session (TauSuggestions *self, TauAgentSession *session /* nullable */);
void                 tau_suggestions_look        (TauSuggestions *self, const char *word, guint max);
guint                tau_suggestions_get_length  (TauSuggestions *self);
const TauSuggestion *tau_suggestions_get         (TauSuggestions *self, guint position);

G_END_DECLS
