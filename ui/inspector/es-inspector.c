/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-inspector-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "histogram/es-histogram-view.h"
#include "charts/es-plot-view.h"
#include "cube/es-cube-classes.h"
#include "charts/es-plot-zoom.h"
#include "widgets/es-settings.h"

/* Milliseconds, and some more than a section takes. */
#define UNFOLDING 400

enum { PROP_0, PROP_FOLDED_SECTIONS, PROP_N_COLUMNS, N_PROPS };
enum { THRESHOLD_MOVED, RECONSTRUCT, SHOW_LAYER, NOISE_REGION, OPEN_CLASSES, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsInspector, es_inspector, GTK_TYPE_WIDGET)

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

/* ---- what each section shows ---- */

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

EsRegionControl *
es_inspector_get_control (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);
  return self->control;
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

/* ---- signals of the sections ---- */

static void
on_threshold_moved (EsInspector *self, double value, gboolean final)
{
  EsCurve *curve = es_scree_pane_get_curve (self->scree);
  g_autofree char *detail = es_scree_pane_describe (self->scree);

  es_section_set_detail (self->sections[SECTION_EIGENVALUES], detail);
  g_signal_emit (self, signals[THRESHOLD_MOVED], 0, es_curve_get_threshold_key (curve), value, final);
}

static void
on_expanded (EsInspector *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLDED_SECTIONS]);
}

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

/* ---- signals of the sections of es-inspector-quality.c ---- */

void
_es_inspector_ask_reconstruction (EsInspector *self)
{
  g_autofree char *components = es_components_pane_format (self->components);

  if (self->judged != NULL)
    g_signal_emit (self, signals[RECONSTRUCT], 0, self->judged, components);
}

void
_es_inspector_show_layer (EsInspector *self, EsResult *result, EsLayer *layer, guint plane)
{
  g_signal_emit (self, signals[SHOW_LAYER], 0, result, layer, plane);
}

void
_es_inspector_use_as_noise (EsInspector *self, const char *text)
{
  g_signal_emit (self, signals[NOISE_REGION], 0, text);
}

void
_es_inspector_open_classes (EsInspector *self, EsRegionSet *classes, GFile *file)
{
  g_signal_emit (self, signals[OPEN_CLASSES], 0, classes, file);
}

/* ---- the widget ---- */

void
_es_inspector_add_section (EsInspector *self, GtkWidget *column, SectionId which, const char *id,
                           const char *title, GtkWidget *child)
{
  GtkWidget *section = es_section_new (id, title, child);

  self->sections[which] = ES_SECTION (section);
  gtk_widget_set_visible (section, FALSE);
  g_signal_connect_object (section, "notify::expanded", G_CALLBACK (on_expanded), self, G_CONNECT_SWAPPED);
  es_section_places_add (self->places, ES_SECTION (section));
}

EsSectionPlaces *
es_inspector_get_places (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);
  return self->places;
}

EsSection *
es_inspector_get_section (EsInspector *self, const char *id)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);

  for (guint i = 0; i < N_SECTIONS; i++)
    if (self->sections[i] != NULL && g_str_equal (es_section_get_id (self->sections[i]), id))
      return self->sections[i];
  return NULL;
}

static void
on_columns (EsInspector *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_COLUMNS]);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *unused, gpointer data)
{
  EsInspector *self = ES_INSPECTOR (widget);
  EsSection *large = es_section_places_get_large (self->places);

  if (large == NULL || !gtk_widget_get_visible (GTK_WIDGET (large)))
    return GDK_EVENT_PROPAGATE;
  es_section_places_put (self->places, large, ES_SECTION_IN_COLUMN);
  return GDK_EVENT_STOP;
}

/* The spectrum, and below it what it can be kept by. */
static GtkWidget *
make_spectrum (EsInspector *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *keep = gtk_button_new_with_mnemonic (_("_Keep Spectrum"));
  GtkWidget *all = gtk_toggle_button_new_with_mnemonic (_("Collected"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (keep), "win.keep-pixel");
  gtk_widget_set_tooltip_text (keep, _("Keep the spectrum of the selected pixel, to be compared with others (Ctrl+K)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (all), "win.spectra");
  gtk_widget_set_tooltip_text (all, _("Show the spectra that are collected, libraries and matches (F8)"));
  gtk_widget_add_css_class (keep, "pane-button");
  gtk_widget_add_css_class (all, "pane-button");
  gtk_widget_add_css_class (foot, "pane-margins");
  gtk_widget_set_halign (foot, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (foot), all);
  gtk_box_append (GTK_BOX (foot), keep);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->spectrum));
  gtk_box_append (GTK_BOX (box), foot);
  return box;
}

GtkWidget *
es_inspector_new (EsDisplay *display, EsPicture *picture)
{
  EsInspector *self;
  GtkWidget *column;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_INSPECTOR, NULL);
  self->display = g_object_ref (display);
  column = GTK_WIDGET (self->columns);

  self->control = es_region_control_new ();
  self->spectrum = ES_SPECTRUM_PANE (es_spectrum_pane_new (display));
  es_spectrum_pane_set_control (self->spectrum, self->control);
  self->legend = ES_CLASS_LEGEND (es_class_legend_new ());
  _es_inspector_add_section (self, column, SECTION_LEGEND, "legend", _("Legend"), GTK_WIDGET (self->legend));
  _es_inspector_add_section (self, column, SECTION_SPECTRUM, "spectrum", _("Spectrum"), make_spectrum (self));
  _es_inspector_add_section (self, column, SECTION_HISTOGRAM, "histogram", _("Histogram"),
               es_histogram_view_new (display, picture));
  self->profile = ES_PROFILE_PANE (es_profile_pane_new (display));
  _es_inspector_add_section (self, column, SECTION_PROFILE, "profile", _("Profile"), GTK_WIDGET (self->profile));
  self->selection = ES_SELECTION_PANE (es_selection_pane_new (self->control));
  _es_inspector_add_section (self, column, SECTION_SELECTION, "selection", _("What Takes Part"),
                             GTK_WIDGET (self->selection));
  _es_inspector_add_regions (self, column);
  self->scree = ES_SCREE_PANE (es_scree_pane_new (display));
  _es_inspector_add_section (self, column, SECTION_EIGENVALUES, "eigenvalues", _("Eigenvalues"),
                             GTK_WIDGET (self->scree));
  _es_inspector_add_quality (self, column);
  _es_inspector_add_section (self, column, SECTION_LOADINGS, "loadings", _("Loadings"), self->loadings_view);
  self->values = ES_VALUES_PANE (es_values_pane_new (display));
  _es_inspector_add_section (self, column, SECTION_VALUES, "values", _("Values"), GTK_WIDGET (self->values));
  self->steps = ES_STEPS_VIEW (es_steps_view_new (TRUE));
  _es_inspector_add_section (self, column, SECTION_STEPS, "steps", _("Steps"),
                             GTK_WIDGET (self->steps));

  g_signal_connect_object (self->spectrum, "notify::empty", G_CALLBACK (update_placeholders), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->profile, "changed", G_CALLBACK (on_profile_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spectrum, "band-selected", G_CALLBACK (on_band_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->values, "notify::empty", G_CALLBACK (update_placeholders), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->scree, "threshold-moved", G_CALLBACK (on_threshold_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (update_loadings), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (_es_inspector_planes_changed), self,
                           G_CONNECT_SWAPPED);
  update_placeholders (self);
  on_source_changed (self);
  g_settings_bind (es_settings_get (), "folded-sections", self, "folded-sections", G_SETTINGS_BIND_DEFAULT);
  es_section_places_restore (self->places);
  return GTK_WIDGET (self);
}

static void
set_folded (EsInspector *self, const char * const *ids)
{
  for (guint i = 0; i < N_SECTIONS; i++)
    if (self->sections[i] != NULL)
      es_section_set_expanded (self->sections[i],
                               ids == NULL || !g_strv_contains (ids, es_section_get_id (self->sections[i])));
}

static void
es_inspector_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsInspector *self = ES_INSPECTOR (object);
  g_autoptr (GStrvBuilder) folded = NULL;

  if (id == PROP_N_COLUMNS)
    {
      g_value_set_uint (value, es_section_columns_get_n (self->columns));
      return;
    }
  if (id != PROP_FOLDED_SECTIONS)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  folded = g_strv_builder_new ();
  for (guint i = 0; i < N_SECTIONS; i++)
    if (self->sections[i] != NULL && !es_section_get_expanded (self->sections[i]))
      g_strv_builder_add (folded, es_section_get_id (self->sections[i]));
  g_value_take_boxed (value, g_strv_builder_end (folded));
}

static void
es_inspector_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FOLDED_SECTIONS)
    set_folded (ES_INSPECTOR (object), g_value_get_boxed (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_inspector_dispose (GObject *object)
{
  EsInspector *self = ES_INSPECTOR (object);

  for (guint i = 0; i < N_SECTIONS; i++)
    {
      if (self->sections[i] != NULL)
        g_signal_handlers_disconnect_by_func (self->sections[i], on_expanded, self);
      self->sections[i] = NULL;
    }
  _es_inspector_drop_quality (self);
  if (self->places != NULL)
    g_object_run_dispose (G_OBJECT (self->places));
  g_clear_object (&self->places);
  if (self->columns != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->columns));
  self->columns = NULL;
  g_clear_object (&self->loadings);
  g_clear_object (&self->loadings_curve);
  g_clear_object (&self->result);
  g_clear_object (&self->dataset);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_inspector_parent_class)->dispose (object);
}

static void
es_inspector_class_init (EsInspectorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_inspector_get_property;
  object_class->set_property = es_inspector_set_property;
  object_class->dispose = es_inspector_dispose;
  properties[PROP_FOLDED_SECTIONS] = g_param_spec_boxed ("folded-sections", NULL, NULL, G_TYPE_STRV,
                                                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                         | G_PARAM_STATIC_STRINGS);
  properties[PROP_N_COLUMNS] = g_param_spec_uint ("n-columns", NULL, NULL, 1, 2, 1,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  signals[THRESHOLD_MOVED] = g_signal_new ("threshold-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL,
                                           G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  signals[RECONSTRUCT] = g_signal_new ("reconstruct", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 2, ES_TYPE_RESULT, G_TYPE_STRING);
  signals[SHOW_LAYER] = g_signal_new ("show-layer", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 3, ES_TYPE_RESULT, ES_TYPE_LAYER, G_TYPE_UINT);
  signals[NOISE_REGION] = g_signal_new ("noise-region", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[OPEN_CLASSES] = g_signal_new ("open-classes", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 2, ES_TYPE_REGION_SET, G_TYPE_FILE);
  gtk_widget_class_set_css_name (widget_class, "inspector");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_inspector_init (EsInspector *self)
{
  self->loadings = es_plot_new ();
  self->loadings_view = es_plot_view_new (self->loadings, 160);
  es_plot_zoom_add (ES_PLOT_VIEW (self->loadings_view));
  gtk_widget_set_vexpand (self->loadings_view, TRUE);
  self->columns = ES_SECTION_COLUMNS (es_section_columns_new ());
  self->places = es_section_places_new (self->columns);
  gtk_widget_set_parent (GTK_WIDGET (self->columns), GTK_WIDGET (self));
  g_signal_connect_object (self->columns, "notify::n-columns", G_CALLBACK (on_columns), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Inspector"), -1);
}
