/* SPDX-License-Identifier: MIT */
#include "support/tau-test-tool.h"

#include "core/base/tau-json.h"

#include <gio/gio.h>

/* TauTestTool: a tool that does what its arguments say, in the next iteration of the main loop or, if it is manual, when
 * the test says so. */

struct _TauTestTool
{
  GObject      parent_instance;

  TauToolSpec *spec;
  gboolean     manual;
  gboolean     sequential;
  GHashTable  *at_work; /* call id → GTask */
  GString     *started;
};

static void tool_iface_init (TauToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTestTool, tau_test_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_TOOL, tool_iface_init))

static TauToolSpec *
test_tool_get_spec (TauTool *tool)
{
  return TAU_TEST_TOOL (tool)->spec;
}

static gboolean
test_tool_is_sequential (TauTool *tool)
{
  return TAU_TEST_TOOL (tool)->sequential;
}

static void
complete (GTask *task)
{
  TauToolRun *run = g_task_get_task_data (task);
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  const char *update = tau_json_get_string (arguments, "update", NULL);
  const char *failure = tau_json_get_string (arguments, "fail", NULL);

  if (update != NULL)
    {
      g_autoptr(TauToolOutcome) partial = tau_tool_outcome_new_text (update, NULL);

      tau_tool_run_update (run, partial);
    }

  if (failure != NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", failure);
    }
  else
    {
      g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

      g_ptr_array_add (blocks, tau_block_new_text (tau_json_get_string (arguments, "say", ""), NULL));
      g_task_return_pointer (task,
                             tau_tool_outcome_new (blocks, NULL, tau_json_get_bool (arguments, "terminate", FALSE), FALSE),
                             (GDestroyNotify) tau_tool_outcome_unref);
    }
}

static gboolean
complete_cb (gpointer user_data)
{
  complete (user_data);

  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  GTask *task = user_data;
  TauTestTool *self = g_task_get_source_object (task);
  const char *id = tau_tool_run_get_call_id (g_task_get_task_data (task));

  if (g_hash_table_contains (self->at_work, id))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Aborted");
  g_hash_table_remove (self->at_work, id);

  return G_SOURCE_REMOVE;
}

static void
watch_cancellable (GTask *task)
{
  g_autoptr(GSource) source = NULL;

  if (g_task_get_cancellable (task) == NULL)
    return;

  source = g_cancellable_source_new (g_task_get_cancellable (task));
  g_source_set_callback (source, G_SOURCE_FUNC (cancelled_cb), g_object_ref (task), g_object_unref);
  g_source_attach (source, NULL);
  g_object_set_data_full (G_OBJECT (task), "source", g_source_ref (source), (GDestroyNotify) g_source_unref);
}

static void
test_tool_execute_async (TauTool            *tool,
                         TauToolRun         *run,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  TauTestTool *self = TAU_TEST_TOOL (tool);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  const char *id = tau_tool_run_get_call_id (run);

  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_object_ref (run), g_object_unref);
  g_string_append_printf (self->started, "%s%s", self->started->len > 0 ? " " : "", id);

  if (self->manual)
    {
      g_hash_table_insert (self->at_work, g_strdup (id), task);
      watch_cancellable (task);
    }
  else
    g_idle_add_full (G_PRIORITY_DEFAULT, complete_cb, task, g_object_unref);
}

static TauToolOutcome *
test_tool_execute_finish (TauTool      *tool,
                          GAsyncResult *result,
                          GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
tool_iface_init (TauToolInterface *iface)
{
  iface->get_spec = test_tool_get_spec;
  iface->is_sequential = test_tool_is_sequential;
  iface->execute_async = test_tool_execute_async;
  iface->execute_finish = test_tool_execute_finish;
}

static void
tau_test_tool_finalize (GObject *object)
{
  TauTestTool *self = TAU_TEST_TOOL (object);

  g_assert_cmpuint (g_hash_table_size (self->at_work), ==, 0);

  g_clear_pointer (&self->at_work, g_hash_table_unref);
  g_clear_pointer (&self->spec, tau_tool_spec_unref);
  g_string_free (self->started, TRUE);

  G_OBJECT_CLASS (tau_test_tool_parent_class)->finalize (object);
}

static void
tau_test_tool_class_init (TauTestToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_test_tool_finalize;
}

static void
tau_test_tool_init (TauTestTool *self)
{
  self->at_work = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->started = g_string_new (NULL);
}

/**
 * tau_test_tool_new:
 * @name: by which the model calls it
 *
 * Returns: (transfer full): a tool
 */
TauTestTool *
tau_test_tool_new (const char *name)
{
  TauTestTool *self = g_object_new (TAU_TEST_TYPE_TOOL, NULL);
  g_autoptr(JsonNode) parameters = tau_json_parse ("{\"type\":\"object\",\"properties\":{"
                                                   "\"say\":{\"type\":\"string\"},\"update\":{\"type\":\"string\"},"
                                                   "\"fail\":{\"type\":\"string\"},\"terminate\":{\"type\":\"boolean\"}}}",
                                                   -1, NULL);

  self->spec = tau_tool_spec_new (name, name, "Does what it is told", parameters, NULL, NULL);

  return self;
}

/**
 * tau_test_tool_set_manual:
 * @self: a tool
 * @manual: whether later calls wait for tau_test_tool_release()
 */
void
tau_test_tool_set_manual (TauTestTool *self,
                          gboolean     manual)
{
  self->manual = manual;
}

/**
 * tau_test_tool_set_sequential:
 * @self: a tool
 * @sequential: what it says of itself
 */
void
tau_test_tool_set_sequential (TauTestTool *self,
                              gboolean     sequential)
{
  self->sequential = sequential;
}

/**
 * tau_test_tool_is_at_work:
 * @self: a manual tool
 * @call_id: a call
 *
 * Returns: whether the call waits for its release
 */
gboolean
tau_test_tool_is_at_work (TauTestTool *self,
                          const char  *call_id)
{
  return g_hash_table_contains (self->at_work, call_id);
}

/**
 * tau_test_tool_release:
 * @self: a manual tool
 * @call_id: a call that waits
 *
 * Lets the call end as its arguments say.
 */
void
tau_test_tool_release (TauTestTool *self,
                       const char  *call_id)
{
  g_autofree char *key = NULL;
  g_autoptr(GTask) task = NULL;
  GSource *source;

  g_assert_true (g_hash_table_steal_extended (self->at_work, call_id, (gpointer *) &key, (gpointer *) &task));

  source = g_object_get_data (G_OBJECT (task), "source");
  if (source != NULL)
    g_source_destroy (source);
  complete (task);
}

/**
 * tau_test_tool_get_started:
 * @self: a tool
 *
 * Returns: ids of the calls that were executed, in the order of their start, with spaces between
 */
const char *
tau_test_tool_get_started (TauTestTool *self)
{
  return self->started->str;
}
