/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message.h"

#include "core/base/tau-json.h"
#include "core/message/tau-draft.h"
#include "core/message/tau-message-convert.h"
#include "core/message/tau-message-json.h"
#include "support/tau-test-transcript.h"

#include <string.h>

/* What holds for every message and for every order of deltas. */

#define N_ROUNDS 300

static char *
write_text (TauMessage *message)
{
  g_autoptr(JsonNode) json = tau_message_to_json (message);

  return tau_json_to_string (json);
}

/* Written, read and written again, a message is the same line: through text, as a file does it. */
static void
test_round_trip (void)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      TauMessageKind kind = (TauMessageKind) g_test_rand_int_range (0, TAU_MESSAGE_KIND_ARTIFACT + 1);
      g_autoptr(TauMessage) message = tau_test_random_message (kind);
      g_autofree char *first = write_text (message);
      g_autoptr(GError) error = NULL;
      g_autoptr(JsonNode) json = tau_json_parse (first, -1, &error);
      g_autoptr(TauMessage) again = NULL;
      g_autofree char *second = NULL;

      g_assert_no_error (error);
      again = tau_message_from_json (json, &error);
      g_assert_no_error (error);
      second = write_text (again);

      g_assert_cmpstr (first, ==, second);
      g_assert_cmpint (tau_message_get_kind (again), ==, kind);
      g_assert_cmpint (tau_message_get_timestamp (again), ==, tau_message_get_timestamp (message));
      g_assert_cmpuint (tau_message_get_n_blocks (again), ==, tau_message_get_n_blocks (message));
    }
}

static gboolean
is_for_a_model (TauMessage *message)
{
  TauMessageKind kind = tau_message_get_kind (message);

  return kind == TAU_MESSAGE_KIND_USER || kind == TAU_MESSAGE_KIND_ASSISTANT || kind == TAU_MESSAGE_KIND_TOOL_RESULT;
}

/* A model sees three roles only, in their order; to convert what is converted changes nothing. */
static void
test_conversion (void)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr(GPtrArray) messages = tau_test_random_transcript (12);
      g_autoptr(GPtrArray) once = tau_messages_convert_to_llm (messages);
      g_autoptr(GPtrArray) twice = tau_messages_convert_to_llm (once);
      guint position = 0;

      g_assert_cmpuint (once->len, ==, twice->len);
      for (guint n = 0; n < once->len; n++)
        {
          g_assert_true (is_for_a_model (g_ptr_array_index (once, n)));
          g_assert_true (g_ptr_array_index (once, n) == g_ptr_array_index (twice, n));
        }

      for (guint n = 0; n < messages->len; n++)
        if (is_for_a_model (g_ptr_array_index (messages, n)))
          {
            while (position < once->len && g_ptr_array_index (once, position) != g_ptr_array_index (messages, n))
              position++;
            g_assert_cmpuint (position, <, once->len);
          }
    }
}

static void
test_blocked_images (void)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr(GPtrArray) messages = tau_test_random_transcript (8);
      g_autoptr(GPtrArray) converted = tau_messages_convert_to_llm (messages);
      g_autoptr(GPtrArray) blocked = tau_messages_block_images (converted);

      g_assert_cmpuint (blocked->len, ==, converted->len);
      for (guint n = 0; n < blocked->len; n++)
        {
          TauMessage *before = g_ptr_array_index (converted, n);
          TauMessage *after = g_ptr_array_index (blocked, n);

          g_assert_false (tau_message_has_images (after));
          g_assert_cmpint (tau_message_get_kind (after), ==, tau_message_get_kind (before));
          g_assert_cmpint (tau_message_get_timestamp (after), ==, tau_message_get_timestamp (before));
          if (!tau_message_has_images (before))
            g_assert_true (before == after);
        }
    }
}

/* What a draft should hold, kept in the simplest way. */
typedef struct
{
  GPtrArray *texts; /* of GString */
  GArray    *kinds; /* of TauBlockKind */
  guint      revision;
} Model;

static TauDeltaKind
delta_of (TauBlockKind kind,
          guint        part)
{
  TauDeltaKind first = kind == TAU_BLOCK_TEXT       ? TAU_DELTA_TEXT_START
                       : kind == TAU_BLOCK_THINKING ? TAU_DELTA_THINKING_START
                                                    : TAU_DELTA_TOOL_CALL_START;

  return first + part;
}

static void
start_block (TauDraft *draft,
             Model    *model)
{
  static const TauBlockKind kinds[] = { TAU_BLOCK_TEXT, TAU_BLOCK_THINKING, TAU_BLOCK_TOOL_CALL };
  TauBlockKind kind = kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))];

  tau_draft_apply (draft, &(TauDelta) {
      .kind = delta_of (kind, 0), .index = model->texts->len, .length = -1, .id = "c", .name = "t" });
  g_ptr_array_add (model->texts, g_string_new (NULL));
  g_array_append_val (model->kinds, kind);
}

static void
append_to_block (TauDraft *draft,
                 Model    *model)
{
  guint index = (guint) g_test_rand_int_range (0, (gint32) model->texts->len);
  const char *text = tau_test_random_text ();

  tau_draft_apply (draft, &(TauDelta) {
      .kind = delta_of (g_array_index (model->kinds, TauBlockKind, index), 1), .index = index, .text = text, .length = -1 });
  g_string_append (g_ptr_array_index (model->texts, index), text);
}

static void
end_block (TauDraft *draft,
           Model    *model)
{
  guint index = (guint) g_test_rand_int_range (0, (gint32) model->texts->len);

  tau_draft_apply (draft, &(TauDelta) { .kind = delta_of (g_array_index (model->kinds, TauBlockKind, index), 2), .index = index });
  g_assert_false (tau_draft_is_block_open (draft, index));
}

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

/* Two halves of a surrogate pair that come in two deltas are one character, as they are when JSON is read. */
static char *
join_halves (const char *text)
{
  g_autoptr(GString) json = g_string_new (NULL);
  g_autoptr(JsonNode) node = NULL;

  tau_json_append_string (json, text);
  node = tau_json_parse (json->str, -1, NULL);

  return g_strdup (tau_json_get_string (node, NULL, NULL));
}

static void
assert_same (TauDraft *draft,
             Model    *model)
{
  g_assert_cmpuint (tau_draft_get_n_blocks (draft), ==, model->texts->len);
  for (guint i = 0; i < model->texts->len; i++)
    {
      GString *sent = g_ptr_array_index (model->texts, i);
      g_autofree char *expected = join_halves (sent->str);
      gsize length;

      g_assert_cmpstr (tau_draft_get_block_text (draft, i, &length), ==, expected);
      g_assert_cmpuint (length, ==, strlen (expected));
      g_assert_cmpint (tau_draft_get_block_kind (draft, i), ==, g_array_index (model->kinds, TauBlockKind, i));
    }
}

/* Blocks may interleave as they like; a snapshot in the middle and the message at the end hold what came. */
static void
test_draft (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      TauDraft *draft = tau_draft_new ("a", "p", "m", 1);
      Model model = { g_ptr_array_new_with_free_func (free_string), g_array_new (FALSE, FALSE, sizeof (TauBlockKind)), 0 };
      g_autoptr(TauAssistantMessage) message = NULL;

      for (gint32 n = g_test_rand_int_range (1, 40); n > 0; n--)
        {
          g_autoptr(TauAssistantMessage) snapshot = NULL;

          if (model.texts->len == 0 || g_test_rand_int_range (0, 6) == 0)
            start_block (draft, &model);
          else if (g_test_rand_int_range (0, 8) == 0)
            end_block (draft, &model);
          else
            append_to_block (draft, &model);

          g_assert_cmpuint (tau_draft_get_revision (draft), >, model.revision);
          model.revision = tau_draft_get_revision (draft);
          snapshot = tau_draft_snapshot (draft);
          g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (snapshot)), ==, model.texts->len);
        }

      assert_same (draft, &model);
      message = tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL);
      tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_TEXT, .index = 0, .text = "late", .length = -1 });
      assert_same (draft, &model);
      g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, model.texts->len);

      g_ptr_array_unref (model.texts);
      g_array_unref (model.kinds);
      g_assert_finalize_object (draft);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-property/round-trip", test_round_trip);
  g_test_add_func ("/message-property/conversion", test_conversion);
  g_test_add_func ("/message-property/blocked-images", test_blocked_images);
  g_test_add_func ("/message-property/draft", test_draft);

  return g_test_run ();
}
