/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-context.h"

#include <unistd.h>

/* What the built-in tools of one session share. Owned by the session, changed on the main thread only; a tool copies
 * what it needs before it goes to a thread. It knows no tool. */
struct _TauToolContext
{
  GObject parent_instance;

  char *cwd;
  char *shell_path;
  char *command_prefix;
  gboolean accepts_images;
  gboolean auto_resize_images;
  TauFileQueue *file_queue;
  TauFileRecord *file_record;
  TauCheckpoints *checkpoints; /* nullable */
  gint64 memory_percent; /* of the machine's, for a command */
};

G_DEFINE_FINAL_TYPE (TauToolContext, tau_tool_context, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_CWD,
  PROP_SHELL_PATH,
  PROP_SHELL_COMMAND_PREFIX,
  PROP_ACCEPTS_IMAGES,
  PROP_AUTO_RESIZE_IMAGES,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
set_string (TauToolContext *self,
            char          **field,
            const char     *value,
            guint           prop_id)
{
  if (g_strcmp0 (*field, value) == 0)
    return;

  g_free (*field);
  *field = g_strdup (value);
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
set_boolean (TauToolContext *self,
             gboolean       *field,
             gboolean        value,
             guint           prop_id)
{
  if (*field == value)
    return;

  *field = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
tau_tool_context_get_property (GObject    *object,
                               guint       prop_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  TauToolContext *self = TAU_TOOL_CONTEXT (object);

  switch (prop_id)
    {
    case PROP_CWD:
      g_value_set_string (value, self->cwd);
      break;
    case PROP_SHELL_PATH:
      g_value_set_string (value, self->shell_path);
      break;
    case PROP_SHELL_COMMAND_PREFIX:
      g_value_set_string (value, self->command_prefix);
      break;
    case PROP_ACCEPTS_IMAGES:
      g_value_set_boolean (value, self->accepts_images);
      break;
    case PROP_AUTO_RESIZE_IMAGES:
      g_value_set_boolean (value, self->auto_resize_images);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
tau_tool_context_set_property (GObject      *object,
                               guint         prop_id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  TauToolContext *self = TAU_TOOL_CONTEXT (object);

  switch (prop_id)
    {
    case PROP_CWD:
      set_string (self, &self->cwd, g_value_get_string (value), prop_id);
      break;
    case PROP_SHELL_PATH:
      set_string (self, &self->shell_path, g_value_get_string (value), prop_id);
      break;
    case PROP_SHELL_COMMAND_PREFIX:
      set_string (self, &self->command_prefix, g_value_get_string (value), prop_id);
      break;
    case PROP_ACCEPTS_IMAGES:
      set_boolean (self, &self->accepts_images, g_value_get_boolean (value), prop_id);
      break;
    case PROP_AUTO_RESIZE_IMAGES:
      set_boolean (self, &self->auto_resize_images, g_value_get_boolean (value), prop_id);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
tau_tool_context_finalize (GObject *object)
{
  TauToolContext *self = TAU_TOOL_CONTEXT (object);

  g_free (self->cwd);
  g_free (self->shell_path);
  g_free (self->command_prefix);
  g_clear_object (&self->file_queue);
  g_clear_object (&self->file_record);
  g_clear_object (&self->checkpoints);

  G_OBJECT_CLASS (tau_tool_context_parent_class)->finalize (object);
}

static void
tau_tool_context_class_init (TauToolContextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = tau_tool_context_get_property;
  object_class->set_property = tau_tool_context_set_property;
  object_class->finalize = tau_tool_context_finalize;

  /**
   * TauToolContext:cwd:
   *
   * Absolute path of the folder that relative paths start from.
   */
  properties[PROP_CWD] = g_param_spec_string ("cwd", NULL, NULL, NULL, flags);
  /**
   * TauToolContext:shell-path:
   *
   * Shell that the settings name; %NULL: the usual one.
   */
  properties[PROP_SHELL_PATH] = g_param_spec_string ("shell-path", NULL, NULL, NULL, flags);
  /**
   * TauToolContext:shell-command-prefix:
   *
   * Put before each command on a line of its own; %NULL: nothing.
   */
  properties[PROP_SHELL_COMMAND_PREFIX] = g_param_spec_string ("shell-command-prefix", NULL, NULL, NULL, flags);
  /**
   * TauToolContext:accepts-images:
   *
   * Whether the current model sees pictures.
   */
  properties[PROP_ACCEPTS_IMAGES] = g_param_spec_boolean ("accepts-images", NULL, NULL, TRUE, flags);
  /**
   * TauToolContext:auto-resize-images:
   *
   * Whether large pictures are made smaller before they are sent.
   */
  properties[PROP_AUTO_RESIZE_IMAGES] = g_param_spec_boolean ("auto-resize-images", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tau_tool_context_init (TauToolContext *self)
{
  self->memory_percent = 75;
  self->accepts_images = TRUE;
  self->auto_resize_images = TRUE;
  self->file_queue = tau_file_queue_new ();
  self->file_record = tau_file_record_new ();
}

/**
 * tau_tool_context_new:
 * @cwd: absolute path of the folder to work in
 *
 * Returns: (transfer full): a context with the defaults
 */
TauToolContext *
tau_tool_context_new (const char *cwd)
{
  return g_object_new (TAU_TYPE_TOOL_CONTEXT, "cwd", cwd, NULL);
}

/**
 * tau_tool_context_get_cwd:
 * @self: a context
 *
 * Returns: (transfer none): the folder that relative paths start from
 */
const char *
tau_tool_context_get_cwd (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->cwd;
}

/**
 * tau_tool_context_get_shell_path:
 * @self: a context
 *
 * Returns: (transfer none) (nullable): the shell that the settings name
 */
const char *
tau_tool_context_get_shell_path (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->shell_path;
}

/**
 * tau_tool_context_get_command_prefix:
 * @self: a context
 *
 * Returns: (transfer none) (nullable): what is put before each command
 */
const char *
tau_tool_context_get_command_prefix (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->command_prefix;
}

/**
 * tau_tool_context_get_accepts_images:
 * @self: a context
 *
 * Returns: whether the current model sees pictures
 */
gboolean
tau_tool_context_get_accepts_images (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), FALSE);

  return self->accepts_images;
}

/**
 * tau_tool_context_set_accepts_images:
 * @self: a context
 * @accepts: whether the current model sees pictures
 *
 * To be called when the model changes.
 */
void
tau_tool_context_set_accepts_images (TauToolContext *self,
                                     gboolean        accepts)
{
  g_return_if_fail (TAU_IS_TOOL_CONTEXT (self));

  set_boolean (self, &self->accepts_images, !!accepts, PROP_ACCEPTS_IMAGES);
}

/**
 * tau_tool_context_get_auto_resize_images:
 * @self: a context
 *
 * Returns: whether large pictures are made smaller before they are sent
 */
gboolean
tau_tool_context_get_auto_resize_images (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), FALSE);

  return self->auto_resize_images;
}

/**
 * tau_tool_context_get_file_queue:
 * @self: a context
 *
 * Returns: (transfer none): the queue that all changes of files go through
 */
TauFileQueue *
tau_tool_context_get_file_queue (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->file_queue;
}

/**
 * tau_tool_context_get_file_record:
 * @self: a context
 *
 * Returns: (transfer none): what the model has seen of files
 */
TauFileRecord *
tau_tool_context_get_file_record (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->file_record;
}

/**
 * tau_tool_context_set_checkpoints:
 * @self: a context
 * @checkpoints: (nullable): keeps what files were before tools change them
 *
 * To be called before the tools are used.
 */
void
tau_tool_context_set_checkpoints (TauToolContext *self,
                                  TauCheckpoints *checkpoints)
{
  g_return_if_fail (TAU_IS_TOOL_CONTEXT (self));

  g_set_object (&self->checkpoints, checkpoints);
}

/**
 * tau_tool_context_get_checkpoints:
 * @self: a context
 *
 * Returns: (transfer none) (nullable): what keeps the way back
 */
TauCheckpoints *
tau_tool_context_get_checkpoints (TauToolContext *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), NULL);

  return self->checkpoints;
}

/**
 * tau_tool_context_set_memory_limit:
 * @self: a context
 * @percent: how much of the machine's memory a command may take; 0 or less, or 100 and more, for all
 *
 * Says how much memory commands may have where that can be enforced. It is 75 until this is called.
 */
void
tau_tool_context_set_memory_limit (TauToolContext *self,
                                   gint64          percent)
{
  g_return_if_fail (TAU_IS_TOOL_CONTEXT (self));

  self->memory_percent = percent;
}

/**
 * tau_tool_context_get_memory_limit:
 * @self: a context
 *
 * Returns: how many bytes of memory a command may have; 0 for no limit
 */
guint64
tau_tool_context_get_memory_limit (TauToolContext *self)
{
  guint64 machine = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);

  g_return_val_if_fail (TAU_IS_TOOL_CONTEXT (self), 0);

  return self->memory_percent > 0 && self->memory_percent < 100 ? machine / 100 * (guint64) self->memory_percent : 0;
}
