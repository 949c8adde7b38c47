/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-prompt-queue.h"

#include "core/message/tau-user-message.h"

/* What waits, how much a drain takes, and that the queue keeps nothing that was taken. */

static void
push (TauPromptQueue *queue,
      const char     *text)
{
  g_autoptr(TauUserMessage) message = tau_user_message_new (text, NULL, 1);

  tau_prompt_queue_push (queue, TAU_MESSAGE (message));
}

static void
assert_drained (TauPromptQueue *queue,
                const char     *expected)
{
  g_autoptr(GPtrArray) taken = tau_prompt_queue_drain (queue);
  g_autoptr(GString) texts = g_string_new (NULL);

  for (guint i = 0; i < taken->len; i++)
    {
      g_autofree char *text = tau_message_dup_text (g_ptr_array_index (taken, i), "");

      g_string_append_printf (texts, "%s%s", i > 0 ? " " : "", text);
    }
  g_assert_cmpstr (texts->str, ==, expected);
}

static void
test_one_at_a_time (void)
{
  TauPromptQueue *queue = tau_prompt_queue_new ();

  g_assert_cmpint (tau_prompt_queue_get_mode (queue), ==, TAU_QUEUE_ONE_AT_A_TIME);
  push (queue, "a");
  push (queue, "b");
  assert_drained (queue, "a");
  g_assert_cmpuint (tau_prompt_queue_get_messages (queue)->len, ==, 1);
  assert_drained (queue, "b");
  assert_drained (queue, "");

  g_assert_finalize_object (queue);
}

static void
test_all (void)
{
  TauPromptQueue *queue = tau_prompt_queue_new ();

  tau_prompt_queue_set_mode (queue, TAU_QUEUE_ALL);
  assert_drained (queue, "");
  push (queue, "a");
  push (queue, "b");
  assert_drained (queue, "a b");
  push (queue, "c");
  assert_drained (queue, "c");

  g_assert_finalize_object (queue);
}

static void
test_mode_counts_at_next_drain (void)
{
  TauPromptQueue *queue = tau_prompt_queue_new ();

  push (queue, "a");
  push (queue, "b");
  push (queue, "c");
  assert_drained (queue, "a");
  tau_prompt_queue_set_mode (queue, TAU_QUEUE_ALL);
  assert_drained (queue, "b c");

  g_assert_finalize_object (queue);
}

static void
test_keeps_nothing (void)
{
  TauPromptQueue *queue = tau_prompt_queue_new ();
  TauUserMessage *taken = tau_user_message_new ("taken", NULL, 1);
  TauUserMessage *cleared = tau_user_message_new ("cleared", NULL, 1);

  tau_prompt_queue_push (queue, TAU_MESSAGE (taken));
  tau_prompt_queue_push (queue, TAU_MESSAGE (cleared));
  assert_drained (queue, "taken");
  tau_prompt_queue_clear (queue);
  g_assert_cmpuint (tau_prompt_queue_get_messages (queue)->len, ==, 0);

  g_assert_finalize_object (taken);
  g_assert_finalize_object (cleared);
  g_assert_finalize_object (queue);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/prompt-queue/one-at-a-time", test_one_at_a_time);
  g_test_add_func ("/prompt-queue/all", test_all);
  g_test_add_func ("/prompt-queue/mode-counts-at-next-drain", test_mode_counts_at_next_drain);
  g_test_add_func ("/prompt-queue/keeps-nothing", test_keeps_nothing);

  return g_test_run ();
}
