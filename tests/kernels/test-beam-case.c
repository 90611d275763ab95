/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-beam-case.h"

#include "test-scene.h"

#include <math.h>
#include <string.h>

enum { FASTEST, NARROW, PORTABLE, N_LOOPS };
static const char *const loops_names[] = { "fastest", "narrow", "portable" };

EskStream *
stream_of (gconstpointer loops)
{
  EskStream *stream;

  if (GPOINTER_TO_INT (loops) == NARROW)
    g_setenv ("ES_CPU_AVX512", "0", TRUE);
  stream = test_stream_new (GPOINTER_TO_INT (loops) == PORTABLE);
  g_unsetenv ("ES_CPU_AVX512");

  return stream;
}

void
beam_add_test (const char   *path,
               GTestDataFunc function)
{
  for (int loops = 0; loops < N_LOOPS; loops++)
    {
      g_autofree char *name = g_strconcat (path, "/", loops_names[loops], NULL);

      g_test_add_data_func (name, GINT_TO_POINTER (loops), function);
    }
}

Case *
case_new (size_t elements,
          size_t foci,
          size_t bins)
{
  Case *self = g_new0 (Case, 1);

  self->positions = g_new0 (double, 3 * elements);
  self->foci = g_new0 (EskFocus, foci);
  self->plan = (EskBeamPlan) { .elements = elements, .positions = self->positions, .n_foci = foci, .foci = self->foci,
                               .sound_speed = 1500.0, .first_frequency = 319.3359375, .bin_spacing = 0.9765625,
                               .bins = bins, .normalisation = 1.0 / (double) (elements * elements),
                               .amplitude = 1.0 / (double) elements };
  return self;
}

void
case_free (Case *self)
{
  g_free (self->positions);
  g_free (self->foci);
  g_free (self->spectra.values);
  g_free (self);
}

void
case_line (Case  *self,
           double spacing)
{
  const size_t middle = (self->plan.elements - 1) / 2;

  for (size_t k = 0; k < self->plan.elements; k++)
    self->positions[3 * k] = ((double) k - (double) middle) * spacing;
}

void
case_scatter (Case  *self,
              double size,
              GRand *random)
{
  for (size_t k = 0; k < 3 * self->plan.elements; k++)
    self->positions[k] = g_rand_double_range (random, -size, size);
}

void
case_rows (Case  *self,
           size_t angles,
           double from,
           double step)
{
  static const double distances[] = { 0, 50, 100, 200, 400, 800, 1600, 3200 };

  for (size_t f = 0; f < self->plan.n_foci; f++)
    {
      double theta = (from + step * (double) (f % angles)) * G_PI / 180.0, h = distances[f / angles % 8];

      self->foci[f] = h > 0 ? (EskFocus) { h * cos (theta) / sin (theta), h, 0, true }
                            : (EskFocus) { cos (theta), sin (theta), 0, false };
    }
}

void
case_random_spectra (Case  *self,
                     size_t first_bin,
                     size_t snapshots,
                     GRand *random)
{
  EskSpectra *s = &self->spectra;

  *s = (EskSpectra) { NULL, self->plan.elements, esk_spectra_stride (self->plan.elements),
                      self->plan.bins + first_bin + 2, snapshots };
  s->values = g_malloc0 (esk_spectra_bytes (s->elements, s->bins, s->snapshots));
  for (size_t row = 0; row < s->bins * s->snapshots * 2; row++)
    for (size_t k = 0; k < s->elements; k++)
      s->values[row * s->stride + k] = (float) g_rand_double_range (random, -1, 1);
}

/* ---- the definition ---- */

double
delay_of (const EskBeamPlan *plan,
          size_t             focus,
          size_t             element)
{
  const EskFocus *p = &plan->foci[focus];
  const double *x = plan->positions + 3 * element;
  long double difference;

  if (p->near)
    difference = sqrtl ((long double) p->x * p->x + (long double) p->y * p->y + (long double) p->z * p->z)
                 - sqrtl (((long double) p->x - x[0]) * ((long double) p->x - x[0])
                          + ((long double) p->y - x[1]) * ((long double) p->y - x[1])
                          + ((long double) p->z - x[2]) * ((long double) p->z - x[2]));
  else
    difference = (long double) p->x * x[0] + (long double) p->y * x[1] + (long double) p->z * x[2];

  return (double) (difference / (long double) plan->sound_speed);
}

void
phasor_of (const EskBeamPlan *plan,
           size_t             bin,
           double             delay,
           double             phasor[2])
{
  double turns = (plan->first_frequency + (double) bin * plan->bin_spacing) * delay;

  turns -= nearbyint (turns);
  phasor[0] = cos (2.0 * G_PI * turns);
  phasor[1] = -sin (2.0 * G_PI * turns);
}

void
reference (const Case *self,
           size_t      first_bin,
           double     *y,
           double     *power)
{
  const EskBeamPlan *plan = &self->plan;
  const EskSpectra *s = &self->spectra;

  memset (y, 0, plan->n_foci * s->snapshots * plan->bins * 2 * sizeof *y);
  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t k = 0; k < plan->elements; k++)
      {
        double delay = delay_of (plan, f, k);

        for (size_t b = 0; b < plan->bins; b++)
          {
            double w[2];

            phasor_of (plan, b, delay, w);
            for (size_t n = 0; n < s->snapshots; n++)
              {
                const float *re = s->values + ((first_bin + b) * s->snapshots + n) * 2 * s->stride;
                const float *im = re + s->stride;
                double *to = y + ((f * s->snapshots + n) * plan->bins + b) * 2;

                to[0] += (double) re[k] * w[0] - (double) im[k] * w[1];
                to[1] += (double) re[k] * w[1] + (double) im[k] * w[0];
              }
          }
      }
  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t b = 0; b < plan->bins; b++)
      {
        double total = 0.0;

        for (size_t n = 0; n < s->snapshots; n++)
          {
            const float *re = s->values + ((first_bin + b) * s->snapshots + n) * 2 * s->stride, *im = re + s->stride;
            const double *from = y + ((f * s->snapshots + n) * plan->bins + b) * 2;

            total += from[0] * from[0] + from[1] * from[1];
            for (size_t k = 0; plan->remove_diagonal && k < plan->elements; k++)
              total -= (double) re[k] * (double) re[k] + (double) im[k] * (double) im[k];
          }
        power[f * plan->bins + b] = total / (double) s->snapshots * plan->normalisation;
      }
}
