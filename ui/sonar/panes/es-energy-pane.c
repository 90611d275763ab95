/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-energy-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-btr-tracks.h"
#include "signal/es-beam-peaks.h"
#include "charts/es-map-view.h"
#include "charts/es-plan-view.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"

struct _EsEnergyPane
{
  EsSonarPane  parent_instance;

  GtkWidget   *stack;
  EsHeatmap   *map;              /* by the angles of the beams: what is seen from above, and what is written */
  EsHeatmap   *shown;            /* as bearings are written */
  EsMapView   *view;
  EsPlanView  *plan;
  guint       *order;            /* row of the maps, nearest first -> row of the settings */
  guint        n_rows, n_columns; /* of what is shown */
  gboolean     has_field;
  double       low, high;
};

G_DEFINE_FINAL_TYPE (EsEnergyPane, es_energy_pane, ES_TYPE_SONAR_PANE)

static char *
name_range (double range)
{
  if (isinf (range))
    /* Translators: the far field, among ranges such as “50 m”. */
    return g_strdup (C_("range", "far"));
  return range >= 10000 ? g_strdup_printf (_("%g km"), range / 1000) : g_strdup_printf (_("%g m"), range);
}

static int
compare_ranges (gconstpointer a, gconstpointer b, gpointer data)
{
  const double *ranges = data;
  double x = ranges[*(const guint *) a], y = ranges[*(const guint *) b];

  return (x > y) - (x < y);
}

static void
set_up_axes (EsEnergyPane *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));
  EsBearingScale *scale = es_bearing_scale_of (self);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;
  const double *columns;
  guint apart;

  self->n_rows = settings != NULL ? settings->n_ranges : 0;
  self->low = self->high = NAN;
  self->n_columns = settings != NULL ? es_bearing_scale_get_columns (scale, &columns) : 0;
  es_heatmap_reset (self->map, settings != NULL ? settings->n_angles : 0, 0, TRUE);
  es_heatmap_reset (self->shown, self->n_columns, 0, TRUE);
  if (self->n_rows == 0)
    return;
  self->order = g_renew (guint, self->order, self->n_rows);
  for (guint i = 0; i < self->n_rows; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (int) self->n_rows, sizeof (guint), compare_ranges, settings->ranges);
  for (guint i = 0; i < self->n_rows; i++)
    {
      g_autofree char *name = name_range (settings->ranges[self->order[i]]);

      g_strv_builder_add (builder, name);
    }
  names = g_strv_builder_end (builder);
  apart = isinf (settings->ranges[self->order[self->n_rows - 1]]) ? self->n_rows - 1 : 0;
  es_heatmap_extend (self->map, self->n_rows);
  es_heatmap_extend (self->shown, self->n_rows);
  es_map_view_set_x_axis (self->view, es_bearing_scale_get_title (scale), "°", self->n_columns, columns);
  es_map_view_set_y_names (self->view, _("Range"), (const char *const *) names, apart);
  es_plan_view_set_axes (self->plan, settings->n_angles, settings->angles, (const char *const *) names, apart);
}

static guint
to_map_row (EsEnergyPane *self, guint row)
{
  for (guint i = 0; i < self->n_rows; i++)
    if (self->order[i] == row)
      return i;
  return 0;
}

/* The column of a bearing: of two places the one that is looked at. NAN: it is not drawn. */
static double
find_column (EsEnergyPane *self, double bearing)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const guint side = bearing == es_sonar_cursor_get_bearing (cursor) ? es_sonar_cursor_get_side (cursor) : 0;
  double places[2];
  const guint n = es_bearing_scale_show (es_bearing_scale_of (self), es_sonar_heading_of (self), bearing, places);

  return es_btr_find_column (self->view, places[n > side ? side : 0]);
}

/* From above it is the array that is looked at. */
static gboolean
es_energy_pane_shows_array (EsSonarPane *pane)
{
  return es_sonar_look_get_plan (es_sonar_look_of (pane));
}

static void
show_peak (EsEnergyPane *self, const EsBeamSettings *settings, const float *field)
{
  g_autofree char *where = NULL, *margin = NULL, *words = NULL;
  EsBeamPeak peak;

  const EsBeamCurve curve = es_beam_settings_get_curve (settings, es_sonar_pane_get_kind (ES_SONAR_PANE (self)),
                                                        field, NULL);
  if (!es_find_field_peak (&curve, settings->n_ranges, &peak))
    {
      es_map_view_set_mark (self->view, NAN, NAN);
      es_plan_view_set_mark (self->plan, NAN, NAN);
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      return;
    }
  const double row = to_map_row (self, peak.row) + 0.5;
  g_autofree char *range = name_range (settings->ranges[peak.row]);

  es_map_view_set_mark (self->view, find_column (self, peak.bearing), row);
  es_plan_view_set_mark (self->plan, peak.index + 0.5, row);
  if (es_energy_pane_shows_array (ES_SONAR_PANE (self)) && !es_bearing_scale_is_plain (es_bearing_scale_of (self)))
    where = g_strdup_printf (_("%.1f° from the array"), peak.bearing);
  else
    where = es_sonar_name_bearing (self, peak.bearing);
  margin = g_strdup_printf ("%.2f", peak.margin);
  /* Translators: of the strongest point: range, bearing, and by how many dB it is over the best other range. */
  words = isnan (peak.margin) ? g_strdup_printf ("%s, %s", range, where)
                              : g_strdup_printf (_("%s, %s, margin %s dB"), range, where, margin);
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), words);
}

static void
update_values (EsEnergyPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsSonarLook *look = es_sonar_look_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsBeamKind kind = es_sonar_pane_get_kind (ES_SONAR_PANE (self));
  EsBeamHistory *history = es_sonar_source_get_history (source);
  const double heading = es_sonar_heading_of (self);
  g_autofree float *columns = g_new (float, MAX (self->n_columns, 1));
  const float *field = NULL;
  guint row = 0;

  if (settings != NULL && es_sonar_cursor_get_spectra_row (cursor, &row))
    field = es_beam_history_get_field_of (history, kind, row);
  es_map_view_set_message (self->view, field != NULL ? NULL
                           : es_sonar_source_is_awaited (source, row)
                             || (history != NULL && row != G_MAXUINT && es_beam_history_is_recalled (history))
                           ? _("That moment has not been computed yet.")
                           : es_sonar_source_get_end (source) > 0
                           ? _("The field of that moment is not kept any more.")
                           : _("Energy by range and bearing appears here."));
  if (field != NULL && isnan (heading))
    es_map_view_set_message (self->view, _("The heading is not known, or not one for all of the time: click a "
                                           "moment."));
  self->has_field = field != NULL;
  if (field == NULL)
    {
      es_heatmap_blank (self->map);
      es_heatmap_blank (self->shown);
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      return;
    }
  for (guint i = 0; i < self->n_rows; i++)
    {
      const float *powers = field + (gsize) self->order[i] * settings->n_angles;

      es_heatmap_set_row (self->map, i, powers);
      es_bearing_scale_spread (es_bearing_scale_of (self), heading, powers, columns);
      es_heatmap_set_row (self->shown, i, columns);
    }
  es_sonar_look_fit (look, self->map, 0, self->n_rows, FALSE, &self->low, &self->high);
  es_sonar_look_fit (look, self->shown, 0, self->n_rows, FALSE, &self->low, &self->high);
  es_map_view_set_unit (self->view, es_sonar_source_get_unit_of (source, kind));
  es_plan_view_set_unit (self->plan, es_sonar_source_get_unit_of (source, kind));
  show_peak (self, settings, field);
}

static void
es_energy_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsEnergyPane *self = ES_ENERGY_PANE (pane);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsSonarLook *look = es_sonar_look_of (self);
  double bearing = es_sonar_cursor_get_bearing (cursor);

  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_WRITING))
    set_up_axes (self);
  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_LOOK | ES_SONAR_CHANGE_WRITING))
    update_values (self);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), es_sonar_look_get_plan (look) && self->has_field
                               ? GTK_WIDGET (self->plan) : GTK_WIDGET (self->view));
  es_map_view_set_cursor (self->view, find_column (self, bearing), NAN);
  es_plan_view_set_cursor (self->plan, bearing);
}

static void
on_picked (EsEnergyPane *self, double column)
{
  if (self->n_columns > 0)
    es_sonar_cursor_point_now (es_sonar_cursor_of (self),
                               es_map_view_value_of (self->view, floor (MAX (column, 0)) + 0.5));
}

static void
on_picked_from_above (EsEnergyPane *self, double column)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));

  if (settings != NULL && settings->n_angles > 0)
    es_sonar_cursor_set_bearing (es_sonar_cursor_of (self),
                                 settings->angles[MIN ((guint) MAX (column, 0), settings->n_angles - 1)]);
}

static void
on_stepped (EsEnergyPane *self, int columns, int rows)
{
  es_sonar_cursor_step (es_sonar_cursor_of (self), columns, rows);
}

static char *
describe (gpointer data, double column, double row)
{
  EsEnergyPane *self = ES_ENERGY_PANE (data);
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));
  guint at = (guint) column, line = (guint) MAX (row, 0);

  if (settings == NULL || line >= self->n_rows || at >= self->n_columns)
    return NULL;
  {
    g_autofree char *range = name_range (settings->ranges[self->order[line]]);
    g_autofree char *bearing = es_bearing_scale_format (es_bearing_scale_of (self),
                                                        es_map_view_value_of (self->view, at + 0.5));
    g_autofree char *level = es_sonar_format_level (es_heatmap_get_value (self->shown, at, line));

    return g_strdup_printf ("%s  %s  %s dB", range, bearing, level);
  }
}

static char *
es_energy_pane_to_text (EsSonarPane *pane, char separator)
{
  EsEnergyPane *self = ES_ENERGY_PANE (pane);
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text;

  if (settings == NULL || self->n_rows == 0 || isnan (self->high))
    return NULL;
  text = g_string_new ("range_m");
  for (guint c = 0; c < settings->n_angles; c++)
    es_sonar_append_number (text, separator, settings->angles[c]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < self->n_rows; i++)
    {
      double range = settings->ranges[self->order[i]];

      /* "inf" is far, as in every file that is written. */
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", range));
      es_sonar_append_map_row (text, separator, self->map, i, settings->n_angles);
    }
  return g_string_free (text, FALSE);
}

static void
es_energy_pane_finalize (GObject *object)
{
  EsEnergyPane *self = ES_ENERGY_PANE (object);

  g_clear_object (&self->map);
  g_clear_object (&self->shown);
  g_free (self->order);
  G_OBJECT_CLASS (es_energy_pane_parent_class)->finalize (object);
}

static void
es_energy_pane_class_init (EsEnergyPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_energy_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_energy_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_energy_pane_to_text;
  ES_SONAR_PANE_CLASS (klass)->is_of_array = TRUE;
  ES_SONAR_PANE_CLASS (klass)->shows_array = es_energy_pane_shows_array;
}

static void
es_energy_pane_init (EsEnergyPane *self)
{
  self->low = self->high = NAN;
}

EsSonarPane *
es_energy_pane_new (EsSonarDisplay *display)
{
  EsEnergyPane *self = g_object_new (ES_TYPE_ENERGY_PANE, NULL);

  self->map = es_heatmap_new ();
  self->shown = es_heatmap_new ();
  self->view = ES_MAP_VIEW (es_map_view_new (self->shown, 200));
  self->plan = ES_PLAN_VIEW (es_plan_view_new (self->map, 200));
  self->stack = gtk_stack_new ();
  gtk_stack_add_child (GTK_STACK (self->stack), GTK_WIDGET (self->view));
  gtk_stack_add_child (GTK_STACK (self->stack), GTK_WIDGET (self->plan));
  es_map_view_set_describe (self->view, describe, self);
  g_signal_connect_object (self->view, "picked", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "stepped", G_CALLBACK (on_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plan, "picked", G_CALLBACK (on_picked_from_above), self, G_CONNECT_SWAPPED);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "energy", _("Energy field"), self->stack);
  es_sonar_pane_add_chooser (ES_SONAR_PANE (self), ES_BEAM_CBF);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Energy field"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->plan), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Energy field seen from above"), -1);
  return ES_SONAR_PANE (self);
}
