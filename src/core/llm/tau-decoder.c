/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-decoder.h"

#include <string.h>

#include "core/base/tau-id.h"
#include "core/llm/tau-api-error.h"

/* What the decoders of all protocols share: handing out deltas, the running usage, and the verdict. An answer is good only if its
 * protocol said that it is complete: a stream that merely stops is an error which keeps what came, since a call with
 * half of its arguments looks like a whole one. */

static void
emit (TauDecoder     *self,
      const TauDelta *delta)
{
  self->sink (delta, self->sink_data);
}

static gboolean
is_high_surrogate (const char *text,
                   gsize       length)
{
  return length >= 3 && (guchar) text[0] == 0xed && ((guchar) text[1] & 0xf0) == 0xa0;
}

static gboolean
is_low_surrogate (const char *text,
                  gsize       length)
{
  return length >= 3 && (guchar) text[0] == 0xed && ((guchar) text[1] & 0xf0) == 0xb0;
}

static gunichar
surrogate_bits (const char *text)
{
  return (((gunichar) text[1] & 0x0f) << 6) | ((gunichar) text[2] & 0x3f);
}

static void
emit_text (TauDecoder  *self,
           TauDeltaKind kind,
           guint        index,
           const char  *text,
           gsize        length)
{
  emit (self, &(TauDelta) { .kind = kind, .index = index, .text = text, .length = (gssize) length });
}

static void
release_held (TauDecoder *self)
{
  if (self->held[0] == '\0')
    return;

  emit_text (self, self->held_kind, self->held_index, self->held, 3);
  self->held[0] = '\0';
}

/* Joins the held half with the one that @text begins with. Returns how many bytes of @text that took. */
static gsize
join_held (TauDecoder  *self,
           TauDeltaKind kind,
           guint        index,
           const char  *text,
           gsize        length)
{
  char character[8] = "";
  gunichar code;

  if (self->held[0] == '\0')
    return 0;
  if (self->held_index != index || self->held_kind != kind || !is_low_surrogate (text, length))
    {
      release_held (self);
      return 0;
    }

  code = 0x10000 + (surrogate_bits (self->held) << 10) + surrogate_bits (text);
  self->held[0] = '\0';
  emit_text (self, kind, index, character, (gsize) g_unichar_to_utf8 (code, character));

  return 3;
}

/**
 * tau_decoder_new:
 * @klass: the protocol's functions
 * @request: what was asked
 * @sink: takes the deltas
 * @sink_data: for @sink
 *
 * Returns: (transfer full): a decoder at the start of an answer
 */
TauDecoder *
tau_decoder_new (const TauDecoderClass *klass,
                 TauRequest            *request,
                 TauDeltaSink           sink,
                 gpointer               sink_data)
{
  TauDecoder *self = g_malloc0 (klass->size);
  TauModel *model = tau_request_get_fields (request)->model;

  self->klass = klass;
  self->sink = sink;
  self->sink_data = sink_data;
  self->prices = *tau_model_get_prices (model);
  self->model_id = g_strdup (tau_model_get_id (model));

  return self;
}

/**
 * tau_decoder_free:
 * @self: (transfer full): a decoder
 *
 * Frees a decoder, wherever in the answer it is.
 */
void
tau_decoder_free (TauDecoder *self)
{
  if (self->klass->clear != NULL)
    self->klass->clear (self);
  g_free (self->model_id);
  g_free (self->error_text);
  g_free (self);
}

/**
 * tau_decoder_take:
 * @self: a decoder
 * @name: the event's name, "" if it has none
 * @data: its data, NUL-terminated
 * @length: bytes of @data
 *
 * Takes the next event of the stream. What comes after the end is not looked at.
 */
void
tau_decoder_take (TauDecoder *self,
                  const char *name,
                  const char *data,
                  gsize       length)
{
  if (tau_decoder_wants_more (self))
    self->klass->take (self, name, data, length);
}

/**
 * tau_decoder_set_at_end:
 * @self: a decoder
 *
 * Says that the bytes are over. A last event may still be taken, one that no blank line completed.
 */
void
tau_decoder_set_at_end (TauDecoder *self)
{
  self->at_end = TRUE;
}

/**
 * tau_decoder_wants_more:
 * @self: a decoder
 *
 * Returns: %FALSE once the answer is complete or has failed
 */
gboolean
tau_decoder_wants_more (TauDecoder *self)
{
  return !self->ended && self->error_text == NULL;
}

/**
 * tau_decoder_finish:
 * @self: a decoder
 * @error_text: (out) (nullable) (transfer none): why the answer failed
 *
 * The stream is over, well or not: hands out the last deltas and says how the answer ended.
 *
 * Returns: the stop reason, %TAU_STOP_REASON_ERROR with a text
 */
TauStopReason
tau_decoder_finish (TauDecoder  *self,
                    const char **error_text)
{
  release_held (self);
  if (self->error_text == NULL && self->klass->finish != NULL)
    self->klass->finish (self);
  if (self->error_text == NULL && !self->ended)
    tau_decoder_fail (self, "Stream ended without a finish reason");

  *error_text = self->error_text;
  return self->error_text != NULL ? TAU_STOP_REASON_ERROR : self->reason;
}

/**
 * tau_decoder_open:
 * @self: a decoder
 * @kind: one of the three starts
 * @id: (nullable): id of a tool call; for thinking, its whole text if it is redacted
 * @name: (nullable): name of a tool
 *
 * Begins a block.
 *
 * Returns: its position in the message
 */
guint
tau_decoder_open (TauDecoder  *self,
                  TauDeltaKind kind,
                  const char  *id,
                  const char  *name)
{
  TauDelta delta = { .kind = kind, .index = self->n_blocks, .length = -1 };

  release_held (self);
  if (kind == TAU_DELTA_TOOL_CALL_START)
    {
      self->has_tool_calls = TRUE;
      delta.id = id != NULL ? id : "";
      delta.name = name != NULL ? name : "";
    }
  else
    delta.text = id;
  emit (self, &delta);

  return self->n_blocks++;
}

/**
 * tau_decoder_text:
 * @self: a decoder
 * @kind: what to do with @text
 * @index: position of the block
 * @text: (nullable): fragment or whole, as the kind says
 *
 * Hands out text for a block. A UTF-16 pair that the server cut into two fragments is joined.
 */
void
tau_decoder_text (TauDecoder  *self,
                  TauDeltaKind kind,
                  guint        index,
                  const char  *text)
{
  gsize length = text != NULL ? strlen (text) : 0;
  gsize joined = join_held (self, kind, index, text, length);

  if (joined > 0 && joined == length)
    return;

  text += joined;
  length -= joined;
  if (length >= 3 && is_high_surrogate (text + length - 3, 3))
    {
      memcpy (self->held, text + length - 3, 3);
      self->held_index = index;
      self->held_kind = kind;
      length -= 3;
      if (length == 0)
        return;
    }

  emit_text (self, kind, index, text != NULL ? text : "", length);
}

/**
 * tau_decoder_close:
 * @self: a decoder
 * @kind: one of the three ends
 * @index: position of the block
 *
 * Ends a block.
 */
void
tau_decoder_close (TauDecoder  *self,
                   TauDeltaKind kind,
                   guint        index)
{
  release_held (self);
  emit (self, &(TauDelta) { .kind = kind, .index = index, .length = -1 });
}

/**
 * tau_decoder_call:
 * @self: a decoder
 * @index: position of a tool call
 * @id: (nullable): its id, if it came late
 * @name: (nullable): its tool's name, if it came late
 *
 * Completes a tool call's head.
 */
void
tau_decoder_call (TauDecoder *self,
                  guint       index,
                  const char *id,
                  const char *name)
{
  emit (self, &(TauDelta) { .kind = TAU_DELTA_SET_CALL, .index = index, .length = -1, .id = id, .name = name });
}

/**
 * tau_decoder_make_call_id:
 * @stem: what it begins with
 *
 * Servers may leave the ids of calls to us. They must differ within a conversation, since results are matched by them.
 *
 * Returns: (transfer full): STEM_TIME_NUMBER, an id that was not given before
 */
char *
tau_decoder_make_call_id (const char *stem)
{
  static guint counter;

  return g_strdup_printf ("%s_%" G_GINT64_FORMAT "_%u", stem, tau_clock_now_ms (), ++counter);
}

/**
 * tau_decoder_response_id:
 * @self: a decoder
 * @id: (nullable): the server's id for the answer
 *
 * Hands out the first id that is not empty.
 */
void
tau_decoder_response_id (TauDecoder *self,
                         const char *id)
{
  if (self->has_response_id || id == NULL || id[0] == '\0')
    return;

  self->has_response_id = TRUE;
  emit (self, &(TauDelta) { .kind = TAU_DELTA_RESPONSE_ID, .text = id, .length = -1 });
}

/**
 * tau_decoder_usage:
 * @self: a decoder whose usage has changed
 *
 * Computes the cost and hands out the usage.
 */
void
tau_decoder_usage (TauDecoder *self)
{
  tau_usage_set_cost (&self->usage, &self->prices);
  emit (self, &(TauDelta) { .kind = TAU_DELTA_USAGE, .length = -1, .usage = &self->usage });
}

/**
 * tau_decoder_end:
 * @self: a decoder
 * @reason: why the answer ended
 *
 * The protocol says that the answer is complete. %TAU_STOP_REASON_ERROR becomes a failure without a known cause.
 */
void
tau_decoder_end (TauDecoder   *self,
                 TauStopReason reason)
{
  if (reason == TAU_STOP_REASON_ERROR && self->error_text == NULL)
    self->error_text = g_strdup (TAU_API_UNKNOWN_TEXT);
  self->ended = TRUE;
  self->reason = reason;
}

/**
 * tau_decoder_fail:
 * @self: a decoder
 * @format: the error text, as for printf
 * @...: arguments
 *
 * The answer failed. The first failure counts.
 */
void
tau_decoder_fail (TauDecoder *self,
                  const char *format,
                  ...)
{
  va_list arguments;

  va_start (arguments, format);
  tau_decoder_take_error (self, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/**
 * tau_decoder_bad_event:
 * @self: a decoder
 * @error: what the JSON reader said
 *
 * An event cannot be read. At the end of the bytes it is merely cut off, and what is missing will be noticed without it.
 */
void
tau_decoder_bad_event (TauDecoder   *self,
                       const GError *error)
{
  if (!self->at_end)
    tau_decoder_fail (self, "Could not parse an event of the stream: %s", error->message);
}

/**
 * tau_decoder_take_error:
 * @self: a decoder
 * @text: (transfer full): the error text
 *
 * Like tau_decoder_fail(), for a text that is there already.
 */
void
tau_decoder_take_error (TauDecoder *self,
                        char       *text)
{
  if (self->error_text == NULL)
    self->error_text = text;
  else
    g_free (text);
}
