/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lofar-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"

#define MOST_HARMONICS 30

struct _EsLofarPane
{
  EsWaterfallPane parent_instance;

  float          *spectrum;      /* all bins of a beam */
  guint           first, n;      /* those of them that are shown */
  int             angle;         /* the beam; -1: none */
  double          held;          /* the true bearing that it follows; NAN: none */
  char           *words;         /* of a rectangle */
};

G_DEFINE_FINAL_TYPE (EsLofarPane, es_lofar_pane, ES_TYPE_WATERFALL_PANE)

static void
describe_beam (EsLofarPane *self, double bearing)
{
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));
  g_autofree char *beam = NULL;

  if (isnan (bearing))
    {
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      return;
    }
  beam = es_sonar_name_bearing (self, bearing);
  if (history != NULL && es_beam_history_get_only_angle (history) != G_MAXUINT
      && es_beam_history_get_refusal (history) != NULL)
    {
      g_autofree char *bare = g_steal_pointer (&beam);

      /* TRANSLATORS: a bearing, and a sentence: why there is no other */
      beam = g_strdup_printf (_("%s alone: %s"), bare, es_beam_history_get_refusal (history));
    }
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), beam);
}

/* The beam to be shown: the one under the cursor, or the only one that a result kept. */
static int
find_beam (EsLofarPane *self)
{
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));
  guint only = history != NULL ? es_beam_history_get_only_angle (history) : G_MAXUINT;

  return only != G_MAXUINT ? (int) only : es_sonar_cursor_get_angle (es_sonar_cursor_of (self));
}

/* The same of a row: of a true bearing that is kept while the array turns, another one at every moment. */
static int
find_beam_at (EsLofarPane *self, guint64 row)
{
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));

  return isnan (self->held) || es_beam_history_get_only_angle (history) != G_MAXUINT
         ? self->angle : es_sonar_cursor_get_angle_at (es_sonar_cursor_of (self), row);
}

static guint
prepare (EsWaterfallPane *pane)
{
  EsLofarPane *self = ES_LOFAR_PANE (pane);
  EsSonarSource *source = es_sonar_source_of (self);
  EsBeamHistory *history = es_sonar_source_get_history (source);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsMapView *view = es_waterfall_pane_get_view (pane);
  g_autofree double *frequencies = NULL;

  /* A result kept those of one beam alone, of one kind. */
  gtk_widget_set_visible (es_sonar_pane_get_chooser (ES_SONAR_PANE (self)),
                          es_sonar_source_get_kinds (source) > 1u << ES_BEAM_CBF
                          && (es_sonar_source_get_result (source) == NULL || es_beam_history_is_recalled (history)));
  self->angle = find_beam (self);
  self->held = es_sonar_cursor_get_held (es_sonar_cursor_of (self));
  describe_beam (self, settings != NULL && self->angle >= 0 ? settings->angles[self->angle] : NAN);
  if (settings == NULL || es_sonar_source_get_end (source) == 0)
    {
      es_map_view_set_message (view, _("The spectrum of one beam over time appears here."));
      return 0;
    }
  if (es_sonar_source_get_result (source) != NULL ? !es_beam_history_has_spectra (history)
                                                  : es_beam_settings_find_far (settings) >= settings->n_ranges)
    {
      es_map_view_set_message (view, es_sonar_source_get_result (source) != NULL
                               ? _("This result has no LOFARgram.")
                               : _("There is no far row among the ranges: no spectra of beams."));
      return 0;
    }
  if (self->angle < 0)
    {
      es_map_view_set_message (view, _("Click on a bearing to see the spectrum of that beam over time."));
      return 0;
    }
  es_map_view_set_message (view, NULL);
  self->first = 0;
  self->n = settings->n_bins;
  if (settings->lofar_bins > 0 && settings->lofar_first >= settings->first_bin
      && settings->lofar_first + settings->lofar_bins <= settings->first_bin + settings->n_bins)
    {
      self->first = settings->lofar_first - settings->first_bin;
      self->n = settings->lofar_bins;
    }
  self->spectrum = g_renew (float, self->spectrum, MAX (settings->n_bins, 1));
  frequencies = g_new (double, self->n);
  for (guint i = 0; i < self->n; i++)
    frequencies[i] = es_beam_settings_get_frequency (settings, settings->first_bin + self->first + i);
  es_map_view_set_x_axis (view, _("Frequency"), _("Hz"), self->n, frequencies);
  return self->n;
}

static gboolean
fill (EsWaterfallPane *pane, guint64 row, float *powers)
{
  EsLofarPane *self = ES_LOFAR_PANE (pane);
  EsSonarSource *source = es_sonar_source_of (self);

  const int angle = find_beam_at (self, row);

  if (angle < 0
      || !es_beam_history_copy_beam_of (es_sonar_source_get_history (source),
                                        es_sonar_pane_get_kind (ES_SONAR_PANE (self)), (guint) row, (guint) angle,
                                        self->spectrum))
    return FALSE;
  const double factor = es_sonar_source_get_tone_factor (source, es_sonar_pane_get_kind (ES_SONAR_PANE (self)));
  for (guint i = 0; i < self->n; i++)
    powers[i] = (float) (factor * self->spectrum[self->first + i]);
  return TRUE;
}

static const char *
get_unit (EsWaterfallPane *pane)
{
  return es_sonar_source_get_line_unit (es_sonar_source_of (pane), es_sonar_pane_get_kind (ES_SONAR_PANE (pane)));
}

static void
mark (EsWaterfallPane *pane)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);
  EsSonarLook *look = es_sonar_look_of (pane);
  EsMapView *view = es_waterfall_pane_get_view (pane);
  double frequency = es_sonar_cursor_get_frequency (cursor), lines[MOST_HARMONICS];
  guint64 row;
  guint n = 0;

  es_map_view_set_now (view, es_sonar_cursor_get_heard_place (cursor));
  es_map_view_set_cursor (view, es_map_view_column_of (view, frequency),
                          es_sonar_cursor_get_row (cursor, &row) ? row + 0.5 : NAN);
  for (guint k = 2; es_sonar_look_get_harmonics (look) && frequency > 0 && k < MOST_HARMONICS; k++)
    {
      double column = es_map_view_column_of (view, k * frequency);

      if (!isnan (column))
        lines[n++] = column;
    }
  es_map_view_set_lines (view, n, lines, n > 0);
}

static void
picked (EsWaterfallPane *pane, double column, guint64 row)
{
  EsMapView *view = es_waterfall_pane_get_view (pane);

  es_sonar_cursor_set_frequency (es_sonar_cursor_of (pane), es_map_view_value_of (view, floor (column) + 0.5));
}

static char *
describe (EsWaterfallPane *pane, double column, guint64 row)
{
  EsHeatmap *map = es_waterfall_pane_get_map (pane);
  guint at = MIN ((guint) column, es_heatmap_get_n_columns (map) - 1);
  double frequency = es_map_view_value_of (es_waterfall_pane_get_view (pane), at + 0.5);
  g_autofree char *level = es_sonar_format_level (es_heatmap_get_value (map, at, row));

  return g_strdup_printf (_("%.2f Hz  %s dB"), frequency, level);
}

static const char *
measure (EsWaterfallPane *pane, double first, double last, double seconds)
{
  EsLofarPane *self = ES_LOFAR_PANE (pane);

  g_free (self->words);
  self->words = g_strdup_printf (_("%.2f to %.2f Hz: %.2f Hz, %.3g Hz/s"), first, last, last - first,
                                 seconds > 0 ? (last - first) / seconds : 0);
  return self->words;
}

/* A line at k times the frequency moves it by the k-th part. */
static void
on_dragged (EsLofarPane *self, guint line, double column, gboolean final)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsMapView *view = es_waterfall_pane_get_view (ES_WATERFALL_PANE (self));
  double frequency = es_sonar_cursor_get_frequency (cursor);
  guint seen = 0;

  for (guint k = 2; frequency > 0 && k < MOST_HARMONICS; k++)
    if (!isnan (es_map_view_column_of (view, k * frequency)) && seen++ == line)
      {
        es_sonar_cursor_set_frequency (cursor, MAX (es_map_view_value_of (view, column) / k, 0.01));
        return;
      }
}

static void
on_stepped (EsLofarPane *self, int columns, int rows)
{
  EsMapView *view = es_waterfall_pane_get_view (ES_WATERFALL_PANE (self));
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  guint n = es_heatmap_get_n_columns (es_waterfall_pane_get_map (ES_WATERFALL_PANE (self)));
  double column = es_map_view_column_of (view, es_sonar_cursor_get_frequency (cursor));

  if (columns != 0 && n > 0)
    {
      column = isnan (column) ? n / 2 : CLAMP (floor (column) + columns, 0, n - 1.);
      es_sonar_cursor_set_frequency (cursor, es_map_view_value_of (view, column + 0.5));
    }
  es_sonar_cursor_step (cursor, 0, rows);
}

static void
es_lofar_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsLofarPane *self = ES_LOFAR_PANE (pane);
  const EsBeamSettings *settings = es_sonar_source_get_settings (es_sonar_source_of (self));
  const double held = es_sonar_cursor_get_held (es_sonar_cursor_of (self));

  /* The same beam again is nothing new, nor is any of a result that kept one. */
  if ((change & ES_SONAR_CHANGE_BEARING) && !(change & ES_SONAR_CHANGE_HISTORY) && find_beam (self) == self->angle
      && (held == self->held || (isnan (held) && isnan (self->held))))
    change &= ~ES_SONAR_CHANGE_BEARING;
  /* Another way to write bearings makes other rows where the true one is kept, or no longer. */
  if ((change & ES_SONAR_CHANGE_WRITING) && isnan (held) && isnan (self->held))
    {
      change &= ~ES_SONAR_CHANGE_WRITING;
      describe_beam (self, self->angle >= 0 && settings != NULL ? settings->angles[self->angle] : NAN);
      es_map_view_set_start (es_waterfall_pane_get_view (ES_WATERFALL_PANE (self)),
                             es_sonar_display_get_start (es_sonar_pane_get_display (pane)));
    }
  ES_SONAR_PANE_CLASS (es_lofar_pane_parent_class)->update (pane, change);
}

static void
es_lofar_pane_finalize (GObject *object)
{
  g_free (ES_LOFAR_PANE (object)->spectrum);
  g_free (ES_LOFAR_PANE (object)->words);
  G_OBJECT_CLASS (es_lofar_pane_parent_class)->finalize (object);
}

static void
es_lofar_pane_class_init (EsLofarPaneClass *klass)
{
  EsWaterfallPaneClass *waterfall = ES_WATERFALL_PANE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = es_lofar_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_lofar_pane_update;
  waterfall->prepare = prepare;
  waterfall->fill = fill;
  waterfall->get_unit = get_unit;
  waterfall->mark = mark;
  waterfall->picked = picked;
  waterfall->describe = describe;
  waterfall->measure = measure;
  waterfall->refill = ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_BEARING
                      | ES_SONAR_CHANGE_RENEWED | ES_SONAR_CHANGE_WRITING;
}

static void
es_lofar_pane_init (EsLofarPane *self)
{
  self->angle = -1;
  self->held = NAN;
}

EsSonarPane *
es_lofar_pane_new (EsSonarDisplay *display)
{
  EsLofarPane *self = g_object_new (ES_TYPE_LOFAR_PANE, NULL);
  EsMapView *view;

  es_waterfall_pane_set_up (ES_WATERFALL_PANE (self), display, "lofar", _("LOFARgram"));
  es_sonar_pane_add_chooser (ES_SONAR_PANE (self), ES_BEAM_MVDR);
  view = es_waterfall_pane_get_view (ES_WATERFALL_PANE (self));
  g_signal_connect_object (view, "stepped", G_CALLBACK (on_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "dragged", G_CALLBACK (on_dragged), self, G_CONNECT_SWAPPED);
  return ES_SONAR_PANE (self);
}
