/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/llm/tau-api-error.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-retry.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Failures as text, and text as failures. The beginning of each text is what the providers' own client libraries say,
 * since pi's sessions and the tests below (overflow, worth a retry) know those; the cause that libraries leave out follows in
 * brackets. Functions only, no state. */

/* A proxy's HTML page is no message; this much of it tells what it is. */
#define MAX_BODY_CHARS 4000

#define OVERFLOW_PATTERN                                      \
  "prompt is too long"                                        \
  "|request_too_large"                                        \
  "|input is too long for requested model"                    \
  "|exceeds the context window"                               \
  "|input token count.*exceeds the maximum"                   \
  "|maximum prompt length is \\d+"                            \
  "|reduce the length of the messages"                        \
  "|maximum context length is \\d+ tokens"                    \
  "|exceeds the limit of \\d+"                                \
  "|exceeds the available context size"                       \
  "|greater than the context length"                          \
  "|context window exceeds limit"                             \
  "|exceeded model token limit"                               \
  "|too large for model with \\d+ maximum context length"     \
  "|model_context_window_exceeded"                            \
  "|prompt too long; exceeded (?:max )?context length"        \
  "|context[_ ]length[_ ]exceeded"                            \
  "|too many tokens"                                          \
  "|token limit exceeded"                                     \
  "|\\A(?:400|413)\\s*(?:status code)?\\s*\\(no body\\)"

/* Limits on tokens per minute are worded like limits on the context; status 429 is never about that. */
#define NOT_OVERFLOW_PATTERN                                                       \
  "\\A(?:Throttling error|Service unavailable):|rate.?limit|too many requests"     \
  "|\\A429\\b|\\(429\\)|\"code\":\\s*429|tokens per min|per minute"

/* "ended before" is ours: a stream that was cut is worth another try. */
#define RETRYABLE_PATTERN                                                                      \
  "overloaded|provider.?returned.?error|rate.?limit|too many requests|429|500|502|503|504"    \
  "|service.?unavailable|server.?error|internal.?error|network.?error"                        \
  "|connection.?(?:error|refused|lost)|websocket.?(?:closed|error)|other side closed"         \
  "|fetch failed|upstream.?connect|reset before headers|socket hang up|ended (?:without|before)" \
  "|http2 request did not get a response|timed? out|timeout|terminated|retry delay"

/* First match wins; the order goes from the special to the general. */
static const struct
{
  TauApiError code;
  const char *pattern;
}
classes[] = {
  { TAU_API_ERROR_AUTH, "\\A40[13]\\b|authentication_error|permission_error|invalid.{0,5}api.?key|unauthorized|no api key" },
  { TAU_API_ERROR_QUOTA, "\\A402\\b|insufficient.?(?:quota|balance|credits?)|exceeded your current quota|billing|credit balance" },
  { TAU_API_ERROR_RATE_LIMIT, "\\A429\\b|rate.?limit|too many requests|resource.?exhausted|\\(429\\)|\"code\":429" },
  { TAU_API_ERROR_OVERLOADED, "\\A5\\d\\d\\b|overloaded|unavailable|server.?error|\\(5\\d\\d\\)|\"code\":5\\d\\d" },
  { TAU_API_ERROR_NETWORK, "\\A(?:connection error|fetch failed|terminated|request timed out|unable to make request)" },
  { TAU_API_ERROR_INVALID, "\\A4\\d\\d\\b|invalid.?(?:request|argument)|\\(4\\d\\d\\)|\"code\":4\\d\\d|not_found" },
};

static gboolean
matches (const char *pattern,
         const char *text)
{
  return g_regex_match_simple (pattern, text, G_REGEX_CASELESS | G_REGEX_RAW, 0);
}

static char *
dup_shortened (const char *body,
               gsize       length)
{
  g_autofree char *text = tau_text_make_valid (body, (gssize) length);
  glong chars = g_utf8_strlen (text, -1);
  g_autofree char *head = NULL;

  if (chars <= MAX_BODY_CHARS)
    return g_steal_pointer (&text);

  head = g_utf8_substring (text, 0, MAX_BODY_CHARS);
  return g_strdup_printf ("%s... [truncated %ld chars]", head, chars - MAX_BODY_CHARS);
}

static char *
text_for_openai (guint       status,
                 JsonNode   *json,
                 const char *text)
{
  g_autofree char *message = NULL;

  if (json == NULL)
    return g_strdup_printf ("%u %s", status, text);

  message = tau_api_error_text_for_object (tau_json_get (json, "error"));
  return g_strdup_printf ("%u %s", status, message != NULL ? message : "status code (no body)");
}

static char *
text_for_anthropic (guint       status,
                    JsonNode   *json,
                    const char *text)
{
  g_autofree char *whole = NULL;
  const char *message = tau_json_get_string (json, "message", NULL);

  if (json == NULL)
    return g_strdup_printf ("%u %s", status, text);

  whole = tau_json_to_string (json);
  return g_strdup_printf ("%u %s", status, message != NULL ? message : whole);
}

static char *
text_for_google (guint       status,
                 const char *reason,
                 JsonNode   *json,
                 const char *text)
{
  g_autoptr(GString) out = NULL;

  if (json != NULL)
    return tau_json_to_string (json);

  out = g_string_new ("{\"error\":{\"message\":");
  tau_json_append_string (out, text);
  g_string_append_printf (out, ",\"code\":%u,\"status\":", status);
  tau_json_append_string (out, reason);
  g_string_append (out, "}}");

  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * tau_api_error_text_for_object:
 * @error: (nullable): what a server sent as "error": an object, a string, or nothing
 *
 * The message inside an error object, with what OpenRouter adds from the model's own server; the JSON of the object if
 * it has no message.
 *
 * Returns: (transfer full) (nullable): the text, %NULL if @error says nothing
 */
char *
tau_api_error_text_for_object (JsonNode *error)
{
  const char *message = tau_json_get_string (error, "message", NULL);
  const char *raw = tau_json_get_string (error, "metadata.raw", NULL);

  if (error == NULL || JSON_NODE_HOLDS_NULL (error))
    return NULL;
  if (message == NULL)
    return tau_json_to_string (error);
  if (raw != NULL && raw[0] != '\0')
    return g_strdup_printf ("%s\n%s", message, raw);

  return g_strdup (message);
}

/**
 * tau_api_error_text_for_response:
 * @style: whose words
 * @status: HTTP status, 400 or more (or less, where a response makes no sense)
 * @reason: words beside the status
 * @body: the response's body, as far as it was read
 * @length: bytes of @body, or -1
 *
 * Returns: (transfer full): the error text of a response
 */
char *
tau_api_error_text_for_response (TauApiStyle style,
                                 guint       status,
                                 const char *reason,
                                 const char *body,
                                 gssize      length)
{
  gsize size = length < 0 ? strlen (body) : (gsize) length;
  g_autoptr(JsonNode) json = tau_json_parse (body, (gssize) size, NULL);
  g_autofree char *text = dup_shortened (body, size);

  if (json != NULL && !JSON_NODE_HOLDS_OBJECT (json))
    g_clear_pointer (&json, json_node_unref);

  switch (style)
    {
    case TAU_API_STYLE_GOOGLE:
      return text_for_google (status, reason, json, text);

    case TAU_API_STYLE_MISTRAL:
      return g_strdup_printf ("Mistral API error (%u): %s", status, text);

    case TAU_API_STYLE_ANTHROPIC:
    case TAU_API_STYLE_OPENAI:
    default:
      if (text[0] == '\0')
        return g_strdup_printf ("%u status code (no body)", status);
      return style == TAU_API_STYLE_ANTHROPIC ? text_for_anthropic (status, json, text)
                                              : text_for_openai (status, json, text);
    }
}

static char *
dup_host (const char *url)
{
  g_autoptr(GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return g_strdup ("the server");
  if (g_uri_get_port (uri) > 0)
    return g_strdup_printf ("%s:%d", g_uri_get_host (uri), g_uri_get_port (uri));

  return g_strdup (g_uri_get_host (uri));
}

/* What went wrong, in a few words: for the brackets behind a text that does not say. */
static char *
dup_cause (const GError *error,
           const char   *url)
{
  g_autofree char *host = dup_host (url);

  if (error->domain == G_RESOLVER_ERROR)
    return g_strdup_printf ("could not resolve %s", host);
  if (error->domain == G_TLS_ERROR)
    return g_strdup_printf ("TLS with %s: %s", host, error->message);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    return g_strdup_printf ("%s refused the connection", host);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return g_strdup_printf ("%s closed the connection", host);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    return g_strdup_printf ("%s closed the connection in the middle of the answer", host);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PROXY_FAILED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PROXY_AUTH_FAILED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PROXY_NEED_AUTH) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PROXY_NOT_ALLOWED))
    return g_strdup_printf ("proxy: %s", error->message);

  return g_strdup (error->message);
}

/* The head of a response never ended, or had no end in sight. */
static char *
dup_broken_head (const GError *error,
                 const char   *url)
{
  g_autofree char *host = dup_host (url);

  return g_strdup_printf ("%s gave no HTTP answer: %s", host, error->message);
}

/**
 * tau_api_error_text_for_open:
 * @style: whose words
 * @error: why no response came
 * @url: where the request went
 *
 * Returns: (transfer full): the error text
 */
char *
tau_api_error_text_for_open (TauApiStyle   style,
                             const GError *error,
                             const char   *url)
{
  g_autofree char *cause = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_strdup (TAU_API_ABORTED_TEXT);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return g_strdup ("Request timed out.");

  cause = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) ? dup_broken_head (error, url) : dup_cause (error, url);
  switch (style)
    {
    case TAU_API_STYLE_GOOGLE:
      return g_strdup_printf ("fetch failed (%s)", cause);
    case TAU_API_STYLE_MISTRAL:
      return g_strdup_printf ("Unable to make request: TypeError: fetch failed (%s)", cause);
    case TAU_API_STYLE_ANTHROPIC:
    case TAU_API_STYLE_OPENAI:
    default:
      return g_strdup_printf ("Connection error. (%s)", cause);
    }
}

/**
 * tau_api_error_text_for_read:
 * @error: how a stream broke
 * @url: where the request went
 *
 * Returns: (transfer full): the error text
 */
char *
tau_api_error_text_for_read (const GError *error,
                             const char   *url)
{
  g_autofree char *cause = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_strdup (TAU_API_ABORTED_TEXT);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    {
      g_autofree char *host = dup_host (url);

      return g_strdup_printf ("terminated (timeout: %s sent nothing for too long)", host);
    }

  cause = dup_cause (error, url);
  return g_strdup_printf ("terminated (%s)", cause);
}

/**
 * tau_api_error_classify:
 * @text: the error text of a message
 *
 * Says what kind of failure a text is about, so that a person can be told what to do. An estimate: the text is all
 * that a session file keeps.
 *
 * Returns: the kind; %TAU_API_ERROR_PROTOCOL if nothing else fits
 */
TauApiError
tau_api_error_classify (const char *text)
{
  if (tau_api_error_is_overflow_text (text))
    return TAU_API_ERROR_CONTEXT_OVERFLOW;

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (matches (classes[i].pattern, text))
      return classes[i].code;

  return TAU_API_ERROR_PROTOCOL;
}

/**
 * tau_api_error_get_title:
 * @kind: a kind of failure
 *
 * Returns: (transfer none): a sentence for a person
 */
const char *
tau_api_error_get_title (TauApiError kind)
{
  switch (kind)
    {
    case TAU_API_ERROR_AUTH:
      return _("The key was not accepted.");
    case TAU_API_ERROR_RATE_LIMIT:
      return _("Too many requests in a short time.");
    case TAU_API_ERROR_QUOTA:
      return _("The account has no credit left.");
    case TAU_API_ERROR_OVERLOADED:
      return _("The server has too much to do or is broken.");
    case TAU_API_ERROR_CONTEXT_OVERFLOW:
      return _("The conversation is longer than the model can read.");
    case TAU_API_ERROR_INVALID:
      return _("The server did not accept the request.");
    case TAU_API_ERROR_NETWORK:
      return _("The connection to the server failed.");
    case TAU_API_ERROR_PROTOCOL:
    default:
      return _("The answer was not complete.");
    }
}

/**
 * tau_api_error_is_overflow_text:
 * @text: the error text of a message
 *
 * Returns: whether it says that the conversation is longer than the model can read
 */
gboolean
tau_api_error_is_overflow_text (const char *text)
{
  return !matches (NOT_OVERFLOW_PATTERN, text) && matches (OVERFLOW_PATTERN, text);
}

/**
 * tau_api_error_is_overflow:
 * @message: an answer
 * @context_window: tokens that the model can read, 0 if unknown
 *
 * Finds an overflow also where a server says nothing: it counted more tokens than the window holds, or it filled the
 * window and had no room for a single token.
 *
 * Returns: whether the conversation was longer than the model can read
 */
gboolean
tau_api_error_is_overflow (TauAssistantMessage *message,
                           gint64               context_window)
{
  const TauUsage *usage = tau_assistant_message_get_usage (message);
  const char *text = tau_assistant_message_get_error_message (message);
  gint64 read = usage->input + usage->cache_read;

  switch (tau_assistant_message_get_stop_reason (message))
    {
    case TAU_STOP_REASON_ERROR:
      return text != NULL && tau_api_error_is_overflow_text (text);
    case TAU_STOP_REASON_STOP:
      return context_window > 0 && read > context_window;
    case TAU_STOP_REASON_LENGTH:
      return context_window > 0 && usage->output == 0 && (double) read >= 0.99 * (double) context_window;
    case TAU_STOP_REASON_TOOL_USE:
    case TAU_STOP_REASON_ABORTED:
    default:
      return FALSE;
    }
}

/* An empty account does not fill up by waiting, unless the server says when. */
static gboolean
may_pass (const char *text)
{
  return matches (RETRYABLE_PATTERN, text)
         && (tau_api_error_classify (text) != TAU_API_ERROR_QUOTA || tau_retry_read_wait_text (text) >= 0);
}

/**
 * tau_api_error_is_retryable:
 * @message: an answer
 * @context_window: tokens that the model can read, 0 if unknown
 *
 * Returns: whether it failed for a reason that may pass by itself; an overflow never does
 */
gboolean
tau_api_error_is_retryable (TauAssistantMessage *message,
                            gint64               context_window)
{
  const char *text = tau_assistant_message_get_error_message (message);

  return tau_assistant_message_get_stop_reason (message) == TAU_STOP_REASON_ERROR && text != NULL
         && !tau_api_error_is_overflow (message, context_window) && may_pass (text);
}
