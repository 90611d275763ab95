/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A history that shows what a result found: its bearing-time record row by row, the rest over all of its time. */

#include "es-beam-history-private.h"
#include "layer/es-curve.h"

#include <math.h>
#include <string.h>

#include "beam/es-beam-grid-internal.h"
#include "beam/es-beam-probe-internal.h"
#include "result/es-saved-internal.h"

/* Beams by a settings object that only knows what the layers' axes say. */
#define TRANSFORM_LENGTH 65536

static EsLayer *
find_layer (EsResult *result, EsLayerKind kind, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  return layer != NULL && es_layer_get_kind (layer) == kind ? layer : NULL;
}

/* "btr", "btr-mvdr", "btr-music". Transfer full. */
static EsField *
find_field (EsResult *result, const char *role, EsBeamKind kind)
{
  static const char *const suffixes[ES_N_BEAM_KINDS] = { "", "-mvdr", "-music" };
  GListModel *layers = es_result_get_layers (result);
  g_autofree char *name = g_strconcat (role, suffixes[kind], NULL);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      if (ES_IS_FIELD (layer) && g_strcmp0 (es_layer_get_name (layer), name) == 0)
        return ES_FIELD (g_steal_pointer (&layer));
    }
  for (guint i = 0; kind == ES_BEAM_CBF && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      if (ES_IS_FIELD (layer) && g_strcmp0 (es_field_get_role (ES_FIELD (layer)), role) == 0
          && !g_str_has_suffix (es_layer_get_name (layer), suffixes[ES_BEAM_MVDR])
          && !g_str_has_suffix (es_layer_get_name (layer), suffixes[ES_BEAM_MUSIC]))
        return ES_FIELD (g_steal_pointer (&layer));
    }
  return NULL;
}

static EsArray *
find_array (EsResult *result)
{
  JsonObject *values = es_result_get_values (result);
  EsDataset *dataset = es_result_get_dataset (result);

  if (values != NULL && json_object_has_member (values, "array"))
    {
      EsArray *array = es_array_from_node (json_object_get_member (values, "array"), NULL);
      if (array != NULL)
        return array;
    }
  return ES_IS_RECORDING (dataset) ? es_recording_get_array (ES_RECORDING (dataset)) : NULL;
}

static double *
copy_values (const EsAxis *axis)
{
  return g_memdup2 (axis->values, axis->n * sizeof *axis->values);
}

/* Axes win over parameters: they are what the numbers belong to. */
static EsBeamSettings *
make_settings (EsBeamHistory *self, EsResult *result, EsArray *array, EsField *energy, EsField *fraz)
{
  EsDataset *dataset = es_result_get_dataset (result);
  const EsAxis *angles = self->btr[ES_BEAM_CBF] != NULL ? es_field_get_columns (self->btr[ES_BEAM_CBF])
                         : energy != NULL ? es_field_get_columns (energy) : fraz != NULL ? es_field_get_columns (fraz)
                         : NULL;
  const EsAxis *bins = fraz != NULL ? es_field_get_rows (fraz)
                       : self->lofar != NULL ? es_field_get_columns (self->lofar) : NULL;
  EsBeamSettings *settings = NULL;
  g_autoptr (EsBeamSettings) told = NULL;

  if (ES_IS_RECORDING (dataset) && array != NULL
      && es_param_specs_find (es_params_get_specs (es_result_get_params (result)), "angles") != NULL)
    settings = es_beam_settings_new (es_result_get_params (result), ES_RECORDING (dataset), array, NULL);
  told = settings != NULL ? es_beam_settings_copy (settings) : NULL;
  if (settings == NULL)
    {
      EsBeamSettings empty = { .sound_speed = 1500, .snapshots = 1, .hop = 1, .block = 1, .window_length = 1,
                               .length = TRANSFORM_LENGTH, .rate = 1 };
      settings = es_beam_settings_copy (&empty);
    }
  if (angles != NULL && (settings->n_angles != angles->n
                         || memcmp (settings->angles, angles->values, angles->n * sizeof *angles->values) != 0))
    {
      g_free (settings->angles);
      settings->angles = copy_values (angles);
      settings->n_angles = angles->n;
    }
  if (energy != NULL && settings->n_ranges != es_field_get_rows (energy)->n)
    {
      g_free (settings->ranges);
      settings->ranges = copy_values (es_field_get_rows (energy));
      settings->n_ranges = es_field_get_rows (energy)->n;
    }
  else if (settings->n_ranges == 0)
    {
      settings->ranges = g_new (double, 1);
      settings->ranges[0] = INFINITY;
      settings->n_ranges = 1;
    }
  if (bins != NULL && bins->n > 0 && bins->n != settings->n_bins)
    {
      const double spacing = bins->n > 1 ? (bins->values[bins->n - 1] - bins->values[0]) / (bins->n - 1) : 1;
      settings->length = TRANSFORM_LENGTH;
      settings->rate = spacing * TRANSFORM_LENGTH;
      settings->first_bin = (guint) MAX (floor (bins->values[0] / spacing + 0.5), 0);
      settings->n_bins = bins->n;
      settings->cbf_first = settings->lofar_first = settings->first_bin;
      settings->cbf_bins = settings->lofar_bins = settings->n_bins;
    }
  settings->adaptive.on = settings->adaptive.on || self->btr[ES_BEAM_MVDR] != NULL;
  self->is_formable = told != NULL && es_beam_settings_equal_but_adaptive (told, settings)
                      && told->adaptive.on == settings->adaptive.on;
  if (array != NULL && settings->n_bins > 0)
    es_beam_grid_judge (settings, array);
  return settings;
}

/* The whole of a field whose shape is what the settings say; NULL otherwise. */
static float *
read_all (EsField *field, guint rows, guint columns)
{
  g_autofree float *values = NULL;

  if (field == NULL || es_field_get_rows (field)->n != rows || es_field_get_columns (field)->n != columns)
    return NULL;
  values = g_try_new (float, (gsize) rows * columns);
  if (values == NULL || !es_field_read (field, 0, rows, values, NULL))
    return NULL;
  return g_steal_pointer (&values);
}

static guint
find_lofar_angle (EsResult *result, const EsBeamSettings *settings)
{
  JsonObject *values = es_result_get_values (result);
  const double bearing = es_saved_get_number (values, "lofar_bearing_deg", NAN);
  guint nearest = G_MAXUINT;

  for (guint i = 0; i < settings->n_angles && isfinite (bearing); i++)
    if (nearest == G_MAXUINT || fabs (settings->angles[i] - bearing) < fabs (settings->angles[nearest] - bearing))
      nearest = i;
  return nearest;
}

/* ---- adaptive beams ---- */

/* The mean of the far row: band energy over bearing, a series for each kind, in dB. Without an energy field, what is
 * far is all there is. */
static float *
read_band_energy (EsResult *result, EsBeamKind kind, const EsBeamSettings *settings)
{
  EsLayer *layer = find_layer (result, ES_LAYER_CURVE, "band-energy");
  EsCurve *curve = layer != NULL ? ES_CURVE (layer) : NULL;
  float *powers;

  if (curve == NULL || (kind != ES_BEAM_CBF && !settings->adaptive.on) || kind >= es_curve_get_n_series (curve)
      || es_beam_settings_find_far (settings) >= settings->n_ranges
      || es_curve_get_length (curve) != settings->n_angles)
    return NULL;
  powers = g_try_new (float, settings->n_angles);
  for (guint i = 0; powers != NULL && i < settings->n_angles; i++)
    {
      const double level = es_curve_get_series (curve, kind)->y[i];
      powers[i] = isnan (level) ? 0 : (float) pow (10, level / 10);
    }
  return powers;
}

static void
take_eigenvalues (EsBeamHistory *self, EsResult *result)
{
  EsLayer *layer = find_layer (result, ES_LAYER_FIELD, "eigenvalues");
  const guint n_bins = self->form->settings->n_bins;
  g_autofree float *values = NULL;

  if (layer == NULL)
    return;
  const guint n = es_field_get_columns (ES_FIELD (layer))->n;
  values = read_all (ES_FIELD (layer), n_bins, n);
  self->eigenvalues = values != NULL ? g_try_new (double, (gsize) n_bins * n) : NULL;
  if (self->eigenvalues == NULL)
    return;
  for (gsize i = 0; i < (gsize) n_bins * n; i++)
    self->eigenvalues[i] = isnan (values[i]) ? 0 : values[i];
  self->n_eigenvalues = n;
}

/* The beam pattern at the strongest arrival: series of CBF and MVDR, in dB. */
static void
take_probe (EsBeamHistory *self, EsResult *result)
{
  EsLayer *layer = find_layer (result, ES_LAYER_CURVE, "beam-pattern");
  EsCurve *curve = layer != NULL ? ES_CURVE (layer) : NULL;
  const EsBeamSettings *settings = self->form->settings;
  JsonObject *values = es_result_get_values (result);
  g_autoptr (EsBeamProbe) probe = NULL;

  if (curve == NULL || values == NULL || es_curve_get_length (curve) == 0 || es_curve_get_n_series (curve) == 0)
    return;
  const gboolean adaptive = es_curve_get_n_series (curve) > ES_BEAM_MVDR;
  probe = es_beam_probe_new (es_curve_get_length (curve), self->n_eigenvalues, adaptive);
  if (probe == NULL)
    return;
  probe->bearing = es_saved_get_number (values, "pattern_bearing_deg", NAN);
  probe->frequency = es_saved_get_number (values, "pattern_frequency_hz", NAN);
  memcpy (probe->angles, es_curve_get_x (curve), probe->n_angles * sizeof *probe->angles);
  for (guint kind = 0; kind <= (adaptive ? ES_BEAM_MVDR : ES_BEAM_CBF); kind++)
    for (guint i = 0; i < probe->n_angles; i++)
      {
        const double level = es_curve_get_series (curve, kind)->y[i];
        probe->patterns[kind][i] = isnan (level) ? 0 : (float) pow (10, level / 10);
      }
  if (isfinite (probe->frequency) && settings->n_bins > 0)
    {
      const double bin = floor (probe->frequency * settings->length / settings->rate + 0.5) - settings->first_bin;
      probe->bin = (guint) CLAMP (bin, 0, settings->n_bins - 1);
    }
  if (self->n_eigenvalues > 0)
    memcpy (probe->eigenvalues, self->eigenvalues + (gsize) probe->bin * self->n_eigenvalues,
            self->n_eigenvalues * sizeof *probe->eigenvalues);
  self->probe = g_steal_pointer (&probe);
}

/* ---- a result ---- */

static EsField *
any_of (EsField *const fields[ES_N_BEAM_KINDS])
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (fields[kind] != NULL)
      return fields[kind];
  return NULL;
}

/* Records of other times or bearings than the first do not belong to it. */
static void
take_times (EsBeamHistory *self)
{
  EsField *timed = any_of (self->btr) != NULL ? any_of (self->btr) : self->lofar;
  const EsAxis *times;

  if (timed == NULL)
    return;
  times = es_field_get_rows (timed);
  g_array_append_vals (self->times, times->values, times->n);
  self->n_rows = times->n;
  if (self->btr[ES_BEAM_MVDR] != NULL && es_field_get_rows (self->btr[ES_BEAM_MVDR])->n == self->n_rows)
    {
      self->adaptive_times = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_vals (self->adaptive_times, es_field_get_rows (self->btr[ES_BEAM_MVDR])->values, self->n_rows);
    }
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      if (self->btr[kind] == NULL)
        continue;
      if (es_field_get_rows (self->btr[kind])->n != self->n_rows
          || es_field_get_columns (self->btr[kind])->n != self->form->settings->n_angles)
        g_clear_object (&self->btr[kind]);
      else
        g_ptr_array_set_size (self->chunks[kind],
                              (int) ((self->n_rows + ES_BEAM_HISTORY_CHUNK - 1) / ES_BEAM_HISTORY_CHUNK));
    }
}

void
_es_beam_history_take_result (EsBeamHistory *self, EsResult *result)
{
  g_autoptr (EsArray) array = find_array (result);
  g_autoptr (EsBeamSettings) settings = NULL;
  EsField *energy[ES_N_BEAM_KINDS], *fraz[ES_N_BEAM_KINDS], *any;
  JsonObject *values = es_result_get_values (result);
  EsLayer *tracks = find_layer (result, ES_LAYER_TABLE, "tracks");
  EsLayer *detections = find_layer (result, ES_LAYER_TABLE, "detections");
  EsLayer *lifts = find_layer (result, ES_LAYER_TABLE, "lifts");

  self->result = g_object_ref (result);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      self->btr[kind] = find_field (result, "btr", kind);
      energy[kind] = find_field (result, "energy-field", kind);
      fraz[kind] = find_field (result, "fraz", kind);
    }
  self->lofar = find_field (result, "lofar", ES_BEAM_CBF);
  self->detections = detections != NULL ? g_object_ref (ES_TABLE (detections)) : NULL;
  settings = make_settings (self, result, array, any_of (energy), any_of (fraz));
  any = self->btr[ES_BEAM_CBF] != NULL ? self->btr[ES_BEAM_CBF]
        : self->lofar != NULL ? self->lofar : energy[ES_BEAM_CBF];
  self->form = es_beam_form_new (settings, array,
                                 any != NULL && es_field_get_reference (any) != NULL
                                 && strstr (es_field_get_reference (any), "Pa") != NULL);

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      self->mean[kind] = read_band_energy (result, kind, settings);
      if (energy[kind] != NULL)
        self->fields[kind] = read_all (energy[kind], settings->n_ranges, settings->n_angles);
      else if (settings->n_ranges == 1 && settings->adaptive.on && self->mean[kind] != NULL)
        self->fields[kind] = g_memdup2 (self->mean[kind], sizeof (float) * settings->n_angles);
      self->fraz[kind] = read_all (fraz[kind], settings->n_bins, settings->n_angles);
      g_clear_object (&energy[kind]);
      g_clear_object (&fraz[kind]);
    }
  self->lofar_angle = find_lofar_angle (result, settings);
  if (self->lofar != NULL && (es_field_get_columns (self->lofar)->n != settings->n_bins
                              || self->lofar_angle == G_MAXUINT))
    g_clear_object (&self->lofar);
  take_times (self);
  _es_beam_history_take_lifts (self, lifts != NULL ? ES_TABLE (lifts) : NULL);
  take_eigenvalues (self, result);
  take_probe (self, result);
  if (values != NULL)
    self->used = (guint) CLAMP (es_saved_get_number (values, "snapshots_used", 0), 0, G_MAXINT);
  if (tracks != NULL)
    _es_beam_history_take_tracks (self, ES_TABLE (tracks));
}

void
_es_beam_history_drop_result (EsBeamHistory *self)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_clear_object (&self->btr[kind]);
      g_clear_pointer (&self->fraz[kind], g_free);
      g_clear_pointer (&self->fields[kind], g_free);
      g_clear_pointer (&self->mean[kind], g_free);
    }
  g_clear_object (&self->lofar);
  g_clear_object (&self->detections);
  g_clear_pointer (&self->eigenvalues, g_free);
  g_clear_pointer (&self->probe, es_beam_probe_free);
  self->n_eigenvalues = self->used = 0;
  self->is_formable = FALSE;
  g_clear_pointer (&self->refusal, g_free);
  g_clear_object (&self->result);
}

gboolean
_es_beam_history_read_chunk (EsBeamHistory *self, EsBeamKind kind, guint chunk)
{
  const guint n = self->form->settings->n_angles, first = chunk * ES_BEAM_HISTORY_CHUNK;
  const guint rows = MIN (ES_BEAM_HISTORY_CHUNK, self->n_rows - first);
  g_autofree float *values = NULL;

  if (self->btr[kind] == NULL)
    return FALSE;
  values = g_try_new (float, (gsize) ES_BEAM_HISTORY_CHUNK * n);
  if (values == NULL || !es_field_read (self->btr[kind], first, rows, values, NULL))
    return FALSE;
  if (kind == ES_BEAM_MVDR)
    _es_beam_history_lower (self, first, rows, values);
  g_ptr_array_index (self->chunks[kind], chunk) = g_steal_pointer (&values);
  self->chunk_bytes += (gsize) ES_BEAM_HISTORY_CHUNK * n * sizeof (float);
  return TRUE;
}
