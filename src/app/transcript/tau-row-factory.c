/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-row-factory.h"

#include "app/markdown/tau-markdown-view.h"
#include "app/transcript/tau-group-row.h"
#include "app/transcript/tau-notice-row.h"
#include "app/transcript/tau-thinking-row.h"
#include "app/transcript/tau-tool-row.h"
#include "app/transcript/tau-usage-line.h"
#include "app/transcript/tau-user-row.h"
#include "core/message/tau-assistant-message.h"

/* From an item to the widget that shows it: the one place that knows all kinds of row. */

/* What stands there for those who point at an answer: what it used, and when it came. */
static char *
dup_tooltip (TauAssistantMessage *answer)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *usage = tau_usage_line_new (answer);
  g_autofree char *time = tau_usage_line_dup_time (tau_message_get_timestamp (TAU_MESSAGE (answer)), now);

  if (usage == NULL || time == NULL)
    return usage != NULL ? g_steal_pointer (&usage) : g_steal_pointer (&time);
  return g_strdup_printf ("%s · %s", usage, time);
}

static GtkWidget *
make_text (TauTranscriptItem *item,
           TauExpansions     *expansions)
{
  GtkWidget *view = tau_markdown_view_new ();
  gsize length;
  const char *text = tau_transcript_item_get_text (item, &length);

  tau_markdown_view_set_expansion (TAU_MARKDOWN_VIEW (view), expansions, tau_transcript_item_get_key (item));
  tau_markdown_view_set_text (TAU_MARKDOWN_VIEW (view), text, (gssize) length, TAU_MD_FLAGS_NONE);
  if (TAU_IS_ASSISTANT_MESSAGE (tau_transcript_item_get_message (item)))
    {
      g_autofree char *tooltip = dup_tooltip (TAU_ASSISTANT_MESSAGE (tau_transcript_item_get_message (item)));

      gtk_widget_set_tooltip_text (view, tooltip);
    }
  return view;
}

static GtkWidget *
make_thinking (TauTranscriptItem *item,
               TauExpansions     *expansions)
{
  GtkWidget *row = tau_thinking_row_new (expansions, tau_transcript_item_get_key (item));
  gsize length;
  const char *text = tau_transcript_item_get_text (item, &length);

  tau_thinking_row_set_text (TAU_THINKING_ROW (row), text, (gssize) length, FALSE);
  return row;
}

static void
item_changed_cb (TauTranscriptItem *item,
                 TauToolRow        *row)
{
  tau_tool_row_set_run (row, tau_transcript_item_get_run (item));
  if (tau_transcript_item_get_result (item))
    tau_tool_row_set_result (row, tau_transcript_item_get_result (item));
}

static GtkWidget *
make_tool (TauTranscriptItem *item,
           TauExpansions     *expansions)
{
  GtkWidget *row = tau_tool_row_new (expansions, tau_transcript_item_get_key (item));
  TauBlock *block = tau_transcript_item_get_block (item);
  TauAssistantMessage *message = TAU_ASSISTANT_MESSAGE (tau_transcript_item_get_message (item));

  tau_tool_row_set_since (TAU_TOOL_ROW (row), tau_message_get_timestamp (TAU_MESSAGE (message)));
  tau_tool_row_set_call (TAU_TOOL_ROW (row), tau_block_get_call_id (block), tau_block_get_call_name (block), block);
  tau_tool_row_set_stopped (TAU_TOOL_ROW (row), tau_assistant_message_failed (message));
  item_changed_cb (item, TAU_TOOL_ROW (row));
  g_signal_connect_object (item, "changed", G_CALLBACK (item_changed_cb), row, 0);
  return row;
}

static GtkWidget *
make_bash (TauTranscriptItem *item,
           TauExpansions     *expansions)
{
  GtkWidget *row = tau_tool_row_new (expansions, tau_transcript_item_get_key (item));

  tau_tool_row_set_bash (TAU_TOOL_ROW (row), TAU_BASH_EXECUTION_MESSAGE (tau_transcript_item_get_message (item)));
  return row;
}

/**
 * tau_row_factory_make:
 * @item: what a row stands for
 * @expansions: what the reader opened and closed
 *
 * Returns: (transfer floating): a widget that shows it
 */
GtkWidget *
tau_row_factory_make (TauTranscriptItem *item,
                      TauExpansions     *expansions)
{
  switch (tau_transcript_item_get_kind (item))
    {
    case TAU_TRANSCRIPT_USER:
      return tau_user_row_new (tau_transcript_item_get_message (item), expansions, tau_transcript_item_get_key (item));
    case TAU_TRANSCRIPT_TEXT:
      return make_text (item, expansions);
    case TAU_TRANSCRIPT_THINKING:
      return make_thinking (item, expansions);
    case TAU_TRANSCRIPT_TOOL:
      return make_tool (item, expansions);
    case TAU_TRANSCRIPT_BASH:
      return make_bash (item, expansions);
    case TAU_TRANSCRIPT_SUMMARY:
      return tau_summary_row_new (tau_transcript_item_get_message (item), expansions,
                                  tau_transcript_item_get_key (item));
    case TAU_TRANSCRIPT_CUSTOM:
      return tau_custom_row_new (tau_transcript_item_get_message (item));
    case TAU_TRANSCRIPT_ERROR:
      return tau_error_row_new (tau_transcript_item_get_message (item), expansions,
                                tau_transcript_item_get_key (item));
    case TAU_TRANSCRIPT_GROUP:
      return tau_group_row_new (tau_transcript_item_get_caption (item), expansions, tau_transcript_item_get_key (item));
    case TAU_TRANSCRIPT_SEPARATOR:
    default:
      return tau_separator_row_new (tau_transcript_item_get_caption (item));
    }
}
