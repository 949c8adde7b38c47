/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-role.h"

#include "core/message/tau-message-convert.h"
#include "core/message/tau-message-json.h"
#include "core/message/tau-unknown-message.h"
#include "core/message/tau-user-message.h"

#include <gio/gio.h>

/* An application's role, whose messages are user messages inside. */
static TauMessage *
note_from_json (JsonNode *json,
                GError  **error)
{
  if (!json_object_has_member (json_node_get_object (json), "note"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "a note without a note");
      return NULL;
    }

  return TAU_MESSAGE (tau_unknown_message_new (json));
}

static JsonNode *
note_to_json (TauMessage *message)
{
  return json_from_string ("{\"role\":\"note\",\"written\":true}", NULL);
}

static TauMessage *
note_to_llm (TauMessage *message)
{
  return TAU_MESSAGE (tau_user_message_new ("noted", NULL, tau_message_get_timestamp (message)));
}

static const TauMessageRoleClass note_class = {
  .role = "note",
  .from_json = note_from_json,
  .to_json = note_to_json,
  .to_llm = note_to_llm,
  .label = "Note",
};

static void
test_lookup (void)
{
  g_assert_null (tau_message_role_lookup ("note"));

  tau_message_role_register (&note_class);
  g_assert_cmpstr (tau_message_role_lookup ("note")->label, ==, "Note");
  g_assert_true (tau_message_role_lookup ("note")->from_json == note_from_json);
  g_assert_null (tau_message_role_lookup ("Note"));

  tau_message_role_unregister ("note");
  g_assert_null (tau_message_role_lookup ("note"));
}

static void
test_registered_again (void)
{
  TauMessageRoleClass other = note_class;

  other.label = "Remark";
  tau_message_role_register (&note_class);
  tau_message_role_register (&other);

  g_assert_cmpstr (tau_message_role_lookup ("note")->label, ==, "Remark");

  tau_message_role_unregister ("note");
}

static void
test_reads (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"note\",\"note\":1,\"timestamp\":3}", NULL);
  g_autoptr(JsonNode) broken = json_from_string ("{\"role\":\"note\"}", NULL);
  g_autoptr(TauMessage) message = NULL;
  g_autoptr(GError) error = NULL;

  tau_message_role_register (&note_class);

  message = tau_message_from_json (json, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tau_message_get_role (message), ==, "note");
  g_assert_null (tau_message_from_json (broken, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);

  tau_message_role_unregister ("note");
}

static void
test_model_sees_what_the_role_says (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"note\",\"note\":1,\"timestamp\":3}", NULL);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GPtrArray) unregistered = NULL;
  g_autoptr(GPtrArray) registered = NULL;

  g_ptr_array_add (messages, tau_unknown_message_new (json));
  unregistered = tau_messages_convert_to_llm (messages);
  tau_message_role_register (&note_class);
  registered = tau_messages_convert_to_llm (messages);
  tau_message_role_unregister ("note");

  g_assert_cmpuint (unregistered->len, ==, 0);
  g_assert_cmpuint (registered->len, ==, 1);
  g_assert_cmpint (tau_message_get_kind (g_ptr_array_index (registered, 0)), ==, TAU_MESSAGE_KIND_USER);
  g_assert_cmpint (tau_message_get_timestamp (g_ptr_array_index (registered, 0)), ==, 3);
}

static void
test_built_in_roles_stay (void)
{
  TauMessageRoleClass user = note_class;

  user.role = "user";
  g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*TAU_MESSAGE_KIND_OTHER*");
  tau_message_role_register (&user);
  g_test_assert_expected_messages ();

  g_assert_null (tau_message_role_lookup ("user"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-role/lookup", test_lookup);
  g_test_add_func ("/message-role/registered-again", test_registered_again);
  g_test_add_func ("/message-role/reads", test_reads);
  g_test_add_func ("/message-role/model-sees-what-the-role-says", test_model_sees_what_the_role_says);
  g_test_add_func ("/message-role/built-in-roles-stay", test_built_in_roles_stay);

  return g_test_run ();
}
