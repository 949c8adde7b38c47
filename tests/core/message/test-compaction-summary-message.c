/* SPDX-License-Identifier: MIT */
#include "core/message/tau-compaction-summary-message.h"

#include <gio/gio.h>

static void
test_fields (void)
{
  g_autoptr(TauCompactionSummaryMessage) message = tau_compaction_summary_message_new ("CS", 12345, 4);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "compactionSummary");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_COMPACTION_SUMMARY);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 4);
  g_assert_cmpstr (tau_compaction_summary_message_get_summary (message), ==, "CS");
  g_assert_cmpint (tau_compaction_summary_message_get_tokens_before (message), ==, 12345);
}

/* The expected text was seen in a request of pi: a line feed before the end tag. */
static void
test_llm_text (void)
{
  g_autoptr(TauCompactionSummaryMessage) message = tau_compaction_summary_message_new ("CS", 1, 4);
  g_autofree char *text = tau_compaction_summary_message_dup_llm_text (message);

  g_assert_cmpstr (text, ==,
                   "The conversation history before this point was compacted into the following summary:\n\n"
                   "<summary>\nCS\n</summary>");
}

static void
test_iso_time (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauCompactionSummaryMessage) message =
      tau_compaction_summary_message_new_iso ("s", 1, "2026-11-30T21:21:00.462Z", &error);

  g_assert_no_error (error);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 1796073660462);

  g_assert_null (tau_compaction_summary_message_new_iso ("s", 1, "", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/compaction-summary-message/fields", test_fields);
  g_test_add_func ("/compaction-summary-message/llm-text", test_llm_text);
  g_test_add_func ("/compaction-summary-message/iso-time", test_iso_time);

  return g_test_run ();
}
