/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-parser.h"

#include "core/markdown/tau-md-entity.h"
#include "core/markdown/tau-md-source.h"

#include <md4c.h>
#include <string.h>

/* Reads Markdown in GitHub's dialect with md4c and flattens it into blocks. md4c calls back in document order, so
 * there is no tree and nothing here recurses. A text of n bytes may claim gigabytes of output (a reference with a
 * long address, used often), so output is counted and the parse given up beyond a multiple of n: such a text is
 * shown as it was written. */

#define DEPTH_MAX     100          /* quotes and items; deeper ones are read but no longer told apart */
#define PARAGRAPH_MAX (8 * 1024)   /* longer ones are cut at a space: laying out a text is not linear in its length */
#define WORD_MAX      (2 * 1024)   /* and words still less */

typedef struct
{
  gboolean ordered;
  guint    next;
} List;

#define FORMULA_MAX 2000   /* bytes; its beginning is looked for no farther back */

typedef struct
{
  TauMdSpanKind kind;
  guint         start;
  char         *address;
} OpenSpan;

typedef struct
{
  TauMdFlags   flags;
  GPtrArray   *blocks;
  gssize       room;          /* bytes of output that may still come */
  GString     *containers;
  guint        depth;
  GArray      *lists;         /* of List */
  TauMdMarker  marker;        /* of the item that no block has begun yet */
  guint        number;
  GString     *text;          /* of the open leaf */
  GArray      *open_spans;    /* of OpenSpan */
  GArray      *spans;         /* of TauMdSpan, finished */
  char        *language;
  char         fence;         /* of the last code block; 0 for indented code */
  GPtrArray   *cells;
  GArray      *aligns;
  guint        n_columns;
  const char  *text_end;      /* in the source: of the text that came last */
} Parser;

static void
clear_open_span (gpointer data)
{
  g_free (((OpenSpan *) data)->address);
}

static void
clear_span (gpointer data)
{
  g_free (((TauMdSpan *) data)->address);
}

static void
parser_init (Parser    *self,
             gsize      length,
             TauMdFlags flags)
{
  *self = (Parser) { .flags = flags, .room = 4 * (gssize) length + 64 * 1024 };
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_md_block_unref);
  self->containers = g_string_new (NULL);
  self->lists = g_array_new (FALSE, FALSE, sizeof (List));
  self->text = g_string_new (NULL);
  self->open_spans = g_array_new (FALSE, FALSE, sizeof (OpenSpan));
  g_array_set_clear_func (self->open_spans, clear_open_span);
  self->spans = g_array_new (FALSE, FALSE, sizeof (TauMdSpan));
  g_array_set_clear_func (self->spans, clear_span);
  self->aligns = g_array_new (FALSE, FALSE, sizeof (TauMdAlign));
}

static void
parser_clear (Parser *self)
{
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_string_free (self->containers, TRUE);
  g_array_unref (self->lists);
  g_string_free (self->text, TRUE);
  g_array_unref (self->open_spans);
  g_array_unref (self->spans);
  g_free (self->language);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_array_unref (self->aligns);
}

/* The answer of every callback: 0 goes on, a negative number makes md4c stop at once (a positive one does not). */
static int
spend (Parser *self,
       gsize   n_bytes)
{
  self->room -= n_bytes;
  return self->room < 0 ? -1 : 0;
}

static TauMdInline *
take_inline (Parser *self,
             gboolean trim)
{
  gsize length = self->text->len;
  TauMdInline *text;

  while (trim && length > 0 && self->text->str[length - 1] == '\n')
    length--;
  text = tau_md_inline_new (self->text->str, length, (const TauMdSpan *) self->spans->data, self->spans->len);
  g_string_truncate (self->text, 0);
  g_array_set_size (self->spans, 0);
  g_array_set_size (self->open_spans, 0);
  return text;
}

static int
add_block (Parser     *self,
           TauMdBlock *block)
{
  block = tau_md_block_with_place (block, self->containers->str, self->marker, self->number);
  g_ptr_array_add (self->blocks, block);
  self->marker = TAU_MD_MARKER_NONE;
  self->number = 0;
  return spend (self, 16 + self->containers->len);
}

/* Where to end the piece of a long paragraph that begins at @start. */
static gsize
find_cut (const char *text,
          gsize       start)
{
  gsize end = start + PARAGRAPH_MAX;

  for (gsize i = end; i > start + PARAGRAPH_MAX / 2; i--)
    if (text[i - 1] == ' ' || text[i - 1] == '\n')
      return i;
  end = start + WORD_MAX;
  while ((text[end] & 0xc0) == 0x80)
    end--;
  return end;
}

static int
add_text_block (Parser        *self,
                TauMdBlockKind kind,
                guint          level)
{
  g_autoptr(TauMdInline) whole = take_inline (self, TRUE);
  gsize length = tau_md_inline_get_length (whole);
  gsize start = 0;
  int stop = 0;

  while (!stop && length - start > PARAGRAPH_MAX)
    {
      gsize end = find_cut (tau_md_inline_get_text (whole), start);
      g_autoptr(TauMdInline) piece = tau_md_inline_slice (whole, start, end);

      stop = add_block (self, tau_md_block_new_text (kind, piece, level));
      start = end;
    }
  if (!stop)
    {
      g_autoptr(TauMdInline) rest = tau_md_inline_slice (whole, start, length);

      stop = add_block (self, tau_md_block_new_text (kind, rest, level));
    }
  return stop;
}

/* An item that holds nothing, or nothing but another list, has a line of its own nevertheless. */
static int
flush_marker (Parser *self)
{
  if (self->marker == TAU_MD_MARKER_NONE)
    return 0;
  return add_text_block (self, TAU_MD_BLOCK_PARAGRAPH, 0);
}

static char *
dup_attribute (const MD_ATTRIBUTE *attribute)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; attribute->text && attribute->substr_offsets[i] < attribute->size; i++)
    {
      MD_OFFSET start = attribute->substr_offsets[i];
      gsize length = attribute->substr_offsets[i + 1] - start;

      if (attribute->substr_types[i] == MD_TEXT_ENTITY)
        tau_md_entity_append (text, attribute->text + start, length);
      else
        g_string_append_len (text, attribute->text + start, length);
    }
  return g_string_free (text, FALSE);
}

static void
enter_container (Parser        *self,
                 TauMdContainer kind)
{
  if (self->depth++ < DEPTH_MAX)
    g_string_append_c (self->containers, (char) kind);
}

static void
leave_container (Parser *self)
{
  if (--self->depth < DEPTH_MAX)
    g_string_truncate (self->containers, self->depth);
}

static int
enter_item (Parser                   *self,
            const MD_BLOCK_LI_DETAIL *detail)
{
  int stop = flush_marker (self);
  List *list = &g_array_index (self->lists, List, self->lists->len - 1);

  enter_container (self, TAU_MD_CONTAINER_ITEM);
  self->marker = list->ordered ? TAU_MD_MARKER_NUMBER : TAU_MD_MARKER_BULLET;
  self->number = list->ordered ? list->next++ : 0;
  if (detail->is_task)
    self->marker = detail->task_mark == ' ' ? TAU_MD_MARKER_TASK_OPEN : TAU_MD_MARKER_TASK_DONE;
  return stop;
}

static void
enter_list (Parser                   *self,
            const MD_BLOCK_OL_DETAIL *detail)
{
  List list = { detail != NULL, detail ? detail->start : 0 };

  g_array_append_val (self->lists, list);
}

static int
enter_block_cb (MD_BLOCKTYPE type,
                void        *detail,
                void        *user_data)
{
  Parser *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
      enter_container (self, TAU_MD_CONTAINER_QUOTE);
      return 0;
    case MD_BLOCK_UL:
      enter_list (self, NULL);
      return 0;
    case MD_BLOCK_OL:
      enter_list (self, detail);
      return 0;
    case MD_BLOCK_LI:
      return enter_item (self, detail);
    case MD_BLOCK_HR:
      return add_block (self, tau_md_block_new_rule ());
    case MD_BLOCK_CODE:
      g_free (self->language);
      self->language = dup_attribute (&((MD_BLOCK_CODE_DETAIL *) detail)->lang);
      self->fence = ((MD_BLOCK_CODE_DETAIL *) detail)->fence_char;
      return spend (self, strlen (self->language));
    case MD_BLOCK_TABLE:
      self->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_md_inline_unref);
      g_array_set_size (self->aligns, 0);
      self->n_columns = ((MD_BLOCK_TABLE_DETAIL *) detail)->col_count;
      return 0;
    case MD_BLOCK_DOC:
    case MD_BLOCK_H:
    case MD_BLOCK_HTML:
    case MD_BLOCK_P:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_TR:
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
    default:
      return 0;
    }
}

static TauMdAlign
convert_align (MD_ALIGN align)
{
  if (align == MD_ALIGN_CENTER)
    return TAU_MD_ALIGN_CENTER;
  return align == MD_ALIGN_RIGHT ? TAU_MD_ALIGN_END : TAU_MD_ALIGN_START;
}

static int
leave_cell (Parser                   *self,
            const MD_BLOCK_TD_DETAIL *detail)
{
  TauMdAlign align = convert_align (detail->align);

  if (self->aligns->len < self->n_columns)
    g_array_append_val (self->aligns, align);
  g_ptr_array_add (self->cells, take_inline (self, TRUE));
  return spend (self, 32);
}

/* md4c gives short rows as they are. */
static int
leave_row (Parser *self)
{
  int stop = 0;

  while (!stop && self->cells->len % self->n_columns != 0)
    {
      g_ptr_array_add (self->cells, tau_md_inline_new ("", 0, NULL, 0));
      stop = spend (self, 32);
    }
  return stop;
}

static int
leave_table (Parser *self)
{
  TauMdBlock *table = tau_md_block_new_table (self->cells, (const TauMdAlign *) self->aligns->data, self->n_columns);

  g_clear_pointer (&self->cells, g_ptr_array_unref);
  return add_block (self, table);
}

static int
leave_code (Parser *self)
{
  gsize length = self->text->len;
  TauMdBlock *block;

  if (length > 0 && self->text->str[length - 1] == '\n')
    length--;
  block = tau_md_block_new_code (self->language, self->text->str, length, TRUE);
  g_string_truncate (self->text, 0);
  return add_block (self, block);
}

static int
leave_block_cb (MD_BLOCKTYPE type,
                void        *detail,
                void        *user_data)
{
  Parser *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
      leave_container (self);
      return 0;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      g_array_set_size (self->lists, self->lists->len - 1);
      return 0;
    case MD_BLOCK_LI:
      {
        /* The text of a tight item has no paragraph of its own around it. */
        int stop = self->text->len > 0 ? add_text_block (self, TAU_MD_BLOCK_PARAGRAPH, 0) : flush_marker (self);

        leave_container (self);
        return stop;
      }
    case MD_BLOCK_H:
      return add_text_block (self, TAU_MD_BLOCK_HEADING, ((MD_BLOCK_H_DETAIL *) detail)->level);
    case MD_BLOCK_CODE:
      return leave_code (self);
    case MD_BLOCK_HTML:
      return add_text_block (self, TAU_MD_BLOCK_HTML, 0);
    case MD_BLOCK_P:
      return add_text_block (self, TAU_MD_BLOCK_PARAGRAPH, 0);
    case MD_BLOCK_TABLE:
      return leave_table (self);
    case MD_BLOCK_TR:
      return leave_row (self);
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      return leave_cell (self, detail);
    case MD_BLOCK_DOC:
    case MD_BLOCK_HR:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    default:
      return 0;
    }
}

/* In a tight item md4c gives the text bare; it ends where another block begins. */
static int
enter_block_after_text_cb (MD_BLOCKTYPE type,
                           void        *detail,
                           void        *user_data)
{
  Parser *self = user_data;

  if (self->text->len > 0 && self->cells == NULL && add_text_block (self, TAU_MD_BLOCK_PARAGRAPH, 0))
    return -1;
  return enter_block_cb (type, detail, user_data);
}

static gboolean
convert_span (MD_SPANTYPE    type,
              TauMdSpanKind *kind)
{
  switch (type)
    {
    case MD_SPAN_EM:
      *kind = TAU_MD_SPAN_EMPHASIS;
      return TRUE;
    case MD_SPAN_STRONG:
      *kind = TAU_MD_SPAN_STRONG;
      return TRUE;
    case MD_SPAN_DEL:
      *kind = TAU_MD_SPAN_STRIKE;
      return TRUE;
    case MD_SPAN_CODE:
      *kind = TAU_MD_SPAN_CODE;
      return TRUE;
    case MD_SPAN_A:
      *kind = TAU_MD_SPAN_LINK;
      return TRUE;
    case MD_SPAN_IMG:
      *kind = TAU_MD_SPAN_IMAGE;
      return TRUE;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
    case MD_SPAN_WIKILINK:
    case MD_SPAN_U:
    default:
      return FALSE;
    }
}

static int
enter_span_cb (MD_SPANTYPE type,
               void       *detail,
               void       *user_data)
{
  Parser *self = user_data;
  OpenSpan span = { .start = self->text->len };

  if (!convert_span (type, &span.kind))
    return 0;
  if (type == MD_SPAN_A)
    span.address = dup_attribute (&((MD_SPAN_A_DETAIL *) detail)->href);
  else if (type == MD_SPAN_IMG)
    span.address = dup_attribute (&((MD_SPAN_IMG_DETAIL *) detail)->src);
  g_array_append_val (self->open_spans, span);
  return spend (self, span.address ? strlen (span.address) : 1);
}

static int
leave_span_cb (MD_SPANTYPE type,
               void       *detail,
               void       *user_data)
{
  Parser *self = user_data;
  TauMdSpanKind kind;
  OpenSpan *open;
  TauMdSpan span;

  if (!convert_span (type, &kind) || self->open_spans->len == 0)
    return 0;

  open = &g_array_index (self->open_spans, OpenSpan, self->open_spans->len - 1);
  span = (TauMdSpan) { open->kind, open->start, self->text->len, g_steal_pointer (&open->address) };
  g_array_set_size (self->open_spans, self->open_spans->len - 1);
  g_array_append_val (self->spans, span);
  return spend (self, 1);
}

/* In a formula a backslash before a sign is no escape but a command, a thin space or a brace. The parser leaves it out,
 * as in any text. */
static gboolean
is_escape_in_formula (Parser     *self,
                      const char *text)
{
  gboolean inside = FALSE;

  if (self->text_end == NULL || text != self->text_end + 1 || *self->text_end != '\\' || *text == '$')
    return FALSE;
  for (const char *mark = self->text->str + (self->text->len > FORMULA_MAX ? self->text->len - FORMULA_MAX : 0); (mark = strstr (mark, "$$")); mark += 2)
    inside = !inside;
  return inside;
}

static int
text_cb (MD_TEXTTYPE    type,
         const MD_CHAR *text,
         MD_SIZE        size,
         void          *user_data)
{
  Parser *self = user_data;

  switch (type)
    {
    case MD_TEXT_NULLCHAR:
      g_string_append_unichar (self->text, 0xfffd);
      break;
    case MD_TEXT_BR:
      g_string_append_c (self->text, '\n');
      break;
    case MD_TEXT_SOFTBR:
      g_string_append_c (self->text, self->flags & TAU_MD_KEEP_BREAKS ? '\n' : ' ');
      break;
    case MD_TEXT_ENTITY:
      tau_md_entity_append (self->text, text, size);
      break;
    case MD_TEXT_NORMAL:
      if (is_escape_in_formula (self, text))
        g_string_append_c (self->text, '\\');
      g_string_append_len (self->text, text, size);
      self->text_end = text + size;
      break;
    case MD_TEXT_CODE:
    case MD_TEXT_HTML:
    case MD_TEXT_LATEXMATH:
    default:
      g_string_append_len (self->text, text, size);
      break;
    }
  return spend (self, size);
}

static void
mark_open_code (Parser     *self,
                const char *text,
                gsize       length)
{
  TauMdBlock *last = self->blocks->len > 0 ? g_ptr_array_index (self->blocks, self->blocks->len - 1) : NULL;
  const char *code;
  gsize code_length;
  TauMdBlock *open;

  if (!last || tau_md_block_get_kind (last) != TAU_MD_BLOCK_CODE || !self->fence)
    return;
  code = tau_md_block_get_code (last, &code_length);
  if (tau_md_source_has_closing_fence (text, length, self->fence, code, code_length))
    return;

  open = tau_md_block_new_code (tau_md_block_get_language (last), code, code_length, FALSE);
  open = tau_md_block_with_place (open, tau_md_block_get_containers (last), tau_md_block_get_marker (last),
                                  tau_md_block_get_number (last));
  tau_md_block_unref (last);
  g_ptr_array_index (self->blocks, self->blocks->len - 1) = open;
}

static void
parse_plain (Parser     *self,
             const char *text,
             gsize       length)
{
  g_ptr_array_set_size (self->blocks, 0);
  g_string_truncate (self->containers, 0);
  g_array_set_size (self->spans, 0);
  g_array_set_size (self->open_spans, 0);
  self->marker = TAU_MD_MARKER_NONE;
  self->room = G_MAXSSIZE;
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, text, length);
  add_text_block (self, TAU_MD_BLOCK_PARAGRAPH, 0);
}

static void
parse_valid (Parser     *self,
             const char *text,
             gsize       length)
{
  const MD_PARSER callbacks = {
    .flags = MD_DIALECT_GITHUB,
    .enter_block = enter_block_after_text_cb,
    .leave_block = leave_block_cb,
    .enter_span = enter_span_cb,
    .leave_span = leave_span_cb,
    .text = text_cb,
  };
  g_autofree char *wide = tau_md_source_widen_delimiters (text, length);
  gboolean failed = length > G_MAXUINT32 / 2;

  if (wide)
    failed = failed || md_parse (wide, strlen (wide), &callbacks, self) != 0;
  else
    failed = failed || md_parse (text, length, &callbacks, self) != 0;
  if (failed)
    parse_plain (self, text, length);
  else if (!(self->flags & TAU_MD_PIECE))
    mark_open_code (self, text, length);
}

/**
 * tau_md_parse:
 * @text: Markdown; bytes that are not UTF-8, and U+0000, become U+FFFD
 * @length: bytes of @text, or -1
 * @flags: how to read it
 *
 * Reads a whole text. Time and memory grow with @length, whatever the text says; any thread may call it.
 *
 * Returns: (transfer full) (element-type TauMdBlock): the blocks
 */
GPtrArray *
tau_md_parse (const char *text,
              gssize      length,
              TauMdFlags  flags)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  Parser parser;
  GPtrArray *blocks;

  parser_init (&parser, size, flags);
  if (g_utf8_validate_len (text, size, NULL))
    {
      parse_valid (&parser, text, size);
    }
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, size);

      parse_valid (&parser, valid, strlen (valid));
    }
  blocks = g_steal_pointer (&parser.blocks);
  parser_clear (&parser);
  return blocks;
}
