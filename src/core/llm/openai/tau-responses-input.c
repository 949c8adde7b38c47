/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-responses-input.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-encoder.h"
#include "core/llm/tau-message-transform.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <string.h>

/* The conversation as the Responses API's "input": a flat list of items, several for one answer. Pure. */

#define MAX_ID_LENGTH 64

/* Vendors whose ids of calls are "call|item", both parts given by the server. */
static const char * const own_providers[] = { "openai", "openai-codex", "opencode", "azure-openai-responses" };

typedef struct
{
  TauModel  *model;
  JsonArray *items;
  guint      n_messages;   /* that produced items so far */
  guint      n_texts;      /* of the answer so far that had no id */
} Encoder;

static JsonObject *
add_item (Encoder *encoder)
{
  JsonObject *object = json_object_new ();

  json_array_add_object_element (encoder->items, object);

  return object;
}

static void
add_text_part (JsonArray  *parts,
               const char *text)
{
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "type", "input_text");
  tau_encoder_set_text (part, "text", text);
  json_array_add_object_element (parts, part);
}

static void
add_image_part (JsonArray *parts,
                TauBlock  *image)
{
  g_autofree char *url = tau_encoder_data_url (image);
  JsonObject *part = json_object_new ();

  json_object_set_string_member (part, "type", "input_image");
  json_object_set_string_member (part, "detail", "auto");
  json_object_set_string_member (part, "image_url", url);
  json_array_add_object_element (parts, part);
}

static void
add_user (Encoder    *encoder,
          TauMessage *message)
{
  JsonArray *parts;
  JsonObject *object;

  parts = json_array_new ();
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_IMAGE)
        add_image_part (parts, block);
      else if (!tau_text_is_blank (tau_block_get_text (block)))
        add_text_part (parts, tau_block_get_text (block));
    }
  if (json_array_get_length (parts) == 0)
    {
      json_array_unref (parts);
      return;
    }

  object = add_item (encoder);
  json_object_set_string_member (object, "role", "user");
  json_object_set_array_member (object, "content", parts);
}

/* The reasoning item as the server sent it; without one there is nothing that it would take. */
static void
add_thinking (Encoder  *encoder,
              TauBlock *block)
{
  const char *signature = tau_block_get_signature (block);
  JsonNode *item = signature != NULL ? tau_json_parse (signature, -1, NULL) : NULL;

  if (item != NULL && JSON_NODE_HOLDS_OBJECT (item))
    json_array_add_element (encoder->items, item);
  else
    g_clear_pointer (&item, json_node_unref);
}

static void
add_text (Encoder  *encoder,
          TauBlock *block)
{
  const char *signature = tau_block_get_signature (block);
  g_autoptr(JsonNode) parsed = signature != NULL ? tau_json_parse (signature, -1, NULL) : NULL;
  const char *given = parsed != NULL ? tau_json_get_string (parsed, "id", NULL) : signature;
  const char *phase = tau_json_get_string (parsed, "phase", NULL);
  g_autofree char *id = NULL;
  JsonObject *part = json_object_new ();
  JsonArray *content = json_array_new ();
  JsonObject *object = add_item (encoder);

  /* The first is named as pi does; an id may not come twice. */
  if (given == NULL || given[0] == '\0')
    {
      id = encoder->n_texts > 0 ? g_strdup_printf ("msg_%u_%u", encoder->n_messages, encoder->n_texts)
                                : g_strdup_printf ("msg_%u", encoder->n_messages);
      encoder->n_texts++;
    }
  else if (strlen (given) > MAX_ID_LENGTH)
    {
      g_autofree char *hash = tau_encoder_short_hash (given);

      id = g_strconcat ("msg_", hash, NULL);
    }
  else
    id = g_strdup (given);

  json_object_set_string_member (part, "type", "output_text");
  tau_encoder_set_text (part, "text", tau_block_get_text (block));
  json_object_set_array_member (part, "annotations", json_array_new ());
  json_array_add_object_element (content, part);
  json_object_set_string_member (object, "type", "message");
  json_object_set_string_member (object, "role", "assistant");
  json_object_set_array_member (object, "content", content);
  json_object_set_string_member (object, "status", "completed");
  json_object_set_string_member (object, "id", id);
  if (phase != NULL)
    json_object_set_string_member (object, "phase", phase);
}

/* Another model of the same vendor: the item of the call belongs to a reasoning item that is not sent. */
static gboolean
is_sibling (Encoder             *encoder,
            TauAssistantMessage *message)
{
  return g_strcmp0 (tau_assistant_message_get_provider (message), tau_model_get_provider (encoder->model)) == 0 &&
         g_strcmp0 (tau_assistant_message_get_api (message), tau_model_get_api (encoder->model)) == 0 &&
         g_strcmp0 (tau_assistant_message_get_model (message), tau_model_get_id (encoder->model)) != 0;
}

static void
add_call (Encoder  *encoder,
          TauBlock *block,
          gboolean  sibling)
{
  const char *id = tau_block_get_call_id (block);
  const char *pipe = strchr (id, '|');
  g_autofree char *call_id = pipe != NULL ? g_strndup (id, (gsize) (pipe - id)) : g_strdup (id);
  const char *item_id = pipe != NULL && pipe[1] != '\0' ? pipe + 1 : NULL;
  g_autoptr(JsonNode) arguments = tau_encoder_arguments (block);
  g_autofree char *json = tau_json_to_string (arguments);
  JsonObject *object = add_item (encoder);

  json_object_set_string_member (object, "type", "function_call");
  if (item_id != NULL && !(sibling && g_str_has_prefix (item_id, "fc_")))
    json_object_set_string_member (object, "id", item_id);
  json_object_set_string_member (object, "call_id", call_id);
  json_object_set_string_member (object, "name", tau_block_get_call_name (block));
  json_object_set_string_member (object, "arguments", json);
}

/* Reasoning that led to nothing, since the answer had no more room, is refused. */
static void
drop_last_reasoning (Encoder *encoder)
{
  guint n = json_array_get_length (encoder->items);

  while (n > 0 && g_str_equal (tau_json_get_string (json_array_get_element (encoder->items, n - 1), "type", ""), "reasoning"))
    json_array_remove_element (encoder->items, --n);
}

static void
add_answer (Encoder             *encoder,
            TauAssistantMessage *message)
{
  gboolean sibling = is_sibling (encoder, message);

  encoder->n_texts = 0;
  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);

      switch (tau_block_get_kind (block))
        {
        case TAU_BLOCK_THINKING:
          add_thinking (encoder, block);
          break;
        case TAU_BLOCK_TEXT:
          if (!tau_text_is_blank (tau_block_get_text (block)))
            add_text (encoder, block);
          break;
        case TAU_BLOCK_TOOL_CALL:
          add_call (encoder, block, sibling);
          break;
        case TAU_BLOCK_IMAGE:
        default:
          break;
        }
    }
  drop_last_reasoning (encoder);
}

static void
add_result (Encoder              *encoder,
            TauToolResultMessage *result)
{
  TauMessage *message = TAU_MESSAGE (result);
  const char *id = tau_tool_result_message_get_call_id (result);
  g_autofree char *call_id = g_strndup (id, strcspn (id, "|"));
  g_autofree char *text = tau_message_dup_text (message, "\n");
  JsonObject *object = add_item (encoder);
  JsonArray *parts;

  json_object_set_string_member (object, "type", "function_call_output");
  json_object_set_string_member (object, "call_id", call_id);
  if (!tau_message_has_images (message) || !tau_model_accepts_images (encoder->model))
    {
      tau_encoder_set_text (object, "output", text[0] != '\0' ? text : TAU_ENCODER_ATTACHED_IMAGE_TEXT);
      return;
    }

  parts = json_array_new ();
  if (text[0] != '\0')
    add_text_part (parts, text);
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_IMAGE)
      add_image_part (parts, tau_message_get_block (message, i));
  json_object_set_array_member (object, "output", parts);
}

static char *
fit_part (const char *part)
{
  char *fitting = tau_encoder_sanitize_id (part, MAX_ID_LENGTH);
  gsize length = strlen (fitting);

  while (length > 0 && fitting[length - 1] == '_')
    fitting[--length] = '\0';

  return fitting;
}

static char *
fit_item (const char *item,
          gboolean    foreign)
{
  g_autofree char *part = foreign ? tau_encoder_short_hash (item) : fit_part (item);
  g_autofree char *prefixed = g_strconcat (g_str_has_prefix (part, "fc_") ? "" : "fc_", part, NULL);

  return g_strndup (prefixed, MAX_ID_LENGTH);
}

static char *
fit_call_id (const char          *id,
             TauModel            *model,
             TauAssistantMessage *source)
{
  const char *pipe = strchr (id, '|');
  gboolean own = FALSE;
  gboolean foreign = g_strcmp0 (tau_assistant_message_get_provider (source), tau_model_get_provider (model)) != 0 ||
                     g_strcmp0 (tau_assistant_message_get_api (source), tau_model_get_api (model)) != 0;
  g_autofree char *call = NULL, *call_part = NULL, *item = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (own_providers); i++)
    own |= g_str_equal (own_providers[i], tau_model_get_provider (model));
  if (!own || pipe == NULL)
    return fit_part (id);

  call = g_strndup (id, (gsize) (pipe - id));
  call_part = fit_part (call);
  item = fit_item (pipe + 1, foreign);

  return g_strconcat (call_part, "|", item, NULL);
}

static void
add_system (Encoder    *encoder,
            const char *prompt)
{
  JsonObject *object;

  if (prompt == NULL || prompt[0] == '\0')
    return;

  object = add_item (encoder);
  json_object_set_string_member (object, "role", tau_model_get_reasoning (encoder->model) ? "developer" : "system");
  tau_encoder_set_text (object, "content", prompt);
}

/**
 * tau_responses_encode_input:
 * @request: a request
 *
 * Returns: (transfer full): the "input" of its body
 */
JsonArray *
tau_responses_encode_input (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autoptr(GPtrArray) messages = tau_messages_transform (fields->messages, fields->model, fit_call_id);
  Encoder encoder = { fields->model, json_array_new (), 0, 0 };

  add_system (&encoder, fields->system_prompt);
  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);
      guint before = json_array_get_length (encoder.items);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        add_result (&encoder, TAU_TOOL_RESULT_MESSAGE (message));
      else if (TAU_IS_ASSISTANT_MESSAGE (message))
        add_answer (&encoder, TAU_ASSISTANT_MESSAGE (message));
      else
        add_user (&encoder, message);
      encoder.n_messages += json_array_get_length (encoder.items) > before;
    }

  return encoder.items;
}
