/* SPDX-License-Identifier: MIT */
#pragma once

/* A session that talks to a server on loopback, in folders of its own. */

#include "core/base/tau-json.h"
#include "core/session/tau-agent-session.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"

#include <string.h>

typedef struct
{
  TauTestDir      *dir;
  TauTestServer   *server;
  char            *agent_dir;
  char            *cwd;
  char            *state_dir;
  TauModelCatalog *catalog;
  TauAgentSession *session;
  GPtrArray       *events;   /* of char *: JSON lines, those of deltas left out */
} Fixture;

#define CHUNK(delta, finish) \
  "data: {\"id\":\"r1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" finish "}]}\n\n"
#define USAGE(input) \
  "data: {\"id\":\"r1\",\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":" input ",\"completion_tokens\":20,\"total_tokens\":0}}\n\ndata: [DONE]\n\n"
#define ANSWER_USING(text, input) CHUNK ("{\"content\":\"" text "\"}", "null") CHUNK ("{}", "\"stop\"") USAGE (input)
#define ANSWER(text) ANSWER_USING (text, "100")
#define TOOL_CALL(id, name, arguments) \
  CHUNK ("{\"tool_calls\":[{\"index\":0,\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}", "null") \
  CHUNK ("{}", "\"tool_calls\"") USAGE ("100")

static inline void
fixture_event_cb (TauAgentSession       *session,
                  const TauSessionEvent *event,
                  Fixture               *self)
{
  g_autoptr(JsonNode) json = NULL;

  if (event->kind == TAU_SESSION_EVENT_AGENT && event->agent->kind == TAU_AGENT_EVENT_MESSAGE_UPDATE)
    return;
  json = tau_session_event_to_json (event);
  g_ptr_array_add (self->events, tau_json_to_string (json));
}

/* Types of the events so far, joined by blanks. */
static inline char *
fixture_dup_event_types (Fixture *self)
{
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < self->events->len; i++)
    {
      g_autoptr(JsonNode) json = tau_json_parse (g_ptr_array_index (self->events, i), -1, NULL);

      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", tau_json_get_string (json, "type", "?"));
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* The first event of that type; %NULL if it did not come. */
static inline JsonNode *
fixture_find_event (Fixture    *self,
                    const char *type)
{
  for (guint i = 0; i < self->events->len; i++)
    {
      g_autoptr(JsonNode) json = tau_json_parse (g_ptr_array_index (self->events, i), -1, NULL);

      if (g_strcmp0 (tau_json_get_string (json, "type", NULL), type) == 0)
        return g_steal_pointer (&json);
    }
  return NULL;
}

static inline void
fixture_write_models (Fixture    *self,
                      const char *model_fields)
{
  g_autofree char *text = g_strdup_printf (
    "{\"providers\":{\"mock\":{\"baseUrl\":\"%s/v1\",\"apiKey\":\"mock-key\",\"api\":\"openai-completions\","
    "\"models\":[{\"id\":\"m1\"%s},{\"id\":\"thinker\",\"reasoning\":true}]}}}",
    tau_test_server_get_url (self->server), model_fields);

  g_free (tau_test_dir_write (self->dir, "agent/models.json", text));
}

static inline void
fixture_write_settings (Fixture    *self,
                        const char *json)
{
  g_free (tau_test_dir_write (self->dir, "agent/settings.json", json));
}

static inline void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  self->dir = tau_test_dir_new ();
  self->server = tau_test_server_new ();
  self->agent_dir = tau_test_dir_mkdir (self->dir, "agent");
  self->cwd = tau_test_dir_mkdir (self->dir, "project");
  self->state_dir = tau_test_dir_mkdir (self->dir, "state");
  g_setenv ("XDG_STATE_HOME", self->state_dir, TRUE);
  self->events = g_ptr_array_new_with_free_func (g_free);
  fixture_write_models (self, "");
  fixture_write_settings (self, "{\"defaultProvider\":\"mock\",\"defaultModel\":\"m1\",\"retry\":{\"baseDelayMs\":10,\"provider\":{\"maxRetries\":0}}}");
}

static inline void
fixture_close (Fixture *self)
{
  if (self->session != NULL)
    tau_agent_session_close (self->session);
  if (self->session != NULL)
    tau_test_wait_until (tau_agent_session_get_state (self->session) == TAU_SESSION_IDLE);
  if (self->session != NULL)
    {
      gpointer gone = self->session;

      g_object_add_weak_pointer (gone, &gone);
      g_clear_object (&self->session);
      tau_test_wait_until (gone == NULL);
    }
  g_clear_object (&self->catalog);
  g_ptr_array_set_size (self->events, 0);
}

static inline void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  fixture_close (self);
  g_clear_object (&self->server);
  g_ptr_array_unref (self->events);
  g_free (self->agent_dir);
  g_free (self->cwd);
  g_free (self->state_dir);
  tau_test_dir_free (self->dir);
}

static inline TauAgentSession *
fixture_try_open (Fixture                *self,
                  TauAgentSessionOptions  options,
                  GError                **error)
{
  g_clear_object (&self->catalog);
  self->catalog = tau_model_catalog_new (self->agent_dir);
  options.agent_dir = self->agent_dir;
  if (options.session_path == NULL && options.cwd == NULL)
    options.cwd = self->cwd;
  options.catalog = self->catalog;
  return tau_agent_session_new (&options, error);
}

static inline void
fixture_open (Fixture                *self,
              TauAgentSessionOptions  options)
{
  g_autoptr(GError) error = NULL;

  self->session = fixture_try_open (self, options, &error);
  g_assert_no_error (error);
  g_signal_connect (self->session, "event", G_CALLBACK (fixture_event_cb), self);
}

static inline void
fixture_wait (Fixture *self)
{
  tau_test_wait_until (tau_agent_session_get_state (self->session) == TAU_SESSION_IDLE);
}

static inline void
fixture_prompt (Fixture    *self,
                const char *text)
{
  g_autoptr(GError) error = NULL;
  gboolean accepted = tau_agent_session_prompt (self->session, text, NULL, TAU_DELIVERY_PROMPT, &error);

  g_assert_no_error (error);
  g_assert_true (accepted);
}

static inline void
fixture_answer (Fixture    *self,
                const char *body)
{
  tau_test_server_push (self->server, &(TauTestResponse) { .body = body });
}

/* What the session's file holds, one word a line: type, or role of a message. */
static inline char *
fixture_dup_entries (Fixture *self)
{
  g_autofree char *contents = NULL;
  g_autoptr(GString) out = g_string_new (NULL);
  g_auto(GStrv) lines = NULL;

  if (!g_file_get_contents (tau_agent_session_get_path (self->session), &contents, NULL, NULL))
    return g_strdup ("");
  g_assert_true (g_str_has_suffix (contents, "\n"));
  lines = g_strsplit (contents, "\n", -1);
  for (char **line = lines; **line != '\0'; line++)
    {
      g_autoptr(JsonNode) json = tau_json_parse (*line, -1, NULL);

      g_assert_nonnull (json);
      g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "",
                              tau_json_get_string (json, "message.role", tau_json_get_string (json, "type", "?")));
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
