/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-tool-renderers.h"

#include "app/markdown/tau-highlighter.h"
#include "app/transcript/tau-diff-lines.h"
#include "core/base/tau-json.h"
#include "core/base/tau-json-outline.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-edit-preview.h"

#include <glib/gi18n.h>
#include <string.h>

/* From the name of a tool to what its opened step shows: a diff for an edit, the new text for a write, the command
 * and its output, arguments as a tree for tools that nobody here knows. The same sections are what is searched when
 * a reader looks for words, whether the step is open or not. */

#define TITLE_BYTES 80   /* a longer command is cut in the line of its step */

static GHashTable *renderers;   /* tool name → TauToolRenderer */

static void
section_free (gpointer data)
{
  TauToolSection *section = data;

  g_free (section->text);
  g_free (section->tints);
  g_clear_pointer (&section->changes, g_array_unref);
  g_clear_pointer (&section->image, tau_block_unref);
  g_free (section);
}

/**
 * tau_tool_section_add:
 * @sections: sections of a step
 * @text: (transfer full): valid UTF-8
 *
 * Returns: (transfer none): the new section
 */
TauToolSection *
tau_tool_section_add (GPtrArray *sections,
                      char      *text)
{
  TauToolSection *section = g_new0 (TauToolSection, 1);
  gsize length = strlen (text);

  while (length > 0 && text[length - 1] == '\n')
    text[--length] = '\0';
  section->text = text;
  g_ptr_array_add (sections, section);
  return section;
}

static JsonNode *
get_arguments (const TauToolBody *body)
{
  return body->call ? tau_block_get_arguments (body->call) : NULL;
}

static const char *
guess_language (const TauToolBody *body)
{
  return body->title && body->title->path ? tau_highlighter_guess_language (body->title->path) : NULL;
}

static gboolean
is_over (const TauToolBody *body)
{
  return body->result || body->bash;
}

/* Pictures that the tool gave, below its text. */
static void
add_images (const TauToolBody *body,
            GPtrArray         *sections)
{
  guint n_blocks = body->result ? tau_message_get_n_blocks (TAU_MESSAGE (body->result)) : 0;

  for (guint i = 0; i < n_blocks; i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (body->result), i);

      if (tau_block_get_kind (block) == TAU_BLOCK_IMAGE && tau_block_get_data (block))
        tau_tool_section_add (sections, g_strdup (""))->image = tau_block_ref (block);
    }
}

static TauToolSection *
add_output (const TauToolBody *body,
            GPtrArray         *sections)
{
  g_autofree char *output = tau_tool_body_dup_output (body);
  TauToolSection *section = NULL;
  guint n_before = sections->len;

  if (!tau_text_is_blank (output))
    section = tau_tool_section_add (sections, g_steal_pointer (&output));
  add_images (body, sections);
  if (sections->len == n_before)
    section = tau_tool_section_add (sections, g_strdup (is_over (body) ? _("No output") : _("Nothing yet")));
  return section;
}

/* The line of the step says with what code a command ended. */
static void
drop_exit_line (char *output)
{
  char *line = g_strrstr (output, TAU_TOOL_BODY_EXIT_LINE);

  if (!line || strchr (line, '\n'))
    return;
  while (line > output && line[-1] == '\n')
    line--;
  *line = '\0';
}

static void
render_bash (const TauToolBody *body,
             GPtrArray         *sections)
{
  g_autofree char *command = tau_tool_body_dup_command (body);
  TauToolSection *output;

  if (strlen (command) > TITLE_BYTES || strchr (g_strchomp (command), '\n'))
    tau_tool_section_add (sections, g_steal_pointer (&command))->language = "sh";
  output = add_output (body, sections);
  if (!output || !is_over (body))
    return;
  drop_exit_line (output->text);
  if (tau_text_is_blank (output->text))
    {
      g_free (output->text);
      output->text = g_strdup (_("No output"));
    }
}

static void
render_read (const TauToolBody *body,
             GPtrArray         *sections)
{
  TauToolSection *output = add_output (body, sections);

  if (output && tau_tool_body_get_outcome (body) == TAU_TOOL_OUTCOME_GOOD)
    output->language = guess_language (body);
}

static void
render_write (const TauToolBody *body,
              GPtrArray         *sections)
{
  const char *content = tau_json_get_string (get_arguments (body), "content", NULL);

  if (content)
    tau_tool_section_add (sections, tau_text_make_valid (content, -1))->language = guess_language (body);
  if (!content || (is_over (body) && tau_tool_body_get_outcome (body) != TAU_TOOL_OUTCOME_GOOD))
    add_output (body, sections);
}

static void
add_diff (GPtrArray  *sections,
          const char *diff,
          gboolean    numbered)
{
  g_autofree char *valid = tau_text_make_valid (diff, -1);
  TauDiffLines lines;
  TauToolSection *section;

  tau_diff_lines_parse (&lines, valid, numbered);
  section = tau_tool_section_add (sections, lines.text);
  section->tints = lines.tints;
  section->changes = lines.changes;
  section->cap = 40;
}

static void
render_edit (const TauToolBody *body,
             GPtrArray         *sections)
{
  const char *diff = tau_tool_body_get_diff (body);
  g_autofree char *preview = NULL;

  if (diff)
    {
      add_diff (sections, diff, TRUE);
      return;
    }
  preview = tau_edit_preview_new (get_arguments (body));
  if (preview)
    add_diff (sections, preview, FALSE);
  if (!preview || is_over (body))
    add_output (body, sections);
}

static void
render_listing (const TauToolBody *body,
                GPtrArray         *sections)
{
  add_output (body, sections);
}

static void
render_unknown (const TauToolBody *body,
                GPtrArray         *sections)
{
  JsonNode *arguments = get_arguments (body);
  g_autofree char *outline = arguments ? tau_json_dup_outline (arguments) : NULL;

  if (outline && *outline)
    tau_tool_section_add (sections, tau_text_make_valid (outline, -1))->language = "yaml";
  add_output (body, sections);
}

static void
ensure_renderers (void)
{
  static const struct { const char *name; TauToolRenderer renderer; } builtin[] = {
    { "bash", render_bash },    { "read", render_read },    { "write", render_write }, { "edit", render_edit },
    { "grep", render_listing }, { "find", render_listing }, { "ls", render_listing },
  };

  if (renderers)
    return;
  renderers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (builtin); i++)
    g_hash_table_insert (renderers, g_strdup (builtin[i].name), builtin[i].renderer);
}

/**
 * tau_tool_renderers_add:
 * @tool_name: name of a tool
 * @renderer: says what its steps show
 *
 * Registers a renderer; the last one for a name is used.
 */
void
tau_tool_renderers_add (const char      *tool_name,
                        TauToolRenderer  renderer)
{
  ensure_renderers ();
  g_hash_table_replace (renderers, g_strdup (tool_name), renderer);
}

/**
 * tau_tool_renderers_list:
 * @body: what is known about a step
 *
 * Returns: (transfer full) (element-type TauToolSection): what the step shows when it is open
 */
GPtrArray *
tau_tool_renderers_list (const TauToolBody *body)
{
  GPtrArray *sections = g_ptr_array_new_with_free_func (section_free);
  TauToolRenderer renderer;

  ensure_renderers ();
  renderer = body->name ? g_hash_table_lookup (renderers, body->name) : NULL;
  if (tau_tool_body_get_diff (body) && renderer != render_edit)
    add_diff (sections, tau_tool_body_get_diff (body), TRUE);
  else
    (renderer ? renderer : render_unknown) (body, sections);
  return sections;
}
