/* SPDX-License-Identifier: MIT */
#include "core/message/tau-user-attachments-message.h"

#include "core/base/tau-json.h"

/* TauUserAttachmentsMessage: record of a prompt with files, as pi's web interface writes it (role
 * user-with-attachments). Each attachment is a JSON object: type "image" or "document", fileName, mimeType, base64
 * content, extractedText of a document. They are kept as they came; the model reads pictures and texts. */

struct _TauUserAttachmentsMessage
{
  TauMessage parent_instance;

  gboolean   is_string;
  JsonNode  *attachments; /* nullable */
};

G_DEFINE_FINAL_TYPE (TauUserAttachmentsMessage, tau_user_attachments_message, TAU_TYPE_MESSAGE)

static void
tau_user_attachments_message_finalize (GObject *object)
{
  TauUserAttachmentsMessage *self = TAU_USER_ATTACHMENTS_MESSAGE (object);

  g_clear_pointer (&self->attachments, json_node_unref);

  G_OBJECT_CLASS (tau_user_attachments_message_parent_class)->finalize (object);
}

static void
tau_user_attachments_message_class_init (TauUserAttachmentsMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_user_attachments_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_USER_ATTACHMENTS;
}

static void
tau_user_attachments_message_init (TauUserAttachmentsMessage *self)
{
}

/**
 * tau_user_attachments_message_new:
 * @blocks: (element-type TauBlock): what the user typed
 * @content_is_string: whether @blocks is one text block that JSON holds as a bare string
 * @attachments: (nullable) (transfer none): JSON array of attachments; must not change afterwards
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a prompt with files
 */
TauUserAttachmentsMessage *
tau_user_attachments_message_new (GPtrArray *blocks,
                                  gboolean   content_is_string,
                                  JsonNode  *attachments,
                                  gint64     timestamp)
{
  TauUserAttachmentsMessage *self;

  self = g_object_new (TAU_TYPE_USER_ATTACHMENTS_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_USER_ATTACHMENTS),
                       "timestamp", timestamp,
                       "blocks", blocks,
                       NULL);
  self->is_string = !!content_is_string;
  self->attachments = attachments != NULL ? json_node_ref (attachments) : NULL;

  return self;
}

/**
 * tau_user_attachments_message_is_string:
 * @self: a prompt with files
 *
 * Returns: whether the content is a bare string in JSON
 */
gboolean
tau_user_attachments_message_is_string (TauUserAttachmentsMessage *self)
{
  g_return_val_if_fail (TAU_IS_USER_ATTACHMENTS_MESSAGE (self), FALSE);

  return self->is_string;
}

/**
 * tau_user_attachments_message_get_attachments:
 * @self: a prompt with files
 *
 * Returns: (nullable) (transfer none): the attachments as they stood in the file
 */
JsonNode *
tau_user_attachments_message_get_attachments (TauUserAttachmentsMessage *self)
{
  g_return_val_if_fail (TAU_IS_USER_ATTACHMENTS_MESSAGE (self), NULL);

  return self->attachments;
}

/**
 * tau_user_attachments_message_get_n_attachments:
 * @self: a prompt with files
 *
 * Returns: number of attachments
 */
guint
tau_user_attachments_message_get_n_attachments (TauUserAttachmentsMessage *self)
{
  g_return_val_if_fail (TAU_IS_USER_ATTACHMENTS_MESSAGE (self), 0);

  if (self->attachments == NULL || !JSON_NODE_HOLDS_ARRAY (self->attachments))
    return 0;

  return json_array_get_length (json_node_get_array (self->attachments));
}

static JsonNode *
get_attachment (TauUserAttachmentsMessage *self,
                guint                      position)
{
  return json_array_get_element (json_node_get_array (self->attachments), position);
}

/**
 * tau_user_attachments_message_get_file_name:
 * @self: a prompt with files
 * @position: less than the number of attachments
 *
 * Returns: name of the file; "" if unknown
 */
const char *
tau_user_attachments_message_get_file_name (TauUserAttachmentsMessage *self,
                                            guint                      position)
{
  g_return_val_if_fail (position < tau_user_attachments_message_get_n_attachments (self), "");

  return tau_json_get_string (get_attachment (self, position), "fileName", "");
}

/* Returns: (nullable): the block of one attachment; a document without text says nothing to a model */
static TauBlock *
attachment_to_block (JsonNode *attachment)
{
  const char *type = tau_json_get_string (attachment, "type", "");
  const char *text = tau_json_get_string (attachment, "extractedText", "");
  g_autofree char *titled = NULL;

  if (g_str_equal (type, "image"))
    return tau_block_new_image (tau_json_get_string (attachment, "content", ""),
                                tau_json_get_string (attachment, "mimeType", ""));
  if (!g_str_equal (type, "document") || *text == '\0')
    return NULL;

  titled = g_strdup_printf ("\n\n[Document: %s]\n%s", tau_json_get_string (attachment, "fileName", ""), text);

  return tau_block_new_text (titled, NULL);
}

/**
 * tau_user_attachments_message_dup_llm_blocks:
 * @self: a prompt with files
 *
 * Returns: (transfer full) (element-type TauBlock): what the model reads: the prompt, then the pictures as such and the
 *   documents as text, in their order
 */
GPtrArray *
tau_user_attachments_message_dup_llm_blocks (TauUserAttachmentsMessage *self)
{
  GPtrArray *blocks;

  g_return_val_if_fail (TAU_IS_USER_ATTACHMENTS_MESSAGE (self), NULL);

  blocks = tau_message_dup_blocks (TAU_MESSAGE (self));
  for (guint i = 0; i < tau_user_attachments_message_get_n_attachments (self); i++)
    {
      TauBlock *block = attachment_to_block (get_attachment (self, i));

      if (block != NULL)
        g_ptr_array_add (blocks, block);
    }

  return blocks;
}
