/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-export-private.h"

#include "core/base/tau-id.h"
#include "core/markdown/tau-md-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A session as one page of HTML: no script, nothing from the network (its own policy forbids both), light or dark as the
 * reader's system is, and readable on paper. All text is escaped, addresses other than http, https and mailto are not
 * links, and images are only those of four formats, as data. */

static const char page_style[] =
  ":root{color-scheme:light dark;--fg:#241f31;--bg:#fff;--card:#f3f3f4;--line:#deddda;--dim:#6b6675;--accent:#1a5fb4;--add:#e0f5e5;--del:#fbe3e4;--error:#c01c28}"
  "@media (prefers-color-scheme:dark){:root{--fg:#f0eff1;--bg:#1e1e20;--card:#2b2b2e;--line:#46464a;--dim:#a5a2ab;--accent:#99c1f1;--add:#1e3a28;--del:#452224;--error:#ff7b63}}"
  "*{box-sizing:border-box}"
  "body{margin:0;font:16px/1.55 Cantarell,system-ui,sans-serif;color:var(--fg);background:var(--bg)}"
  "header,main{max-width:50rem;margin:0 auto;padding:1.5rem}"
  "header{border-bottom:1px solid var(--line)}"
  "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}h2,h3,h4,h5,h6{font-size:1.1rem;margin:1.2em 0 .4em}"
  "p{margin:.6em 0;overflow-wrap:anywhere}.dim,time{color:var(--dim);font-size:.85rem;margin:0}"
  "article{margin:1rem 0;break-inside:auto}.user{background:var(--card);border-radius:12px;padding:.4rem 1.1rem}"
  "pre,code{font-family:'Source Code Pro','DejaVu Sans Mono',monospace;font-size:.85em}"
  "pre{margin:.5rem 0;padding:.6rem .8rem;background:var(--card);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:24rem;overflow:auto}"
  "pre.title{background:none;padding:0;font-weight:bold;max-height:8rem}.user pre{background:var(--bg)}"
  ".result,.diff{margin-left:1.2rem}pre ins,pre del{display:block;text-decoration:none}pre ins{background:var(--add)}pre del{background:var(--del)}"
  ".error{color:var(--error)}.note{border-left:3px solid var(--line);padding-left:1rem;color:var(--dim)}"
  "details{color:var(--dim)}summary{cursor:pointer;font-style:italic}"
  "blockquote{margin:0;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--line)}"
  ".item{margin-left:1.5rem;position:relative}.item>.marker{position:absolute;right:100%;padding-right:.4rem;color:var(--dim)}.item>p{margin:.2em 0}"
  "table{border-collapse:collapse;display:block;overflow-x:auto;margin:.6em 0}th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:start}"
  "th.c,td.c{text-align:center}th.e,td.e{text-align:end}img{max-width:100%;border-radius:6px}a{color:var(--accent)}hr{border:0;border-top:1px solid var(--line)}"
  "@media print{body{font-size:10.5pt}header,main{max-width:none;padding:.5rem 0}pre{max-height:none;border:1px solid var(--line)}article,.user{border:0}h1,h2,h3{break-after:avoid}}";

static void
append_escaped (GString    *out,
                const char *text,
                gsize       length)
{
  for (gsize i = 0; i < length; i++)
    switch (text[i])
      {
      case '&':
        g_string_append (out, "&amp;");
        break;
      case '<':
        g_string_append (out, "&lt;");
        break;
      case '>':
        g_string_append (out, "&gt;");
        break;
      case '"':
        g_string_append (out, "&quot;");
        break;
      case '\'':
        g_string_append (out, "&#39;");
        break;
      default:
        g_string_append_c (out, text[i]);
      }
}

static void
append_text (GString    *out,
             const char *text)
{
  append_escaped (out, text, strlen (text));
}

static gboolean
is_link (const TauMdSpan *span)
{
  static const char * const schemes[] = { "http://", "https://", "mailto:" };

  for (gsize i = 0; span->kind == TAU_MD_SPAN_LINK && span->address != NULL && i < G_N_ELEMENTS (schemes); i++)
    if (g_ascii_strncasecmp (span->address, schemes[i], strlen (schemes[i])) == 0)
      return g_utf8_validate (span->address, -1, NULL);
  return FALSE;
}

static void
open_span (GString         *out,
           const TauMdSpan *span)
{
  static const char * const tags[] = { "<em>", "<strong>", "<s>", "<code>", "<span>", "<span>" };

  if (!is_link (span))
    {
      g_string_append (out, tags[span->kind]);
      return;
    }
  g_string_append (out, "<a rel=\"noopener noreferrer nofollow\" href=\"");
  append_text (out, span->address);
  g_string_append (out, "\">");
}

static void
close_span (GString         *out,
            const TauMdSpan *span)
{
  static const char * const tags[] = { "</em>", "</strong>", "</s>", "</code>", "</span>", "</span>" };

  g_string_append (out, is_link (span) ? "</a>" : tags[span->kind]);
}

static int
compare_spans (gconstpointer a,
               gconstpointer b)
{
  const TauMdSpan *first = *(const TauMdSpan **) a;
  const TauMdSpan *second = *(const TauMdSpan **) b;

  if (first->start != second->start)
    return first->start < second->start ? -1 : 1;
  return first->end == second->end ? 0 : first->end > second->end ? -1 : 1;
}

/* Spans nest, so those that are open are a stack. */
static void
append_inline (GString     *out,
               TauMdInline *inline_text)
{
  const char *text = tau_md_inline_get_text (inline_text);
  gsize length = tau_md_inline_get_length (inline_text);
  g_autoptr(GPtrArray) spans = g_ptr_array_new ();
  g_autoptr(GPtrArray) open = g_ptr_array_new ();
  gsize at = 0;
  guint next = 0;

  for (guint i = 0; i < tau_md_inline_get_n_spans (inline_text); i++)
    g_ptr_array_add (spans, (gpointer) tau_md_inline_get_span (inline_text, i));
  g_ptr_array_sort (spans, compare_spans);
  while (TRUE)
    {
      const TauMdSpan *top = open->len > 0 ? g_ptr_array_index (open, open->len - 1) : NULL;
      const TauMdSpan *coming = next < spans->len ? g_ptr_array_index (spans, next) : NULL;
      gboolean opens = coming != NULL && (top == NULL || coming->start < top->end);
      gsize stop = opens ? coming->start : top != NULL ? top->end : length;

      stop = CLAMP (stop, at, length);
      append_escaped (out, text + at, stop - at);
      at = stop;
      if (opens)
        {
          open_span (out, coming);
          g_ptr_array_add (open, (gpointer) coming);
          next++;
        }
      else if (top != NULL)
        close_span (out, g_ptr_array_steal_index (open, open->len - 1));
      else
        break;
    }
}

static void
append_table (GString    *out,
              TauMdBlock *block)
{
  static const char * const classes[] = { "", " class=\"c\"", " class=\"e\"" };

  g_string_append (out, "<table>");
  for (guint row = 0; row < tau_md_block_get_n_rows (block); row++)
    {
      const char *tag = row == 0 ? "th" : "td";

      g_string_append (out, "<tr>");
      for (guint column = 0; column < tau_md_block_get_n_columns (block); column++)
        {
          TauMdInline *cell = tau_md_block_get_cell (block, row, column);

          g_string_append_printf (out, "<%s%s>", tag, classes[tau_md_block_get_align (block, column)]);
          if (cell != NULL)
            append_inline (out, cell);
          g_string_append_printf (out, "</%s>", tag);
        }
      g_string_append (out, "</tr>");
    }
  g_string_append (out, "</table>\n");
}

static void
append_code (GString    *out,
             const char *style,
             const char *code,
             gsize       length)
{
  g_string_append_printf (out, "<pre%s><code>", style);
  append_escaped (out, code, length);
  g_string_append (out, "</code></pre>\n");
}

static void
append_block (GString    *out,
              TauMdBlock *block)
{
  gsize length;
  const char *code;
  guint level;

  switch (tau_md_block_get_kind (block))
    {
    case TAU_MD_BLOCK_HEADING:
      level = MIN (tau_md_block_get_level (block) + 1, 6);
      g_string_append_printf (out, "<h%u>", level);
      append_inline (out, tau_md_block_get_inline (block));
      g_string_append_printf (out, "</h%u>\n", level);
      break;
    case TAU_MD_BLOCK_CODE:
      code = tau_md_block_get_code (block, &length);
      append_code (out, "", code, length);
      break;
    case TAU_MD_BLOCK_TABLE:
      append_table (out, block);
      break;
    case TAU_MD_BLOCK_RULE:
      g_string_append (out, "<hr>\n");
      break;
    case TAU_MD_BLOCK_PARAGRAPH:
    case TAU_MD_BLOCK_HTML:
    default:
      g_string_append (out, "<p>");
      append_inline (out, tau_md_block_get_inline (block));
      g_string_append (out, "</p>\n");
    }
}

static void
append_marker (GString    *out,
               TauMdBlock *block)
{
  switch (tau_md_block_get_marker (block))
    {
    case TAU_MD_MARKER_BULLET:
      g_string_append (out, "<span class=\"marker\">•</span>");
      break;
    case TAU_MD_MARKER_NUMBER:
      g_string_append_printf (out, "<span class=\"marker\">%u.</span>", tau_md_block_get_number (block));
      break;
    case TAU_MD_MARKER_TASK_OPEN:
      g_string_append (out, "<span class=\"marker\">☐</span>");
      break;
    case TAU_MD_MARKER_TASK_DONE:
      g_string_append (out, "<span class=\"marker\">☑</span>");
      break;
    case TAU_MD_MARKER_NONE:
    default:
      break;
    }
}

/* Each block says what it stands in; so lists and quotes are a box around each. */
static void
append_markdown (GString    *out,
                 const char *text,
                 TauMdFlags  flags)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse (text, -1, flags);

  for (guint i = 0; i < blocks->len; i++)
    {
      TauMdBlock *block = g_ptr_array_index (blocks, i);
      const char *containers = tau_md_block_get_containers (block);
      gsize depth = strlen (containers);

      for (gsize j = 0; j < depth; j++)
        g_string_append (out, containers[j] == TAU_MD_CONTAINER_QUOTE ? "<blockquote>" : "<div class=\"item\">");
      append_marker (out, block);
      append_block (out, block);
      for (gsize j = depth; j > 0; j--)
        g_string_append (out, containers[j - 1] == TAU_MD_CONTAINER_QUOTE ? "</blockquote>\n" : "</div>\n");
    }
}

static void
append_diff (GString    *out,
             const char *diff)
{
  g_auto(GStrv) lines = g_strsplit (diff, "\n", -1);

  g_string_append (out, "<pre class=\"diff\">");
  for (char **line = lines; *line != NULL; line++)
    {
      const char *tag = **line == '+' ? "ins" : **line == '-' ? "del" : NULL;

      if (tag != NULL)
        g_string_append_printf (out, "<%s>", tag);
      append_text (out, *line);
      if (tag != NULL)
        g_string_append_printf (out, "</%s>", tag);
      else
        g_string_append_c (out, '\n');
    }
  g_string_append (out, "</pre>\n");
}

static void
append_image (GString             *out,
              const TauExportPart *part)
{
  static const char * const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp", NULL };
  gsize length = strspn (part->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");

  if (!g_strv_contains (types, part->mime_type) || part->text[length] != '\0' || length == 0)
    g_string_append_printf (out, "<p class=\"dim\">%s</p>\n", _("An image that cannot be shown"));
  else
    g_string_append_printf (out, "<img alt=\"%s\" src=\"data:%s;base64,%s\">\n", _("Image"), part->mime_type, part->text);
}

static void
append_part (GString             *out,
             const TauExportPart *part)
{
  const char *error = part->is_error ? " error" : "";

  switch (part->kind)
    {
    case TAU_EXPORT_PART_USER:
      g_string_append (out, "<article class=\"user\">\n");
      append_markdown (out, part->text, TAU_MD_KEEP_BREAKS);
      break;
    case TAU_EXPORT_PART_ANSWER:
      g_string_append (out, "<article class=\"answer\">\n");
      append_markdown (out, part->text, TAU_MD_FLAGS_NONE);
      break;
    case TAU_EXPORT_PART_THINKING:
      g_string_append_printf (out, "<article><details><summary>%s</summary>\n", _("Thought"));
      append_markdown (out, part->text, TAU_MD_FLAGS_NONE);
      g_string_append (out, "</details>");
      break;
    case TAU_EXPORT_PART_CALL:
      g_string_append (out, "<article class=\"call\">");
      append_code (out, " class=\"title\"", part->title, strlen (part->title));
      if (*part->text != '\0')
        append_code (out, "", part->text, strlen (part->text));
      break;
    case TAU_EXPORT_PART_RESULT:
      g_string_append_printf (out, "<article class=\"result%s\">", error);
      append_code (out, "", part->text, strlen (part->text));
      break;
    case TAU_EXPORT_PART_DIFF:
      g_string_append (out, "<article>");
      append_diff (out, part->text);
      break;
    case TAU_EXPORT_PART_IMAGE:
      g_string_append (out, "<article>");
      append_image (out, part);
      break;
    case TAU_EXPORT_PART_NOTE:
      g_string_append_printf (out, "<article class=\"note%s\">", error);
      if (part->title != NULL)
        {
          g_string_append (out, "<p><strong>");
          append_text (out, part->title);
          g_string_append (out, "</strong></p>");
        }
      append_markdown (out, part->text, TAU_MD_KEEP_BREAKS);
      break;
    default:
      g_assert_not_reached ();
    }
  g_string_append (out, "</article>\n");
}

static void
append_head (GString             *out,
             const TauExportHead *head)
{
  g_autoptr(GDateTime) date = g_date_time_new_from_unix_local (head->created_ms / 1000);
  g_autofree char *when = head->created_ms != 0 && date != NULL ? g_date_time_format (date, "%x") : g_strdup ("");

  g_string_append (out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
  append_text (out, head->title);
  g_string_append_printf (out, "</title>\n<style>%s</style>\n</head>\n<body>\n<header>\n<h1>", page_style);
  append_text (out, head->title);
  g_string_append (out, "</h1>\n<p class=\"dim\">");
  append_text (out, head->folder);
  g_string_append_printf (out, "%s%s</p>\n", *head->folder != '\0' && *when != '\0' ? " · " : "", when);
  if (head->n_hidden > 0)
    {
      g_string_append (out, "<p class=\"dim\">");
      g_string_append_printf (out, g_dngettext (GETTEXT_PACKAGE, "%u entry of other branches is left out.",
                                                "%u entries of other branches are left out.", head->n_hidden), head->n_hidden);
      g_string_append (out, "</p>\n");
    }
  g_string_append (out, "</header>\n<main>\n");
}

/**
 * tau_session_export_html: (skip)
 * @head: what stands above
 * @parts: the conversation
 *
 * Returns: (transfer full): the page
 */
GString *
tau_session_export_html (const TauExportHead *head,
                         GPtrArray           *parts)
{
  GString *out = g_string_new (NULL);

  append_head (out, head);
  for (guint i = 0; i < parts->len; i++)
    append_part (out, g_ptr_array_index (parts, i));
  g_string_append (out, "</main>\n</body>\n</html>\n");
  return out;
}
