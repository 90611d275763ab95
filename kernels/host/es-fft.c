/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-fft-internal.h"

#include "es-blas-internal.h"
#include "es-spectra.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* FFTW ends the program where it does not get what it takes for tables and for what a transform holds meanwhile: of a
 * large prime number several times as much as the samples, and always a little. */
#define BYTES_A_SAMPLE 128
#define LITTLE ((size_t) 4 << 20)

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

struct _EskFft
{
  size_t         n;
  fftwf_plan     forward, backward;
  float         *reals;
  fftwf_complex *complexes;
  void          *reserve;      /* given up while FFTW works; NULL: it is small, or has been lost to somebody else */
  size_t         reserve_bytes;
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
  if (in != NULL && out != NULL && esk_memory_is_there (LITTLE + n * BYTES_A_SAMPLE))
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
  if (self->reals != NULL && self->complexes != NULL && esk_memory_is_there (LITTLE + n * BYTES_A_SAMPLE))
    {
      pthread_mutex_lock (&planner);
      self->forward = fftwf_plan_dft_r2c_1d ((int) n, self->reals, self->complexes, FFTW_ESTIMATE);
      self->backward = fftwf_plan_dft_c2r_1d ((int) n, self->complexes, self->reals, FFTW_ESTIMATE);
      pthread_mutex_unlock (&planner);
    }
  self->reserve_bytes = n * BYTES_A_SAMPLE / 2;
  if (self->reserve_bytes < LITTLE)
    self->reserve_bytes = 0;
  else
    self->reserve = malloc (self->reserve_bytes);
  if (self->forward == NULL || self->backward == NULL || (self->reserve_bytes > 0 && self->reserve == NULL))
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
  free (self->reserve);
  free (self);
}

static void
execute (EskFft     *self,
         fftwf_plan  plan)
{
  /* Never touched, it costs nothing but its place. */
  free (self->reserve);
  fftwf_execute (plan);
  self->reserve = self->reserve_bytes > 0 ? malloc (self->reserve_bytes) : NULL;
}

/* Through memory of its own: the caller's may be aligned to anything, and the bits shall not depend on that. */
void
esk_fft_forward (EskFft      *self,
                 const float *in,
                 float       *out)
{
  memcpy (self->reals, in, self->n * sizeof (float));
  execute (self, self->forward);
  memcpy (out, self->complexes, (self->n / 2 + 1) * sizeof (fftwf_complex));
}

void
esk_fft_backward (EskFft *self,
                  float  *in,
                  float  *out)
{
  memcpy (self->complexes, in, (self->n / 2 + 1) * sizeof (fftwf_complex));
  execute (self, self->backward);
  memcpy (out, self->reals, self->n * sizeof (float));
}
