/* SPDX-License-Identifier: MIT */
#include "support/tau-test-check.h"

#include "core/base/tau-json.h"

/* What Anthropic's Messages API refuses. Sources: its documentation of messages, tool use and extended thinking, and the texts
 * of its errors ("tool_use ids must be unique", "The final block in an assistant message cannot be thinking", …). */

static gboolean
is_type (JsonNode   *block,
         const char *type)
{
  return g_str_equal (tau_json_get_string (block, "type", ""), type);
}

static gboolean
check_image (TauTestCheck *self,
             JsonNode     *block)
{
  g_autofree char *url = g_strdup_printf ("data:%s;base64,%s", tau_json_get_string (block, "source.media_type", ""),
                                          tau_json_get_string (block, "source.data", ""));

  return tau_test_check_data_url (self, url);
}

static gboolean
check_result (TauTestCheck *self,
              JsonNode     *block)
{
  JsonArray *content = tau_json_get_array (block, "content");
  const char *text = tau_json_get_string (block, "content", NULL);

  if (!tau_test_check_result (self, tau_json_get_string (block, "tool_use_id", NULL)))
    return FALSE;
  if (content == NULL && text == NULL)
    return tau_test_check_fail (self, "tool_result: no content");
  if (tau_json_get_bool (block, "is_error", FALSE) && (content != NULL ? json_array_get_length (content) == 0 : text[0] == '\0'))
    return tau_test_check_fail (self, "tool_result: content cannot be empty if is_error is true");

  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    {
      JsonNode *part = json_array_get_element (content, i);

      if (is_type (part, "image") ? !check_image (self, part) : !tau_test_check_text (self, part, "text", "tool_result"))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_user (TauTestCheck *self,
            JsonArray    *content)
{
  gboolean had_other = FALSE;

  for (guint i = 0; i < json_array_get_length (content); i++)
    {
      JsonNode *block = json_array_get_element (content, i);

      if (is_type (block, "tool_result"))
        {
          if (had_other)
            return tau_test_check_fail (self, "tool_result behind other blocks");
          if (!check_result (self, block))
            return FALSE;
          continue;
        }
      had_other = TRUE;
      if (is_type (block, "image") ? !check_image (self, block) : !tau_test_check_text (self, block, "text", "user"))
        return FALSE;
    }

  return tau_test_check_all_done (self);
}

static gboolean
check_answer_block (TauTestCheck *self,
                    JsonNode     *block)
{
  const char *id = tau_json_get_string (block, "id", NULL);

  if (is_type (block, "text"))
    return tau_test_check_text (self, block, "text", "assistant");
  if (is_type (block, "thinking"))
    return tau_test_check_own (self, tau_json_get_string (block, "signature", NULL), "signature");
  if (is_type (block, "redacted_thinking"))
    return tau_test_check_own (self, tau_json_get_string (block, "data", NULL), "redacted thinking");
  if (!is_type (block, "tool_use"))
    return tau_test_check_fail (self, "unknown block");
  if (tau_json_get_object (block, "input") == NULL)
    return tau_test_check_fail (self, "tool_use: no input");

  return tau_test_check_name (self, tau_json_get_string (block, "name", NULL)) &&
         tau_test_check_id (self, id, "^[a-zA-Z0-9_-]{1,64}$") && tau_test_check_call (self, id);
}

static gboolean
is_thinking (JsonNode *block)
{
  return is_type (block, "thinking") || is_type (block, "redacted_thinking");
}

static gboolean
check_answer (TauTestCheck *self,
              JsonArray    *content)
{
  if (!tau_test_check_all_done (self))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (content); i++)
    if (!check_answer_block (self, json_array_get_element (content, i)))
      return FALSE;

  return !is_thinking (json_array_get_element (content, json_array_get_length (content) - 1)) ||
         tau_test_check_fail (self, "the final block in an assistant message cannot be thinking");
}

static gboolean
check_message (TauTestCheck *self,
               JsonNode     *message)
{
  const char *role = tau_json_get_string (message, "role", "");
  JsonArray *content = tau_json_get_array (message, "content");

  if (content == NULL)
    return tau_test_check_text (self, message, "content", role) && tau_test_check_all_done (self);
  if (json_array_get_length (content) == 0)
    return tau_test_check_fail (self, "%s: empty content", role);
  if (g_str_equal (role, "user"))
    return check_user (self, content);

  return g_str_equal (role, "assistant") ? check_answer (self, content) : tau_test_check_fail (self, "role '%s'", role);
}

static gboolean
holds_results (JsonNode *message)
{
  JsonArray *content = tau_json_get_array (message, "content");

  return content != NULL && is_type (json_array_get_element (content, 0), "tool_result");
}

/* With a thinking budget, an answer that is still waiting for tools must have begun with thinking. */
static void
check_thinking (TauTestCheck *self,
                JsonArray    *messages)
{
  guint n = json_array_get_length (messages);
  guint first = n;

  while (first > 1 && holds_results (json_array_get_element (messages, first - 1)))
    first -= 2;
  if (first < n && !is_thinking (tau_json_get (json_array_get_element (messages, first), "content.0")))
    tau_test_check_fail (self, "expected thinking, but found %s",
                         tau_json_get_string (json_array_get_element (messages, first), "content.0.type", ""));
}

void
tau_test_check_anthropic (TauTestCheck *self,
                          JsonNode     *body)
{
  JsonArray *messages = tau_json_get_array (body, "messages");
  guint n = messages != NULL ? json_array_get_length (messages) : 0;

  if (n == 0 || !g_str_equal (tau_json_get_string (body, "messages.0.role", ""), "user"))
    tau_test_check_fail (self, "the first message is not the user's");
  else if (g_str_equal (tau_json_get_string (json_array_get_element (messages, n - 1), "role", ""), "assistant"))
    tau_test_check_fail (self, "the last message is the assistant's");
  if (tau_json_get_int (body, "max_tokens", 0) <= tau_json_get_int (body, "thinking.budget_tokens", 0))
    tau_test_check_fail (self, "max_tokens is not above the budget");

  for (guint i = 0; i < n && self->fault == NULL; i++)
    check_message (self, json_array_get_element (messages, i));
  tau_test_check_all_done (self);
  if (self->fault == NULL && g_str_equal (tau_json_get_string (body, "thinking.type", ""), "enabled"))
    check_thinking (self, messages);
}
