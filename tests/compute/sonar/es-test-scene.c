/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-scene.h"

#include <complex.h>
#include <math.h>

EsTestScene *
es_test_scene_new (EsArray *array, double rate, gsize frames, guint64 seed)
{
  EsTestScene *self = g_new0 (EsTestScene, 1);

  self->array = es_array_ref (array);
  self->n = es_array_get_n_elements (array);
  self->frames = frames;
  self->rate = rate;
  self->sound_speed = es_array_get_sound_speed (array);
  self->spectra = g_new0 (double, (gsize) self->n * frames);
  self->seed = seed;
  return self;
}

void
es_test_scene_free (EsTestScene *self)
{
  es_array_unref (self->array);
  g_free (self->spectra);
  g_free (self);
}

static double complex *
spectrum_of (EsTestScene *self, guint element)
{
  return (double complex *) self->spectra + (gsize) element * (self->frames / 2);
}

/* Bins of the band, and the amplitude of each. */
static double
find_bins (EsTestScene *self, double low, double high, double power, gsize *first, gsize *last)
{
  *first = MAX ((gsize) ceil (low * self->frames / self->rate), 1);
  *last = MIN ((gsize) floor (high * self->frames / self->rate), self->frames / 2 - 1);
  g_assert_cmpuint (*first, <=, *last);
  return sqrt (power / (*last - *first + 1));
}

/* Heard by every element with a delay of its own, by turning phases from bin to bin. */
static void
add_wave (EsTestScene *self, const double *delays, const double *gains, gsize first, gsize last, double amplitude)
{
  g_autofree double complex *wave = g_new (double complex, last - first + 1);

  for (gsize b = first; b <= last; b++)
    {
      wave[b - first] = amplitude * M_SQRT1_2 * es_test_normal (&self->seed);
      wave[b - first] += I * amplitude * M_SQRT1_2 * es_test_normal (&self->seed);
    }
  for (guint i = 0; i < self->n; i++)
    {
      double complex *spectrum = spectrum_of (self, i);
      const double complex turn = cexp (-2 * G_PI * I * self->rate / self->frames * delays[i]);
      double complex phase = gains[i] * cexp (-2 * G_PI * I * (first * self->rate / self->frames) * delays[i]);

      for (gsize b = first; b <= last; b++, phase *= turn)
        spectrum[b] += phase * wave[b - first];
    }
}

static void
find_delays (EsTestScene *self, EsTestPlace place, double *delays, double *gains)
{
  const EsElement *elements = es_array_get_elements (self->array);
  double centre[3] = { 0 };

  for (guint i = 0; i < self->n; i++)
    {
      centre[0] += elements[i].x / self->n;
      centre[1] += elements[i].y / self->n;
      centre[2] += elements[i].z / self->n;
    }
  const double range = sqrt (place.x * place.x + place.y * place.y + place.z * place.z);
  for (guint i = 0; i < self->n; i++)
    {
      const double x = elements[i].x - centre[0], y = elements[i].y - centre[1], z = elements[i].z - centre[2];
      const double way = sqrt ((place.x - x) * (place.x - x) + (place.y - y) * (place.y - y)
                               + (place.z - z) * (place.z - z));

      delays[i] = place.far ? -(place.x * x + place.y * y + place.z * z) / self->sound_speed
                            : (way - range) / self->sound_speed;
      gains[i] = place.far ? 1 : range / way;
    }
}

void
es_test_scene_add_source (EsTestScene *self, EsTestPlace place, double low, double high, double power)
{
  g_autofree double *delays = g_new (double, self->n), *gains = g_new (double, self->n);
  gsize first, last;
  const double amplitude = find_bins (self, low, high, power, &first, &last);

  find_delays (self, place, delays, gains);
  add_wave (self, delays, gains, first, last, amplitude);
}

void
es_test_scene_add_diffuse (EsTestScene *self, guint waves, double low, double high, double power)
{
  for (guint i = 0; i < waves; i++)
    {
      /* Even over the sphere: by the golden angle. */
      const double z = 1 - (2 * i + 1.0) / waves, turn = i * G_PI * (3 - sqrt (5)), r = sqrt (1 - z * z);

      es_test_scene_add_source (self, (EsTestPlace) { r * cos (turn), r * sin (turn), z, TRUE }, low, high,
                                power / waves);
    }
}

void
es_test_scene_add_tone (EsTestScene *self, EsTestPlace place, double frequency, double power)
{
  const double exact = rint (frequency * self->frames / self->rate) * self->rate / self->frames;

  es_test_scene_add_source (self, place, exact - 1e-6, exact + 1e-6, power);
}

void
es_test_scene_add_own_to (EsTestScene *self, guint element, double low, double high, double power)
{
  gsize first, last;
  const double amplitude = find_bins (self, low, high, power, &first, &last);

  for (gsize b = first; b <= last; b++)
    {
      spectrum_of (self, element)[b] += amplitude * M_SQRT1_2 * es_test_normal (&self->seed);
      spectrum_of (self, element)[b] += I * amplitude * M_SQRT1_2 * es_test_normal (&self->seed);
    }
}

void
es_test_scene_add_own (EsTestScene *self, double low, double high, double power)
{
  for (guint i = 0; i < self->n; i++)
    es_test_scene_add_own_to (self, i, low, high, power);
}

void
es_test_scene_break (EsTestScene *self, guint element, double gain, double delay)
{
  for (gsize b = 0; b < self->frames / 2; b++)
    spectrum_of (self, element)[b] *= gain * cexp (-2 * G_PI * I * (b * self->rate / self->frames) * delay);
}

float *
es_test_scene_render (EsTestScene *self)
{
  float *samples = g_new (float, self->frames * self->n);
  g_autofree double complex *line = g_new (double complex, self->frames);
  double power = 0;

  for (gsize b = 0; b < self->n * self->frames / 2; b++)
    power += creal (((double complex *) self->spectra)[b] * conj (((double complex *) self->spectra)[b])) / self->n;
  const double scale = power > 0 ? 0.01 * M_SQRT2 / sqrt (power) : 0;
  for (guint i = 0; i < self->n; i++)
    {
      for (gsize b = 0; b < self->frames; b++)
        line[b] = b < self->frames / 2 ? spectrum_of (self, i)[b] : 0;
      es_test_transform ((double *) line, self->frames, 1);
      for (gsize t = 0; t < self->frames; t++)
        samples[t * self->n + i] = (float) (scale * creal (line[t]));
    }
  return samples;
}

EsRecording *
es_test_scene_record (EsTestScene *self)
{
  g_autoptr (GError) error = NULL;
  float *samples = es_test_scene_render (self);
  EsRecording *recording = es_recording_new_in_memory (samples, ESK_F32, self->n, self->rate, self->frames, FALSE,
                                                       samples, g_free, &error);

  g_assert_no_error (error);
  es_recording_set_array (recording, self->array);
  return recording;
}
