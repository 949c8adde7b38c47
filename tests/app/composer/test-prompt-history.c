/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-prompt-history.h"

#include "app/composer/composer-fixture.h"
#include "support/tau-test-keys.h"

/* Earlier prompts by Up and Down, with real keys in a real field, from a session that was asked for real. */

static void
ask (Rig        *rig,
     const char *prompt)
{
  fixture_answer (&rig->session, ANSWER ("Yes."));
  fixture_prompt (&rig->session, prompt);
  fixture_wait (&rig->session);
}

static void
press (TauTestKey key)
{
  tau_test_keys_press (TAU_TEST_KEY_NONE, key);
  tau_test_loop_settle ();
}

/* There and back: the same prompt twice is one, and at either end nothing more happens. */
static void
test_up_and_down (Rig           *rig,
                  gconstpointer  data)
{
  ask (rig, "first");
  ask (rig, "second");
  ask (rig, "second");
  press (TAU_TEST_KEY_UP);
  tau_test_wait_until (holds (rig, "second"));
  press (TAU_TEST_KEY_UP);
  tau_test_wait_until (holds (rig, "first"));
  press (TAU_TEST_KEY_UP);
  g_assert_true (holds (rig, "first"));
  press (TAU_TEST_KEY_DOWN);
  press (TAU_TEST_KEY_DOWN);
  tau_test_wait_until (holds (rig, ""));
  press (TAU_TEST_KEY_DOWN);
  g_assert_true (holds (rig, ""));
}

/* In a prompt of several lines the keys go through the lines first. */
static void
test_lines_come_first (Rig           *rig,
                       gconstpointer  data)
{
  ask (rig, "first");
  ask (rig, "one\ntwo");
  press (TAU_TEST_KEY_UP);
  tau_test_wait_until (holds (rig, "one\ntwo"));
  press (TAU_TEST_KEY_DOWN);
  g_assert_true (holds (rig, "one\ntwo"));
  press (TAU_TEST_KEY_UP);
  g_assert_true (holds (rig, "one\ntwo"));
  press (TAU_TEST_KEY_UP);
  tau_test_wait_until (holds (rig, "first"));
}

/* What the user typed or changed is never replaced. */
static void
test_own_text_stays (Rig           *rig,
                     gconstpointer  data)
{
  ask (rig, "first");
  ask (rig, "second");
  tau_composer_set_text (rig->composer, "mine");
  press (TAU_TEST_KEY_UP);
  press (TAU_TEST_KEY_DOWN);
  g_assert_true (holds (rig, "mine"));

  tau_composer_set_text (rig->composer, "");
  press (TAU_TEST_KEY_UP);
  tau_test_wait_until (holds (rig, "second"));
  press (TAU_TEST_KEY_B);
  tau_test_wait_until (holds (rig, "bsecond"));
  press (TAU_TEST_KEY_UP);
  press (TAU_TEST_KEY_DOWN);
  g_assert_true (holds (rig, "bsecond"));
}

static void
test_nothing_asked_yet (Rig           *rig,
                        gconstpointer  data)
{
  press (TAU_TEST_KEY_UP);
  press (TAU_TEST_KEY_DOWN);
  g_assert_true (holds (rig, ""));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();

#define ADD(path, function) g_test_add ("/app/prompt-history/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("up-and-down", test_up_and_down);
  ADD ("lines-come-first", test_lines_come_first);
  ADD ("own-text-stays", test_own_text_stays);
  ADD ("nothing-asked-yet", test_nothing_asked_yet);
  return g_test_run ();
}
