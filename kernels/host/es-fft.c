/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-fft-internal.h"

#include "es-spectra.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

struct _EskFft
{
  size_t         n;
  fftwf_plan     forward, backward;
  float         *reals;
  fftwf_complex *complexes;
};

fftwf_plan
esk_fft_plan_forward (size_t n,
                      size_t many,
                      size_t distance)
{
  fftwf_plan plan = NULL;
  fftwf_complex *out;
  size_t count, bytes;
  float *in;
  int length;

  if (n < 1 || many < 1 || distance % 2 != 0 || distance < n + 2 || distance > INT_MAX || many > INT_MAX
      || __builtin_mul_overflow (many, distance, &count) || __builtin_mul_overflow (count, sizeof (float), &bytes))
    return NULL;

  /* Estimating does not touch them, but their alignment counts. */
  in = fftwf_malloc (bytes);
  out = fftwf_malloc (bytes);
  length = (int) n;
  if (in != NULL && out != NULL)
    {
      pthread_mutex_lock (&planner);
      plan = fftwf_plan_many_dft_r2c (1, &length, (int) many, in, NULL, 1, (int) distance, out, NULL, 1,
                                      (int) (distance / 2), FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
      pthread_mutex_unlock (&planner);
    }
  fftwf_free (in);
  fftwf_free (out);

  return plan;
}

void
esk_fft_plan_free (fftwf_plan plan)
{
  if (plan == NULL)
    return;

  pthread_mutex_lock (&planner);
  fftwf_destroy_plan (plan);
  pthread_mutex_unlock (&planner);
}

EskFft *
esk_fft_new (size_t n)
{
  EskFft *self;

  if (n < 1 || n > INT_MAX)
    return NULL;
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return NULL;

  self->n = n;
  self->reals = fftwf_alloc_real (n);
  self->complexes = fftwf_alloc_complex (n / 2 + 1);
  if (self->reals != NULL && self->complexes != NULL)
    {
      pthread_mutex_lock (&planner);
      self->forward = fftwf_plan_dft_r2c_1d ((int) n, self->reals, self->complexes, FFTW_ESTIMATE);
      self->backward = fftwf_plan_dft_c2r_1d ((int) n, self->complexes, self->reals, FFTW_ESTIMATE);
      pthread_mutex_unlock (&planner);
    }
  if (self->forward == NULL || self->backward == NULL)
    {
      esk_fft_free (self);
      return NULL;
    }

  return self;
}

void
esk_fft_free (EskFft *self)
{
  if (self == NULL)
    return;

  esk_fft_plan_free (self->forward);
  esk_fft_plan_free (self->backward);
  fftwf_free (self->reals);
  fftwf_free (self->complexes);
  free (self);
}

/* Through memory of its own: the caller's may be aligned to anything, and the bits shall not depend on that. */
void
esk_fft_forward (EskFft      *self,
                 const float *in,
                 float       *out)
{
  memcpy (self->reals, in, self->n * sizeof (float));
  fftwf_execute (self->forward);
  memcpy (out, self->complexes, (self->n / 2 + 1) * sizeof (fftwf_complex));
}

void
esk_fft_backward (EskFft *self,
                  float  *in,
                  float  *out)
{
  memcpy (self->complexes, in, (self->n / 2 + 1) * sizeof (fftwf_complex));
  fftwf_execute (self->backward);
  memcpy (out, self->reals, self->n * sizeof (float));
}
