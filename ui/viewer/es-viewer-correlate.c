/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Correlations of what is compared, and the true abundances of a simulated cube to compare with. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "statistics/es-correlate.h"
#include "widgets/es-export.h"
#include "result/es-operation.h"

#define PAGE "correlations"

static gboolean
is_shown (EsViewer *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), PAGE) == 0;
}

/* The item of what is on the left; NULL where that is not in the session (any more). */
static EsCompareItem *
find_left (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->left.display);
  int at = source != NULL && self->sources != NULL
    ? es_compare_sources_find (self->sources, es_plane_source_get_data (source)) : -1;

  return at >= 0 ? g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at) : NULL;
}

/* The components of the newest other result of the same data set; -1: there is none. */
static int
find_other_result (EsViewer *self)
{
  EsResult *newest = NULL;
  int found = -1;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->sources)); i++)
    {
      g_autoptr (EsCompareItem) item = g_list_model_get_item (G_LIST_MODEL (self->sources), i);
      EsResult *result = es_compare_item_get_result (item);

      /* The first stack of a result are its components. */
      if (result == NULL || result == self->result || result == newest
          || es_compare_item_get_dataset (item) != self->dataset || es_result_get_operation (result)->of_result)
        continue;
      newest = result;
      found = (int) i;
    }
  return found;
}

/* The truth; then another result, as two methods are to be matched; then what is beside a picture by default. */
static EsCompareItem *
find_right (EsViewer *self)
{
  EsDataset *truth;
  int at;

  if (_es_viewer_is_comparing (self) && self->beside != NULL)
    return g_object_ref (self->beside);
  truth = self->dataset != NULL ? es_compare_sources_get_truth (self->sources, self->dataset) : NULL;
  at = truth != NULL ? es_compare_sources_find (self->sources, G_OBJECT (truth))
       : self->result != NULL ? find_other_result (self) : -1;
  if (at < 0)
    at = es_compare_sources_find_partner (self->sources, self->dataset, self->result);
  return at >= 0 ? g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at) : NULL;
}

static void
compute (EsViewer *self)
{
  g_autoptr (EsCompareItem) left = find_left (self);
  g_autoptr (EsCompareItem) right = left != NULL ? find_right (self) : NULL;
  g_autofree char *why = NULL;

  if (left == NULL || right == NULL)
    return;
  if (!es_compare_can_pair (es_compare_item_get_source (left), es_compare_item_get_source (right), &why))
    {
      es_export_report (GTK_WIDGET (self), why);
      return;
    }
  g_set_object (&self->correlated, right);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), PAGE);
  es_match_view_compute (self->matches, es_plane_source_get_data (es_compare_item_get_source (left)),
                         es_compare_item_get_title (left),
                         es_plane_source_get_data (es_compare_item_get_source (right)),
                         es_compare_item_get_title (right));
}

void
_es_viewer_toggle_correlations (EsViewer *self)
{
  if (is_shown (self))
    {
      es_match_view_cancel (self->matches);
      gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
    }
  else
    {
      compute (self);
    }
}

void
_es_viewer_right_changed (EsViewer *self)
{
  if (is_shown (self) && self->beside != NULL && self->beside != self->correlated)
    compute (self);
}

static void
on_pair (EsViewer *self, guint row, guint column)
{
  GObject *data = self->correlated != NULL
    ? es_plane_source_get_data (es_compare_item_get_source (self->correlated)) : NULL;

  if (data == NULL)
    return;
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
  es_display_show_plane (self->left.display, row);
  es_viewer_show_beside (self, data, column);
}

/* ---- the truth ---- */

static void
on_truth (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsViewer) self = data;
  g_autoptr (EsDataset) truth = es_dataset_open_truth_finish (result, NULL);

  /* One that cannot be read is not offered: nobody has asked for it. */
  if (truth != NULL && self->sources != NULL)
    es_compare_sources_set_truth (self->sources, ES_DATASET (source), truth);
}

void
_es_viewer_find_truth (EsViewer *self)
{
  if (self->sources != NULL && ES_IS_CUBE (self->dataset)
      && es_compare_sources_get_truth (self->sources, self->dataset) == NULL)
    es_dataset_open_truth_async (self->dataset, self->cancellable, on_truth, g_object_ref (self));
}

void
_es_viewer_add_correlations (EsViewer *self)
{
  self->matches = ES_MATCH_VIEW (es_match_view_new ());
  gtk_stack_add_named (GTK_STACK (self->pages), GTK_WIDGET (self->matches), PAGE);
  g_signal_connect_object (self->matches, "pair-activated", G_CALLBACK (on_pair), self, G_CONNECT_SWAPPED);
}
