/* SPDX-License-Identifier: MIT */
#include "core/message/tau-user-message.h"

/* TauUserMessage: record of what the user sent: text, then pictures. Files may hold the content as a bare string
 * instead of an array; that is remembered, so that the message is written back as it was read. */

struct _TauUserMessage
{
  TauMessage parent_instance;

  gboolean   is_string;
};

G_DEFINE_FINAL_TYPE (TauUserMessage, tau_user_message, TAU_TYPE_MESSAGE)

static void
tau_user_message_class_init (TauUserMessageClass *klass)
{
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_USER;
}

static void
tau_user_message_init (TauUserMessage *self)
{
}

/**
 * tau_user_message_new_blocks:
 * @blocks: (element-type TauBlock): text and image blocks
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a user message with just these blocks
 */
TauUserMessage *
tau_user_message_new_blocks (GPtrArray *blocks,
                             gint64     timestamp)
{
  return g_object_new (TAU_TYPE_USER_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_USER),
                       "timestamp", timestamp,
                       "blocks", blocks,
                       NULL);
}

/**
 * tau_user_message_new:
 * @text: what the user typed; becomes a text block even if ""
 * @images: (nullable) (element-type TauBlock): pictures, which follow the text
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a user message
 */
TauUserMessage *
tau_user_message_new (const char *text,
                      GPtrArray  *images,
                      gint64      timestamp)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_return_val_if_fail (text != NULL, NULL);

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  for (guint i = 0; images != NULL && i < images->len; i++)
    g_ptr_array_add (blocks, tau_block_ref (g_ptr_array_index (images, i)));

  return tau_user_message_new_blocks (blocks, timestamp);
}

/**
 * tau_user_message_new_string:
 * @text: the content
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a user message whose content is a bare string in JSON and one text block to everyone else
 */
TauUserMessage *
tau_user_message_new_string (const char *text,
                             gint64      timestamp)
{
  TauUserMessage *self = tau_user_message_new (text, NULL, timestamp);

  g_return_val_if_fail (self != NULL, NULL);

  self->is_string = TRUE;

  return self;
}

/**
 * tau_user_message_is_string:
 * @self: a user message
 *
 * Returns: whether the content is a bare string in JSON
 */
gboolean
tau_user_message_is_string (TauUserMessage *self)
{
  g_return_val_if_fail (TAU_IS_USER_MESSAGE (self), FALSE);

  return self->is_string;
}
