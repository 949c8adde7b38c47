/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-kind.h"

static void
test_round_trip (void)
{
  for (int kind = TAU_MESSAGE_KIND_USER; kind <= TAU_MESSAGE_KIND_ARTIFACT; kind++)
    {
      const char *role = tau_message_kind_to_role (kind);

      g_assert_nonnull (role);
      g_assert_cmpint (tau_message_kind_from_role (role), ==, kind);
    }
}

static void
test_strings_of_files (void)
{
  g_assert_cmpint (tau_message_kind_from_role ("toolResult"), ==, TAU_MESSAGE_KIND_TOOL_RESULT);
  g_assert_cmpint (tau_message_kind_from_role ("bashExecution"), ==, TAU_MESSAGE_KIND_BASH_EXECUTION);
  g_assert_cmpint (tau_message_kind_from_role ("branchSummary"), ==, TAU_MESSAGE_KIND_BRANCH_SUMMARY);
  g_assert_cmpint (tau_message_kind_from_role ("compactionSummary"), ==, TAU_MESSAGE_KIND_COMPACTION_SUMMARY);
  g_assert_cmpint (tau_message_kind_from_role ("user-with-attachments"), ==, TAU_MESSAGE_KIND_USER_ATTACHMENTS);
}

static void
test_others (void)
{
  g_assert_null (tau_message_kind_to_role (TAU_MESSAGE_KIND_OTHER));
  g_assert_cmpint (tau_message_kind_from_role ("User"), ==, TAU_MESSAGE_KIND_OTHER);
  g_assert_cmpint (tau_message_kind_from_role (""), ==, TAU_MESSAGE_KIND_OTHER);
  g_assert_cmpint (tau_message_kind_from_role (NULL), ==, TAU_MESSAGE_KIND_OTHER);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-kind/round-trip", test_round_trip);
  g_test_add_func ("/message-kind/strings-of-files", test_strings_of_files);
  g_test_add_func ("/message-kind/others", test_others);

  return g_test_run ();
}
