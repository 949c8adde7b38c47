/* SPDX-License-Identifier: MIT */
#include "core/session/tau-compaction.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-message-convert.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <string.h>

/* What a model is asked when it is to summarise. The conversation goes as text inside of tags, not as messages, so that
 * the model does not continue it. Tags, headings and cuts are pi's, since its summaries are continued by ours and the
 * other way round; the words are ours. */

#define RESULT_UNITS 2000   /* of a tool result; UTF-16 */

static const char system_prompt[] =
  "Your only task is to summarise a conversation between a person and a coding agent. Do not continue it, do not answer "
  "anything that is asked in it, and do not use tools. Give the summary in the form that is asked for and nothing else.";

#define SECTIONS \
  "## Goal\n(what the person wants to reach; several points if there are several tasks)\n\n" \
  "## Constraints & Preferences\n- (what the person demanded or prefers, or \"(none)\")\n\n" \
  "## Progress\n### Done\n- [x] (what is finished)\n\n### In Progress\n- [ ] (what is under way)\n\n" \
  "### Blocked\n- (what cannot go on, and why)\n\n" \
  "## Key Decisions\n- **(decision)**: (the reason)\n\n" \
  "## Next Steps\n1. (what to do next, in order)"

#define CRITICAL_CONTEXT \
  "\n\n## Critical Context\n- (data, examples and references without which the work cannot go on, or \"(none)\")"

#define EXACT \
  "\n\nBe brief. Keep paths, names of functions and texts of errors exactly as they are."

static const char history_prompt[] =
  "The conversation above will be replaced by your summary; another model goes on with the work knowing nothing else. "
  "Write a checkpoint in exactly this form:\n\n" SECTIONS CRITICAL_CONTEXT EXACT;

static const char update_prompt[] =
  "The conversation above is new and follows what the summary in <previous-summary> covers. Write the summary anew so that "
  "it covers both: keep what it says, add what is new, move what was finished to Done, bring the next steps up to date. "
  "You may leave out what no longer matters. Use exactly this form:\n\n" SECTIONS CRITICAL_CONTEXT EXACT;

static const char prefix_prompt[] =
  "The conversation above is the beginning of one turn that was too long to keep; its end is kept as it is. Summarise "
  "the beginning so that the end can be understood, in exactly this form:\n\n"
  "## Original Request\n(what the person asked for in this turn)\n\n"
  "## Early Progress\n- (what was done and decided in this part)\n\n"
  "## Context for Suffix\n- (what must be known to understand the part that is kept)\n\n"
  "Be brief, and keep to what the kept part needs.";

static const char branch_prompt[] =
  "The conversation above is a branch that the person left to go on from an earlier point. Summarise it so that what was "
  "learned there is not lost, in exactly this form:\n\n" SECTIONS EXACT;

static void
begin_part (GString    *out,
            const char *label)
{
  if (out->len > 0)
    g_string_append (out, "\n\n");
  g_string_append (out, label);
}

/* Joins the texts of blocks of one kind; %NULL if there is no such block. */
static char *
join_blocks (TauMessage   *message,
             TauBlockKind  kind,
             const char   *separator)
{
  g_autoptr(GString) out = NULL;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) != kind)
        continue;
      if (out == NULL)
        out = g_string_new (NULL);
      else
        g_string_append (out, separator);
      g_string_append (out, tau_block_get_text (block));
    }
  return out != NULL ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static void
append_call (GString  *out,
             TauBlock *block)
{
  JsonObject *arguments = tau_json_get_object (tau_block_get_arguments (block), NULL);
  gboolean first = TRUE;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  g_string_append_printf (out, "%s(", tau_block_get_call_name (block));
  if (arguments != NULL)
    {
      json_object_iter_init_ordered (&iter, arguments);
      while (json_object_iter_next_ordered (&iter, &key, &value))
        {
          g_string_append_printf (out, "%s%s=", first ? "" : ", ", key);
          tau_json_append (out, value);
          first = FALSE;
        }
    }
  g_string_append_c (out, ')');
}

static void
append_calls (GString    *out,
              TauMessage *message)
{
  gboolean first = TRUE;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) != TAU_BLOCK_TOOL_CALL)
        continue;
      if (first)
        begin_part (out, "[Assistant tool calls]: ");
      else
        g_string_append (out, "; ");
      append_call (out, block);
      first = FALSE;
    }
}

static void
append_answer (GString    *out,
               TauMessage *message)
{
  g_autofree char *thinking = join_blocks (message, TAU_BLOCK_THINKING, "\n");
  g_autofree char *text = join_blocks (message, TAU_BLOCK_TEXT, "\n");

  if (thinking != NULL)
    {
      begin_part (out, "[Assistant thinking]: ");
      g_string_append (out, thinking);
    }
  if (text != NULL)
    {
      begin_part (out, "[Assistant]: ");
      g_string_append (out, text);
    }
  append_calls (out, message);
}

/* Where @text has had @units UTF-16 units; a pair that would be cut in two stays out. */
static const char *
skip_units (const char *text,
            gsize       units)
{
  while (*text != '\0')
    {
      gsize width = (guchar) *text >= 0xF0 ? 2 : 1;

      if (width > units)
        break;
      units -= width;
      text = g_utf8_next_char (text);
    }
  return text;
}

static void
append_result (GString    *out,
               const char *text)
{
  gsize units = tau_text_utf16_length (text);

  begin_part (out, "[Tool result]: ");
  if (units <= RESULT_UNITS)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_len (out, text, skip_units (text, RESULT_UNITS) - text);
  g_string_append_printf (out, "\n\n[... %" G_GSIZE_FORMAT " more characters truncated]", units - RESULT_UNITS);
}

/**
 * tau_summary_serialise:
 * @messages: (element-type TauMessage): messages
 *
 * Returns: (transfer full): the messages as text; what the model would not see is not in it
 */
char *
tau_summary_serialise (GPtrArray *messages)
{
  g_autoptr(GPtrArray) converted = tau_messages_convert_to_llm (messages);
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < converted->len; i++)
    {
      TauMessage *message = g_ptr_array_index (converted, i);
      g_autofree char *text = NULL;

      if (TAU_IS_ASSISTANT_MESSAGE (message))
        {
          append_answer (out, message);
          continue;
        }
      text = tau_message_dup_text (message, "");
      if (*text == '\0')
        continue;
      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        append_result (out, text);
      else
        {
          begin_part (out, "[User]: ");
          g_string_append (out, text);
        }
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static const char *
instructions (TauSummaryKind kind,
              gboolean       update)
{
  switch (kind)
    {
    case TAU_SUMMARY_TURN_PREFIX:
      return prefix_prompt;
    case TAU_SUMMARY_BRANCH:
      return branch_prompt;
    case TAU_SUMMARY_HISTORY:
    default:
      return update ? update_prompt : history_prompt;
    }
}

/**
 * tau_summary_build_prompt:
 * @kind: what is to be summarised
 * @messages: (element-type TauMessage): messages
 * @previous_summary: (nullable): a summary of what was before, to be continued
 * @focus: (nullable): what the user wants looked at
 * @instead: (nullable): the user's instructions in place of ours
 *
 * Returns: (transfer full): the question
 */
char *
tau_summary_build_prompt (TauSummaryKind  kind,
                          GPtrArray      *messages,
                          const char     *previous_summary,
                          const char     *focus,
                          const char     *instead)
{
  g_autofree char *text = tau_summary_serialise (messages);
  g_autoptr(GString) out = g_string_new (NULL);

  g_string_append_printf (out, "<conversation>\n%s\n</conversation>\n\n", text);
  if (previous_summary != NULL)
    g_string_append_printf (out, "<previous-summary>\n%s\n</previous-summary>\n\n", previous_summary);
  g_string_append (out, instead != NULL ? instead : instructions (kind, previous_summary != NULL));
  if (focus != NULL && *focus != '\0')
    g_string_append_printf (out, "\n\nAdditional focus: %s", focus);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * tau_summary_system_prompt:
 *
 * Returns: what a model that summarises is told first
 */
const char *
tau_summary_system_prompt (void)
{
  return system_prompt;
}

/**
 * tau_summary_join_turn:
 * @history: summary of what was before a turn
 * @turn_prefix: summary of the turn's beginning
 *
 * Returns: (transfer full): one summary of both, in pi's form
 */
char *
tau_summary_join_turn (const char *history,
                       const char *turn_prefix)
{
  return g_strdup_printf ("%s\n\n---\n\n**Turn Context (split turn):**\n\n%s", history, turn_prefix);
}
