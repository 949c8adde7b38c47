/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-block.h"

#include <string.h>

/* TauMdBlock: record. One paragraph, heading, code block, table, rule or piece of HTML, with the quotes and list
 * items it stands in. A document is a flat array of them, so that nobody has to walk a tree of unknown depth. */
struct _TauMdBlock
{
  gatomicrefcount ref_count;
  TauMdBlockKind  kind;
  TauMdInline    *text;
  guint           level;
  char           *language;
  char           *code;
  gsize           code_length;
  gboolean        closed;
  GPtrArray      *cells;        /* of TauMdInline, row by row */
  GArray         *aligns;       /* of TauMdAlign, one a column */
  char           *containers;
  TauMdMarker     marker;
  guint           number;
};

G_DEFINE_BOXED_TYPE (TauMdBlock, tau_md_block, tau_md_block_ref, tau_md_block_unref)

static TauMdBlock *
block_new (TauMdBlockKind kind)
{
  TauMdBlock *self = g_new0 (TauMdBlock, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->containers = g_strdup ("");
  return self;
}

/**
 * tau_md_block_new_text:
 * @kind: paragraph, heading or HTML
 * @text: (transfer none): what it says
 * @level: level of a heading, else 0
 *
 * Returns: (transfer full): a new block
 */
TauMdBlock *
tau_md_block_new_text (TauMdBlockKind kind,
                       TauMdInline   *text,
                       guint          level)
{
  TauMdBlock *self = block_new (kind);

  self->text = tau_md_inline_ref (text);
  self->level = level;
  return self;
}

/**
 * tau_md_block_new_code:
 * @language: (nullable): language as written behind the fence
 * @code: the lines, without the last line's end
 * @length: bytes of @code, or -1
 * @closed: whether the closing fence was there
 *
 * Returns: (transfer full): a new block
 */
TauMdBlock *
tau_md_block_new_code (const char *language,
                       const char *code,
                       gssize      length,
                       gboolean    closed)
{
  TauMdBlock *self = block_new (TAU_MD_BLOCK_CODE);

  self->language = g_strdup (language ? language : "");
  self->code_length = length < 0 ? strlen (code) : (gsize) length;
  self->code = g_strndup (code, self->code_length);
  self->closed = closed;
  return self;
}

/**
 * tau_md_block_new_table:
 * @cells: (element-type TauMdInline) (transfer none): all cells, row by row; the first row is the head
 * @aligns: (array length=n_columns): one for each column
 * @n_columns: at least 1
 *
 * Returns: (transfer full): a new block
 */
TauMdBlock *
tau_md_block_new_table (GPtrArray        *cells,
                        const TauMdAlign *aligns,
                        guint             n_columns)
{
  TauMdBlock *self;

  g_return_val_if_fail (n_columns > 0 && cells->len % n_columns == 0, NULL);

  self = block_new (TAU_MD_BLOCK_TABLE);
  self->cells = g_ptr_array_ref (cells);
  self->aligns = g_array_new (FALSE, FALSE, sizeof (TauMdAlign));
  g_array_append_vals (self->aligns, aligns, n_columns);
  return self;
}

/**
 * tau_md_block_new_rule:
 *
 * Returns: (transfer full): a new line across
 */
TauMdBlock *
tau_md_block_new_rule (void)
{
  return block_new (TAU_MD_BLOCK_RULE);
}

/**
 * tau_md_block_with_place:
 * @self: (transfer full): a block that nobody else holds
 * @containers: a [enum@MdContainer] for each character
 * @marker: what stands before the block
 * @number: number of the item
 *
 * For makers of blocks: says where a block stands, before it is shared.
 *
 * Returns: (transfer full): @self
 */
TauMdBlock *
tau_md_block_with_place (TauMdBlock *self,
                         const char *containers,
                         TauMdMarker marker,
                         guint       number)
{
  g_free (self->containers);
  self->containers = g_strdup (containers);
  self->marker = marker;
  self->number = number;
  return self;
}

/**
 * tau_md_block_ref:
 * @self: a block
 *
 * Returns: (transfer full): @self
 */
TauMdBlock *
tau_md_block_ref (TauMdBlock *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_md_block_unref:
 * @self: (transfer full): a block
 *
 * Drops a reference.
 */
void
tau_md_block_unref (TauMdBlock *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->text, tau_md_inline_unref);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_clear_pointer (&self->aligns, g_array_unref);
  g_free (self->language);
  g_free (self->code);
  g_free (self->containers);
  g_free (self);
}

/**
 * tau_md_block_get_kind:
 * @self: a block
 *
 * Returns: what it is
 */
TauMdBlockKind
tau_md_block_get_kind (TauMdBlock *self)
{
  return self->kind;
}

/**
 * tau_md_block_get_inline:
 * @self: a block
 *
 * Returns: (transfer none) (nullable): the text of a paragraph, heading or HTML
 */
TauMdInline *
tau_md_block_get_inline (TauMdBlock *self)
{
  return self->text;
}

/**
 * tau_md_block_get_level:
 * @self: a block
 *
 * Returns: the level of a heading, from 1 to 6, else 0
 */
guint
tau_md_block_get_level (TauMdBlock *self)
{
  return self->level;
}

/**
 * tau_md_block_get_language:
 * @self: a block
 *
 * Returns: the language of code as written, "" where none is said
 */
const char *
tau_md_block_get_language (TauMdBlock *self)
{
  return self->language ? self->language : "";
}

/**
 * tau_md_block_get_code:
 * @self: a block
 * @length: (out) (optional): bytes
 *
 * Returns: the lines of code, without the end of the last; "" for other kinds
 */
const char *
tau_md_block_get_code (TauMdBlock *self,
                       gsize      *length)
{
  if (length)
    *length = self->code_length;
  return self->code ? self->code : "";
}

/**
 * tau_md_block_is_closed:
 * @self: a block
 *
 * Returns: whether code has its closing fence, or is indented code, which needs none
 */
gboolean
tau_md_block_is_closed (TauMdBlock *self)
{
  return self->closed;
}

/**
 * tau_md_block_get_n_columns:
 * @self: a block
 *
 * Returns: columns of a table, else 0
 */
guint
tau_md_block_get_n_columns (TauMdBlock *self)
{
  return self->aligns ? self->aligns->len : 0;
}

/**
 * tau_md_block_get_n_rows:
 * @self: a block
 *
 * Returns: rows of a table, the head included, else 0
 */
guint
tau_md_block_get_n_rows (TauMdBlock *self)
{
  return self->aligns ? self->cells->len / self->aligns->len : 0;
}

/**
 * tau_md_block_get_cell:
 * @self: a table
 * @row: its row; 0 is the head
 * @column: its column
 *
 * Returns: (transfer none): the text of a cell
 */
TauMdInline *
tau_md_block_get_cell (TauMdBlock *self,
                       guint       row,
                       guint       column)
{
  g_return_val_if_fail (column < tau_md_block_get_n_columns (self), NULL);
  g_return_val_if_fail (row < tau_md_block_get_n_rows (self), NULL);

  return g_ptr_array_index (self->cells, row * self->aligns->len + column);
}

/**
 * tau_md_block_get_align:
 * @self: a table
 * @column: its column
 *
 * Returns: how the cells of the column are aligned
 */
TauMdAlign
tau_md_block_get_align (TauMdBlock *self,
                        guint       column)
{
  g_return_val_if_fail (column < tau_md_block_get_n_columns (self), TAU_MD_ALIGN_START);

  return g_array_index (self->aligns, TauMdAlign, column);
}

/**
 * tau_md_block_get_containers:
 * @self: a block
 *
 * Returns: the quotes and items it stands in, one [enum@MdContainer] a character, the outermost first
 */
const char *
tau_md_block_get_containers (TauMdBlock *self)
{
  return self->containers;
}

/**
 * tau_md_block_get_marker:
 * @self: a block
 *
 * Returns: what stands before it
 */
TauMdMarker
tau_md_block_get_marker (TauMdBlock *self)
{
  return self->marker;
}

/**
 * tau_md_block_get_number:
 * @self: a block
 *
 * Returns: the number of the ordered item that it begins
 */
guint
tau_md_block_get_number (TauMdBlock *self)
{
  return self->number;
}

static char *
dup_table_text (TauMdBlock *self)
{
  GString *text = g_string_new (NULL);
  guint n_columns = self->aligns->len;

  for (guint i = 0; i < self->cells->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, i % n_columns == 0 ? '\n' : '\t');
      g_string_append (text, tau_md_inline_get_text (g_ptr_array_index (self->cells, i)));
    }
  return g_string_free (text, FALSE);
}

/**
 * tau_md_block_dup_text:
 * @self: a block
 *
 * The text as a person would copy it: no marks, no wrapping, cells parted by tabs.
 *
 * Returns: (transfer full): the text
 */
char *
tau_md_block_dup_text (TauMdBlock *self)
{
  switch (self->kind)
    {
    case TAU_MD_BLOCK_PARAGRAPH:
    case TAU_MD_BLOCK_HEADING:
    case TAU_MD_BLOCK_HTML:
      return g_strdup (tau_md_inline_get_text (self->text));
    case TAU_MD_BLOCK_CODE:
      return g_strdup (self->code);
    case TAU_MD_BLOCK_TABLE:
      return dup_table_text (self);
    case TAU_MD_BLOCK_RULE:
    default:
      return g_strdup ("");
    }
}

static gboolean
table_equal (TauMdBlock *a,
             TauMdBlock *b)
{
  if (a->cells->len != b->cells->len || a->aligns->len != b->aligns->len ||
      memcmp (a->aligns->data, b->aligns->data, a->aligns->len * sizeof (TauMdAlign)) != 0)
    return FALSE;

  for (guint i = 0; i < a->cells->len; i++)
    if (!tau_md_inline_equal (g_ptr_array_index (a->cells, i), g_ptr_array_index (b->cells, i)))
      return FALSE;
  return TRUE;
}

/**
 * tau_md_block_equal:
 * @a: a block
 * @b: another
 *
 * Returns: whether both would look the same
 */
gboolean
tau_md_block_equal (TauMdBlock *a,
                    TauMdBlock *b)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->marker != b->marker || a->number != b->number || a->level != b->level ||
      a->closed != b->closed || a->code_length != b->code_length || strcmp (a->containers, b->containers) != 0)
    return FALSE;

  if (a->text)
    return tau_md_inline_equal (a->text, b->text);
  if (a->code)
    return strcmp (a->language, b->language) == 0 && memcmp (a->code, b->code, a->code_length) == 0;
  return a->cells == NULL || table_equal (a, b);
}
