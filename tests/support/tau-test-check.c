/* SPDX-License-Identifier: MIT */
#include "support/tau-test-check.h"

#include "core/base/tau-json.h"

#include <string.h>

/* Servers as strict as the vendors' own: do they take this request? The rules are those of the vendors' documentation and of
 * the errors that their servers answer with; nothing here is shared with the encoders. All functions say whether all is well;
 * the first fault is kept. */

gboolean
tau_test_check_fail (TauTestCheck *self,
                     const char   *format,
                     ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (self->fault == NULL)
    self->fault = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  return FALSE;
}

static gboolean
is_blank (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '\0';
}

/* A text that has to be there and has to say something. */
gboolean
tau_test_check_text (TauTestCheck *self,
                     JsonNode     *node,
                     const char   *path,
                     const char   *what)
{
  const char *text = tau_json_get_string (node, path, NULL);

  if (text == NULL || is_blank (text))
    return tau_test_check_fail (self, "%s: no text", what);
  if (!g_utf8_validate (text, -1, NULL))
    return tau_test_check_fail (self, "%s: not UTF-8", what);

  return TRUE;
}

gboolean
tau_test_check_name (TauTestCheck *self,
                     const char   *name)
{
  if (name == NULL || !g_regex_match_simple ("^[a-zA-Z0-9_-]{1,64}$", name, 0, 0))
    return tau_test_check_fail (self, "bad tool name '%s'", name);

  return TRUE;
}

gboolean
tau_test_check_id (TauTestCheck *self,
                   const char   *id,
                   const char   *pattern)
{
  if (id == NULL || !g_regex_match_simple (pattern, id, 0, 0))
    return tau_test_check_fail (self, "id '%s' is not like %s", id, pattern);

  return TRUE;
}

gboolean
tau_test_check_arguments (TauTestCheck *self,
                          const char   *json)
{
  g_autoptr(JsonNode) node = json != NULL ? tau_json_parse (json, -1, NULL) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return tau_test_check_fail (self, "arguments are no JSON object: %s", json);

  return TRUE;
}

/* Reasoning and signatures: a server takes its own only. */
gboolean
tau_test_check_own (TauTestCheck *self,
                    const char   *text,
                    const char   *what)
{
  if (text == NULL || text[0] == '\0' || self->target->mark == NULL || strstr (text, self->target->mark) == NULL)
    return tau_test_check_fail (self, "%s of another model: %s", what, text);

  return TRUE;
}

gboolean
tau_test_check_call (TauTestCheck *self,
                     const char   *id)
{
  if (!g_hash_table_add (self->ids, g_strdup (id)))
    return tau_test_check_fail (self, "second call with the id '%s'", id);
  g_hash_table_add (self->open, g_strdup (id));

  return TRUE;
}

gboolean
tau_test_check_result (TauTestCheck *self,
                       const char   *id)
{
  if (id == NULL || !g_hash_table_remove (self->open, id))
    return tau_test_check_fail (self, "result without a call, or a second one: '%s'", id);

  return TRUE;
}

gboolean
tau_test_check_all_done (TauTestCheck *self)
{
  return g_hash_table_size (self->open) == 0 || tau_test_check_fail (self, "call without a result");
}

gboolean
tau_test_check_data_url (TauTestCheck *self,
                         const char   *url)
{
  if (!self->target->images)
    return tau_test_check_fail (self, "picture for a model without eyes");
  if (url == NULL || !g_regex_match_simple ("^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$", url, 0, 0))
    return tau_test_check_fail (self, "no data URL: %s", url);

  return TRUE;
}

/**
 * tau_test_check_request:
 * @target: for whom the request is
 * @body: its body
 *
 * Returns: (transfer full) (nullable): why a strict server would answer with status 400; %NULL if it would not
 */
char *
tau_test_check_request (const TauTestTarget *target,
                        JsonNode            *body)
{
  TauTestCheck check = {
    .target = target,
    .ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };

  if (g_str_equal (target->api, "anthropic-messages"))
    tau_test_check_anthropic (&check, body);
  else if (g_str_has_suffix (target->api, "-responses"))
    tau_test_check_responses (&check, body);
  else if (g_str_equal (target->api, "google-generative-ai"))
    tau_test_check_google (&check, body);
  else
    tau_test_check_chat (&check, body);

  g_hash_table_unref (check.ids);
  g_hash_table_unref (check.open);

  return check.fault;
}
