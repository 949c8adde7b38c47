/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-messages.h"
#include "core/session/tau-token-count.h"
#include "core/session/tau-unsent.h"

G_BEGIN_DECLS

typedef struct _TauCompactionRun TauCompactionRun;

/* Shared by the files tau-agent-session*.c, each of which tells one topic. */
struct _TauAgentSession
{
  GObject parent_instance;

  char             *agent_dir;
  char             *sessions_dir;      /* nullable: the usual folder */
  char             *cwd;
  char             *id;
  TauModelCatalog  *catalog;
  TauSettings      *settings;
  TauSessionFile   *file;
  TauSessionTree   *tree;              /* borrowed from @file */
  TauAgent         *agent;
  TauToolContext   *tool_context;
  TauModel         *model;             /* nullable */
  TauThinkingLevel  level;
  gboolean          level_unrecorded;    /* the file lacks it; it goes there with the next entry */
  char             *system_prompt;
  char             *custom_prompt;     /* nullable: parts of @system_prompt */
  char             *append_prompt;     /* nullable */
  GPtrArray        *context_files;     /* of TauContextFile */
  GPtrArray        *skills;            /* of TauSkill */
  GPtrArray        *templates;         /* of TauPromptTemplate */
  GPtrArray        *commands;          /* of TauSessionCommand */
  GPtrArray        *problems;          /* of char *, NULL-terminated */
  char             *name;              /* nullable */
  char             *first_prompt;      /* nullable: first line that names the session */

  TauSessionMessages *messages;
  GListStore       *tool_runs;
  GListStore       *queued;            /* @steering, then @follow_ups */
  GPtrArray        *steering;          /* of TauMessage, waiting in the agent */
  GPtrArray        *follow_ups;        /* of TauMessage, waiting in the agent */

  TauSessionState   state;
  GPtrArray        *idle_tasks;        /* of GTask, owned: who waits for idle */
  GPtrArray        *companions;        /* of TauMessage: go with the next prompt */
  GPtrArray        *held_messages;     /* of TauMessage: a prompt that waits for a compaction; nullable */
  GPtrArray        *made_messages;     /* of TauMessage: by the run that is about to end; nullable */
  TauAssistantMessage *last_answer;    /* of the run that is on or just ended; nullable */
  gboolean          stopping;          /* the user stopped: queues wait */
  gboolean          closed;

  TauUnsent        *unsent;            /* nullable: nothing was typed or queued */

  guint             takeover_source;   /* asks again and again for the lease of the file */
  gboolean          taking_over;

  guint             retry_source;
  int               retry_attempt;     /* of the failed turn; 0: none failed */
  gint64            retry_at;
  char             *lost_provider;     /* of the model that was wanted and was not there; nullable */
  char             *lost_id;
  TauThinkingLevel  lost_level;
  guint             lost_n_messages;   /* when it was missed */
  TauAssistantMessage *retry_answer;   /* that failed, while the wait is on */

  TauCompactionRun *compaction;        /* owned while one is on */
  GCancellable     *summary_cancellable; /* owned while a branch that is left is summarised */
  gboolean          overflow_handled;  /* one compaction for one overflow */
  gboolean          told_useless;      /* that compacting does not help, until it does */

  GCancellable     *bash_cancellable;  /* owned while a command runs */
  TauToolRun       *bash_run;          /* the command that runs, as a window watches it; nullable */
  GPtrArray        *held_bash;         /* of TauMessage: recorded with the next prompt */
};

enum
{
  TAU_AGENT_SESSION_PROP_0,
  TAU_AGENT_SESSION_PROP_STATE,
  TAU_AGENT_SESSION_PROP_MODEL,
  TAU_AGENT_SESSION_PROP_THINKING_LEVEL,
  TAU_AGENT_SESSION_PROP_TITLE,
  TAU_AGENT_SESSION_PROP_NAME,
  TAU_AGENT_SESSION_PROP_DRAFT,
  TAU_AGENT_SESSION_PROP_ERROR,
  TAU_AGENT_SESSION_PROP_RETRY_AT,
  TAU_AGENT_SESSION_PROP_READ_ONLY,
  TAU_AGENT_SESSION_PROP_HOLDER,
  TAU_AGENT_SESSION_PROP_TAKING_OVER,
  TAU_AGENT_SESSION_PROP_BASH_RUN,
  TAU_AGENT_SESSION_N_PROPS,
};

/* tau-agent-session.c */
void     tau_agent_session_emit          (TauAgentSession *self, const TauSessionEvent *event);
void     tau_agent_session_emit_notice   (TauAgentSession *self, const char *sentence);
void     tau_agent_session_notify        (TauAgentSession *self, guint property);
void     tau_agent_session_set_state     (TauAgentSession *self, TauSessionState state);
void     tau_agent_session_add_problem   (TauAgentSession *self, char *sentence);

/* tau-agent-session-lease.c */
void     tau_agent_session_watch_file    (TauAgentSession *self);
gboolean tau_agent_session_check_writable (TauAgentSession *self, GError **error);
void     tau_agent_session_say_read_only (TauAgentSession *self);

/* tau-agent-session-unsent.c */
void     tau_agent_session_keep_queue    (TauAgentSession *self, gboolean sent);
void     tau_agent_session_close_unsent  (TauAgentSession *self);

/* tau-agent-session-setup.c */
void     tau_agent_session_set_up        (TauAgentSession *self, const TauAgentSessionOptions *options);
void     tau_agent_session_tell_model    (TauAgentSession *self);   /* builds the system prompt */

/* tau-agent-session-record.c */
void     tau_agent_session_note_prompt   (TauAgentSession *self, TauMessage *message);
TauSessionEntry *tau_agent_session_record (TauAgentSession *self, TauSessionEntryKind kind, JsonObject *fields);   /* borrowed; takes @fields */
TauSessionEntry *tau_agent_session_record_message (TauAgentSession *self, TauMessage *message);   /* borrowed */
void     tau_agent_session_show_entries  (TauAgentSession *self, GPtrArray *entries);   /* of TauSessionEntry */
void     tau_agent_session_update_history (TauAgentSession *self);
void     tau_agent_session_wait_with_history (TauAgentSession *self);   /* until the agent needs it */
void     tau_agent_session_forget_history (TauAgentSession *self);
TauAssistantMessage *tau_agent_session_dup_answer (TauAgentSession *self);   /* the last one in memory, nullable */
void     tau_agent_session_append_message (TauAgentSession *self, TauMessage *message);
void     tau_agent_session_rebuild       (TauAgentSession *self);   /* messages := context of the leaf */
void     tau_agent_session_sync          (TauAgentSession *self);

/* tau-agent-session-model.c */
void     tau_agent_session_record_level  (TauAgentSession *self);
void     tau_agent_session_begin         (TauAgentSession *self, const TauAgentSessionOptions *options);
void     tau_agent_session_apply_model   (TauAgentSession *self, TauModel *model);

gint64   tau_agent_session_get_window    (TauAgentSession *self);   /* tokens that the model can read, 0 if unknown */

/* tau-agent-session-run.c */
void     tau_agent_session_agent_event_cb (TauAgent *agent, const TauAgentEvent *event, gpointer user_data);
gboolean tau_agent_session_go_on         (TauAgentSession *self, GError **error);   /* the agent continues without a new prompt */
void     tau_agent_session_after_run     (TauAgentSession *self);
void     tau_agent_session_after_compaction (TauAgentSession *self, gboolean go_on);
void     tau_agent_session_drop_last_answer (TauAgentSession *self);   /* from memory; it stays in the file */

gboolean tau_agent_session_begin_run     (TauAgentSession *self, TauMessage *message, GError **error);
void     tau_agent_session_enqueue       (TauAgentSession *self, TauMessage *message, TauDelivery delivery);

/* tau-agent-session-additions.c */
gboolean tau_agent_session_run_command   (TauAgentSession *self, const char *text);   /* whether it was one */

/* tau-agent-session-usage.c */
TauTokenEstimate tau_agent_session_estimate (TauAgentSession *self, TauAssistantMessage **counted /* nullable, transfer full: where it starts from */);

/* tau-agent-session-branching.c */
gboolean tau_agent_session_is_prompt     (TauSessionEntry *entry);
TauSessionEntry *tau_agent_session_place_for (TauAgentSession *self, TauSessionEntry *target, char **text);   /* borrowed, nullable: the leaf behind which one goes on */

/* tau-agent-session-retry.c */
gboolean tau_agent_session_retry_later   (TauAgentSession *self, TauAssistantMessage *answer);
void     tau_agent_session_retry_succeeded (TauAgentSession *self);
void     tau_agent_session_cancel_retry  (TauAgentSession *self);
void     tau_agent_session_retry_now     (TauAgentSession *self);
void     tau_agent_session_limit_requests (TauAgentSession *self);

/* tau-agent-session-compaction.c */
gboolean tau_agent_session_compact_if_needed (TauAgentSession *self, TauAssistantMessage *answer, gboolean before_prompt);
void     tau_agent_session_cancel_compaction (TauAgentSession *self);

/* tau-agent-session-bash.c */
void     tau_agent_session_record_held_bash (TauAgentSession *self);

G_END_DECLS
