/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-command-scope.h"

#include "core/tool/tau-bash-runner.h"
#include "support/tau-test-loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Commands in scopes, with a manager of our own on a bus of our own; at the end with the real one, where there is one. */

static const char interfaces[] =
  "<node>"
  "<interface name='org.freedesktop.systemd1.Manager'>"
  "<method name='Subscribe'/>"
  "<method name='StartTransientUnit'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='a(sv)' direction='in'/>"
  "<arg type='a(sa(sv))' direction='in'/><arg type='o' direction='out'/></method>"
  "<method name='KillUnit'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='i' direction='in'/></method>"
  "<signal name='JobRemoved'><arg type='u'/><arg type='o'/><arg type='s'/><arg type='s'/></signal>"
  "</interface>"
  "<interface name='org.freedesktop.systemd1.Scope'>"
  "<property name='MemoryCurrent' type='t' access='read'/><property name='CPUUsageNSec' type='t' access='read'/>"
  "</interface>"
  "</node>";

typedef enum
{
  WORKS,
  REFUSES,
  KEEPS_SILENT,
  IS_NOT_THERE,
} Manner;

typedef struct
{
  GTestDBus       *daemon;
  guint            object;   /* registration of the manager */
  GDBusConnection *bus;
  GDBusNodeInfo   *node;
  Manner           manner;
  gboolean         owns_name;

  guint            n_asked;
  char            *unit;
  int              pid;
  guint64          max_memory;
  GArray          *signals;       /* of int: sent by KillUnit */

  TauToolContext  *context;
} Rig;

static GVariant *
get_property_cb (GDBusConnection *bus,
                 const char      *sender,
                 const char      *path,
                 const char      *interface,
                 const char      *property,
                 GError         **error,
                 gpointer         user_data)
{
  return g_variant_new_uint64 (g_str_equal (property, "MemoryCurrent") ? 123456789 : 4500000000);
}

static const GDBusInterfaceVTable scope_vtable = { NULL, get_property_cb, NULL, { 0 } };

/* What systemd makes of a unit's name. */
static char *
dup_unit_path (const char *unit)
{
  GString *path = g_string_new ("/org/freedesktop/systemd1/unit/");

  for (; *unit != '\0'; unit++)
    if (g_ascii_isalnum (*unit))
      g_string_append_c (path, *unit);
    else
      g_string_append_printf (path, "_%02x", *unit);
  return g_string_free (path, FALSE);
}

static void
take_unit (Rig      *rig,
           GVariant *parameters)
{
  g_autoptr(GVariant) list = NULL;
  g_autofree char *path = NULL;
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_free (rig->unit);
  g_variant_get (parameters, "(s&s@a(sv)@a(sa(sv)))", &rig->unit, NULL, &list, NULL);
  rig->max_memory = 0;
  g_variant_iter_init (&iter, list);
  while (g_variant_iter_loop (&iter, "(&sv)", &name, &value))
    if (g_str_equal (name, "PIDs"))
      g_variant_get_child (value, 0, "u", &rig->pid);
    else if (g_str_equal (name, "MemoryMax"))
      rig->max_memory = g_variant_get_uint64 (value);
  path = dup_unit_path (rig->unit);
  g_assert_cmpuint (g_dbus_connection_register_object (rig->bus, path, rig->node->interfaces[1], &scope_vtable, rig, NULL, NULL), >, 0);
}

static void
call_cb (GDBusConnection       *bus,
         const char            *sender,
         const char            *path,
         const char            *interface,
         const char            *method,
         GVariant              *parameters,
         GDBusMethodInvocation *invocation,
         gpointer               user_data)
{
  Rig *rig = user_data;

  if (g_str_equal (method, "Subscribe"))
    {
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
  else if (g_str_equal (method, "KillUnit"))
    {
      int number;

      g_variant_get (parameters, "(&s&si)", NULL, NULL, &number);
      g_array_append_val (rig->signals, number);
      kill (-rig->pid, number);
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
  else if (rig->manner == REFUSES)
    {
      rig->n_asked++;
      g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.DBus.Error.AccessDenied", "no");
    }
  else if (rig->manner == KEEPS_SILENT)
    {
      rig->n_asked++;
      g_object_unref (invocation);
    }
  else
    {
      rig->n_asked++;
      take_unit (rig, parameters);
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", "/org/freedesktop/systemd1/job/7"));
      g_dbus_connection_emit_signal (bus, NULL, path, interface, "JobRemoved",
                                     g_variant_new ("(uoss)", 7, "/org/freedesktop/systemd1/job/7", rig->unit, "done"), NULL);
    }
}

static const GDBusInterfaceVTable manager_vtable = { call_cb, NULL, NULL, { 0 } };

static void
name_acquired_cb (GDBusConnection *bus,
                  const char      *name,
                  gpointer         user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
set_up (Rig           *rig,
        gconstpointer  manner)
{
  g_autoptr(GError) error = NULL;

  rig->manner = GPOINTER_TO_INT (manner);
  rig->signals = g_array_new (FALSE, FALSE, sizeof (int));
  rig->context = tau_tool_context_new ("/");
  rig->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (rig->daemon);
  rig->bus = g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (rig->daemon),
                                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                       | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  g_assert_no_error (error);
  rig->node = g_dbus_node_info_new_for_xml (interfaces, &error);
  g_assert_no_error (error);
  if (rig->manner == IS_NOT_THERE)
    return;
  rig->object = g_dbus_connection_register_object (rig->bus, "/org/freedesktop/systemd1", rig->node->interfaces[0], &manager_vtable, rig, NULL, &error);
  g_assert_no_error (error);
  g_bus_own_name_on_connection (rig->bus, "org.freedesktop.systemd1", G_BUS_NAME_OWNER_FLAGS_NONE, name_acquired_cb, NULL,
                                &rig->owns_name, NULL);
  tau_test_wait_until (rig->owns_name);
}

static gboolean
look_again_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
tear_down (Rig           *rig,
           gconstpointer  manner)
{
  /* A late request may still be on its way to it. */
  if (rig->object != 0)
    g_dbus_connection_unregister_object (rig->bus, rig->object);
  g_clear_object (&rig->bus);
  g_test_dbus_down (rig->daemon);
  g_object_unref (rig->daemon);
  g_dbus_node_info_unref (rig->node);
  g_array_unref (rig->signals);
  g_object_unref (rig->context);
  g_free (rig->unit);
}

static TauBashResult *
finish (GAsyncResult **answer)
{
  g_autoptr(GError) error = NULL;
  TauBashResult *result;

  tau_test_loop_wait_result (answer);
  result = tau_bash_run_finish (*answer, &error);
  g_assert_no_error (error);
  g_clear_object (answer);
  return result;
}

static void
check_output (Rig        *rig,
              const char *command,
              const char *wanted)
{
  GAsyncResult *answer = NULL;
  g_autoptr(TauBashResult) result = NULL;
  g_autoptr(TauTruncation) output = NULL;

  tau_bash_run_async (rig->context, command, 0, FALSE, NULL, NULL, NULL, tau_test_loop_result_cb, &answer);
  result = finish (&answer);
  output = tau_output_log_truncate (result->log);
  g_assert_cmpstr (output->content, ==, wanted);
}

static void
note_cb (TauProcess          *process,
         TauOutputLog        *log,
         const TauScopeUsage *usage,
         gpointer             user_data)
{
  if (usage != NULL)
    *(TauScopeUsage *) user_data = *usage;
}

/* P36: a command is in a scope with a limit before it begins, and is measured while it runs. */
static void
test_p36_limit_and_figures (Rig           *rig,
                            gconstpointer  data)
{
  GAsyncResult *answer = NULL;
  g_autoptr(TauBashResult) result = NULL;
  g_autoptr(TauTruncation) output = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  TauScopeUsage usage = { 0 };
  guint64 machine = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);

  tau_bash_run_async (rig->context, "echo $$ $TAU_COMMAND_ID; sleep 600", 0, FALSE, note_cb, &usage, cancellable, tau_test_loop_result_cb, &answer);
  tau_test_wait_until (usage.memory > 0);
  g_assert_cmpint (usage.memory, ==, 123456789);
  g_assert_cmpint (usage.cpu_time, ==, 4500000);
  g_assert_cmpuint (rig->max_memory, ==, machine / 100 * 75);

  g_cancellable_cancel (cancellable);
  result = finish (&answer);
  output = tau_output_log_truncate (result->log);
  {
    g_autofree char *wanted = g_strdup_printf ("%d %.*s\n", rig->pid, (int) (strlen (rig->unit) - strlen ("tau-.scope")), rig->unit + strlen ("tau-"));

    g_assert_cmpstr (output->content, ==, wanted);
  }
}

/* P36: the limit is a setting. */
static void
test_p36_setting (Rig           *rig,
                  gconstpointer  data)
{
  guint64 machine = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);

  tau_tool_context_set_memory_limit (rig->context, 10);
  check_output (rig, "echo x", "x\n");
  g_assert_cmpuint (rig->max_memory, ==, machine / 100 * 10);
  tau_tool_context_set_memory_limit (rig->context, 0);
  check_output (rig, "echo y", "y\n");
  g_assert_cmpuint (rig->max_memory, ==, 0);
  g_assert_cmpuint (rig->n_asked, ==, 2);
}

/* P36: a stop goes to the whole scope, TERM first, KILL after two seconds. */
static void
test_p36_kill (Rig           *rig,
               gconstpointer  data)
{
  GAsyncResult *answer = NULL;
  g_autoptr(TauBashResult) result = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  guint look_again = g_timeout_add (20, look_again_cb, NULL);

  tau_bash_run_async (rig->context, "trap '' TERM; while :; do sleep 0.1; done", 0, FALSE, NULL, NULL, cancellable, tau_test_loop_result_cb, &answer);
  tau_test_wait_until (rig->pid > 0);
  g_cancellable_cancel (cancellable);
  result = finish (&answer);
  g_assert_true (result->ended.cancelled);
  tau_test_wait_until (rig->signals->len == 2);
  g_assert_cmpint (g_array_index (rig->signals, int, 0), ==, SIGTERM);
  g_assert_cmpint (g_array_index (rig->signals, int, 1), ==, SIGKILL);
  tau_test_wait_until (kill (-rig->pid, 0) != 0 && errno == ESRCH);
  g_source_remove (look_again);
}

/* Without a manager, or with one that refuses or says nothing, commands run as ever. */
static void
test_goes_without (Rig           *rig,
                   gconstpointer  data)
{
  gint64 start;

  g_assert_true (tau_command_scope_may_start ());
  check_output (rig, "echo one; exec 3<&- 2>&1; echo two", "one\ntwo\n");
  start = g_get_monotonic_time ();
  check_output (rig, "echo three", "three\n");
  if (rig->manner != REFUSES)
    {
      g_assert_false (tau_command_scope_may_start ());
      g_assert_cmpint (g_get_monotonic_time () - start, <, 1900 * 1000);
    }
  g_assert_cmpuint (rig->n_asked, ==, rig->manner == REFUSES ? 2 : rig->manner == KEEPS_SILENT ? 1 : 0);
}

static gboolean
has_real_manager (void)
{
  const char *folder = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "systemd", "private", NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The real manager: the command is where it says, and what left by setsid ends with it. */
static void
test_real_manager (void)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *answer = NULL;
  g_autoptr(TauBashResult) result = NULL;
  g_autoptr(TauTruncation) output = NULL;
  TauScopeUsage usage = { 0 };
  guint look_again = g_timeout_add (20, look_again_cb, NULL);
  const char *line;

  tau_bash_run_async (context, "cat /proc/self/cgroup; setsid sleep 600 & echo pid $!; wait", 0, FALSE, note_cb, &usage, cancellable,
                      tau_test_loop_result_cb, &answer);
  tau_test_wait_until (usage.memory > 0);
  g_cancellable_cancel (cancellable);
  result = finish (&answer);
  output = tau_output_log_truncate (result->log);
  g_assert_nonnull (strstr (output->content, "/tau-"));
  line = strstr (output->content, "pid ");
  g_assert_nonnull (line);
  tau_test_wait_until (kill (atoi (line + 4), 0) != 0);
  g_source_remove (look_again);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, manner, func) g_test_add ("/command-scope/" path, Rig, GINT_TO_POINTER (manner), set_up, func, tear_down)
  if (has_real_manager ())
    g_test_add_func ("/command-scope/p36-real-manager", test_real_manager);
  else
    g_print ("# not run: systemd user manager\n");
  ADD ("p36-limit-and-figures", WORKS, test_p36_limit_and_figures);
  ADD ("p36-setting", WORKS, test_p36_setting);
  ADD ("p36-kill", WORKS, test_p36_kill);
  ADD ("no-manager", IS_NOT_THERE, test_goes_without);
  ADD ("manager-refuses", REFUSES, test_goes_without);
  ADD ("manager-keeps-silent", KEEPS_SILENT, test_goes_without);

  return g_test_run ();
}
