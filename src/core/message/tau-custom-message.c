/* SPDX-License-Identifier: MIT */
#include "core/message/tau-custom-message.h"

/* TauCustomMessage: record of a message that an extension put in. The model reads it as a user message even if it is
 * not displayed. The details are the extension's own and kept as they came. */

struct _TauCustomMessage
{
  TauMessage parent_instance;

  char      *custom_type;
  gboolean   is_string;
  gboolean   display;
  JsonNode  *details; /* nullable */
};

G_DEFINE_FINAL_TYPE (TauCustomMessage, tau_custom_message, TAU_TYPE_MESSAGE)

static void
tau_custom_message_finalize (GObject *object)
{
  TauCustomMessage *self = TAU_CUSTOM_MESSAGE (object);

  g_clear_pointer (&self->custom_type, g_free);
  g_clear_pointer (&self->details, json_node_unref);

  G_OBJECT_CLASS (tau_custom_message_parent_class)->finalize (object);
}

static void
tau_custom_message_class_init (TauCustomMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_custom_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_CUSTOM;
}

static void
tau_custom_message_init (TauCustomMessage *self)
{
}

/**
 * tau_custom_message_new:
 * @custom_type: the extension's name for it
 * @blocks: (element-type TauBlock): text and image blocks
 * @content_is_string: whether @blocks is one text block that JSON holds as a bare string
 * @display: whether people see it
 * @details: (nullable) (transfer none): the extension's own; must not change afterwards
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a custom message
 */
TauCustomMessage *
tau_custom_message_new (const char *custom_type,
                        GPtrArray  *blocks,
                        gboolean    content_is_string,
                        gboolean    display,
                        JsonNode   *details,
                        gint64      timestamp)
{
  TauCustomMessage *self;

  g_return_val_if_fail (custom_type != NULL, NULL);

  self = g_object_new (TAU_TYPE_CUSTOM_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_CUSTOM),
                       "timestamp", timestamp,
                       "blocks", blocks,
                       NULL);
  self->custom_type = g_strdup (custom_type);
  self->is_string = !!content_is_string;
  self->display = !!display;
  self->details = details != NULL ? json_node_ref (details) : NULL;

  return self;
}

/**
 * tau_custom_message_get_custom_type:
 * @self: a custom message
 *
 * Returns: the extension's name for it
 */
const char *
tau_custom_message_get_custom_type (TauCustomMessage *self)
{
  g_return_val_if_fail (TAU_IS_CUSTOM_MESSAGE (self), NULL);

  return self->custom_type;
}

/**
 * tau_custom_message_is_string:
 * @self: a custom message
 *
 * Returns: whether the content is a bare string in JSON
 */
gboolean
tau_custom_message_is_string (TauCustomMessage *self)
{
  g_return_val_if_fail (TAU_IS_CUSTOM_MESSAGE (self), FALSE);

  return self->is_string;
}

/**
 * tau_custom_message_get_display:
 * @self: a custom message
 *
 * Returns: whether people see it
 */
gboolean
tau_custom_message_get_display (TauCustomMessage *self)
{
  g_return_val_if_fail (TAU_IS_CUSTOM_MESSAGE (self), FALSE);

  return self->display;
}

/**
 * tau_custom_message_get_details:
 * @self: a custom message
 *
 * Returns: (nullable) (transfer none): the extension's own data
 */
JsonNode *
tau_custom_message_get_details (TauCustomMessage *self)
{
  g_return_val_if_fail (TAU_IS_CUSTOM_MESSAGE (self), NULL);

  return self->details;
}
