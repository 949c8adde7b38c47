/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/pages/tau-start-page.h"

#include "app/pages/tau-model-setup.h"
#include "core/base/tau-paths.h"

/* What a session shows before its first message: the folder and things to ask. While only the demo model can be
 * used, also how to get a real one: what was looked for, a field for a key, and the demo. */
struct _TauStartPage
{
  AdwBin           parent_instance;

  TauModelCatalog *catalog;
  GSignalGroup    *catalog_signals;

  GtkLabel        *title;
  GtkLabel        *place;
  GtkWidget       *suggestions;
  TauModelSetup   *setup;
};

enum
{
  SUGGEST,
  MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauStartPage, tau_start_page, ADW_TYPE_BIN)

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

  gtk_widget_set_visible (GTK_WIDGET (self->setup), !ready);
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
message_cb (TauStartPage *self,
            const char   *message)
{
  g_signal_emit (self, signals[MESSAGE], 0, message);
}

static void
tau_start_page_dispose (GObject *object)
{
  TauStartPage *self = TAU_START_PAGE (object);

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
   * TauStartPage::message:
   * @self: the page
   * @message: a sentence
   *
   * Something to tell the user about keys and servers.
   */
  signals[MESSAGE] = g_signal_new ("message", TAU_TYPE_START_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (TAU_TYPE_MODEL_SETUP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/pages/start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, title);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, place);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, suggestions);
  gtk_widget_class_bind_template_child (widget_class, TauStartPage, setup);
  gtk_widget_class_bind_template_callback (widget_class, message_cb);
  gtk_widget_class_install_action (widget_class, "start.suggest", "s", suggest_cb);
}

static void
tau_start_page_init (TauStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

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
  tau_model_setup_set_catalog (self->setup, catalog);
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
