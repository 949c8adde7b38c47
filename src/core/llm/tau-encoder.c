/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-encoder.h"

#include <string.h>

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

/* No answer gets more room than this unless the caller says so; thinking comes on top where a protocol counts it apart. */
#define DEFAULT_MAX_TOKENS 32000

/**
 * tau_encoder_check_key:
 * @request: a request
 * @error: return location for %TAU_API_ERROR_AUTH
 *
 * Returns: whether the request has a key
 */
gboolean
tau_encoder_check_key (TauRequest *request,
                       GError    **error)
{
  const TauRequestFields *fields = tau_request_get_fields (request);

  if (fields->api_key != NULL && fields->api_key[0] != '\0')
    return TRUE;

  g_set_error (error, TAU_API_ERROR, TAU_API_ERROR_AUTH, "No API key for provider: %s",
               tau_model_get_provider (fields->model));
  return FALSE;
}

/**
 * tau_encoder_max_tokens:
 * @request: a request
 *
 * Returns: how many tokens the answer may have: the caller's wish, else the model's limit up to 32000
 */
gint64
tau_encoder_max_tokens (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);

  return fields->max_tokens > 0 ? fields->max_tokens : MIN (tau_model_get_max_tokens (fields->model), DEFAULT_MAX_TOKENS);
}

/**
 * tau_encoder_retention:
 * @request: a request
 *
 * Returns: (transfer none): how long the provider is to cache the prompt: "none", "short" or "long"
 */
const char *
tau_encoder_retention (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);

  if (fields->cache_retention != NULL)
    return fields->cache_retention;

  return g_strcmp0 (g_getenv ("PI_CACHE_RETENTION"), "long") == 0 ? "long" : "short";
}

/**
 * tau_encoder_get_level:
 * @request: a request
 * @level: (out): the level to ask for, one that the model knows
 *
 * Returns: %FALSE if no thinking is asked for
 */
gboolean
tau_encoder_get_level (TauRequest       *request,
                       TauThinkingLevel *level)
{
  const TauRequestFields *fields = tau_request_get_fields (request);

  *level = tau_model_clamp_level (fields->model, fields->thinking);

  return fields->thinking != TAU_THINKING_OFF;
}

static gboolean
is_placeholder (const char *name,
                gsize       length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isupper (name[i]) && !g_ascii_isdigit (name[i]) && name[i] != '_')
      return FALSE;

  return length > 0;
}

/**
 * tau_encoder_base_url:
 * @model: a model
 * @error: return location for %TAU_API_ERROR_INVALID
 *
 * Cloudflare's addresses have {NAMES} of environment variables in them.
 *
 * Returns: (transfer full) (nullable): the model's base URL, all of them filled in
 */
char *
tau_encoder_base_url (TauModel *model,
                      GError  **error)
{
  const char *rest = tau_model_get_base_url (model);
  g_autoptr(GString) out = NULL;

  if (!g_str_has_prefix (tau_model_get_provider (model), "cloudflare-"))
    return g_strdup (rest);

  out = g_string_new (NULL);
  while (*rest != '\0')
    {
      const char *end = *rest == '{' ? strchr (rest, '}') : NULL;

      if (end != NULL && is_placeholder (rest + 1, (gsize) (end - rest - 1)))
        {
          g_autofree char *name = g_strndup (rest + 1, (gsize) (end - rest - 1));
          const char *value = g_getenv (name);

          if (value == NULL || value[0] == '\0')
            {
              g_set_error (error, TAU_API_ERROR, TAU_API_ERROR_INVALID, "%s is required for provider %s but is not set.",
                           name, tau_model_get_provider (model));
              return NULL;
            }
          g_string_append (out, value);
          rest = end + 1;
        }
      else
        g_string_append_c (out, *rest++);
    }

  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * tau_encoder_sanitize_id:
 * @id: an id from another protocol
 * @max_length: longest allowed
 *
 * Returns: (transfer full): @id with each UTF-16 unit outside A–Z, a–z, 0–9, "_" and "-" replaced by "_"
 */
char *
tau_encoder_sanitize_id (const char *id,
                         gsize       max_length)
{
  g_autofree char *valid = tau_text_make_valid (id, -1);
  g_autoptr(GString) out = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      if (g_ascii_isalnum (*c) || *c == '_' || *c == '-')
        g_string_append_c (out, *c);
      else
        g_string_append (out, g_utf8_get_char (c) > 0xffff ? "__" : "_");
    }
  if (out->len > max_length)
    g_string_truncate (out, max_length);

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
append_base36 (GString *out,
               guint32  value)
{
  char digits[8];
  guint n = 0;

  do
    digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
  while ((value /= 36) > 0);
  while (n > 0)
    g_string_append_c (out, digits[--n]);
}

/**
 * tau_encoder_short_hash:
 * @text: valid UTF-8
 *
 * The hash by which pi shortens ids, so that ours agree with those in its sessions: two 32-bit lanes over UTF-16 units.
 *
 * Returns: (transfer full): both lanes in base 36
 */
char *
tau_encoder_short_hash (const char *text)
{
  guint32 one = 0xdeadbeef, two = 0x41c6ce57;
  glong n = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);
  g_autoptr(GString) out = g_string_new (NULL);

  for (glong i = 0; units != NULL && i < n; i++)
    {
      one = (one ^ units[i]) * 2654435761u;
      two = (two ^ units[i]) * 1597334677u;
    }
  one = ((one ^ (one >> 16)) * 2246822507u) ^ ((two ^ (two >> 13)) * 3266489909u);
  two = ((two ^ (two >> 16)) * 2246822507u) ^ ((one ^ (one >> 13)) * 3266489909u);
  append_base36 (out, two);
  append_base36 (out, one);

  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * tau_encoder_has_images:
 * @messages: (element-type TauMessage): a conversation
 *
 * Returns: whether there is a picture in it
 */
gboolean
tau_encoder_has_images (GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    if (tau_message_has_images (g_ptr_array_index (messages, i)))
      return TRUE;

  return FALSE;
}

/**
 * tau_encoder_copilot_headers:
 * @request: a request
 * @call: where it will go
 *
 * Adds the headers by which GitHub Copilot counts requests; nothing for other providers.
 */
void
tau_encoder_copilot_headers (TauRequest  *request,
                             TauHttpCall *call)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  TauMessage *last;

  if (!g_str_equal (tau_model_get_provider (fields->model), "github-copilot"))
    return;

  last = fields->messages->len > 0 ? g_ptr_array_index (fields->messages, fields->messages->len - 1) : NULL;
  tau_http_call_set_header (call, "X-Initiator",
                            last == NULL || g_str_equal (tau_message_get_role (last), "user") ? "user" : "agent");
  tau_http_call_set_header (call, "Openai-Intent", "conversation-edits");
  if (tau_encoder_has_images (fields->messages))
    tau_http_call_set_header (call, "Copilot-Vision-Request", "true");
}

/**
 * tau_encoder_set_text:
 * @object: part of a body
 * @key: a key
 * @text: any text
 *
 * Sets a text that people or tools wrote, without what no server takes.
 */
void
tau_encoder_set_text (JsonObject *object,
                      const char *key,
                      const char *text)
{
  g_autofree char *scrubbed = tau_text_scrub (text, -1);

  json_object_set_string_member (object, key, scrubbed);
}

/**
 * tau_encoder_join_texts:
 * @message: a message
 * @separator: between its texts
 *
 * Returns: (transfer full): all its texts in one
 */
char *
tau_encoder_join_texts (TauMessage *message,
                        const char *separator)
{
  g_autofree char *text = tau_message_dup_text (message, separator);

  return tau_text_scrub (text, -1);
}

/**
 * tau_encoder_data_url:
 * @image: an image block
 *
 * Returns: (transfer full): the picture as a data URL
 */
char *
tau_encoder_data_url (TauBlock *image)
{
  return g_strconcat ("data:", tau_block_get_mime_type (image), ";base64,", tau_block_get_data (image), NULL);
}

/**
 * tau_encoder_arguments:
 * @call: a tool call
 *
 * Providers take objects only; a model that once sent something else must not block the conversation.
 *
 * Returns: (transfer full): its arguments as an object
 */
JsonNode *
tau_encoder_arguments (TauBlock *call)
{
  JsonNode *arguments = tau_block_get_arguments (call);

  if (arguments == NULL || !JSON_NODE_HOLDS_OBJECT (arguments))
    return tau_json_node_new_object (json_object_new ());

  return tau_json_copy (arguments);
}

/**
 * tau_encoder_compat_bool:
 * @model: a model
 * @flag: key of its "compat" object
 * @fallback: when it is not set there
 *
 * Returns: the switch
 */
gboolean
tau_encoder_compat_bool (TauModel   *model,
                         const char *flag,
                         gboolean    fallback)
{
  return tau_json_get_bool (tau_model_get_compat (model), flag, fallback);
}
