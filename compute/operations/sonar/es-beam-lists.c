/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Tables, values and warnings of beams. */

#include "es-beam-layers-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-element-health-private.h"
#include "es-horizon-private.h"
#include "signal/es-normalise.h"
#include "signal/es-tone.h"

static gboolean
shows_mirrors (EsBeamGather *gather)
{
  double plane;

  return gather->settings->adaptive.on && es_array_get_mirror_plane (gather->array, &plane);
}

/* ---- tables ---- */

void
es_beam_layers_add_peak_columns (EsBeamGather *gather, EsTable *table, gboolean timed)
{
  if (timed)
    es_table_add_column (table, _("Time"), "s", 3);
  es_table_add_column (table, _("Bearing"), "°", 2);
  if (shows_mirrors (gather))
    es_table_add_column (table, _("Mirror"), "°", 2);
  es_table_add_column (table, _("Range"), "m", 0);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Width"), "°", 2);
  es_table_add_column (table, _("Margin"), "dB", 2);
  es_horizon_add_columns (table, gather->array, gather->navigation, timed);
}

void
es_beam_layers_add_peak (EsBeamGather *gather, EsTable *table, const double *time, const EsBeamPeak *peak)
{
  const double mirror = es_array_get_mirror (gather->array, peak->bearing);
  g_auto (EsHorizonCells) horizon = { 0 };
  gconstpointer cells[7 + ES_HORIZON_MOST_CELLS];
  guint n = 0;

  if (time != NULL)
    cells[n++] = time;
  cells[n++] = &peak->bearing;
  if (shows_mirrors (gather))
    cells[n++] = &mirror;
  cells[n++] = &gather->settings->ranges[peak->row];
  cells[n++] = &peak->level;
  cells[n++] = &peak->width;
  cells[n++] = &peak->margin;
  es_horizon_fill (&horizon, gather->array, gather->navigation, time, peak->bearing, cells + n);
  es_table_add_row (table, cells);
}

EsTable *
es_beam_layers_new_lifts (void)
{
  EsTable *table = es_table_new ("lifts", _("Peaks between two beams over time"));

  es_table_add_column (table, _("Time"), "s", 3);
  es_table_add_column (table, _("Beam"), "°", 2);
  es_table_add_column (table, _("Level at the beam"), "dB", 2);
  es_table_add_column (table, _("Bearing"), "°", 2);
  es_table_add_column (table, _("Level"), "dB", 2);
  return table;
}

void
es_beam_layers_add_lifts (EsBeamGather *gather, EsTable *table, double time, const EsBeamLift *lifts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const double sample = es_beam_layers_to_level (lifts[i].sample), bearing = lifts[i].bearing;
      const double level = es_beam_layers_to_level (lifts[i].power);
      const gconstpointer cells[] = { &time, &gather->settings->angles[lifts[i].index], &sample, &bearing, &level };

      es_table_add_row (table, cells);
    }
}

EsTable *
es_beam_layers_new_table (EsBeamGather *gather, const char *name, const char *title)
{
  g_autofree char *heading = es_array_head_from_origin (gather->array, title);

  return es_table_new (name, heading);
}

EsTable *
es_beam_layers_make_peaks (EsBeamGather *gather, const EsBeamPeak *peaks, guint n)
{
  EsTable *table = es_beam_layers_new_table (gather, "peaks", _("Peaks"));

  es_beam_layers_add_peak_columns (gather, table, FALSE);
  for (guint i = 0; i < n; i++)
    es_beam_layers_add_peak (gather, table, NULL, &peaks[i]);
  return table;
}

EsTable *
es_beam_layers_make_tracks (EsBeamGather *gather)
{
  GPtrArray *tracks = es_tracker_get_tracks (gather->tracker);
  EsTable *table = es_beam_layers_new_table (gather, "tracks", _("Tracks"));

  es_table_add_column (table, _("Track"), NULL, 0);
  es_table_add_column (table, _("Time"), "s", 3);
  es_table_add_column (table, _("Bearing"), "°", 2);
  es_table_add_column (table, _("Rate"), "°/s", 4);
  es_table_add_column (table, _("Deviation"), "°", 2);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Measured"), "°", 2);
  es_horizon_add_columns (table, gather->array, gather->navigation, TRUE);
  for (guint i = 0; i < tracks->len; i++)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);
      const double id = track->id;

      for (guint k = 0; k < track->points->len; k++)
        {
          const EsTrackPoint *point = &g_array_index (track->points, EsTrackPoint, k);
          g_auto (EsHorizonCells) horizon = { 0 };
          gconstpointer cells[7 + ES_HORIZON_MOST_CELLS] = { &id, &point->time, &point->bearing, &point->rate,
                                                             &point->deviation, &point->level, &point->measured };

          es_horizon_fill (&horizon, gather->array, gather->navigation, &point->time, point->bearing, cells + 7);
          es_table_add_row (table, cells);
        }
    }
  return table;
}

/* ---- values ---- */

void
es_beam_layers_set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

JsonArray *
es_beam_layers_list_peaks (EsBeamGather *gather, const EsBeamPeak *peaks, guint n)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < n; i++)
    {
      JsonObject *peak = json_object_new ();

      es_beam_layers_set_number (peak, "bearing_deg", peaks[i].bearing);
      es_beam_layers_set_number (peak, "mirror_deg", es_array_get_mirror (gather->array, peaks[i].bearing));
      es_beam_layers_set_number (peak, "range_m", gather->settings->ranges[peaks[i].row]);
      es_beam_layers_set_number (peak, "level_db", peaks[i].level);
      es_beam_layers_set_number (peak, "width_deg", peaks[i].width);
      es_beam_layers_set_number (peak, "margin_db", peaks[i].margin);
      json_object_set_boolean_member (peak, "at_edge", peaks[i].at_edge);
      es_horizon_add_members (peak, gather->array, gather->navigation, peaks[i].bearing);
      json_array_add_object_element (array, peak);
    }
  return array;
}

JsonObject *
es_beam_layers_make_values (EsBeamGather *gather, const EsBeamPeak *peaks, guint n_peaks)
{
  const EsBeamSettings *settings = gather->settings;
  JsonObject *values = json_object_new ();
  const double seconds = gather->n_blocks * (settings->block / settings->rate);

  json_object_set_array_member (values, "peaks", es_beam_layers_list_peaks (gather, peaks, n_peaks));
  json_object_set_string_member (values, "level_reference",
                                 es_beam_layers_is_calibrated (gather) ? "1 uPa^2" : "full scale^2");
  json_object_set_int_member (values, "blocks", (gint64) gather->n_blocks);
  es_beam_layers_set_number (values, "block_seconds", settings->block / settings->rate);
  es_beam_layers_set_number (values, "seconds", seconds);
  es_beam_layers_set_number (values, "real_time_factor",
                             gather->run_seconds > 0 ? seconds / gather->run_seconds : NAN);
  es_beam_layers_set_number (values, "first_call_ms", 1e3 * gather->setup_seconds);
  es_beam_layers_set_number (values, "input_ms", gather->input_ms);
  es_beam_layers_set_number (values, "transform_ms", gather->transform_ms);
  es_beam_layers_set_number (values, "beams_ms", gather->beams_ms);
  json_object_set_int_member (values, "transform_length", settings->length);
  json_object_set_int_member (values, "snapshots", settings->snapshots);
  json_object_set_int_member (values, "angles", settings->n_angles);
  json_object_set_int_member (values, "cbf_first_bin", settings->cbf_first);
  json_object_set_int_member (values, "cbf_bins", settings->cbf_bins);
  json_object_set_int_member (values, "lofar_first_bin", settings->lofar_first);
  json_object_set_int_member (values, "lofar_bins", settings->lofar_bins);
  es_beam_layers_set_number (values, "sound_speed", settings->sound_speed);
  json_object_set_string_member (values, "sound_speed_source",
                                 es_params_get_float (gather->params, "sound-speed") != 0 ? "parameter"
                                 : es_array_is_sound_speed_told (gather->array) ? "array" : "assumed");
  json_object_set_int_member (values, "elements", es_array_get_n_alive (gather->array));
  es_array_add_origin (gather->array, values);
  json_object_set_int_member (values, "tracks", es_tracker_get_tracks (gather->tracker)->len);
  if (gather->lofar != NULL)
    es_beam_layers_set_number (values, "lofar_bearing_deg", settings->angles[gather->lofar_angle]);
  es_calibration_add_values (gather->calibration, values);
  es_navigation_add_values (gather->navigation, values);
  json_object_set_member (values, "array", es_array_to_node (gather->array));
  return values;
}

/* ---- warnings ---- */

/* Of a line over its background, as a power. */
#define STANDS_OUT 10
/* Bins next to a line that its window spreads it over (more where zeros follow it), and to both sides of these those
 * that it is compared with. */
#define SPREAD 3
#define NEIGHBOURS 16

/* Bearings are of a band that nobody has chosen: what is louder than all of it, and outside, is not passed over. */
static void
warn_of_lines (EsBeamGather *gather, EsResult *result)
{
  const EsBeamSettings *settings = gather->settings;
  const double spacing = (double) settings->window_length / settings->length;
  const guint spread = (guint) ceil (SPREAD / spacing);
  const EsNormaliser normaliser = { ES_NORMALISER_SPLIT_WINDOW, NEIGHBOURS, spread, 2 };
  const EsBeamSums *sums = &gather->sums[ES_BEAM_CBF];
  const guint n = settings->n_bins, first = settings->cbf_first - settings->first_bin;
  g_autofree float *powers = NULL, *excess = NULL;
  double loudest = 0, offset, power;
  guint line = G_MAXUINT;

  if (sums->spectra == NULL || *es_params_get_text (gather->params, "band") != '\0')
    return;
  powers = g_new0 (float, n);
  excess = g_new (float, n);
  for (guint angle = 0; angle < settings->n_angles; angle++)
    {
      const double *spectrum = sums->spectra + (gsize) angle * n;
      double sum = 0;

      for (guint bin = 0; bin < n; bin++)
        {
          powers[bin] = MAX (powers[bin], (float) spectrum[bin]);
          sum += bin >= first && bin < first + settings->cbf_bins ? spectrum[bin] : 0;
        }
      loudest = MAX (loudest, sum);
    }
  es_normalise_line (&normaliser, powers, 1, n, excess, 1);
  for (guint bin = 1; bin + 1 < n; bin++)
    if ((bin + spread < first || bin >= first + settings->cbf_bins + spread) && powers[bin] > loudest
        && (line == G_MAXUINT || powers[bin] > powers[line]) && excess[bin] > STANDS_OUT)
      line = bin;
  if (line == G_MAXUINT)
    return;
  const double bins[3] = { powers[line - 1], powers[line], powers[line + 1] };
  es_tone_measure (settings->window, spacing, bins, powers[line] / excess[line], &offset, &power);
  es_result_add_warning (result,
                         _("Bearings are of %.5g to %.5g Hz alone; louder than all of that is a line at %.5g Hz, "
                           "which is not heard in them. Set the band to see where it comes from."),
                         es_beam_settings_get_frequency (settings, settings->cbf_first),
                         es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1),
                         (settings->first_bin + line + offset) * settings->rate / settings->length);
}

void
es_beam_layers_warn (EsBeamGather *gather, EsResult *result, const EsBeamPeak *peaks, guint n_peaks)
{
  const EsBeamSettings *settings = gather->settings;
  const double high = es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1);
  g_autoptr (EsArray) array = es_array_with_sound_speed (gather->array, settings->sound_speed);
  const gboolean is_given = es_params_get_float (gather->params, "sound-speed") != 0;
  g_autofree char *speed = es_array_warn_of_sound_speed (is_given ? array : gather->array);
  g_auto (GStrv) notes = es_array_check (array, es_recording_get_n_channels (gather->recording), high,
                                         settings->ranges, settings->n_ranges,
                                         settings->window_length / settings->rate);
  g_autofree char *angles = es_beam_settings_warn_of_angles (settings, gather->array);
  g_autofree char *horizon = es_array_warn_of_horizon (gather->array);

  for (guint i = 0; notes[i] != NULL; i++)
    es_result_add_warning (result, "%s", notes[i]);
  if (horizon != NULL)
    es_result_add_warning (result, "%s", horizon);
  if (angles != NULL)
    es_result_add_warning (result, "%s", angles);
  if (speed != NULL)
    es_result_add_warning (result, "%s", speed);
  es_result_warn_of_growth (result, gather->recording, gather->params,
                            (double) (gather->first + gather->n_blocks * settings->block) / settings->rate);
  es_element_health_warn (result, gather->array, gather->health, es_array_get_n_elements (gather->array), 1);
  if (n_peaks > 0 && peaks[0].at_edge && settings->n_angles > 1)
    es_result_add_warning (result,
                           _("The strongest beam is at the edge of the search, %g°: the source may lie beyond."),
                           peaks[0].bearing);
  warn_of_lines (gather, result);
  if (n_peaks == 0)
    es_result_add_warning (result, "%s",
                           _("No direction stands out: the band holds no energy, or the same everywhere."));
}
