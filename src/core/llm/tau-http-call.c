/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-http-call.h"

#include <string.h>

/* A request that is not sent yet: address, headers, JSON body. Headers keep the order in which they were first set and
 * their names compare without case, so that layers (protocol, key, model, caller) can be laid over each other. */
struct _TauHttpCall
{
  char      *url;
  JsonNode  *body;      /* nullable */
  GPtrArray *headers;   /* of Header */
};

typedef struct
{
  char *name;
  char *value;
} Header;

static void
header_free (gpointer data)
{
  Header *header = data;

  g_free (header->name);
  g_free (header->value);
  g_free (header);
}

static gboolean
find_header (TauHttpCall *self,
             const char  *name,
             guint       *position)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      Header *header = g_ptr_array_index (self->headers, i);

      if (g_ascii_strcasecmp (header->name, name) == 0)
        {
          *position = i;
          return TRUE;
        }
    }

  return FALSE;
}

/* A line break would let a value from a file add headers of its own. */
static gboolean
is_sendable (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c) && *c != '\t')
      return FALSE;

  return TRUE;
}

/**
 * tau_http_call_new:
 * @url: where to send it
 *
 * Returns: (transfer full): a call without headers and body
 */
TauHttpCall *
tau_http_call_new (const char *url)
{
  TauHttpCall *self = g_new0 (TauHttpCall, 1);

  self->url = g_strdup (url);
  self->headers = g_ptr_array_new_with_free_func (header_free);

  return self;
}

/**
 * tau_http_call_free:
 * @self: (transfer full): a call
 *
 * Frees a call.
 */
void
tau_http_call_free (TauHttpCall *self)
{
  g_free (self->url);
  g_clear_pointer (&self->body, json_node_unref);
  g_ptr_array_unref (self->headers);
  g_free (self);
}

/**
 * tau_http_call_get_url:
 * @self: a call
 *
 * Returns: (transfer none): the address
 */
const char *
tau_http_call_get_url (TauHttpCall *self)
{
  return self->url;
}

/**
 * tau_http_call_get_body:
 * @self: a call
 *
 * Returns: (transfer none) (nullable): the body
 */
JsonNode *
tau_http_call_get_body (TauHttpCall *self)
{
  return self->body;
}

/**
 * tau_http_call_take_body:
 * @self: a call
 * @body: (transfer full): the body to send
 *
 * Sets or replaces the body.
 */
void
tau_http_call_take_body (TauHttpCall *self,
                         JsonNode    *body)
{
  g_clear_pointer (&self->body, json_node_unref);
  self->body = body;
}

/**
 * tau_http_call_set_header:
 * @self: a call
 * @name: header name; case does not matter
 * @value: (nullable): value, or %NULL to remove the header
 *
 * Sets, replaces or removes a header. Values with control characters are not taken.
 */
void
tau_http_call_set_header (TauHttpCall *self,
                          const char  *name,
                          const char  *value)
{
  guint position;
  gboolean found = find_header (self, name, &position);

  if (value == NULL)
    {
      if (found)
        g_ptr_array_remove_index (self->headers, position);
      return;
    }

  if (name[0] == '\0' || !is_sendable (name) || !is_sendable (value))
    return;

  if (found)
    {
      Header *header = g_ptr_array_index (self->headers, position);

      g_free (header->value);
      header->value = g_strdup (value);
    }
  else
    {
      Header *header = g_new (Header, 1);

      *header = (Header) { g_strdup (name), g_strdup (value) };
      g_ptr_array_add (self->headers, header);
    }
}

/**
 * tau_http_call_apply_headers:
 * @self: a call
 * @headers: (nullable): JSON object of strings; null removes a header
 *
 * Lays a set of headers over those that are there.
 */
void
tau_http_call_apply_headers (TauHttpCall *self,
                             JsonNode    *headers)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (headers == NULL || !JSON_NODE_HOLDS_OBJECT (headers))
    return;

  json_object_iter_init_ordered (&iter, json_node_get_object (headers));
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (JSON_NODE_HOLDS_NULL (value))
        tau_http_call_set_header (self, name, NULL);
      else if (JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
        tau_http_call_set_header (self, name, json_node_get_string (value));
    }
}

/**
 * tau_http_call_get_header:
 * @self: a call
 * @name: header name; case does not matter
 *
 * Returns: (transfer none) (nullable): its value
 */
const char *
tau_http_call_get_header (TauHttpCall *self,
                          const char  *name)
{
  guint position;

  if (!find_header (self, name, &position))
    return NULL;

  return ((Header *) g_ptr_array_index (self->headers, position))->value;
}

/**
 * tau_http_call_foreach_header:
 * @self: a call
 * @func: (scope call): called for each header, in order
 * @user_data: for @func
 *
 * Visits all headers.
 */
void
tau_http_call_foreach_header (TauHttpCall      *self,
                              TauHttpHeaderFunc func,
                              gpointer          user_data)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      Header *header = g_ptr_array_index (self->headers, i);

      func (header->name, header->value, user_data);
    }
}

/**
 * tau_http_url_join:
 * @base: base URL, with or without a slash at its end
 * @path: path that begins with a slash
 *
 * Returns: (transfer full): both, with one slash between them
 */
char *
tau_http_url_join (const char *base,
                   const char *path)
{
  gsize length = strlen (base);

  while (length > 0 && base[length - 1] == '/')
    length--;

  return g_strdup_printf ("%.*s%s", (int) length, base, path);
}
