/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-tool-body.h"

#include "app/markdown/tau-code-block.h"
#include "app/transcript/tau-picture-tile.h"
#include "app/transcript/tau-tool-renderers.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* What is known about a step, and its opened body: cards of text and pictures, one for each section that the
 * renderer of its tool gives. Everything is text made valid first: it comes from files, processes and models. */

#define IMAGE_WIDTH  320   /* of a picture that a tool gave */
#define IMAGE_HEIGHT 240

/**
 * tau_tool_body_clear:
 * @self: a body
 *
 * Drops what it holds.
 */
void
tau_tool_body_clear (TauToolBody *self)
{
  g_clear_pointer (&self->call_id, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->title, tau_tool_title_free);
  g_clear_pointer (&self->call, tau_block_unref);
  g_clear_pointer (&self->partial, g_free);
  g_clear_object (&self->result);
  g_clear_object (&self->bash);
  g_clear_object (&self->expansions);
}

static void
make_title_valid (TauToolTitle *title)
{
  char *subject = tau_text_make_valid (title->subject, -1);

  /* A title of a megabyte would be laid out before it is cut. */
  if (strlen (subject) > 1000)
    subject[tau_text_utf8_floor (subject, 1000)] = '\0';
  g_free (title->subject);
  title->subject = subject;
}

/**
 * tau_tool_body_set_call:
 * @self: a body
 * @call_id: (nullable): id of the call
 * @name: the tool
 * @call: (nullable): the call with its arguments, as far as they have come
 *
 * Says which call it is.
 */
void
tau_tool_body_set_call (TauToolBody *self,
                        const char  *call_id,
                        const char  *name,
                        TauBlock    *call)
{
  g_free (self->call_id);
  self->call_id = g_strdup (call_id);
  g_free (self->name);
  self->name = tau_text_make_valid (name ? name : "", -1);
  self->is_command = g_str_equal (self->name, "bash");
  if (call)
    tau_block_ref (call);
  g_clear_pointer (&self->call, tau_block_unref);
  self->call = call;
  g_clear_pointer (&self->title, tau_tool_title_free);
  self->title = tau_tool_title_new (self->name, call ? tau_block_get_arguments (call) : NULL);
  make_title_valid (self->title);
}

/**
 * tau_tool_body_set_result:
 * @self: a body
 * @result: what the tool gave
 *
 * The result came.
 */
void
tau_tool_body_set_result (TauToolBody          *self,
                          TauToolResultMessage *result)
{
  g_set_object (&self->result, result);
}

static char *
join_blocks (GPtrArray *blocks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      TauBlock *block = g_ptr_array_index (blocks, i);

      if (tau_block_get_kind (block) != TAU_BLOCK_TEXT)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      g_string_append (text, tau_block_get_text (block));
    }
  return g_string_free (text, FALSE);
}

/**
 * tau_tool_body_set_partial:
 * @self: a body
 * @partial: (nullable): output so far
 *
 * More output came.
 */
void
tau_tool_body_set_partial (TauToolBody    *self,
                           TauToolOutcome *partial)
{
  g_free (self->partial);
  self->partial = partial ? join_blocks (tau_tool_outcome_get_blocks (partial)) : NULL;
}

/**
 * tau_tool_body_set_bash:
 * @self: a body
 * @message: a command that the user ran
 *
 * Shows that command.
 */
void
tau_tool_body_set_bash (TauToolBody             *self,
                        TauBashExecutionMessage *message)
{
  const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (message);

  g_set_object (&self->bash, message);
  g_free (self->name);
  self->name = g_strdup ("bash");
  self->is_command = self->is_user = TRUE;
  self->is_hidden = fields->exclude_from_context;
  g_clear_pointer (&self->title, tau_tool_title_free);
  self->title = tau_tool_title_new ("bash", NULL);
  g_free (self->title->subject);
  self->title->subject = g_strdelimit (g_strdup (fields->command ? fields->command : ""), "\n\r\t", ' ');
  make_title_valid (self->title);
}

/* The fixed text that a stopped call carries; a result has no other sign of it. */
static gboolean
says_aborted (const TauToolBody *self)
{
  g_autofree char *output = tau_tool_body_dup_output (self);

  return g_str_has_suffix (output, "Operation aborted") || g_str_has_suffix (output, "Command aborted");
}

/**
 * tau_tool_body_get_outcome:
 * @self: a body
 *
 * Returns: how the step ended
 */
TauToolOutcomeKind
tau_tool_body_get_outcome (const TauToolBody *self)
{
  if (self->bash)
    {
      const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (self->bash);

      if (fields->cancelled)
        return TAU_TOOL_OUTCOME_STOPPED;
      return fields->has_exit_code && fields->exit_code != 0 ? TAU_TOOL_OUTCOME_BAD : TAU_TOOL_OUTCOME_GOOD;
    }
  if (!self->result)
    return TAU_TOOL_OUTCOME_NONE;
  if (!tau_tool_result_message_get_is_error (self->result))
    return TAU_TOOL_OUTCOME_GOOD;
  return says_aborted (self) ? TAU_TOOL_OUTCOME_STOPPED : TAU_TOOL_OUTCOME_BAD;
}

/**
 * tau_tool_body_get_diff:
 * @self: a body
 *
 * Returns: (nullable): how the step changed a file; not necessarily valid UTF-8
 */
const char *
tau_tool_body_get_diff (const TauToolBody *self)
{
  JsonNode *details = self->result ? tau_tool_result_message_get_details (self->result) : NULL;

  return details ? tau_json_get_string (details, "diff", NULL) : NULL;
}

/**
 * tau_tool_body_wants_open:
 * @self: a body
 *
 * Returns: whether the step is open as long as the reader did not close it: errors and edits are
 */
gboolean
tau_tool_body_wants_open (const TauToolBody *self)
{
  return tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_BAD || tau_tool_body_get_diff (self) != NULL;
}

/**
 * tau_tool_body_count_changes:
 * @self: a body
 * @n_added: (out): lines that were added
 * @n_removed: (out): lines that were removed
 *
 * Returns: whether the step changed a file and says how
 */
gboolean
tau_tool_body_count_changes (const TauToolBody *self,
                             guint             *n_added,
                             guint             *n_removed)
{
  const char *line = tau_tool_body_get_diff (self);

  *n_added = *n_removed = 0;
  if (!line)
    return FALSE;
  for (; line && *line; line = strchr (line, '\n'), line = line ? line + 1 : NULL)
    {
      *n_added += *line == '+';
      *n_removed += *line == '-';
    }
  return TRUE;
}

/**
 * tau_tool_body_dup_title:
 * @self: a body
 *
 * Returns: (transfer full): the title on one line
 */
char *
tau_tool_body_dup_title (const TauToolBody *self)
{
  return self->title ? tau_tool_title_dup_text (self->title) : g_strdup ("");
}

/**
 * tau_tool_body_dup_command:
 * @self: a body
 *
 * Returns: (transfer full): the command of a shell, as it was given; "" for other steps
 */
char *
tau_tool_body_dup_command (const TauToolBody *self)
{
  const char *command = NULL;

  if (self->bash)
    command = tau_bash_execution_message_get_fields (self->bash)->command;
  else if (self->call)
    command = tau_json_get_string (tau_block_get_arguments (self->call), "command", NULL);
  return tau_text_make_valid (command ? command : "", -1);
}

/**
 * tau_tool_body_dup_output:
 * @self: a body
 *
 * Returns: (transfer full): the output there is, cleaned, as valid text
 */
char *
tau_tool_body_dup_output (const TauToolBody *self)
{
  g_autofree char *raw = NULL;

  if (self->bash)
    raw = g_strdup (tau_bash_execution_message_get_fields (self->bash)->output);
  else if (self->result)
    raw = tau_message_dup_text (TAU_MESSAGE (self->result), "\n");
  else
    raw = g_strdup (self->partial);
  if (!raw)
    return g_strdup ("");
  return tau_text_clean_output (raw, -1);
}

/**
 * tau_tool_body_dup_written:
 * @self: a body
 * @n_lines: how many lines at most
 *
 * Returns: (transfer full) (nullable): the last lines of the file that the step writes, as far as the model has sent it,
 *   as valid text; %NULL for other steps
 */
char *
tau_tool_body_dup_written (const TauToolBody *self,
                           guint              n_lines)
{
  const char *content = self->call ? tau_json_get_string (tau_block_get_arguments (self->call), "content", NULL) : NULL;
  const char *start;

  if (!content || !self->name || !g_str_equal (self->name, "write"))
    return NULL;
  for (start = content + strlen (content); start > content; start--)
    if (start[-1] == '\n' && start[0] != '\0' && --n_lines == 0)
      break;
  return tau_text_make_valid (start, -1);
}

/**
 * tau_tool_body_dup_lines:
 * @self: a body
 *
 * Returns: (transfer full) (nullable): how many lines were read or written, for a chip
 */
char *
tau_tool_body_dup_lines (const TauToolBody *self)
{
  const char *content = self->call ? tau_json_get_string (tau_block_get_arguments (self->call), "content", NULL) : NULL;
  g_autofree char *output = NULL;
  guint n_lines = 0;

  if (self->name && g_str_equal (self->name, "write") && content)
    {
      /* The end of the last line begins no other one. */
      n_lines = (guint) tau_text_count_lines (content, -1) - (g_str_has_suffix (content, "\n") ? 1 : 0);
    }
  else if (self->name && g_str_equal (self->name, "read") && tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_GOOD)
    {
      output = g_strchomp (tau_tool_body_dup_output (self));
      n_lines = *output ? (guint) tau_text_count_lines (output, -1) : 0;
    }
  return n_lines > 0 ? g_strdup_printf (ngettext ("%u line", "%u lines", n_lines), n_lines) : NULL;
}

/**
 * tau_tool_body_dup_exit:
 * @self: a body
 *
 * Returns: (transfer full) (nullable): the exit code of a command that failed
 */
char *
tau_tool_body_dup_exit (const TauToolBody *self)
{
  g_autofree char *output = NULL;
  const char *mark;

  if (self->bash)
    return g_strdup_printf (_("exit %d"), tau_bash_execution_message_get_fields (self->bash)->exit_code);
  if (!self->is_command)
    return NULL;
  output = tau_tool_body_dup_output (self);
  mark = g_strrstr (output, TAU_TOOL_BODY_EXIT_LINE);
  return mark ? g_strdup_printf (_("exit %d"), atoi (mark + strlen (TAU_TOOL_BODY_EXIT_LINE))) : NULL;
}

static GtkWidget *
make_card (TauToolBody    *self,
           TauToolSection *section,
           guint           position)
{
  GtkWidget *block = tau_code_block_new ();

  tau_code_block_set_title (TAU_CODE_BLOCK (block), NULL);
  tau_code_block_set_language (TAU_CODE_BLOCK (block), section->language);
  if (section->cap > 0)
    tau_code_block_set_cap (TAU_CODE_BLOCK (block), section->cap);
  tau_code_block_set_tints (TAU_CODE_BLOCK (block), section->tints);
  tau_code_block_set_changes (TAU_CODE_BLOCK (block), section->changes);
  tau_code_block_set_text (TAU_CODE_BLOCK (block), section->text, strlen (section->text), FALSE);
  if (self->expansions)
    tau_code_block_set_expansion (TAU_CODE_BLOCK (block), self->expansions, self->key + position);
  gtk_widget_add_css_class (block, "tool-card");
  return block;
}

static gboolean
can_restore (const TauToolBody *self)
{
  return self->since > 0 && self->call_id && tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_GOOD
         && self->name && (g_str_equal (self->name, "edit") || g_str_equal (self->name, "write"));
}

/* The way back from a change of a file, in the corner of the card that shows it, where code has its copy button. */
static GtkWidget *
add_restore (GtkWidget         *box,
             const TauToolBody *self)
{
  GtkWidget *overlay = gtk_overlay_new ();
  /* At the right in any language: code begins at the left. */
  gboolean mirrored = gtk_widget_get_direction (box) == GTK_TEXT_DIR_RTL;
  GtkWidget *button;

  button = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "dim-label");
  gtk_widget_set_tooltip_text (button, _("Restore this file…"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Restore this file…"), -1);
  gtk_widget_set_halign (button, mirrored ? GTK_ALIGN_START : GTK_ALIGN_END);
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "corner-button");
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.restore-call");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(sx)", self->call_id, self->since);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), box);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), button);
  return overlay;
}

/**
 * tau_tool_body_build:
 * @self: a body
 *
 * Returns: (transfer floating): a widget that shows all there is
 */
GtkWidget *
tau_tool_body_build (TauToolBody *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  g_autoptr(GPtrArray) sections = tau_tool_renderers_list (self);

  gtk_widget_add_css_class (box, "tool-body");
  for (guint i = 0; i < sections->len; i++)
    {
      TauToolSection *section = g_ptr_array_index (sections, i);

      gtk_box_append (GTK_BOX (box), section->image ? tau_picture_tile_new (section->image, IMAGE_WIDTH, IMAGE_HEIGHT, FALSE)
                                                    : make_card (self, section, i));
    }
  return sections->len > 0 && can_restore (self) ? add_restore (box, self) : box;
}

/**
 * tau_tool_body_wrap_sideways:
 * @child: (transfer floating): something wide
 *
 * Returns: (transfer floating): a scroller that lets @child be wider than its place
 */
GtkWidget *
tau_tool_body_wrap_sideways (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  return scroller;
}
