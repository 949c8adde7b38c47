/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-item.h"

G_BEGIN_DECLS

GPtrArray *tau_row_texts_list        (TauTranscriptItem *item);   /* of char *, valid UTF-8 */
char      *tau_row_texts_dup_message (TauMessage *message);       /* all of it, as Markdown */

G_END_DECLS
