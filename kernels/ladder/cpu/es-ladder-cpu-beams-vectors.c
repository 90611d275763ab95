/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conventional beams in vectors and threads, and by matrices. */

#include "es-ladder-cpu-beams-private.h"
#include "host/es-blas-internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#if defined (__x86_64__)

#include <immintrin.h>

#define VECTORS __attribute__ ((target ("avx2,fma")))
#define LANES LADDER_BEAMS_LANES
#define STEPS LADDER_BEAMS_STEPS

/* lab: beams-vectorised beams-threaded */
/* exp (-j 2 pi turns). Whole turns change nothing, and without them the number keeps its digits. */
static void
phasor (float  turns,
        float *re,
        float *im)
{
  const float angle = -2.0f * (float) M_PI * (turns - rintf (turns));

  *re = cosf (angle);
  *im = sinf (angle);
}

/* Of eight neighbouring bins: 1 and the first seven powers of a step, and the eighth, which leads to the next eight. */
static VECTORS void
powers (float   turns,
        __m256 *lanes_re,
        __m256 *lanes_im,
        __m256 *eight_re,
        __m256 *eight_im)
{
  float re[LANES + 1] = { 1.0f }, im[LANES + 1] = { 0.0f };

  phasor (turns, &re[1], &im[1]);
  for (int k = 2; k <= LANES; k++)
    {
      const int half = k / 2, rest = k - half;

      re[k] = re[half] * re[rest] - im[half] * im[rest];
      im[k] = re[half] * im[rest] + im[half] * re[rest];
    }
  *lanes_re = _mm256_loadu_ps (re);
  *lanes_im = _mm256_loadu_ps (im);
  *eight_re = _mm256_set1_ps (re[LANES]);
  *eight_im = _mm256_set1_ps (im[LANES]);
}

/* sums += x exp (-j 2 pi f path / c) of an element, eight bins at a time. From eight to the next a phasor turns by the
 * same angle; after some of them it is taken anew. */
static VECTORS void
add_element (const LadderBeams *work,
             size_t             element,
             float              path,
             float             *sums_re,
             float             *sums_im)
{
  const float *x_re = work->real + element * work->stride, *x_im = work->imaginary + element * work->stride;
  __m256 lanes_re, lanes_im, eight_re, eight_im, re = _mm256_setzero_ps (), im = re;

  powers (work->step * path, &lanes_re, &lanes_im, &eight_re, &eight_im);
  for (size_t b = 0; b < work->of.bins; b += LANES)
    {
      const __m256 a = _mm256_load_ps (x_re + b), c = _mm256_load_ps (x_im + b);
      __m256 sum_re = _mm256_load_ps (sums_re + b), sum_im = _mm256_load_ps (sums_im + b);
      __m256 before_re = re, before_im = im;

      if (b % (LANES * STEPS) == 0)
        {
          float first_re, first_im;

          phasor (work->waves[b] * path, &first_re, &first_im);
          before_re = _mm256_set1_ps (first_re);
          before_im = _mm256_set1_ps (first_im);
          re = _mm256_fnmadd_ps (before_im, lanes_im, _mm256_mul_ps (before_re, lanes_re));
          im = _mm256_fmadd_ps (before_im, lanes_re, _mm256_mul_ps (before_re, lanes_im));
        }
      else
        {
          re = _mm256_fnmadd_ps (before_im, eight_im, _mm256_mul_ps (before_re, eight_re));
          im = _mm256_fmadd_ps (before_im, eight_re, _mm256_mul_ps (before_re, eight_im));
        }
      sum_re = _mm256_fnmadd_ps (c, im, _mm256_fmadd_ps (a, re, sum_re));
      sum_im = _mm256_fmadd_ps (c, re, _mm256_fmadd_ps (a, im, sum_im));
      _mm256_store_ps (sums_re + b, sum_re);
      _mm256_store_ps (sums_im + b, sum_im);
    }
}
/* lab end */

/* lab: beams-vectorised */
/* Eight bins at a time, one in each lane of a vector. */
int
ladder_beams_vectorised (EskLadder   *ladder,
                         LadderBeams *work)
{
  const EskBeamsWork *of = &work->of;
  const size_t foci = of->ranges * of->angles, stride = work->stride;

  for (size_t focus = 0; focus < foci; focus++)
    {
      const size_t range = focus / of->angles, angle = focus % of->angles;
      float *sums = work->sums;
      float power = 0.0f;

      memset (sums, 0, 2 * stride * sizeof (float));
      for (size_t k = 0; k < of->elements; k++)
        add_element (work, k, of->paths[(range * of->elements + k) * of->angles + angle], sums, sums + stride);
      for (size_t b = 0; b < of->bins; b++)
        power += sums[b] * sums[b] + sums[stride + b] * sums[stride + b];
      of->powers[focus] = power / (float) (of->elements * of->elements);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (focus + 1) / (double) foci));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: beams-threaded */
/* Eight bins at a time, one in each lane of a vector; each thread takes the next beam. */
static void
beam (void    *data,
      size_t   focus,
      unsigned worker)
{
  const LadderBeams *work = data;
  const EskBeamsWork *of = &work->of;
  const size_t range = focus / of->angles, angle = focus % of->angles, stride = work->stride;
  float *sums = work->sums + worker * 2 * stride;
  float power = 0.0f;

  memset (sums, 0, 2 * stride * sizeof (float));
  for (size_t k = 0; k < of->elements; k++)
    add_element (work, k, of->paths[(range * of->elements + k) * of->angles + angle], sums, sums + stride);
  for (size_t b = 0; b < of->bins; b++)
    power += sums[b] * sums[b] + sums[stride + b] * sums[stride + b];
  of->powers[focus] = power / (float) (of->elements * of->elements);
}

int
ladder_beams_threaded (EskLadder   *ladder,
                       LadderBeams *work)
{
  return ladder_share (ladder, work->of.ranges * work->of.angles, beam, work);
}
/* lab end */

#else

/* begin () refuses them. */
int
ladder_beams_vectorised (EskLadder   *ladder,
                         LadderBeams *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
ladder_beams_threaded (EskLadder   *ladder,
                       LadderBeams *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

#endif

/* ---- matrices ---- */

void
ladder_beams_steer (void    *data,
                    size_t   focus,
                    unsigned worker)
{
  const LadderBeams *work = data;
  const EskBeamsWork *of = &work->of;
  const size_t elements = of->elements, foci = of->ranges * of->angles;
  const double wave = -2.0 * M_PI * ESK_BEAMS_RATE / ESK_BEAMS_LENGTH / ESK_BEAMS_SPEED;
  double *re = work->turning + worker * 4 * elements, *im = re + elements;
  double *step_re = im + elements, *step_im = step_re + elements;

  for (size_t k = 0; k < elements; k++)
    {
      const double path = esk_beams_path (of, focus / of->angles, focus % of->angles, k);

      re[k] = cos (ESK_BEAMS_FIRST_BIN * wave * path);
      im[k] = sin (ESK_BEAMS_FIRST_BIN * wave * path);
      step_re[k] = cos (wave * path);
      step_im[k] = sin (wave * path);
    }
  for (size_t b = 0; b < of->bins; b++)
    for (size_t k = 0; k < elements; k++)
      {
        float *to = work->steering + 2 * ((b * foci + focus) * elements + k);
        const double before = re[k];

        to[0] = (float) re[k];
        to[1] = (float) im[k];
        re[k] = before * step_re[k] - im[k] * step_im[k];
        im[k] = before * step_im[k] + im[k] * step_re[k];
      }
}

/* lab: beams-library */
/* Phasors were laid out before, a matrix for each bin: beams are its product with the spectra of that bin, one column.
 * (With several snapshots it would be a matrix too.) */
static void
multiply (void    *data,
          size_t   bin,
          unsigned worker)
{
  LadderBeams *work = data;
  const EskBeamsWork *of = &work->of;
  const size_t elements = of->elements, foci = of->ranges * of->angles;
  const float one[2] = { 1.0f, 0.0f }, none[2] = { 0.0f, 0.0f };

  if (esk_blas_enter () != ESK_OK)
    {
      __atomic_store_n (&work->failed, 1, __ATOMIC_RELAXED);
      return;
    }
  cblas_cgemv (CblasRowMajor, CblasNoTrans, (int) foci, (int) elements, one,
               work->steering + 2 * bin * foci * elements, (int) elements, work->columns + 2 * bin * elements, 1, none,
               work->beams + 2 * bin * foci, 1);
  esk_blas_leave ();
}

int
ladder_beams_library (EskLadder   *ladder,
                      LadderBeams *work)
{
  const EskBeamsWork *of = &work->of;
  const size_t foci = of->ranges * of->angles;

  ESK_LADDER_TRY (ladder_share (ladder, of->bins, multiply, work));
  if (work->failed)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t focus = 0; focus < foci; focus++)
    {
      float power = 0.0f;

      for (size_t b = 0; b < of->bins; b++)
        {
          const float *y = work->beams + 2 * (b * foci + focus);

          power += y[0] * y[0] + y[1] * y[1];
        }
      of->powers[focus] = power / (float) (of->elements * of->elements);
    }

  return ESK_LADDER_OK;
}
/* lab end */
