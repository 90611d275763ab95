/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fraz-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-map-view.h"
#include "es-btr-tracks.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"

struct _EsFrazPane
{
  EsSonarPane  parent_instance;

  EsHeatmap   *map;
  EsMapView   *view;
  float       *powers;           /* n_bins x n_angles */
  double      *frequencies;      /* n_bins */
  guint        n_bins, n_angles, n_columns;
  double       low, high;
};

G_DEFINE_FINAL_TYPE (EsFrazPane, es_fraz_pane, ES_TYPE_SONAR_PANE)

static void
set_up_axes (EsFrazPane *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));
  EsBearingScale *scale = es_bearing_scale_of (self);
  const double *columns;

  self->n_bins = settings != NULL ? settings->n_bins : 0;
  self->n_angles = settings != NULL ? settings->n_angles : 0;
  self->low = self->high = NAN;
  if (self->n_bins == 0 || self->n_angles == 0)
    return;
  self->powers = g_renew (float, self->powers, (gsize) self->n_bins * self->n_angles);
  self->frequencies = g_renew (double, self->frequencies, self->n_bins);
  for (guint i = 0; i < self->n_bins; i++)
    self->frequencies[i] = es_beam_settings_get_frequency (settings, settings->first_bin + i);
  self->n_columns = es_bearing_scale_get_columns (scale, &columns);
  es_map_view_set_x_axis (self->view, es_bearing_scale_get_title (scale), "°", self->n_columns, columns);
  es_map_view_set_y_values (self->view, _("Frequency"), _("Hz"), self->n_bins, self->frequencies);
}

static void
fit (EsFrazPane *self)
{
  EsSonarLook *look = es_sonar_look_of (self);

  es_sonar_look_fit (look, self->map, 0, self->n_bins,
                     es_sonar_look_get_normaliser (look) != ES_NORMALISER_NONE, &self->low, &self->high);
}

/* Of a result: whether it is of all of its time, and if that was not asked for, why. */
static void
describe_moment (EsFrazPane *self, gboolean any, guint row)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsBeamHistory *history = es_sonar_source_get_history (source);
  const gboolean is_mean = any && es_sonar_source_get_result (source) != NULL
                           && (row == G_MAXUINT || !es_beam_history_is_recalled (history));
  const char *refusal = is_mean ? es_beam_history_get_refusal (history) : NULL;
  g_autofree char *detail = NULL;

  if (refusal != NULL)
    detail = g_strdup_printf (_("Mean over its time: %s"), refusal);
  else if (is_mean)
    detail = g_strdup (_("Mean over its time"));
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), detail);
}

static void
update_values (EsFrazPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsSonarLook *look = es_sonar_look_of (self);
  EsNormaliser normaliser = es_sonar_look_make_normaliser (look, self->n_angles);
  EsBeamKind kind = es_sonar_pane_get_kind (ES_SONAR_PANE (self));
  gboolean any = FALSE;
  EsBeamHistory *history = es_sonar_source_get_history (source);
  guint row = 0;

  if (self->n_bins > 0 && self->n_angles > 0 && es_sonar_cursor_get_spectra_row (cursor, &row))
    any = es_beam_history_copy_fraz_of (history, kind, row, self->powers);
  describe_moment (self, any, row);
  es_map_view_set_message (self->view, any ? NULL
                           : es_sonar_source_is_awaited (source, row)
                             || (history != NULL && row != G_MAXUINT && es_beam_history_is_recalled (history))
                           ? _("That moment has not been computed yet.")
                           : es_sonar_source_get_end (source) > 0 ? _("There are no spectra of that moment.")
                           : _("Frequency against bearing appears here."));
  if (any && isnan (es_sonar_heading_of (self)))
    {
      es_map_view_set_message (self->view, _("The heading is not known, or not one for all of the time: click a "
                                             "moment."));
      any = FALSE;
    }
  es_heatmap_reset (self->map, any ? self->n_columns : 0, 0, TRUE);
  if (!any)
    return;
  const double factor = es_sonar_source_get_tone_factor (source, kind);
  for (gsize i = 0; i < (gsize) self->n_bins * self->n_angles; i++)
    self->powers[i] = (float) (factor * self->powers[i]);
  if (normaliser.kind != ES_NORMALISER_NONE)
    es_normalise_rows (&normaliser, self->powers, self->n_bins, self->n_angles, self->powers);
  g_autofree float *columns = g_new (float, MAX (self->n_columns, 1));
  const double heading = es_sonar_heading_of (self);
  for (guint i = 0; i < self->n_bins; i++)
    {
      es_bearing_scale_spread (es_bearing_scale_of (self), heading, self->powers + (gsize) i * self->n_angles, columns);
      es_heatmap_append (self->map, columns);
    }
  fit (self);
  es_map_view_set_unit (self->view, normaliser.kind == ES_NORMALISER_NONE
                                    ? es_sonar_source_get_line_unit (source, kind) : _("dB over background"));
}

static double
row_of (EsFrazPane *self, double frequency)
{
  double span = self->n_bins > 1 ? self->frequencies[self->n_bins - 1] - self->frequencies[0] : 0;
  double row = span > 0 ? (frequency - self->frequencies[0]) / span * (self->n_bins - 1) + 0.5 : NAN;

  return row >= 0 && row <= self->n_bins ? row : NAN;
}

static void
es_fraz_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsFrazPane *self = ES_FRAZ_PANE (pane);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  double places[2];
  guint n;

  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_WRITING))
    set_up_axes (self);
  if (change & ES_SONAR_CHANGE_NORMALISER)
    self->low = self->high = NAN;
  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_NORMALISER
                | ES_SONAR_CHANGE_WRITING))
    update_values (self);
  else if ((change & ES_SONAR_CHANGE_LOOK) && es_heatmap_get_end (self->map) > 0)
    fit (self);
  n = es_bearing_scale_show (es_bearing_scale_of (self), es_sonar_heading_of (self),
                             es_sonar_cursor_get_bearing (cursor), places);
  es_map_view_set_cursor (self->view,
                          es_btr_find_column (self->view, places[n > es_sonar_cursor_get_side (cursor)
                                                                 ? es_sonar_cursor_get_side (cursor) : 0]),
                          row_of (self, es_sonar_cursor_get_frequency (cursor)));
}

static void
on_picked (EsFrazPane *self, double column, double row, guint n_press)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));

  if (settings == NULL || self->n_bins == 0)
    return;
  es_sonar_cursor_point_now (cursor, es_map_view_value_of (self->view, floor (MAX (column, 0)) + 0.5));
  es_sonar_cursor_set_frequency (cursor, self->frequencies[MIN ((guint) MAX (row, 0), self->n_bins - 1)]);
}

/* Sideways another beam; up and down another frequency. */
static void
on_stepped (EsFrazPane *self, int columns, int rows)
{
  double row = row_of (self, es_sonar_cursor_get_frequency (es_sonar_cursor_of (self)));

  es_sonar_cursor_step (es_sonar_cursor_of (self), columns, 0);
  if (rows != 0 && self->n_bins > 0)
    {
      row = isnan (row) ? self->n_bins / 2 : CLAMP (floor (row) - rows, 0, self->n_bins - 1.);
      es_sonar_cursor_set_frequency (es_sonar_cursor_of (self), self->frequencies[(guint) row]);
    }
}

static char *
describe (gpointer data, double column, double row)
{
  EsFrazPane *self = ES_FRAZ_PANE (data);
  guint at = MIN ((guint) column, self->n_columns - 1), bin = MIN ((guint) MAX (row, 0), self->n_bins - 1);
  g_autofree char *bearing = es_bearing_scale_format (es_bearing_scale_of (self),
                                                      es_map_view_value_of (self->view, at + 0.5));
  g_autofree char *level = es_sonar_format_level (es_heatmap_get_value (self->map, at, bin));

  return g_strdup_printf (_("%s  %.2f Hz  %s dB"), bearing, self->frequencies[bin], level);
}

static char *
es_fraz_pane_to_text (EsSonarPane *pane, char separator)
{
  EsFrazPane *self = ES_FRAZ_PANE (pane);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text;

  if (es_heatmap_get_end (self->map) == 0)
    return NULL;
  text = g_string_new ("frequency_hz");
  for (guint c = 0; c < self->n_columns; c++)
    es_sonar_append_number (text, separator, es_map_view_value_of (self->view, c + 0.5));
  g_string_append_c (text, '\n');
  for (guint i = 0; i < self->n_bins; i++)
    {
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", self->frequencies[i]));
      es_sonar_append_map_row (text, separator, self->map, i, self->n_columns);
    }
  return g_string_free (text, FALSE);
}

static void
es_fraz_pane_finalize (GObject *object)
{
  EsFrazPane *self = ES_FRAZ_PANE (object);

  g_clear_object (&self->map);
  g_free (self->powers);
  g_free (self->frequencies);
  G_OBJECT_CLASS (es_fraz_pane_parent_class)->finalize (object);
}

static void
es_fraz_pane_class_init (EsFrazPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_fraz_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_fraz_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_fraz_pane_to_text;
}

static void
es_fraz_pane_init (EsFrazPane *self)
{
  self->low = self->high = NAN;
}

EsSonarPane *
es_fraz_pane_new (EsSonarDisplay *display, const char *id, EsBeamKind kind)
{
  EsFrazPane *self = g_object_new (ES_TYPE_FRAZ_PANE, NULL);

  self->map = es_heatmap_new ();
  self->view = ES_MAP_VIEW (es_map_view_new (self->map, 200));
  es_map_view_set_describe (self->view, describe, self);
  g_signal_connect_object (self->view, "picked", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "stepped", G_CALLBACK (on_stepped), self, G_CONNECT_SWAPPED);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, id, _("FRAZ"), GTK_WIDGET (self->view));
  es_sonar_pane_add_chooser (ES_SONAR_PANE (self), kind);
  return ES_SONAR_PANE (self);
}
