/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-reconstruction-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube.h"
#include "layer/es-curve.h"
#include "widgets/es-format.h"
#include "layer/es-image-stack.h"
#include "charts/es-plot-zoom.h"

enum { RMSE, ANGLE, SNR, USED, N_TOTALS };
enum { MAP_RMSE, MAP_ANGLE, MAP_RESIDUAL, N_MAPS };

struct _EsReconstructionPane
{
  GtkWidget  parent_instance;

  /* children */
  GtkWidget *ask;                /* nothing yet: what it is, and the button that begins it */
  GtkWidget *compute;
  GtkWidget *found;              /* totals, plot, maps */
  GtkWidget *spinner;
  GtkLabel  *totals[N_TOTALS];
  GtkWidget *maps[N_MAPS];
  EsPlot    *plot;
  GtkWidget *view;

  EsResult  *result;
  gboolean   busy;
};

enum { COMPUTE, SHOW_LAYER, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsReconstructionPane, es_reconstruction_pane, GTK_TYPE_WIDGET)

/* ---- what has been found ---- */

static EsCurve *
find_band_error (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_CURVE (layer) && g_strcmp0 (es_curve_get_role (ES_CURVE (layer)), "band-error") == 0)
        return ES_CURVE (layer);
    }
  return NULL;
}

/* The stack of a map and its plane there. */
static EsLayer *
find_map (EsResult *result, guint map, guint *plane)
{
  EsLayer *layer = es_result_find_layer (result, map == MAP_RESIDUAL ? "residual" : "error");

  *plane = map == MAP_ANGLE ? 1 : 0;
  if (!ES_IS_IMAGE_STACK (layer) || *plane >= es_image_stack_get_planes (ES_IMAGE_STACK (layer)))
    return NULL;
  return layer;
}

static double
value_of (EsResult *result, const char *name)
{
  JsonObject *values = es_result_get_values (result);
  JsonNode *node = json_object_get_member (values, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;
}

/* How many components it is made of: a number, or the list of those. */
static int
count_used (EsResult *result)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), "components");

  if (node == NULL)
    return -1;
  return JSON_NODE_HOLDS_ARRAY (node) ? (int) json_array_get_length (json_node_get_array (node))
         : JSON_NODE_HOLDS_VALUE (node) ? (int) json_node_get_int (node) : -1;
}

static const char *
unit_of (EsResult *result)
{
  EsDataset *dataset = es_result_get_dataset (result);
  const char *unit = ES_IS_CUBE (dataset) ? es_cube_get_unit (ES_CUBE (dataset)) : NULL;

  return unit != NULL ? unit : "";
}

static char *
format_total (EsResult *result, guint which)
{
  double value = value_of (result, which == RMSE ? "rmse" : which == ANGLE ? "angle" : "snr_db");

  if (which == USED)
    {
      int used = count_used (result);

      return used < 0 ? g_strdup ("–") : g_strdup_printf ("%d", used);
    }
  if (!isfinite (value))
    return g_strdup (value > 0 ? "∞" : "–");
  if (which == RMSE)
    {
      g_autofree char *number = es_format_number (value, value);

      return g_strchomp (g_strdup_printf ("%s %s", number, unit_of (result)));
    }
  return which == ANGLE ? g_strdup_printf (_("%.3f°"), value) : g_strdup_printf (_("%.1f dB"), value);
}

static void
draw_bands (EsReconstructionPane *self, EsCurve *curve)
{
  gboolean right = FALSE;
  double most = -INFINITY, least = INFINITY;
  const EsCurveSeries *left = NULL, *other = NULL;

  es_plot_clear (self->plot);
  gtk_widget_set_visible (self->view, curve != NULL);
  if (curve == NULL)
    return;
  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      if (!series->right_axis)
        {
          left = left != NULL ? left : series;
          continue;
        }
      other = series;
      for (guint k = 0; k < es_curve_get_length (curve); k++)
        if (isfinite (series->y[k]))
          {
            right = TRUE;
            least = MIN (least, series->y[k]);
            most = MAX (most, series->y[k]);
          }
    }
  es_plot_set_title (self->plot, es_layer_get_title (ES_LAYER (curve)));
  es_plot_set_x_axis (self->plot, es_curve_get_x_title (curve), es_curve_get_x_unit (curve));
  if (left != NULL)
    es_plot_set_y_axis (self->plot, left->title, left->unit, es_curve_get_log_y (curve));
  if (right)
    {
      double low = floor (MIN (least, most - 1) / 10) * 10, high = ceil ((most + 0.5) / 10) * 10;

      es_plot_set_right_axis (self->plot, other->title, other->unit, low, high);
    }
  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      if (!series->right_axis || right)
        es_plot_add_series (self->plot, series->title, ES_PLOT_LINE, series->right_axis,
                            es_curve_get_length (curve), es_curve_get_x (curve), series->y);
    }
}

static void
update (EsReconstructionPane *self)
{
  gtk_widget_set_visible (self->ask, self->result == NULL);
  gtk_widget_set_visible (self->found, self->result != NULL);
  gtk_widget_set_sensitive (self->compute, !self->busy);
  gtk_widget_set_opacity (self->spinner, self->busy ? 1 : 0);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), self->busy);
  if (self->result == NULL)
    {
      es_plot_clear (self->plot);
      gtk_widget_set_visible (self->view, FALSE);
      return;
    }
  for (guint i = 0; i < N_TOTALS; i++)
    {
      g_autofree char *text = format_total (self->result, i);

      gtk_label_set_text (self->totals[i], text);
    }
  for (guint i = 0; i < N_MAPS; i++)
    {
      guint plane;

      gtk_widget_set_sensitive (self->maps[i], find_map (self->result, i, &plane) != NULL);
    }
  draw_bands (self, find_band_error (self->result));
}

void
es_reconstruction_pane_set_result (EsReconstructionPane *self, EsResult *reconstruction)
{
  g_return_if_fail (ES_IS_RECONSTRUCTION_PANE (self));

  if (g_set_object (&self->result, reconstruction))
    update (self);
}

EsResult *
es_reconstruction_pane_get_result (EsReconstructionPane *self)
{
  g_return_val_if_fail (ES_IS_RECONSTRUCTION_PANE (self), NULL);
  return self->result;
}

void
es_reconstruction_pane_set_busy (EsReconstructionPane *self, gboolean busy)
{
  g_return_if_fail (ES_IS_RECONSTRUCTION_PANE (self));

  if (self->busy == !!busy)
    return;
  self->busy = !!busy;
  gtk_widget_set_sensitive (self->compute, !self->busy);
  gtk_widget_set_opacity (self->spinner, self->busy ? 1 : 0);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), self->busy);
}

EsPlot *
es_reconstruction_pane_get_plot (EsReconstructionPane *self)
{
  g_return_val_if_fail (ES_IS_RECONSTRUCTION_PANE (self), NULL);
  return self->plot;
}

char *
es_reconstruction_pane_describe (EsReconstructionPane *self)
{
  g_autofree char *rmse = NULL;

  g_return_val_if_fail (ES_IS_RECONSTRUCTION_PANE (self), NULL);

  if (self->result == NULL)
    return NULL;
  rmse = format_total (self->result, RMSE);
  return g_strdup_printf (_("RMSE %s"), rmse);
}

/* ---- the widget ---- */

static void
on_compute (EsReconstructionPane *self)
{
  g_signal_emit (self, signals[COMPUTE], 0);
}

static void
on_map (EsReconstructionPane *self, GtkWidget *button)
{
  for (guint i = 0; i < N_MAPS; i++)
    {
      guint plane;
      EsLayer *layer = button == self->maps[i] && self->result != NULL ? find_map (self->result, i, &plane) : NULL;

      if (layer != NULL)
        g_signal_emit (self, signals[SHOW_LAYER], 0, layer, plane);
    }
}

static void
make_ask (EsReconstructionPane *self)
{
  GtkWidget *label = gtk_label_new (_("From the components back to spectra: what is lost where, and in which band."));

  self->ask = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  self->compute = gtk_button_new_with_mnemonic (_("_Reconstruct"));
  gtk_widget_set_halign (self->compute, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->compute, _("Compute it now; from then on it follows the switches and the "
                                                "threshold"));
  g_signal_connect_object (self->compute, "clicked", G_CALLBACK (on_compute), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->ask), label);
  gtk_box_append (GTK_BOX (self->ask), self->compute);
  gtk_widget_add_css_class (self->ask, "pane-margins");
  gtk_widget_set_parent (self->ask, GTK_WIDGET (self));
}

static GtkWidget *
make_totals (EsReconstructionPane *self)
{
  const char *names[N_TOTALS] = { _("RMSE"), _("Spectral angle"), _("SNR"), _("Components") };
  const char *tooltips[N_TOTALS] = {
    _("Root of the mean squared difference over all pixels and bands"),
    _("Mean angle between a spectrum and its reconstruction"),
    _("Power of the spectra over the power of what is lost"),
    _("Components that the reconstruction is made of"),
  };
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  for (guint i = 0; i < N_TOTALS; i++)
    {
      GtkWidget *name = gtk_label_new (names[i]), *value = gtk_label_new (NULL);
      int column = 2 * (int) (i % 2), row = (int) (i / 2);

      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_widget_add_css_class (name, "caption");
      gtk_widget_add_css_class (name, "dim-label");
      gtk_label_set_xalign (GTK_LABEL (value), 0);
      gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
      gtk_label_set_selectable (GTK_LABEL (value), TRUE);
      gtk_widget_set_focusable (value, FALSE);
      gtk_widget_set_hexpand (value, TRUE);
      gtk_widget_add_css_class (value, "caption");
      gtk_widget_add_css_class (value, "numeric");
      gtk_widget_set_tooltip_text (name, tooltips[i]);
      gtk_widget_set_tooltip_text (value, tooltips[i]);
      gtk_grid_attach (GTK_GRID (grid), name, column, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), value, column + 1, row, 1, 1);
      self->totals[i] = GTK_LABEL (value);
    }
  return grid;
}

static void
make_found (EsReconstructionPane *self)
{
  const char *names[N_MAPS] = { _("RMSE Map"), _("Angle Map"), _("Residual") };
  const char *tooltips[N_MAPS] = {
    _("Show the error of every pixel"), _("Show the spectral angle of every pixel, in degrees"),
    _("Show what is left over of every band: data minus reconstruction"),
  };
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->found = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (self->found), make_totals (self));
  gtk_widget_add_css_class (buttons, "linked");
  for (guint i = 0; i < N_MAPS; i++)
    {
      self->maps[i] = gtk_button_new_with_label (names[i]);
      gtk_widget_add_css_class (self->maps[i], "pane-button");
      gtk_widget_set_tooltip_text (self->maps[i], tooltips[i]);
      g_signal_connect_object (self->maps[i], "clicked", G_CALLBACK (on_map), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (buttons), self->maps[i]);
    }
  self->spinner = gtk_spinner_new ();
  gtk_box_append (GTK_BOX (row), buttons);
  gtk_box_append (GTK_BOX (row), self->spinner);
  gtk_box_append (GTK_BOX (self->found), row);
  gtk_widget_add_css_class (self->found, "pane-margins");
  gtk_widget_set_parent (self->found, GTK_WIDGET (self));

  self->view = es_plot_view_new (self->plot, 170);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_set_parent (self->view, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
es_reconstruction_pane_new (void)
{
  return g_object_new (ES_TYPE_RECONSTRUCTION_PANE, NULL);
}

static void
es_reconstruction_pane_dispose (GObject *object)
{
  EsReconstructionPane *self = ES_RECONSTRUCTION_PANE (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->plot);
  g_clear_object (&self->result);
  G_OBJECT_CLASS (es_reconstruction_pane_parent_class)->dispose (object);
}

static void
es_reconstruction_pane_class_init (EsReconstructionPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_reconstruction_pane_dispose;
  signals[COMPUTE] = g_signal_new ("compute", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[SHOW_LAYER] = g_signal_new ("show-layer", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 2, ES_TYPE_LAYER, G_TYPE_UINT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_reconstruction_pane_init (EsReconstructionPane *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->plot = es_plot_new ();
  make_ask (self);
  make_found (self);
  update (self);
}
