/* SPDX-License-Identifier: MIT */
#include "core/llm/google/tau-google-decoder.h"

#include "core/base/tau-json.h"
#include "core/llm/google/tau-google-encoder.h"

/* Chunks of Google's streamGenerateContent → deltas. Pure but for the ids of calls, which the server may leave to us.
 *
 * Where pi and the wire differ, this reads the wire: an error inside a chunk fails the answer, a blocked prompt is an
 * error, and so are bytes that end without a finish reason. */

typedef struct
{
  TauDecoder    base;
  gboolean      open;            /* a text or thinking block is open */
  gboolean      thinking;        /* which of the two */
  guint         index;           /* its position */
  GHashTable   *call_ids;        /* set: used in this answer */
  gboolean      has_reason;
  TauStopReason reason;
  char         *bad_reason;      /* nullable: a finish reason that means failure */
  gboolean      is_known;        /* that reason is one of the API's */
} Decoder;

static void
close_block (Decoder *self)
{
  if (self->open)
    tau_decoder_close (&self->base, self->thinking ? TAU_DELTA_THINKING_END : TAU_DELTA_TEXT_END, self->index);
  self->open = FALSE;
}

static void
take_signature (Decoder  *self,
                JsonNode *part,
                guint     index)
{
  const char *signature = tau_json_get_string (part, "thoughtSignature", NULL);

  if (signature != NULL && signature[0] != '\0')
    tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, index, signature);
}

static void
take_text (Decoder  *self,
           JsonNode *part)
{
  gboolean thinking = tau_json_get_bool (part, "thought", FALSE);

  if (self->open && self->thinking != thinking)
    close_block (self);
  if (!self->open)
    {
      self->index = tau_decoder_open (&self->base, thinking ? TAU_DELTA_THINKING_START : TAU_DELTA_TEXT_START, NULL, NULL);
      self->open = TRUE;
      self->thinking = thinking;
    }
  tau_decoder_text (&self->base, thinking ? TAU_DELTA_THINKING : TAU_DELTA_TEXT, self->index,
                    tau_json_get_string (part, "text", ""));
  take_signature (self, part, self->index);
}

static char *
make_call_id (Decoder    *self,
              const char *given,
              const char *name)
{
  char *id = given != NULL && given[0] != '\0' && !g_hash_table_contains (self->call_ids, given)
               ? g_strdup (given)
               : tau_decoder_make_call_id (name);

  g_hash_table_add (self->call_ids, g_strdup (id));

  return id;
}

static void
take_call (Decoder  *self,
           JsonNode *part)
{
  const char *name = tau_json_get_string (part, "functionCall.name", "");
  g_autofree char *id = make_call_id (self, tau_json_get_string (part, "functionCall.id", NULL), name);
  JsonNode *arguments = tau_json_get (part, "functionCall.args");
  g_autofree char *json = arguments != NULL ? tau_json_to_string (arguments) : g_strdup ("{}");
  guint index;

  close_block (self);
  index = tau_decoder_open (&self->base, TAU_DELTA_TOOL_CALL_START, id, name);
  tau_decoder_text (&self->base, TAU_DELTA_TOOL_CALL, index, json);
  take_signature (self, part, index);
  tau_decoder_close (&self->base, TAU_DELTA_TOOL_CALL_END, index);
}

static void
take_parts (Decoder   *self,
            JsonArray *parts)
{
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);

      if (tau_json_get_string (part, "text", NULL) != NULL)
        take_text (self, part);
      if (tau_json_get_object (part, "functionCall") != NULL)
        take_call (self, part);
    }
}

static void
take_usage (Decoder  *self,
            JsonNode *usage)
{
  gint64 cached = tau_json_get_int (usage, "cachedContentTokenCount", 0);

  self->base.usage = (TauUsage) {
    .input = tau_json_get_int (usage, "promptTokenCount", 0) - cached,
    .output = tau_json_get_int (usage, "candidatesTokenCount", 0) + tau_json_get_int (usage, "thoughtsTokenCount", 0),
    .cache_read = cached,
    .total_tokens = tau_json_get_int (usage, "totalTokenCount", 0),
  };
  tau_decoder_usage (&self->base);
}

/* Reasons of the API that mean that there is no usable answer. */
static const char * const bad_reasons[] = {
  "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL",
  "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER", "NO_IMAGE", "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "FINISH_REASON_UNSPECIFIED",
};

static void
take_finish_reason (Decoder    *self,
                    const char *name)
{
  self->has_reason = TRUE;
  self->is_known = FALSE;
  g_clear_pointer (&self->bad_reason, g_free);
  if (g_str_equal (name, "STOP"))
    self->reason = TAU_STOP_REASON_STOP;
  else if (g_str_equal (name, "MAX_TOKENS"))
    self->reason = TAU_STOP_REASON_LENGTH;
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (bad_reasons); i++)
        self->is_known |= g_str_equal (bad_reasons[i], name);
      self->bad_reason = g_strdup (name);
    }
}

/* The error of a chunk, in whatever form: an object, a mere text, or inside an array as without an event stream. */
static JsonNode *
find_error (JsonNode *chunk)
{
  JsonNode *error = tau_json_get (chunk, JSON_NODE_HOLDS_ARRAY (chunk) ? "0.error" : "error");

  return error != NULL && !JSON_NODE_HOLDS_NULL (error) ? error : NULL;
}

static void
take_error (Decoder    *self,
            JsonNode   *error,
            const char *data)
{
  tau_decoder_fail (&self->base, "got status: %s. %s", tau_json_get_string (error, "status", "unknown"), data);
}

static void
take (TauDecoder *base,
      const char *name,
      const char *data,
      gsize       length)
{
  Decoder *self = (Decoder *) base;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) chunk = tau_json_parse (data, (gssize) length, &error);
  const char *reason;

  if (chunk == NULL)
    {
      tau_decoder_bad_event (base, error);
      return;
    }
  if (find_error (chunk) != NULL)
    {
      take_error (self, find_error (chunk), data);
      return;
    }

  tau_decoder_response_id (base, tau_json_get_string (chunk, "responseId", NULL));
  take_parts (self, tau_json_get_array (chunk, "candidates.0.content.parts"));
  if (tau_json_get_object (chunk, "usageMetadata") != NULL)
    take_usage (self, tau_json_get (chunk, "usageMetadata"));
  if ((reason = tau_json_get_string (chunk, "candidates.0.finishReason", NULL)) != NULL)
    take_finish_reason (self, reason);
  else if ((reason = tau_json_get_string (chunk, "promptFeedback.blockReason", NULL)) != NULL)
    tau_decoder_fail (base, TAU_API_UNKNOWN_TEXT " (the prompt was blocked: %s)", reason);
}

/* A call counts whatever the reason: it is complete once it is there. */
static void
finish (TauDecoder *base)
{
  Decoder *self = (Decoder *) base;

  if (!self->has_reason)
    return;

  close_block (self);
  if (base->has_tool_calls)
    tau_decoder_end (base, TAU_STOP_REASON_TOOL_USE);
  else if (self->bad_reason != NULL && !self->is_known)
    tau_decoder_fail (base, "Unhandled stop reason: %s", self->bad_reason);
  else if (self->bad_reason != NULL)
    tau_decoder_fail (base, TAU_API_UNKNOWN_TEXT " (finish reason: %s)", self->bad_reason);
  else
    tau_decoder_end (base, self->reason);
}

static void
clear (TauDecoder *base)
{
  Decoder *self = (Decoder *) base;

  g_hash_table_unref (self->call_ids);
  g_free (self->bad_reason);
}

static const TauDecoderClass decoder_class = { sizeof (Decoder), take, finish, clear };

/**
 * tau_google_decoder_new:
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Format: event stream of Google's Generative Language API, v1beta.
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_google_decoder_new (TauRequest  *request,
                        TauDeltaSink sink,
                        gpointer     sink_data)
{
  Decoder *self = (Decoder *) tau_decoder_new (&decoder_class, request, sink, sink_data);

  self->call_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return &self->base;
}

/**
 * tau_google_protocol:
 *
 * Returns: (transfer none): the API "google-generative-ai"
 */
const TauProtocol *
tau_google_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "google-generative-ai",
    .style = TAU_API_STYLE_GOOGLE,
    .repeats = FALSE,
    .encode = tau_google_encode,
    .new_decoder = tau_google_decoder_new,
  };

  return &protocol;
}
