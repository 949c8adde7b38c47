/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent.h"
#include "core/config/tau-settings.h"
#include "core/llm/tau-model-catalog.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-session-event.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-tree.h"
#include "core/tool/tau-checkpoints.h"
#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

/**
 * TauSessionState:
 * @TAU_SESSION_IDLE: waits for the user
 * @TAU_SESSION_RUNNING: a run is on
 * @TAU_SESSION_RETRYING: waits before it tries a failed turn again; abort cancels the wait
 * @TAU_SESSION_COMPACTING: summarises older messages; abort cancels it
 *
 * What a session is doing. One state machine: each end of a run (done, error, abort) comes back to idle.
 */
typedef enum
{
  TAU_SESSION_IDLE,
  TAU_SESSION_RUNNING,
  TAU_SESSION_RETRYING,
  TAU_SESSION_COMPACTING,
} TauSessionState;

#define TAU_TYPE_SESSION_STATE (tau_session_state_get_type ())
GType tau_session_state_get_type (void);

/**
 * TauAgentSessionOptions:
 * @agent_dir: (nullable): %NULL = tau_paths_agent_dir()
 * @cwd: folder to work in (absolute); for an opened file %NULL = the one in its header
 * @catalog: models and keys, shared
 * @settings: (nullable): made for @agent_dir and @cwd if %NULL
 * @fallback_cwd: (nullable): folder if neither @cwd nor the file says; %NULL = the current one
 * @session_path: (nullable): file to open, or to create if it does not exist
 * @file: (nullable): what tau_session_file_load_async() made of @session_path, which is then not read again
 * @sessions_dir: (nullable): folder for a new file instead of the usual one
 * @parent_session: (nullable): file that a new session comes from, for its header
 * @in_memory: nothing is written
 * @model: (nullable): else restored from the file, else the default
 * @has_thinking_level: whether @thinking_level counts
 * @thinking_level: else restored from the file, else the default
 * @tools: (nullable): active tools by name; %NULL = read, bash, edit, write
 * @system_prompt: (nullable): replaces the default one
 * @append_system_prompt: (nullable): added to it
 * @no_context_files: do not read AGENTS.md and CLAUDE.md
 * @no_skills: no skills
 * @no_prompt_templates: no templates
 *
 * How a session is made; borrowed for the call.
 */
typedef struct
{
  const char         *agent_dir;
  const char         *cwd;
  const char         *fallback_cwd;
  TauModelCatalog    *catalog;
  TauSettings        *settings;
  const char         *session_path;
  TauSessionFile     *file;
  const char         *sessions_dir;
  const char         *parent_session;
  gboolean            in_memory;
  TauModel           *model;
  gboolean            has_thinking_level;
  TauThinkingLevel    thinking_level;
  const char * const *tools;
  const char         *system_prompt;
  const char * const *append_system_prompt;
  gboolean            no_context_files;
  gboolean            no_skills;
  gboolean            no_prompt_templates;
} TauAgentSessionOptions;

#define TAU_TYPE_AGENT_SESSION (tau_agent_session_get_type ())
G_DECLARE_FINAL_TYPE (TauAgentSession, tau_agent_session, TAU, AGENT_SESSION, GObject)

/* LIVE, main thread only: the object that a window or a command line holds. Owns the agent, the tree of entries and the file.
 *
 * Signals "event" (const TauSessionEvent *), "notice" (string for a person: what another program did to the file, or
 * that a model reads too little).
 * Properties (notify): "state" (TauSessionState), "model" (TauModel, nullable), "thinking-level" (int), "title" (string), "name" (nullable),
 * "draft" (TauDraft, nullable), "error" (nullable string: why saving fails; a banner), "retry-at" (int64 monotonic µs, 0 = no wait),
 * "read-only" (bool), "holder" (nullable string: the program that owns the session; it can be read here, forked, or taken over),
 * "taking-over" (bool: waits for it to become free).
 * Lists: messages (TauMessage of the shown branch), tool-runs (TauToolRun in progress), queued (TauMessage: steering, then follow-ups). */

TauAgentSession *tau_agent_session_new                  (const TauAgentSessionOptions *options, GError **error);   /* fails only for a file that cannot be read or holds nothing that can */
const char      *tau_agent_session_get_id               (TauAgentSession *self);
const char      *tau_agent_session_get_path             (TauAgentSession *self);   /* nullable when in memory; given before the file exists */
const char      *tau_agent_session_get_cwd              (TauAgentSession *self);
const char      *tau_agent_session_get_name             (TauAgentSession *self);
char            *tau_agent_session_dup_title            (TauAgentSession *self);   /* name, first prompt, or "New session" */
TauSessionState  tau_agent_session_get_state            (TauAgentSession *self);
TauAgent        *tau_agent_session_get_agent            (TauAgentSession *self);   /* for the command line and tests */
TauSettings     *tau_agent_session_get_settings         (TauAgentSession *self);
TauModelCatalog *tau_agent_session_get_catalog          (TauAgentSession *self);
TauCheckpoints  *tau_agent_session_get_checkpoints      (TauAgentSession *self);   /* borrowed; NULL when in memory */
char            *tau_agent_session_dup_header_line      (TauAgentSession *self);   /* first line of --mode json */
const char * const *tau_agent_session_get_problems      (TauAgentSession *self);   /* what could not be read or restored; sentences; never NULL */
const char      *tau_agent_session_get_system_prompt    (TauAgentSession *self);

/* What is typed and queued survives a crash and a switch. */
void             tau_agent_session_restore_unsent       (TauAgentSession *self);
const char      *tau_agent_session_get_typed            (TauAgentSession *self, int *cursor);
void             tau_agent_session_set_typed            (TauAgentSession *self, const char *text, int cursor);

const char      *tau_agent_session_get_obstacle         (TauAgentSession *self);   /* nullable: sentence: why it can only be read, for good */
const char      *tau_agent_session_get_holder           (TauAgentSession *self);   /* nullable: nobody else */
void             tau_agent_session_take_over            (TauAgentSession *self);   /* now or when it is free */
void             tau_agent_session_stop_taking_over     (TauAgentSession *self);

GPtrArray       *tau_agent_session_get_skills           (TauAgentSession *self);   /* of TauSkill: the commands /skill:NAME */
GPtrArray       *tau_agent_session_get_prompt_templates (TauAgentSession *self);   /* of TauPromptTemplate: the commands /NAME */

GListModel      *tau_agent_session_get_messages         (TauAgentSession *self);
GListModel      *tau_agent_session_get_tool_runs        (TauAgentSession *self);
GListModel      *tau_agent_session_get_queued           (TauAgentSession *self);
TauDraft        *tau_agent_session_get_draft            (TauAgentSession *self);   /* borrowed, nullable */

TauModel        *tau_agent_session_get_model            (TauAgentSession *self);   /* borrowed, nullable */
gboolean         tau_agent_session_set_model            (TauAgentSession *self, TauModel *model, GError **error);
TauThinkingLevel tau_agent_session_get_thinking_level   (TauAgentSession *self);
void             tau_agent_session_set_thinking_level   (TauAgentSession *self, TauThinkingLevel level);

/**
 * TauDelivery:
 * @TAU_DELIVERY_PROMPT: only when idle, else an error
 * @TAU_DELIVERY_STEER: when running: after the current turn
 * @TAU_DELIVERY_FOLLOW_UP: when running: after everything else
 *
 * How a prompt is delivered while a run is on; when idle all are the same.
 */
typedef enum
{
  TAU_DELIVERY_PROMPT,
  TAU_DELIVERY_STEER,
  TAU_DELIVERY_FOLLOW_UP,
} TauDelivery;

/**
 * TauMessagePlace:
 * @TAU_MESSAGE_PLACE_END: behind what is there; while a run is on, where a steering message goes
 * @TAU_MESSAGE_PLACE_FOLLOW_UP: the same; while a run is on, where a follow-up goes
 * @TAU_MESSAGE_PLACE_NEXT_PROMPT: behind the prompt that comes next
 * @TAU_MESSAGE_PLACE_PROMPT: it is a prompt: a run begins. Refused while one is on
 *
 * Where a message goes that an application adds.
 */
typedef enum
{
  TAU_MESSAGE_PLACE_END,
  TAU_MESSAGE_PLACE_FOLLOW_UP,
  TAU_MESSAGE_PLACE_NEXT_PROMPT,
  TAU_MESSAGE_PLACE_PROMPT,
} TauMessagePlace;

/**
 * TauSessionCommandFunc:
 * @session: the session in which the command was given
 * @arguments: what stood behind its name, without the space; "" if nothing
 * @user_data: as given with the command
 *
 * Does what the command "/NAME" is for. Called while the prompt is being accepted, in any state of the session.
 */
typedef void (*TauSessionCommandFunc) (TauAgentSession *session, const char *arguments, gpointer user_data);

/**
 * TauSessionCommand:
 * @name: what is typed behind the slash
 * @description: for a person who looks for a command
 * @func: what it does
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data
 *
 * A command that an application added.
 */
typedef struct
{
  char                  *name;
  char                  *description;
  TauSessionCommandFunc  func;
  gpointer               user_data;
  GDestroyNotify         destroy;
} TauSessionCommand;

/* Accepts the prompt (skills and templates are expanded) or says why not: no model, no key, busy. After TRUE the session always comes back to idle. */
gboolean         tau_agent_session_prompt               (TauAgentSession *self, const char *text, GPtrArray *images, TauDelivery delivery, GError **error);
void             tau_agent_session_steer                (TauAgentSession *self, const char *text, GPtrArray *images);
void             tau_agent_session_follow_up            (TauAgentSession *self, const char *text, GPtrArray *images);
void             tau_agent_session_abort                (TauAgentSession *self);   /* run, retry wait or compaction */
void             tau_agent_session_append_custom        (TauAgentSession *self, const char *custom_type, JsonNode *data);
gboolean         tau_agent_session_add_message          (TauAgentSession *self, TauMessage *message, TauMessagePlace place, GError **error);
void             tau_agent_session_add_tool             (TauAgentSession *self, TauTool *tool);
void             tau_agent_session_add_command          (TauAgentSession *self, const char *name, const char *description,
                                                         TauSessionCommandFunc func, gpointer user_data, GDestroyNotify destroy);
GPtrArray       *tau_agent_session_get_commands         (TauAgentSession *self);   /* nullable; of TauSessionCommand: the commands /NAME that were added */
char            *tau_agent_session_take_queued          (TauAgentSession *self);   /* empties the queues; their texts joined by blank lines, "" if none */
gboolean         tau_agent_session_retry                (TauAgentSession *self, GError **error);   /* after a failed or aborted answer: drops it from memory (it stays in the file) and goes on */
TauAssistantMessage *tau_agent_session_get_retry_answer (TauAgentSession *self);   /* borrowed, nullable: waits after it */
int              tau_agent_session_get_retry_attempt    (TauAgentSession *self);
void             tau_agent_session_set_name             (TauAgentSession *self, const char *name);
void             tau_agent_session_wait_for_idle_async  (TauAgentSession *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean         tau_agent_session_wait_for_idle_finish (TauAgentSession *self, GAsyncResult *result, GError **error);

/* Compaction on demand; stops a run first. Automatic ones need no call. */
void             tau_agent_session_compact_async        (TauAgentSession *self, const char *focus, GAsyncReadyCallback callback, gpointer user_data);
JsonNode        *tau_agent_session_compact_finish       (TauAgentSession *self, GAsyncResult *result, GError **error);   /* transfer full */

/**
 * TauNavigationOptions:
 * @summarize: ask the model what happened on the branch that is left
 * @instructions: (nullable): of the user, for that
 * @replace_instructions: they take the place of ours
 * @label: (nullable): bookmark for the place, or for the summary if there is one
 *
 * How to go to another place of the tree.
 */
typedef struct
{
  gboolean    summarize;
  const char *instructions;
  gboolean    replace_instructions;
  const char *label;
} TauNavigationOptions;

void             tau_agent_session_navigate_async       (TauAgentSession *self, const char *entry_id, const TauNavigationOptions *options, GAsyncReadyCallback callback, gpointer user_data);
gboolean         tau_agent_session_navigate_finish      (TauAgentSession *self, GAsyncResult *result, char **editor_text, GError **error);
gboolean         tau_agent_session_set_label            (TauAgentSession *self, const char *entry_id, const char *label, GError **error);
/* A new file with the branch before a message of the user (or, with NULL, all that is shown); open it with session_path. */
char            *tau_agent_session_fork                 (TauAgentSession *self, const char *entry_id, char **text, GError **error);
void             tau_agent_session_fork_async           (TauAgentSession *self, const char *entry_id, GAsyncReadyCallback callback, gpointer user_data);
char            *tau_agent_session_fork_finish          (TauAgentSession *self, GAsyncResult *result, char **text, GError **error);
GPtrArray       *tau_agent_session_dup_fork_points      (TauAgentSession *self);   /* of TauSessionEntry */
TauSessionTree  *tau_agent_session_get_tree             (TauAgentSession *self);

/* The user's own commands (`!`, `!!`). One at a time; recorded as bashExecution. */
void             tau_agent_session_run_bash_async       (TauAgentSession *self, const char *command, gboolean exclude_from_context, GAsyncReadyCallback callback, gpointer user_data);
TauBashExecutionMessage *tau_agent_session_run_bash_finish (TauAgentSession *self, GAsyncResult *result, GError **error);   /* transfer full */
void             tau_agent_session_abort_bash           (TauAgentSession *self);
TauToolRun      *tau_agent_session_get_bash_run         (TauAgentSession *self);   /* borrowed; nullable */

/**
 * TauSessionUsage:
 * @tokens: in the context, -1 if unknown (right after a compaction)
 * @context_window: of the model, 0 if unknown
 * @totals: sum over all answers of the file
 *
 * For the meter.
 */
typedef struct
{
  gint64   tokens;
  gint64   context_window;
  TauUsage totals;
} TauSessionUsage;

void             tau_agent_session_get_usage            (TauAgentSession *self, TauSessionUsage *usage);

/**
 * TauSessionStats:
 * @n_user: messages of the user
 * @n_assistant: answers
 * @n_tool_calls: calls in them
 * @n_tool_results: results
 * @n_messages: of all roles
 * @usage: tokens and cost of the answers
 *
 * Counts over the context in memory.
 */
typedef struct
{
  guint    n_user;
  guint    n_assistant;
  guint    n_tool_calls;
  guint    n_tool_results;
  guint    n_messages;
  TauUsage usage;
} TauSessionStats;

void             tau_agent_session_get_stats            (TauAgentSession *self, TauSessionStats *stats);
char            *tau_agent_session_dup_last_answer      (TauAgentSession *self);   /* nullable */

/* Flushes and closes the file; a run in progress is aborted first. Called on the way out. */
void             tau_agent_session_close                (TauAgentSession *self);

G_END_DECLS
