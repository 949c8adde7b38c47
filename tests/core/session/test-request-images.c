/* SPDX-License-Identifier: MIT */
#include "core/session/tau-request-images.h"

#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"
#include "session-fixture.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* P57: whatever picture is in a conversation, the request that is built from it is one that a provider takes. */

static char *
dup_picture (int         width,
             int         height,
             const char *type)
{
  g_autoptr(GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autoptr(GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  gdk_pixbuf_fill (pixbuf, 0x204060ff);
  gdk_pixbuf_save_to_buffer (pixbuf, &bytes, &length, type, &error, NULL);
  g_assert_no_error (error);

  return g_base64_encode ((guchar *) bytes, length);
}

/* Small on paper, too large as base64: noise that nothing compresses. */
static char *
dup_heavy_picture (void)
{
  g_autoptr(GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 1300, 1200);
  g_autoptr(GError) error = NULL;
  g_autoptr(GRand) random = g_rand_new_with_seed (7);
  guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
  g_autofree char *bytes = NULL;
  gsize length;

  for (gsize i = 0; i < gdk_pixbuf_get_byte_length (pixbuf); i++)
    pixels[i] = (guchar) g_rand_int (random);
  gdk_pixbuf_save_to_buffer (pixbuf, &bytes, &length, "png", &error, "compression", "1", NULL);
  g_assert_no_error (error);

  return g_base64_encode ((guchar *) bytes, length);
}

static void
assert_size (TauBlock *block,
             int       width,
             int       height)
{
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (tau_block_get_data (block), &length);
  g_autoptr(GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();

  g_assert_true (gdk_pixbuf_loader_write (loader, bytes, length, NULL));
  g_assert_true (gdk_pixbuf_loader_close (loader, NULL));
  g_assert_cmpint (gdk_pixbuf_get_width (gdk_pixbuf_loader_get_pixbuf (loader)), ==, width);
  g_assert_cmpint (gdk_pixbuf_get_height (gdk_pixbuf_loader_get_pixbuf (loader)), ==, height);
}

static TauMessage *
new_message (gboolean    as_result,
             const char *data,
             const char *type)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text ("Look", NULL));
  g_ptr_array_add (blocks, tau_block_new_image (data, type));
  if (as_result)
    return TAU_MESSAGE (tau_tool_result_message_new ("c1", "read", blocks, NULL, FALSE, 5));

  return TAU_MESSAGE (tau_user_message_new_blocks (blocks, 5));
}

static GPtrArray *
fit (TauRequestImages *images,
     GPtrArray        *messages)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *fitted;

  tau_request_images_fit_async (images, messages, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  fitted = tau_request_images_fit_finish (result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fitted->len, ==, messages->len);

  return fitted;
}

/* The same for what a person attached and for what a tool gave. */
static TauMessage *
fit_one (gboolean    as_result,
         const char *data,
         const char *type)
{
  g_autoptr(TauRequestImages) images = tau_request_images_new ();
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GPtrArray) fitted = NULL;

  g_ptr_array_add (messages, new_message (as_result, data, type));
  fitted = fit (images, messages);
  if (as_result)
    g_assert_cmpstr (tau_tool_result_message_get_call_id (g_ptr_array_index (fitted, 0)), ==, "c1");

  return g_object_ref (g_ptr_array_index (fitted, 0));
}

static void
test_fits (void)
{
  g_autofree char *data = dup_picture (3000, 10, "png");

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(TauMessage) message = fit_one (i == 1, data, "image/png");

      g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 2);
      g_assert_cmpstr (tau_block_get_data (tau_message_get_block (message, 1)), ==, data);
    }
}

static void
test_too_large (void)
{
  g_autofree char *wide = dup_picture (9000, 30, "png");
  g_autofree char *heavy = dup_heavy_picture ();

  g_assert_cmpuint (strlen (heavy), >, 5 * 1000 * 1000);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(TauMessage) narrow = fit_one (i == 1, wide, "image/png");
      g_autoptr(TauMessage) light = fit_one (i == 1, heavy, "image/png");

      g_assert_cmpuint (tau_message_get_n_blocks (narrow), ==, 3);
      g_assert_true (g_str_has_prefix (tau_block_get_text (tau_message_get_block (narrow, 1)), "[Image: original 9000x30, displayed at 2000x7."));
      assert_size (tau_message_get_block (narrow, 2), 2000, 7);
      g_assert_cmpuint (strlen (tau_block_get_data (tau_message_get_block (light, 2))), <, 5 * 1000 * 1000);
    }
}

/* Providers look at the bytes and refuse what does not fit its label. */
static void
test_wrong_type (void)
{
  g_autofree char *jpeg = dup_picture (20, 20, "jpeg");
  g_autofree char *bmp = dup_picture (20, 20, "bmp");
  g_autoptr(TauMessage) relabelled = fit_one (FALSE, jpeg, "image/png");
  g_autoptr(TauMessage) changed = fit_one (FALSE, bmp, "image/bmp");
  TauBlock *last = tau_message_get_block (changed, tau_message_get_n_blocks (changed) - 1);

  g_assert_cmpstr (tau_block_get_mime_type (tau_message_get_block (relabelled, 1)), ==, "image/jpeg");
  g_assert_cmpstr (tau_block_get_data (tau_message_get_block (relabelled, 1)), ==, jpeg);
  g_assert_cmpstr (tau_block_get_mime_type (last), ==, "image/png");
  assert_size (last, 20, 20);
}

static void
test_unreadable (void)
{
  const char * const broken[] = { "", "aGVsbG8=", "%%%", "iVBORw0KGgo=", "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q==" };

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr(TauMessage) message = fit_one (TRUE, broken[i], "image/png");

      g_test_message ("case %u", i);
      g_assert_false (tau_message_has_images (message));
      g_assert_cmpstr (tau_block_get_text (tau_message_get_block (message, 1)), ==, "[Image omitted: it cannot be read or made small enough.]");
    }
}

/* What is there of a picture that was cut is sent as a whole one. */
static void
test_cut (void)
{
  const char * const types[] = { "png", "jpeg" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *good = dup_picture (400, 400, types[i]);
      g_autofree char *cut = g_strndup (good, strlen (good) * 3 / 4 / 4 * 4);
      g_autoptr(TauMessage) message = fit_one (FALSE, cut, "image/png");
      TauBlock *last = tau_message_get_block (message, tau_message_get_n_blocks (message) - 1);

      g_assert_cmpstr (tau_block_get_data (last), !=, cut);
      if (tau_block_get_kind (last) == TAU_BLOCK_IMAGE)
        assert_size (last, 400, 400);
      else
        g_assert_true (g_str_has_prefix (tau_block_get_text (last), "[Image omitted"));
    }
}

/* With more than twenty, each side may have 2000 pixels only; and each picture is looked at once. */
static void
test_many (void)
{
  g_autoptr(TauRequestImages) images = tau_request_images_new ();
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *data = dup_picture (3000, 9, "png");
  g_autoptr(GPtrArray) few = NULL;
  g_autoptr(GPtrArray) many = NULL;

  for (guint i = 0; i < 20; i++)
    g_ptr_array_add (messages, new_message (i % 2 == 0, data, "image/png"));
  few = fit (images, messages);
  for (guint i = 0; i < 20; i++)
    g_assert_true (few->pdata[i] == messages->pdata[i]);

  g_ptr_array_add (messages, new_message (FALSE, data, "image/png"));
  many = fit (images, messages);
  for (guint i = 0; i < 21; i++)
    assert_size (tau_message_get_block (many->pdata[i], 2), 2000, 6);
}

/* The whole way: a session with a broken picture goes on. */
static void
test_session (Fixture       *self,
              gconstpointer  data)
{
  g_autofree char *picture = dup_picture (9000, 30, "png");
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(GError) error = NULL;
  const char *body;

  fixture_write_models (self, ",\"input\":[\"text\",\"image\"]");
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  g_ptr_array_add (images, tau_block_new_image (picture, "image/png"));
  g_ptr_array_add (images, tau_block_new_image ("aGVsbG8=", "image/png"));
  fixture_answer (self, ANSWER ("I see."));
  tau_agent_session_prompt (self->session, "Look", images, TAU_DELIVERY_PROMPT, &error);
  g_assert_no_error (error);
  fixture_wait (self);
  body = tau_test_server_get_body (self->server, 0);
  g_assert_nonnull (strstr (body, "[Image omitted: it cannot be read"));
  g_assert_nonnull (strstr (body, "displayed at 2000x7"));
  g_assert_null (strstr (body, "aGVsbG8="));
  g_assert_null (strstr (body, picture));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request-images/p57-fits", test_fits);
  g_test_add_func ("/request-images/p57-too-large", test_too_large);
  g_test_add_func ("/request-images/p57-wrong-type", test_wrong_type);
  g_test_add_func ("/request-images/p57-unreadable", test_unreadable);
  g_test_add_func ("/request-images/p57-cut", test_cut);
  g_test_add_func ("/request-images/p57-many", test_many);
  g_test_add ("/request-images/p57-session", Fixture, NULL, fixture_set_up, test_session, fixture_tear_down);

  return g_test_run ();
}
