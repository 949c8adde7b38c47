/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-command-scope.h"

#include <signal.h>

/* A transient scope of systemd's user manager: a control group for one command, with a limit of memory, figures, and a kill
 * that nothing escapes, since a process cannot leave its group by setsid. LIVE, main thread; owned by the command's run.
 * The manager is asked over the session bus, on a connection of our own; one that is not there or does not answer is not
 * asked again. The unit goes by itself when its last process does.
 * Interface: org.freedesktop.systemd1(5). */

#define BUS_NAME "org.freedesktop.systemd1"
#define OBJECT_PATH "/org/freedesktop/systemd1"
#define MANAGER BUS_NAME ".Manager"
#define SCOPE BUS_NAME ".Scope"
#define ANSWER_MS 2000        /* how long a command waits for its scope */
#define KILL_AFTER_MS 2000
#define MAX_TASKS 8192

struct _TauCommandScope
{
  GObject          parent_instance;

  GDBusConnection *bus;
  char            *unit;

  GTask           *starting;      /* owned until the unit is there */
  guint            job_signal;
  guint            timeout;
};

G_DEFINE_FINAL_TYPE (TauCommandScope, tau_command_scope, G_TYPE_OBJECT)

static GDBusConnection *shared_bus;   /* once the manager has been found on it */
static char *failed_address;          /* where there is none */

static void
tau_command_scope_finalize (GObject *object)
{
  TauCommandScope *self = TAU_COMMAND_SCOPE (object);

  g_assert (self->starting == NULL);
  g_clear_object (&self->bus);
  g_free (self->unit);

  G_OBJECT_CLASS (tau_command_scope_parent_class)->finalize (object);
}

static void
tau_command_scope_class_init (TauCommandScopeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_command_scope_finalize;
}

static void
tau_command_scope_init (TauCommandScope *self)
{
}

/* Only a bus that is there: none is started for this. */
static char *
dup_address (void)
{
  const char *named = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *folder = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "bus", NULL) : NULL;

  if (named != NULL && *named != '\0')
    return g_strdup (named);
  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS) ? g_strconcat ("unix:path=", path, NULL) : NULL;
}

/**
 * tau_command_scope_may_start:
 *
 * Returns: whether there may be a manager: %FALSE where there is no bus, or where it has been looked for in vain
 */
gboolean
tau_command_scope_may_start (void)
{
  g_autofree char *address = dup_address ();

  return address != NULL && g_strcmp0 (address, failed_address) != 0;
}

static void
call_manager (TauCommandScope    *self,
              const char         *method,
              GVariant           *arguments,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_dbus_connection_call (self->bus, BUS_NAME, OBJECT_PATH, MANAGER, method, arguments, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START,
                          ANSWER_MS, NULL, callback, user_data);
}

/* The unit is there, or will not be. */
static void
end_start (TauCommandScope *self,
           gboolean         there)
{
  g_autoptr(GTask) task = g_steal_pointer (&self->starting);

  if (task == NULL)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->job_signal != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->job_signal);
  self->job_signal = 0;
  if (there)
    g_task_return_pointer (task, g_object_ref (self), g_object_unref);
  else
    g_task_return_pointer (task, NULL, NULL);
}

/* A manager that is not there, refuses or keeps silent is not asked again at this address. */
static void
give_up (TauCommandScope *self)
{
  g_clear_object (&shared_bus);
  g_free (failed_address);
  failed_address = dup_address ();
  end_start (self, FALSE);
}

static gboolean
timeout_cb (gpointer user_data)
{
  TauCommandScope *self = user_data;

  self->timeout = 0;
  give_up (self);
  return G_SOURCE_REMOVE;
}

static void
job_removed_cb (GDBusConnection *bus,
                const char      *sender,
                const char      *path,
                const char      *interface,
                const char      *signal,
                GVariant        *parameters,
                gpointer         user_data)
{
  TauCommandScope *self = user_data;
  const char *unit, *result;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;
  g_variant_get (parameters, "(uo&s&s)", NULL, NULL, &unit, &result);
  if (g_str_equal (unit, self->unit))
    end_start (self, g_str_equal (result, "done"));
}

static void
unit_asked_cb (GObject      *bus,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(TauCommandScope) self = user_data;
  g_autoptr(GVariant) job = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);

  /* The process may be gone already. If there is a job, the signal tells how it went. */
  if (job == NULL)
    end_start (self, FALSE);
}

static GVariant *
make_properties (int     pid,
                 guint64 max_memory)
{
  GVariantBuilder properties;
  guint32 process = (guint32) pid;

  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a(sv)"));
  g_variant_builder_add (&properties, "(sv)", "Description", g_variant_new_string ("Command of Tau"));
  g_variant_builder_add (&properties, "(sv)", "PIDs", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, &process, 1, sizeof process));
  g_variant_builder_add (&properties, "(sv)", "CollectMode", g_variant_new_string ("inactive-or-failed"));
  g_variant_builder_add (&properties, "(sv)", "MemoryAccounting", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties, "(sv)", "CPUAccounting", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties, "(sv)", "TasksMax", g_variant_new_uint64 (MAX_TASKS));
  if (max_memory > 0)
    g_variant_builder_add (&properties, "(sv)", "MemoryMax", g_variant_new_uint64 (max_memory));
  return g_variant_builder_end (&properties);
}

static void
ask_for_unit (TauCommandScope *self)
{
  GVariant *properties = g_task_get_task_data (self->starting);

  self->job_signal = g_dbus_connection_signal_subscribe (self->bus, BUS_NAME, MANAGER, "JobRemoved", OBJECT_PATH, NULL,
                                                         G_DBUS_SIGNAL_FLAGS_NONE, job_removed_cb, self, NULL);
  call_manager (self, "StartTransientUnit", g_variant_new ("(ss@a(sv)a(sa(sv)))", self->unit, "fail", properties, NULL),
                unit_asked_cb, g_object_ref (self));
}

/* Without a subscription the manager tells nobody of its jobs. */
static void
subscribed_cb (GObject      *bus,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(TauCommandScope) self = user_data;
  g_autoptr(GVariant) nothing = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);

  if (nothing == NULL)
    {
      give_up (self);
      return;
    }
  g_set_object (&shared_bus, self->bus);
  if (self->starting != NULL)
    ask_for_unit (self);
}

static void
connected_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(TauCommandScope) self = user_data;

  self->bus = g_dbus_connection_new_for_address_finish (result, NULL);
  if (self->bus == NULL)
    give_up (self);
  else
    call_manager (self, "Subscribe", NULL, subscribed_cb, g_object_ref (self));
}

/**
 * tau_command_scope_start_async:
 * @id: the command's mark
 * @pid: its first process, which has not begun anything yet
 * @max_memory: bytes that the command may have; 0 for no limit
 * @callback: called when the process is in the scope, or will be in none
 * @user_data: for @callback
 *
 * Puts a command into a scope of its own. Takes no longer than two seconds.
 */
void
tau_command_scope_start_async (const char         *id,
                               int                 pid,
                               guint64             max_memory,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  g_autoptr(TauCommandScope) self = g_object_new (TAU_TYPE_COMMAND_SCOPE, NULL);
  g_autofree char *address = dup_address ();

  self->unit = g_strdup_printf ("tau-%s.scope", id);
  self->starting = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->starting, tau_command_scope_start_async);
  g_task_set_task_data (self->starting, g_variant_ref_sink (make_properties (pid, max_memory)), (GDestroyNotify) g_variant_unref);
  self->timeout = g_timeout_add (ANSWER_MS, timeout_cb, self);
  if (shared_bus != NULL && !g_dbus_connection_is_closed (shared_bus))
    {
      self->bus = g_object_ref (shared_bus);
      ask_for_unit (self);
    }
  else if (address != NULL)
    g_dbus_connection_new_for_address (address,
                                       G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                       NULL, NULL, connected_cb, g_object_ref (self));
  else
    end_start (self, FALSE);
}

/**
 * tau_command_scope_start_finish:
 * @result: what the callback got
 *
 * Returns: (transfer full) (nullable): the scope; %NULL if there is no manager, or it could not
 */
TauCommandScope *
tau_command_scope_start_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
kill_unit (TauCommandScope *self,
           int              signal_number)
{
  /* A unit that is gone already is an error to the manager, not to us. */
  call_manager (self, "KillUnit", g_variant_new ("(ssi)", self->unit, "all", signal_number), NULL, NULL);
}

static gboolean
kill_cb (gpointer user_data)
{
  kill_unit (user_data, SIGKILL);
  return G_SOURCE_REMOVE;
}

/**
 * tau_command_scope_stop:
 * @self: a scope
 *
 * Ends everything in it: SIGTERM, two seconds later SIGKILL.
 */
void
tau_command_scope_stop (TauCommandScope *self)
{
  g_return_if_fail (TAU_IS_COMMAND_SCOPE (self));

  kill_unit (self, SIGTERM);
  g_timeout_add_full (G_PRIORITY_DEFAULT, KILL_AFTER_MS, kill_cb, g_object_ref (self), g_object_unref);
}

/* Letters and digits stay, the rest becomes _xx, as the manager names its objects. */
static char *
dup_object_path (TauCommandScope *self)
{
  GString *path = g_string_new (OBJECT_PATH "/unit/");

  for (const char *next = self->unit; *next != '\0'; next++)
    if (g_ascii_isalnum (*next))
      g_string_append_c (path, *next);
    else
      g_string_append_printf (path, "_%02x", (guint8) *next);
  return g_string_free (path, FALSE);
}

static void
measured_cb (GObject      *bus,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;
  GVariant *properties = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, &error);

  if (properties != NULL)
    g_task_return_pointer (task, properties, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, error);
}

/**
 * tau_command_scope_measure_async:
 * @self: a scope
 * @callback: called with the answer
 * @user_data: for @callback
 *
 * Asks what the command takes now.
 */
void
tau_command_scope_measure_async (TauCommandScope    *self,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  g_autofree char *path = NULL;
  GTask *task;

  g_return_if_fail (TAU_IS_COMMAND_SCOPE (self));

  path = dup_object_path (self);
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_command_scope_measure_async);
  g_dbus_connection_call (self->bus, BUS_NAME, path, "org.freedesktop.DBus.Properties", "GetAll", g_variant_new ("(s)", SCOPE),
                          G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NO_AUTO_START, ANSWER_MS, NULL, measured_cb, task);
}

/**
 * tau_command_scope_measure_finish:
 * @self: a scope
 * @result: what the callback got
 * @usage: (out): what the command takes
 *
 * Returns: whether the manager said it
 */
gboolean
tau_command_scope_measure_finish (TauCommandScope *self,
                                  GAsyncResult    *result,
                                  TauScopeUsage   *usage)
{
  g_autoptr(GVariant) answer = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr(GVariant) properties = NULL;
  guint64 memory = G_MAXUINT64, nanoseconds = G_MAXUINT64;

  if (answer == NULL)
    return FALSE;
  properties = g_variant_get_child_value (answer, 0);
  g_variant_lookup (properties, "MemoryCurrent", "t", &memory);
  g_variant_lookup (properties, "CPUUsageNSec", "t", &nanoseconds);
  /* The highest number stands for "not known". */
  if (memory == G_MAXUINT64 || nanoseconds == G_MAXUINT64)
    return FALSE;
  *usage = (TauScopeUsage) { (gint64) memory, (gint64) (nanoseconds / 1000) };
  return TRUE;
}
