/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the channels of a composite can be: the planes of the cube that is shown and of all its results. */

#include "es-viewer-private.h"

#include "keeping/es-kept-id.h"
#include "widgets/es-export.h"

/* Stacks of one operation and name take each other's place, and so does a cube that something was told of. */
static char *
make_kind (EsCompareItem *item)
{
  EsResult *result = es_compare_item_get_result (item);
  EsPlaneSource *source = es_compare_item_get_source (item);
  EsImageStack *stack = es_plane_source_get_stack (source);

  if (es_plane_source_get_data (source) == G_OBJECT (es_compare_item_get_dataset (item)))
    return g_strdup ("cube");
  return result != NULL && stack != NULL
         ? g_strdup_printf ("%s/%s", es_result_get_operation (result)->id, es_layer_get_name (ES_LAYER (stack))) : NULL;
}

static EsPlaneGroup *
make_group (EsViewer *self, EsCompareItem *item, GListModel *before)
{
  EsPlaneSource *source = es_compare_item_get_source (item);
  EsPlaneGroup *group = es_plane_groups_find (before, es_plane_source_get_data (source));

  if (group != NULL && g_str_equal (es_plane_group_get_title (group), es_compare_item_get_title (item)))
    return g_object_ref (group);
  g_autofree char *reference = es_kept_id_refer (self->session, es_plane_source_get_data (source));
  g_autofree char *kind = make_kind (item);

  return es_plane_group_new (es_compare_item_get_title (item), source, reference, kind);
}

static EsDataset *
find_dataset (EsViewer *self, EsPlaneSource *source)
{
  int at = source != NULL ? es_compare_sources_find (self->sources, es_plane_source_get_data (source)) : -1;
  g_autoptr (EsCompareItem) item = at >= 0 ? g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at) : NULL;

  /* The session has it. */
  return item != NULL ? es_compare_item_get_dataset (item) : NULL;
}

static gboolean
is_at (GListModel *model, guint position, gpointer wanted)
{
  g_autoptr (GObject) item = g_list_model_get_item (model, position);

  return item == wanted;
}

static void
follow (EsViewer *self, EsViewerSide *side)
{
  EsPlaneSource *source = es_display_get_source (side->display);
  EsDataset *dataset = find_dataset (self, source);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *before = G_LIST_MODEL (side->groups);
  const guint n = g_list_model_get_n_items (before);
  guint first = 0, last = 0;

  for (guint i = 0; dataset != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->sources)); i++)
    {
      g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->sources), i);

      if (es_compare_item_get_dataset (item) == dataset
          && es_compare_can_pair (source, es_compare_item_get_source (item), NULL))
        g_ptr_array_add (groups, make_group (self, item, before));
    }
  while (first < MIN (n, groups->len) && is_at (before, first, g_ptr_array_index (groups, first)))
    first++;
  while (last < MIN (n, groups->len) - first
         && is_at (before, n - 1 - last, g_ptr_array_index (groups, groups->len - 1 - last)))
    last++;
  /* In one change: what takes the place of another comes as that goes. */
  if (n - first - last > 0 || groups->len - first - last > 0)
    g_list_store_splice (side->groups, first, n - first - last, groups->pdata + first, groups->len - first - last);
}

static void
follow_left (EsViewer *self)
{
  follow (self, &self->left);
}

static void
follow_right (EsViewer *self)
{
  follow (self, &self->right);
}

static void
follow_both (EsViewer *self)
{
  follow_left (self);
  follow_right (self);
}

static void
on_taken_back (EsViewer *self, const char *sentence)
{
  es_export_report (GTK_WIDGET (self), sentence);
}

void
_es_viewer_follow_others (EsViewer *self)
{
  EsViewerSide *sides[] = { &self->left, &self->right };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      sides[i]->groups = g_list_store_new (ES_TYPE_PLANE_GROUP);
      es_display_set_others (sides[i]->display, G_LIST_MODEL (sides[i]->groups));
      g_signal_connect_object (sides[i]->display, "source-changed",
                               G_CALLBACK (i == 0 ? follow_left : follow_right), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (sides[i]->display, "taken-back", G_CALLBACK (on_taken_back), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect_object (self->sources, "items-changed", G_CALLBACK (follow_both), self, G_CONNECT_SWAPPED);
  follow_both (self);
}
