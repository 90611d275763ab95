/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-line-spectrum.h"

#include <inttypes.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-hotspots.h"

/* ---- power spectrum ---- */

static void
take_segment (const float *samples, gsize n, const float *weights, guint length, float *segment)
{
  for (guint i = 0; i < length; i++)
    segment[i] = i < n && isfinite (samples[i]) ? samples[i] * weights[i] : 0;
}

struct _EsPowerSpectrum
{
  gsize    n, segments;
  guint    length, hop;
  double   power;              /* of the window's weights, summed */
  EskFft  *fft;
  float   *weights, *segment, *spectrum;
  double  *sums;
};

EsPowerSpectrum *
es_power_spectrum_new (gsize n, guint length, EsWindowKind window, double overlap)
{
  const guint used = (guint) MIN (n, length);
  EsPowerSpectrum *self;
  EskFft *fft;

  if (n == 0 || length < 2 || length % 2 != 0 || length > G_MAXINT || (fft = esk_fft_new (length)) == NULL)
    return NULL;
  self = g_new0 (EsPowerSpectrum, 1);
  self->n = n;
  self->length = length;
  self->hop = MAX (1, (guint) (length * (1 - CLAMP (overlap, 0, 0.95)) + 0.5));
  self->segments = n > length ? (n - length) / self->hop + 1 : 1;
  self->fft = fft;
  self->weights = g_try_new0 (float, length);
  self->segment = g_try_new (float, length);
  self->spectrum = g_try_new (float, (gsize) length + 2);
  self->sums = g_try_new (double, (gsize) length / 2 + 1);
  if (self->weights == NULL || self->segment == NULL || self->spectrum == NULL || self->sums == NULL)
    {
      es_power_spectrum_free (self);
      return NULL;
    }
  es_window_fill (window, self->weights, used);
  for (guint i = 0; i < used; i++)
    self->power += (double) self->weights[i] * self->weights[i];
  return self;
}

void
es_power_spectrum_free (EsPowerSpectrum *self)
{
  if (self == NULL)
    return;
  esk_fft_free (self->fft);
  g_free (self->weights);
  g_free (self->segment);
  g_free (self->spectrum);
  g_free (self->sums);
  g_free (self);
}

gboolean
es_power_spectrum_run (EsPowerSpectrum *self, const float *samples, float *out, GCancellable *cancellable)
{
  const guint length = self->length;
  const float *spectrum = self->spectrum;

  memset (self->sums, 0, ((gsize) length / 2 + 1) * sizeof *self->sums);
  for (gsize s = 0; s < self->segments; s++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      take_segment (samples + s * self->hop, self->n - s * self->hop, self->weights, length, self->segment);
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      esk_fft_forward (self->fft, self->segment, self->spectrum);
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      for (guint k = 0; k <= length / 2; k++)
        self->sums[k] += (double) spectrum[2 * k] * spectrum[2 * k]
                         + (double) spectrum[2 * k + 1] * spectrum[2 * k + 1];
    }
  for (guint k = 0; k <= length / 2; k++)
    out[k] = (float) (self->sums[k] * (k == 0 || k == length / 2 ? 1 : 2)
                      / (length * MAX (self->power, 1e-30) * self->segments));
  return TRUE;
}

gboolean
es_power_spectrum (const float *samples, gsize n, guint length, EsWindowKind window, double overlap, float *out)
{
  g_autoptr (EsPowerSpectrum) self = es_power_spectrum_new (n, length, window, overlap);

  return self != NULL && es_power_spectrum_run (self, samples, out, NULL);
}

/* ---- DEMON ---- */

static gboolean
check_demon (gsize n, double rate, double low, double high, double max_frequency, GError **error)
{
  if (!(low >= 0) || !(high > low) || !(high <= rate / 2 * (1 + 1e-9)))
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("A band of %.6g to %.6g Hz cannot be taken from samples of %.6g Hz: it has to lie between 0 and "
                   "%.6g Hz."), low, high, rate, rate / 2);
  else if (!(max_frequency > 0) || max_frequency > high - low)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("Beats of up to %.6g Hz cannot be heard in a band that is %.6g Hz wide."), max_frequency,
                 high - low);
  else if (n < 16)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("%" PRIu64 " samples are too few for a spectrum of their envelope."), (guint64) n);
  else
    return TRUE;
  return FALSE;
}

/* One of the two parts of the analytic signal: the band itself, or a quarter of a turn later. */
static void
filter (EskFft *fft, const float *spectrum, gsize n, gsize first, gsize last, gboolean turned, float *scratch,
        float *out)
{
  memset (scratch, 0, (n / 2 + 1) * 2 * sizeof *scratch);
  for (gsize k = first; k <= last; k++)
    {
      scratch[2 * k] = turned ? spectrum[2 * k + 1] : spectrum[2 * k];
      scratch[2 * k + 1] = turned ? -spectrum[2 * k] : spectrum[2 * k + 1];
    }
  esk_fft_backward (fft, scratch, out);
}

/* Asked now and then in a long loop. */
static inline gboolean
is_given_up (gsize i, GCancellable *cancellable)
{
  return i % 65536 == 0 && g_cancellable_is_cancelled (cancellable);
}

guint64
es_demon_count_bins (gsize n, double rate, double max_frequency)
{
  return (guint64) fmin (floor (max_frequency / (rate / n)), n / 2) + 1;
}

gboolean
es_demon_spectrum (const float *samples, gsize n, double rate, double low, double high, double max_frequency,
                   float **out, guint *n_out, double *step, GCancellable *cancellable, GError **error)
{
  if (!check_demon (n, rate, low, high, max_frequency, error))
    return FALSE;

  const double spacing = rate / n;
  const gsize first = MAX ((gsize) ceil (low / spacing), 1), last = MIN ((gsize) floor (high / spacing), (n - 1) / 2);
  const guint64 kept = es_demon_count_bins (n, rate, max_frequency);
  EskFft *fft = esk_fft_new (n);
  g_autofree float *line = g_try_new (float, n), *turned = g_try_new (float, n);
  g_autofree float *spectrum = g_try_new (float, (n / 2 + 1) * 2), *scratch = g_try_new (float, (n / 2 + 1) * 2);
  double mean = 0, weight_power = 0;

  if (fft == NULL || line == NULL || turned == NULL || spectrum == NULL || scratch == NULL || kept > G_MAXUINT)
    {
      if (fft != NULL)
        esk_fft_free (fft);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for a transform of %" PRIu64 " samples."), (guint64) n);
      return FALSE;
    }
  for (gsize i = 0; i < n && !is_given_up (i, cancellable); i++)
    line[i] = isfinite (samples[i]) ? samples[i] : 0;
  /* One transform of a long segment may take as long as one waits for an answer. */
  if (!g_cancellable_is_cancelled (cancellable))
    esk_fft_forward (fft, line, spectrum);
  if (!g_cancellable_is_cancelled (cancellable))
    filter (fft, spectrum, n, first, last, FALSE, scratch, line);
  if (!g_cancellable_is_cancelled (cancellable))
    filter (fft, spectrum, n, first, last, TRUE, scratch, turned);
  for (gsize i = 0; i < n && !is_given_up (i, cancellable); i++)
    {
      line[i] = line[i] * line[i] + turned[i] * turned[i];
      mean += line[i];
    }
  mean /= n;
  for (gsize i = 0; i < n && !is_given_up (i, cancellable); i++)
    {
      const double weight = 0.5 - 0.5 * cos (2 * G_PI * i / n);

      line[i] = mean > 0 ? (float) ((line[i] / mean - 1) * weight) : 0;
      weight_power += weight * weight;
    }
  if (!g_cancellable_is_cancelled (cancellable))
    esk_fft_forward (fft, line, spectrum);
  esk_fft_free (fft);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  *n_out = (guint) kept;
  *step = spacing;
  *out = g_new (float, kept);
  for (gsize k = 0; k < kept; k++)
    {
      const double real = spectrum[2 * k], imaginary = spectrum[2 * k + 1], power = real * real + imaginary * imaginary;

      (*out)[k] = (float) (power * (k == 0 || 2 * k == n ? 1 : 2) / (n * weight_power));
    }
  return TRUE;
}
