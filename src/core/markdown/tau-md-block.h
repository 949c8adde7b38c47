/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-inline.h"

G_BEGIN_DECLS

/**
 * TauMdBlockKind:
 * @TAU_MD_BLOCK_PARAGRAPH: text
 * @TAU_MD_BLOCK_HEADING: text with a level of 1 to 6
 * @TAU_MD_BLOCK_CODE: lines of code, perhaps of a known language
 * @TAU_MD_BLOCK_TABLE: rows of cells, the first row being the head
 * @TAU_MD_BLOCK_RULE: a line across
 * @TAU_MD_BLOCK_HTML: HTML, to be shown as the text it is
 *
 * What a block is. Lists and quotes are not blocks of their own: each block says which of them it stands in.
 */
typedef enum
{
  TAU_MD_BLOCK_PARAGRAPH,
  TAU_MD_BLOCK_HEADING,
  TAU_MD_BLOCK_CODE,
  TAU_MD_BLOCK_TABLE,
  TAU_MD_BLOCK_RULE,
  TAU_MD_BLOCK_HTML,
} TauMdBlockKind;

/**
 * TauMdMarker:
 * @TAU_MD_MARKER_NONE: the block does not begin a list item
 * @TAU_MD_MARKER_BULLET: it begins an item of an unordered list
 * @TAU_MD_MARKER_NUMBER: it begins an item of an ordered list
 * @TAU_MD_MARKER_TASK_OPEN: it begins a task that is to be done
 * @TAU_MD_MARKER_TASK_DONE: it begins a task that is done
 *
 * What stands before a block.
 */
typedef enum
{
  TAU_MD_MARKER_NONE,
  TAU_MD_MARKER_BULLET,
  TAU_MD_MARKER_NUMBER,
  TAU_MD_MARKER_TASK_OPEN,
  TAU_MD_MARKER_TASK_DONE,
} TauMdMarker;

/**
 * TauMdContainer:
 * @TAU_MD_CONTAINER_QUOTE: a quote
 * @TAU_MD_CONTAINER_ITEM: an item of a list
 *
 * What a block can stand in.
 */
typedef enum
{
  TAU_MD_CONTAINER_QUOTE = 'q',
  TAU_MD_CONTAINER_ITEM = 'i',
} TauMdContainer;

/**
 * TauMdAlign:
 * @TAU_MD_ALIGN_START: at the side where the text begins
 * @TAU_MD_ALIGN_CENTER: in the middle
 * @TAU_MD_ALIGN_END: at the side where the text ends
 *
 * How a column of a table is aligned.
 */
typedef enum
{
  TAU_MD_ALIGN_START,
  TAU_MD_ALIGN_CENTER,
  TAU_MD_ALIGN_END,
} TauMdAlign;

#define TAU_TYPE_MD_BLOCK (tau_md_block_get_type ())

/* Boxed record: one block of a Markdown text. */
typedef struct _TauMdBlock TauMdBlock;

GType          tau_md_block_get_type         (void) G_GNUC_CONST;
TauMdBlock    *tau_md_block_new_text         (TauMdBlockKind kind, TauMdInline *text, guint level);
TauMdBlock    *tau_md_block_new_code         (const char *language, const char *code, gssize length, gboolean closed);
TauMdBlock    *tau_md_block_new_table        (GPtrArray *cells, const TauMdAlign *aligns, guint n_columns);
TauMdBlock    *tau_md_block_new_rule         (void);
TauMdBlock    *tau_md_block_with_place       (TauMdBlock *self, const char *containers, TauMdMarker marker, guint number);
TauMdBlock    *tau_md_block_ref              (TauMdBlock *self);
void           tau_md_block_unref            (TauMdBlock *self);

TauMdBlockKind tau_md_block_get_kind         (TauMdBlock *self);
TauMdInline   *tau_md_block_get_inline       (TauMdBlock *self);   /* paragraph, heading, HTML; NULL for the others */
guint          tau_md_block_get_level        (TauMdBlock *self);   /* heading: 1–6 */
const char    *tau_md_block_get_language     (TauMdBlock *self);   /* code: first word behind the fence; "" if none */
const char    *tau_md_block_get_code         (TauMdBlock *self, gsize *length);
gboolean       tau_md_block_is_closed        (TauMdBlock *self);   /* code: the closing fence was there */
guint          tau_md_block_get_n_columns    (TauMdBlock *self);
guint          tau_md_block_get_n_rows       (TauMdBlock *self);   /* the head included */
TauMdInline   *tau_md_block_get_cell         (TauMdBlock *self, guint row, guint column);
TauMdAlign     tau_md_block_get_align        (TauMdBlock *self, guint column);
const char    *tau_md_block_get_containers   (TauMdBlock *self);   /* one TauMdContainer a character, the outermost first */
TauMdMarker    tau_md_block_get_marker       (TauMdBlock *self);
guint          tau_md_block_get_number       (TauMdBlock *self);   /* of TAU_MD_MARKER_NUMBER */
char          *tau_md_block_dup_text         (TauMdBlock *self);   /* logical text, for copying, finding and screen readers */
gboolean       tau_md_block_equal            (TauMdBlock *a, TauMdBlock *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauMdBlock, tau_md_block_unref)

G_END_DECLS
