/* SPDX-License-Identifier: MIT */
#include "core/llm/scripted/tau-demo.h"

#include "core/base/tau-json.h"
#include "core/message/tau-tool-result-message.h"

#include <string.h>

/* The offline demo: a newcomer sees streaming, reasoning, tool calls and a change without any account. Not a model but a
 * small state machine, and it says so. Its state is the conversation itself: which of its calls came last, and what their
 * results were; so it can be stopped, taken up again and branched like any other conversation. Pure.
 *
 * It looks at the folder with the user's own tools and changes nothing there: what it edits is a copy in a temporary folder. */

#define PIECE_CHARS       5
#define PIECE_INTERVAL_MS 16   /* about 60 pieces a second */

#define SAMPLE_LINES 40
#define NOTES_LINE   "Hello from the Tau demo."

typedef enum
{
  STAGE_LIST,
  STAGE_READ,
  STAGE_RUN,
  STAGE_COPY,
  STAGE_EDIT,
  STAGE_DIFF,
  STAGE_END,
} Stage;

/* Prefixes of call ids, by which a stage is known again. */
static const char * const stage_names[] = {
  [STAGE_LIST] = "demo_list_", [STAGE_READ] = "demo_read_", [STAGE_RUN] = "demo_run_",
  [STAGE_COPY] = "demo_copy_", [STAGE_EDIT] = "demo_edit_", [STAGE_DIFF] = "demo_diff_",
};

typedef struct
{
  const TauRequestFields *fields;
  guint                   first;                /* position of the last user message */
  TauMessage             *results[STAGE_END];   /* since then; borrowed, NULL where there is none */
  char                   *file;                 /* a text file of the folder; NULL: none seen */
  char                   *line;                 /* a line that it has once; NULL: none */
  gboolean                has_git;
} Demo;

static const char configure_text[] =
  "To work with a real model:\n\n"
  "- **With a key**: open *Models and keys* in the menu and paste the key of Anthropic, OpenAI, Google, Mistral or another "
  "provider. It is stored in `auth.json` of Tau's agent folder (`~/.pi/agent` if you did not choose another), readable by you "
  "only. An environment variable such as `ANTHROPIC_API_KEY` works as well.\n"
  "- **On this machine**: start Ollama, llama.cpp, LM Studio or vLLM. Tau finds it by itself.\n"
  "- **Any other server** that speaks one of the known protocols: name it in `models.json` of the same folder.\n";

static const char example_text[] =
  "\nFor example, a server of your own in `models.json`:\n\n"
  "```json\n"
  "{\n"
  "  \"providers\": {\n"
  "    \"my-server\": {\n"
  "      \"baseUrl\": \"http://localhost:8080/v1\",\n"
  "      \"api\": \"openai-completions\",\n"
  "      \"apiKey\": \"none\",\n"
  "      \"models\": [{ \"id\": \"my-model\" }]\n"
  "    }\n"
  "  }\n"
  "}\n"
  "```\n";

static const char * const text_suffixes[] = {
  ".md", ".txt", ".rst", ".c", ".h", ".cc", ".cpp", ".py", ".js", ".ts", ".tsx", ".json", ".toml", ".yaml", ".yml", ".html", ".css",
  ".sh", ".rs", ".go", ".java", ".xml", ".ini", ".cfg", ".rb", ".php", ".lua", ".vala", ".build", ".csv",
};

/* The stage that a call id belongs to, or STAGE_END. */
static Stage
stage_of (const char *call_id)
{
  for (int stage = STAGE_LIST; stage < STAGE_END; stage++)
    if (g_str_has_prefix (call_id, stage_names[stage]))
      return (Stage) stage;

  return STAGE_END;
}

static gboolean
failed (Demo *demo,
        Stage stage)
{
  return demo->results[stage] != NULL &&
         tau_tool_result_message_get_is_error (TAU_TOOL_RESULT_MESSAGE (demo->results[stage]));
}

static char *
result_text (Demo *demo,
             Stage stage)
{
  return demo->results[stage] != NULL ? tau_message_dup_text (demo->results[stage], "\n") : g_strdup ("");
}

static gboolean
has_text_name (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (g_str_has_prefix (lower, "readme") || g_str_equal (lower, "makefile") || g_str_equal (lower, "license"))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (text_suffixes); i++)
    if (g_str_has_suffix (lower, text_suffixes[i]))
      return TRUE;

  return FALSE;
}

/* A name that may go into a command and a tool's arguments as it is. */
static gboolean
is_plain_name (const char *name)
{
  if (!g_utf8_validate (name, -1, NULL))
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return FALSE;

  return name[0] != '\0' && !g_str_has_suffix (name, "/");
}

static gboolean
is_readme (const char *name)
{
  return g_ascii_strncasecmp (name, "readme", 6) == 0;
}

/* The listing marks folders with a slash. README comes first, then the first text file. */
static void
look_at_listing (Demo *demo)
{
  g_autofree char *text = result_text (demo, STAGE_LIST);
  g_auto(GStrv) names = g_strsplit (text, "\n", -1);
  const char *found = NULL;

  for (char **name = names; *name != NULL; name++)
    {
      if (g_str_equal (*name, ".git/"))
        demo->has_git = TRUE;
      if (!is_plain_name (*name) || !has_text_name (*name))
        continue;
      if (found == NULL || (is_readme (*name) && !is_readme (found)))
        found = *name;
    }
  demo->file = g_strdup (found);
}

static guint
count_occurrences (const char *text,
                   const char *part)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, part)) != NULL; at += strlen (part))
    n++;

  return n;
}

/* A line of the file that can be found again: it stands there once, and not as part of another. */
static void
look_at_file (Demo *demo)
{
  g_autofree char *text = result_text (demo, STAGE_READ);
  g_auto(GStrv) lines = g_strsplit (text, "\n", SAMPLE_LINES);

  if (demo->results[STAGE_READ] == NULL || failed (demo, STAGE_READ) || !g_utf8_validate (text, -1, NULL))
    return;

  for (char **line = lines; *line != NULL && line[1] != NULL; line++)
    if (strlen (*line) >= 3 && strchr (*line, '\r') == NULL && strstr (*line, "\357\277\275") == NULL &&
        count_occurrences (text, *line) == 1)
      {
        demo->line = g_strdup (*line);
        return;
      }
}

static gboolean
has_tool (Demo       *demo,
          const char *name)
{
  for (guint i = 0; i < demo->fields->tools->len; i++)
    if (g_str_equal (tau_tool_spec_get_name (g_ptr_array_index (demo->fields->tools, i)), name))
      return TRUE;

  return FALSE;
}

static JsonNode *
string_arguments (const char *key,
                  const char *value)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, key, value);

  return tau_json_node_new_object (object);
}

static TauScriptedAnswer *
say (Demo       *demo,
     const char *thinking,
     const char *text)
{
  TauScriptedAnswer *answer = tau_scripted_answer_new (TAU_STOP_REASON_STOP, NULL);

  if (demo->fields->thinking != TAU_THINKING_OFF && thinking != NULL)
    tau_scripted_answer_thinking (answer, thinking);
  tau_scripted_answer_text (answer, text);

  return answer;
}

static void
call (Demo              *demo,
      TauScriptedAnswer *answer,
      Stage              stage,
      const char        *tool,
      JsonNode          *arguments)
{
  g_autofree char *id = g_strdup_printf ("%s%u", stage_names[stage], demo->fields->messages->len);

  tau_scripted_answer_call (answer, id, tool, arguments);
}

static TauScriptedAnswer *
list_folder (Demo *demo)
{
  TauScriptedAnswer *answer = say (demo,
                                   "I am a script, so there is nothing to think about. A real model would plan its first step "
                                   "here: look at the folder before touching anything.",
                                   "Hello! I am **Tau's offline demo**: scripted, not a real model. Whatever you type, I take "
                                   "you on the same short tour, but the tools I use are real. I will change nothing in your "
                                   "folder.\n\nFirst I look at what is here.");

  call (demo, answer, STAGE_LIST, "bash", string_arguments ("command", "ls -1Ap | head -n 200"));

  return answer;
}

static TauScriptedAnswer *
read_file (Demo *demo)
{
  g_autofree char *text = g_strdup_printf ("I see `%s`. Let me read its beginning.", demo->file);
  TauScriptedAnswer *answer = say (demo, "A README or the first text file tells most about a folder.", text);
  JsonNode *arguments = string_arguments ("path", demo->file);

  json_object_set_int_member (json_node_get_object (arguments), "limit", SAMPLE_LINES);
  call (demo, answer, STAGE_READ, "read", arguments);

  return answer;
}

static TauScriptedAnswer *
run_command (Demo *demo)
{
  TauScriptedAnswer *answer = say (demo, NULL,
                                   demo->has_git ? "This is a Git repository. A harmless command shows what has changed:"
                                                 : "A harmless command counts the files down to the second level:");

  call (demo, answer, STAGE_RUN, "bash",
        string_arguments ("command", demo->has_git ? "git status --short | head -n 20" : "find . -maxdepth 2 -type f | wc -l"));

  return answer;
}

/* The command that prints the original of what is edited: the file's beginning, or a note of our own. */
static char *
original_command (Demo *demo)
{
  g_autofree char *quoted = NULL;

  if (demo->line == NULL)
    return g_strdup ("echo '" NOTES_LINE "'");

  quoted = g_shell_quote (demo->file);
  return g_strdup_printf ("head -n %d -- %s", SAMPLE_LINES, quoted);
}

static TauScriptedAnswer *
copy_file (Demo *demo)
{
  g_autofree char *original = original_command (demo);
  g_autofree char *name = g_shell_quote (demo->line != NULL ? demo->file : "notes.txt");
  g_autofree char *command = g_strdup_printf ("dir=$(mktemp -d) && %s > \"$dir\"/%s && echo \"$dir\"/%s", original, name, name);
  TauScriptedAnswer *answer = say (demo, "I must not touch the user's files. A copy in a temporary folder is safe.",
                                   "Now I make a scratch copy in a temporary folder, so that I can show you an edit:");

  call (demo, answer, STAGE_COPY, "bash", string_arguments ("command", command));

  return answer;
}

/* The path that the copying printed; NULL if it did not. */
static char *
find_copy (Demo *demo)
{
  g_autofree char *text = result_text (demo, STAGE_COPY);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if ((*line)[0] == '/')
      return g_strdup (*line);

  return NULL;
}

static TauScriptedAnswer *
edit_copy (Demo       *demo,
           const char *copy)
{
  const char *line = demo->line != NULL ? demo->line : NOTES_LINE;
  g_autofree char *replacement = g_strdup_printf ("%s\n\nThis line was added by the Tau demo.", line);
  TauScriptedAnswer *answer = say (demo, NULL, "Here is a small edit of the copy. Your own file stays as it is.");
  JsonNode *arguments = string_arguments ("path", copy);
  JsonObject *edit = json_object_new ();
  JsonArray *edits = json_array_new ();

  json_object_set_string_member (edit, "oldText", line);
  json_object_set_string_member (edit, "newText", replacement);
  json_array_add_object_element (edits, edit);
  json_object_set_array_member (json_node_get_object (arguments), "edits", edits);
  call (demo, answer, STAGE_EDIT, "edit", arguments);

  return answer;
}

static TauScriptedAnswer *
show_diff (Demo       *demo,
           const char *copy)
{
  g_autofree char *original = original_command (demo);
  g_autofree char *quoted = g_shell_quote (copy);
  g_autofree char *command = g_strdup_printf ("%s | diff -u --label before --label after - %s || true", original, quoted);
  TauScriptedAnswer *answer = say (demo, NULL, "And this is the difference, as `diff` sees it:");

  call (demo, answer, STAGE_DIFF, "bash", string_arguments ("command", command));

  return answer;
}

static TauScriptedAnswer *
sum_up (Demo       *demo,
        const char *copy)
{
  g_autoptr(GString) text = g_string_new ("That was the tour. What I did, with the same tools that a real model gets:\n\n"
                                          "1. listed this folder with `bash`,\n");

  if (demo->results[STAGE_READ] != NULL)
    g_string_append_printf (text, "2. read the beginning of `%s` with `read`,\n", demo->file);
  else
    g_string_append (text, "2. found no text file to read,\n");
  g_string_append (text, "3. ran a harmless command,\n");
  if (demo->results[STAGE_DIFF] != NULL)
    g_string_append_printf (text, "4. made a scratch copy, `%s`, and changed it with `edit`. You may delete it.\n", copy);
  else
    g_string_append (text, "4. stopped there, since a copy could not be made or changed.\n");
  g_string_append (text, "\nClick a tool's card to see all of its output. This conversation is saved and can be continued.\n\n");
  g_string_append (text, configure_text);

  return say (demo, NULL, text->str);
}

static TauScriptedAnswer *
give_up (Demo *demo)
{
  g_autofree char *text = g_strconcat ("That step did not work, so the demo ends here. Nothing was changed.\n\n", configure_text, NULL);

  return say (demo, NULL, text);
}

/* Later prompts, and the case that tools are switched off. */
static TauScriptedAnswer *
explain (Demo *demo)
{
  g_autofree char *text = g_strconcat ("I am only the offline demo and cannot answer that: every word I say was written "
                                       "beforehand. Write `tour` to see the tour again.\n\n",
                                       configure_text, example_text, NULL);

  return say (demo, "The user wants something that a script cannot do. I say so.", text);
}

/* The tour starts with the first prompt, and again when asked for. */
static gboolean
wants_tour (Demo *demo)
{
  g_autofree char *text = tau_message_dup_text (g_ptr_array_index (demo->fields->messages, demo->first), "\n");
  g_autofree char *lower = g_ascii_strdown (text, -1);
  guint n_answers = 0;

  for (guint i = 0; i < demo->first; i++)
    n_answers += TAU_IS_ASSISTANT_MESSAGE (demo->fields->messages->pdata[i]);

  return n_answers == 0 || strstr (lower, "tour") != NULL || strstr (lower, "again") != NULL;
}

static void
look_back (Demo *demo)
{
  GPtrArray *messages = demo->fields->messages;

  for (guint i = 0; i < messages->len; i++)
    if (g_str_equal (tau_message_get_role (messages->pdata[i]), "user"))
      demo->first = i;
  for (guint i = demo->first; i < messages->len; i++)
    if (TAU_IS_TOOL_RESULT_MESSAGE (messages->pdata[i]))
      {
        Stage stage = stage_of (tau_tool_result_message_get_call_id (messages->pdata[i]));

        if (stage != STAGE_END)
          demo->results[stage] = messages->pdata[i];
      }
  look_at_listing (demo);
  look_at_file (demo);
}

static TauScriptedAnswer *
next_step (Demo *demo)
{
  g_autofree char *copy = find_copy (demo);

  if (!wants_tour (demo) || !has_tool (demo, "bash"))
    return explain (demo);
  if (demo->results[STAGE_LIST] == NULL)
    return list_folder (demo);
  if (failed (demo, STAGE_LIST) || failed (demo, STAGE_RUN))
    return give_up (demo);
  if (demo->results[STAGE_READ] == NULL && demo->results[STAGE_RUN] == NULL && demo->file != NULL && has_tool (demo, "read"))
    return read_file (demo);
  if (demo->results[STAGE_RUN] == NULL)
    return run_command (demo);
  if (demo->results[STAGE_COPY] == NULL)
    return copy_file (demo);
  if (copy == NULL || failed (demo, STAGE_COPY) || !has_tool (demo, "edit") || failed (demo, STAGE_EDIT))
    return sum_up (demo, copy);
  if (demo->results[STAGE_EDIT] == NULL)
    return edit_copy (demo, copy);
  if (demo->results[STAGE_DIFF] == NULL)
    return show_diff (demo, copy);

  return sum_up (demo, copy);
}

/**
 * tau_demo_answer:
 * @request: a request
 *
 * Returns: (transfer full): what the demo says next
 */
TauScriptedAnswer *
tau_demo_answer (TauRequest *request)
{
  Demo demo = { .fields = tau_request_get_fields (request) };
  TauScriptedAnswer *answer;

  if (demo.fields->messages->len == 0)
    return explain (&demo);

  look_back (&demo);
  answer = next_step (&demo);
  g_free (demo.file);
  g_free (demo.line);

  return answer;
}

/**
 * tau_demo_model_new:
 *
 * Returns: (transfer full): the demo, as a model among models
 */
TauModel *
tau_demo_model_new (void)
{
  static const char text[] = "{\"id\":\"" TAU_DEMO_MODEL "\",\"name\":\"Demo (scripted, offline)\",\"api\":\"" TAU_DEMO_API "\","
                             "\"reasoning\":true,\"input\":[\"text\"],\"contextWindow\":128000,\"maxTokens\":16384}";
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);

  return tau_model_new_from_json (TAU_DEMO_PROVIDER, json, NULL);
}

/**
 * tau_demo_provider_new:
 *
 * Talks as fast as a person reads; with TAU_DEMO_SPEED=fast in the environment, without pauses.
 *
 * Returns: (transfer full): the provider of the API "tau-scripted"
 */
TauProvider *
tau_demo_provider_new (void)
{
  TauScriptedProvider *self = tau_scripted_provider_new (tau_demo_answer);

  if (g_strcmp0 (g_getenv ("TAU_DEMO_SPEED"), "fast") != 0)
    tau_scripted_provider_set_pace (self, PIECE_CHARS, PIECE_INTERVAL_MS);

  return TAU_PROVIDER (self);
}
