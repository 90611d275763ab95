/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-adaptive-scene.h"

#include <math.h>
#include <string.h>

const char *const loops_names[N_LOOPS] = { "fastest", "narrow", "portable" };

EskStream *
loops_stream_new (int loops)
{
  EskStream *stream;

  if (loops == NARROW)
    g_setenv ("ES_CPU_AVX512", "0", TRUE);
  stream = test_stream_new (loops == PORTABLE);
  g_unsetenv ("ES_CPU_AVX512");

  return stream;
}

Scenario *
scenario_new (size_t  elements,
              size_t  foci,
              size_t  bins,
              size_t  columns,
              guint32 seed)
{
  Scenario *self = g_new0 (Scenario, 1);

  self->positions = g_new0 (double, 3 * elements);
  self->foci = g_new0 (EskFocus, foci);
  self->first_bin = 2;
  self->random = g_rand_new_with_seed (seed);
  self->plan = (EskAdaptivePlan) { .elements = elements, .positions = self->positions, .n_foci = foci,
                                   .foci = self->foci, .sound_speed = 1500.0, .first_frequency = 319.3359375,
                                   .bin_spacing = 7.8125, .bins = bins, .columns = columns };
  for (size_t k = 0; k < elements; k++)
    self->positions[3 * k] = ((double) k - (double) ((elements - 1) / 2)) * 1.5;
  for (size_t f = 0; f < foci; f++)
    {
      const double theta = ((double) f + 0.5) / (double) foci * G_PI;

      self->foci[f] = (EskFocus) { cos (theta), sin (theta), 0.0, false };
    }

  return self;
}

void
scenario_free (Scenario *self)
{
  g_free (self->positions);
  g_free (self->foci);
  g_free (self->spectra.values);
  g_rand_free (self->random);
  g_free (self);
}

void
scenario_scatter (Scenario *self)
{
  for (size_t k = 0; k < 3 * self->plan.elements; k++)
    self->positions[k] = g_rand_double_range (self->random, -15.0, 15.0);
  for (size_t f = 0; f < self->plan.n_foci; f += 3)
    {
      EskFocus *p = &self->foci[f];

      *p = (EskFocus) { 20.0 * p->x, 20.0 * p->y, 3.0, true };
    }
}

static double
normal (GRand *random)
{
  return sqrt (-2.0 * log (1.0 - g_rand_double (random))) * cos (2.0 * G_PI * g_rand_double (random));
}

void
scenario_hear (Scenario *self,
               size_t    snapshots,
               double    level)
{
  const size_t elements = self->plan.elements, n_foci = self->plan.n_foci;
  EskSpectra *s = &self->spectra;

  g_free (s->values);
  *s = (EskSpectra) { NULL, elements, esk_spectra_stride (elements), self->plan.bins + self->first_bin + 1, snapshots };
  s->values = g_malloc0 (esk_spectra_bytes (elements, s->bins, snapshots));
  for (size_t bin = 0; bin < s->bins; bin++)
    for (size_t n = 0; n < snapshots; n++)
      {
        const double a = normal (self->random), b = normal (self->random), c = normal (self->random);

        for (size_t k = 0; k < elements; k++)
          {
            const size_t at = bin < self->first_bin ? 0 : bin - self->first_bin;
            const Number x = ((Number) a + 1.0iL * (Number) b) * steering_of (self, at, n_foci / 3, k)
                             + 0.5L * (Number) c * steering_of (self, at, n_foci / 2, k);
            float *to = s->values + (bin * snapshots + n) * 2 * s->stride + k;

            to[0] = (float) ((double) creall (x) + sqrt (level / 2.0) * normal (self->random));
            to[s->stride] = (float) ((double) cimagl (x) + sqrt (level / 2.0) * normal (self->random));
          }
      }
}

void
scenario_kill (Scenario *self,
               size_t    element)
{
  const EskSpectra *s = &self->spectra;

  for (size_t row = 0; row < s->bins * s->snapshots * 2; row++)
    s->values[row * s->stride + element] = 0.0f;
}

Number
snapshot_of (const Scenario *self,
             size_t          bin,
             size_t          snapshot,
             size_t          element)
{
  const EskSpectra *s = &self->spectra;
  const float *re = s->values + ((self->first_bin + bin) * s->snapshots + snapshot) * 2 * s->stride + element;

  return (Number) re[0] + 1.0iL * (Number) re[s->stride];
}

Number
steering_of (const Scenario *self,
             size_t          bin,
             size_t          focus,
             size_t          element)
{
  const EskFocus *p = &self->foci[focus];
  const double *x = self->positions + 3 * element;
  const long double px = p->x, py = p->y, pz = p->z;
  long double turns;

  if (p->near)
    turns = sqrtl (px * px + py * py + pz * pz)
            - sqrtl ((px - x[0]) * (px - x[0]) + (py - x[1]) * (py - x[1]) + (pz - x[2]) * (pz - x[2]));
  else
    turns = px * x[0] + py * x[1] + pz * x[2];
  turns *= ((long double) self->plan.first_frequency + (long double) bin * (long double) self->plan.bin_spacing)
           / (long double) self->plan.sound_speed;

  return cexpl (2.0iL * (long double) G_PI * (turns - rintl (turns)));
}

Number *
matrix_of (const Scenario *self,
           size_t          bin,
           size_t          from,
           const double   *weights)
{
  const size_t n = self->plan.elements;
  Number *matrix = g_new0 (Number, n * n);
  long double sum = 0.0L;

  for (size_t s = from; s < self->spectra.snapshots; s++)
    {
      const long double weight = weights != NULL ? weights[s] : 1.0;

      sum += weight;
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          matrix[i * n + j] += weight * snapshot_of (self, bin, s, i) * conjl (snapshot_of (self, bin, s, j));
    }
  for (size_t k = 0; k < n * n; k++)
    matrix[k] /= sum;

  return matrix;
}

/* x of m x = b, by Gauss elimination with pivots; m and b are lost. FALSE: there is none. */
static gboolean
eliminate (size_t  n,
           Number *m,
           Number *b)
{
  long double largest = 0.0L;

  for (size_t k = 0; k < n * n; k++)
    largest = fmaxl (largest, cabsl (m[k]));
  for (size_t k = 0; k < n; k++)
    {
      size_t best = k;

      for (size_t i = k + 1; i < n; i++)
        if (cabsl (m[i * n + k]) > cabsl (m[best * n + k]))
          best = i;
      if (cabsl (m[best * n + k]) <= 1e-17L * largest)
        return FALSE;
      for (size_t j = 0; j < n; j++)
        {
          const Number x = m[k * n + j];

          m[k * n + j] = m[best * n + j];
          m[best * n + j] = x;
        }
      {
        const Number x = b[k];

        b[k] = b[best];
        b[best] = x;
      }
      for (size_t i = k + 1; i < n; i++)
        {
          const Number f = m[i * n + k] / m[k * n + k];

          for (size_t j = k; j < n; j++)
            m[i * n + j] -= f * m[k * n + j];
          b[i] -= f * b[k];
        }
    }
  for (size_t k = n; k-- > 0;)
    {
      for (size_t j = k + 1; j < n; j++)
        b[k] -= m[k * n + j] * b[j];
      b[k] /= m[k * n + k];
    }

  return TRUE;
}

double
power_of (const Scenario *self,
          size_t          bin,
          size_t          focus,
          const Number   *matrix,
          double          loading,
          Number         *w)
{
  const size_t n = self->plan.elements;
  g_autofree Number *m = g_new (Number, n * n);
  g_autofree Number *x = g_new (Number, n);
  g_autofree size_t *living = g_new (size_t, n);
  size_t order = 0;
  long double trace = 0.0L;
  Number quadratic = 0.0L;

  for (size_t k = 0; k < n; k++)
    if (creall (matrix[k * n + k]) > 0.0L)
      {
        living[order++] = k;
        trace += creall (matrix[k * n + k]);
      }
  if (order == 0)
    return 0.0;
  for (size_t i = 0; i < order; i++)
    {
      for (size_t j = 0; j < order; j++)
        m[i * order + j] = matrix[living[i] * n + living[j]];
      m[i * order + i] += (long double) loading * trace / (long double) order;
      x[i] = steering_of (self, bin, focus, living[i]);
    }
  if (!eliminate (order, m, x))
    return -1.0;
  for (size_t i = 0; i < order; i++)
    quadratic += conjl (steering_of (self, bin, focus, living[i])) * x[i];
  if (w != NULL)
    {
      memset (w, 0, n * sizeof *w);
      for (size_t i = 0; i < order; i++)
        w[living[i]] = x[i] / quadratic;
    }

  return (double) (1.0L / creall (quadratic));
}

EskAdaptive *
scenario_adaptive_new (EskStream      *stream,
                       const Scenario *scenario)
{
  int code = 1;
  EskAdaptive *adaptive = esk_cpu_hotspots ()->adaptive->adaptive_new (stream, &scenario->plan, &code);

  g_assert_cmpint (code, ==, ESK_OK);
  g_assert_nonnull (adaptive);
  return adaptive;
}

void
scenario_add (EskStream      *stream,
              EskAdaptive    *adaptive,
              const Scenario *scenario,
              double          keep,
              double          weight)
{
  g_assert_cmpint (esk_cpu_hotspots ()->adaptive->adaptive_add (stream, adaptive, &scenario->spectra,
                                                                scenario->first_bin, keep, weight), ==, ESK_OK);
}

int
adaptive_powers (EskStream         *stream,
                 EskAdaptive       *adaptive,
                 EskAdaptiveMethod  method,
                 double             loading,
                 float             *by_bin,
                 float             *band,
                 EskAdaptiveReport *report)
{
  const EskAdaptiveRun run = { .method = method, .loading = loading, .by_bin = by_bin, .band = band };

  return esk_cpu_hotspots ()->adaptive->adaptive_power (stream, adaptive, &run, report);
}
