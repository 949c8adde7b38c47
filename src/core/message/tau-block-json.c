/* SPDX-License-Identifier: MIT */
#include "core/message/tau-block-json.h"

#include "core/base/tau-json.h"

#include <gio/gio.h>

static void
set_string (JsonObject *object,
            const char *key,
            const char *value)
{
  json_object_set_string_member (object, key, value != NULL ? value : "");
}

static void
set_optional_string (JsonObject *object,
                     const char *key,
                     const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, key, value);
}

/**
 * tau_block_to_json:
 * @block: a block
 *
 * Returns: (transfer full): its JSON object; the arguments of a tool call are shared with @block
 */
JsonNode *
tau_block_to_json (TauBlock *block)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (block != NULL, tau_json_node_new_object (object));

  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_TEXT:
      set_string (object, "type", "text");
      set_string (object, "text", tau_block_get_text (block));
      set_optional_string (object, "textSignature", tau_block_get_signature (block));
      break;

    case TAU_BLOCK_THINKING:
      set_string (object, "type", "thinking");
      set_string (object, "thinking", tau_block_get_text (block));
      set_optional_string (object, "thinkingSignature", tau_block_get_signature (block));
      if (tau_block_is_redacted (block))
        json_object_set_boolean_member (object, "redacted", TRUE);
      break;

    case TAU_BLOCK_IMAGE:
      set_string (object, "type", "image");
      set_string (object, "data", tau_block_get_data (block));
      set_string (object, "mimeType", tau_block_get_mime_type (block));
      break;

    case TAU_BLOCK_TOOL_CALL:
      set_string (object, "type", "toolCall");
      set_string (object, "id", tau_block_get_call_id (block));
      set_string (object, "name", tau_block_get_call_name (block));
      json_object_set_member (object, "arguments", json_node_ref (tau_block_get_arguments (block)));
      set_optional_string (object, "thoughtSignature", tau_block_get_signature (block));
      break;

    default:
      g_assert_not_reached ();
    }

  return tau_json_node_new_object (object);
}

/**
 * tau_block_from_json:
 * @json: a content block of a session file or of the RPC protocol
 * @error: return location for %G_IO_ERROR_INVALID_DATA if @json is no object or of an unknown type
 *
 * Returns: (transfer full) (nullable): the block; the arguments of a tool call are shared with @json
 */
TauBlock *
tau_block_from_json (JsonNode *json,
                     GError  **error)
{
  const char *type;

  g_return_val_if_fail (json != NULL, NULL);

  if (!JSON_NODE_HOLDS_OBJECT (json))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "a content block must be a JSON object");
      return NULL;
    }

  type = tau_json_get_string (json, "type", "");
  if (g_str_equal (type, "text"))
    return tau_block_new_text (tau_json_get_string (json, "text", ""),
                               tau_json_get_string (json, "textSignature", NULL));
  if (g_str_equal (type, "thinking"))
    return tau_block_new_thinking (tau_json_get_string (json, "thinking", ""),
                                   tau_json_get_string (json, "thinkingSignature", NULL),
                                   tau_json_get_bool (json, "redacted", FALSE));
  if (g_str_equal (type, "image"))
    return tau_block_new_image (tau_json_get_string (json, "data", ""),
                                tau_json_get_string (json, "mimeType", ""));
  if (g_str_equal (type, "toolCall"))
    return tau_block_new_tool_call (tau_json_get_string (json, "id", ""),
                                    tau_json_get_string (json, "name", ""),
                                    tau_json_get (json, "arguments"),
                                    tau_json_get_string (json, "thoughtSignature", NULL));

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "unknown type of content block: %s", type);
  return NULL;
}

/**
 * tau_blocks_to_json:
 * @blocks: (element-type TauBlock): content
 *
 * Returns: (transfer full): a JSON array
 */
JsonNode *
tau_blocks_to_json (GPtrArray *blocks)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    json_array_add_element (array, tau_block_to_json (g_ptr_array_index (blocks, i)));

  return tau_json_node_new_array (array);
}

/**
 * tau_blocks_from_json:
 * @array: an array of content blocks
 * @error: return location for the error of the first block that cannot be read
 *
 * The strict way, for what someone sends us now; messages of files are read tolerantly.
 *
 * Returns: (transfer full) (nullable) (element-type TauBlock): the blocks
 */
GPtrArray *
tau_blocks_from_json (JsonNode *array,
                      GError  **error)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  if (array == NULL || !JSON_NODE_HOLDS_ARRAY (array))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "content blocks must be a JSON array");
      return NULL;
    }

  for (guint i = 0; i < json_array_get_length (json_node_get_array (array)); i++)
    {
      TauBlock *block = tau_block_from_json (json_array_get_element (json_node_get_array (array), i), error);

      if (block == NULL)
        return NULL;
      g_ptr_array_add (blocks, block);
    }

  return g_steal_pointer (&blocks);
}

/**
 * tau_usage_to_json:
 * @usage: tokens and cost
 *
 * Returns: (transfer full): its JSON object
 */
JsonNode *
tau_usage_to_json (const TauUsage *usage)
{
  JsonObject *object = json_object_new ();
  JsonObject *cost = json_object_new ();

  json_object_set_int_member (object, "input", usage->input);
  json_object_set_int_member (object, "output", usage->output);
  json_object_set_int_member (object, "cacheRead", usage->cache_read);
  json_object_set_int_member (object, "cacheWrite", usage->cache_write);
  json_object_set_int_member (object, "totalTokens", usage->total_tokens);
  json_object_set_double_member (cost, "input", usage->cost_input);
  json_object_set_double_member (cost, "output", usage->cost_output);
  json_object_set_double_member (cost, "cacheRead", usage->cost_cache_read);
  json_object_set_double_member (cost, "cacheWrite", usage->cost_cache_write);
  json_object_set_double_member (cost, "total", usage->cost_total);
  json_object_set_object_member (object, "cost", cost);

  return tau_json_node_new_object (object);
}

/**
 * tau_usage_from_json:
 * @usage: (out caller-allocates): filled; what @json lacks is zero
 * @json: (nullable): a usage object
 *
 * Reads tokens and cost.
 */
void
tau_usage_from_json (TauUsage *usage,
                     JsonNode *json)
{
  g_return_if_fail (usage != NULL);

  *usage = (TauUsage) { 0 };
  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    return;

  usage->input = tau_json_get_int (json, "input", 0);
  usage->output = tau_json_get_int (json, "output", 0);
  usage->cache_read = tau_json_get_int (json, "cacheRead", 0);
  usage->cache_write = tau_json_get_int (json, "cacheWrite", 0);
  usage->total_tokens = tau_json_get_int (json, "totalTokens", 0);
  usage->cost_input = tau_json_get_double (json, "cost.input", 0);
  usage->cost_output = tau_json_get_double (json, "cost.output", 0);
  usage->cost_cache_read = tau_json_get_double (json, "cost.cacheRead", 0);
  usage->cost_cache_write = tau_json_get_double (json, "cost.cacheWrite", 0);
  usage->cost_total = tau_json_get_double (json, "cost.total", 0);
}
