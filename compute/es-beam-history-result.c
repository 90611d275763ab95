/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A history that shows what a result found: its bearing-time record row by row, the rest over all of its time. */

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

/* Beams by a settings object that only knows what the layers' axes say. */
#define TRANSFORM_LENGTH 65536

static EsField *
find_field (EsResult *result, const char *role)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      if (ES_IS_FIELD (layer) && g_strcmp0 (es_field_get_role (ES_FIELD (layer)), role) == 0)
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
      g_autofree char *text = json_to_string (json_object_get_member (values, "array"), FALSE);
      EsArray *array = es_array_from_json (text, NULL);
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
  const EsAxis *angles = self->btr != NULL ? es_field_get_columns (self->btr)
                         : energy != NULL ? es_field_get_columns (energy) : fraz != NULL ? es_field_get_columns (fraz)
                         : NULL;
  const EsAxis *bins = fraz != NULL ? es_field_get_rows (fraz)
                       : self->lofar != NULL ? es_field_get_columns (self->lofar) : NULL;
  EsBeamSettings *settings = NULL;

  if (ES_IS_RECORDING (dataset) && array != NULL
      && es_param_specs_find (es_params_get_specs (es_result_get_params (result)), "angles") != NULL)
    settings = es_beam_settings_new (es_result_get_params (result), ES_RECORDING (dataset), array, NULL);
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
  const double bearing = values != NULL ? json_object_get_double_member_with_default (values, "lofar_bearing_deg", NAN)
                                        : NAN;
  guint nearest = G_MAXUINT;

  for (guint i = 0; i < settings->n_angles && isfinite (bearing); i++)
    if (nearest == G_MAXUINT || fabs (settings->angles[i] - bearing) < fabs (settings->angles[nearest] - bearing))
      nearest = i;
  return nearest;
}

void
_es_beam_history_take_result (EsBeamHistory *self, EsResult *result)
{
  g_autoptr (EsArray) array = find_array (result);
  g_autoptr (EsField) energy = find_field (result, "energy-field");
  g_autoptr (EsField) fraz = find_field (result, "fraz");
  g_autoptr (EsBeamSettings) settings = NULL;
  EsField *any;

  self->result = g_object_ref (result);
  self->btr = find_field (result, "btr");
  self->lofar = find_field (result, "lofar");
  settings = make_settings (self, result, array, energy, fraz);
  any = self->btr != NULL ? self->btr : self->lofar != NULL ? self->lofar : energy;
  self->form = es_beam_form_new (settings, array,
                                 any != NULL && es_field_get_reference (any) != NULL
                                 && strstr (es_field_get_reference (any), "Pa") != NULL);

  self->field = read_all (energy, settings->n_ranges, settings->n_angles);
  self->fraz = read_all (fraz, settings->n_bins, settings->n_angles);
  self->lofar_angle = find_lofar_angle (result, settings);
  if (self->lofar != NULL && (es_field_get_columns (self->lofar)->n != settings->n_bins
                              || self->lofar_angle == G_MAXUINT))
    g_clear_object (&self->lofar);

  EsField *timed = self->btr != NULL ? self->btr : self->lofar;
  if (timed != NULL)
    {
      const EsAxis *times = es_field_get_rows (timed);
      g_array_append_vals (self->times, times->values, times->n);
      self->n_rows = times->n;
    }
  if (self->btr != NULL)
    g_ptr_array_set_size (self->chunks, (int) ((self->n_rows + ES_BEAM_HISTORY_CHUNK - 1) / ES_BEAM_HISTORY_CHUNK));
}

gboolean
_es_beam_history_read_chunk (EsBeamHistory *self, guint chunk)
{
  const guint n = es_field_get_columns (self->btr)->n, first = chunk * ES_BEAM_HISTORY_CHUNK;
  const guint rows = MIN (ES_BEAM_HISTORY_CHUNK, self->n_rows - first);
  g_autofree float *values = g_try_new (float, (gsize) ES_BEAM_HISTORY_CHUNK * n);

  if (values == NULL || !es_field_read (self->btr, first, rows, values, NULL))
    return FALSE;
  g_ptr_array_index (self->chunks, chunk) = g_steal_pointer (&values);
  return TRUE;
}
