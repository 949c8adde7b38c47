/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-export-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A session as Markdown: what was said as it was written, what was run and its output as code. */

/* The fence is longer than any row of backquotes inside. */
static void
append_code (GString    *out,
             const char *language,
             const char *code)
{
  gsize longest = 2, run = 0;
  g_autofree char *fence = NULL;

  for (const char *at = code; *at != '\0'; at++)
    {
      run = *at == '`' ? run + 1 : 0;
      longest = MAX (longest, run);
    }
  fence = g_strnfill (longest + 1, '`');
  g_string_append_printf (out, "%s%s\n%s%s%s\n\n", fence, language, code, g_str_has_suffix (code, "\n") || *code == '\0' ? "" : "\n", fence);
}

static void
append_quoted (GString    *out,
               const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_string_append_printf (out, "> %s\n", *line);
  g_string_append_c (out, '\n');
}

static void
append_part (GString             *out,
             const TauExportPart *part)
{
  switch (part->kind)
    {
    case TAU_EXPORT_PART_USER:
    case TAU_EXPORT_PART_ANSWER:
      g_string_append_printf (out, "%s\n\n", part->text);
      break;
    case TAU_EXPORT_PART_THINKING:
      append_quoted (out, part->text);
      break;
    case TAU_EXPORT_PART_CALL:
      append_code (out, g_str_has_prefix (part->title, "$ ") || g_str_has_prefix (part->title, "! ") ? "console" : "", part->title);
      if (*part->text != '\0')
        append_code (out, "", part->text);
      break;
    case TAU_EXPORT_PART_RESULT:
      append_code (out, "", part->text);
      break;
    case TAU_EXPORT_PART_DIFF:
      append_code (out, "diff", part->text);
      break;
    case TAU_EXPORT_PART_IMAGE:
      g_string_append_printf (out, "*%s*\n\n", _("[image]"));
      break;
    case TAU_EXPORT_PART_NOTE:
      if (part->title != NULL)
        g_string_append_printf (out, "*%s*\n\n", part->title);
      append_quoted (out, part->text);
      break;
    default:
      g_assert_not_reached ();
    }
}

/**
 * tau_session_export_markdown: (skip)
 * @head: what stands above
 * @parts: the conversation
 *
 * Returns: (transfer full): the text
 */
GString *
tau_session_export_markdown (const TauExportHead *head,
                             GPtrArray           *parts)
{
  GString *out = g_string_new (NULL);
  int speaker = -1;

  g_string_append_printf (out, "# %s\n\n", head->title);
  if (*head->folder != '\0')
    g_string_append_printf (out, "%s\n\n", head->folder);
  for (guint i = 0; i < parts->len; i++)
    {
      const TauExportPart *part = g_ptr_array_index (parts, i);
      int speaks = part->kind == TAU_EXPORT_PART_IMAGE ? speaker : part->kind == TAU_EXPORT_PART_USER;

      if (speaks != speaker)
        g_string_append_printf (out, "## %s\n\n", speaks ? _("You") : _("Assistant"));
      speaker = speaks;
      append_part (out, part);
    }
  return out;
}
