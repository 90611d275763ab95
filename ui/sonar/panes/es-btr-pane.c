/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-btr-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "signal/es-beam-peaks.h"
#include "es-btr-tracks.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

#define N_PEAKS    6
#define PEAK_RANGE 15           /* dB under the strongest */

struct _EsBtrPane
{
  EsWaterfallPane parent_instance;

  EsBtrTracks    *tracks;
  char           *words;         /* of a rectangle */
};

G_DEFINE_FINAL_TYPE (EsBtrPane, es_btr_pane, ES_TYPE_WATERFALL_PANE)

static EsBeamKind
kind_of (gpointer self)
{
  return es_sonar_pane_get_kind (ES_SONAR_PANE (self));
}

static gboolean
has_far (EsSonarSource *source, EsBeamKind kind)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);

  return es_sonar_source_get_result (source) != NULL
         ? es_beam_history_get_row_of (es_sonar_source_get_history (source), kind, 0) != NULL
         : es_beam_settings_find_far (settings) < settings->n_ranges;
}

static guint
prepare (EsWaterfallPane *pane)
{
  EsSonarSource *source = es_sonar_source_of (pane);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsMapView *view = es_waterfall_pane_get_view (pane);

  es_btr_tracks_forget (ES_BTR_PANE (pane)->tracks);
  if (settings == NULL || es_sonar_source_get_end (source) == 0 || !has_far (source, kind_of (pane)))
    {
      es_map_view_set_message (view, settings != NULL && es_sonar_source_get_end (source) > 0
                               ? _("There is no far row among the ranges: no bearing-time record.")
                               : es_sonar_source_get_result (source) != NULL
                               ? _("This result has no bearing-time record.")
                               : es_sonar_source_get_recording (source) != NULL
                               ? _("The record of the recording appears here.") : _("No recording"));
      return 0;
    }
  /* Those of adaptive beams may be on their way. */
  if (!es_beam_history_has (es_sonar_source_get_history (source), kind_of (pane)))
    {
      es_map_view_set_message (view, NULL);
      return 0;
    }
  es_map_view_set_message (view, NULL);
  EsBearingScale *scale = es_bearing_scale_of (pane);
  const double *columns;
  const guint n = es_bearing_scale_get_columns (scale, &columns);

  es_map_view_set_x_axis (view, es_bearing_scale_get_title (scale), "°", n, columns);
  return n;
}

static gboolean
fill (EsWaterfallPane *pane, guint64 row, float *powers)
{
  EsSonarSource *source = es_sonar_source_of (pane);
  const float *values = es_beam_history_get_shown_row (es_sonar_source_get_history (source), kind_of (pane),
                                                       (guint) row);

  if (values == NULL)
    return FALSE;
  EsBearingScale *scale = es_bearing_scale_of (pane);

  es_bearing_scale_spread (scale, es_bearing_scale_get_heading (scale, row), values, powers);
  return TRUE;
}

static const char *
get_unit (EsWaterfallPane *pane)
{
  return es_sonar_source_get_unit_of (es_sonar_source_of (pane), kind_of (pane));
}

/* The columns of a bearing at a row; how many. */
static guint
find_columns (EsWaterfallPane *pane, guint64 row, double bearing, double columns[2])
{
  EsBearingScale *scale = es_bearing_scale_of (pane);
  EsMapView *view = es_waterfall_pane_get_view (pane);
  double places[2];
  const guint found = es_bearing_scale_show (scale, es_bearing_scale_get_heading (scale, row), bearing, places);
  guint n = 0;

  columns[0] = columns[1] = NAN;
  for (guint side = 0; side < found; side++)
    columns[n++] = es_btr_find_column (view, places[side]);
  return n;
}

static void
mark (EsWaterfallPane *pane)
{
  EsSonarSource *source = es_sonar_source_of (pane);
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsMapView *view = es_waterfall_pane_get_view (pane);
  EsBeamPeak peaks[N_PEAKS];
  double columns[2 * N_PEAKS], at[2];
  const float *powers = NULL;
  guint64 row;
  const guint side = es_sonar_cursor_get_side (cursor);
  guint n = 0, found, shown = 0;

  es_map_view_set_now (view, es_sonar_cursor_get_heard_place (cursor));
  if (!es_sonar_cursor_get_row (cursor, &row) || settings == NULL)
    return;
  found = find_columns (pane, row, es_sonar_cursor_get_bearing (cursor), at);
  /* Nobody points at a moment of a result: it is the mean of all of them. */
  const gboolean is_mean = es_sonar_cursor_get_powers_row (cursor, &shown) && shown == G_MAXUINT;
  es_map_view_set_cursor (view, at[side < found ? side : 0], is_mean ? NAN : row + 0.5);
  es_map_view_set_lines (view, found == 2 && !isnan (at[1 - side]) ? 1 : 0, &at[1 - side], FALSE);
  powers = is_mean ? es_sonar_cursor_get_powers (cursor, kind_of (pane))
                   : es_beam_history_get_row_of (es_sonar_source_get_history (source), kind_of (pane), (guint) row);
  if (powers != NULL && is_mean && es_bearing_scale_is_steady (es_bearing_scale_of (pane)))
    n = es_beam_history_list_arrivals (es_sonar_source_get_history (source), kind_of (pane), shown, N_PEAKS, peaks);
  else if (powers != NULL && !is_mean)
    n = es_beam_history_list_peaks (es_sonar_source_get_history (source), kind_of (pane),
                                    (guint) row, N_PEAKS, PEAK_RANGE,
                                    kind_of (pane) == ES_BEAM_CBF ? 2 : 1, peaks);
  if (powers != NULL && kind_of (pane) != ES_BEAM_CBF)
    n = es_peaks_above_noise (peaks, n, powers, settings->n_angles);
  found = 0;
  for (guint i = 0; i < n; i++)
    found += find_columns (pane, row, peaks[i].bearing, columns + found);
  es_map_view_set_peaks (view, found, columns);
  es_btr_tracks_update (ES_BTR_PANE (pane)->tracks, source, es_sonar_extent_of (pane), es_sonar_look_of (pane),
                        es_bearing_scale_of (pane), view);
}

static void
picked (EsWaterfallPane *pane, double column, guint64 row)
{
  EsMapView *view = es_waterfall_pane_get_view (pane);

  es_sonar_cursor_point (es_sonar_cursor_of (pane), es_map_view_value_of (view, floor (MAX (column, 0)) + 0.5), row);
}

static char *
describe (EsWaterfallPane *pane, double column, guint64 row)
{
  EsHeatmap *map = es_waterfall_pane_get_map (pane);
  guint at = MIN ((guint) column, es_heatmap_get_n_columns (map) - 1);
  EsBearingScale *scale = es_bearing_scale_of (pane);
  const double heading = es_bearing_scale_get_heading (scale, row);
  guint side;
  const double bearing = es_bearing_scale_find (scale, heading,
                                                es_map_view_value_of (es_waterfall_pane_get_view (pane), at + 0.5),
                                                &side);
  g_autofree char *level = es_sonar_format_level (es_heatmap_get_value (map, at, row));
  g_autofree char *where = isnan (bearing) ? g_strdup (_("heading not known"))
                                           : es_bearing_scale_describe (scale, heading, bearing, side);

  return g_strdup_printf ("%s  %s dB", where, level);
}

/* Written round or from north there are places that no beam looks at. */
static const char *
explain (EsWaterfallPane *pane, double column, guint64 row)
{
  EsBearingScale *scale = es_bearing_scale_of (pane);
  const double heading = es_bearing_scale_get_heading (scale, row);
  const double place = es_map_view_value_of (es_waterfall_pane_get_view (pane), floor (column) + 0.5);

  if (es_bearing_scale_is_plain (scale) || !isnan (es_bearing_scale_find (scale, heading, place, NULL)))
    return NULL;
  return isnan (heading) ? _("heading not known") : _("not searched: no beam looks there");
}

static const char *
measure (EsWaterfallPane *pane, double first, double last, double seconds)
{
  EsBtrPane *self = ES_BTR_PANE (pane);
  const double low = MIN (first, last), high = MAX (first, last);

  g_free (self->words);
  self->words = g_strdup_printf (_("%.1f° to %.1f°: %.1f°, %.3g°/s"), low, high, high - low,
                                 seconds > 0 ? (high - low) / seconds : 0);
  return self->words;
}

static void
on_stepped (EsBtrPane *self, int columns, int rows)
{
  es_sonar_cursor_step (es_sonar_cursor_of (self), columns, rows);
}

static void
es_btr_pane_finalize (GObject *object)
{
  es_btr_tracks_free (ES_BTR_PANE (object)->tracks);
  g_free (ES_BTR_PANE (object)->words);
  G_OBJECT_CLASS (es_btr_pane_parent_class)->finalize (object);
}

static void
es_btr_pane_class_init (EsBtrPaneClass *klass)
{
  EsWaterfallPaneClass *waterfall = ES_WATERFALL_PANE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = es_btr_pane_finalize;
  waterfall->prepare = prepare;
  waterfall->fill = fill;
  waterfall->get_unit = get_unit;
  waterfall->mark = mark;
  waterfall->picked = picked;
  waterfall->describe = describe;
  waterfall->measure = measure;
  waterfall->explain = explain;
  waterfall->refill |= ES_SONAR_CHANGE_WRITING;
}

static void
es_btr_pane_init (EsBtrPane *self)
{
  self->tracks = es_btr_tracks_new ();
}

EsSonarPane *
es_btr_pane_new (EsSonarDisplay *display, const char *id, EsBeamKind kind)
{
  EsBtrPane *self = g_object_new (ES_TYPE_BTR_PANE, NULL);

  es_waterfall_pane_set_up (ES_WATERFALL_PANE (self), display, id, _("Bearing-time record"));
  es_sonar_pane_add_chooser (ES_SONAR_PANE (self), kind);
  g_signal_connect_object (es_waterfall_pane_get_view (ES_WATERFALL_PANE (self)), "stepped", G_CALLBACK (on_stepped),
                           self, G_CONNECT_SWAPPED);
  return ES_SONAR_PANE (self);
}
