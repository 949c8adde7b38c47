/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/pages/tau-start-page.h"

#include "core/base/tau-paths.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* What a session shows before its first message: the folder and things to ask. While only the demo model can be
 * used, also how to get a real one: what was looked for, a field for a key, and the demo. */
struct _TauStartPage
{
  GtkWidget        parent_instance;

  TauModelCatalog *catalog;
  GSignalGroup    *catalog_signals;
  GCancellable    *discovery;

  GtkLabel        *title;
  GtkLabel        *place;
  GtkWidget       *suggestions;
  GtkWidget       *setup;
  GtkWidget       *local_row;
  GtkDropDown     *provider;
  GtkEditable     *key;
};

/* Providers offered on the key page: those whose key is one string. Ids are those of the catalogue. */
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
  SUGGEST,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauStartPage, tau_start_page, GTK_TYPE_WIDGET)

/* The demo always works; anything beside it means that the user has a model. */
static gboolean
has_real_model (TauStartPage *self)
{
  GListModel *available = self->catalog != NULL ? tau_model_catalog_get_available (self->catalog) : NULL;
  guint n = available != NULL ? g_list_model_get_n_items (available) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (available, i);

      if (!g_str_equal (tau_model_get_provider (model), "demo"))
        return TRUE;
    }
  return FALSE;
}

static void
update (TauStartPage *self)
{
  gboolean ready = has_real_model (self);

  gtk_widget_set_visible (self->setup, !ready);
  gtk_widget_set_visible (self->suggestions, ready);
}

static void
suggest_cb (GtkWidget  *widget,
            const char *action,
            GVariant   *parameter)
{
  g_signal_emit (widget, signals[SUGGEST], 0, g_variant_get_string (parameter, NULL));
}

static void
discovered_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(TauStartPage) self = user_data;
  guint found = tau_model_catalog_discover_finish (TAU_MODEL_CATALOG (object), result);

  g_clear_object (&self->discovery);
  if (found == 0 && gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    g_signal_emit (self, signals[FAILED], 0, _("No local server answered."));
}

static void
discover_cb (GtkWidget  *widget,
             const char *action,
             GVariant   *parameter)
{
  TauStartPage *self = TAU_START_PAGE (widget);

  if (self->catalog == NULL || self->discovery != NULL)
    return;
  self->discovery = g_cancellable_new ();
  tau_model_catalog_discover_async (self->catalog, self->discovery, discovered_cb, g_object_ref (self));
}

static void
key_apply_cb (TauStartPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->provider);
  g_autofree char *key = g_strstrip (g_strdup (gtk_editable_get_text (self->key)));
  g_autoptr(GError) error = NULL;

  if (*key == '\0' || self->catalog == NULL || selected >= G_N_ELEMENTS (providers))
    return;
  if (tau_model_catalog_store_key (self->catalog, providers[selected].id, key, &error))
    gtk_editable_set_text (self->key, "");
  else
    g_signal_emit (self, signals[FAILED], 0, error->message);
}

static void
tau_start_page_dispose (GObject *object)
{
  TauStartPage *self = TAU_START_PAGE (object);

  if (self->discovery != NULL)
    g_cancellable_cancel (self->discovery);
  g_clear_object (&self->discovery);
  g_clear_object (&self->catalog_signals);
  g_clear_object (&self->catalog);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_START_PAGE);

  G_OBJECT_CLASS (tau_start_page_parent_class)->dispose (object);
}

static void
tau_start_page_class_init (TauStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_start_page_dispose;

  /**
   * TauStartPage::suggest:
   * @self: the page
   * @prompt: what to ask
   *
   * The user chose one of the suggestions.
   */
  signals[SUGGEST] = g_signal_new ("suggest", TAU_TYPE_START_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * TauStartPage::failed:
   * @self: the page
   * @message: why
   *
   * A key could not be stored, or no server was found.
   */
  signals[FAILED] = g_signal_new ("failed", TAU_TYPE_START_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/pages/start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, title);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, place);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, suggestions);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, setup);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, local_row);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, provider);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, key);
  gtk_widget_class_bind_template_callback (widget_class, key_apply_cb);
  gtk_widget_class_install_action (widget_class, "start.suggest", "s", suggest_cb);
  gtk_widget_class_install_action (widget_class, "start.discover", NULL, discover_cb);
}

static void
tau_start_page_init (TauStartPage *self)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (gsize i = 0; i < G_N_ELEMENTS (providers); i++)
    gtk_string_list_append (names, providers[i].name);
  gtk_drop_down_set_model (self->provider, G_LIST_MODEL (names));

  self->catalog_signals = g_signal_group_new (TAU_TYPE_MODEL_CATALOG);
  g_signal_group_connect_swapped (self->catalog_signals, "changed", G_CALLBACK (update), self);
  update (self);
}

/**
 * tau_start_page_set_catalog:
 * @self: a page
 * @catalog: the models; keys that the user enters are stored there
 *
 * Says where models come from.
 */
void
tau_start_page_set_catalog (TauStartPage    *self,
                            TauModelCatalog *catalog)
{
  g_return_if_fail (TAU_IS_START_PAGE (self));

  if (!g_set_object (&self->catalog, catalog))
    return;
  g_signal_group_set_target (self->catalog_signals, catalog);
  update (self);
}

/**
 * tau_start_page_set_folder:
 * @self: a page
 * @folder: absolute path
 *
 * Shows the folder's name and place.
 */
void
tau_start_page_set_folder (TauStartPage *self,
                           const char   *folder)
{
  g_autofree char *name = g_path_get_basename (folder);
  g_autofree char *shown_name = g_filename_display_name (name);
  g_autofree char *place = tau_paths_shorten (folder);

  g_return_if_fail (TAU_IS_START_PAGE (self));

  gtk_label_set_text (self->title, shown_name);
  gtk_label_set_text (self->place, place);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->place), folder);
}
