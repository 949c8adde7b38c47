/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * TauMdSpanKind:
 * @TAU_MD_SPAN_EMPHASIS: italic
 * @TAU_MD_SPAN_STRONG: bold
 * @TAU_MD_SPAN_STRIKE: struck out
 * @TAU_MD_SPAN_CODE: code inside a line
 * @TAU_MD_SPAN_LINK: a link; has an address
 * @TAU_MD_SPAN_IMAGE: an image, its text being the alternative text; has an address
 *
 * How a part of a text is marked.
 */
typedef enum
{
  TAU_MD_SPAN_EMPHASIS,
  TAU_MD_SPAN_STRONG,
  TAU_MD_SPAN_STRIKE,
  TAU_MD_SPAN_CODE,
  TAU_MD_SPAN_LINK,
  TAU_MD_SPAN_IMAGE,
} TauMdSpanKind;

/**
 * TauMdSpan:
 * @kind: how the part is marked
 * @start: first byte
 * @end: byte behind the last
 * @address: (nullable): where a link or image leads, as written
 *
 * A marked part of a [struct@MdInline]. Spans nest properly and stand in order of their ends.
 */
typedef struct
{
  TauMdSpanKind kind;
  guint         start;
  guint         end;
  char         *address;
} TauMdSpan;

#define TAU_TYPE_MD_INLINE (tau_md_inline_get_type ())

/* Boxed record: the text of one paragraph, heading or cell, with its marked parts. */
typedef struct _TauMdInline TauMdInline;

GType            tau_md_inline_get_type    (void) G_GNUC_CONST;
TauMdInline     *tau_md_inline_new         (const char *text, gssize length, const TauMdSpan *spans, guint n_spans);
TauMdInline     *tau_md_inline_ref         (TauMdInline *self);
void             tau_md_inline_unref       (TauMdInline *self);

const char      *tau_md_inline_get_text    (TauMdInline *self);
gsize            tau_md_inline_get_length  (TauMdInline *self);
guint            tau_md_inline_get_n_spans (TauMdInline *self);
const TauMdSpan *tau_md_inline_get_span    (TauMdInline *self, guint position);
TauMdInline     *tau_md_inline_slice       (TauMdInline *self, gsize start, gsize end);
gboolean         tau_md_inline_equal       (TauMdInline *a, TauMdInline *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauMdInline, tau_md_inline_unref)

G_END_DECLS
