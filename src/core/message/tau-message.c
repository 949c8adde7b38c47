/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message.h"

/* TauMessage: abstract record of one message: role, time and content blocks. Subclasses add what their role has
 * besides. Made once and never changed, so rows, the run and the writer of the session share it without copies and any
 * thread may read it. It knows nothing of JSON; that is tau-message-json. */

typedef struct
{
  char      *role;
  gint64     timestamp;
  GPtrArray *blocks; /* of TauBlock, never NULL after construction */
} TauMessagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TauMessage, tau_message, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_ROLE,
  PROP_TIMESTAMP,
  PROP_BLOCKS,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static GPtrArray *
copy_blocks (GPtrArray *blocks)
{
  GPtrArray *copy = g_ptr_array_new_full (blocks != NULL ? blocks->len : 0, (GDestroyNotify) tau_block_unref);

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    g_ptr_array_add (copy, tau_block_ref (g_ptr_array_index (blocks, i)));

  return copy;
}

static void
tau_message_get_property (GObject    *object,
                          guint       property_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (TAU_MESSAGE (object));

  switch (property_id)
    {
    case PROP_ROLE:
      g_value_set_string (value, priv->role);
      break;

    case PROP_TIMESTAMP:
      g_value_set_int64 (value, priv->timestamp);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_message_set_property (GObject      *object,
                          guint         property_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (TAU_MESSAGE (object));

  switch (property_id)
    {
    case PROP_ROLE:
      priv->role = g_value_dup_string (value);
      break;

    case PROP_TIMESTAMP:
      priv->timestamp = g_value_get_int64 (value);
      break;

    case PROP_BLOCKS:
      priv->blocks = copy_blocks (g_value_get_boxed (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_message_finalize (GObject *object)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (TAU_MESSAGE (object));

  g_clear_pointer (&priv->role, g_free);
  g_clear_pointer (&priv->blocks, g_ptr_array_unref);

  G_OBJECT_CLASS (tau_message_parent_class)->finalize (object);
}

static void
tau_message_class_init (TauMessageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_message_get_property;
  object_class->set_property = tau_message_set_property;
  object_class->finalize = tau_message_finalize;

  /**
   * TauMessage:role:
   *
   * The role string as it stands in session files.
   */
  properties[PROP_ROLE] =
      g_param_spec_string ("role", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * TauMessage:timestamp:
   *
   * Milliseconds since 1970: when it was sent, or when its request started.
   */
  properties[PROP_TIMESTAMP] =
      g_param_spec_int64 ("timestamp", NULL, NULL, G_MININT64, G_MAXINT64, 0,
                          G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * TauMessage:blocks: (type GPtrArray(TauBlock))
   *
   * The content; the array is copied, the blocks are shared. %NULL is no content.
   */
  properties[PROP_BLOCKS] =
      g_param_spec_boxed ("blocks", NULL, NULL, G_TYPE_PTR_ARRAY,
                          G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tau_message_init (TauMessage *self)
{
}

/**
 * tau_message_get_kind:
 * @self: a message
 *
 * Returns: which of the built-in kinds @self is, or %TAU_MESSAGE_KIND_OTHER
 */
TauMessageKind
tau_message_get_kind (TauMessage *self)
{
  g_return_val_if_fail (TAU_IS_MESSAGE (self), TAU_MESSAGE_KIND_OTHER);

  return TAU_MESSAGE_GET_CLASS (self)->kind;
}

/**
 * tau_message_get_role:
 * @self: a message
 *
 * Returns: the role string of session files; "" if a file gave none
 */
const char *
tau_message_get_role (TauMessage *self)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), "");

  return priv->role != NULL ? priv->role : "";
}

/**
 * tau_message_get_timestamp:
 * @self: a message
 *
 * Returns: ms since 1970
 */
gint64
tau_message_get_timestamp (TauMessage *self)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), 0);

  return priv->timestamp;
}

/**
 * tau_message_get_n_blocks:
 * @self: a message
 *
 * Returns: number of content blocks
 */
guint
tau_message_get_n_blocks (TauMessage *self)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), 0);

  return priv->blocks->len;
}

/**
 * tau_message_get_block:
 * @self: a message
 * @position: less than the number of blocks
 *
 * Returns: (transfer none): the block at @position
 */
TauBlock *
tau_message_get_block (TauMessage *self,
                       guint       position)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), NULL);
  g_return_val_if_fail (position < priv->blocks->len, NULL);

  return g_ptr_array_index (priv->blocks, position);
}

/**
 * tau_message_dup_blocks:
 * @self: a message
 *
 * Returns: (transfer full) (element-type TauBlock): a new array that shares the blocks
 */
GPtrArray *
tau_message_dup_blocks (TauMessage *self)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), NULL);

  return copy_blocks (priv->blocks);
}

/**
 * tau_message_dup_text:
 * @self: a message
 * @separator: put between two text blocks
 *
 * Returns: (transfer full): the text of all text blocks, thinking excluded; "" if there are none
 */
char *
tau_message_dup_text (TauMessage *self,
                      const char *separator)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);
  g_autoptr(GPtrArray) texts = g_ptr_array_new ();

  g_return_val_if_fail (TAU_IS_MESSAGE (self), NULL);
  g_return_val_if_fail (separator != NULL, NULL);

  for (guint i = 0; i < priv->blocks->len; i++)
    {
      TauBlock *block = g_ptr_array_index (priv->blocks, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TEXT)
        g_ptr_array_add (texts, (gpointer) tau_block_get_text (block));
    }
  g_ptr_array_add (texts, NULL);

  return g_strjoinv (separator, (char **) texts->pdata);
}

/**
 * tau_message_has_images:
 * @self: a message
 *
 * Returns: whether one of the blocks is a picture
 */
gboolean
tau_message_has_images (TauMessage *self)
{
  TauMessagePrivate *priv = tau_message_get_instance_private (self);

  g_return_val_if_fail (TAU_IS_MESSAGE (self), FALSE);

  for (guint i = 0; i < priv->blocks->len; i++)
    if (tau_block_get_kind (g_ptr_array_index (priv->blocks, i)) == TAU_BLOCK_IMAGE)
      return TRUE;

  return FALSE;
}

/**
 * tau_messages_copy:
 * @messages: (element-type TauMessage): messages
 *
 * Returns: (transfer full) (element-type TauMessage): a new array with references to the same messages, which frees them
 *   whatever @messages does
 */
GPtrArray *
tau_messages_copy (GPtrArray *messages)
{
  GPtrArray *copy;

  g_return_val_if_fail (messages != NULL, NULL);

  copy = g_ptr_array_new_full (messages->len, g_object_unref);
  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (copy, g_object_ref (g_ptr_array_index (messages, i)));

  return copy;
}
