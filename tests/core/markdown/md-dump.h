/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-block.h"

/* One line a block, so that tests can state what they expect: "ii1. paragraph: some *3-7". */

static inline void
dump_inline (GString     *out,
             TauMdInline *text)
{
  static const char * const names[] = { "em", "strong", "strike", "code", "link", "image" };

  g_string_append_c (out, '"');
  for (const char *at = tau_md_inline_get_text (text); *at; at++)
    {
      if (*at == '\n')
        g_string_append (out, "\\n");
      else
        g_string_append_c (out, *at);
    }
  g_string_append_c (out, '"');
  for (guint i = 0; i < tau_md_inline_get_n_spans (text); i++)
    {
      const TauMdSpan *span = tau_md_inline_get_span (text, i);

      g_string_append_printf (out, " %s(%u,%u", names[span->kind], span->start, span->end);
      if (span->address)
        g_string_append_printf (out, ",%s", span->address);
      g_string_append_c (out, ')');
    }
}

static inline void
dump_block (GString    *out,
            TauMdBlock *block)
{
  static const char * const kinds[] = { "p", "h", "code", "table", "rule", "html" };
  static const char * const markers[] = { "", "* ", "1. ", "[ ] ", "[x] " };
  TauMdBlockKind kind = tau_md_block_get_kind (block);

  if (*tau_md_block_get_containers (block))
    g_string_append_printf (out, "%s ", tau_md_block_get_containers (block));
  if (tau_md_block_get_marker (block) == TAU_MD_MARKER_NUMBER)
    g_string_append_printf (out, "%u. ", tau_md_block_get_number (block));
  else
    g_string_append (out, markers[tau_md_block_get_marker (block)]);
  g_string_append (out, kinds[kind]);
  if (tau_md_block_get_level (block))
    g_string_append_printf (out, "%u", tau_md_block_get_level (block));
  if (kind == TAU_MD_BLOCK_CODE)
    {
      g_autofree char *code = g_strescape (tau_md_block_get_code (block, NULL), NULL);

      g_string_append_printf (out, " %s%s \"%s\"", tau_md_block_get_language (block),
                              tau_md_block_is_closed (block) ? "" : " open", code);
    }
  if (tau_md_block_get_inline (block))
    {
      g_string_append_c (out, ' ');
      dump_inline (out, tau_md_block_get_inline (block));
    }
  for (guint row = 0; row < tau_md_block_get_n_rows (block); row++)
    {
      g_string_append (out, row ? " /" : "");
      for (guint column = 0; column < tau_md_block_get_n_columns (block); column++)
        {
          g_string_append_printf (out, " %c", "<^>"[tau_md_block_get_align (block, column)]);
          dump_inline (out, tau_md_block_get_cell (block, row, column));
        }
    }
  g_string_append_c (out, '\n');
}

static inline char *
dump_blocks (GPtrArray *blocks)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    dump_block (out, g_ptr_array_index (blocks, i));
  return g_string_free (out, FALSE);
}
