/* SPDX-License-Identifier: MIT */
#include "support/tau-test-check.h"

#include "core/base/tau-json.h"

/* What OpenAI's Responses API refuses, with nothing stored at the server. Sources: its API reference and the texts of its errors
 * ("reasoning was provided without its required following item", "No tool output found for function call", "Duplicate item"). */

static gboolean
check_item_id (TauTestCheck *self,
               JsonNode     *item,
               const char   *pattern)
{
  const char *id = tau_json_get_string (item, "id", NULL);

  if (!tau_test_check_id (self, id, pattern))
    return FALSE;

  return g_hash_table_add (self->ids, g_strconcat ("item ", id, NULL)) || tau_test_check_fail (self, "duplicate item '%s'", id);
}

static gboolean
check_parts (TauTestCheck *self,
             JsonArray    *parts,
             const char   *what)
{
  if (json_array_get_length (parts) == 0)
    return tau_test_check_fail (self, "%s: empty content", what);

  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);
      const char *type = tau_json_get_string (part, "type", "");

      if (g_str_equal (type, "input_image") ? !tau_test_check_data_url (self, tau_json_get_string (part, "image_url", NULL))
                                            : !tau_test_check_text (self, part, "text", what))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_content (TauTestCheck *self,
               JsonNode     *item,
               const char   *path)
{
  JsonArray *parts = tau_json_get_array (item, path);

  return parts != NULL ? check_parts (self, parts, path) : tau_test_check_text (self, item, path, path);
}

static gboolean
check_call (TauTestCheck *self,
            JsonNode     *item)
{
  const char *id = tau_json_get_string (item, "call_id", NULL);

  if (tau_json_get (item, "id") != NULL && !check_item_id (self, item, "^fc_[a-zA-Z0-9_-]{1,61}$"))
    return FALSE;

  return tau_test_check_id (self, id, "^[a-zA-Z0-9_-]{1,64}$") && tau_test_check_call (self, id) &&
         tau_test_check_name (self, tau_json_get_string (item, "name", NULL)) &&
         tau_test_check_arguments (self, tau_json_get_string (item, "arguments", NULL));
}

/* What a reasoning item thought about has to follow it. */
static gboolean
check_reasoning (TauTestCheck *self,
                 JsonNode     *item,
                 JsonNode     *next)
{
  const char *type = next != NULL ? tau_json_get_string (next, "type", "") : "";

  if (!g_str_equal (type, "reasoning") && !g_str_equal (type, "function_call") &&
      !(g_str_equal (type, "message") && g_str_equal (tau_json_get_string (next, "role", ""), "assistant")))
    return tau_test_check_fail (self, "reasoning without its required following item");

  return check_item_id (self, item, "^rs_[a-zA-Z0-9_-]{1,61}$") &&
         tau_test_check_own (self, tau_json_get_string (item, "encrypted_content", NULL), "reasoning");
}

static gboolean
check_item (TauTestCheck *self,
            JsonNode     *item,
            JsonNode     *next)
{
  const char *type = tau_json_get_string (item, "type", "message");

  if (g_str_equal (type, "reasoning"))
    return check_reasoning (self, item, next);
  if (g_str_equal (type, "function_call"))
    return check_call (self, item);
  if (g_str_equal (type, "function_call_output"))
    return tau_test_check_result (self, tau_json_get_string (item, "call_id", NULL)) && check_content (self, item, "output");
  if (g_str_equal (tau_json_get_string (item, "role", ""), "assistant"))
    return check_item_id (self, item, "^msg_.{1,60}$") && check_content (self, item, "content");

  return check_content (self, item, "content");
}

void
tau_test_check_responses (TauTestCheck *self,
                          JsonNode     *body)
{
  JsonArray *input = tau_json_get_array (body, "input");
  guint n = input != NULL ? json_array_get_length (input) : 0;

  if (n == 0)
    tau_test_check_fail (self, "no input");
  for (guint i = 0; i < n && self->fault == NULL; i++)
    check_item (self, json_array_get_element (input, i), i + 1 < n ? json_array_get_element (input, i + 1) : NULL);
  tau_test_check_all_done (self);
}
