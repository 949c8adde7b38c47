/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-row-texts.h"

#include "app/transcript/tau-error-advice.h"
#include "app/transcript/tau-tool-renderers.h"
#include "app/transcript/tau-user-text.h"
#include "core/base/tau-text.h"
#include "core/markdown/tau-md-parser.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"

#include <string.h>

/* What a row says when everything in it is open, from top to bottom, without building it: what a reader looks for
 * may be in any of 100,000 rows, folded or not. The texts are those that the row's widgets show, in their order, so
 * that the third hit here is the third one there. */

static void
add_markdown (GPtrArray  *texts,
              const char *text,
              gssize      length,
              TauMdFlags  flags)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse (text, length, flags);

  for (guint i = 0; i < blocks->len; i++)
    g_ptr_array_add (texts, tau_md_block_dup_text (g_ptr_array_index (blocks, i)));
}

static void
add_step (GPtrArray         *texts,
          TauTranscriptItem *item)
{
  TauToolBody body = { 0 };
  TauBlock *block = tau_transcript_item_get_block (item);
  g_autoptr(GPtrArray) sections = NULL;

  if (tau_transcript_item_get_kind (item) == TAU_TRANSCRIPT_BASH)
    tau_tool_body_set_bash (&body, TAU_BASH_EXECUTION_MESSAGE (tau_transcript_item_get_message (item)));
  else
    tau_tool_body_set_call (&body, tau_block_get_call_id (block), tau_block_get_call_name (block), block);
  if (tau_transcript_item_get_result (item))
    tau_tool_body_set_result (&body, tau_transcript_item_get_result (item));

  g_ptr_array_add (texts, g_strdup (body.title->subject));
  sections = tau_tool_renderers_list (&body);
  for (guint i = 0; i < sections->len; i++)
    {
      TauToolSection *section = g_ptr_array_index (sections, i);

      if (!section->image)
        g_ptr_array_add (texts, g_steal_pointer (&section->text));
    }
  tau_tool_body_clear (&body);
}

static void
add_error (GPtrArray           *texts,
           TauAssistantMessage *answer)
{
  const char *raw = tau_assistant_message_get_error_message (answer);

  g_ptr_array_add (texts, tau_error_advice_dup_sentence (answer));
  if (raw && *raw && tau_assistant_message_get_stop_reason (answer) != TAU_STOP_REASON_ABORTED)
    g_ptr_array_add (texts, tau_text_make_valid (raw, -1));
}

static void
add_user (GPtrArray  *texts,
          TauMessage *message)
{
  TauUserText text;

  tau_user_text_init (&text, message);
  if (text.skill)
    add_markdown (texts, text.skill, -1, TAU_MD_FLAGS_NONE);
  if (!tau_text_is_blank (text.rest))
    add_markdown (texts, text.rest, -1, TAU_MD_KEEP_BREAKS);
  tau_user_text_clear (&text);
}

static const char *
get_summary (TauMessage *message)
{
  return TAU_IS_COMPACTION_SUMMARY_MESSAGE (message)
           ? tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (message))
           : tau_branch_summary_message_get_summary (TAU_BRANCH_SUMMARY_MESSAGE (message));
}

/**
 * tau_row_texts_list:
 * @item: what a row stands for
 *
 * Returns: (transfer full) (element-type utf8): the texts of the row, valid UTF-8
 */
GPtrArray *
tau_row_texts_list (TauTranscriptItem *item)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  TauMessage *message = tau_transcript_item_get_message (item);
  g_autofree char *valid = NULL;
  gsize length;
  const char *text;

  switch (tau_transcript_item_get_kind (item))
    {
    case TAU_TRANSCRIPT_TEXT:
      text = tau_transcript_item_get_text (item, &length);
      add_markdown (texts, text, (gssize) length, TAU_MD_FLAGS_NONE);
      break;
    case TAU_TRANSCRIPT_THINKING:
      text = tau_transcript_item_get_text (item, &length);
      valid = tau_text_make_valid (text, (gssize) length);
      g_ptr_array_add (texts, tau_text_trim (valid));
      break;
    case TAU_TRANSCRIPT_TOOL:
    case TAU_TRANSCRIPT_BASH:
      add_step (texts, item);
      break;
    case TAU_TRANSCRIPT_SUMMARY:
      valid = tau_text_make_valid (get_summary (message), -1);
      add_markdown (texts, valid, -1, TAU_MD_FLAGS_NONE);
      break;
    case TAU_TRANSCRIPT_ERROR:
      add_error (texts, TAU_ASSISTANT_MESSAGE (message));
      break;
    case TAU_TRANSCRIPT_USER:
      add_user (texts, message);
      break;
    case TAU_TRANSCRIPT_CUSTOM:
      valid = tau_message_dup_text (message, "\n\n");
      add_markdown (texts, valid, -1, TAU_MD_KEEP_BREAKS);
      break;
    case TAU_TRANSCRIPT_SEPARATOR:
    case TAU_TRANSCRIPT_GROUP:
    default:
      /* Its caption is no part of what was said. */
      break;
    }
  return texts;
}

/**
 * tau_row_texts_dup_message:
 * @message: a message
 *
 * Returns: (transfer full): what it says, as it was written, for copying
 */
char *
tau_row_texts_dup_message (TauMessage *message)
{
  g_autofree char *text = NULL;

  if (TAU_IS_BASH_EXECUTION_MESSAGE (message))
    text = g_strdup (tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (message))->command);
  else if (TAU_IS_COMPACTION_SUMMARY_MESSAGE (message) || TAU_IS_BRANCH_SUMMARY_MESSAGE (message))
    text = g_strdup (get_summary (message));
  else
    text = tau_message_dup_text (message, "\n\n");
  return tau_text_make_valid (text ? text : "", -1);
}
