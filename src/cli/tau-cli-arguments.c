/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/tau-cli-arguments.h"

#include <glib/gi18n.h>

#include <string.h>

/* GOption is no use here: pi's flags have short forms of several letters (-nt), a flag that may swallow the next word
 * (-p) and one whose value may be missing (--list-models), and scripts rely on all of them. */

typedef enum
{
  TAKES_NOTHING,
  TAKES_STRING,
  TAKES_LIST,     /* a,b,c */
  TAKES_REPEATED, /* may be given several times */
  TAKES_SEARCH,   /* the next word, unless it is a flag or a file */
  TAKES_MESSAGE,  /* the next word as a message, unless it is a flag or a file */
} OptionKind;

typedef struct
{
  const char *name;
  const char *short_name;
  OptionKind  kind;
  gsize       offset;
  const char *value_name;
  const char *help;
} Option;

#define FIELD(name) G_STRUCT_OFFSET (TauCliArguments, name)

static const Option options[] = {
  { "provider", NULL, TAKES_STRING, FIELD (provider), N_("NAME"), N_("Provider of the model") },
  { "model", NULL, TAKES_STRING, FIELD (model), N_("PATTERN"), N_("Model: id, part of it, provider/id, or id:thinking") },
  { "api-key", NULL, TAKES_STRING, FIELD (api_key), N_("KEY"), N_("Key for the provider of that model, not stored") },
  { "thinking", NULL, TAKES_STRING, FIELD (thinking), N_("LEVEL"), N_("off, minimal, low, medium, high or xhigh") },
  { "models", NULL, TAKES_LIST, FIELD (models), N_("PATTERNS"), N_("Models to cycle through, separated by commas") },
  { "list-models", NULL, TAKES_SEARCH, FIELD (list_models), N_("[SEARCH]"), N_("List the models that can be used, and exit") },
  { "system-prompt", NULL, TAKES_STRING, FIELD (system_prompt), N_("TEXT"), N_("System prompt: text, or a file that holds it") },
  { "append-system-prompt", NULL, TAKES_REPEATED, FIELD (append_system_prompt), N_("TEXT"), N_("Text or file added to the system prompt; may be repeated") },
  { "mode", NULL, TAKES_STRING, FIELD (mode_name), N_("MODE"), N_("Output: text (default), json or rpc") },
  { "print", "p", TAKES_MESSAGE, FIELD (print), NULL, N_("Send the messages, print the last answer, and exit") },
  { "continue", "c", TAKES_NOTHING, FIELD (continue_recent), NULL, N_("Go on with the most recent session of this folder") },
  { "resume", "r", TAKES_NOTHING, FIELD (resume), NULL, N_("Choose a session (only in the window)") },
  { "session", NULL, TAKES_STRING, FIELD (session), N_("FILE"), N_("Session: a file, or the beginning of an id") },
  { "fork", NULL, TAKES_STRING, FIELD (fork), N_("FILE"), N_("Copy a session into a new one and go on there") },
  { "session-dir", NULL, TAKES_STRING, FIELD (session_dir), N_("FOLDER"), N_("Where session files are") },
  { "no-session", NULL, TAKES_NOTHING, FIELD (no_session), NULL, N_("Do not save the session") },
  { "export", NULL, TAKES_STRING, FIELD (export_file), N_("FILE"), N_("Write a session for others, to the file named next, and exit") },
  { "tools", "t", TAKES_LIST, FIELD (tools), N_("NAMES"), N_("Tools that the model may use, separated by commas") },
  { "no-tools", "nt", TAKES_NOTHING, FIELD (no_tools), NULL, N_("No tools") },
  { "no-builtin-tools", "nbt", TAKES_NOTHING, FIELD (no_builtin_tools), NULL, N_("No tools but those of extensions") },
  { "no-extensions", "ne", TAKES_NOTHING, FIELD (no_extensions), NULL, N_("No extensions") },
  { "no-skills", "ns", TAKES_NOTHING, FIELD (no_skills), NULL, N_("No skills") },
  { "no-prompt-templates", "np", TAKES_NOTHING, FIELD (no_prompt_templates), NULL, N_("No prompt templates") },
  { "no-themes", NULL, TAKES_NOTHING, FIELD (no_themes), NULL, N_("No themes (there are none without a window)") },
  { "no-context-files", "nc", TAKES_NOTHING, FIELD (no_context_files), NULL, N_("Do not read AGENTS.md and CLAUDE.md") },
  { "offline", NULL, TAKES_NOTHING, FIELD (offline), NULL, N_("Do not look for models on the network") },
  { "verbose", NULL, TAKES_NOTHING, FIELD (verbose), NULL, N_("Say more on standard error") },
  { "help", "h", TAKES_NOTHING, FIELD (help), NULL, N_("Show this help and exit") },
  { "version", "v", TAKES_NOTHING, FIELD (version), NULL, N_("Show the version and exit") },
};

static gpointer
field_of (TauCliArguments *self,
          const Option    *option)
{
  return G_STRUCT_MEMBER_P (self, option->offset);
}

static const Option *
find_option (const char *word,
             gsize       length)
{
  gboolean is_long = g_str_has_prefix (word, "--");
  const char *name = word + (is_long ? 2 : 1);
  gsize name_length = length - (gsize) (name - word);

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const char *candidate = is_long ? options[i].name : options[i].short_name;

      if (candidate != NULL && strlen (candidate) == name_length && strncmp (candidate, name, name_length) == 0)
        return &options[i];
    }

  return NULL;
}

static void
append_string (char     ***list,
               const char *text)
{
  guint length = *list != NULL ? g_strv_length (*list) : 0;

  *list = g_renew (char *, *list, length + 2);
  (*list)[length] = g_strdup (text);
  (*list)[length + 1] = NULL;
}

static void
replace_string (char      **string,
                const char *text)
{
  g_free (*string);
  *string = g_strdup (text);
}

static void
replace_list (char     ***list,
              const char *text)
{
  g_auto(GStrv) parts = g_strsplit (text, ",", -1);

  g_clear_pointer (list, g_strfreev);
  *list = g_new0 (char *, 1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      append_string (list, parts[i]);
}

/* Flags and files are never swallowed; a message may begin with a rule of Markdown. */
static gboolean
is_plain_word (const char *word)
{
  if (word == NULL || *word == '@')
    return FALSE;

  return *word != '-' || g_str_has_prefix (word, "---");
}

/* Returns: how many words after the flag were used */
static guint
store (TauCliArguments *self,
       const Option    *option,
       const char      *value,
       gboolean         value_is_next)
{
  gpointer field = field_of (self, option);
  gboolean used = value != NULL;

  switch (option->kind)
    {
    case TAKES_NOTHING:
      *(gboolean *) field = TRUE;
      return 0;

    case TAKES_STRING:
      replace_string (field, value);
      break;

    case TAKES_LIST:
      replace_list (field, value);
      break;

    case TAKES_REPEATED:
      append_string (field, value);
      break;

    case TAKES_SEARCH:
      *(gboolean *) field = TRUE;
      used = is_plain_word (value);
      if (used)
        replace_string (&self->list_models_search, value);
      break;

    case TAKES_MESSAGE:
      *(gboolean *) field = TRUE;
      used = is_plain_word (value);
      if (used)
        append_string (&self->messages, value);
      break;

    default:
      g_assert_not_reached ();
    }

  return used && value_is_next ? 1 : 0;
}

static gboolean
take_option (TauCliArguments    *self,
             const char * const *argv,
             guint              *position,
             GError            **error)
{
  const char *word = argv[*position];
  const char *equals = g_str_has_prefix (word, "--") ? strchr (word, '=') : NULL;
  gsize length = equals != NULL ? (gsize) (equals - word) : strlen (word);
  const Option *option = find_option (word, length);
  const char *value = equals != NULL ? equals + 1 : argv[*position + 1];

  if (option == NULL || (equals != NULL && option->kind == TAKES_NOTHING))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION, _("Unknown option: %.*s"), (int) length, word);
      return FALSE;
    }
  if (value == NULL && (option->kind == TAKES_STRING || option->kind == TAKES_LIST || option->kind == TAKES_REPEATED))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("Option %s needs a value"), word);
      return FALSE;
    }

  *position += store (self, option, value, equals == NULL);

  return TRUE;
}

static gboolean
take_words (TauCliArguments    *self,
            const char * const *argv,
            GError            **error)
{
  gboolean options_ended = FALSE;

  for (guint i = 1; argv[0] != NULL && argv[i] != NULL; i++)
    {
      if (options_ended)
        append_string (&self->messages, argv[i]);
      else if (g_str_equal (argv[i], "--"))
        options_ended = TRUE;
      else if (*argv[i] == '@')
        append_string (&self->files, argv[i] + 1);
      else if (*argv[i] != '-')
        append_string (&self->messages, argv[i]);
      else if (!take_option (self, argv, &i, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * tau_cli_arguments_parse:
 * @argv: (array zero-terminated=1): the command line, program name first
 * @error: return location for a %G_OPTION_ERROR that names the word
 *
 * Reads the command line by the rules of pi: flags and messages may be mixed, `@name` is a file, an unknown output mode
 * is ignored. Additionally `--flag=value` and `--` are understood.
 *
 * Returns: (transfer full) (nullable): what was asked for
 */
TauCliArguments *
tau_cli_arguments_parse (const char * const *argv,
                         GError            **error)
{
  g_autoptr(TauCliArguments) self = g_new0 (TauCliArguments, 1);

  g_return_val_if_fail (argv != NULL, NULL);

  if (!take_words (self, argv, error))
    return NULL;

  if (g_strcmp0 (self->mode_name, "json") == 0)
    self->mode = TAU_CLI_MODE_JSON;
  else if (g_strcmp0 (self->mode_name, "rpc") == 0)
    self->mode = TAU_CLI_MODE_RPC;

  return g_steal_pointer (&self);
}

/**
 * tau_cli_arguments_mode_is_known:
 * @self: arguments
 *
 * Returns: whether the word given with `--mode`, if one was, is an output mode; another one is ignored, as in pi
 */
gboolean
tau_cli_arguments_mode_is_known (TauCliArguments *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->mode_name == NULL || self->mode != TAU_CLI_MODE_TEXT || g_str_equal (self->mode_name, "text");
}

/**
 * tau_cli_arguments_free:
 * @self: (transfer full): arguments
 *
 * Frees @self.
 */
void
tau_cli_arguments_free (TauCliArguments *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      gpointer field = field_of (self, &options[i]);

      if (options[i].kind == TAKES_STRING)
        g_free (*(char **) field);
      else if (options[i].kind == TAKES_LIST || options[i].kind == TAKES_REPEATED)
        g_strfreev (*(char ***) field);
    }

  g_free (self->list_models_search);
  g_strfreev (self->files);
  g_strfreev (self->messages);
  g_free (self);
}

static void
append_option_help (GString      *help,
                    const Option *option)
{
  g_autoptr(GString) left = g_string_new (NULL);

  if (option->short_name != NULL)
    g_string_append_printf (left, "-%s, ", option->short_name);
  g_string_append_printf (left, "--%s", option->name);
  if (option->value_name != NULL)
    g_string_append_printf (left, " %s", _(option->value_name));

  g_string_append_printf (help, "  %-32s %s\n", left->str, _(option->help));
}

/**
 * tau_cli_arguments_dup_help:
 *
 * Returns: (transfer full): what `--help` prints
 */
char *
tau_cli_arguments_dup_help (void)
{
  GString *help = g_string_new (NULL);

  g_string_append (help, _("Usage: tau-agent [OPTION…] [@FILE…] [MESSAGE…]\n\n"
                           "Sends the messages to a model that may use tools in this folder, and prints its answer.\n"
                           "Standard input, if it is not a terminal, is put before the first message.\n\n"
                           "Options:\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    append_option_help (help, &options[i]);

  return g_string_free (help, FALSE);
}
