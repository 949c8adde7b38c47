/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-agent-session-private.h"

#include "core/config/tau-prompt-templates.h"
#include "core/config/tau-skills.h"
#include "core/session/tau-context-files.h"
#include "core/session/tau-session-hooks.h"
#include "core/session/tau-system-prompt.h"

#include <glib/gi18n-lib.h>

/* What a session is made of: the project's skills, templates and instructions, the agent and its tools. */

static void
read_project (TauAgentSession              *self,
              const TauAgentSessionOptions *options)
{
  g_autoptr(GPtrArray) problems = g_ptr_array_new ();

  self->skills = options->no_skills ? g_ptr_array_new () : tau_skills_load (self->agent_dir, self->cwd, self->settings, problems);
  self->templates = options->no_prompt_templates ? g_ptr_array_new ()
                                                 : tau_prompt_templates_load (self->agent_dir, self->cwd, self->settings, problems);
  for (guint i = 0; i < problems->len; i++)
    tau_agent_session_add_problem (self, g_ptr_array_index (problems, i));
}

static void
read_prompts (TauAgentSession              *self,
              const TauAgentSessionOptions *options)
{
  self->custom_prompt = tau_system_prompt_find_custom (self->agent_dir, self->cwd, options->system_prompt);
  self->append_prompt = tau_system_prompt_find_append (self->agent_dir, self->cwd, options->append_system_prompt);
  self->context_files = options->no_context_files ? g_ptr_array_new () : tau_context_files_load (self->agent_dir, self->cwd);
}

/* The system prompt lists the tools, so it is built anew when one is added. */
void
tau_agent_session_tell_model (TauAgentSession *self)
{
  g_autofree char *skills = tau_skills_dup_prompt_block (self->skills);
  g_autoptr(GPtrArray) specs = tau_toolbox_dup_specs (tau_agent_get_toolbox (self->agent));
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d");
  const TauSystemPromptParts parts = {
    self->custom_prompt, self->append_prompt, specs, self->context_files, skills, date, self->cwd
  };

  g_free (self->system_prompt);
  self->system_prompt = tau_system_prompt_build (&parts);
  tau_agent_set_system_prompt (self->agent, self->system_prompt);
}

/* A tool that an application adds later has to be named in its call, not here. */
static void
note_unknown_tools (TauAgentSession    *self,
                    TauToolbox         *all,
                    const char * const *names)
{
  for (; names != NULL && *names != NULL; names++)
    if (tau_toolbox_lookup (all, *names) == NULL)
      tau_agent_session_add_problem (self, g_strdup_printf (_("There is no tool “%s”."), *names));
}

static void
make_tools (TauAgentSession              *self,
            const TauAgentSessionOptions *options)
{
  g_autoptr(TauToolbox) all = NULL;
  g_autoptr(TauToolbox) active = NULL;

  self->tool_context = tau_tool_context_new (self->cwd);
  g_object_set (self->tool_context,
                "shell-path", tau_settings_get_string (self->settings, "shellPath", NULL),
                "shell-command-prefix", tau_settings_get_string (self->settings, "shellCommandPrefix", NULL),
                "auto-resize-images", tau_settings_get_bool (self->settings, "images.autoResize", TRUE),
                NULL);
  tau_tool_context_set_memory_limit (self->tool_context, tau_settings_get_int (self->settings, "commandMemoryPercent", 75));
  if (!options->in_memory)
    {
      g_autoptr(TauCheckpoints) checkpoints = tau_checkpoints_new_default (self->id);

      tau_tool_context_set_checkpoints (self->tool_context, checkpoints);
    }
  all = tau_toolbox_new_builtin (self->tool_context);
  note_unknown_tools (self, all, options->tools);
  active = tau_toolbox_select (all, options->tools != NULL ? options->tools : tau_toolbox_default_names);
  tau_agent_set_toolbox (self->agent, active);
}

static TauQueueMode
queue_mode (TauSettings *settings,
            const char  *key)
{
  return g_str_equal (tau_settings_get_string (settings, key, ""), "all") ? TAU_QUEUE_ALL : TAU_QUEUE_ONE_AT_A_TIME;
}

static void
draft_changed_cb (TauAgentSession *self)
{
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_DRAFT);
}

static void
make_agent (TauAgentSession              *self,
            const TauAgentSessionOptions *options)
{
  g_autoptr(TauSessionHooks) hooks = tau_session_hooks_new (self->catalog, self->settings);

  self->agent = tau_agent_new ();
  tau_agent_session_wait_with_history (self);
  tau_agent_set_hooks (self->agent, TAU_AGENT_HOOKS (hooks));
  tau_agent_set_session_id (self->agent, self->id);
  tau_agent_set_steering_mode (self->agent, queue_mode (self->settings, "steeringMode"));
  tau_agent_set_follow_up_mode (self->agent, queue_mode (self->settings, "followUpMode"));
  tau_agent_set_thinking_budgets (self->agent, tau_settings_get_node (self->settings, "thinkingBudgets"));
  tau_agent_session_limit_requests (self);
  tau_agent_set_idle_timeout (self->agent, tau_settings_get_int (self->settings, "retry.provider.idleTimeoutMs", -1));
  make_tools (self, options);
  g_signal_connect_object (self->agent, "event", G_CALLBACK (tau_agent_session_agent_event_cb), self, 0);
  g_signal_connect_object (self->agent, "notify::draft", G_CALLBACK (draft_changed_cb), self, G_CONNECT_SWAPPED);
}

/* Skills, templates, agent, tools and the system prompt, as options and settings say. */
void
tau_agent_session_set_up (TauAgentSession              *self,
                          const TauAgentSessionOptions *options)
{
  read_project (self, options);
  read_prompts (self, options);
  make_agent (self, options);
  tau_agent_session_tell_model (self);
}
