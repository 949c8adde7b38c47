/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-request.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-stream-hooks.h"

/* Record: everything that one call of a model needs. Made by the agent for each turn, read by the provider's encoder. */
struct _TauRequest
{
  GObject parent_instance;

  TauRequestFields fields;   /* all owned */
};

G_DEFINE_FINAL_TYPE (TauRequest, tau_request, G_TYPE_OBJECT)

G_DEFINE_INTERFACE (TauStreamHooks, tau_stream_hooks, G_TYPE_OBJECT)

static void
tau_stream_hooks_default_init (TauStreamHooksInterface *iface)
{
}

static void
tau_request_finalize (GObject *object)
{
  TauRequestFields *fields = &TAU_REQUEST (object)->fields;

  g_clear_object (&fields->model);
  g_free ((char *) fields->system_prompt);
  g_clear_pointer (&fields->messages, g_ptr_array_unref);
  g_clear_pointer (&fields->tools, g_ptr_array_unref);
  g_clear_pointer (&fields->thinking_budgets, json_node_unref);
  g_free ((char *) fields->api_key);
  g_free ((char *) fields->session_id);
  g_clear_pointer (&fields->headers, json_node_unref);
  g_clear_pointer (&fields->tool_choice, json_node_unref);
  g_free ((char *) fields->cache_retention);
  g_clear_pointer (&fields->metadata, json_node_unref);
  g_clear_object (&fields->hooks);

  G_OBJECT_CLASS (tau_request_parent_class)->finalize (object);
}

static void
tau_request_class_init (TauRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_request_finalize;
}

static void
tau_request_init (TauRequest *self)
{
}

static gpointer
ref_message (gconstpointer message,
             gpointer      user_data)
{
  return g_object_ref ((gpointer) message);
}

static gpointer
ref_tool (gconstpointer tool,
          gpointer      user_data)
{
  return tau_tool_spec_ref ((TauToolSpec *) tool);
}

/* The caller's array may grow while the request is under way, so its items are taken and not the array. */
static GPtrArray *
copy_array (GPtrArray     *array,
            GCopyFunc      ref,
            GDestroyNotify unref)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (unref);

  for (guint i = 0; array != NULL && i < array->len; i++)
    g_ptr_array_add (copy, ref (array->pdata[i], NULL));

  return copy;
}

static JsonNode *
copy_json (JsonNode *node)
{
  return node != NULL ? tau_json_copy (node) : NULL;
}

/**
 * tau_request_new:
 * @fields: all of the request; "model" is required
 *
 * Returns: (transfer full): the request
 */
TauRequest *
tau_request_new (const TauRequestFields *fields)
{
  TauRequest *self = g_object_new (TAU_TYPE_REQUEST, NULL);
  TauRequestFields *own = &self->fields;

  g_assert (TAU_IS_MODEL (fields->model));

  *own = *fields;
  own->model = g_object_ref (fields->model);
  own->system_prompt = g_strdup (fields->system_prompt);
  own->messages = copy_array (fields->messages, ref_message, g_object_unref);
  own->tools = copy_array (fields->tools, ref_tool, (GDestroyNotify) tau_tool_spec_unref);
  own->thinking_budgets = copy_json (fields->thinking_budgets);
  own->api_key = g_strdup (fields->api_key);
  own->session_id = g_strdup (fields->session_id);
  own->headers = copy_json (fields->headers);
  own->tool_choice = copy_json (fields->tool_choice);
  own->cache_retention = g_strdup (fields->cache_retention);
  own->metadata = copy_json (fields->metadata);
  own->hooks = fields->hooks != NULL ? g_object_ref (fields->hooks) : NULL;

  return self;
}

/**
 * tau_request_get_fields:
 * @self: a request
 *
 * Returns: (transfer none): all of it; "messages" and "tools" are never %NULL here
 */
const TauRequestFields *
tau_request_get_fields (TauRequest *self)
{
  g_return_val_if_fail (TAU_IS_REQUEST (self), NULL);

  return &self->fields;
}
