/* SPDX-License-Identifier: MIT */
#include "support/tau-test-check.h"

#include "core/base/tau-json.h"

#include <string.h>

/* What Google's generateContent refuses. Sources: its documentation of function calling and of thought signatures, and the texts
 * of its errors ("function call turn comes immediately after a user turn or after a function response turn", "the number of
 * function response parts is equal to the number of function call parts", "missing a thought_signature"). */

/* By which traces of other models get past the check of signatures, as documented. */
#define NO_SIGNATURE "skip_thought_signature_validator"

static guint
count_parts (JsonArray  *parts,
             const char *kind)
{
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (parts); i++)
    n += tau_json_get (json_array_get_element (parts, i), kind) != NULL;

  return n;
}

static gboolean
check_image (TauTestCheck *self,
             JsonNode     *part)
{
  g_autofree char *url = g_strdup_printf ("data:%s;base64,%s", tau_json_get_string (part, "inlineData.mimeType", ""),
                                          tau_json_get_string (part, "inlineData.data", ""));

  return tau_test_check_data_url (self, url);
}

static gboolean
check_signature (TauTestCheck *self,
                 JsonNode     *part)
{
  const char *signature = tau_json_get_string (part, "thoughtSignature", NULL);

  if (signature == NULL || (g_str_equal (signature, NO_SIGNATURE) && tau_json_get (part, "functionCall") != NULL))
    return TRUE;
  if (!g_regex_match_simple ("^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$", signature, 0, 0))
    return tau_test_check_fail (self, "signature is not base64");

  return tau_test_check_own (self, signature, "signature");
}

static gboolean
check_call (TauTestCheck *self,
            JsonNode     *part)
{
  if (tau_json_get_object (part, "functionCall.args") == NULL)
    return tau_test_check_fail (self, "functionCall: no args");

  return tau_test_check_name (self, tau_json_get_string (part, "functionCall.name", NULL));
}

static gboolean
check_response (TauTestCheck *self,
                JsonNode     *part)
{
  JsonArray *images = tau_json_get_array (part, "functionResponse.parts");

  if (tau_json_get_object (part, "functionResponse.response") == NULL)
    return tau_test_check_fail (self, "functionResponse: no response");
  for (guint i = 0; images != NULL && i < json_array_get_length (images); i++)
    if (!check_image (self, json_array_get_element (images, i)))
      return FALSE;

  return tau_test_check_name (self, tau_json_get_string (part, "functionResponse.name", NULL));
}

static gboolean
check_part (TauTestCheck *self,
            JsonNode     *part)
{
  if (!check_signature (self, part))
    return FALSE;
  if (tau_json_get (part, "functionCall") != NULL)
    return check_call (self, part);
  if (tau_json_get (part, "functionResponse") != NULL)
    return check_response (self, part);
  if (tau_json_get (part, "inlineData") != NULL)
    return check_image (self, part);
  if (tau_json_get_bool (part, "thought", FALSE) && !tau_test_check_own (self, tau_json_get_string (part, "text", NULL), "thought"))
    return FALSE;

  return tau_test_check_text (self, part, "text", "part");
}

/* Ids where there are any, else names and their order, say which response belongs to which call. */
static gboolean
check_answers_match (TauTestCheck *self,
                     JsonArray    *calls,
                     JsonArray    *responses)
{
  guint n = count_parts (responses, "functionResponse");
  guint at = 0;

  if (count_parts (calls, "functionCall") != n || (n > 0 && n != json_array_get_length (responses)))
    return tau_test_check_fail (self, "the number of function response parts is not that of function call parts");

  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonNode *call = tau_json_get (json_array_get_element (calls, i), "functionCall");
      JsonNode *response;

      if (call == NULL)
        continue;
      response = tau_json_get (json_array_get_element (responses, at++), "functionResponse");
      if (g_strcmp0 (tau_json_get_string (call, "name", NULL), tau_json_get_string (response, "name", NULL)) != 0 ||
          g_strcmp0 (tau_json_get_string (call, "id", NULL), tau_json_get_string (response, "id", NULL)) != 0)
        return tau_test_check_fail (self, "response of another function");
    }

  return TRUE;
}

static gboolean
check_turn (TauTestCheck *self,
            JsonNode     *turn,
            JsonNode     *before)
{
  JsonArray *parts = tau_json_get_array (turn, "parts");
  JsonArray *parts_before = before != NULL ? tau_json_get_array (before, "parts") : NULL;
  gboolean model = g_str_equal (tau_json_get_string (turn, "role", ""), "model");
  gboolean model_before = g_str_equal (tau_json_get_string (before, "role", ""), "model");

  if (parts == NULL || json_array_get_length (parts) == 0)
    return tau_test_check_fail (self, "turn without parts");
  for (guint i = 0; i < json_array_get_length (parts); i++)
    if (!check_part (self, json_array_get_element (parts, i)))
      return FALSE;

  if (model && model_before && count_parts (parts, "functionCall") > 0)
    return tau_test_check_fail (self, "function call turn behind a turn of the model");
  if (model_before && !model)
    return check_answers_match (self, parts_before, parts);

  return count_parts (parts, "functionResponse") == 0 || tau_test_check_fail (self, "function response without its call");
}

/* Gemini 3 wants the signature of each step's first call, back to the user's last message. */
static void
check_signatures (TauTestCheck *self,
                  JsonArray    *contents)
{
  for (guint i = json_array_get_length (contents); i-- > 0;)
    {
      JsonArray *parts = tau_json_get_array (json_array_get_element (contents, i), "parts");
      gboolean model = g_str_equal (tau_json_get_string (json_array_get_element (contents, i), "role", ""), "model");

      if (!model && count_parts (parts, "functionResponse") == 0)
        return;
      for (guint j = 0; model && j < json_array_get_length (parts); j++)
        {
          JsonNode *part = json_array_get_element (parts, j);

          if (tau_json_get (part, "functionCall") == NULL)
            continue;
          if (tau_json_get (part, "thoughtSignature") == NULL)
            tau_test_check_fail (self, "function call is missing a thought_signature");
          break;
        }
    }
}

void
tau_test_check_google (TauTestCheck *self,
                       JsonNode     *body)
{
  JsonArray *contents = tau_json_get_array (body, "contents");
  guint n = contents != NULL ? json_array_get_length (contents) : 0;
  JsonNode *before = NULL;

  if (!g_str_equal (tau_json_get_string (body, "contents.0.role", ""), "user"))
    tau_test_check_fail (self, "the first turn is not the user's");
  for (guint i = 0; i < n && self->fault == NULL; i++)
    {
      check_turn (self, json_array_get_element (contents, i), before);
      before = json_array_get_element (contents, i);
    }
  if (n > 0 && !g_str_equal (tau_json_get_string (before, "role", ""), "user"))
    tau_test_check_fail (self, "the last turn is not the user's");
  if (self->fault == NULL && g_str_has_prefix (self->target->model, "gemini-3"))
    check_signatures (self, contents);
}
