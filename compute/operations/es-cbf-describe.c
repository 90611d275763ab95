/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result of conventional beamforming: layers band-energy, energy-field, fraz, btr, lofar, peaks, detections;
 * values; warnings. */

#include "es-cbf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-element-health-private.h"

static double
to_level (double power)
{
  return power > 0 ? 10 * log10 (power) : NAN;
}

static gboolean
is_calibrated (EsCbf *self)
{
  return !isnan (es_recording_get_calibration (self->recording));
}

static const char *
level_unit (EsCbf *self)
{
  return is_calibrated (self) ? _("dB re 1 µPa²") : _("dB re full scale²");
}

static void
set_reference (EsCbf *self, EsField *field)
{
  es_field_set_reference (field, is_calibrated (self) ? "1 µPa²" : _("full scale²"), NULL);
}

/* What a file of this layer alone has to say. */
static void
add_metadata (EsCbf *self, EsField *field)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree char *geometry = es_array_to_json (self->array);
  g_autofree char *band = g_strdup_printf ("%g:%g", es_beam_settings_get_frequency (settings, settings->cbf_first),
                                           es_beam_settings_get_frequency (settings, settings->cbf_first
                                                                                     + settings->cbf_bins - 1));
  g_autofree char *speed = g_strdup_printf ("%g", settings->sound_speed);
  g_autofree char *rate = g_strdup_printf ("%.9g", settings->rate);
  g_autofree char *block = g_strdup_printf ("%u", settings->block), *length = g_strdup_printf ("%u", settings->length);
  g_autofree char *snapshots = g_strdup_printf ("%u", settings->snapshots);
  g_autofree char *hop = g_strdup_printf ("%u", settings->hop);

  es_field_add_metadata (field, "recording", es_dataset_get_name (ES_DATASET (self->recording)));
  es_field_add_metadata (field, "band_hz", band);
  es_field_add_metadata (field, "sound_speed_m_s", speed);
  es_field_add_metadata (field, "rate_hz", rate);
  es_field_add_metadata (field, "block_samples", block);
  es_field_add_metadata (field, "transform_samples", length);
  es_field_add_metadata (field, "snapshots", snapshots);
  es_field_add_metadata (field, "hop_samples", hop);
  es_field_add_metadata (field, "window", es_params_get_choice_id (self->params, "window"));
  es_field_add_metadata (field, "shading", es_params_get_choice_id (self->params, "shading"));
  es_field_add_metadata (field, "diagonal", es_params_get_choice_id (self->params, "diagonal"));
  es_field_add_metadata (field, "normaliser", "none");
  es_field_add_metadata (field, "array", geometry);
}

static void
publish (EsCbf *self, EsResult *result, EsField *field)
{
  set_reference (self, field);
  add_metadata (self, field);
  es_result_add_layer (result, ES_LAYER (field));
}

/* ---- curves ---- */

/* The third octaves (base 10, IEC 61260) that bins of the band fall into, one curve each. */
static void
add_third_octaves (EsCbf *self, EsCurve *curve)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree double *levels = g_new (double, settings->n_angles);

  for (guint b = 0; b < settings->cbf_bins;)
    {
      const double frequency = es_beam_settings_get_frequency (settings, settings->cbf_first + b);
      const double index = frequency > 0 ? floor (10 * log10 (frequency / 1000) + 0.5) : -INFINITY;
      const guint from = b;

      for (b++; b < settings->cbf_bins; b++)
        {
          const double next = es_beam_settings_get_frequency (settings, settings->cbf_first + b);
          if (floor (10 * log10 (next / 1000) + 0.5) != index)
            break;
        }
      if (isinf (index))
        continue;
      for (guint a = 0; a < settings->n_angles; a++)
        {
          const double *by_bin = self->spectra + (gsize) a * settings->n_bins + settings->cbf_first
                                 - settings->first_bin;
          double sum = 0;
          for (guint i = from; i < b; i++)
            sum += by_bin[i];
          levels[a] = to_level (sum);
        }
      g_autofree char *title = g_strdup_printf (_("%.3g Hz"), 1000 * pow (10, index / 10));
      es_curve_add_series (curve, title, level_unit (self), ES_CURVE_LINE, FALSE, levels);
    }
}

static EsCurve *
make_band_energy (EsCbf *self)
{
  const EsBeamSettings *settings = self->settings;
  const guint n = settings->n_angles, far = es_beam_settings_find_far (settings);
  EsCurve *curve = es_curve_new ("band-energy", _("Band energy"), "band-energy", n, settings->angles,
                                 es_array_is_line (self->array) ? _("Bearing") : _("Azimuth"), "°");
  g_autofree double *levels = g_new (double, n);

  /* Without a far row: each of the others. */
  for (guint row = 0; row < settings->n_ranges; row++)
    if (row == far || far == settings->n_ranges)
      {
        g_autofree char *title = es_beam_settings_name_range (settings, row);
        for (guint i = 0; i < n; i++)
          levels[i] = to_level (self->field[(gsize) row * n + i]);
        es_curve_add_series (curve, title, level_unit (self), ES_CURVE_LINE, FALSE, levels);
      }
  if (es_params_get_choice (self->params, "bands") == 1 && self->spectra != NULL)
    add_third_octaves (self, curve);
  return curve;
}

/* ---- fields ---- */

static EsField *
make_energy_field (EsCbf *self, float *field, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const gsize n = (gsize) settings->n_ranges * settings->n_angles;
  const EsAxis rows = { settings->range_kind == ES_RANGE_SLANT ? _("Slant range") : _("Perpendicular distance"),
                        (char *) "m", settings->n_ranges, settings->ranges };
  const EsAxis columns = { es_array_is_line (self->array) ? _("Bearing") : _("Azimuth"), (char *) "°",
                           settings->n_angles, settings->angles };
  EsField *layer = es_field_new ("energy-field", _("Energy field"), ES_LAYER_FIELD, "energy-field", &rows, &columns, 0,
                                 error);

  for (gsize i = 0; i < n; i++)
    field[i] = (float) self->field[i];
  if (layer != NULL)
    memcpy (es_field_get_writable (layer), field, n * sizeof *field);
  return layer;
}

static EsField *
make_fraz (EsCbf *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const guint n_bins = settings->n_bins, n_angles = settings->n_angles;
  g_autofree double *frequencies = g_new (double, n_bins);
  const EsAxis rows = { _("Frequency"), (char *) "Hz", n_bins, frequencies };
  const EsAxis columns = { es_array_is_line (self->array) ? _("Bearing") : _("Azimuth"), (char *) "°", n_angles,
                           settings->angles };
  EsField *layer;

  for (guint b = 0; b < n_bins; b++)
    frequencies[b] = es_beam_settings_get_frequency (settings, settings->first_bin + b);
  layer = es_field_new ("fraz", _("Frequency over bearing"), ES_LAYER_FIELD, "fraz", &rows, &columns, 0, error);
  if (layer == NULL)
    return NULL;
  for (guint b = 0; b < n_bins; b++)
    for (guint a = 0; a < n_angles; a++)
      es_field_get_writable (layer)[(gsize) b * n_angles + a] = (float) self->spectra[(gsize) a * n_bins + b];
  return layer;
}

/* ---- peaks and values ---- */

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static JsonArray *
list_peaks (EsCbf *self, const EsBeamPeak *peaks, guint n)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < n; i++)
    {
      JsonObject *peak = json_object_new ();

      set_number (peak, "bearing_deg", peaks[i].bearing);
      set_number (peak, "range_m", self->settings->ranges[peaks[i].row]);
      set_number (peak, "level_db", peaks[i].level);
      set_number (peak, "width_deg", peaks[i].width);
      set_number (peak, "margin_db", peaks[i].margin);
      json_object_set_boolean_member (peak, "at_edge", peaks[i].at_edge);
      json_array_add_object_element (array, peak);
    }
  return array;
}

static EsTable *
make_peaks_table (EsCbf *self, const EsBeamPeak *peaks, guint n)
{
  EsTable *table = es_table_new ("peaks", _("Peaks"));

  es_table_add_column (table, _("Bearing"), "°", 2);
  es_table_add_column (table, _("Range"), NULL, -1);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Width"), "°", 2);
  es_table_add_column (table, _("Margin"), "dB", 2);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *range = es_beam_settings_name_range (self->settings, peaks[i].row);
      const gconstpointer cells[] = { &peaks[i].bearing, range, &peaks[i].level, &peaks[i].width, &peaks[i].margin };
      es_table_add_row (table, cells);
    }
  return table;
}

static void
add_values (EsCbf *self, EsResult *result, const EsBeamPeak *peaks, guint n_peaks)
{
  const EsBeamSettings *settings = self->settings;
  JsonObject *values = json_object_new ();
  g_autofree char *geometry = es_array_to_json (self->array);
  JsonNode *array = json_from_string (geometry, NULL);
  const double seconds = self->n_blocks * (settings->block / settings->rate);

  json_object_set_array_member (values, "peaks", list_peaks (self, peaks, n_peaks));
  json_object_set_string_member (values, "level_reference", is_calibrated (self) ? "1 uPa^2" : "full scale^2");
  json_object_set_int_member (values, "blocks", (gint64) self->n_blocks);
  set_number (values, "block_seconds", settings->block / settings->rate);
  set_number (values, "seconds", seconds);
  set_number (values, "real_time_factor", self->run_seconds > 0 ? seconds / self->run_seconds : NAN);
  set_number (values, "first_call_ms", 1e3 * self->setup_seconds);
  set_number (values, "input_ms", self->input_ms);
  set_number (values, "transform_ms", self->transform_ms);
  set_number (values, "beams_ms", self->beams_ms);
  json_object_set_int_member (values, "transform_length", settings->length);
  json_object_set_int_member (values, "snapshots", settings->snapshots);
  json_object_set_int_member (values, "angles", settings->n_angles);
  json_object_set_int_member (values, "cbf_first_bin", settings->cbf_first);
  json_object_set_int_member (values, "cbf_bins", settings->cbf_bins);
  json_object_set_int_member (values, "lofar_first_bin", settings->lofar_first);
  json_object_set_int_member (values, "lofar_bins", settings->lofar_bins);
  set_number (values, "sound_speed", settings->sound_speed);
  json_object_set_int_member (values, "elements", es_array_get_n_alive (self->array));
  json_object_set_int_member (values, "reference_element", es_array_get_reference (self->array));
  if (self->lofar != NULL)
    set_number (values, "lofar_bearing_deg", settings->angles[self->lofar_angle]);
  if (array != NULL)
    json_object_set_member (values, "array", array);
  es_result_set_values (result, values);
}

/* ---- warnings ---- */

static void
add_warnings (EsCbf *self, EsResult *result, const EsBeamPeak *peaks, guint n_peaks)
{
  const EsBeamSettings *settings = self->settings;
  const double high = es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1);
  g_auto (GStrv) notes = es_array_check (self->array, es_recording_get_n_channels (self->recording), high,
                                         settings->ranges, settings->n_ranges, settings->block / settings->rate);

  for (guint i = 0; notes[i] != NULL; i++)
    es_result_add_warning (result, "%s", notes[i]);
  es_element_health_warn (result, self->array, self->health, es_array_get_n_elements (self->array), 1);
  if (n_peaks > 0 && peaks[0].at_edge && settings->n_angles > 1)
    es_result_add_warning (result,
                           _("The strongest beam is at the edge of the search, %g°: the source may lie beyond."),
                           peaks[0].bearing);
  if (n_peaks == 0)
    es_result_add_warning (result, "%s",
                           _("No direction stands out: the band holds no energy, or the same everywhere."));
}

EsResult *
es_cbf_describe (EsCbf *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree float *field = g_new (float, (gsize) settings->n_ranges * settings->n_angles);
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, self->n_peaks);
  g_autoptr (EsCurve) energy = make_band_energy (self);
  g_autoptr (EsField) map = make_energy_field (self, field, error);
  g_autoptr (EsField) fraz = NULL;
  g_autoptr (EsTable) table = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autofree char *title = NULL;
  guint n_peaks;

  if (map == NULL || (self->spectra != NULL && (fraz = make_fraz (self, error)) == NULL))
    return NULL;
  n_peaks = es_find_peaks_of_field (settings->angles, field, settings->n_ranges, settings->n_angles, self->n_peaks,
                                    self->peak_range, 0, peaks);
  table = make_peaks_table (self, peaks, n_peaks);
  result = es_result_new (&es_operation_cbf, ES_DATASET (self->recording), self->params);
  title = n_peaks > 0 ? g_strdup_printf (_("Beams, strongest at %.1f°"), peaks[0].bearing) : g_strdup (_("Beams"));
  es_result_set_title (result, title);
  es_result_add_layer (result, ES_LAYER (energy));
  publish (self, result, map);
  if (fraz != NULL)
    publish (self, result, fraz);
  if (self->btr != NULL)
    {
      publish (self, result, self->btr);
      publish (self, result, self->lofar);
    }
  es_result_add_layer (result, ES_LAYER (table));
  es_result_add_layer (result, ES_LAYER (self->detections));
  add_values (self, result, peaks, n_peaks);
  add_warnings (self, result, peaks, n_peaks);
  return g_steal_pointer (&result);
}
