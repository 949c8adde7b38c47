/* SPDX-License-Identifier: MIT */
#include "core/session/tau-request-images.h"

#include "core/base/tau-task.h"
#include "core/message/tau-message-convert.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"
#include "core/tool/tau-image-fit.h"

#include <string.h>

/* One picture that a provider refuses would make every further request of its session fail. So each is looked at before it
 * is sent, wherever it came from: too large, it is made smaller; mislabelled, it gets its right type; unreadable, a text
 * stands in its place. What fits stays as it is, byte for byte, for the sake of the provider's cache.
 *
 * Decoding takes time: it happens in a thread, and once for each picture. */
struct _TauRequestImages
{
  gatomicrefcount n_refs;
  GMutex          lock;
  GHashTable     *verdicts;   /* checksum of the base64 and the allowed side → GPtrArray of TauBlock; guarded by the lock */
};

/* The tightest limits of the vendors, Anthropic's (docs.anthropic.com, "Vision", 2026): 5 MB of base64, 8000 pixels a side,
 * and 2000 where a request has more than 20 pictures. */
#define MAX_BASE64      ((gsize) 5 * 1000 * 1000)
#define MAX_SIDE        8000
#define MAX_SIDE_IF_MANY 2000
#define MANY            20

#define UNREADABLE_TEXT "[Image omitted: it cannot be read or made small enough.]"

/**
 * tau_request_images_new:
 *
 * Returns: (transfer full): nothing is known yet
 */
TauRequestImages *
tau_request_images_new (void)
{
  TauRequestImages *self = g_new0 (TauRequestImages, 1);

  g_atomic_ref_count_init (&self->n_refs);
  g_mutex_init (&self->lock);
  self->verdicts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  return self;
}

/**
 * tau_request_images_ref:
 * @self: what is known
 *
 * Returns: (transfer full): @self
 */
TauRequestImages *
tau_request_images_ref (TauRequestImages *self)
{
  g_atomic_ref_count_inc (&self->n_refs);

  return self;
}

/**
 * tau_request_images_unref:
 * @self: (transfer full): what is known
 *
 * Gives a reference back.
 */
void
tau_request_images_unref (TauRequestImages *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_hash_table_unref (self->verdicts);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static gboolean
is_image (TauBlock *block)
{
  return tau_block_get_kind (block) == TAU_BLOCK_IMAGE;
}

static gboolean
may_hold_images (TauMessage *message)
{
  return (TAU_IS_USER_MESSAGE (message) || TAU_IS_TOOL_RESULT_MESSAGE (message)) && tau_message_has_images (message);
}

static guint
count_images (GPtrArray *messages)
{
  guint n_images = 0;

  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);

      if (may_hold_images (message))
        for (guint j = 0; j < tau_message_get_n_blocks (message); j++)
          n_images += is_image (tau_message_get_block (message, j)) ? 1 : 0;
    }

  return n_images;
}

/* What is sent in the place of a picture: itself, a smaller one and what the model must know of it, or a text. */
static GPtrArray *
judge (TauBlock *block,
       int       max_side)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  const char *data = tau_block_get_data (block) != NULL ? tau_block_get_data (block) : "";
  gsize length;
  g_autofree guint8 *bytes = g_base64_decode (data, &length);
  const char *type = tau_image_is_whole (bytes, length) ? tau_image_sniff_type (bytes, length) : NULL;
  g_autoptr(TauFittedImage) image = tau_image_fit_within (bytes, length, type, max_side, MAX_BASE64);

  if (image->data == NULL)
    g_ptr_array_add (blocks, tau_block_new_text (UNREADABLE_TEXT, NULL));
  else if (g_strcmp0 (image->data, data) == 0 && g_strcmp0 (image->mime_type, tau_block_get_mime_type (block)) == 0)
    g_ptr_array_add (blocks, tau_block_ref (block));
  else
    {
      if (image->note != NULL)
        g_ptr_array_add (blocks, tau_block_new_text (image->note, NULL));
      g_ptr_array_add (blocks, tau_block_new_image (image->data, image->mime_type));
    }

  return blocks;
}

static GPtrArray *
dup_verdict (TauRequestImages *self,
             const char       *key)
{
  GPtrArray *known;

  g_mutex_lock (&self->lock);
  known = g_hash_table_lookup (self->verdicts, key);
  if (known != NULL)
    g_ptr_array_ref (known);
  g_mutex_unlock (&self->lock);

  return known;
}

static GPtrArray *
look_at (TauRequestImages *self,
         TauBlock         *block,
         int               max_side)
{
  const char *data = tau_block_get_data (block) != NULL ? tau_block_get_data (block) : "";
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, data, -1);
  g_autofree char *key = g_strdup_printf ("%s %s %d", checksum, tau_block_get_mime_type (block), max_side);
  GPtrArray *verdict = dup_verdict (self, key);

  if (verdict == NULL)
    {
      verdict = judge (block, max_side);
      g_mutex_lock (&self->lock);
      g_hash_table_replace (self->verdicts, g_strdup (key), g_ptr_array_ref (verdict));
      g_mutex_unlock (&self->lock);
    }

  return verdict;
}

static TauMessage *
fit_message (TauRequestImages *self,
             TauMessage       *message,
             int               max_side)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  gboolean same = TRUE;

  if (!may_hold_images (message))
    return g_object_ref (message);

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (is_image (block))
        {
          g_autoptr(GPtrArray) verdict = look_at (self, block, max_side);

          same &= verdict->len == 1 && is_image (g_ptr_array_index (verdict, 0)) &&
                  g_strcmp0 (tau_block_get_data (g_ptr_array_index (verdict, 0)), tau_block_get_data (block)) == 0 &&
                  g_strcmp0 (tau_block_get_mime_type (g_ptr_array_index (verdict, 0)), tau_block_get_mime_type (block)) == 0;
          for (guint j = 0; j < verdict->len; j++)
            g_ptr_array_add (blocks, tau_block_ref (g_ptr_array_index (verdict, j)));
        }
      else
        g_ptr_array_add (blocks, tau_block_ref (block));
    }

  return same ? g_object_ref (message) : tau_message_with_blocks (message, blocks);
}

typedef struct
{
  TauRequestImages *images;
  GPtrArray        *messages;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tau_request_images_unref (job->images);
  g_ptr_array_unref (job->messages);
  g_free (job);
}

static void
fit_thread (GTask        *task,
            gpointer      source_object,
            gpointer      task_data,
            GCancellable *cancellable)
{
  Job *job = task_data;
  int max_side = count_images (job->messages) > MANY ? MAX_SIDE_IF_MANY : MAX_SIDE;
  g_autoptr(GPtrArray) fitted = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < job->messages->len; i++)
    {
      if (g_task_return_error_if_cancelled (task))
        return;
      g_ptr_array_add (fitted, fit_message (job->images, g_ptr_array_index (job->messages, i), max_side));
    }
  g_task_return_pointer (task, g_steal_pointer (&fitted), (GDestroyNotify) g_ptr_array_unref);
}

/**
 * tau_request_images_fit_async:
 * @self: what is known
 * @messages: (element-type TauMessage): a conversation as the model is to see it
 * @cancellable: (nullable): to stop it
 * @callback: called when all pictures have been looked at
 * @user_data: for @callback
 *
 * Makes the pictures of a conversation fit for a request.
 */
void
tau_request_images_fit_async (TauRequestImages   *self,
                              GPtrArray          *messages,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new (Job, 1);

  g_task_set_source_tag (task, tau_request_images_fit_async);
  *job = (Job) { tau_request_images_ref (self), g_ptr_array_ref (messages) };
  g_task_set_task_data (task, job, job_free);
  if (count_images (messages) == 0)
    g_task_return_pointer (task, g_ptr_array_ref (messages), (GDestroyNotify) g_ptr_array_unref);
  else
    tau_task_run_in_thread (task, fit_thread);
}

/**
 * tau_request_images_fit_finish:
 * @result: the result
 * @error: return location for %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (element-type TauMessage): the conversation; messages without pictures, and those whose pictures
 *   fit, are the same records
 */
GPtrArray *
tau_request_images_fit_finish (GAsyncResult *result,
                               GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
