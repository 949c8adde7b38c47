/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-suggestions.h"

#include "core/base/tau-fuzzy.h"
#include "core/base/tau-text.h"
#include "core/config/tau-prompt-templates.h"
#include "core/config/tau-skills.h"
#include "core/tool/tau-project-files.h"

#include <string.h>

/* TauSuggestions: live, owned by the completion. Files and folders of the session's project for "@…", in pi's form, and
 * for "/…" what the session knows: prompt templates, skills, commands that were added. No widgets. */

struct _TauSuggestions
{
  GObject          parent_instance;

  TauAgentSession *session;   /* nullable */
  TauProjectFiles *files;     /* of its folder; nullable */
  GPtrArray       *list;      /* of TauSuggestion */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauSuggestions, tau_suggestions, G_TYPE_OBJECT)

static void
suggestion_free (gpointer data)
{
  TauSuggestion *suggestion = data;

  g_free (suggestion->text);
  g_free (suggestion->label);
  g_free (suggestion->detail);
  g_free (suggestion);
}

static void
add (TauSuggestions *self,
     char           *text,
     const char     *label,
     const char     *detail)
{
  TauSuggestion *suggestion = g_new0 (TauSuggestion, 1);

  suggestion->text = text;
  suggestion->label = tau_text_make_valid (label, -1);
  suggestion->detail = detail != NULL ? g_strdelimit (tau_text_make_valid (detail, -1), "\n\t", ' ') : NULL;
  g_ptr_array_add (self->list, suggestion);
}

/* Behind a file the sentence goes on, behind a folder the path. */
static char *
mention (const char *path)
{
  if (strchr (path, ' ') != NULL)
    return g_strdup_printf ("@\"%s\" ", path);
  return g_str_has_suffix (path, "/") ? g_strdup_printf ("@%s", path) : g_strdup_printf ("@%s ", path);
}

static void
add_files (TauSuggestions *self,
           const char     *needle,
           guint           max)
{
  g_autoptr(GPtrArray) paths = NULL;

  if (self->files == NULL)
    return;
  tau_project_files_refresh (self->files);
  paths = tau_project_files_match (self->files, needle, max);
  for (guint i = 0; i < paths->len; i++)
    add (self, mention (g_ptr_array_index (paths, i)), g_ptr_array_index (paths, i), NULL);
}

typedef struct
{
  char       *name;
  const char *detail;
  int         score;
} Command;

static void
clear_command (gpointer data)
{
  g_free (((Command *) data)->name);
}

static void
consider (GArray         *commands,
          char           *name,
          const char     *detail,
          const TauFuzzy *wanted)
{
  Command command = { name, detail, tau_fuzzy_score (wanted, name) };

  if (command.score >= 0)
    g_array_append_val (commands, command);
  else
    g_free (name);
}

static int
compare_commands (gconstpointer a,
                  gconstpointer b)
{
  const Command *x = a, *y = b;

  return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : strcmp (x->name, y->name);
}

static void
add_commands (TauSuggestions *self,
              const char     *needle,
              guint           max)
{
  GPtrArray *templates = tau_agent_session_get_prompt_templates (self->session);
  GPtrArray *skills = tau_agent_session_get_skills (self->session);
  GPtrArray *added = tau_agent_session_get_commands (self->session);
  g_autoptr(GArray) commands = g_array_new (FALSE, FALSE, sizeof (Command));
  g_autoptr(TauFuzzy) wanted = tau_fuzzy_new (needle);

  g_array_set_clear_func (commands, clear_command);
  for (guint i = 0; i < templates->len; i++)
    {
      TauPromptTemplate *template = g_ptr_array_index (templates, i);
      const char *hint = template->argument_hint;

      consider (commands, g_strdup (template->name), template->description != NULL ? template->description : hint, wanted);
    }
  for (guint i = 0; i < skills->len; i++)
    {
      TauSkill *skill = g_ptr_array_index (skills, i);

      consider (commands, g_strconcat ("skill:", skill->name, NULL), skill->description, wanted);
    }
  for (guint i = 0; added != NULL && i < added->len; i++)
    {
      TauSessionCommand *command = g_ptr_array_index (added, i);

      consider (commands, g_strdup (command->name), command->description, wanted);
    }
  g_array_sort (commands, compare_commands);
  for (guint i = 0; i < MIN (commands->len, max); i++)
    {
      const Command *command = &g_array_index (commands, Command, i);
      g_autofree char *label = g_strconcat ("/", command->name, NULL);

      add (self, g_strconcat (label, " ", NULL), label, command->detail);
    }
}

static void
files_changed_cb (TauSuggestions *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tau_suggestions_dispose (GObject *object)
{
  TauSuggestions *self = TAU_SUGGESTIONS (object);

  tau_suggestions_set_session (self, NULL);
  g_clear_pointer (&self->list, g_ptr_array_unref);

  G_OBJECT_CLASS (tau_suggestions_parent_class)->dispose (object);
}

static void
tau_suggestions_class_init (TauSuggestionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_suggestions_dispose;

  /**
   * TauSuggestions::changed:
   *
   * tau_suggestions_look() may find more now.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tau_suggestions_init (TauSuggestions *self)
{
  self->list = g_ptr_array_new_with_free_func (suggestion_free);
}

/**
 * tau_suggestions_new:
 *
 * Returns: (transfer full): an empty list
 */
TauSuggestions *
tau_suggestions_new (void)
{
  return g_object_new (TAU_TYPE_SUGGESTIONS, NULL);
}

/**
 * tau_suggestions_set_session:
 * @self: suggestions
 * @session: (nullable): whose folder and commands are meant
 *
 * The files of a folder that was meant before are known already.
 */
void
tau_suggestions_set_session (TauSuggestions  *self,
                             TauAgentSession *session)
{
  const char *folder;

  g_return_if_fail (TAU_IS_SUGGESTIONS (self));

  folder = session != NULL ? tau_agent_session_get_cwd (session) : NULL;
  if (self->files != NULL && g_strcmp0 (tau_project_files_get_folder (self->files), folder) != 0)
    {
      g_signal_handlers_disconnect_by_data (self->files, self);
      tau_project_files_cancel (self->files);
      g_clear_object (&self->files);
    }
  if (self->files == NULL && folder != NULL)
    {
      self->files = tau_project_files_new (folder);
      g_signal_connect_object (self->files, "changed", G_CALLBACK (files_changed_cb), self, G_CONNECT_SWAPPED);
    }
  g_set_object (&self->session, session);
}

/**
 * tau_suggestions_look:
 * @self: suggestions
 * @word: a word that begins with "@" or "/"
 * @max: how many are wanted
 *
 * Fills the list with what @word may become, the best first.
 */
void
tau_suggestions_look (TauSuggestions *self,
                      const char     *word,
                      guint           max)
{
  g_return_if_fail (TAU_IS_SUGGESTIONS (self));

  g_ptr_array_set_size (self->list, 0);
  if (self->session == NULL)
    return;
  if (word[0] == '@')
    add_files (self, word[1] == '"' ? word + 2 : word + 1, max);
  else if (word[0] == '/')
    add_commands (self, word + 1, max);
}

/**
 * tau_suggestions_get_length:
 * @self: suggestions
 *
 * Returns: how many there are
 */
guint
tau_suggestions_get_length (TauSuggestions *self)
{
  g_return_val_if_fail (TAU_IS_SUGGESTIONS (self), 0);

  return self->list->len;
}

/**
 * tau_suggestions_get:
 * @self: suggestions
 * @position: less than their number
 *
 * Returns: (transfer none): one of them, until the next tau_suggestions_look()
 */
const TauSuggestion *
tau_suggestions_get (TauSuggestions *self,
                     guint           position)
{
  g_return_val_if_fail (TAU_IS_SUGGESTIONS (self) && position < self->list->len, NULL);

  return g_ptr_array_index (self->list, position);
}
