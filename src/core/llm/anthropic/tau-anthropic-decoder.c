/* SPDX-License-Identifier: MIT */
#include "core/llm/anthropic/tau-anthropic-decoder.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-encoder.h"

/* Events of Anthropic's Messages API → deltas. Pure.
 *
 * Where pi and the wire differ, this reads the wire:
 *  - an event without a name is known by its data's "type" (some proxies send no event lines);
 *  - a stream without message_start (an HTML page, nothing) is an error, not an empty answer;
 *  - message_delta without usage is accepted;
 *  - a second message_start (a server that begins anew) opens new blocks instead of writing into the first ones;
 *  - a tool's input given whole at the start of its block counts when no fragments follow. */

#define REDACTED_TEXT "[Reasoning redacted]"

typedef enum
{
  BLOCK_CLOSED,
  BLOCK_IGNORED,
  BLOCK_TEXT,
  BLOCK_THINKING,
  BLOCK_REDACTED,
  BLOCK_TOOL,
} BlockKind;

typedef struct
{
  gint64    wire_index;
  BlockKind kind;
  guint     index;            /* position in the message */
  gboolean  has_fragments;
  JsonNode *input;            /* of a tool call's start; nullable */
} Block;

typedef struct
{
  TauDecoder  base;
  gboolean    started;        /* message_start seen */
  gboolean    has_reason;
  TauStopReason reason;
  char       *bad_reason;     /* nullable: a stop reason that means failure */
  GArray     *blocks;         /* of Block: those that are open */
  TauRequest *tool_names;     /* nullable: whose tools are to be found by a subscription's spelling */
} Decoder;

static void
clear_block (gpointer data)
{
  g_clear_pointer (&((Block *) data)->input, json_node_unref);
}

static Block *
find_block (Decoder *self,
            gint64   wire_index)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = &g_array_index (self->blocks, Block, i);

      if (block->wire_index == wire_index)
        return block;
    }

  return NULL;
}

static void
read_count (JsonNode   *usage,
            const char *key,
            gint64     *count)
{
  JsonNode *node = tau_json_get (usage, key);

  if (node != NULL && !JSON_NODE_HOLDS_NULL (node))
    *count = tau_json_get_int (usage, key, *count);
}

static void
read_usage (Decoder  *self,
            JsonNode *usage)
{
  TauUsage *own = &self->base.usage;

  read_count (usage, "input_tokens", &own->input);
  read_count (usage, "output_tokens", &own->output);
  read_count (usage, "cache_read_input_tokens", &own->cache_read);
  read_count (usage, "cache_creation_input_tokens", &own->cache_write);
  own->total_tokens = own->input + own->output + own->cache_read + own->cache_write;
  tau_decoder_usage (&self->base);
}

/* A call whose fragments broke off must not run with what they happened to say. */
static void
abandon_blocks (Decoder *self)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = &g_array_index (self->blocks, Block, i);

      if (block->kind == BLOCK_TOOL)
        {
          tau_decoder_text (&self->base, TAU_DELTA_SET_TEXT, block->index, "{}");
          tau_decoder_close (&self->base, TAU_DELTA_TOOL_CALL_END, block->index);
        }
      else if (block->kind != BLOCK_IGNORED)
        tau_decoder_close (&self->base,
                           block->kind == BLOCK_TEXT ? TAU_DELTA_TEXT_END : TAU_DELTA_THINKING_END, block->index);
    }
  g_array_set_size (self->blocks, 0);
}

static void
take_message_start (Decoder  *self,
                    JsonNode *event)
{
  self->started = TRUE;
  abandon_blocks (self);
  self->base.usage = (TauUsage) { 0 };
  read_usage (self, tau_json_get (event, "message.usage"));
  tau_decoder_response_id (&self->base, tau_json_get_string (event, "message.id", NULL));
}

static const char *
own_tool_name (Decoder    *self,
               const char *name)
{
  GPtrArray *tools = self->tool_names != NULL ? tau_request_get_fields (self->tool_names)->tools : NULL;

  for (guint i = 0; tools != NULL && i < tools->len; i++)
    {
      const char *own = tau_tool_spec_get_name (g_ptr_array_index (tools, i));

      if (g_ascii_strcasecmp (own, name) == 0)
        return own;
    }

  return name;
}

static void
open_redacted (Decoder  *self,
               JsonNode *event,
               Block    *block)
{
  block->kind = BLOCK_REDACTED;
  block->index = tau_decoder_open (&self->base, TAU_DELTA_THINKING_START, REDACTED_TEXT, NULL);
  tau_decoder_text (&self->base, TAU_DELTA_SET_SIGNATURE, block->index,
                    tau_json_get_string (event, "content_block.data", ""));
  tau_decoder_text (&self->base, TAU_DELTA_SET_REDACTED, block->index, NULL);
}

static void
open_tool (Decoder  *self,
           JsonNode *event,
           Block    *block)
{
  const char *name = tau_json_get_string (event, "content_block.name", "");
  JsonObject *input = tau_json_get_object (event, "content_block.input");

  block->kind = BLOCK_TOOL;
  block->index = tau_decoder_open (&self->base, TAU_DELTA_TOOL_CALL_START,
                                   tau_json_get_string (event, "content_block.id", ""), own_tool_name (self, name));
  if (input != NULL && json_object_get_size (input) > 0)
    block->input = tau_json_copy (tau_json_get (event, "content_block.input"));
}

static void
take_block_start (Decoder  *self,
                  JsonNode *event)
{
  const char *type = tau_json_get_string (event, "content_block.type", "");
  Block block = { .wire_index = tau_json_get_int (event, "index", 0) };

  if (g_str_equal (type, "text"))
    {
      block.kind = BLOCK_TEXT;
      block.index = tau_decoder_open (&self->base, TAU_DELTA_TEXT_START, NULL, NULL);
    }
  else if (g_str_equal (type, "thinking"))
    {
      block.kind = BLOCK_THINKING;
      block.index = tau_decoder_open (&self->base, TAU_DELTA_THINKING_START, NULL, NULL);
    }
  else if (g_str_equal (type, "redacted_thinking"))
    open_redacted (self, event, &block);
  else if (g_str_equal (type, "tool_use"))
    open_tool (self, event, &block);
  else
    block.kind = BLOCK_IGNORED;   /* work of the server's own tools */

  g_array_append_val (self->blocks, block);
}

static void
take_block_delta (Decoder  *self,
                  JsonNode *event)
{
  const char *type = tau_json_get_string (event, "delta.type", "");
  Block *block = find_block (self, tau_json_get_int (event, "index", 0));

  if (block == NULL)
    return;

  if (block->kind == BLOCK_TEXT && g_str_equal (type, "text_delta"))
    tau_decoder_text (&self->base, TAU_DELTA_TEXT, block->index, tau_json_get_string (event, "delta.text", ""));
  else if (block->kind == BLOCK_THINKING && g_str_equal (type, "thinking_delta"))
    tau_decoder_text (&self->base, TAU_DELTA_THINKING, block->index, tau_json_get_string (event, "delta.thinking", ""));
  else if (block->kind == BLOCK_THINKING && g_str_equal (type, "signature_delta"))
    tau_decoder_text (&self->base, TAU_DELTA_APPEND_SIGNATURE, block->index,
                      tau_json_get_string (event, "delta.signature", ""));
  else if (block->kind == BLOCK_TOOL && g_str_equal (type, "input_json_delta"))
    {
      const char *fragment = tau_json_get_string (event, "delta.partial_json", "");

      block->has_fragments |= fragment[0] != '\0';
      tau_decoder_text (&self->base, TAU_DELTA_TOOL_CALL, block->index, fragment);
    }
}

static void
close_tool (Decoder *self,
            Block   *block)
{
  if (!block->has_fragments && block->input != NULL)
    {
      g_autofree char *json = tau_json_to_string (block->input);

      tau_decoder_text (&self->base, TAU_DELTA_SET_TEXT, block->index, json);
    }
  tau_decoder_close (&self->base, TAU_DELTA_TOOL_CALL_END, block->index);
}

static void
take_block_stop (Decoder  *self,
                 JsonNode *event)
{
  Block *block = find_block (self, tau_json_get_int (event, "index", 0));

  if (block == NULL)
    return;

  switch (block->kind)
    {
    case BLOCK_TEXT:
      tau_decoder_close (&self->base, TAU_DELTA_TEXT_END, block->index);
      break;
    case BLOCK_THINKING:
    case BLOCK_REDACTED:
      tau_decoder_close (&self->base, TAU_DELTA_THINKING_END, block->index);
      break;
    case BLOCK_TOOL:
      close_tool (self, block);
      break;
    case BLOCK_CLOSED:
    case BLOCK_IGNORED:
    default:
      break;
    }
  g_array_remove_index (self->blocks, (guint) (block - (Block *) self->blocks->data));
}

static const struct
{
  const char   *name;
  TauStopReason reason;
}
stop_reasons[] = {
  { "end_turn", TAU_STOP_REASON_STOP },
  { "stop_sequence", TAU_STOP_REASON_STOP },
  { "pause_turn", TAU_STOP_REASON_STOP },
  { "max_tokens", TAU_STOP_REASON_LENGTH },
  { "tool_use", TAU_STOP_REASON_TOOL_USE },
  { "refusal", TAU_STOP_REASON_ERROR },
  { "sensitive", TAU_STOP_REASON_ERROR },
};

static void
take_message_delta (Decoder  *self,
                    JsonNode *event)
{
  const char *name = tau_json_get_string (event, "delta.stop_reason", NULL);

  read_usage (self, tau_json_get (event, "usage"));
  if (name == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (stop_reasons); i++)
    if (g_str_equal (stop_reasons[i].name, name))
      {
        self->has_reason = TRUE;
        self->reason = stop_reasons[i].reason;
        g_free (self->bad_reason);
        self->bad_reason = self->reason == TAU_STOP_REASON_ERROR ? g_strdup (name) : NULL;
        return;
      }
  tau_decoder_fail (&self->base, "Unhandled stop reason: %s", name);
}

static void
take_message_stop (Decoder  *self,
                   JsonNode *event)
{
  if (self->bad_reason != NULL)
    tau_decoder_fail (&self->base, TAU_API_UNKNOWN_TEXT " (stop reason: %s)", self->bad_reason);
  else if (self->started)
    tau_decoder_end (&self->base, self->has_reason ? self->reason : TAU_STOP_REASON_STOP);
}

static const struct
{
  const char *name;
  void      (*take) (Decoder *self, JsonNode *event);
}
events[] = {
  { "content_block_delta", take_block_delta },
  { "content_block_start", take_block_start },
  { "content_block_stop", take_block_stop },
  { "message_start", take_message_start },
  { "message_delta", take_message_delta },
  { "message_stop", take_message_stop },
};

/* Strict JSON first; a raw control character or a wrong escape is then repaired, as some proxies send them. */
static JsonNode *
parse (Decoder    *self,
       const char *name,
       const char *data,
       gsize       length)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse_repaired (data, (gssize) length, &error);

  if (node == NULL && !self->base.at_end)
    tau_decoder_fail (&self->base, "Could not parse Anthropic SSE event %s: %s; data=%.*s", name, error->message,
                      (int) MIN (length, 1000), data);

  return node;
}

static void
take (TauDecoder *base,
      const char *name,
      const char *data,
      gsize       length)
{
  Decoder *self = (Decoder *) base;
  g_autoptr(JsonNode) event = NULL;

  if (g_str_equal (name, "error"))
    {
      tau_decoder_fail (base, "%.*s", (int) MIN (length, G_MAXINT), data);
      return;
    }
  if (g_str_equal (name, "ping") || (event = parse (self, name, data, length)) == NULL)
    return;

  if (name[0] == '\0')
    name = tau_json_get_string (event, "type", "");
  if (g_str_equal (name, "error"))
    tau_decoder_fail (base, "%.*s", (int) MIN (length, G_MAXINT), data);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    if (g_str_equal (events[i].name, name))
      events[i].take (self, event);
}

static void
finish (TauDecoder *base)
{
  Decoder *self = (Decoder *) base;

  /* libsoup takes a chunked body that is cut off for a whole one, so only the content can tell; such a cut is worth
   * another try, which the word "terminated" stands for. */
  if (!base->ended)
    tau_decoder_fail (base, self->started ? "terminated (Anthropic stream ended before message_stop)"
                                          : "Anthropic stream ended before message_start");
}

static void
clear (TauDecoder *base)
{
  Decoder *self = (Decoder *) base;

  g_array_unref (self->blocks);
  g_clear_object (&self->tool_names);
  g_free (self->bad_reason);
}

static const TauDecoderClass decoder_class = { sizeof (Decoder), take, finish, clear };

/**
 * tau_anthropic_decoder_new:
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Format: event stream of Anthropic's Messages API.
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_anthropic_decoder_new (TauRequest  *request,
                           TauDeltaSink sink,
                           gpointer     sink_data)
{
  Decoder *self = (Decoder *) tau_decoder_new (&decoder_class, request, sink, sink_data);

  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  g_array_set_clear_func (self->blocks, clear_block);
  if (tau_anthropic_is_subscription_key (tau_request_get_fields (request)->api_key))
    self->tool_names = g_object_ref (request);

  return &self->base;
}

/**
 * tau_anthropic_protocol:
 *
 * Returns: (transfer none): the API "anthropic-messages"
 */
const TauProtocol *
tau_anthropic_protocol (void)
{
  static const TauProtocol protocol = {
    .api = "anthropic-messages",
    .style = TAU_API_STYLE_ANTHROPIC,
    .repeats = TRUE,
    .encode = tau_anthropic_encode,
    .new_decoder = tau_anthropic_decoder_new,
  };

  return &protocol;
}
