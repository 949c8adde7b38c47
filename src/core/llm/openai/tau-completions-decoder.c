/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-completions-decoder.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/llm/openai/tau-completions-encoder.h"
#include "core/llm/tau-encoder.h"

/* Chunks of chat completions → deltas. Pure.
 *
 * One text block and one thinking block stay open for the whole answer; all blocks end together, in their order. In Mistral's
 * dialect text and thinking end each other, and there may be several of each. Where pi and the wire differ, this reads the wire:
 *  - only the first choice counts, by its index and not by its place in the chunk;
 *  - content may be an array of parts (Mistral's reasoning models);
 *  - fragments of a call that carry neither index nor id belong to the last call; a new id under an old index is a new call;
 *  - a call without an id, or with that of another call of the answer, gets one of our own;
 *  - a chunk whose object is "error" (Mistral, vLLM) is one, and its message is the text;
 *  - the end of the bytes without finish_reason and without [DONE] is an error, and so is [DONE] behind nothing. */

#define NO_BLOCK G_MAXUINT

/* Stands in the list of ends for a block that has ended. */
#define ENDED G_MAXUINT

typedef struct
{
  guint    index;       /* position in the message */
  gint64   wire_index;  /* -1: none given */
  char    *id;          /* nullable: as the server gave it */
  gboolean has_id;      /* of its own */
  gboolean has_name;
} Call;

typedef struct
{
  TauDecoder    base;
  gboolean      mistral;        /* the dialect */
  gint64        choice;         /* index of the choice that counts; -1: not known yet */
  guint         text;           /* position of the text block, or NO_BLOCK */
  guint         thinking;
  GArray       *calls;          /* of Call */
  GArray       *ends;           /* of guint: the TauDeltaKind that ends each block, by position; or ENDED */
  gboolean      has_model;
  gboolean      has_reason;
  TauStopReason reason;
  char         *bad_reason;     /* a finish_reason that means failure */
} Decoder;

static void
clear_call (gpointer data)
{
  g_free (((Call *) data)->id);
}

static guint
open_block (Decoder     *self,
            TauDeltaKind start,
            guint        end,
            const char  *id,
            const char  *name)
{
  g_array_append_val (self->ends, end);

  return tau_decoder_open (&self->base, start, id, name);
}

static void
close_block (Decoder *self,
             guint    index)
{
  guint *end = &g_array_index (self->ends, guint, index);

  if (*end != ENDED)
    tau_decoder_close (&self->base, *end, index);
  *end = ENDED;
}

/* Text begins where thinking ends, and the other way round; only Mistral means it so. */
static void
switch_from (Decoder *self,
             guint   *block)
{
  if (!self->mistral || *block == NO_BLOCK)
    return;

  close_block (self, *block);
  *block = NO_BLOCK;
}

static void
take_text (Decoder    *self,
           const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  switch_from (self, &self->thinking);
  if (self->text == NO_BLOCK)
    self->text = open_block (self, TAU_DELTA_TEXT_START, TAU_DELTA_TEXT_END, NULL, NULL);
  tau_decoder_text (&self->base, TAU_DELTA_TEXT, self->text, text);
}

static void
take_thinking (Decoder    *self,
               const char *text,
               const char *field)
{
  if (text == NULL || text[0] == '\0')
    return;
  switch_from (self, &self->text);
  if (self->thinking == NO_BLOCK)
    {
      self->thinking = open_block (self, TAU_DELTA_THINKING_START, TAU_DELTA_THINKING_END, NULL, NULL);
      /* The signature is the name of the field: the encoder sends the reasoning back under it. */
      if (field != NULL)
        tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, self->thinking, field);
    }
  tau_decoder_text (&self->base, TAU_DELTA_THINKING, self->thinking, text);
}

static void
take_parts (Decoder   *self,
            JsonArray *parts)
{
  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);
      JsonArray *thoughts = tau_json_get_array (part, "thinking");

      for (guint j = 0; thoughts != NULL && j < json_array_get_length (thoughts); j++)
        take_thinking (self, tau_json_get_string (json_array_get_element (thoughts, j), "text", NULL), NULL);
      if (thoughts == NULL)
        take_text (self, tau_json_get_string (part, "text", NULL));
    }
}

static void
take_reasoning (Decoder  *self,
                JsonNode *delta)
{
  static const char * const fields[] = { "reasoning_content", "reasoning", "reasoning_text" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = tau_json_get_string (delta, fields[i], NULL);

      if (text != NULL && text[0] != '\0')
        {
          take_thinking (self, text, fields[i]);
          return;
        }
    }
}

static Call *
find_call (Decoder    *self,
           gint64      wire_index,
           const char *id)
{
  gboolean has_id = id != NULL && id[0] != '\0';

  for (guint i = 0; i < self->calls->len; i++)
    {
      Call *call = &g_array_index (self->calls, Call, i);
      gboolean same_id = g_strcmp0 (call->id, id) == 0;

      if (wire_index >= 0 && call->wire_index == wire_index && (!has_id || call->id == NULL || same_id))
        return call;
      if (wire_index < 0 && has_id && same_id)
        return call;
    }
  if (wire_index < 0 && !has_id && self->calls->len > 0)
    return &g_array_index (self->calls, Call, self->calls->len - 1);

  return NULL;
}

/* Mistral wants nine letters and digits for each call, and sometimes sends none: pi's rule makes them from the index, so that
 * parallel calls can be told apart. A real id that comes later still replaces it. */
static char *
make_mistral_id (Decoder *self,
                 gint64   wire_index)
{
  g_autofree char *seed = g_strdup_printf ("toolcall%" G_GINT64_FORMAT, wire_index >= 0 ? wire_index : (gint64) self->calls->len);
  g_autofree char *hash = tau_encoder_short_hash (seed);

  return g_strndup (strlen (seed) == 9 ? seed : hash, 9);
}

static gboolean
is_id_taken (Decoder    *self,
             const char *id)
{
  for (guint i = 0; i < self->calls->len; i++)
    if (g_strcmp0 (g_array_index (self->calls, Call, i).id, id) == 0)
      return TRUE;

  return FALSE;
}

static Call *
add_call (Decoder    *self,
          gint64      wire_index,
          const char *id,
          const char *name)
{
  g_autofree char *made = self->mistral && id == NULL ? make_mistral_id (self, wire_index) : NULL;
  const char *own = made != NULL ? made : id == NULL || is_id_taken (self, id) ? "" : id;
  Call call = {
    .index = open_block (self, TAU_DELTA_TOOL_CALL_START, TAU_DELTA_TOOL_CALL_END, own, name),
    .wire_index = wire_index,
    .id = id != NULL && id[0] != '\0' ? g_strdup (id) : NULL,
    .has_id = own[0] != '\0',
    .has_name = name != NULL && name[0] != '\0',
  };

  g_array_append_val (self->calls, call);

  return &g_array_index (self->calls, Call, self->calls->len - 1);
}

/* Id and name may come after the call was opened; later ones do not replace them. */
static void
complete_call (Decoder    *self,
               Call       *call,
               const char *id,
               const char *name)
{
  gboolean late_id = call->id == NULL && id != NULL && id[0] != '\0';
  gboolean late_name = !call->has_name && name != NULL && name[0] != '\0';

  if (!late_id && !late_name)
    return;

  if (late_id)
    {
      late_id = !is_id_taken (self, id);
      call->id = g_strdup (id);
      call->has_id |= late_id;
    }
  call->has_name |= late_name;
  tau_decoder_call (&self->base, call->index, late_id ? id : NULL, late_name ? name : NULL);
}

/* Mistral writes the word null where it has no id. */
static const char *
get_call_id (Decoder  *self,
             JsonNode *entry)
{
  const char *id = tau_json_get_string (entry, "id", NULL);

  return self->mistral && id != NULL && (*id == '\0' || g_str_equal (id, "null")) ? NULL : id;
}

static void
take_call (Decoder  *self,
           JsonNode *entry)
{
  gint64 wire_index = tau_json_get_int (entry, "index", -1);
  const char *id = get_call_id (self, entry);
  const char *name = tau_json_get_string (entry, "function.name", NULL);
  const char *fragment = tau_json_get_string (entry, "function.arguments", NULL);
  g_autofree char *whole = NULL;
  Call *call = find_call (self, wire_index, id);

  if (call == NULL)
    call = add_call (self, wire_index, id, name);
  else
    complete_call (self, call, id, name);

  /* Some servers send the arguments as an object and not as text. */
  if (fragment == NULL && tau_json_get_object (entry, "function.arguments") != NULL)
    fragment = whole = tau_json_to_string (tau_json_get (entry, "function.arguments"));
  tau_decoder_text (&self->base, TAU_DELTA_TOOL_CALL, call->index, fragment != NULL ? fragment : "");
}

static void
take_calls (Decoder  *self,
            JsonNode *delta)
{
  JsonArray *entries = tau_json_get_array (delta, "tool_calls");

  for (guint i = 0; entries != NULL && i < json_array_get_length (entries); i++)
    if (JSON_NODE_HOLDS_OBJECT (json_array_get_element (entries, i)))
      take_call (self, json_array_get_element (entries, i));
}

/* Encrypted reasoning belongs to the call of that id and is kept as its signature. */
static void
take_details (Decoder  *self,
              JsonNode *delta)
{
  JsonArray *details = tau_json_get_array (delta, "reasoning_details");

  for (guint i = 0; details != NULL && i < json_array_get_length (details); i++)
    {
      JsonNode *detail = json_array_get_element (details, i);
      const char *id = tau_json_get_string (detail, "id", NULL);

      if (id == NULL || tau_json_get_string (detail, "data", NULL) == NULL ||
          g_strcmp0 (tau_json_get_string (detail, "type", NULL), "reasoning.encrypted") != 0)
        continue;

      for (guint j = 0; j < self->calls->len; j++)
        {
          Call *call = &g_array_index (self->calls, Call, j);
          g_autofree char *json = NULL;

          if (g_strcmp0 (call->id, id) != 0)
            continue;
          json = tau_json_to_string (detail);
          tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, call->index, json);
        }
    }
}

static void
take_usage (Decoder  *self,
            JsonNode *usage)
{
  TauUsage *own = &self->base.usage;
  gint64 prompt = tau_json_get_int (usage, "prompt_tokens", 0);
  gint64 cached = tau_json_get_int (usage, "prompt_tokens_details.cached_tokens", 0);
  gint64 written = tau_json_get_int (usage, "prompt_tokens_details.cache_write_tokens", 0);

  if (cached == 0)
    cached = tau_json_get_int (usage, "prompt_cache_hit_tokens", 0);

  *own = (TauUsage) {
    .cache_read = written > 0 ? MAX (0, cached - written) : cached,
    .cache_write = written,
    .output = tau_json_get_int (usage, "completion_tokens", 0),
  };
  own->input = MAX (0, prompt - own->cache_read - own->cache_write);
  own->total_tokens = own->input + own->output + own->cache_read + own->cache_write;
  tau_decoder_usage (&self->base);
}

static const struct
{
  const char   *name;
  TauStopReason reason;
}
finish_reasons[] = {
  { "stop", TAU_STOP_REASON_STOP },
  { "end", TAU_STOP_REASON_STOP },
  { "length", TAU_STOP_REASON_LENGTH },
  { "model_length", TAU_STOP_REASON_LENGTH },
  { "tool_calls", TAU_STOP_REASON_TOOL_USE },
  { "function_call", TAU_STOP_REASON_TOOL_USE },
};

static void
take_finish_reason (Decoder    *self,
                    const char *name)
{
  if (name == NULL || name[0] == '\0')
    return;

  self->has_reason = TRUE;
  self->reason = TAU_STOP_REASON_ERROR;
  g_clear_pointer (&self->bad_reason, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (finish_reasons); i++)
    if (g_str_equal (finish_reasons[i].name, name))
      self->reason = finish_reasons[i].reason;
  if (self->reason == TAU_STOP_REASON_ERROR)
    self->bad_reason = g_strdup (name);
}

static JsonNode *
find_choice (Decoder  *self,
             JsonNode *chunk)
{
  JsonArray *choices = tau_json_get_array (chunk, "choices");

  for (guint i = 0; choices != NULL && i < json_array_get_length (choices); i++)
    {
      JsonNode *choice = json_array_get_element (choices, i);
      gint64 index = tau_json_get_int (choice, "index", 0);

      if (self->choice < 0)
        self->choice = index;
      if (index == self->choice)
        return choice;
    }

  return NULL;
}

static void
take_choice (Decoder  *self,
             JsonNode *choice)
{
  JsonNode *delta = tau_json_get (choice, "delta");
  JsonArray *parts = tau_json_get_array (delta, "content");

  take_finish_reason (self, tau_json_get_string (choice, "finish_reason", NULL));
  if (parts != NULL)
    take_parts (self, parts);
  else
    take_text (self, tau_json_get_string (delta, "content", NULL));
  take_reasoning (self, delta);
  take_calls (self, delta);
  take_details (self, delta);
}

static void
take_head (Decoder  *self,
           JsonNode *chunk)
{
  const char *model = tau_json_get_string (chunk, "model", NULL);

  tau_decoder_response_id (&self->base, tau_json_get_string (chunk, "id", NULL));
  if (!self->has_model && model != NULL && model[0] != '\0' && !g_str_equal (model, self->base.model_id))
    {
      TauDelta delta = { .kind = TAU_DELTA_RESPONSE_MODEL, .text = model, .length = -1 };

      self->has_model = TRUE;
      self->base.sink (&delta, self->base.sink_data);
    }
}

static void
name_calls (Decoder *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      Call *call = &g_array_index (self->calls, Call, i);
      g_autofree char *id = NULL;

      if (call->has_id)
        continue;
      id = tau_decoder_make_call_id ("call");
      tau_decoder_call (&self->base, call->index, id, NULL);
      call->has_id = TRUE;
    }
}

static void
close_all (Decoder *self)
{
  name_calls (self);
  for (guint i = 0; i < self->ends->len; i++)
    close_block (self, i);
}

/* @done: the server sent [DONE]. */
static void
end (Decoder *self,
     gboolean done)
{
  if (!self->has_reason && (!done || self->base.n_blocks == 0))
    return;

  close_all (self);
  if (self->bad_reason != NULL)
    tau_decoder_fail (&self->base, "Provider finish_reason: %s", self->bad_reason);
  else
    tau_decoder_end (&self->base, self->has_reason ? self->reason : TAU_STOP_REASON_STOP);
}

/* What a server sends as "error" when all is well. */
static gboolean
is_error (JsonNode *node)
{
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return FALSE;

  return !JSON_NODE_HOLDS_VALUE (node) || tau_json_get_bool (node, NULL, TRUE);
}

static void
take (TauDecoder *base,
      const char *name,
      const char *data,
      gsize       length)
{
  Decoder *self = (Decoder *) base;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) chunk = NULL;
  JsonNode *choice, *usage;

  if (g_str_has_prefix (data, "[DONE]"))
    {
      end (self, TRUE);
      if (tau_decoder_wants_more (base))
        tau_decoder_fail (base, "Stream ended without an answer");
      return;
    }

  chunk = tau_json_parse (data, (gssize) length, &error);
  if (chunk == NULL)
    {
      tau_decoder_bad_event (base, error);
      return;
    }
  if (!JSON_NODE_HOLDS_OBJECT (chunk))
    return;

  choice = find_choice (self, chunk);
  usage = tau_json_get (chunk, "usage");
  if (usage == NULL || JSON_NODE_HOLDS_NULL (usage))
    usage = tau_json_get (choice, "usage");
  if (usage != NULL && JSON_NODE_HOLDS_OBJECT (usage))
    take_usage (self, usage);
  if (is_error (tau_json_get (chunk, "error")))
    {
      tau_decoder_take_error (base, tau_api_error_text_for_object (tau_json_get (chunk, "error")));
      return;
    }
  if (g_str_equal (tau_json_get_string (chunk, "object", ""), "error"))
    {
      tau_decoder_take_error (base, tau_api_error_text_for_object (chunk));
      return;
    }
  take_head (self, chunk);
  if (choice != NULL)
    take_choice (self, choice);
}

static void
finish (TauDecoder *base)
{
  if (!base->ended)
    end ((Decoder *) base, FALSE);
}

static void
clear (TauDecoder *base)
{
  Decoder *self = (Decoder *) base;

  g_array_unref (self->calls);
  g_array_unref (self->ends);
  g_free (self->bad_reason);
}

static const TauDecoderClass decoder_class = { sizeof (Decoder), take, finish, clear };

/**
 * tau_completions_decoder_new:
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Format: event stream of OpenAI's Chat Completions API and its dialects.
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_completions_decoder_new (TauRequest  *request,
                             TauDeltaSink sink,
                             gpointer     sink_data)
{
  Decoder *self = (Decoder *) tau_decoder_new (&decoder_class, request, sink, sink_data);

  self->choice = -1;
  self->text = NO_BLOCK;
  self->thinking = NO_BLOCK;
  self->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  g_array_set_clear_func (self->calls, clear_call);
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint));

  return &self->base;
}

/**
 * tau_mistral_decoder_new:
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Format: event stream of Mistral's chat completions.
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_mistral_decoder_new (TauRequest  *request,
                         TauDeltaSink sink,
                         gpointer     sink_data)
{
  TauDecoder *base = tau_completions_decoder_new (request, sink, sink_data);

  ((Decoder *) base)->mistral = TRUE;

  return base;
}

/**
 * tau_completions_protocol:
 *
 * Returns: (transfer none): the API "openai-completions"
 */
const TauProtocol *
tau_completions_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "openai-completions",
    .style = TAU_API_STYLE_OPENAI,
    .repeats = TRUE,
    .encode = tau_completions_encode,
    .new_decoder = tau_completions_decoder_new,
  };

  return &protocol;
}
