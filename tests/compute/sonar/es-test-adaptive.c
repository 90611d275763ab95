/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-adaptive.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

EsRecording *
es_test_draw_spectra (const EsTestSpectra *spectra, const EsTestSource *sources, guint n)
{
  const guint length = spectra->length, elements = es_array_get_n_elements (spectra->array);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (spectra->array, ES_TEST_RATE,
                                                     (gsize) spectra->snapshots * length, 1500);
  g_autofree double complex *values = g_new (double complex, (gsize) elements * length);
  g_autofree double *delays = g_new (double, (gsize) elements * MAX (n, 1));
  guint64 seed = spectra->seed;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < elements; k++)
      delays[i * elements + k] = es_test_sonar_delay (sonar, es_test_place_far (spectra->array, sources[i].theta), k);
  for (guint s = 0; s < spectra->snapshots; s++)
    {
      memset (values, 0, sizeof (double complex) * elements * length);
      for (guint b = spectra->first_bin; b < spectra->first_bin + spectra->n_bins; b++)
        {
          double complex drawn[8];

          for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
            {
              drawn[i] = es_test_normal (&seed) * G_SQRT2 / 2;
              drawn[i] += I * es_test_normal (&seed) * G_SQRT2 / 2;
            }
          for (guint i = 0; i < n; i++)
            for (guint k = 0; k < elements; k++)
              values[k * length + b] += sqrt (sources[i].power) * drawn[sources[i].signal]
                                        * cexp (-2 * G_PI * I * (b * ES_TEST_RATE / length) * delays[i * elements + k]);
          for (guint k = 0; k < elements; k++)
            {
              values[k * length + b] += sqrt (spectra->noise / 2) * es_test_normal (&seed);
              values[k * length + b] += I * sqrt (spectra->noise / 2) * es_test_normal (&seed);
            }
        }
      /* sonar.md 3: the mean square of sqrt (2) Re X e^(j...) is |X|^2. */
      for (guint k = 0; k < elements; k++)
        {
          es_test_transform ((double *) (values + k * length), length, 1);
          for (guint i = 0; i < length; i++)
            sonar->samples[((gsize) s * length + i) * sonar->channels + k] = G_SQRT2 * creal (values[k * length + i]);
        }
    }
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

EsTestSonar *
es_test_adaptive_sonar (guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_new_line (n, 1.5, 0, &error);
  EsTestSonar *sonar = es_test_sonar_new (array, ES_TEST_RATE, ES_TEST_ADAPTIVE_FRAMES, 1500);

  g_assert_no_error (error);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, 1);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 100), 300, 500, 0.01, 2);
  es_test_sonar_add_white (sonar, 0.01, 3);
  return sonar;
}

EsRecording *
es_test_adaptive_recording (guint n)
{
  g_autoptr (EsTestSonar) sonar = es_test_adaptive_sonar (n);

  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static EsBeamSettings *
new_settings (EsRecording *recording, va_list arguments, GError **error)
{
  g_autoptr (EsParams) params = es_params_new (es_adaptive_params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const char *key;

  while ((key = va_arg (arguments, const char *)) != NULL)
    if (!es_params_parse (params, key, va_arg (arguments, const char *), error))
      return NULL;
  return es_beam_settings_new (params, recording, array, error);
}

EsBeamSettings *
es_test_adaptive_new (EsRecording *recording, ...)
{
  g_autoptr (GError) error = NULL;
  EsBeamSettings *settings;
  va_list arguments;

  va_start (arguments, recording);
  settings = new_settings (recording, arguments, &error);
  va_end (arguments);
  g_assert_no_error (error);
  return settings;
}

char *
es_test_adaptive_refuse (EsRecording *recording, ...)
{
  g_autoptr (GError) error = NULL;
  va_list arguments;

  va_start (arguments, recording);
  g_assert_null (new_settings (recording, arguments, &error));
  va_end (arguments);
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_null (strchr (error->message, '\n'));
  return g_strdup (error->message);
}

EsBeamformer *
es_test_beamformer_new (EsRecording *recording, const EsBeamSettings *settings, const char *device)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  EsBeamformer *beamformer = es_beamformer_new (recording, array, settings, es_device_find (device, NULL), NULL,
                                                &error);

  g_assert_no_error (error);
  return beamformer;
}

EsBeamBlock *
es_test_adaptive_block (EsRecording *recording, const EsBeamSettings *settings, const char *device, guint64 frame)
{
  g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, device);
  g_autoptr (GError) error = NULL;
  EsBeamBlock *block = es_beamformer_process (beamformer, frame, &error);

  g_assert_no_error (error);
  return block;
}

double
es_test_strongest (EsBeamBlock *block, EsBeamKind kind)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const float *far = es_beam_block_get_far_of (block, kind);
  guint best = 0;

  for (guint i = 0; i < settings->n_angles; i++)
    if (far[i] > far[best])
      best = i;
  return settings->angles[best];
}

double
es_test_power_at (EsBeamBlock *block, EsBeamKind kind, double theta)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);

  for (guint i = 0; i < settings->n_angles; i++)
    if (fabs (settings->angles[i] - theta) < 1e-9)
      return es_beam_block_get_far_of (block, kind)[i];
  g_assert_not_reached ();
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  const float *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

double
es_test_floor (EsBeamBlock *block, EsBeamKind kind)
{
  const guint n = es_beam_block_get_settings (block)->n_angles;
  g_autofree float *far = g_memdup2 (es_beam_block_get_far_of (block, kind), sizeof (float) * n);

  qsort (far, n, sizeof *far, compare_floats);
  return 10 * log10 (far[n / 2] / far[n - 1]);
}
