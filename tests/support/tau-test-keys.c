/* SPDX-License-Identifier: MIT */
#include "support/tau-test-keys.h"

/* Real keys: the registry of the accessibility bus has them typed by the X server, so they take the way of a
 * keyboard's through window, input method and widgets. Needs support/with-display. */

/* AtspiKeySynthType of libatspi. */
#define PRESS   0
#define RELEASE 1

static GDBusConnection *
connect_to_bus (void)
{
  static GDBusConnection *bus;   /* for the life of the test program */
  g_autoptr(GDBusConnection) session = NULL;
  g_autoptr(GVariant) reply = NULL;
  g_autoptr(GError) error = NULL;
  const char *address;

  if (bus != NULL)
    return bus;
  session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  reply = g_dbus_connection_call_sync (session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", NULL,
                                       G_VARIANT_TYPE ("(s)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  g_variant_get (reply, "(&s)", &address);
  bus = g_dbus_connection_new_for_address_sync (address,
                                                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                NULL, NULL, &error);
  g_assert_no_error (error);
  return bus;
}

static void
synthesize (TauTestKey key,
            guint      type)
{
  g_autoptr(GVariant) reply = NULL;
  g_autoptr(GError) error = NULL;

  if (key == TAU_TEST_KEY_NONE)
    return;
  reply = g_dbus_connection_call_sync (connect_to_bus (), "org.a11y.atspi.Registry",
                                       "/org/a11y/atspi/registry/deviceeventcontroller",
                                       "org.a11y.atspi.DeviceEventController", "GenerateKeyboardEvent",
                                       g_variant_new ("(isu)", (int) key, "", type), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

/**
 * tau_test_keys_press:
 * @modifier: a key that is held meanwhile, or %TAU_TEST_KEY_NONE
 * @key: the key
 *
 * Presses and releases a key. The events arrive with the next turns of the main loop.
 */
void
tau_test_keys_press (TauTestKey modifier,
                     TauTestKey key)
{
  synthesize (modifier, PRESS);
  synthesize (key, PRESS);
  synthesize (key, RELEASE);
  synthesize (modifier, RELEASE);
}
