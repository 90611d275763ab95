/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-found.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-curve-plot.h"
#include "charts/es-matrix-view.h"
#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "charts/es-table-view.h"
#include "es-matrix-cards.h"
#include "es-matrix-products.h"
#include "es-matrix-residual.h"
#include "lab/parts/es-lab-cards.h"
#include "lab/parts/es-lab-text.h"
#include "lab/parts/es-verdict-view.h"

#define PLOT_HEIGHT 380
#define TABLE_HEIGHT 480
#define LEAST_TEXT 48              /* characters of a processor's name, where something was solved */

typedef struct
{
  GtkBox         *column;
  EsSparseMatrix *matrix;
  EsResult       *result;
  GHashTable     *places;
} Found;

static void
add_verdict (const Found *found, gboolean meaning)
{
  EsVerdict *verdict = es_lab_find_verdict (found->result);
  GtkWidget *view = verdict != NULL ? es_verdict_view_new (verdict, meaning) : NULL, *card;

  if (view == NULL)
    return;
  card = es_matrix_card_new (meaning ? _("What it means for Eigenscope") : _("What was found"), view, TRUE);
  if (meaning)
    gtk_widget_add_css_class (gtk_widget_get_last_child (card), "es-meaning");
  if (!g_hash_table_contains (found->places, verdict))
    g_hash_table_insert (found->places, verdict, card);
  gtk_box_append (found->column, card);
}

/* What a residual had to reach; NAN: nothing that is told. */
static double
get_tolerance (const Found *found)
{
  EsParams *params = es_result_get_params (found->result);
  const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (params), "tolerance");

  return spec != NULL && spec->type == ES_PARAM_FLOAT ? es_params_get_float (params, "tolerance") : NAN;
}

static GtkWidget *
make_curve (const Found *found, EsCurve *curve)
{
  const gboolean is_residual = g_strcmp0 (es_curve_get_role (curve), "residual") == 0;
  g_autoptr (EsPlot) plot = is_residual ? es_matrix_residual_plot_new (curve, get_tolerance (found))
                                        : es_curve_plot_new (curve);
  GtkWidget *view = es_plot_view_new (plot, PLOT_HEIGHT);

  es_plot_set_caption (plot, es_layer_get_title (ES_LAYER (curve)),
                       es_dataset_get_name (ES_DATASET (found->matrix)));
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  return es_matrix_card_new (es_layer_get_title (ES_LAYER (curve)), view, FALSE);
}

static GtkWidget *
make_table (EsTable *table)
{
  GtkWidget *view = es_table_view_new (TABLE_HEIGHT);

  es_table_view_set_least_text (ES_TABLE_VIEW (view), LEAST_TEXT);
  es_table_view_set_table (ES_TABLE_VIEW (view), table);
  return es_matrix_card_new (es_layer_get_title (ES_LAYER (table)), view, FALSE);
}

static GtkWidget *
make_layer (const Found *found, EsLayer *layer)
{
  GtkWidget *view;

  switch (es_layer_get_kind (layer))
    {
    case ES_LAYER_CURVE:
      return make_curve (found, ES_CURVE (layer));
    case ES_LAYER_TABLE:
      return make_table (ES_TABLE (layer));
    case ES_LAYER_MATRIX:
      view = es_matrix_view_new ();
      es_matrix_view_set_matrix (ES_MATRIX_VIEW (view), ES_MATRIX (layer));
      gtk_widget_set_vexpand (view, FALSE);
      return es_matrix_card_new (es_layer_get_title (layer), view, FALSE);
    case ES_LAYER_FIELD:
    case ES_LAYER_WATERFALL:
    case ES_LAYER_IMAGE_STACK:
    case ES_LAYER_VERDICT:
    default:
      return NULL;
    }
}

void
es_matrix_found_add (GtkBox *column, EsSparseMatrix *matrix, EsResult *result, GHashTable *places)
{
  const Found found = { column, matrix, result, places };
  GListModel *layers = es_result_get_layers (result);

  GtkWidget *bars = es_matrix_products_new (result);

  add_verdict (&found, FALSE);
  if (bars != NULL)
    gtk_box_append (column, es_matrix_card_new (_("Formats beside each other"), bars, TRUE));
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      GtkWidget *widget = make_layer (&found, layer);

      if (widget == NULL)
        continue;
      gtk_box_append (column, widget);
      g_hash_table_insert (places, layer, widget);
    }
  add_verdict (&found, TRUE);
}
