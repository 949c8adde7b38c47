/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-toolbox.h"

#include "core/tool/tau-bash-tool.h"
#include "core/tool/tau-edit-tool.h"
#include "core/tool/tau-find-tool.h"
#include "core/tool/tau-grep-tool.h"
#include "core/tool/tau-ls-tool.h"
#include "core/tool/tau-read-tool.h"
#include "core/tool/tau-write-tool.h"

/* An ordered set of tools by name. A few dozen at most, so a list is searched. Who holds a toolbox may hand it to a
 * run and fill another one for the next. */
struct _TauToolbox
{
  GObject parent_instance;

  GPtrArray *tools; /* of TauTool */
};

G_DEFINE_FINAL_TYPE (TauToolbox, tau_toolbox, G_TYPE_OBJECT)

/**
 * tau_toolbox_default_names:
 *
 * The tools that are active when nothing is chosen, %NULL-terminated.
 */
const char * const tau_toolbox_default_names[] = { "read", "bash", "edit", "write", NULL };

static void
tau_toolbox_finalize (GObject *object)
{
  TauToolbox *self = TAU_TOOLBOX (object);

  g_ptr_array_unref (self->tools);

  G_OBJECT_CLASS (tau_toolbox_parent_class)->finalize (object);
}

static void
tau_toolbox_class_init (TauToolboxClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_toolbox_finalize;
}

static void
tau_toolbox_init (TauToolbox *self)
{
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
find (TauToolbox *self,
      const char *name,
      guint      *position)
{
  for (guint i = 0; i < self->tools->len; i++)
    if (g_str_equal (tau_tool_get_name (g_ptr_array_index (self->tools, i)), name))
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * tau_toolbox_new:
 *
 * Returns: (transfer full): an empty toolbox
 */
TauToolbox *
tau_toolbox_new (void)
{
  return g_object_new (TAU_TYPE_TOOLBOX, NULL);
}

/**
 * tau_toolbox_new_builtin:
 * @context: what the tools share; they keep it
 *
 * Makes a toolbox with all built-in tools, in pi's order.
 *
 * Returns: (transfer full): the toolbox
 */
TauToolbox *
tau_toolbox_new_builtin (TauToolContext *context)
{
  TauTool *(*const makers[]) (TauToolContext *) = {
    tau_read_tool_new,
    tau_bash_tool_new,
    tau_edit_tool_new,
    tau_write_tool_new,
    tau_grep_tool_new,
    tau_find_tool_new,
    tau_ls_tool_new,
  };
  TauToolbox *self = tau_toolbox_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (makers); i++)
    {
      g_autoptr(TauTool) tool = makers[i] (context);

      tau_toolbox_add (self, tool);
    }
  return self;
}

/**
 * tau_toolbox_add:
 * @self: a toolbox
 * @tool: a tool
 *
 * Adds a tool at the end; one with a known name takes the place of the other.
 */
void
tau_toolbox_add (TauToolbox *self,
                 TauTool    *tool)
{
  guint position;

  g_return_if_fail (TAU_IS_TOOLBOX (self));
  g_return_if_fail (TAU_IS_TOOL (tool));

  g_object_ref (tool);
  if (!find (self, tau_tool_get_name (tool), &position))
    {
      g_ptr_array_add (self->tools, tool);
      return;
    }
  g_object_unref (g_ptr_array_index (self->tools, position));
  g_ptr_array_index (self->tools, position) = tool;
}

/**
 * tau_toolbox_lookup:
 * @self: a toolbox
 * @name: a tool's name, exactly
 *
 * Returns: (transfer none) (nullable): the tool
 */
TauTool *
tau_toolbox_lookup (TauToolbox *self,
                    const char *name)
{
  guint position;

  g_return_val_if_fail (TAU_IS_TOOLBOX (self), NULL);

  return find (self, name, &position) ? g_ptr_array_index (self->tools, position) : NULL;
}

/**
 * tau_toolbox_get_n_tools:
 * @self: a toolbox
 *
 * Returns: how many tools there are
 */
guint
tau_toolbox_get_n_tools (TauToolbox *self)
{
  g_return_val_if_fail (TAU_IS_TOOLBOX (self), 0);

  return self->tools->len;
}

/**
 * tau_toolbox_get_tool:
 * @self: a toolbox
 * @position: which
 *
 * Returns: (transfer none): the tool at @position
 */
TauTool *
tau_toolbox_get_tool (TauToolbox *self,
                      guint       position)
{
  g_return_val_if_fail (TAU_IS_TOOLBOX (self), NULL);
  g_return_val_if_fail (position < self->tools->len, NULL);

  return g_ptr_array_index (self->tools, position);
}

/**
 * tau_toolbox_select:
 * @self: a toolbox
 * @names: names of tools, %NULL-terminated; unknown ones are ignored
 *
 * Returns: (transfer full): a toolbox with these tools, in the order of @self
 */
TauToolbox *
tau_toolbox_select (TauToolbox         *self,
                    const char * const *names)
{
  TauToolbox *selection;

  g_return_val_if_fail (TAU_IS_TOOLBOX (self), NULL);

  selection = tau_toolbox_new ();
  for (guint i = 0; i < self->tools->len; i++)
    if (g_strv_contains (names, tau_tool_get_name (g_ptr_array_index (self->tools, i))))
      tau_toolbox_add (selection, g_ptr_array_index (self->tools, i));
  return selection;
}

/**
 * tau_toolbox_dup_specs:
 * @self: a toolbox
 *
 * Returns: (transfer full) (element-type TauToolSpec): what the model is told of the tools
 */
GPtrArray *
tau_toolbox_dup_specs (TauToolbox *self)
{
  GPtrArray *specs;

  g_return_val_if_fail (TAU_IS_TOOLBOX (self), NULL);

  specs = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_tool_spec_unref);
  for (guint i = 0; i < self->tools->len; i++)
    g_ptr_array_add (specs, tau_tool_spec_ref (tau_tool_get_spec (g_ptr_array_index (self->tools, i))));
  return specs;
}
