/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-redact.h"

#include "core/base/tau-json.h"

#include <string.h>

/* A model that was asked to look around prints keys too. What is exported holds none of those that are known here (in
 * auth.json, models.json and the environment), and nothing that looks like one: the forms that providers and forges
 * give their keys, by their documentation of key formats and secret scanning. */
#define MIN_SECRET 8   /* shorter values are words */
#define MASK       "[key removed]"

static const char forms[] =
  "\\bsk-[A-Za-z0-9_-]{20,}"            /* Anthropic, OpenAI, OpenRouter, DeepSeek */
  "|\\bAIza[A-Za-z0-9_-]{35}"           /* Google */
  "|\\b(?:gsk|xai|csk|pplx|hf|r8|fw)[_-][A-Za-z0-9]{20,}"
  "|\\bgh[pousr]_[A-Za-z0-9]{36,}|\\bgithub_pat_[A-Za-z0-9_]{40,}|\\bglpat-[A-Za-z0-9_-]{20,}"
  "|\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"    /* Amazon */
  "|\\bxox[abprs]-[A-Za-z0-9-]{20,}"
  "|-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\\s\\\\]*-----END [A-Z ]*PRIVATE KEY-----";

static void
add_secret (GPtrArray  *secrets,
            const char *value)
{
  if (value != NULL && strlen (value) >= MIN_SECRET)
    g_ptr_array_add (secrets, g_strdup (value));
}

/* A value may be a key or the name of the variable that holds it. */
static void
collect_strings (JsonNode  *node,
                 GPtrArray *secrets)
{
  JsonArray *array = tau_json_get_array (node, NULL);
  JsonObject *object = tau_json_get_object (node, NULL);
  const char *text = tau_json_get_string (node, NULL, NULL);
  g_autoptr(GList) members = object != NULL ? json_object_get_values (object) : NULL;

  add_secret (secrets, text);
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    collect_strings (json_array_get_element (array, i), secrets);
  for (GList *l = members; l != NULL; l = l->next)
    collect_strings (l->data, secrets);
}

static JsonNode *
read_json (const char *agent_dir,
           const char *name)
{
  g_autofree char *path = g_build_filename (agent_dir, name, NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? tau_json_parse_relaxed (text, -1, NULL) : NULL;
}

static void
collect_provider_keys (JsonNode  *models,
                       GPtrArray *secrets)
{
  JsonObject *providers = tau_json_get_object (models, "providers");
  g_autoptr(GList) nodes = providers != NULL ? json_object_get_values (providers) : NULL;

  for (GList *l = nodes; l != NULL; l = l->next)
    {
      add_secret (secrets, tau_json_get_string (l->data, "apiKey", NULL));
      collect_strings (tau_json_get (l->data, "headers"), secrets);
    }
}

static void
collect_environment (GPtrArray *secrets)
{
  static const char * const parts[] = { "KEY", "TOKEN", "SECRET", "PASSWORD" };
  g_auto(GStrv) names = g_listenv ();

  for (char **name = names; *name != NULL; name++)
    for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
      if (strstr (*name, parts[i]) != NULL)
        add_secret (secrets, g_getenv (*name));
}

static int
compare_lengths (gconstpointer a,
                 gconstpointer b)
{
  gsize first = strlen (*(char **) a);
  gsize second = strlen (*(char **) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

/**
 * tau_session_redact_dup_secrets:
 * @agent_dir: folder of auth.json and models.json
 *
 * Collects the keys that are known on this computer. Commands that would tell a key are not run.
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys, the longest first
 */
char **
tau_session_redact_dup_secrets (const char *agent_dir)
{
  g_autoptr(JsonNode) auth = read_json (agent_dir, "auth.json");
  g_autoptr(JsonNode) models = read_json (agent_dir, "models.json");
  GPtrArray *secrets = g_ptr_array_new ();

  if (auth != NULL)
    collect_strings (auth, secrets);
  if (models != NULL)
    collect_provider_keys (models, secrets);
  collect_environment (secrets);
  g_ptr_array_sort (secrets, compare_lengths);
  g_ptr_array_add (secrets, NULL);
  return (char **) g_ptr_array_free (secrets, FALSE);
}

/**
 * tau_session_redact:
 * @text: valid UTF-8, changed in place
 * @secrets: (array zero-terminated=1): keys to take out
 *
 * Replaces @secrets and what looks like a key.
 */
void
tau_session_redact (GString            *text,
                    const char * const *secrets)
{
  static GRegex *regex;
  g_autofree char *clean = NULL;

  for (gsize i = 0; secrets[i] != NULL; i++)
    {
      g_autofree char *escaped = g_markup_escape_text (secrets[i], -1);

      g_string_replace (text, secrets[i], MASK, 0);
      g_string_replace (text, escaped, MASK, 0);
    }
  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex, g_regex_new (forms, G_REGEX_OPTIMIZE, 0, NULL));
  clean = g_regex_replace_literal (regex, text->str, (gssize) text->len, 0, MASK, 0, NULL);
  if (clean != NULL)
    g_string_assign (text, clean);
}
