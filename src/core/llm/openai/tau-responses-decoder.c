/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-responses-decoder.h"

#include "core/base/tau-json.h"
#include "core/llm/openai/tau-responses-encoder.h"

#include <string.h>

/* Events of OpenAI's Responses API → deltas. Pure.
 *
 * Where pi and the wire differ, this reads the wire: response.incomplete ends the answer as "length" with its usage; bytes that
 * end before the response does are an error; deltas find their block by output_index. */

typedef enum
{
  ITEM_THINKING,
  ITEM_TEXT,
  ITEM_CALL,
} ItemKind;

typedef struct
{
  ItemKind kind;
  gint64   output_index;
  guint    index;          /* position in the message */
  gboolean closed;
  gboolean has_part;       /* a summary part was added */
  char    *part_type;      /* nullable: of the content part that was added last */
  GString *text;           /* text, or arguments, as sent so far */
} Item;

typedef struct
{
  TauDecoder base;
  GPtrArray *items;        /* of Item */
} Decoder;

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->part_type);
  g_string_free (item->text, TRUE);
  g_free (item);
}

/* The open item of an event; the last one if the event does not say. */
static Item *
find_item (Decoder  *self,
           JsonNode *event)
{
  gint64 output_index = tau_json_get_int (event, "output_index", -1);

  for (guint i = self->items->len; i-- > 0;)
    {
      Item *item = g_ptr_array_index (self->items, i);

      if (!item->closed && (output_index < 0 || item->output_index == output_index))
        return item;
    }

  return NULL;
}

static void
append (Decoder     *self,
        Item        *item,
        TauDeltaKind kind,
        const char  *text)
{
  g_string_append (item->text, text);
  tau_decoder_text (&self->base, kind, item->index, text);
}

static void
replace (Decoder    *self,
         Item       *item,
         const char *text)
{
  if (g_str_equal (item->text->str, text))
    return;

  g_string_assign (item->text, text);
  tau_decoder_text (&self->base, TAU_DELTA_SET_TEXT, item->index, text);
}

static gboolean
read_kind (JsonNode *event,
           ItemKind *kind)
{
  const char *type = tau_json_get_string (event, "item.type", "");

  if (g_str_equal (type, "reasoning"))
    *kind = ITEM_THINKING;
  else if (g_str_equal (type, "message"))
    *kind = ITEM_TEXT;
  else if (g_str_equal (type, "function_call"))
    *kind = ITEM_CALL;
  else
    return FALSE;

  return TRUE;
}

static void
open_call (Decoder  *self,
           Item     *item,
           JsonNode *event)
{
  const char *item_id = tau_json_get_string (event, "item.id", "");
  g_autofree char *id = g_strconcat (tau_json_get_string (event, "item.call_id", ""), "|", item_id, NULL);

  item->index = tau_decoder_open (&self->base, TAU_DELTA_TOOL_CALL_START, id, tau_json_get_string (event, "item.name", ""));
  replace (self, item, tau_json_get_string (event, "item.arguments", ""));
}

static Item *
open_item (Decoder  *self,
           JsonNode *event)
{
  ItemKind kind;
  Item *item;

  if (!read_kind (event, &kind))
    return NULL;

  item = g_new0 (Item, 1);
  item->kind = kind;
  item->output_index = tau_json_get_int (event, "output_index", -1);
  item->text = g_string_new (NULL);
  g_ptr_array_add (self->items, item);
  if (kind == ITEM_CALL)
    open_call (self, item, event);
  else
    item->index = tau_decoder_open (&self->base, kind == ITEM_TEXT ? TAU_DELTA_TEXT_START : TAU_DELTA_THINKING_START, NULL, NULL);

  return item;
}

static void
take_item_added (Decoder  *self,
                 JsonNode *event)
{
  open_item (self, event);
}

static void
take_summary_part_added (Decoder  *self,
                         JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item != NULL)
    item->has_part = TRUE;
}

static void
take_summary_delta (Decoder  *self,
                    JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item != NULL && item->kind == ITEM_THINKING && item->has_part)
    append (self, item, TAU_DELTA_THINKING, tau_json_get_string (event, "delta", ""));
}

static void
take_summary_part_done (Decoder  *self,
                        JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item != NULL && item->kind == ITEM_THINKING && item->has_part)
    append (self, item, TAU_DELTA_THINKING, "\n\n");
}

static void
take_reasoning_delta (Decoder  *self,
                      JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item != NULL && item->kind == ITEM_THINKING)
    append (self, item, TAU_DELTA_THINKING, tau_json_get_string (event, "delta", ""));
}

static void
take_part_added (Decoder  *self,
                 JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item == NULL)
    return;

  g_free (item->part_type);
  item->part_type = g_strdup (tau_json_get_string (event, "part.type", NULL));
}

static void
take_text_delta (Decoder    *self,
                 JsonNode   *event,
                 const char *part_type)
{
  Item *item = find_item (self, event);

  if (item != NULL && item->kind == ITEM_TEXT && (item->part_type == NULL || g_str_equal (item->part_type, part_type)))
    append (self, item, TAU_DELTA_TEXT, tau_json_get_string (event, "delta", ""));
}

static void
take_output_delta (Decoder  *self,
                   JsonNode *event)
{
  take_text_delta (self, event, "output_text");
}

static void
take_refusal_delta (Decoder  *self,
                    JsonNode *event)
{
  take_text_delta (self, event, "refusal");
}

static void
take_arguments_delta (Decoder  *self,
                      JsonNode *event)
{
  Item *item = find_item (self, event);

  if (item != NULL && item->kind == ITEM_CALL)
    append (self, item, TAU_DELTA_TOOL_CALL, tau_json_get_string (event, "delta", ""));
}

/* The whole arguments. If they go on where the fragments ended, the rest comes as one more fragment. */
static void
take_arguments_done (Decoder  *self,
                     JsonNode *event)
{
  Item *item = find_item (self, event);
  const char *whole = tau_json_get_string (event, "arguments", NULL);

  if (item == NULL || item->kind != ITEM_CALL || whole == NULL)
    return;

  if (g_str_has_prefix (whole, item->text->str) && strlen (whole) > item->text->len)
    append (self, item, TAU_DELTA_TOOL_CALL, whole + item->text->len);
  else
    replace (self, item, whole);
}

/* The "text" members of an array of parts; NULL if there are none. */
static char *
join_parts (JsonNode   *event,
            const char *path,
            const char *separator)
{
  JsonArray *parts = tau_json_get_array (event, path);
  g_autoptr(GString) out = NULL;

  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);
      const char *text = tau_json_get_string (part, "text", tau_json_get_string (part, "refusal", NULL));

      if (text == NULL)
        continue;
      if (out == NULL)
        out = g_string_new (NULL);
      else
        g_string_append (out, separator);
      g_string_append (out, text);
    }

  return out != NULL ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static void
close_thinking (Decoder  *self,
                Item     *item,
                JsonNode *event)
{
  g_autofree char *summary = join_parts (event, "item.summary", "\n\n");
  g_autofree char *content = join_parts (event, "item.content", "\n\n");
  g_autofree char *json = tau_json_to_string (tau_json_get (event, "item"));

  if (summary != NULL && summary[0] != '\0')
    replace (self, item, summary);
  else if (content != NULL && content[0] != '\0')
    replace (self, item, content);
  tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, item->index, json);
  tau_decoder_close (&self->base, TAU_DELTA_THINKING_END, item->index);
}

static char *
make_text_signature (JsonNode *event)
{
  const char *phase = tau_json_get_string (event, "item.phase", NULL);
  g_autoptr(GString) out = g_string_new ("{\"v\":1,\"id\":");

  tau_json_append_string (out, tau_json_get_string (event, "item.id", ""));
  if (phase != NULL)
    {
      g_string_append (out, ",\"phase\":");
      tau_json_append_string (out, phase);
    }
  g_string_append_c (out, '}');

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
close_text (Decoder  *self,
            Item     *item,
            JsonNode *event)
{
  g_autofree char *text = join_parts (event, "item.content", "");
  g_autofree char *signature = make_text_signature (event);

  if (text != NULL)
    replace (self, item, text);
  tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, item->index, signature);
  tau_decoder_close (&self->base, TAU_DELTA_TEXT_END, item->index);
}

static void
take_item_done (Decoder  *self,
                JsonNode *event)
{
  Item *item = find_item (self, event);
  ItemKind kind;

  if (!read_kind (event, &kind))
    return;
  /* Some servers leave out the event that opens an item. */
  if (item == NULL || item->kind != kind)
    item = open_item (self, event);

  item->closed = TRUE;
  switch (kind)
    {
    case ITEM_THINKING:
      close_thinking (self, item, event);
      break;
    case ITEM_TEXT:
      close_text (self, item, event);
      break;
    case ITEM_CALL:
    default:
      if (item->text->len == 0)
        replace (self, item, tau_json_get_string (event, "item.arguments", ""));
      tau_decoder_close (&self->base, TAU_DELTA_TOOL_CALL_END, item->index);
      break;
    }
}

static void
take_created (Decoder  *self,
              JsonNode *event)
{
  tau_decoder_response_id (&self->base, tau_json_get_string (event, "response.id", NULL));
}

/* OpenAI's price list: tiers that are cheaper and later, or dearer and sooner. */
static double
tier_factor (Decoder    *self,
             const char *tier)
{
  if (g_strcmp0 (tier, "flex") == 0)
    return 0.5;
  if (g_strcmp0 (tier, "priority") == 0)
    return g_str_equal (self->base.model_id, "gpt-5.5") ? 2.5 : 2;

  return 1;
}

static void
take_usage (Decoder  *self,
            JsonNode *response)
{
  TauPrices *prices = &self->base.prices;
  double factor = tier_factor (self, tau_json_get_string (response, "service_tier", NULL));
  gint64 cached = tau_json_get_int (response, "usage.input_tokens_details.cached_tokens", 0);

  if (tau_json_get_object (response, "usage") == NULL)
    return;

  prices->input *= factor;
  prices->output *= factor;
  prices->cache_read *= factor;
  prices->cache_write *= factor;
  self->base.usage = (TauUsage) {
    .input = tau_json_get_int (response, "usage.input_tokens", 0) - cached,
    .output = tau_json_get_int (response, "usage.output_tokens", 0),
    .cache_read = cached,
    .total_tokens = tau_json_get_int (response, "usage.total_tokens", 0),
  };
  tau_decoder_usage (&self->base);
}

static const struct
{
  const char   *status;
  TauStopReason reason;
}
statuses[] = {
  { "completed", TAU_STOP_REASON_STOP },
  { "in_progress", TAU_STOP_REASON_STOP },
  { "queued", TAU_STOP_REASON_STOP },
  { "incomplete", TAU_STOP_REASON_LENGTH },
  { "failed", TAU_STOP_REASON_ERROR },
  { "cancelled", TAU_STOP_REASON_ERROR },
};

static void
end_with_status (Decoder    *self,
                 const char *status)
{
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    if (g_str_equal (statuses[i].status, status))
      {
        TauStopReason reason = statuses[i].reason;

        if (reason == TAU_STOP_REASON_STOP && self->base.has_tool_calls)
          reason = TAU_STOP_REASON_TOOL_USE;
        tau_decoder_end (&self->base, reason);
        return;
      }

  tau_decoder_fail (&self->base, "Unhandled stop reason: %s", status);
}

static void
take_completed (Decoder  *self,
                JsonNode *event)
{
  JsonNode *response = tau_json_get (event, "response");

  tau_decoder_response_id (&self->base, tau_json_get_string (response, "id", NULL));
  take_usage (self, response);
  end_with_status (self, tau_json_get_string (response, "status", "completed"));
}

static void
take_incomplete (Decoder  *self,
                 JsonNode *event)
{
  const char *reason = tau_json_get_string (event, "response.incomplete_details.reason", "max_output_tokens");

  tau_decoder_response_id (&self->base, tau_json_get_string (event, "response.id", NULL));
  take_usage (self, tau_json_get (event, "response"));
  if (g_str_equal (reason, "max_output_tokens"))
    tau_decoder_end (&self->base, TAU_STOP_REASON_LENGTH);
  else
    tau_decoder_fail (&self->base, "incomplete: %s", reason);
}

static void
take_failed (Decoder  *self,
             JsonNode *event)
{
  const char *reason = tau_json_get_string (event, "response.incomplete_details.reason", NULL);

  if (tau_json_get_object (event, "response.error") != NULL)
    tau_decoder_fail (&self->base, "%s: %s", tau_json_get_string (event, "response.error.code", "unknown"),
                      tau_json_get_string (event, "response.error.message", "no message"));
  else if (reason != NULL)
    tau_decoder_fail (&self->base, "incomplete: %s", reason);
  else
    tau_decoder_fail (&self->base, "Unknown error (no error details in response)");
}

static void
take_error (Decoder  *self,
            JsonNode *event)
{
  g_autofree char *code = NULL;
  JsonNode *node = tau_json_get (event, "code");

  if (tau_json_get (event, "message") == NULL && tau_json_get_object (event, "error") != NULL)
    {
      tau_decoder_take_error (&self->base, tau_api_error_text_for_object (tau_json_get (event, "error")));
      return;
    }

  code = node == NULL ? g_strdup ("undefined") : g_strdup (tau_json_get_string (node, NULL, NULL));
  if (code == NULL)
    code = tau_json_to_string (node);
  tau_decoder_fail (&self->base, "Error Code %s: %s", code, tau_json_get_string (event, "message", "undefined"));
}

static const struct
{
  const char *type;
  void      (*take) (Decoder *self, JsonNode *event);
}
events[] = {
  { "response.output_text.delta", take_output_delta },
  { "response.function_call_arguments.delta", take_arguments_delta },
  { "response.reasoning_summary_text.delta", take_summary_delta },
  { "response.reasoning_text.delta", take_reasoning_delta },
  { "response.refusal.delta", take_refusal_delta },
  { "response.created", take_created },
  { "response.output_item.added", take_item_added },
  { "response.reasoning_summary_part.added", take_summary_part_added },
  { "response.reasoning_summary_part.done", take_summary_part_done },
  { "response.content_part.added", take_part_added },
  { "response.function_call_arguments.done", take_arguments_done },
  { "response.output_item.done", take_item_done },
  { "response.completed", take_completed },
  { "response.incomplete", take_incomplete },
  { "response.failed", take_failed },
  { "error", take_error },
};

static void
take (TauDecoder *base,
      const char *name,
      const char *data,
      gsize       length)
{
  Decoder *self = (Decoder *) base;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) event = NULL;
  const char *type;

  if (g_str_has_prefix (data, "[DONE]"))
    return;

  event = tau_json_parse (data, (gssize) length, &error);
  if (event == NULL)
    {
      tau_decoder_bad_event (base, error);
      return;
    }

  type = tau_json_get_string (event, "type", tau_json_get_object (event, "error") != NULL ? "error" : name);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    if (g_str_equal (events[i].type, type))
      {
        events[i].take (self, event);
        return;
      }
}

static void
clear (TauDecoder *base)
{
  g_ptr_array_unref (((Decoder *) base)->items);
}

static const TauDecoderClass decoder_class = { sizeof (Decoder), take, NULL, clear };

/**
 * tau_responses_decoder_new:
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Format: event stream of OpenAI's Responses API.
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_responses_decoder_new (TauRequest  *request,
                           TauDeltaSink sink,
                           gpointer     sink_data)
{
  Decoder *self = (Decoder *) tau_decoder_new (&decoder_class, request, sink, sink_data);

  self->items = g_ptr_array_new_with_free_func (item_free);

  return &self->base;
}

/**
 * tau_responses_protocol:
 *
 * Returns: (transfer none): the API "openai-responses"
 */
const TauProtocol *
tau_responses_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "openai-responses",
    .style = TAU_API_STYLE_OPENAI,
    .repeats = TRUE,
    .encode = tau_responses_encode,
    .new_decoder = tau_responses_decoder_new,
  };

  return &protocol;
}

/**
 * tau_azure_responses_protocol:
 *
 * Returns: (transfer none): the API "azure-openai-responses"
 */
const TauProtocol *
tau_azure_responses_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "azure-openai-responses",
    .style = TAU_API_STYLE_OPENAI,
    .repeats = TRUE,
    .encode = tau_azure_responses_encode,
    .new_decoder = tau_responses_decoder_new,
  };

  return &protocol;
}
