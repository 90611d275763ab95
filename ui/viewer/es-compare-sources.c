/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-sources.h"

#include <glib/gi18n-lib.h>

struct _EsCompareItem
{
  GObject        parent_instance;

  char          *title;
  EsPlaneSource *source;
  EsDataset     *dataset;
  EsResult      *result;
};

struct _EsCompareSources
{
  GObject     parent_instance;

  EsSession  *session;
  GListStore *items;
  GPtrArray  *models;            /* lists of results that are listened to */
  GHashTable *truths;            /* EsDataset -> EsDataset */
};

static void es_compare_sources_list_model_init (GListModelInterface *interface);

enum { PROP_0, PROP_TITLE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsCompareItem, es_compare_item, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (EsCompareSources, es_compare_sources, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, es_compare_sources_list_model_init))

/* ---- an item ---- */

EsCompareItem *
es_compare_item_new (const char *title, EsPlaneSource *source, EsDataset *dataset, EsResult *result)
{
  EsCompareItem *self = g_object_new (ES_TYPE_COMPARE_ITEM, NULL);

  self->title = g_strdup (title);
  self->source = g_object_ref (source);
  self->dataset = g_object_ref (dataset);
  g_set_object (&self->result, result);
  return self;
}

const char *
es_compare_item_get_title (EsCompareItem *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_ITEM (self), NULL);
  return self->title;
}

EsPlaneSource *
es_compare_item_get_source (EsCompareItem *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_ITEM (self), NULL);
  return self->source;
}

EsDataset *
es_compare_item_get_dataset (EsCompareItem *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_ITEM (self), NULL);
  return self->dataset;
}

EsResult *
es_compare_item_get_result (EsCompareItem *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_ITEM (self), NULL);
  return self->result;
}

static void
es_compare_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TITLE)
    g_value_set_string (value, ES_COMPARE_ITEM (object)->title);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_compare_item_finalize (GObject *object)
{
  EsCompareItem *self = ES_COMPARE_ITEM (object);

  g_free (self->title);
  g_object_unref (self->source);
  g_object_unref (self->dataset);
  g_clear_object (&self->result);
  G_OBJECT_CLASS (es_compare_item_parent_class)->finalize (object);
}

static void
es_compare_item_class_init (EsCompareItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = es_compare_item_get_property;
  object_class->finalize = es_compare_item_finalize;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_compare_item_init (EsCompareItem *self)
{
}

gboolean
es_compare_can_pair (EsPlaneSource *left, EsPlaneSource *right, char **why)
{
  guint widths[2] = { es_plane_source_get_width (left), es_plane_source_get_width (right) };
  guint heights[2] = { es_plane_source_get_height (left), es_plane_source_get_height (right) };

  if (widths[0] == widths[1] && heights[0] == heights[1])
    return TRUE;
  if (why != NULL)
    *why = g_strdup_printf (_("Only pictures of one size can be compared: this one has %u × %u pixels, the other "
                              "one %u × %u."), widths[0], heights[0], widths[1], heights[1]);
  return FALSE;
}

/* ---- the list ---- */

static char *
make_title (EsCompareSources *self, EsDataset *dataset, EsResult *result, EsLayer *layer)
{
  gboolean several = g_list_model_get_n_items (es_session_get_datasets (self->session)) > 1;
  const char *name = es_dataset_get_name (dataset);

  if (result == NULL)
    return g_strdup (name);
  if (several)
    return g_strdup_printf ("%s · %s · %s", es_result_get_title (result), es_layer_get_title (layer), name);
  return g_strdup_printf ("%s · %s", es_result_get_title (result), es_layer_get_title (layer));
}

/* The item that was there for this data, if its title is still right; else a new one. Results go over to the cube that
 * takes the place of theirs when something is told of it. */
static void
add_item (EsCompareSources *self, GPtrArray *items, const char *title, GObject *data, EsDataset *dataset,
          EsResult *result)
{
  g_autoptr (EsPlaneSource) source = NULL;
  int at = es_compare_sources_find (self, data);

  if (at >= 0)
    {
      g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), (guint) at);

      if (g_str_equal (item->title, title))
        {
          g_set_object (&item->dataset, dataset);
          g_ptr_array_add (items, g_steal_pointer (&item));
          return;
        }
    }
  source = ES_IS_CUBE (data) ? es_plane_source_new_for_cube (ES_CUBE (data))
                             : es_plane_source_new_for_stack (ES_IMAGE_STACK (data));
  if (es_plane_source_get_n_planes (source) > 0)
    g_ptr_array_add (items, es_compare_item_new (title, source, dataset, result));
}

static void
add_result (EsCompareSources *self, GPtrArray *items, EsDataset *dataset, EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      g_autofree char *title = NULL;

      if (!ES_IS_IMAGE_STACK (layer))
        continue;
      title = make_title (self, dataset, result, layer);
      add_item (self, items, title, G_OBJECT (layer), dataset, result);
    }
}

static void rebuild (EsCompareSources *self);

static void
listen_to (EsCompareSources *self, GListModel *results)
{
  if (results == NULL || g_ptr_array_find (self->models, results, NULL))
    return;
  g_ptr_array_add (self->models, g_object_ref (results));
  g_signal_connect_object (results, "items-changed", G_CALLBACK (rebuild), self, G_CONNECT_SWAPPED);
}

static void
forget_models (EsCompareSources *self)
{
  for (guint i = 0; i < self->models->len; i++)
    g_signal_handlers_disconnect_by_func (g_ptr_array_index (self->models, i), rebuild, self);
  g_ptr_array_set_size (self->models, 0);
}

static gboolean
is_at (EsCompareSources *self, guint position, gpointer wanted)
{
  g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), position);

  return item == wanted;
}

/* Only what differs: choices made in the list are kept. */
static void
replace_items (EsCompareSources *self, GPtrArray *items)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items)), first = 0, last = 0;

  while (first < MIN (n, items->len) && is_at (self, first, g_ptr_array_index (items, first)))
    first++;
  while (last < MIN (n, items->len) - first
         && is_at (self, n - 1 - last, g_ptr_array_index (items, items->len - 1 - last)))
    last++;
  if (n - first - last > 0 || items->len - first - last > 0)
    g_list_store_splice (self->items, first, n - first - last, items->pdata + first, items->len - first - last);
}

/* Of a data set that is closed: it is let go. */
static gboolean
is_closed (gpointer dataset, gpointer truth, gpointer data)
{
  return es_session_get_results (((EsCompareSources *) data)->session, dataset) == NULL;
}

static void
rebuild (EsCompareSources *self)
{
  GListModel *datasets = es_session_get_datasets (self->session);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  forget_models (self);
  g_hash_table_foreach_remove (self->truths, is_closed, self);
  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);
      GListModel *results = es_session_get_results (self->session, dataset);
      EsDataset *truth = g_hash_table_lookup (self->truths, dataset);

      listen_to (self, results);
      if (!ES_IS_CUBE (dataset))
        continue;
      add_item (self, items, es_dataset_get_name (dataset), G_OBJECT (dataset), dataset, NULL);
      for (guint k = 0; results != NULL && k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (EsResult) result = g_list_model_get_item (results, k);

          /* Its name may be given later. */
          g_signal_handlers_disconnect_by_func (result, rebuild, self);
          g_signal_connect_object (result, "notify::title", G_CALLBACK (rebuild), self, G_CONNECT_SWAPPED);
          add_result (self, items, dataset, result);
        }
      if (truth != NULL && ES_IS_CUBE (truth))
        {
          g_autofree char *title = g_strdup_printf (_("True abundances · %s"), es_dataset_get_name (dataset));

          add_item (self, items, title, G_OBJECT (truth), dataset, NULL);
        }
    }
  replace_items (self, items);
}

int
es_compare_sources_find (EsCompareSources *self, GObject *data)
{
  g_return_val_if_fail (ES_IS_COMPARE_SOURCES (self), -1);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      if (es_plane_source_get_data (item->source) == data)
        return (int) i;
    }
  return -1;
}

int
es_compare_sources_find_partner (EsCompareSources *self, EsDataset *dataset, EsResult *result)
{
  int found = -1;

  g_return_val_if_fail (ES_IS_COMPARE_SOURCES (self), -1);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      if (item->dataset != dataset)
        continue;
      /* The first stack of a result are its components. */
      if (result != NULL && es_plane_source_get_data (item->source) == G_OBJECT (dataset))
        return (int) i;
      if (result == NULL && item->result != NULL)
        {
          g_autoptr (EsCompareItem) before = found >= 0
            ? g_list_model_get_item (G_LIST_MODEL (self->items), (guint) found) : NULL;

          if (before == NULL || before->result != item->result)
            found = (int) i;
        }
    }
  return found >= 0 ? found : es_compare_sources_find (self, G_OBJECT (dataset));
}

void
es_compare_sources_set_truth (EsCompareSources *self, EsDataset *dataset, EsDataset *truth)
{
  g_return_if_fail (ES_IS_COMPARE_SOURCES (self));

  if (g_hash_table_lookup (self->truths, dataset) == truth)
    return;
  if (truth != NULL)
    g_hash_table_replace (self->truths, g_object_ref (dataset), g_object_ref (truth));
  else
    g_hash_table_remove (self->truths, dataset);
  rebuild (self);
}

EsDataset *
es_compare_sources_get_truth (EsCompareSources *self, EsDataset *dataset)
{
  g_return_val_if_fail (ES_IS_COMPARE_SOURCES (self), NULL);
  return g_hash_table_lookup (self->truths, dataset);
}

EsCompareSources *
es_compare_sources_new (EsSession *session)
{
  EsCompareSources *self;

  g_return_val_if_fail (ES_IS_SESSION (session), NULL);

  self = g_object_new (ES_TYPE_COMPARE_SOURCES, NULL);
  self->session = g_object_ref (session);
  g_signal_connect_object (es_session_get_datasets (session), "items-changed", G_CALLBACK (rebuild), self,
                           G_CONNECT_SWAPPED);
  rebuild (self);
  return self;
}

static GType
get_item_type (GListModel *model)
{
  return ES_TYPE_COMPARE_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ES_COMPARE_SOURCES (model)->items));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (ES_COMPARE_SOURCES (model)->items), position);
}

static void
es_compare_sources_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

static void
es_compare_sources_dispose (GObject *object)
{
  EsCompareSources *self = ES_COMPARE_SOURCES (object);

  forget_models (self);
  g_hash_table_remove_all (self->truths);
  g_list_store_remove_all (self->items);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (es_compare_sources_parent_class)->dispose (object);
}

static void
es_compare_sources_finalize (GObject *object)
{
  EsCompareSources *self = ES_COMPARE_SOURCES (object);

  g_ptr_array_unref (self->models);
  g_hash_table_unref (self->truths);
  g_clear_object (&self->items);
  G_OBJECT_CLASS (es_compare_sources_parent_class)->finalize (object);
}

static void
es_compare_sources_class_init (EsCompareSourcesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = es_compare_sources_dispose;
  object_class->finalize = es_compare_sources_finalize;
}

static void
es_compare_sources_init (EsCompareSources *self)
{
  self->items = g_list_store_new (ES_TYPE_COMPARE_ITEM);
  self->models = g_ptr_array_new_with_free_func (g_object_unref);
  self->truths = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  g_signal_connect_swapped (self->items, "items-changed", G_CALLBACK (g_list_model_items_changed), self);
}
