/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-model-row.h"

#include <glib/gi18n.h>

/* Record: what a row shows. Made anew when something of it changes. */
struct _TauModelItem
{
  GObject       parent_instance;

  TauModel     *model;
  char         *heading;
  TauModelState state;
};

G_DEFINE_FINAL_TYPE (TauModelItem, tau_model_item, G_TYPE_OBJECT)

static void
tau_model_item_finalize (GObject *object)
{
  TauModelItem *self = TAU_MODEL_ITEM (object);

  g_object_unref (self->model);
  g_free (self->heading);

  G_OBJECT_CLASS (tau_model_item_parent_class)->finalize (object);
}

static void
tau_model_item_class_init (TauModelItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_model_item_finalize;
}

static void
tau_model_item_init (TauModelItem *self)
{
}

/**
 * tau_model_item_new:
 * @model: the model
 * @heading: (nullable): what stands above it, for the first of a group
 * @state: how it is with it now
 *
 * Makes what a row shows.
 *
 * Returns: (transfer full): the item
 */
TauModelItem *
tau_model_item_new (TauModel            *model,
                    const char          *heading,
                    const TauModelState *state)
{
  TauModelItem *self = g_object_new (TAU_TYPE_MODEL_ITEM, NULL);

  self->model = g_object_ref (model);
  self->heading = g_strdup (heading);
  self->state = *state;
  return self;
}

/**
 * tau_model_item_get_model:
 * @self: an item
 *
 * Returns: (transfer none): its model
 */
TauModel *
tau_model_item_get_model (TauModelItem *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_ITEM (self), NULL);

  return self->model;
}

/**
 * tau_model_item_is_usable:
 * @self: an item
 *
 * Returns: whether a key is there, or none is needed
 */
gboolean
tau_model_item_is_usable (TauModelItem *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_ITEM (self), FALSE);

  return self->state.usable;
}

/**
 * tau_model_item_is_favourite:
 * @self: an item
 *
 * Returns: whether it is one of the models to step through
 */
gboolean
tau_model_item_is_favourite (TauModelItem *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_ITEM (self), FALSE);

  return self->state.favourite;
}

/* A model in the list: name, provider, what it can do and costs, and a star for the favourites. The star is an action
 * of the list around it ("picker.toggle-favourite", the model's full name). */
struct _TauModelRow
{
  GtkWidget  parent_instance;

  GtkWidget *box;
  GtkLabel  *heading;
  GtkLabel  *name;
  GtkLabel  *facts;
  GtkWidget *check;
  GtkButton *star;
};

G_DEFINE_FINAL_TYPE (TauModelRow, tau_model_row, GTK_TYPE_WIDGET)

static char *
dup_tokens (gint64 tokens)
{
  if (tokens >= 1000000)
    return g_strdup_printf (_("%.3g M"), tokens / 1e6);
  return g_strdup_printf (_("%.0f k"), tokens / 1e3);
}

static char *
dup_price (TauModel *model)
{
  const TauPrices *prices = tau_model_get_prices (model);

  if (prices->input <= 0 && prices->output <= 0)
    return NULL;
  return g_strdup_printf (_("$%.4g in, $%.4g out"), prices->input, prices->output);
}

/* The provider comes last: it stands above the row too, while nothing is searched for. */
static char *
dup_facts (TauModelItem *item)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) facts = NULL;
  g_autofree char *tokens = dup_tokens (tau_model_get_context_window (item->model));
  g_autofree char *price = dup_price (item->model);

  if (!item->state.usable)
    g_strv_builder_add (builder, _("Needs a key"));
  g_strv_builder_add (builder, tokens);
  if (tau_model_get_reasoning (item->model))
    g_strv_builder_add (builder, _("thinking"));
  if (tau_model_accepts_images (item->model))
    g_strv_builder_add (builder, _("images"));
  if (price != NULL)
    g_strv_builder_add (builder, price);
  g_strv_builder_add (builder, tau_model_get_provider (item->model));
  facts = g_strv_builder_end (builder);
  return g_strjoinv (" · ", facts);
}

static void
update_star (TauModelRow  *self,
             TauModelItem *item)
{
  const char *label = item->state.favourite ? _("Remove from favourites") : _("Add to favourites");
  g_autofree char *full = g_strdup_printf ("%s/%s", tau_model_get_provider (item->model), tau_model_get_id (item->model));

  gtk_button_set_icon_name (self->star, item->state.favourite ? "starred-symbolic" : "non-starred-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->star), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->star), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->star), "s", full);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->star), "picker.toggle-favourite");
}

static void
tau_model_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), TAU_TYPE_MODEL_ROW);

  G_OBJECT_CLASS (tau_model_row_parent_class)->dispose (object);
}

static void
tau_model_row_class_init (TauModelRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_model_row_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/composer/model-row.ui");
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, box);
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, heading);
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, name);
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, facts);
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, check);
  gtk_widget_class_bind_template_child (widget_class, TauModelRow, star);
}

static void
tau_model_row_init (TauModelRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * tau_model_row_set_item:
 * @self: a row
 * @item: what it shall show
 *
 * Shows a model.
 */
void
tau_model_row_set_item (TauModelRow  *self,
                        TauModelItem *item)
{
  g_autofree char *facts = NULL;

  g_return_if_fail (TAU_IS_MODEL_ROW (self));
  g_return_if_fail (TAU_IS_MODEL_ITEM (item));

  facts = dup_facts (item);
  gtk_label_set_text (self->heading, item->heading != NULL ? item->heading : "");
  gtk_widget_set_visible (GTK_WIDGET (self->heading), item->heading != NULL);
  gtk_label_set_text (self->name, tau_model_get_name (item->model));
  gtk_label_set_text (self->facts, facts);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->facts), facts);
  gtk_widget_set_visible (self->check, item->state.current);
  if (item->state.usable)
    gtk_widget_remove_css_class (GTK_WIDGET (self->name), "dim-label");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "dim-label");
  update_star (self, item);
}
