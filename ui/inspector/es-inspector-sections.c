/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the sections show: of a data set, of a result, of a place in the picture, and of each other. */

#include "es-inspector-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "cube/es-cube-classes.h"

/* Milliseconds, and some more than a section takes. */
#define UNFOLDING 400

EsCurve *
_es_inspector_find_curve (EsResult *result, const char *role)
{
  GListModel *layers = result != NULL ? es_result_get_layers (result) : NULL;

  for (guint i = 0; layers != NULL && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_CURVE (layer) && g_strcmp0 (es_curve_get_role (ES_CURVE (layer)), role) == 0)
        return ES_CURVE (layer);
    }
  return NULL;
}

/* How many planes the stack has that the threshold decides about. */
static guint
count_planes (EsResult *result)
{
  GListModel *layers = result != NULL ? es_result_get_layers (result) : NULL;

  for (guint i = 0; layers != NULL && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (ES_IS_IMAGE_STACK (layer))
        return es_image_stack_get_planes (ES_IMAGE_STACK (layer));
    }
  return 0;
}

static void
update_placeholders (EsInspector *self)
{
  gboolean no_spectrum = es_spectrum_pane_is_empty (self->spectrum);
  gboolean no_values = es_values_pane_is_empty (self->values);

  /* Once there has been one its place stays, or what is below would jump under the pointer that leaves the picture. */
  self->spectrum_seen |= !no_spectrum;
  es_section_set_placeholder (self->sections[SECTION_SPECTRUM],
                              self->spectrum_seen ? NULL : _("Click a pixel to see its spectrum."));
  es_section_set_placeholder (self->sections[SECTION_VALUES],
                              no_values ? _("Click a pixel to see its values.") : NULL);
}

static void
update_scree (EsInspector *self)
{
  EsCurve *curve = _es_inspector_find_curve (self->judged, "scree");
  const EsParamSpec *spec = NULL;
  g_autofree char *detail = NULL;

  if (curve != NULL && es_curve_get_threshold_key (curve) != NULL)
    spec = es_param_specs_find (es_result_get_operation (self->judged)->params,
                                es_curve_get_threshold_key (curve));
  es_scree_pane_set_curve (self->scree, curve, count_planes (self->judged), spec != NULL ? spec->minimum : 0,
                           spec != NULL ? spec->maximum : 1);
  detail = es_scree_pane_describe (self->scree);
  es_section_set_detail (self->sections[SECTION_EIGENVALUES], detail);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_EIGENVALUES]), curve != NULL);
}

static gboolean
shows_stack (EsInspector *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  return source != NULL && es_plane_source_get_stack (source) != NULL;
}

static void
update_loadings (EsInspector *self)
{
  /* A map of errors has none, though what it was made of is judged. */
  EsCurve *curve = shows_stack (self) && self->judged == self->result ? self->loadings_curve : NULL;
  guint plane = es_display_get_plane (self->display);
  const EsCurveSeries *series;
  g_autofree char *title = NULL;

  es_plot_clear (self->loadings);
  if (curve == NULL)
    es_plot_zoom_reset (ES_PLOT_VIEW (self->loadings_view));
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_LOADINGS]), curve != NULL);
  if (curve == NULL)
    return;
  if (plane >= es_curve_get_n_series (curve))
    {
      es_section_set_detail (self->sections[SECTION_LOADINGS], NULL);
      es_section_set_placeholder (self->sections[SECTION_LOADINGS], _("What is shown has no loadings."));
      return;
    }

  series = es_curve_get_series (curve, plane);
  title = g_strdup_printf (_("Loadings of %s"), series->title);
  es_plot_set_title (self->loadings, title);
  es_plot_set_x_axis (self->loadings, es_curve_get_x_title (curve), es_curve_get_x_unit (curve));
  es_plot_set_y_axis (self->loadings, _("Loading"), series->unit, es_curve_get_log_y (curve));
  es_plot_add_series (self->loadings, series->title, ES_PLOT_LINE, FALSE, es_curve_get_length (curve),
                      es_curve_get_x (curve), series->y);
  es_section_set_detail (self->sections[SECTION_LOADINGS], series->title);
  es_section_set_placeholder (self->sections[SECTION_LOADINGS], NULL);
}

static void
update_steps (EsInspector *self)
{
  es_steps_view_set_result (self->steps, self->result);
  if (self->result != NULL)
    {
      double total = es_result_get_total_ms (self->result);
      g_autofree char *detail = total < 1000 ? g_strdup_printf (_("%.0f ms"), total)
                                             : g_strdup_printf (_("%.2f s"), total / 1000);

      es_section_set_detail (self->sections[SECTION_STEPS], detail);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_STEPS]), self->result != NULL);
}

static void
on_source_changed (EsInspector *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  /* Numbers of classes have no distribution to be stretched. */
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_HISTOGRAM]),
                          source != NULL && es_plane_source_get_classes (source) == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_PROFILE]),
                          source != NULL && es_plane_source_get_classes (source) == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_VALUES]), shows_stack (self));
  update_loadings (self);
  _es_inspector_source_changed (self);
}

static void
update_legend (EsInspector *self, EsCube *cube)
{
  g_autofree char *detail = NULL;

  es_class_legend_set_cube (self->legend, cube);
  detail = es_class_legend_describe (self->legend);
  es_section_set_detail (self->sections[SECTION_LEGEND], detail);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_LEGEND]), detail != NULL);
}

/* ---- what is shown in them ---- */

void
es_inspector_set_dataset (EsInspector *self, EsDataset *dataset)
{
  EsCube *cube = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;

  g_return_if_fail (ES_IS_INSPECTOR (self));

  if (g_set_object (&self->dataset, dataset))
    self->spectrum_seen = FALSE;
  es_spectrum_pane_set_cube (self->spectrum, cube);
  /* One value is no spectrum: the status line has it. */
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_SPECTRUM]), cube != NULL && es_cube_get_bands (cube) > 1);
  update_legend (self, cube);
  es_region_control_set_dataset (self->control, dataset);
  es_selection_pane_set_cube (self->selection, cube);
  es_profile_pane_set_cube (self->profile, cube);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_SELECTION]),
                          cube != NULL && es_cube_get_classes (cube) == NULL);
  update_placeholders (self);
}

void
es_inspector_set_result (EsInspector *self, EsResult *result)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));

  g_set_object (&self->result, result);
  _es_inspector_judge (self);
  g_set_object (&self->loadings_curve, _es_inspector_find_curve (self->judged, "loadings"));
  update_scree (self);
  update_loadings (self);
  update_steps (self);
}

void
es_inspector_set_selected (EsInspector *self, gboolean any, guint x, guint y)
{
  g_autofree char *detail = any ? g_strdup_printf (_("x %u  y %u"), x, y) : NULL;

  g_return_if_fail (ES_IS_INSPECTOR (self));

  es_spectrum_pane_set_selected (self->spectrum, any, x, y);
  es_values_pane_set_selected (self->values, any, x, y);
  es_profile_pane_set_selected (self->profile, any, x, y);
  es_section_set_detail (self->sections[SECTION_SPECTRUM], detail);
  es_section_set_detail (self->sections[SECTION_VALUES], detail);
}

void
es_inspector_set_hovered (EsInspector *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));

  es_profile_pane_set_hovered (self->profile, any, x, y);
  /* A folded section, or a folded column, reads nothing. */
  any = any && es_section_is_seen (self->sections[SECTION_SPECTRUM]);
  es_spectrum_pane_set_hovered (self->spectrum, any, x, y);
}

gboolean
es_inspector_is_loading (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), FALSE);
  return es_spectrum_pane_is_loading (self->spectrum) || es_profile_pane_is_loading (self->profile)
         || es_values_pane_is_loading (self->values) || es_class_legend_is_busy (self->legend)
         || es_scatter_view_is_loading (self->scatter) || es_components_pane_is_loading (self->components);
}

void
es_inspector_foreach_plot (EsInspector *self, EsInspectorPlotFunc each, gpointer data)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));

  if (self->dataset != NULL && !es_spectrum_pane_is_empty (self->spectrum))
    each ("spectrum", es_spectrum_pane_get_plot (self->spectrum), data);
  if (es_profile_pane_get_profile (self->profile) != NULL
      && es_section_get_expanded (self->sections[SECTION_PROFILE]))
    each ("profile", es_profile_pane_get_plot (self->profile), data);
  if (es_scree_pane_get_curve (self->scree) != NULL)
    each ("eigenvalues", es_scree_pane_get_plot (self->scree), data);
  if (es_plot_get_n_series (self->loadings) > 0)
    each ("loadings", self->loadings, data);
  _es_inspector_foreach_quality_plot (self, each, data);
}

/* ---- one section and another ---- */

static void
on_selection_changed (EsInspector *self)
{
  g_autofree char *detail = es_selection_pane_describe (self->selection);

  es_section_set_detail (self->sections[SECTION_SELECTION], detail);
  es_spectrum_pane_unmark (self->spectrum);
}

static void
on_profile_changed (EsInspector *self)
{
  g_autofree char *detail = es_profile_pane_describe (self->profile);

  es_section_set_detail (self->sections[SECTION_PROFILE], detail);
}

/* Once it has unfolded: what was asked for is to be seen, and nothing else moves for it where it is seen already. */
static gboolean
bring_profile (gpointer data)
{
  EsInspector *self = data;
  GtkWidget *section = GTK_WIDGET (self->sections[SECTION_PROFILE]);
  /* Of its column; where it is large or in a window it is seen. */
  GtkWidget *scroller = section != NULL ? gtk_widget_get_ancestor (section, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  graphene_rect_t box;

  if (scroller != NULL && gtk_widget_compute_bounds (section, scroller, &box))
    {
      GtkAdjustment *scrolled = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
      const double top = box.origin.y, below = top + box.size.height - gtk_widget_get_height (scroller);

      if (top < 0 || below > 0)
        gtk_adjustment_set_value (scrolled, gtk_adjustment_get_value (scrolled) + (top < 0 ? top : MIN (top, below)));
    }
  return G_SOURCE_REMOVE;
}

static void
show_profile (EsInspector *self)
{
  es_section_set_expanded (self->sections[SECTION_PROFILE], TRUE);
  g_timeout_add_full (G_PRIORITY_DEFAULT, UNFOLDING, bring_profile, g_object_ref (self), g_object_unref);
}

/* A line that was drawn is one whose profile is wanted. */
void
_es_inspector_line_drawn (EsInspector *self)
{
  show_profile (self);
}

void
es_inspector_show_profile (EsInspector *self, EsProfileKind kind)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));

  es_profile_pane_set_kind (self->profile, kind);
  show_profile (self);
}

void
es_inspector_choose_part (EsInspector *self, const char *action, GVariant *parameter)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));

  gtk_widget_activate_action_variant (GTK_WIDGET (self->selection), action, parameter);
  es_section_set_expanded (self->sections[SECTION_SELECTION], TRUE);
}

EsProfilePane *
es_inspector_get_profile (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);
  return self->profile;
}

/* Bands are marked in the spectrum: what becomes of them is asked where it is told. */
static void
on_band_selected (EsInspector *self, double from, double to)
{
  es_selection_pane_offer (self->selection, from, to);
  if (!isnan (from) && !isnan (to))
    es_section_set_expanded (self->sections[SECTION_SELECTION], TRUE);
}

void
_es_inspector_connect_sections (EsInspector *self)
{
  g_signal_connect_object (self->spectrum, "notify::empty", G_CALLBACK (update_placeholders), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->profile, "changed", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spectrum, "band-selected", G_CALLBACK (on_band_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->values, "notify::empty", G_CALLBACK (update_placeholders), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->display, "planes-changed", G_CALLBACK (update_loadings), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->display, "planes-changed", G_CALLBACK (_es_inspector_planes_changed), self,
                           G_CONNECT_SWAPPED);
  update_placeholders (self);
  on_source_changed (self);
}
