/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-inspector-private.h"

#include <glib/gi18n-lib.h>

#include "histogram/es-histogram-view.h"
#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "widgets/es-settings.h"

enum { PROP_0, PROP_FOLDED_SECTIONS, PROP_N_COLUMNS, N_PROPS };
enum { THRESHOLD_MOVED, RECONSTRUCT, SHOW_LAYER, NOISE_REGION, USE_REGION, OPEN_CLASSES, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsInspector, es_inspector, GTK_TYPE_WIDGET)

EsRegionControl *
es_inspector_get_control (EsInspector *self)
{
  g_return_val_if_fail (ES_IS_INSPECTOR (self), NULL);
  return self->control;
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
_es_inspector_use_region (EsInspector *self, const char *key, const char *text)
{
  g_signal_emit (self, signals[USE_REGION], 0, key, text);
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

  g_signal_connect_object (self->scree, "threshold-moved", G_CALLBACK (on_threshold_moved), self,
                           G_CONNECT_SWAPPED);
  _es_inspector_connect_sections (self);
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
  signals[USE_REGION] = g_signal_new ("use-region", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
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
