/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-stream.h"

#include "core/markdown/tau-md-hold.h"
#include "core/markdown/tau-md-splitter.h"

#include <string.h>

/* TauMdStream: live, owned by who shows it. Keeps the blocks before the splitter's cut for good and parses only
 * what follows it. Appending is cheap and parses nothing; update() does, so that many appends a frame cost one
 * parse. A block never changes its kind once it is given out, except that a paragraph may turn out to be a heading
 * or the head of a table by the line below it. finish() parses the whole text once, which heals what pieces
 * cannot know, such as references to definitions that came later. */
struct _TauMdStream
{
  GString      *text;
  GString      *definitions;   /* link definitions of the settled part */
  TauMdSplitter splitter;
  gsize         cut;           /* text before it is in the settled blocks */
  gsize         parsed;        /* length at the last parse of the tail */
  gboolean      finished;
  guint         n_settled;
  GPtrArray    *blocks;        /* of TauMdBlock: settled ones, then the tail */
};

#define TAIL_LARGE      (256 * 1024)
#define DEFINITIONS_MAX (64 * 1024)

/**
 * tau_md_stream_new:
 *
 * Returns: (transfer full): an empty stream
 */
TauMdStream *
tau_md_stream_new (void)
{
  TauMdStream *self = g_new0 (TauMdStream, 1);

  self->text = g_string_new (NULL);
  self->definitions = g_string_new (NULL);
  self->splitter = (TauMdSplitter) TAU_MD_SPLITTER_INIT;
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_md_block_unref);
  return self;
}

/**
 * tau_md_stream_free:
 * @self: (transfer full): a stream
 *
 * Frees it. Blocks that others hold live on.
 */
void
tau_md_stream_free (TauMdStream *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->definitions, TRUE);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/**
 * tau_md_stream_append:
 * @self: a stream that is not finished
 * @text: what comes next; may end within a character
 * @length: bytes of @text
 *
 * Appends without parsing.
 */
void
tau_md_stream_append (TauMdStream *self,
                      const char  *text,
                      gsize        length)
{
  g_return_if_fail (!self->finished);

  g_string_append_len (self->text, text, length);
}

/**
 * tau_md_stream_finish:
 * @self: a stream
 *
 * Says that nothing follows. The next update parses the whole text once more.
 */
void
tau_md_stream_finish (TauMdStream *self)
{
  self->finished = TRUE;
}

static gboolean
is_definition (const char *line,
               gsize       length)
{
  g_autoptr(GPtrArray) blocks = NULL;

  if (length < 6 || !memchr (line, '[', MIN (length, 4)) || !g_strstr_len (line, length, "]:"))
    return FALSE;

  blocks = tau_md_parse (line, length, TAU_MD_FLAGS_NONE);
  return blocks->len == 0;
}

static void
keep_definitions (TauMdStream *self,
                  gsize        start,
                  gsize        end)
{
  const char *line = self->text->str + start;
  const char *stop = self->text->str + end;

  while (line < stop)
    {
      const char *line_end = memchr (line, '\n', stop - line);

      line_end = line_end ? line_end + 1 : stop;
      if (self->definitions->len + (line_end - line) < DEFINITIONS_MAX && is_definition (line, line_end - line))
        g_string_append_len (self->definitions, line, line_end - line);
      line = line_end;
    }
}

static GPtrArray *
parse_piece (TauMdStream *self,
             gsize        start,
             gsize        end,
             TauMdFlags   flags)
{
  g_autoptr(GString) piece = NULL;

  if (self->definitions->len == 0)
    return tau_md_parse (self->text->str + start, end - start, flags);

  piece = g_string_new_len (self->definitions->str, self->definitions->len);
  g_string_append_c (piece, '\n');
  g_string_append_len (piece, self->text->str + start, end - start);
  return tau_md_parse (piece->str, piece->len, flags);
}

/* Puts @blocks behind position @start; equal blocks stay the same objects. Returns the first that changed. */
static guint
replace_blocks (TauMdStream *self,
                guint        start,
                GPtrArray   *blocks)
{
  guint same = 0;

  while (same < blocks->len && start + same < self->blocks->len &&
         tau_md_block_equal (g_ptr_array_index (blocks, same), g_ptr_array_index (self->blocks, start + same)))
    same++;

  g_ptr_array_set_size (self->blocks, (int) (start + same));
  for (guint i = same; i < blocks->len; i++)
    g_ptr_array_add (self->blocks, tau_md_block_ref (g_ptr_array_index (blocks, i)));
  return start + same;
}

static guint
settle (TauMdStream *self)
{
  gsize stable = self->splitter.stable;
  g_autoptr(GPtrArray) blocks = parse_piece (self, self->cut, stable, TAU_MD_PIECE);
  guint n_old = self->blocks->len;
  guint changed = self->n_settled;

  /* The old tail's later blocks may belong to what follows the new cut: compare, but do not drop them here. */
  while (changed - self->n_settled < blocks->len && changed < n_old &&
         tau_md_block_equal (g_ptr_array_index (blocks, changed - self->n_settled),
                             g_ptr_array_index (self->blocks, changed)))
    changed++;
  if (changed - self->n_settled < blocks->len)
    replace_blocks (self, self->n_settled, blocks);

  keep_definitions (self, self->cut, stable);
  self->n_settled += blocks->len;
  self->cut = stable;
  return changed;
}

static gboolean
wants_tail (TauMdStream *self)
{
  gsize tail = self->text->len - self->cut;

  /* A tail of many pages is parsed each time it has grown by a sixteenth: linear in all. */
  return tail < TAIL_LARGE || self->text->len - self->parsed > tail / 16;
}

static guint
update_tail (TauMdStream *self)
{
  gsize end;
  g_autoptr(GPtrArray) blocks = NULL;

  end = tau_md_hold_visible_length (self->text->str, self->text->len, self->cut, self->splitter.fence);
  blocks = parse_piece (self, self->cut, MAX (end, self->cut), TAU_MD_FLAGS_NONE);
  self->parsed = self->text->len;
  return replace_blocks (self, self->n_settled, blocks);
}

static guint
update_whole (TauMdStream *self)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse (self->text->str, self->text->len, TAU_MD_FLAGS_NONE);
  guint changed = replace_blocks (self, 0, blocks);

  self->cut = self->parsed = self->text->len;
  self->n_settled = self->blocks->len;
  return changed;
}

/**
 * tau_md_stream_update:
 * @self: a stream
 *
 * Parses what was appended since the last call. Blocks before the returned position are the same objects as
 * before; the others were replaced, added or are gone.
 *
 * Returns: the first position that changed, or the number of blocks if none did
 */
guint
tau_md_stream_update (TauMdStream *self)
{
  guint changed = G_MAXUINT;
  guint tail_changed;

  if (self->finished)
    return self->parsed == self->text->len && self->cut == self->text->len ? self->blocks->len : update_whole (self);
  if (self->parsed == self->text->len)
    return self->blocks->len;

  tau_md_splitter_feed (&self->splitter, self->text->str, self->text->len);
  if (self->splitter.stable > self->cut)
    changed = settle (self);
  else if (!wants_tail (self))
    return self->blocks->len;
  tail_changed = update_tail (self);
  return MIN (changed, tail_changed);
}

/**
 * tau_md_stream_get_length:
 * @self: a stream
 *
 * Returns: how many bytes were appended
 */
gsize
tau_md_stream_get_length (TauMdStream *self)
{
  return self->text->len;
}

/**
 * tau_md_stream_get_text:
 * @self: a stream
 *
 * Returns: all that was appended
 */
const char *
tau_md_stream_get_text (TauMdStream *self)
{
  return self->text->str;
}

/**
 * tau_md_stream_get_n_settled:
 * @self: a stream
 *
 * Returns: how many blocks will not change before the stream is finished
 */
guint
tau_md_stream_get_n_settled (TauMdStream *self)
{
  return self->n_settled;
}

/**
 * tau_md_stream_get_n_blocks:
 * @self: a stream
 *
 * Returns: how many blocks the last update gave
 */
guint
tau_md_stream_get_n_blocks (TauMdStream *self)
{
  return self->blocks->len;
}

/**
 * tau_md_stream_get_block:
 * @self: a stream
 * @position: which block
 *
 * Returns: (transfer none): a block
 */
TauMdBlock *
tau_md_stream_get_block (TauMdStream *self,
                         guint        position)
{
  g_return_val_if_fail (position < self->blocks->len, NULL);

  return g_ptr_array_index (self->blocks, position);
}
