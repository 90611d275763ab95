/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-simulated.h"

#include "readers/es-open.h"

char *es_test_simulated_folder;

EsParams *
es_test_scene_params (const char *first, ...)
{
  EsParams *params;
  va_list list;

  va_start (list, first);
  params = es_test_params (es_simulate_recording_params, first, list);
  va_end (list);
  return params;
}

GFile *
es_test_simulated_file (const char *name)
{
  g_autofree char *path = g_build_filename (es_test_simulated_folder, name, NULL);

  return g_file_new_for_path (path);
}

EsRecording *
es_test_open_recording (GFile *file, const EsOpenOptions *options)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_RECORDING (dataset));
  return ES_RECORDING (dataset);
}

EsRecording *
es_test_simulate (const char *name, EsParams *params)
{
  g_autoptr (GFile) file = es_test_simulated_file (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  return es_test_open_recording (file, NULL);
}

double *
es_test_read_units (EsRecording *recording, gsize *frames)
{
  const guint channels = es_recording_get_n_channels (recording);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;

  *frames = es_recording_get_frames (recording);
  g_autofree float *samples = g_new (float, *frames * channels);
  double *units = g_new (double, *frames * channels);
  g_assert_true (es_recording_read (recording, 0, *frames, 0, channels, samples, &error));
  g_assert_no_error (error);
  g_assert_nonnull (array);
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    {
      const EsElement *e = &es_array_get_elements (array)[k];
      for (gsize i = 0; i < *frames; i++)
        units[e->channel * *frames + i] = samples[i * channels + e->channel] * e->gain;
    }
  return units;
}

double
es_test_mean_square (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i] * values[i];
  return sum / n;
}
