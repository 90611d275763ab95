/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Fourier transform, from its definition to transforms that halve, in caches. */

#include "es-ladder-cpu-fourier-private.h"

#include <math.h>
#include <string.h>

/* ---- the definition ---- */

/* lab: fourier-first */
/* The sum as it is written: a cosine and a sine for every product. */
int
ladder_fourier_first (EskLadder     *ladder,
                      LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples;

  for (size_t e = 0; e < of->elements; e++)
    for (size_t b = 0; b < of->bins; b++)
      {
        const float *signal = of->signals + e * n;
        float *z = of->spectra + 2 * (e * of->stride + b);
        size_t turn = 0;

        z[0] = z[1] = 0.0f;
        for (size_t s = 0; s < n; s++)
          {
            const float angle = -2.0f * (float) M_PI * (float) turn / (float) n;

            z[0] += signal[s] * cosf (angle);
            z[1] += signal[s] * sinf (angle);
            /* b s / N turns, of which the whole ones change nothing. */
            turn = turn + b < n ? turn + b : turn + b - n;
          }
        ESK_LADDER_TRY (esk_ladder_pause (ladder, ((double) e + (double) (b + 1) / (double) of->bins)
                                                  / (double) of->elements));
      }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-table */
/* There are but N different cosines and sines: they are looked up. */
int
ladder_fourier_table (EskLadder     *ladder,
                      LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples;

  for (size_t e = 0; e < of->elements; e++)
    for (size_t b = 0; b < of->bins; b++)
      {
        const float *signal = of->signals + e * n;
        float *z = of->spectra + 2 * (e * of->stride + b);
        size_t turn = 0;

        z[0] = z[1] = 0.0f;
        for (size_t s = 0; s < n; s++)
          {
            z[0] += signal[s] * work->turns[2 * turn];
            z[1] += signal[s] * work->turns[2 * turn + 1];
            /* b s / N turns, of which the whole ones change nothing. */
            turn = turn + b < n ? turn + b : turn + b - n;
          }
        ESK_LADDER_TRY (esk_ladder_pause (ladder, ((double) e + (double) (b + 1) / (double) of->bins)
                                                  / (double) of->elements));
      }

  return ESK_LADDER_OK;
}
/* lab end */

/* ---- transforms that halve ---- */

/* lab: fourier-radix fourier-half fourier-blocked */
/* One stage of a transform of `length` numbers: pairs of transforms of `half` become one of twice as many each. turns
 * is at the first, `step` numbers from one to the next. */
static void
stage (float       *z,
       size_t       length,
       size_t       half,
       const float *turns,
       size_t       step)
{
  for (size_t start = 0; start < length; start += 2 * half)
    for (size_t k = 0; k < half; k++)
      {
        float *a = z + 2 * (start + k), *b = a + 2 * half;
        const float *turn = turns + 2 * k * step;
        const float re = b[0] * turn[0] - b[1] * turn[1], im = b[0] * turn[1] + b[1] * turn[0];

        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
}
/* lab end */

/* lab: fourier-radix */
/* Halves of halves (radix 2): log2 N stages of N / 2 butterflies, one stage of all elements after the other. */
int
ladder_fourier_radix (EskLadder     *ladder,
                      LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples;

  for (size_t e = 0; e < of->elements; e++)
    for (size_t s = 0; s < n; s++)
      {
        float *z = work->scratch + 2 * (e * n + work->reversed[s]);

        z[0] = of->signals[e * n + s];
        z[1] = 0.0f;
      }
  for (size_t half = 1; half < n; half *= 2)
    for (size_t e = 0; e < of->elements; e++)
      {
        stage (work->scratch + 2 * e * n, n, half, work->turns, n / (2 * half));
        ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      }
  for (size_t e = 0; e < of->elements; e++)
    memcpy (of->spectra + 2 * e * of->stride, work->scratch + 2 * e * n, 2 * of->bins * sizeof (float));

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-half fourier-blocked */
/* The transform of n / 2 numbers z = x_even + j x_odd holds those of both parts, which are symmetric and anti-symmetric
 * in it: taken apart they give the bins of x. */
static void
take_apart (const float *z,
            size_t       half,
            const float *turns,
            size_t       bins,
            float       *spectrum)
{
  for (size_t b = 0; b < bins; b++)
    {
      const float *p = z + 2 * (b % half), *q = z + 2 * ((half - b % half) % half), *turn = turns + 2 * b;
      const float even_re = 0.5f * (p[0] + q[0]), even_im = 0.5f * (p[1] - q[1]);
      const float odd_re = 0.5f * (p[1] + q[1]), odd_im = 0.5f * (q[0] - p[0]);

      spectrum[2 * b] = even_re + odd_re * turn[0] - odd_im * turn[1];
      spectrum[2 * b + 1] = even_im + odd_re * turn[1] + odd_im * turn[0];
    }
}
/* lab end */

/* lab: fourier-half */
/* Two samples make one complex number: half of everything. */
int
ladder_fourier_half (EskLadder     *ladder,
                     LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples, m = n / 2;

  for (size_t e = 0; e < of->elements; e++)
    for (size_t s = 0; s < m; s++)
      {
        float *z = work->scratch + 2 * (e * m + work->reversed[s]);

        z[0] = of->signals[e * n + 2 * s];
        z[1] = of->signals[e * n + 2 * s + 1];
      }
  for (size_t half = 1; half < m; half *= 2)
    for (size_t e = 0; e < of->elements; e++)
      {
        stage (work->scratch + 2 * e * m, m, half, work->turns, n / (2 * half));
        ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      }
  for (size_t e = 0; e < of->elements; e++)
    take_apart (work->scratch + 2 * e * m, m, work->turns, of->bins, of->spectra + 2 * e * of->stride);

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-blocked */
/* All stages of one element before the next: its numbers stay in the caches. */
int
ladder_fourier_blocked (EskLadder     *ladder,
                        LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples, m = n / 2;

  for (size_t e = 0; e < of->elements; e++)
    {
      for (size_t s = 0; s < m; s++)
        {
          float *z = work->scratch + 2 * work->reversed[s];

          z[0] = of->signals[e * n + 2 * s];
          z[1] = of->signals[e * n + 2 * s + 1];
        }
      for (size_t half = 1; half < m; half *= 2)
        stage (work->scratch, m, half, work->turns, n / (2 * half));
      take_apart (work->scratch, m, work->turns, of->bins, of->spectra + 2 * e * of->stride);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (e + 1) / (double) of->elements));
    }

  return ESK_LADDER_OK;
}
/* lab end */
