/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar.h"

#include <complex.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- numbers ---- */

double
es_test_uniform (guint64 *state)
{
  /* xorshift64*; what is 0 would stay 0. */
  guint64 x = *state != 0 ? *state : 88172645463325252u;

  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return (x * 2685821657736338717u >> 11) * 0x1p-53;
}

double
es_test_normal (guint64 *state)
{
  const double u = es_test_uniform (state), v = es_test_uniform (state);

  return sqrt (-2 * log (1 - u)) * cos (2 * G_PI * v);
}

void
es_test_transform (double *values, gsize n, int sign)
{
  double complex *x = (double complex *) values;

  g_assert_true (n > 0 && (n & (n - 1)) == 0);
  for (gsize i = 1, k = 0; i < n; i++)
    {
      gsize bit = n >> 1;
      for (; k & bit; bit >>= 1)
        k ^= bit;
      k ^= bit;
      if (i < k)
        {
          double complex swapped = x[i];
          x[i] = x[k];
          x[k] = swapped;
        }
    }
  g_autofree double complex *turns = g_new (double complex, MAX (n / 2, 1));
  for (gsize i = 0; i < n / 2; i++)
    turns[i] = cexp (sign * 2 * G_PI * I * i / n);
  for (gsize length = 2; length <= n; length *= 2)
    for (gsize start = 0; start < n; start += length)
      for (gsize i = 0; i < length / 2; i++)
        {
          const double complex a = x[start + i], b = x[start + i + length / 2] * turns[i * (n / length)];
          x[start + i] = a + b;
          x[start + i + length / 2] = a - b;
        }
}

/* ---- places ---- */

/* Along the line from its first element to its last, and across it; of other arrays +x and +y. */
static void
find_frame (EsArray *array, double *along, double *across)
{
  const guint n = es_array_get_n_elements (array);
  const EsElement *first = es_array_get_elements (array), *last = &first[n - 1];
  const double d[3] = { last->x - first->x, last->y - first->y, last->z - first->z };
  const double length = sqrt (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), level = hypot (d[0], d[1]);
  const gboolean line = es_array_is_line (array) && length > 0;

  memcpy (along, (double[]) { 1, 0, 0 }, 3 * sizeof (double));
  memcpy (across, (double[]) { 0, 1, 0 }, 3 * sizeof (double));
  for (guint j = 0; line && j < 3; j++)
    along[j] = d[j] / length;
  if (line && level > 0)
    memcpy (across, (double[]) { -d[1] / level, d[0] / level, 0 }, 3 * sizeof (double));
}

static EsTestPlace
place (EsArray *array, double theta, double distance, gboolean far)
{
  double along[3], across[3];
  const double c = distance * cos (theta * G_PI / 180), s = distance * sin (theta * G_PI / 180);

  find_frame (array, along, across);
  return (EsTestPlace) { c * along[0] + s * across[0], c * along[1] + s * across[1], c * along[2] + s * across[2],
                         far };
}

EsTestPlace
es_test_place_far (EsArray *array, double theta)
{
  return place (array, theta, 1, TRUE);
}

EsTestPlace
es_test_place_perpendicular (EsArray *array, double theta, double distance)
{
  return place (array, theta, distance / sin (theta * G_PI / 180), FALSE);
}

EsTestPlace
es_test_place_slant (EsArray *array, double theta, double range)
{
  return place (array, theta, range, FALSE);
}

EsTestPlace
es_test_place_direction (double azimuth, double elevation)
{
  const double a = azimuth * G_PI / 180, e = elevation * G_PI / 180;

  return (EsTestPlace) { cos (e) * cos (a), cos (e) * sin (a), sin (e), TRUE };
}

EsTestPlace
es_test_place_point (double x, double y, double z)
{
  return (EsTestPlace) { x, y, z, FALSE };
}

/* ---- the scene ---- */

EsTestSonar *
es_test_sonar_new (EsArray *array, double rate, gsize frames, double sound_speed)
{
  EsTestSonar *self = g_new0 (EsTestSonar, 1);

  self->array = es_array_ref (array);
  self->rate = rate;
  self->frames = frames;
  self->sound_speed = sound_speed;
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    self->channels = MAX (self->channels, es_array_get_elements (array)[k].channel + 1);
  self->samples = g_new0 (double, frames * self->channels);
  return self;
}

void
es_test_sonar_free (EsTestSonar *self)
{
  es_array_unref (self->array);
  g_free (self->samples);
  g_free (self);
}

double
es_test_sonar_delay (EsTestSonar *self, EsTestPlace p, guint element)
{
  const EsElement *e = &es_array_get_elements (self->array)[element];
  const guint n = es_array_get_n_elements (self->array);
  double x = e->x, y = e->y, z = e->z;

  for (guint i = 0; i < n; i++)
    {
      const EsElement *other = &es_array_get_elements (self->array)[i];
      x -= other->x / n;
      y -= other->y / n;
      z -= other->z / n;
    }

  if (p.far)
    return -(p.x * x + p.y * y + p.z * z) / self->sound_speed;
  return (sqrt ((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) + (p.z - z) * (p.z - z))
          - sqrt (p.x * p.x + p.y * p.y + p.z * p.z)) / self->sound_speed;
}

void
es_test_sonar_add_tone (EsTestSonar *self, EsTestPlace p, double frequency, double amplitude, double phase)
{
  for (guint k = 0; k < es_array_get_n_elements (self->array); k++)
    {
      const guint channel = es_array_get_elements (self->array)[k].channel;
      const double delay = es_test_sonar_delay (self, p, k);
      for (gsize i = 0; i < self->frames; i++)
        self->samples[i * self->channels + channel] +=
          amplitude * sin (2 * G_PI * frequency * (i / self->rate - delay) + phase);
    }
}

void
es_test_sonar_add_tones (EsTestSonar *self, EsTestPlace p, double low, double high, guint n, double amplitude,
                         guint64 seed)
{
  for (guint i = 0; i < n; i++)
    {
      const double frequency = low + (high - low) * es_test_uniform (&seed);
      es_test_sonar_add_tone (self, p, frequency, amplitude, 2 * G_PI * es_test_uniform (&seed));
    }
}

void
es_test_sonar_add_noise (EsTestSonar *self, EsTestPlace p, double low, double high, double power, guint64 seed)
{
  gsize n = 2, most = 0, filled = 0;

  for (guint k = 0; k < es_array_get_n_elements (self->array); k++)
    most = MAX (most, (gsize) ceil (fabs (es_test_sonar_delay (self, p, k)) * self->rate));
  while (n < 2 * (self->frames + 2 * most))
    n *= 2;

  g_autofree double complex *spectrum = g_new0 (double complex, n), *heard = g_new (double complex, n);
  for (gsize b = 1; b < n / 2; b++)
    if (b * self->rate / n >= low && b * self->rate / n <= high)
      {
        spectrum[b] = es_test_normal (&seed);
        spectrum[b] += I * es_test_normal (&seed);
        filled++;
      }
  g_assert_cmpuint (filled, >, 0);

  /* The real part of a sum of b with E |a|^2 = 2 has the mean square 1 each. */
  const double scale = sqrt (power / filled);
  for (guint k = 0; k < es_array_get_n_elements (self->array); k++)
    {
      const guint channel = es_array_get_elements (self->array)[k].channel;
      const double delay = es_test_sonar_delay (self, p, k);
      for (gsize b = 0; b < n; b++)
        heard[b] = spectrum[b] * cexp (-2 * G_PI * I * (b * self->rate / n) * delay);
      es_test_transform ((double *) heard, n, 1);
      for (gsize i = 0; i < self->frames; i++)
        self->samples[i * self->channels + channel] += scale * creal (heard[i + most]);
    }
}

void
es_test_sonar_add_white (EsTestSonar *self, double power, guint64 seed)
{
  for (gsize i = 0; i < self->frames * self->channels; i++)
    self->samples[i] += sqrt (power) * es_test_normal (&seed);
}

EsRecording *
es_test_sonar_record (EsTestSonar *self, EskType type, double scale)
{
  const gsize n = self->frames * self->channels;
  g_autoptr (GError) error = NULL;
  gpointer data = g_malloc (MAX (n * esk_type_size (type), 1));

  g_assert_true (type == ESK_F32 || type == ESK_I16);
  for (gsize i = 0; i < n; i++)
    if (type == ESK_F32)
      ((float *) data)[i] = self->samples[i] * scale;
    else
      ((gint16 *) data)[i] = CLAMP (rint (self->samples[i] * scale * 32768), -32768, 32767);

  EsRecording *recording = es_recording_new_in_memory (data, type, self->channels, self->rate, self->frames, FALSE,
                                                       data, g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, self->array);
  return recording;
}

/* ---- what tests of arrays and recordings share ---- */

EsParams *
es_test_params (const EsParamSpec *specs, const char *first, va_list more)
{
  EsParams *params = es_params_new (specs);

  for (const char *key = first; key != NULL; key = va_arg (more, const char *))
    {
      g_autoptr (GError) error = NULL;
      g_assert_true (es_params_parse (params, key, va_arg (more, const char *), &error));
      g_assert_no_error (error);
    }
  return params;
}

gboolean
es_test_says (const char * const *sentences, const char *word)
{
  for (guint i = 0; sentences != NULL && sentences[i] != NULL; i++)
    if (strstr (sentences[i], word) != NULL)
      return TRUE;
  return FALSE;
}

void
es_test_assert_at (EsArray *array, guint element, double x, double y, double z)
{
  const EsElement *e = &es_array_get_elements (array)[element];

  g_assert_cmpfloat_with_epsilon (e->x, x, 1e-12);
  g_assert_cmpfloat_with_epsilon (e->y, y, 1e-12);
  g_assert_cmpfloat_with_epsilon (e->z, z, 1e-12);
}

void
es_test_remove_folder (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL; )
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
}
