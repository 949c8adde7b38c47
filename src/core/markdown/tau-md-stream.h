/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-parser.h"

G_BEGIN_DECLS

/* LIVE, plain struct: Markdown that grows. */
typedef struct _TauMdStream TauMdStream;

TauMdStream *tau_md_stream_new           (void);
void         tau_md_stream_free          (TauMdStream *self);
void         tau_md_stream_append        (TauMdStream *self, const char *text, gsize length);
void         tau_md_stream_finish        (TauMdStream *self);
guint        tau_md_stream_update        (TauMdStream *self);   /* position of the first block that changed */
gsize        tau_md_stream_get_length    (TauMdStream *self);   /* bytes appended */
const char  *tau_md_stream_get_text      (TauMdStream *self);
guint        tau_md_stream_get_n_settled (TauMdStream *self);
guint        tau_md_stream_get_n_blocks  (TauMdStream *self);
TauMdBlock  *tau_md_stream_get_block     (TauMdStream *self, guint position);   /* borrowed */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauMdStream, tau_md_stream_free)

G_END_DECLS
