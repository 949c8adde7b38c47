/* SPDX-License-Identifier: MIT */
#include "core/message/tau-branch-summary-message.h"

#include <gio/gio.h>

static void
test_fields (void)
{
  g_autoptr(TauBranchSummaryMessage) message = tau_branch_summary_message_new ("BS", "root", 4);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "branchSummary");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_BRANCH_SUMMARY);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 4);
  g_assert_cmpstr (tau_branch_summary_message_get_summary (message), ==, "BS");
  g_assert_cmpstr (tau_branch_summary_message_get_from_id (message), ==, "root");
}

/* The expected text was seen in a request of pi: no line feed before the end tag. */
static void
test_llm_text (void)
{
  g_autoptr(TauBranchSummaryMessage) message = tau_branch_summary_message_new ("BS", "root", 4);
  g_autofree char *text = tau_branch_summary_message_dup_llm_text (message);

  g_assert_cmpstr (text, ==,
                   "The following is a summary of a branch that this conversation came back from:\n\n"
                   "<summary>\nBS</summary>");
}

static void
test_iso_time (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBranchSummaryMessage) message =
      tau_branch_summary_message_new_iso ("s", "63c58479", "2026-11-30T21:21:00.462Z", &error);

  g_assert_no_error (error);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 1796073660462);

  g_assert_null (tau_branch_summary_message_new_iso ("s", "x", "yesterday", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_nonnull (g_strstr_len (error->message, -1, "yesterday"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/branch-summary-message/fields", test_fields);
  g_test_add_func ("/branch-summary-message/llm-text", test_llm_text);
  g_test_add_func ("/branch-summary-message/iso-time", test_iso_time);

  return g_test_run ();
}
