/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/pages/tau-model-setup.h"

#include "core/llm/tau-local-servers.h"

#include <glib/gi18n.h>

/* How to get a model: which servers on this computer were found, and a field for a provider's key. Part of the start
 * page and of the dialog "Models and keys". A key goes to the catalogue and nowhere else. */
struct _TauModelSetup
{
  AdwPreferencesGroup  parent_instance;

  TauModelCatalog     *catalog;
  GSignalGroup        *catalog_signals;
  GCancellable        *discovery;   /* while servers are looked for */

  AdwActionRow        *local_row;
  AdwComboRow         *provider;
  AdwPasswordEntryRow *key;
};

/* Those whose key is one string. Ids are those of the catalogue. */
static const struct { const char *id; const char *name; } providers[] = {
  { "anthropic", "Anthropic" },
  { "openai", "OpenAI" },
  { "google", "Google" },
  { "openrouter", "OpenRouter" },
  { "mistral", "Mistral" },
  { "groq", "Groq" },
  { "deepseek", "DeepSeek" },
  { "xai", "xAI" },
  { "cerebras", "Cerebras" },
};

enum
{
  MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauModelSetup, tau_model_setup, ADW_TYPE_PREFERENCES_GROUP)

static guint
count_models (TauModelSetup *self,
              const char    *provider)
{
  GListModel *available = self->catalog != NULL ? tau_model_catalog_get_available (self->catalog) : NULL;
  guint n = available != NULL ? g_list_model_get_n_items (available) : 0;
  guint found = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (available, i);

      found += g_str_equal (tau_model_get_provider (model), provider);
    }
  return found;
}

static void
update_local_row (TauModelSetup *self)
{
  g_autoptr(GString) found = g_string_new (NULL);
  guint n_servers;
  const TauLocalServer *servers = tau_local_servers_get_usual (&n_servers);

  for (guint i = 0; i < n_servers; i++)
    {
      guint n = count_models (self, servers[i].provider);

      if (n > 0)
        /* Translators: the name of a program that serves models, and how many it has. */
        g_string_append_printf (found, g_dngettext (GETTEXT_PACKAGE, "%s%s: %u model", "%s%s: %u models", n),
                                found->len > 0 ? " · " : "", servers[i].name, n);
    }
  adw_action_row_set_subtitle (self->local_row, found->len > 0
                                                  ? found->str
                                                  : _("None found. Looked for Ollama, llama.cpp, LM Studio and vLLM on this computer."));
}

static void
update_key (TauModelSetup *self)
{
  guint selected = adw_combo_row_get_selected (self->provider);
  gboolean has_key = selected < G_N_ELEMENTS (providers) && count_models (self, providers[selected].id) > 0;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->key),
                                 has_key ? _("New key (replaces the one there is)") : _("Key (kept in auth.json, for you alone)"));
}

static void
update (TauModelSetup *self)
{
  update_local_row (self);
  update_key (self);
}

static void
discovered_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(TauModelSetup) self = user_data;
  guint found = tau_model_catalog_discover_finish (TAU_MODEL_CATALOG (object), result);

  g_clear_object (&self->discovery);
  if (found == 0 && gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    g_signal_emit (self, signals[MESSAGE], 0, _("No local server answered"));
}

static void
discover_cb (GtkWidget  *widget,
             const char *action,
             GVariant   *parameter)
{
  TauModelSetup *self = TAU_MODEL_SETUP (widget);

  if (self->catalog == NULL || self->discovery != NULL)
    return;
  self->discovery = g_cancellable_new ();
  tau_model_catalog_discover_async (self->catalog, self->discovery, discovered_cb, g_object_ref (self));
}

static void
key_apply_cb (TauModelSetup *self)
{
  guint selected = adw_combo_row_get_selected (self->provider);
  g_autofree char *key = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->key))));
  g_autofree char *message = NULL;
  g_autoptr(GError) error = NULL;

  if (*key == '\0' || self->catalog == NULL || selected >= G_N_ELEMENTS (providers))
    return;
  if (tau_model_catalog_store_key (self->catalog, providers[selected].id, key, &error))
    {
      gtk_editable_set_text (GTK_EDITABLE (self->key), "");
      message = g_strdup_printf (_("The key for %s is saved"), providers[selected].name);
    }
  g_signal_emit (self, signals[MESSAGE], 0, error != NULL ? error->message : message);
}

static void
tau_model_setup_dispose (GObject *object)
{
  TauModelSetup *self = TAU_MODEL_SETUP (object);

  if (self->discovery != NULL)
    g_cancellable_cancel (self->discovery);
  g_clear_object (&self->discovery);
  g_clear_object (&self->catalog_signals);
  g_clear_object (&self->catalog);

  G_OBJECT_CLASS (tau_model_setup_parent_class)->dispose (object);
}

static void
tau_model_setup_class_init (TauModelSetupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_model_setup_dispose;

  /**
   * TauModelSetup::message:
   * @self: the group
   * @message: a sentence
   *
   * Something to tell the user: a key is saved or could not be saved, or no server was found.
   */
  signals[MESSAGE] = g_signal_new ("message", TAU_TYPE_MODEL_SETUP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/pages/model-setup.ui");
  gtk_widget_class_bind_template_child (widget_class, TauModelSetup, local_row);
  gtk_widget_class_bind_template_child (widget_class, TauModelSetup, provider);
  gtk_widget_class_bind_template_child (widget_class, TauModelSetup, key);
  gtk_widget_class_bind_template_callback (widget_class, key_apply_cb);
  gtk_widget_class_install_action (widget_class, "setup.discover", NULL, discover_cb);
}

static void
tau_model_setup_init (TauModelSetup *self)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (gsize i = 0; i < G_N_ELEMENTS (providers); i++)
    gtk_string_list_append (names, providers[i].name);
  adw_combo_row_set_model (self->provider, G_LIST_MODEL (names));
  g_signal_connect_swapped (self->provider, "notify::selected", G_CALLBACK (update_key), self);

  self->catalog_signals = g_signal_group_new (TAU_TYPE_MODEL_CATALOG);
  g_signal_group_connect_swapped (self->catalog_signals, "changed", G_CALLBACK (update), self);
  update (self);
}

/**
 * tau_model_setup_set_catalog:
 * @self: a group
 * @catalog: the models; keys that the user enters are stored there
 *
 * Says where models come from.
 */
void
tau_model_setup_set_catalog (TauModelSetup   *self,
                             TauModelCatalog *catalog)
{
  g_return_if_fail (TAU_IS_MODEL_SETUP (self));

  if (!g_set_object (&self->catalog, catalog))
    return;
  g_signal_group_set_target (self->catalog_signals, catalog);
  update (self);
}
