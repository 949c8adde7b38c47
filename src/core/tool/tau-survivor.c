/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-survivor.h"

#include "core/base/tau-proc.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-command-id.h"

#include <signal.h>
#include <unistd.h>

/* A process group that a command has left behind: a server started with "&", something that went its own way with setsid,
 * or what the commands of a Tau that crashed have started. LIVE: its memory, and whether it is being stopped; owned by the
 * list in tau-survivors.c. The group's leader stands for it, or its oldest process if the leader is gone. */
struct _TauSurvivor
{
  GObject  parent_instance;

  TauProc  oldest;
  char    *command;
  gboolean orphan;
  gboolean stopping;
  gint64   memory;       /* of all its processes */
  guint    n_processes;
};

enum
{
  PROP_0,
  PROP_MEMORY,
  PROP_STOPPING,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (TauSurvivor, tau_survivor, G_TYPE_OBJECT)

static void
tau_survivor_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  TauSurvivor *self = TAU_SURVIVOR (object);

  switch (id)
    {
    case PROP_MEMORY:
      g_value_set_int64 (value, self->memory);
      break;
    case PROP_STOPPING:
      g_value_set_boolean (value, self->stopping);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_survivor_finalize (GObject *object)
{
  g_free (TAU_SURVIVOR (object)->command);

  G_OBJECT_CLASS (tau_survivor_parent_class)->finalize (object);
}

static void
tau_survivor_class_init (TauSurvivorClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  G_OBJECT_CLASS (klass)->get_property = tau_survivor_get_property;
  G_OBJECT_CLASS (klass)->finalize = tau_survivor_finalize;

  /**
   * TauSurvivor:memory:
   *
   * Bytes of its processes that are in memory.
   */
  properties[PROP_MEMORY] = g_param_spec_int64 ("memory", NULL, NULL, 0, G_MAXINT64, 0, flags);
  /**
   * TauSurvivor:stopping:
   *
   * Whether it was told to end.
   */
  properties[PROP_STOPPING] = g_param_spec_boolean ("stopping", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
tau_survivor_init (TauSurvivor *self)
{
}

static char *
dup_command (int pid)
{
  g_autofree char *line = tau_proc_dup_command_line (pid);

  return line != NULL ? tau_text_make_valid (line, -1) : g_strdup ("?");
}

/* Starts within one tick are told apart by number, which is right but for the turn of the numbers. */
static gboolean
is_before (const TauProc *proc,
           const TauProc *other)
{
  if (proc->pid == proc->group || other->pid == other->group)
    return proc->pid == proc->group;
  return proc->started < other->started || (proc->started == other->started && proc->pid < other->pid);
}

/* Adds a process to its group's survivor, which is made with the first. */
static void
add_process (GPtrArray     *found,
             const TauProc *proc,
             gboolean       orphan)
{
  TauSurvivor *self = NULL;

  for (guint i = 0; i < found->len && self == NULL; i++)
    if (tau_survivor_get_group (g_ptr_array_index (found, i)) == proc->group)
      self = g_ptr_array_index (found, i);
  if (self == NULL)
    {
      self = g_object_new (TAU_TYPE_SURVIVOR, NULL);
      self->oldest = *proc;
      self->orphan = orphan;
      g_ptr_array_add (found, self);
    }
  if (is_before (proc, &self->oldest))
    self->oldest = *proc;
  self->memory += proc->memory;
  self->n_processes++;
}

/**
 * tau_survivor_find_all:
 *
 * Looks through the processes of our user for those that bear the mark of a command that is over, ours or that of a Tau
 * that is gone. Takes a few milliseconds; any thread.
 *
 * Returns: (transfer full) (element-type TauSurvivor): what is there
 */
GPtrArray *
tau_survivor_find_all (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GArray) processes = tau_proc_list_own ();

  for (guint i = 0; i < processes->len; i++)
    {
      const TauProc *proc = &g_array_index (processes, TauProc, i);
      g_autofree char *id = tau_command_id_dup_of_process (proc->pid);
      TauCommandOwner owner = tau_command_id_judge (id);

      /* A Tau that was itself begun by a command is no left-over of it. */
      if ((owner == TAU_COMMAND_LEFT || owner == TAU_COMMAND_ORPHANED) && proc->group != getpgrp ())
        add_process (found, proc, owner == TAU_COMMAND_ORPHANED);
    }
  for (guint i = 0; i < found->len; i++)
    {
      TauSurvivor *self = g_ptr_array_index (found, i);

      self->command = dup_command (self->oldest.pid);
    }
  return found;
}

/**
 * tau_survivor_get_pid:
 * @self: a survivor
 *
 * Returns: number of its oldest process
 */
int
tau_survivor_get_pid (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), 0);

  return self->oldest.pid;
}

/**
 * tau_survivor_get_group:
 * @self: a survivor
 *
 * Returns: number of the process group
 */
int
tau_survivor_get_group (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), 0);

  return self->oldest.group;
}

/**
 * tau_survivor_get_command:
 * @self: a survivor
 *
 * Returns: command line of its oldest process, UTF-8
 */
const char *
tau_survivor_get_command (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), NULL);

  return self->command;
}

/**
 * tau_survivor_get_is_orphan:
 * @self: a survivor
 *
 * Returns: whether the Tau that ran the command is gone
 */
gboolean
tau_survivor_get_is_orphan (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), FALSE);

  return self->orphan;
}

/**
 * tau_survivor_get_age_ms:
 * @self: a survivor
 *
 * Returns: milliseconds since its oldest process began
 */
gint64
tau_survivor_get_age_ms (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), 0);

  return tau_proc_get_age_ms (&self->oldest);
}

/**
 * tau_survivor_get_memory:
 * @self: a survivor
 *
 * Returns: bytes of all its processes that are in memory
 */
gint64
tau_survivor_get_memory (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), 0);

  return self->memory;
}

/**
 * tau_survivor_get_n_processes:
 * @self: a survivor
 *
 * Returns: how many processes it has, at least 1
 */
guint
tau_survivor_get_n_processes (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), 0);

  return self->n_processes;
}

/**
 * tau_survivor_get_stopping:
 * @self: a survivor
 *
 * Returns: whether it was told to end
 */
gboolean
tau_survivor_get_stopping (TauSurvivor *self)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self), FALSE);

  return self->stopping;
}

/**
 * tau_survivor_is_same:
 * @self: a survivor
 * @other: one that was found later
 *
 * Returns: whether the same process stands for both
 */
gboolean
tau_survivor_is_same (TauSurvivor *self,
                      TauSurvivor *other)
{
  g_return_val_if_fail (TAU_IS_SURVIVOR (self) && TAU_IS_SURVIVOR (other), FALSE);

  return self->oldest.pid == other->oldest.pid && self->oldest.started == other->oldest.started
         && self->oldest.group == other->oldest.group;
}

/**
 * tau_survivor_take_figures:
 * @self: a survivor
 * @newer: the same, found later
 *
 * Takes over what has changed.
 */
void
tau_survivor_take_figures (TauSurvivor *self,
                           TauSurvivor *newer)
{
  g_return_if_fail (TAU_IS_SURVIVOR (self) && TAU_IS_SURVIVOR (newer));

  self->n_processes = newer->n_processes;
  if (self->memory == newer->memory)
    return;
  self->memory = newer->memory;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MEMORY]);
}

/**
 * tau_survivor_signal:
 * @self: a survivor
 * @signal_number: SIGTERM or SIGKILL
 *
 * Sends a signal to the group, unless its number has passed to somebody else.
 */
void
tau_survivor_signal (TauSurvivor *self,
                     int          signal_number)
{
  TauProc now;

  g_return_if_fail (TAU_IS_SURVIVOR (self));

  if (tau_proc_read (self->oldest.pid, &now) && now.started == self->oldest.started && now.group == self->oldest.group)
    kill (-self->oldest.group, signal_number);
  if (self->stopping)
    return;
  self->stopping = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STOPPING]);
}
