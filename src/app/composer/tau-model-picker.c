/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/composer/tau-model-picker.h"

#include "app/composer/tau-model-row.h"
#include "core/base/tau-fuzzy.h"
#include "core/llm/tau-favourite-models.h"

#include <glib/gi18n.h>
#include <string.h>

/* The list of all models, to choose one for a session: favourites first, then those that can be used by provider, then
 * those that need a key. What is typed narrows it, the best match first. The arrows move the choice while the search
 * field keeps the focus. It fills itself when it is shown, and while it is shown. */
struct _TauModelPicker
{
  GtkPopover          parent_instance;

  TauAgentSession    *session;
  GListStore         *items;      /* of TauModelItem, in the order shown */
  GtkSingleSelection *selection;
  GSignalGroup       *catalog_signals;

  GtkEditable        *search;
  GtkListView        *list;
  GtkWidget          *scroller;
  GtkWidget          *empty;
};

/* A model on its way into the list. */
typedef struct
{
  TauModel     *model;
  TauModelState state;
  guint         rank;   /* its place as a favourite, or %G_MAXUINT */
  int           score;
  guint         place;  /* in the catalogue */
} Candidate;

enum
{
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauModelPicker, tau_model_picker, GTK_TYPE_POPOVER)

static void
candidate_clear (gpointer data)
{
  g_object_unref (((Candidate *) data)->model);
}

static guint
get_rank (GPtrArray *favourites,
          TauModel  *model)
{
  for (guint i = 0; i < favourites->len; i++)
    if (tau_model_equal (favourites->pdata[i], model))
      return i;
  return G_MAXUINT;
}

static int
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const Candidate *one = a, *other = b;
  int order;

  if (one->score != other->score)
    return other->score - one->score;
  if (one->state.usable != other->state.usable)
    return one->state.usable ? -1 : 1;
  if (one->rank != other->rank)
    return one->rank < other->rank ? -1 : 1;
  order = strcmp (tau_model_get_provider (one->model), tau_model_get_provider (other->model));
  return order != 0 ? order : (one->place > other->place) - (one->place < other->place);
}

static int
score_model (const TauFuzzy *query,
             TauModel       *model)
{
  g_autofree char *text = g_strconcat (tau_model_get_name (model), " ", tau_model_get_provider (model), "/", tau_model_get_id (model), NULL);

  return tau_fuzzy_score (query, text);
}

static GArray *
dup_candidates (TauModelPicker *self,
                const TauFuzzy *query)
{
  TauModelCatalog *catalog = tau_agent_session_get_catalog (self->session);
  TauModel *current = tau_agent_session_get_model (self->session);
  GListModel *models = tau_model_catalog_get_models (catalog);
  g_autoptr(GPtrArray) favourites = tau_favourite_models_dup (tau_agent_session_get_settings (self->session), catalog);
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      Candidate candidate = { .model = g_list_model_get_item (models, i), .place = i };

      candidate.score = score_model (query, candidate.model);
      candidate.rank = get_rank (favourites, candidate.model);
      candidate.state.favourite = candidate.rank != G_MAXUINT;
      candidate.state.usable = tau_model_catalog_is_available (catalog, candidate.model);
      candidate.state.current = current != NULL && tau_model_equal (current, candidate.model);
      if (candidate.score == TAU_FUZZY_NO_MATCH)
        g_object_unref (candidate.model);
      else
        g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

static char *
dup_heading (const Candidate *candidate)
{
  if (candidate->state.favourite)
    return g_strdup (_("Favourites"));
  if (!candidate->state.usable)
    return g_strdup_printf (_("%s needs a key"), tau_model_get_provider (candidate->model));
  return g_strdup (tau_model_get_provider (candidate->model));
}

/* All rows are made anew: a heading depends on what stands above it. */
static void
fill (TauModelPicker *self)
{
  g_autoptr(TauFuzzy) query = tau_fuzzy_new (gtk_editable_get_text (self->search));
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GArray) candidates = NULL;
  g_autofree char *last = NULL;

  if (self->session == NULL)
    return;
  candidates = dup_candidates (self, query);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      g_autofree char *heading = tau_fuzzy_is_empty (query) ? dup_heading (candidate) : NULL;
      gboolean same = g_strcmp0 (heading, last) == 0;

      g_ptr_array_add (rows, tau_model_item_new (candidate->model, same ? NULL : heading, &candidate->state));
      g_free (last);
      last = g_steal_pointer (&heading);
    }
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), rows->pdata, rows->len);
  gtk_widget_set_visible (self->empty, rows->len == 0);
  gtk_widget_set_visible (self->scroller, rows->len > 0);
}

static void
select_place (TauModelPicker *self,
              guint           place)
{
  gtk_single_selection_set_selected (self->selection, place);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", place);
}

static void
search_changed_cb (TauModelPicker *self)
{
  fill (self);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->items)) > 0)
    select_place (self, 0);
}

/* Without a key a model cannot be chosen; the way to one is what the person needs then. */
static void
choose (TauModelPicker *self,
        guint           place)
{
  g_autoptr(TauModelItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), place);
  g_autoptr(GError) error = NULL;

  if (item == NULL || self->session == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (self));
  if (!tau_model_item_is_usable (item))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.models", NULL);
  else if (!tau_agent_session_set_model (self->session, tau_model_item_get_model (item), &error))
    g_signal_emit (self, signals[FAILED], 0, error->message);
}

static void
row_activate_cb (TauModelPicker *self,
                 guint           place)
{
  choose (self, place);
}

static void
search_activate_cb (TauModelPicker *self)
{
  choose (self, gtk_single_selection_get_selected (self->selection));
}

static char *
dup_full_name (TauModel *model)
{
  return g_strdup_printf ("%s/%s", tau_model_get_provider (model), tau_model_get_id (model));
}

static TauModelItem *
find_item (TauModelPicker *self,
           const char     *name,
           guint          *place)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr(TauModelItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      g_autofree char *full = dup_full_name (tau_model_item_get_model (item));

      *place = i;
      if (g_str_equal (full, name))
        return g_steal_pointer (&item);
    }
  return NULL;
}

/* The choice stays on the model, wherever it goes. */
static void
toggle_favourite (TauModelPicker *self,
                  const char     *name)
{
  guint place;
  g_autoptr(TauModelItem) item = find_item (self, name, &place);
  g_autoptr(TauModelItem) moved = NULL;
  g_autoptr(GError) error = NULL;

  if (item == NULL || self->session == NULL)
    return;
  if (!tau_favourite_models_set (tau_agent_session_get_settings (self->session), tau_agent_session_get_catalog (self->session),
                                 tau_model_item_get_model (item), !tau_model_item_is_favourite (item), &error))
    g_signal_emit (self, signals[FAILED], 0, error->message);
  fill (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  moved = find_item (self, name, &place);
  if (moved != NULL)
    select_place (self, place);
}

static void
toggle_favourite_cb (GtkWidget  *widget,
                     const char *action,
                     GVariant   *parameter)
{
  toggle_favourite (TAU_MODEL_PICKER (widget), g_variant_get_string (parameter, NULL));
}

static void
move_choice (TauModelPicker *self,
             int             by)
{
  int n = (int) g_list_model_get_n_items (G_LIST_MODEL (self->items));
  int place = (int) gtk_single_selection_get_selected (self->selection) + by;

  if (n > 0)
    select_place (self, (guint) CLAMP (place, 0, n - 1));
}

static gboolean
key_pressed_cb (TauModelPicker  *self,
                guint            keyval,
                guint            keycode,
                GdkModifierType  state)
{
  g_autoptr(TauModelItem) item = NULL;
  g_autofree char *full = NULL;

  switch (keyval)
    {
    case GDK_KEY_Escape:
      gtk_popover_popdown (GTK_POPOVER (self));
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
      move_choice (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
      move_choice (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
      move_choice (self, -6);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
      move_choice (self, 6);
      return GDK_EVENT_STOP;
    case GDK_KEY_d:
      g_set_object (&item, gtk_single_selection_get_selected_item (self->selection));
      if (item == NULL || (state & GDK_CONTROL_MASK) == 0)
        return GDK_EVENT_PROPAGATE;
      full = dup_full_name (tau_model_item_get_model (item));
      toggle_favourite (self, full);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
setup_cb (TauModelPicker *self,
          GtkListItem    *item)
{
  gtk_list_item_set_child (item, g_object_new (TAU_TYPE_MODEL_ROW, NULL));
}

static void
bind_cb (TauModelPicker *self,
         GtkListItem    *item)
{
  tau_model_row_set_item (TAU_MODEL_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
}

static void
catalog_changed_cb (TauModelPicker *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

/* Enter on a list that was only looked at changes nothing. */
static void
select_current (TauModelPicker *self)
{
  TauModel *current = self->session != NULL ? tau_agent_session_get_model (self->session) : NULL;
  g_autofree char *full = current != NULL ? dup_full_name (current) : NULL;
  guint place = 0;
  g_autoptr(TauModelItem) item = full != NULL ? find_item (self, full, &place) : NULL;

  select_place (self, item != NULL ? place : 0);
}

static void
shown_cb (TauModelPicker *self)
{
  gtk_editable_set_text (self->search, "");
  fill (self);
  select_current (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
tau_model_picker_dispose (GObject *object)
{
  TauModelPicker *self = TAU_MODEL_PICKER (object);

  g_clear_object (&self->catalog_signals);
  g_clear_object (&self->session);
  g_clear_object (&self->items);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_MODEL_PICKER);

  G_OBJECT_CLASS (tau_model_picker_parent_class)->dispose (object);
}

static void
tau_model_picker_class_init (TauModelPickerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_model_picker_dispose;

  /**
   * TauModelPicker::failed:
   * @self: the picker
   * @message: why
   *
   * The session did not take the chosen model, or the favourites could not be kept.
   */
  signals[FAILED] = g_signal_new ("failed", TAU_TYPE_MODEL_PICKER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (TAU_TYPE_MODEL_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/composer/model-picker.ui");
  gtk_widget_class_bind_template_child (widget_class, TauModelPicker, search);
  gtk_widget_class_bind_template_child (widget_class, TauModelPicker, list);
  gtk_widget_class_bind_template_child (widget_class, TauModelPicker, scroller);
  gtk_widget_class_bind_template_child (widget_class, TauModelPicker, empty);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, shown_cb);
  gtk_widget_class_install_action (widget_class, "picker.toggle-favourite", "s", toggle_favourite_cb);
}

static void
tau_model_picker_init (TauModelPicker *self)
{
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->items = g_list_store_new (TAU_TYPE_MODEL_ITEM);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->items)));
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_cb), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->search), keys);

  self->catalog_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->catalog_signals, "items-changed", G_CALLBACK (catalog_changed_cb), self);
}

/**
 * tau_model_picker_set_session:
 * @self: a picker
 * @session: (nullable): for whom a model is chosen
 *
 * Chooses for another session.
 */
void
tau_model_picker_set_session (TauModelPicker  *self,
                              TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_MODEL_PICKER (self));

  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->catalog_signals,
                             session != NULL ? tau_model_catalog_get_available (tau_agent_session_get_catalog (session)) : NULL);
  catalog_changed_cb (self);
}
