/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-envelope.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/message/tau-block-json.h"

#include <string.h>

/* What an entry says about itself, gathered while its line is scanned: the envelope, the outline of its message, and
 * what the answer in it used. Where a line is unusual (a key twice, an escape in a word that we look for) nothing is
 * guessed: the outline is not known, and whoever wants it parses the message. */

typedef struct
{
  TauField    field;
  const char *name;
} Name;

static const Name names[][8] = {
  [TAU_PLACE_ENTRY] = {
    { TAU_FIELD_TYPE, "type" },
    { TAU_FIELD_ID, "id" },
    { TAU_FIELD_PARENT_ID, "parentId" },
    { TAU_FIELD_TIMESTAMP, "timestamp" },
    { TAU_FIELD_MESSAGE, "message" },
    { TAU_FIELD_DISPLAY, "display" },
  },
  [TAU_PLACE_MESSAGE] = {
    { TAU_FIELD_ROLE, "role" },
    { TAU_FIELD_CONTENT, "content" },
    { TAU_FIELD_USAGE, "usage" },
    { TAU_FIELD_STOP_REASON, "stopReason" },
    { TAU_FIELD_DISPLAY, "display" },
    { TAU_FIELD_IS_ERROR, "isError" },
  },
  [TAU_PLACE_BLOCK] = {
    { TAU_FIELD_TYPE, "type" },
    { TAU_FIELD_TEXT, "text" },
    { TAU_FIELD_THINKING, "thinking" },
    { TAU_FIELD_NAME, "name" },
  },
  [TAU_PLACE_USAGE] = {
    { TAU_FIELD_INPUT, "input" },
    { TAU_FIELD_OUTPUT, "output" },
    { TAU_FIELD_CACHE_READ, "cacheRead" },
    { TAU_FIELD_CACHE_WRITE, "cacheWrite" },
    { TAU_FIELD_TOTAL, "totalTokens" },
    { TAU_FIELD_COST, "cost" },
  },
  [TAU_PLACE_COST] = {
    { TAU_FIELD_INPUT, "input" },
    { TAU_FIELD_OUTPUT, "output" },
    { TAU_FIELD_CACHE_READ, "cacheRead" },
    { TAU_FIELD_CACHE_WRITE, "cacheWrite" },
    { TAU_FIELD_TOTAL, "total" },
  },
};

static gboolean
span_is (const TauSpan *span,
         const char    *text)
{
  return span->text != NULL && span->length == strlen (text) && memcmp (span->text, text, span->length) == 0;
}

static TauSpan *
envelope_field (TauEnvelopeReader *self,
                TauField           field)
{
  switch ((int) field)
    {
    case TAU_FIELD_TYPE:
      return &self->envelope->type;
    case TAU_FIELD_ID:
      return &self->envelope->id;
    case TAU_FIELD_PARENT_ID:
      return &self->envelope->parent_id;
    case TAU_FIELD_TIMESTAMP:
      return &self->envelope->timestamp;
    default:
      return NULL;
    }
}

/* An object begins. */
void
tau_envelope_reader_begin (TauEnvelopeReader  *self,
                           TauSessionEnvelope *envelope)
{
  memset (envelope, 0, sizeof *envelope);
  memset (self, 0, offsetof (TauEnvelopeReader, blocks));
  self->envelope = envelope;
}

/* The key of a value that follows. */
TauField
tau_envelope_reader_take_key (TauEnvelopeReader *self,
                              TauPlace           place,
                              const TauSpan     *key,
                              gboolean           escaped)
{
  TauField field = TAU_FIELD_NONE;

  self->odd |= escaped;
  for (const Name *name = names[place]; name->name != NULL && field == TAU_FIELD_NONE; name++)
    if (name->name[0] == key->text[0] && span_is (key, name->name))
      field = name->field;

  /* Of a key that comes twice the last one counts. */
  if (place == TAU_PLACE_ENTRY && envelope_field (self, field) != NULL)
    *envelope_field (self, field) = (TauSpan) { 0 };
  if (place == TAU_PLACE_ENTRY && field == TAU_FIELD_PARENT_ID)
    self->envelope->has_parent = TRUE;
  if (place == TAU_PLACE_ENTRY && field == TAU_FIELD_MESSAGE)
    self->odd |= self->n_messages++ > 0;
  if (place == TAU_PLACE_MESSAGE && field == TAU_FIELD_USAGE)
    self->odd_usage |= self->n_usages++ > 0;
  return field;
}

/* An object or array that is the value of @field, or an element of @place. */
TauPlace
tau_envelope_reader_enter (TauEnvelopeReader *self,
                           TauPlace           place,
                           TauField           field,
                           char               bracket)
{
  if (place == TAU_PLACE_ENTRY && field == TAU_FIELD_MESSAGE && bracket == '{')
    return TAU_PLACE_MESSAGE;
  if (place == TAU_PLACE_MESSAGE && field == TAU_FIELD_USAGE && bracket == '{')
    return TAU_PLACE_USAGE;
  if (place == TAU_PLACE_USAGE && field == TAU_FIELD_COST && bracket == '{')
    return TAU_PLACE_COST;
  if (place == TAU_PLACE_MESSAGE && field == TAU_FIELD_CONTENT && bracket == '[')
    {
      self->odd |= self->has_content;
      self->has_content = TRUE;
      return TAU_PLACE_CONTENT;
    }
  if (place == TAU_PLACE_CONTENT && bracket == '{')
    {
      self->block_type = self->block_text = self->block_name = (TauSpan) { 0 };
      self->block_field = TAU_FIELD_NONE;
      return TAU_PLACE_BLOCK;
    }
  self->odd |= field != TAU_FIELD_NONE || place == TAU_PLACE_CONTENT;
  return TAU_PLACE_OTHER;
}

static gboolean
is_blank (const TauSpan *text)
{
  g_autoptr(JsonNode) json = NULL;

  if (text->length == 0)
    return TRUE;
  if (g_ascii_isgraph (text->text[0]) && text->text[0] != '\\')
    return FALSE;
  json = tau_json_parse (text->text - 1, (gssize) text->length + 2, NULL);
  return tau_text_is_blank (tau_json_get_string (json, NULL, NULL));
}

/* Which of the common tools a name means. */
TauCommonTool
tau_common_tool_from_name (const char *name,
                           gsize       length)
{
  static const char * const tools[] = {
    [TAU_COMMON_TOOL_READ] = "read", [TAU_COMMON_TOOL_BASH] = "bash", [TAU_COMMON_TOOL_GREP] = "grep",
    [TAU_COMMON_TOOL_FIND] = "find", [TAU_COMMON_TOOL_LS] = "ls",
  };
  const TauSpan span = { name, length };

  for (guint i = TAU_COMMON_TOOL_READ; i < G_N_ELEMENTS (tools); i++)
    if (span_is (&span, tools[i]))
      return (TauCommonTool) i;
  return TAU_COMMON_TOOL_NONE;
}

static void
add_block (TauEnvelopeReader *self)
{
  TauMessageOutline *outline = &self->envelope->outline;
  TauBlockOutline block = { .length = (guint) MIN (self->block_text.length, (1u << 26) - 1) };

  if (span_is (&self->block_type, "text"))
    block.kind = TAU_BLOCK_TEXT;
  else if (span_is (&self->block_type, "thinking"))
    block.kind = TAU_BLOCK_THINKING;
  else if (span_is (&self->block_type, "toolCall"))
    {
      block.kind = TAU_BLOCK_TOOL_CALL;
      block.tool = tau_common_tool_from_name (self->block_name.text, self->block_name.length);
    }
  else if (span_is (&self->block_type, "image"))
    block.kind = TAU_BLOCK_IMAGE;
  else
    self->odd = TRUE;
  if (block.kind == TAU_BLOCK_TEXT || block.kind == TAU_BLOCK_THINKING)
    {
      self->odd |= self->block_field != (block.kind == TAU_BLOCK_TEXT ? TAU_FIELD_TEXT : TAU_FIELD_THINKING);
      block.blank = is_blank (&self->block_text);
    }
  if (outline->n_blocks < TAU_OUTLINE_MAX_BLOCKS)
    self->blocks[outline->n_blocks++] = block;
  else
    self->odd = TRUE;
}

/* The end of an object or array. */
void
tau_envelope_reader_leave (TauEnvelopeReader *self,
                           TauPlace           place)
{
  if (place == TAU_PLACE_BLOCK && !span_is (&self->role, "toolResult"))
    add_block (self);
}

/* A string, between its quotes. */
void
tau_envelope_reader_take_string (TauEnvelopeReader *self,
                                 TauPlace           place,
                                 TauField           field,
                                 const TauSpan     *contents,
                                 gboolean           escaped)
{
  TauSpan *target = NULL;

  if (place == TAU_PLACE_ENTRY)
    {
      target = envelope_field (self, field);
      self->envelope->has_escapes |= target != NULL && escaped;
      if (target != NULL && escaped)
        return;
    }
  else if (place == TAU_PLACE_MESSAGE && field == TAU_FIELD_ROLE)
    target = &self->role;
  else if (place == TAU_PLACE_MESSAGE && field == TAU_FIELD_STOP_REASON)
    target = &self->stop_reason;
  else if (place == TAU_PLACE_BLOCK && field == TAU_FIELD_TYPE)
    target = &self->block_type;
  else if (place == TAU_PLACE_BLOCK && (field == TAU_FIELD_TEXT || field == TAU_FIELD_THINKING))
    {
      self->odd |= self->block_text.text != NULL;
      self->block_field = field;
      self->block_text = *contents;
      return;
    }
  else if (place == TAU_PLACE_BLOCK && field == TAU_FIELD_NAME)
    self->block_name = *contents;
  else if (place == TAU_PLACE_CONTENT)
    self->odd = TRUE;

  if (target != NULL)
    *target = *contents;
  self->odd |= target != NULL && escaped;
}

/* Small numbers exactly, the others as the C library reads them. */
static gboolean
parse_number (const TauSpan *word,
              double        *number)
{
  static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
  guint64 digits = 0;
  guint after_point = 0;
  gboolean point = FALSE;
  char copy[64];

  for (gsize i = 0; i < word->length; i++)
    {
      char c = word->text[i];

      if (c == '.')
        point = TRUE;
      else if (!g_ascii_isdigit (c) || i > 15)
        {
          if (word->length >= sizeof copy || !(g_ascii_isdigit (word->text[0]) || word->text[0] == '-'))
            return FALSE;
          memcpy (copy, word->text, word->length);
          copy[word->length] = '\0';
          *number = g_ascii_strtod (copy, NULL);
          return TRUE;
        }
      else
        {
          digits = digits * 10 + (guint64) (c - '0');
          after_point += point;
        }
    }
  *number = (double) digits / powers[after_point];
  return TRUE;
}

static void
take_tokens (TauUsage *usage,
             TauField  field,
             gint64    tokens)
{
  if (field == TAU_FIELD_INPUT)
    usage->input = tokens;
  else if (field == TAU_FIELD_OUTPUT)
    usage->output = tokens;
  else if (field == TAU_FIELD_CACHE_READ)
    usage->cache_read = tokens;
  else if (field == TAU_FIELD_CACHE_WRITE)
    usage->cache_write = tokens;
  else if (field == TAU_FIELD_TOTAL)
    usage->total_tokens = tokens;
}

static void
take_cost (TauUsage *usage,
           TauField  field,
           double    cost)
{
  if (field == TAU_FIELD_INPUT)
    usage->cost_input = cost;
  else if (field == TAU_FIELD_OUTPUT)
    usage->cost_output = cost;
  else if (field == TAU_FIELD_CACHE_READ)
    usage->cost_cache_read = cost;
  else if (field == TAU_FIELD_CACHE_WRITE)
    usage->cost_cache_write = cost;
  else if (field == TAU_FIELD_TOTAL)
    usage->cost_total = cost;
}

/* A number, true, false or null. */
void
tau_envelope_reader_take_word (TauEnvelopeReader *self,
                               TauPlace           place,
                               TauField           field,
                               const TauSpan     *word)
{
  double number;

  if (place == TAU_PLACE_USAGE || place == TAU_PLACE_COST)
    {
      if (field == TAU_FIELD_NONE)
        return;
      if (!parse_number (word, &number) || (place == TAU_PLACE_USAGE && (number > 1e15 || number < 0)))
        self->odd_usage = TRUE;
      else if (place == TAU_PLACE_USAGE)
        take_tokens (&self->envelope->usage, field, (gint64) number);
      else
        take_cost (&self->envelope->usage, field, number);
    }
  else if (field == TAU_FIELD_DISPLAY)
    self->envelope->outline.display = span_is (word, "true");
  else if (field == TAU_FIELD_IS_ERROR)
    self->envelope->outline.failed = span_is (word, "true");
  else if (place == TAU_PLACE_MESSAGE || place == TAU_PLACE_BLOCK)
    self->odd |= field != TAU_FIELD_NONE;
  else if (place == TAU_PLACE_CONTENT)
    self->odd = TRUE;
}

static gboolean
copy_word (const TauSpan *span,
           char           copy[32])
{
  if (span->text == NULL || span->length >= 32)
    return FALSE;
  memcpy (copy, span->text, span->length);
  copy[span->length] = '\0';
  return TRUE;
}

static void
read_odd_usage (TauSessionEnvelope *envelope)
{
  g_autoptr(JsonNode) json = tau_json_parse (envelope->object.text, (gssize) envelope->object.length, NULL);

  envelope->usage = (TauUsage) { 0 };
  if (g_str_equal (tau_json_get_string (json, "message.role", ""), "assistant"))
    tau_usage_from_json (&envelope->usage, tau_json_get (json, "message.usage"));
}

/* The object is over. */
void
tau_envelope_reader_end (TauEnvelopeReader *self)
{
  TauSessionEnvelope *envelope = self->envelope;
  TauMessageOutline *outline = &envelope->outline;
  char word[32];

  outline->blocks = self->blocks;
  if (span_is (&envelope->type, "custom_message"))
    outline->kind = TAU_MESSAGE_KIND_CUSTOM;
  else if (copy_word (&self->role, word))
    outline->kind = tau_message_kind_from_role (word);
  outline->known = !self->odd && !envelope->has_escapes && outline->kind != TAU_MESSAGE_KIND_OTHER
                   && (outline->kind != TAU_MESSAGE_KIND_ASSISTANT || self->has_content);
  outline->stop_reason = TAU_STOP_REASON_STOP;
  if (copy_word (&self->stop_reason, word))
    tau_stop_reason_from_string (word, &outline->stop_reason);
  if (self->odd || self->odd_usage)
    read_odd_usage (envelope);
  if (outline->kind == TAU_MESSAGE_KIND_ASSISTANT)
    return;
  outline->n_blocks = 0;
  envelope->usage = (TauUsage) { 0 };
}
