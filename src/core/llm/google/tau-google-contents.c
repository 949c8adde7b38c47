/* SPDX-License-Identifier: MIT */
#include "core/llm/google/tau-google-contents.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-encoder.h"
#include "core/llm/tau-message-transform.h"
#include "core/message/tau-tool-result-message.h"

#include <string.h>

/* The conversation as Google's "contents": turns of the user and of the model, made of parts. Pure. */

#define MAX_ID_LENGTH      64
#define RESULT_IMAGES_TEXT "Tool result image:"

/* Stands for the signature of a call that another model made. Source: Google's documentation of thought signatures. */
#define NO_SIGNATURE       "skip_thought_signature_validator"

typedef struct
{
  TauModel  *model;
  JsonArray *contents;
} Encoder;

/* Other vendors' models behind this API want the ids of calls; Gemini does not know them. */
static gboolean
needs_ids (TauModel *model)
{
  const char *id = tau_model_get_id (model);

  return g_str_has_prefix (id, "claude-") || g_str_has_prefix (id, "gpt-oss-");
}

/* Gemini before 3 takes no pictures inside a function's response. */
static gboolean
nests_images (TauModel *model)
{
  const char *id = tau_model_get_id (model);

  return !g_str_has_prefix (id, "gemini-") || g_ascii_strtoll (id + strlen ("gemini-"), NULL, 10) >= 3;
}

/* Gemini 3 wants to see the signature of a turn's first call. */
static gboolean
needs_signatures (TauModel *model)
{
  const char *id = tau_model_get_id (model);

  return g_str_has_prefix (id, "gemini-") && g_ascii_strtoll (id + strlen ("gemini-"), NULL, 10) >= 3;
}

static JsonArray *
add_turn (Encoder    *encoder,
          const char *role)
{
  JsonObject *object = json_object_new ();
  JsonArray *parts = json_array_new ();

  json_object_set_array_member (object, "parts", parts);
  json_object_set_string_member (object, "role", role);
  json_array_add_object_element (encoder->contents, object);

  return parts;
}

static JsonObject *
add_part (JsonArray *parts)
{
  JsonObject *part = json_object_new ();

  json_array_add_object_element (parts, part);

  return part;
}

static void
add_image (JsonArray *parts,
           TauBlock  *image)
{
  JsonObject *data = json_object_new ();

  json_object_set_string_member (data, "mimeType", tau_block_get_mime_type (image));
  json_object_set_string_member (data, "data", tau_block_get_data (image));
  json_object_set_object_member (add_part (parts), "inlineData", data);
}

static void
add_images (JsonArray  *parts,
            TauMessage *message)
{
  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_IMAGE)
      add_image (parts, tau_message_get_block (message, i));
}

/* The server refuses a signature that is not base64, as other protocols write them. */
static gboolean
is_base64 (const char *text)
{
  gsize length = strlen (text);
  gsize padding = 0;

  if (length == 0 || length % 4 != 0)
    return FALSE;
  while (padding < 2 && text[length - 1 - padding] == '=')
    padding++;
  for (gsize i = 0; i < length - padding; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '+' && text[i] != '/')
      return FALSE;

  return TRUE;
}

static gboolean
is_blank_block (TauBlock *block)
{
  return (tau_block_get_kind (block) == TAU_BLOCK_TEXT || tau_block_get_kind (block) == TAU_BLOCK_THINKING) &&
         tau_text_is_blank (tau_block_get_text (block));
}

static void
add_user (Encoder    *encoder,
          TauMessage *message)
{
  JsonArray *parts = NULL;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (is_blank_block (block))
        continue;
      if (parts == NULL)
        parts = add_turn (encoder, "user");
      if (tau_block_get_kind (block) == TAU_BLOCK_IMAGE)
        add_image (parts, block);
      else
        tau_encoder_set_text (add_part (parts), "text", tau_block_get_text (block));
    }
}

static void
set_call (Encoder    *encoder,
          JsonObject *part,
          TauBlock   *block)
{
  JsonObject *call = json_object_new ();

  json_object_set_string_member (call, "name", tau_block_get_call_name (block));
  tau_json_object_set (call, "args", tau_encoder_arguments (block));
  if (needs_ids (encoder->model))
    json_object_set_string_member (call, "id", tau_block_get_call_id (block));
  json_object_set_object_member (part, "functionCall", call);
}

static void
add_answer (Encoder             *encoder,
            TauAssistantMessage *message)
{
  gboolean same = tau_messages_is_same_model (message, encoder->model);
  gboolean had_call = FALSE;
  JsonArray *parts = NULL;

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);
      gboolean is_call = tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL;
      const char *signature = tau_block_get_signature (block);
      JsonObject *part;

      if (is_blank_block (block) || tau_block_get_kind (block) == TAU_BLOCK_IMAGE)
        continue;
      if (parts == NULL)
        parts = add_turn (encoder, "model");
      part = add_part (parts);
      if (is_call)
        set_call (encoder, part, block);
      else
        tau_encoder_set_text (part, "text", tau_block_get_text (block));
      if (tau_block_get_kind (block) == TAU_BLOCK_THINKING && same)
        json_object_set_boolean_member (part, "thought", TRUE);
      if (same && signature != NULL && is_base64 (signature))
        json_object_set_string_member (part, "thoughtSignature", signature);
      else if (is_call && !had_call && needs_signatures (encoder->model))
        json_object_set_string_member (part, "thoughtSignature", NO_SIGNATURE);
      had_call |= is_call;
    }
}

static JsonObject *
make_response (Encoder              *encoder,
               TauToolResultMessage *result)
{
  TauMessage *message = TAU_MESSAGE (result);
  g_autofree char *text = tau_message_dup_text (message, "\n");
  gboolean images_only = text[0] == '\0' && tau_message_has_images (message);
  JsonObject *response = json_object_new ();
  JsonObject *function = json_object_new ();

  tau_encoder_set_text (response, tau_tool_result_message_get_is_error (result) ? "error" : "output",
                        images_only ? TAU_ENCODER_ATTACHED_IMAGE_TEXT : text);
  json_object_set_string_member (function, "name", tau_tool_result_message_get_tool_name (result));
  json_object_set_object_member (function, "response", response);
  if (tau_message_has_images (message) && nests_images (encoder->model))
    {
      JsonArray *images = json_array_new ();

      add_images (images, message);
      json_object_set_array_member (function, "parts", images);
    }
  if (needs_ids (encoder->model))
    json_object_set_string_member (function, "id", tau_tool_result_message_get_call_id (result));

  return function;
}

static void
add_result_images (Encoder    *encoder,
                   TauMessage *message)
{
  JsonArray *images;

  if (!tau_message_has_images (message) || nests_images (encoder->model))
    return;

  images = add_turn (encoder, "user");
  json_object_set_string_member (add_part (images), "text", RESULT_IMAGES_TEXT);
  add_images (images, message);
}

/* Results in a row share a turn, since there have to be as many as there were calls; pictures that cannot be in them come behind.
 * Returns the position behind them. */
static guint
add_results (Encoder   *encoder,
             GPtrArray *messages,
             guint      position)
{
  JsonArray *turn = add_turn (encoder, "user");
  guint first = position;

  for (; position < messages->len && TAU_IS_TOOL_RESULT_MESSAGE (messages->pdata[position]); position++)
    json_object_set_object_member (add_part (turn), "functionResponse", make_response (encoder, messages->pdata[position]));
  for (guint i = first; i < position; i++)
    add_result_images (encoder, messages->pdata[i]);

  return position;
}

static char *
fit_call_id (const char          *id,
             TauModel            *model,
             TauAssistantMessage *source)
{
  return needs_ids (model) ? tau_encoder_sanitize_id (id, MAX_ID_LENGTH) : g_strdup (id);
}

/**
 * tau_google_encode_contents:
 * @request: a request
 *
 * Returns: (transfer full): the "contents" of its body
 */
JsonArray *
tau_google_encode_contents (TauRequest *request)
{
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autoptr(GPtrArray) messages = tau_messages_transform (fields->messages, fields->model, fit_call_id);
  Encoder encoder = { fields->model, json_array_new () };

  for (guint i = 0; i < messages->len;)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        {
          i = add_results (&encoder, messages, i);
          continue;
        }
      if (TAU_IS_ASSISTANT_MESSAGE (message))
        add_answer (&encoder, TAU_ASSISTANT_MESSAGE (message));
      else
        add_user (&encoder, message);
      i++;
    }

  return encoder.contents;
}
