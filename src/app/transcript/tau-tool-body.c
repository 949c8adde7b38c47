/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-tool-body.h"

#include "app/markdown/tau-code-block.h"
#include "app/markdown/tau-highlighter.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* What an opened step shows: a diff for an edit, the new text for a write, output for the rest, arguments for tools
 * that nobody here knows. Everything is text made valid first: it comes from files, processes and models. */

/* Where the result of a command has its exit code: the last line of its text. */
#define EXIT_LINE "Command exited with code "

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

static const char *
get_diff (const TauToolBody *self)
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
  return tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_BAD || get_diff (self) != NULL;
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
  const char *line = get_diff (self);

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
      n_lines = (guint) tau_text_count_lines (content, -1);
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
  mark = g_strrstr (output, EXIT_LINE);
  return mark ? g_strdup_printf (_("exit %d"), atoi (mark + strlen (EXIT_LINE))) : NULL;
}

/* "-520 text" becomes " 520 − text": numbers stand in a column of their own. */
static GtkWidget *
build_diff (TauToolBody *self,
            const char  *diff)
{
  g_autofree char *valid = tau_text_make_valid (diff, -1);
  g_auto(GStrv) lines = g_strsplit (valid, "\n", -1);
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GString) tints = g_string_new (NULL);
  GtkWidget *block = tau_code_block_new ();

  for (guint i = 0; lines[i]; i++)
    {
      const char *number = *lines[i] ? lines[i] + 1 : lines[i];
      gsize spaces = strspn (number, " ");
      gsize digits = strspn (number + spaces, "0123456789");
      const char *rest = number + spaces + digits;

      if (*lines[i] == '\0' && !lines[i + 1])
        break;
      if (i > 0)
        g_string_append_c (text, '\n');
      g_string_append_c (tints, *lines[i] && digits > 0 ? *lines[i] : ' ');
      if (digits == 0)
        {
          /* Lines between are left out. */
          g_string_append (text, "…");
          continue;
        }
      g_string_append_len (text, number, (gssize) (spaces + digits));
      g_string_append (text, *lines[i] == '-' ? " − " : *lines[i] == '+' ? " + " : "   ");
      g_string_append (text, rest + (*rest == ' '));
    }
  tau_code_block_set_title (TAU_CODE_BLOCK (block), NULL);
  tau_code_block_set_cap (TAU_CODE_BLOCK (block), 40);
  tau_code_block_set_tints (TAU_CODE_BLOCK (block), tints->str);
  tau_code_block_set_text (TAU_CODE_BLOCK (block), text->str, text->len, FALSE);
  return block;
}

static GtkWidget *
build_text (const char *text,
            const char *language)
{
  GtkWidget *block = tau_code_block_new ();
  gsize length = strlen (text);

  while (length > 0 && text[length - 1] == '\n')
    length--;
  tau_code_block_set_title (TAU_CODE_BLOCK (block), NULL);
  tau_code_block_set_language (TAU_CODE_BLOCK (block), language);
  tau_code_block_set_text (TAU_CODE_BLOCK (block), text, length, FALSE);
  return block;
}

static GtkWidget *
build_arguments (TauToolBody *self)
{
  JsonNode *arguments = self->call ? tau_block_get_arguments (self->call) : NULL;
  g_autofree char *json = arguments ? tau_json_to_pretty_string (arguments) : g_strdup ("");
  g_autofree char *valid = tau_text_make_valid (json, -1);

  return build_text (valid, "json");
}

static GtkWidget *
build_written (TauToolBody *self)
{
  const char *content = tau_json_get_string (tau_block_get_arguments (self->call), "content", "");
  g_autofree char *valid = tau_text_make_valid (content, -1);

  return build_text (valid, self->title->path ? tau_highlighter_guess_language (self->title->path) : NULL);
}

static gboolean
is_known (const TauToolBody *self)
{
  static const char * const known[] = { "bash", "read", "edit", "write", "grep", "find", "ls", NULL };

  return self->name && g_strv_contains (known, self->name);
}

static void
append (GtkWidget     *box,
        TauToolBody   *self,
        GtkWidget     *child,
        guint          position)
{
  if (self->expansions)
    tau_code_block_set_expansion (TAU_CODE_BLOCK (child), self->expansions, self->key + position);
  gtk_widget_add_css_class (child, "tool-card");
  gtk_box_append (GTK_BOX (box), child);
}

static void
append_output (GtkWidget   *box,
               TauToolBody *self)
{
  g_autofree char *output = tau_tool_body_dup_output (self);
  gboolean good = tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_GOOD;
  const char *language = NULL;
  char *exit_line = self->is_command ? g_strrstr (output, EXIT_LINE) : NULL;

  /* The line says it already. */
  if (exit_line && strchr (exit_line, '\n') == NULL)
    *exit_line = '\0';
  if (tau_text_is_blank (output))
    {
      g_free (output);
      output = g_strdup (self->result || self->bash ? _("No output") : _("Nothing yet"));
    }
  else if (good && g_strcmp0 (self->name, "read") == 0 && self->title->path)
    {
      language = tau_highlighter_guess_language (self->title->path);
    }
  append (box, self, build_text (output, language), 1);
}

/* The way back from a change of a file. */
static void
append_restore (GtkWidget         *box,
                const TauToolBody *self)
{
  GtkWidget *button;

  if (self->since <= 0 || !self->call_id || tau_tool_body_get_outcome (self) != TAU_TOOL_OUTCOME_GOOD
      || !self->name || (!g_str_equal (self->name, "edit") && !g_str_equal (self->name, "write")))
    return;

  button = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "dim-label");
  gtk_widget_set_tooltip_text (button, _("Restore this file…"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Restore this file…"), -1);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.restore-call");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(sx)", self->call_id, self->since);
  gtk_box_append (GTK_BOX (box), button);
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
  const char *diff = get_diff (self);
  gboolean failed = tau_tool_body_get_outcome (self) == TAU_TOOL_OUTCOME_BAD;

  gtk_widget_add_css_class (box, "tool-body");
  if (diff)
    append (box, self, build_diff (self, diff), 0);
  else if (!is_known (self))
    append (box, self, build_arguments (self), 0);
  else if (self->call && g_str_equal (self->name, "write"))
    append (box, self, build_written (self), 0);
  else if (self->call && g_str_equal (self->name, "edit") && !failed && !self->result)
    append (box, self, build_arguments (self), 0);

  if (!diff && (failed || !self->name || !g_str_equal (self->name, "write")))
    append_output (box, self);
  append_restore (box, self);
  return box;
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
