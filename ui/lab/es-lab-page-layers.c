/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What an experiment found on its page, layer after layer, and other machines beside it. */

#include "es-lab-page-private.h"

#include <glib/gi18n-lib.h>

#include "charts/es-matrix-view.h"
#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "charts/es-table-view.h"
#include "lab/es-profile-table.h"
#include "lab/parts/es-lab-cards.h"
#include "lab/parts/es-lab-curve.h"
#include "lab/parts/es-lab-map.h"
#include "lab/parts/es-lab-picture.h"
#include "lab/parts/es-lab-spans.h"

#define PLOT_HEIGHT 380
#define TABLE_HEIGHT 420
#define LEAST_TEXT 34              /* characters of a formula */
#define PICTURE_HEIGHT 520

static GtkWidget *
make_curve (EsLabPage *self, EsCurve *curve, GPtrArray *others)
{
  g_autoptr (EsPlot) plot = es_lab_curve_plot_new (curve, es_result_get_operation (self->result)->id, others);
  GtkWidget *view = es_plot_view_new (plot, PLOT_HEIGHT);

  es_plot_set_caption (plot, es_layer_get_title (ES_LAYER (curve)), es_dataset_get_name (ES_DATASET (self->machine)));
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  return es_lab_card_new (es_layer_get_title (ES_LAYER (curve)), view, FALSE);
}

/* What happened when is drawn first, and can be read below. */
static GtkWidget *
make_table (EsTable *table)
{
  GtkWidget *view = es_table_view_new (TABLE_HEIGHT), *card;

  es_table_view_set_least_text (ES_TABLE_VIEW (view), LEAST_TEXT);
  es_table_view_set_table (ES_TABLE_VIEW (view), table);
  if (!es_lab_spans_is (table))
    return es_lab_card_new (es_layer_get_title (ES_LAYER (table)), view, FALSE);
  card = es_lab_card_new (es_layer_get_title (ES_LAYER (table)), es_lab_spans_new (table), TRUE);
  GtkWidget *expander = gtk_expander_new (_("As a table"));
  gtk_expander_set_child (GTK_EXPANDER (expander), view);
  gtk_box_append (GTK_BOX (card), expander);
  return card;
}

/* A picture of a plane of numbers, whose middle and width were told. */
static gboolean
can_zoom (EsLabPage *self)
{
  const EsParamSpec *specs = es_result_get_operation (self->result)->params;
  guint n = 0;

  for (guint i = 0; specs[i].type != ES_PARAM_END; i++)
    n += g_str_equal (specs[i].key, "x") || g_str_equal (specs[i].key, "y") || g_str_equal (specs[i].key, "width");
  return n == 3;
}

static GtkWidget *
make_layer (EsLabPage *self, EsLayer *layer, GPtrArray *others)
{
  GtkWidget *view;

  switch (es_layer_get_kind (layer))
    {
    case ES_LAYER_CURVE:
      return make_curve (self, ES_CURVE (layer), others);
    case ES_LAYER_TABLE:
      return make_table (ES_TABLE (layer));
    case ES_LAYER_MATRIX:
      view = es_matrix_view_new ();
      es_matrix_view_set_matrix (ES_MATRIX_VIEW (view), ES_MATRIX (layer));
      gtk_widget_set_vexpand (view, FALSE);
      return es_lab_card_new (es_layer_get_title (layer), view, FALSE);
    case ES_LAYER_FIELD:
    case ES_LAYER_WATERFALL:
      return es_lab_card_new (es_layer_get_title (layer), es_lab_map_new (ES_FIELD (layer), PLOT_HEIGHT), FALSE);
    case ES_LAYER_IMAGE_STACK:
      view = es_lab_picture_new (ES_IMAGE_STACK (layer), PICTURE_HEIGHT, can_zoom (self));
      return view != NULL ? es_lab_card_new (es_layer_get_title (layer), view, FALSE) : NULL;
    case ES_LAYER_VERDICT:
    default:
      return NULL;
    }
}

/* The roofline is drawn with the ladder. */
static gboolean
is_with_ladder (EsLabPage *self, EsLayer *layer)
{
  return _es_lab_page_get_ladder (self) != NULL && g_str_equal (es_layer_get_name (layer), "roofline");
}

void
_es_lab_page_add_layers (EsLabPage *self)
{
  GListModel *layers = es_result_get_layers (self->result);
  g_autoptr (GPtrArray) others = es_lab_profiles_list (self->profiles);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      GtkWidget *widget = is_with_ladder (self, layer) ? NULL : make_layer (self, layer, others);

      if (widget == NULL)
        continue;
      if (_es_lab_page_get_ladder (self) != NULL)
        g_ptr_array_add (self->telling, widget);
      gtk_box_append (GTK_BOX (self->column), widget);
      g_hash_table_insert (self->places, layer, widget);
    }
}

/* ---- other machines ---- */

/* The title of the layer that shows the same of this machine. */
static const char *
get_group_title (EsLabPage *self, const char *group)
{
  EsLayer *layer = es_result_find_layer (self->result, group);

  return layer != NULL ? es_layer_get_title (layer) : es_result_get_title (self->result);
}

/* What of the machines that are compared with no curve shows, in the place for it. */
static void
fill_beside (EsLabPage *self, GPtrArray *others)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autoptr (EsDeviceProfile) own = NULL;
  g_auto (GStrv) groups = NULL;
  const char *id = es_result_get_operation (self->result)->id;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->beside)) != NULL)
    gtk_box_remove (GTK_BOX (self->beside), child);
  g_ptr_array_add (results, self->result);
  if (others->len > 0)
    own = es_device_profile_new (results);
  if (own != NULL)
    groups = es_profile_table_groups (own, id, others);
  for (guint i = 0; groups != NULL && groups[i] != NULL; i++)
    {
      /* TRANSLATORS: the heading of a table of several machines: "Starting work, beside other machines" */
      g_autofree char *title = g_strdup_printf (_("%s, beside other machines"), get_group_title (self, groups[i]));
      g_autoptr (EsTable) table = es_profile_table_new (own, id, groups[i], title, others);

      if (table != NULL)
        gtk_box_append (GTK_BOX (self->beside), make_table (table));
    }
  gtk_widget_set_visible (self->beside, gtk_widget_get_first_child (self->beside) != NULL);
}

void
_es_lab_page_add_beside (EsLabPage *self)
{
  g_autoptr (GPtrArray) others = es_lab_profiles_list (self->profiles);

  self->beside = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_box_append (GTK_BOX (self->column), self->beside);
  fill_beside (self, others);
}

void
_es_lab_page_compare (EsLabPage *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->page));
  const double at = gtk_adjustment_get_value (adjustment);

  /* The popover that chose them belongs to what would be made anew. */
  if (self->result == NULL || es_result_is_absent (self->result) || _es_lab_page_get_ladder (self) != NULL)
    return;
  g_autoptr (GPtrArray) others = es_lab_profiles_list (self->profiles);
  GListModel *layers = es_result_get_layers (self->result);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      GtkWidget *old = g_hash_table_lookup (self->places, layer), *widget;

      if (!ES_IS_CURVE (layer) || old == NULL)
        continue;
      widget = make_curve (self, ES_CURVE (layer), others);
      gtk_box_insert_child_after (GTK_BOX (self->column), widget, old);
      gtk_box_remove (GTK_BOX (self->column), old);
      g_hash_table_insert (self->places, layer, widget);
    }
  fill_beside (self, others);
  gtk_adjustment_set_value (adjustment, at);
}
