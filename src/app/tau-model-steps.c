/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-model-steps.h"

#include "app/tau-window-private.h"
#include "core/llm/tau-favourite-models.h"

#include <glib/gi18n.h>

/* Changing the model and its thinking level by one key: to the next of the favourites, to the next level. What was chosen
 * shows in the bar under the text; only what could not be done is said. */

static void
step_model (TauWindow *self,
            int        step)
{
  TauAgentSession *session = tau_window_get_session (self);
  g_autoptr(TauModel) next = NULL;
  g_autoptr(GError) error = NULL;
  TauThinkingLevel level;
  gboolean has_level;

  if (session == NULL)
    return;
  next = tau_favourite_models_step (tau_agent_session_get_settings (session), tau_agent_session_get_catalog (session),
                                    tau_agent_session_get_model (session), step, &level, &has_level);
  if (next == NULL)
    tau_window_show_message (self, _("There is no other model to change to."));
  else if (!tau_agent_session_set_model (session, next, &error))
    tau_window_show_message (self, error->message);
  else if (has_level)
    tau_agent_session_set_thinking_level (session, level);
}

static void
next_model_cb (GtkWidget  *widget,
               const char *action,
               GVariant   *parameter)
{
  step_model (TAU_WINDOW (widget), 1);
}

static void
previous_model_cb (GtkWidget  *widget,
                   const char *action,
                   GVariant   *parameter)
{
  step_model (TAU_WINDOW (widget), -1);
}

/* In rising order, then the lowest again. */
static void
next_thinking_cb (GtkWidget  *widget,
                  const char *action,
                  GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  TauAgentSession *session = tau_window_get_session (self);
  TauModel *model = session != NULL ? tau_agent_session_get_model (session) : NULL;
  TauThinkingLevel level;

  if (model == NULL)
    return;
  if (!tau_model_get_reasoning (model))
    {
      tau_window_show_message (self, _("This model does not think before it answers."));
      return;
    }
  level = tau_agent_session_get_thinking_level (session);
  do
    level = (level + 1) % TAU_THINKING_N_LEVELS;
  while (level != TAU_THINKING_OFF && !tau_model_supports_level (model, level));
  tau_agent_session_set_thinking_level (session, level);
}

/**
 * tau_model_steps_install_actions:
 * @widget_class: the class of the window
 *
 * Adds the actions to all windows.
 */
void
tau_model_steps_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.next-model", NULL, next_model_cb);
  gtk_widget_class_install_action (widget_class, "win.previous-model", NULL, previous_model_cb);
  gtk_widget_class_install_action (widget_class, "win.next-thinking", NULL, next_thinking_cb);
}
