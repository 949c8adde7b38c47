/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-inline.h"

#include <string.h>

/* TauMdInline: record. A plain text and the spans that mark parts of it; it knows nothing of how they look.
 * Shared by reference; any thread may read it. */
struct _TauMdInline
{
  gatomicrefcount ref_count;
  char           *text;
  gsize           length;
  GArray         *spans;   /* of TauMdSpan */
};

G_DEFINE_BOXED_TYPE (TauMdInline, tau_md_inline, tau_md_inline_ref, tau_md_inline_unref)

static void
clear_span (gpointer data)
{
  TauMdSpan *span = data;

  g_free (span->address);
}

/**
 * tau_md_inline_new:
 * @text: valid UTF-8 without U+0000
 * @length: bytes of @text, or -1
 * @spans: (array length=n_spans) (nullable): marked parts, copied
 * @n_spans: how many
 *
 * Returns: (transfer full): a new text
 */
TauMdInline *
tau_md_inline_new (const char      *text,
                   gssize           length,
                   const TauMdSpan *spans,
                   guint            n_spans)
{
  TauMdInline *self = g_new0 (TauMdInline, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->length = length < 0 ? strlen (text) : (gsize) length;
  self->text = g_strndup (text, self->length);
  self->spans = g_array_sized_new (FALSE, FALSE, sizeof (TauMdSpan), n_spans);
  g_array_set_clear_func (self->spans, clear_span);
  for (guint i = 0; i < n_spans; i++)
    {
      TauMdSpan span = spans[i];

      span.address = g_strdup (span.address);
      g_array_append_val (self->spans, span);
    }
  return self;
}

/**
 * tau_md_inline_ref:
 * @self: a text
 *
 * Returns: (transfer full): @self
 */
TauMdInline *
tau_md_inline_ref (TauMdInline *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_md_inline_unref:
 * @self: (transfer full): a text
 *
 * Drops a reference.
 */
void
tau_md_inline_unref (TauMdInline *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->text);
  g_array_unref (self->spans);
  g_free (self);
}

/**
 * tau_md_inline_get_text:
 * @self: a text
 *
 * Returns: the text without its marks; hard breaks are line feeds
 */
const char *
tau_md_inline_get_text (TauMdInline *self)
{
  return self->text;
}

/**
 * tau_md_inline_get_length:
 * @self: a text
 *
 * Returns: bytes of the text
 */
gsize
tau_md_inline_get_length (TauMdInline *self)
{
  return self->length;
}

/**
 * tau_md_inline_get_n_spans:
 * @self: a text
 *
 * Returns: how many parts are marked
 */
guint
tau_md_inline_get_n_spans (TauMdInline *self)
{
  return self->spans->len;
}

/**
 * tau_md_inline_get_span:
 * @self: a text
 * @position: which span
 *
 * Returns: (transfer none): a marked part
 */
const TauMdSpan *
tau_md_inline_get_span (TauMdInline *self,
                        guint        position)
{
  g_return_val_if_fail (position < self->spans->len, NULL);

  return &g_array_index (self->spans, TauMdSpan, position);
}

/**
 * tau_md_inline_slice:
 * @self: a text
 * @start: first byte of the part
 * @end: byte behind it
 *
 * Returns: (transfer full): the part from @start to @end with the marks that touch it
 */
TauMdInline *
tau_md_inline_slice (TauMdInline *self,
                     gsize        start,
                     gsize        end)
{
  TauMdInline *slice;

  g_return_val_if_fail (start <= end && end <= self->length, NULL);

  slice = tau_md_inline_new (self->text + start, end - start, NULL, 0);
  for (guint i = 0; i < self->spans->len; i++)
    {
      TauMdSpan span = g_array_index (self->spans, TauMdSpan, i);

      if (span.end <= start || span.start >= end)
        continue;
      span.start = MAX (span.start, start) - start;
      span.end = MIN (span.end, end) - start;
      span.address = g_strdup (span.address);
      g_array_append_val (slice->spans, span);
    }
  return slice;
}

static gboolean
span_equal (const TauMdSpan *a,
            const TauMdSpan *b)
{
  return a->kind == b->kind && a->start == b->start && a->end == b->end &&
         g_strcmp0 (a->address, b->address) == 0;
}

/**
 * tau_md_inline_equal:
 * @a: a text
 * @b: another
 *
 * Returns: whether both have the same text and marks
 */
gboolean
tau_md_inline_equal (TauMdInline *a,
                     TauMdInline *b)
{
  if (a == b)
    return TRUE;
  if (a->length != b->length || a->spans->len != b->spans->len || memcmp (a->text, b->text, a->length) != 0)
    return FALSE;

  for (guint i = 0; i < a->spans->len; i++)
    if (!span_equal (tau_md_inline_get_span (a, i), tau_md_inline_get_span (b, i)))
      return FALSE;
  return TRUE;
}
