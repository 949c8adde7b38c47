/* SPDX-License-Identifier: MIT */
#include "core/message/tau-bash-execution-message.h"

/* TauBashExecutionMessage: record of a command that the user ran by `!` or `!!`, and of its output. The model reads it
 * as a user message, unless the user typed `!!`. */

struct _TauBashExecutionMessage
{
  TauMessage             parent_instance;

  TauBashExecutionFields fields; /* its strings are owned */
};

G_DEFINE_FINAL_TYPE (TauBashExecutionMessage, tau_bash_execution_message, TAU_TYPE_MESSAGE)

static void
tau_bash_execution_message_finalize (GObject *object)
{
  TauBashExecutionMessage *self = TAU_BASH_EXECUTION_MESSAGE (object);

  g_free ((char *) self->fields.command);
  g_free ((char *) self->fields.output);
  g_free ((char *) self->fields.full_output_path);

  G_OBJECT_CLASS (tau_bash_execution_message_parent_class)->finalize (object);
}

static void
tau_bash_execution_message_class_init (TauBashExecutionMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_bash_execution_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_BASH_EXECUTION;
}

static void
tau_bash_execution_message_init (TauBashExecutionMessage *self)
{
}

/**
 * tau_bash_execution_message_new:
 * @fields: everything about it; copied
 *
 * Returns: (transfer full): a new record
 */
TauBashExecutionMessage *
tau_bash_execution_message_new (const TauBashExecutionFields *fields)
{
  TauBashExecutionMessage *self;

  g_return_val_if_fail (fields != NULL && fields->command != NULL && fields->output != NULL, NULL);

  self = g_object_new (TAU_TYPE_BASH_EXECUTION_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_BASH_EXECUTION),
                       "timestamp", fields->timestamp,
                       NULL);
  self->fields = *fields;
  self->fields.command = g_strdup (fields->command);
  self->fields.output = g_strdup (fields->output);
  self->fields.full_output_path = g_strdup (fields->full_output_path);

  return self;
}

/**
 * tau_bash_execution_message_get_fields:
 * @self: a record
 *
 * Returns: (transfer none): everything about it
 */
const TauBashExecutionFields *
tau_bash_execution_message_get_fields (TauBashExecutionMessage *self)
{
  g_return_val_if_fail (TAU_IS_BASH_EXECUTION_MESSAGE (self), NULL);

  return &self->fields;
}

static void
append_outcome (GString                      *text,
                const TauBashExecutionFields *fields)
{
  if (fields->cancelled)
    g_string_append (text, "\n\n(command cancelled)");
  else if (fields->has_exit_code && fields->exit_code != 0)
    g_string_append_printf (text, "\n\nCommand exited with code %d", fields->exit_code);

  if (fields->truncated && fields->full_output_path != NULL && *fields->full_output_path != '\0')
    g_string_append_printf (text, "\n\n[Output truncated. Full output: %s]", fields->full_output_path);
}

/**
 * tau_bash_execution_message_dup_llm_text:
 * @self: a record
 *
 * The wording is pi's, so that a session reads the same to the model in both programs.
 *
 * Returns: (transfer full) (nullable): what the model reads; %NULL if the user excluded it
 */
char *
tau_bash_execution_message_dup_llm_text (TauBashExecutionMessage *self)
{
  const TauBashExecutionFields *fields;
  GString *text;

  g_return_val_if_fail (TAU_IS_BASH_EXECUTION_MESSAGE (self), NULL);

  fields = &self->fields;
  if (fields->exclude_from_context)
    return NULL;

  text = g_string_new (NULL);
  g_string_append_printf (text, "Ran `%s`\n", fields->command);
  if (*fields->output != '\0')
    g_string_append_printf (text, "```\n%s\n```", fields->output);
  else
    g_string_append (text, "(no output)");
  append_outcome (text, fields);

  return g_string_free (text, FALSE);
}
