/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sections of the inspector that judge a reduction, and those of regions. */

#include "es-inspector-private.h"

#include <glib/gi18n-lib.h>

#include "charts/es-curve-plot.h"
#include "charts/es-plot-zoom.h"
#include "session/es-judgement.h"

/* ---- what is judged ---- */

EsResult *
es_inspector_get_judged (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);
  return self->judged;
}

static void
update_details (EsInspector *self)
{
  g_autofree char *used = es_components_pane_describe (self->components);
  g_autofree char *rmse = es_reconstruction_pane_describe (self->reconstruction);

  es_section_set_detail (self->sections[SECTION_COMPONENTS], used);
  es_section_set_detail (self->sections[SECTION_RECONSTRUCTION], rmse);
}

static void
show_convergence (EsInspector *self, EsCurve *curve)
{
  GtkWidget *old = gtk_widget_get_first_child (self->convergence), *view;

  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_CONVERGENCE]), curve != NULL);
  if (old != NULL)
    gtk_box_remove (GTK_BOX (self->convergence), old);
  g_clear_object (&self->convergence_plot);
  if (curve == NULL)
    return;
  self->convergence_plot = es_curve_plot_new (curve);
  view = es_plot_view_new (self->convergence_plot, 170);
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (self->convergence), view);
}

/* How well an embedding keeps what lies beside what. */
static void
show_embedding (EsInspector *self)
{
  EsLayer *layer = self->judged != NULL ? es_result_find_layer (self->judged, "quality") : NULL;
  g_autofree char *detail = NULL;

  es_embedding_pane_set_table (self->embedding, layer != NULL && ES_IS_TABLE (layer) ? ES_TABLE (layer) : NULL);
  detail = es_embedding_pane_describe (self->embedding);
  es_section_set_detail (self->sections[SECTION_EMBEDDING], detail);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_EMBEDDING]), detail != NULL);
}

static void
show_reconstruction (EsInspector *self)
{
  EsJudgement *judgement = self->judged != NULL ? es_judgement_of (self->judged) : NULL;

  es_reconstruction_pane_set_result (self->reconstruction,
                                     judgement != NULL ? es_judgement_get_reconstruction (judgement) : NULL);
  es_reconstruction_pane_set_busy (self->reconstruction, judgement != NULL && es_judgement_is_busy (judgement));
  update_details (self);
}

void
_es_inspector_planes_changed (EsInspector *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  EsLayer *layer = self->judged != NULL ? es_result_find_layer (self->judged, "components") : NULL;

  es_components_pane_set_shown (self->components,
                                source != NULL && layer != NULL
                                && es_plane_source_get_data (source) == G_OBJECT (layer)
                                ? es_display_get_plane (self->display) : G_MAXUINT);
}

void
_es_inspector_source_changed (EsInspector *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_SCATTER]), es_scatter_view_can_show (self->scatter));
  _es_inspector_planes_changed (self);
}

void
_es_inspector_judge (EsInspector *self)
{
  g_set_object (&self->judged, es_judgement_find_judged (self->result));
  g_signal_group_set_target (self->result_signals, self->result != NULL ? es_judgement_of (self->result) : NULL);
  g_signal_group_set_target (self->judged_signals, self->judged != NULL ? es_judgement_of (self->judged) : NULL);
  es_components_pane_set_result (self->components, self->judged);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_COMPONENTS]),
                          es_components_pane_get_result (self->components) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_RECONSTRUCTION]),
                          self->judged != NULL && es_result_get_model (self->judged) != NULL);
  show_convergence (self, _es_inspector_find_curve (self->judged, "convergence"));
  show_embedding (self);
  show_reconstruction (self);
  _es_inspector_planes_changed (self);
}

/* What is shown may be a reconstruction of another one now. */
static void
on_source_changed (EsInspector *self)
{
  if (es_judgement_find_judged (self->result) != self->judged)
    es_inspector_set_result (self, self->result);
}

/* ---- the person ---- */

static void
on_kept_changed (EsInspector *self)
{
  update_details (self);
  /* Rejecting a component is a question about what is lost with it. */
  if (self->judged != NULL && es_result_get_model (self->judged) != NULL)
    _es_inspector_ask_reconstruction (self);
}

static void
on_component_chosen (EsInspector *self, guint plane)
{
  EsLayer *layer = self->judged != NULL ? es_result_find_layer (self->judged, "components") : NULL;
  EsPlaneSource *source = es_display_get_source (self->display);

  if (layer == NULL)
    return;
  if (source != NULL && es_plane_source_get_data (source) == G_OBJECT (layer))
    es_display_show_plane (self->display, plane);
  else
    _es_inspector_show_layer (self, self->judged, layer, plane);
}

static void
on_show_map (EsInspector *self, EsLayer *layer, guint plane)
{
  EsResult *reconstruction = es_reconstruction_pane_get_result (self->reconstruction);

  if (reconstruction != NULL)
    _es_inspector_show_layer (self, reconstruction, layer, plane);
}

static void
on_classes_changed (EsInspector *self)
{
  g_autofree char *detail = es_region_pane_describe (self->classes);

  es_section_set_detail (self->sections[SECTION_CLASSES], detail);
  gtk_widget_set_visible (GTK_WIDGET (self->sections[SECTION_CLASSES]),
                          es_region_control_get_cube (self->control) != NULL);
  /* A selection that nobody sees what to do with is none. */
  if (es_region_control_get_selection (self->control) != NULL)
    es_section_set_expanded (self->sections[SECTION_CLASSES], TRUE);
}

static void
on_scatter_detail (EsInspector *self)
{
  es_section_set_detail (self->sections[SECTION_SCATTER], es_scatter_view_get_detail (self->scatter));
}

void
es_inspector_set_region_uses (EsInspector *self, const char *const *keys, const char *const *labels)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));
  es_region_pane_set_uses (self->classes, keys, labels);
}

void
es_inspector_set_image_view (EsInspector *self, EsImageView *image)
{
  g_return_if_fail (ES_IS_INSPECTOR (self));
  g_return_if_fail (ES_IS_IMAGE_VIEW (image));

  es_region_control_set_image (self->control, image);
  es_profile_pane_set_image (self->profile, image);
  g_signal_connect_object (image, "line-drawn", G_CALLBACK (_es_inspector_line_drawn), self, G_CONNECT_SWAPPED);
}

/* With more room there are more cells. */
static void
on_places (EsInspector *self)
{
  es_scatter_view_set_detached (self->scatter, es_section_places_get (self->places, self->sections[SECTION_SCATTER])
                                               != ES_SECTION_IN_COLUMN);
}

/* ---- making ---- */

void
_es_inspector_add_regions (EsInspector *self, GtkWidget *column)
{
  self->classes = ES_REGION_PANE (es_region_pane_new (self->control));
  _es_inspector_add_section (self, column, SECTION_CLASSES, "classes", _("Regions and Classes"),
                             GTK_WIDGET (self->classes));
  self->scatter = ES_SCATTER_VIEW (es_scatter_view_new (self->display, self->control));
  _es_inspector_add_section (self, column, SECTION_SCATTER, "scatter", _("Scatter Plot"), GTK_WIDGET (self->scatter));

  g_signal_connect_object (self->control, "changed", G_CALLBACK (on_classes_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->classes, "noise-region", G_CALLBACK (_es_inspector_use_as_noise), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->classes, "use-region", G_CALLBACK (_es_inspector_use_region), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->classes, "open-classes", G_CALLBACK (_es_inspector_open_classes), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->scatter, "notify::detail", G_CALLBACK (on_scatter_detail), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->places, "changed", G_CALLBACK (on_places), self, G_CONNECT_SWAPPED);
}

void
_es_inspector_add_quality (EsInspector *self, GtkWidget *column)
{
  self->components = ES_COMPONENTS_PANE (es_components_pane_new ());
  _es_inspector_add_section (self, column, SECTION_COMPONENTS, "components", _("Components"),
                             GTK_WIDGET (self->components));
  self->reconstruction = ES_RECONSTRUCTION_PANE (es_reconstruction_pane_new ());
  _es_inspector_add_section (self, column, SECTION_RECONSTRUCTION, "reconstruction", _("Reconstruction"),
                             GTK_WIDGET (self->reconstruction));
  self->convergence = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  _es_inspector_add_section (self, column, SECTION_CONVERGENCE, "convergence", _("Convergence"), self->convergence);
  self->embedding = ES_EMBEDDING_PANE (es_embedding_pane_new ());
  _es_inspector_add_section (self, column, SECTION_EMBEDDING, "embedding", _("Embedding"),
                             GTK_WIDGET (self->embedding));

  self->result_signals = g_signal_group_new (ES_TYPE_JUDGEMENT);
  g_signal_group_connect_swapped (self->result_signals, "source-changed", G_CALLBACK (on_source_changed), self);
  self->judged_signals = g_signal_group_new (ES_TYPE_JUDGEMENT);
  g_signal_group_connect_swapped (self->judged_signals, "reconstruction-changed", G_CALLBACK (show_reconstruction),
                                  self);
  g_signal_connect_object (self->components, "kept-changed", G_CALLBACK (on_kept_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->components, "chosen", G_CALLBACK (on_component_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->reconstruction, "compute", G_CALLBACK (_es_inspector_ask_reconstruction), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->reconstruction, "show-layer", G_CALLBACK (on_show_map), self, G_CONNECT_SWAPPED);
}

void
_es_inspector_drop_quality (EsInspector *self)
{
  g_clear_object (&self->convergence_plot);
  g_clear_object (&self->result_signals);
  g_clear_object (&self->judged_signals);
  g_clear_object (&self->judged);
  g_clear_object (&self->control);
}

void
_es_inspector_foreach_quality_plot (EsInspector *self, EsInspectorPlotFunc each, gpointer data)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->sections[SECTION_SCATTER]))
      && es_scatter_view_get_detail (self->scatter) != NULL)
    each ("scatter", es_scatter_view_get_plot (self->scatter), data);
  if (es_plot_get_n_series (es_reconstruction_pane_get_plot (self->reconstruction)) > 0)
    each ("band-error", es_reconstruction_pane_get_plot (self->reconstruction), data);
  if (self->convergence_plot != NULL)
    each ("convergence", self->convergence_plot, data);
}
