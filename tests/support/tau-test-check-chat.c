/* SPDX-License-Identifier: MIT */
#include "support/tau-test-check.h"

#include "core/base/tau-json.h"

#include <string.h>

/* What servers of chat completions refuse, Mistral's own among them. Sources: OpenAI's API reference; Mistral's, its library of
 * message validators and the texts of its errors ("Unexpected role 'user' after role 'tool'", "Tool call id has to be …"). */

static gboolean
is_mistral (TauTestCheck *self)
{
  return g_str_equal (self->target->api, "mistral-conversations");
}

static gboolean
check_part (TauTestCheck *self,
            JsonNode     *part,
            const char   *role)
{
  const char *type = tau_json_get_string (part, "type", "");

  if (g_str_equal (type, "text"))
    return tau_test_check_text (self, part, "text", role);
  if (g_str_equal (type, "image_url"))
    return tau_test_check_data_url (self, tau_json_get_string (part, is_mistral (self) ? "image_url" : "image_url.url", NULL));
  if (g_str_equal (type, "thinking") && is_mistral (self) && g_str_equal (role, "assistant"))
    return tau_test_check_own (self, tau_json_get_string (part, "thinking.0.text", NULL), "thinking");

  return tau_test_check_fail (self, "%s: part of type '%s'", role, type);
}

static gboolean
check_content (TauTestCheck *self,
               JsonNode     *message,
               const char   *role)
{
  JsonArray *parts = tau_json_get_array (message, "content");

  if (parts == NULL)
    return tau_test_check_text (self, message, "content", role);
  if (json_array_get_length (parts) == 0)
    return tau_test_check_fail (self, "%s: empty content", role);
  for (guint i = 0; i < json_array_get_length (parts); i++)
    if (!check_part (self, json_array_get_element (parts, i), role))
      return FALSE;

  return TRUE;
}

static gboolean
check_calls (TauTestCheck *self,
             JsonArray    *calls)
{
  if (json_array_get_length (calls) == 0)
    return tau_test_check_fail (self, "empty tool_calls");

  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonNode *call = json_array_get_element (calls, i);
      const char *id = tau_json_get_string (call, "id", NULL);

      if (!tau_test_check_id (self, id, is_mistral (self) ? "^[a-zA-Z0-9]{9}$" : "^.{1,40}$") ||
          !tau_test_check_call (self, id) ||
          !tau_test_check_name (self, tau_json_get_string (call, "function.name", NULL)) ||
          !tau_test_check_arguments (self, tau_json_get_string (call, "function.arguments", NULL)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_answer (TauTestCheck *self,
              JsonNode     *message)
{
  static const char * const reasoning[] = { "reasoning_content", "reasoning", "reasoning_text" };
  JsonArray *calls = tau_json_get_array (message, "tool_calls");
  JsonNode *content = tau_json_get (message, "content");

  for (guint i = 0; i < G_N_ELEMENTS (reasoning); i++)
    {
      const char *text = tau_json_get_string (message, reasoning[i], "");

      if (text[0] != '\0' && !tau_test_check_own (self, text, "reasoning"))
        return FALSE;
    }
  if (tau_json_get (message, "reasoning_details") != NULL &&
      !tau_test_check_own (self, tau_json_get_string (message, "reasoning_details.0.data", NULL), "reasoning details"))
    return FALSE;
  if (calls != NULL && !check_calls (self, calls))
    return FALSE;

  if (calls != NULL && (content == NULL || JSON_NODE_HOLDS_NULL (content) || g_str_equal (tau_json_get_string (content, NULL, "?"), "")))
    return TRUE;

  return check_content (self, message, "assistant");
}

static gboolean
check_order (TauTestCheck *self,
             const char   *before,
             const char   *role)
{
  if (g_str_equal (role, "tool"))
    return g_str_equal (before, "assistant") || g_str_equal (before, "tool") || tau_test_check_fail (self, "role 'tool' after role '%s'", before);
  if (!tau_test_check_all_done (self))
    return FALSE;
  if ((g_str_equal (role, "system") || g_str_equal (role, "developer")) && before[0] != '\0')
    return tau_test_check_fail (self, "role '%s' after role '%s'", role, before);
  if ((is_mistral (self) || strstr (self->target->model, "mistral") != NULL) && g_str_equal (role, "user") && g_str_equal (before, "tool"))
    return tau_test_check_fail (self, "Unexpected role 'user' after role 'tool'");

  return TRUE;
}

static gboolean
check_message (TauTestCheck *self,
               JsonNode     *message,
               const char   *role)
{
  if (g_str_equal (role, "assistant"))
    return check_answer (self, message);
  if (g_str_equal (role, "tool") && !tau_test_check_result (self, tau_json_get_string (message, "tool_call_id", NULL)))
    return FALSE;
  if (!g_str_equal (role, "tool") && !g_str_equal (role, "user") && !g_str_equal (role, "system") && !g_str_equal (role, "developer"))
    return tau_test_check_fail (self, "role '%s'", role);

  return check_content (self, message, role);
}

void
tau_test_check_chat (TauTestCheck *self,
                     JsonNode     *body)
{
  JsonArray *messages = tau_json_get_array (body, "messages");
  const char *before = "";

  for (guint i = 0; messages != NULL && i < json_array_get_length (messages) && self->fault == NULL; i++)
    {
      JsonNode *message = json_array_get_element (messages, i);
      const char *role = tau_json_get_string (message, "role", "");

      if (check_order (self, before, role))
        check_message (self, message, role);
      before = role;
    }
  tau_test_check_all_done (self);
  if (!g_str_equal (before, "user") && !g_str_equal (before, "tool"))
    tau_test_check_fail (self, "expected last role user or tool, but got '%s'", before);
}
