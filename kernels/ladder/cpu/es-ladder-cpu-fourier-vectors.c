/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Fourier transform of eight elements at a time, and by several threads. */

#include "es-ladder-cpu-fourier-private.h"

#if defined (__x86_64__)

#include <immintrin.h>

#define VECTORS __attribute__ ((target ("avx2,fma")))
#define LANES LADDER_FOURIER_LANES

/* lab: fourier-vectorised fourier-threaded */
/* Eight rows of eight become columns. */
static VECTORS void
transpose (__m256 x[8])
{
  __m256 pairs[8], fours[8];

  for (int k = 0; k < 8; k += 2)
    {
      pairs[k] = _mm256_unpacklo_ps (x[k], x[k + 1]);
      pairs[k + 1] = _mm256_unpackhi_ps (x[k], x[k + 1]);
    }
  for (int k = 0; k < 8; k += 4)
    {
      fours[k] = _mm256_shuffle_ps (pairs[k], pairs[k + 2], 0x44);
      fours[k + 1] = _mm256_shuffle_ps (pairs[k], pairs[k + 2], 0xee);
      fours[k + 2] = _mm256_shuffle_ps (pairs[k + 1], pairs[k + 3], 0x44);
      fours[k + 3] = _mm256_shuffle_ps (pairs[k + 1], pairs[k + 3], 0xee);
    }
  for (int k = 0; k < 4; k++)
    {
      x[k] = _mm256_permute2f128_ps (fours[k], fours[k + 4], 0x20);
      x[k + 4] = _mm256_permute2f128_ps (fours[k], fours[k + 4], 0x31);
    }
}

/* One stage of a transform of `length` numbers of eight elements, one in each lane: pairs of transforms of `half`
 * become one of twice as many each. turns is at the first, `step` numbers from one to the next. */
static VECTORS void
stage (__m256      *z,
       size_t       length,
       size_t       half,
       const float *turns,
       size_t       step)
{
  for (size_t start = 0; start < length; start += 2 * half)
    for (size_t k = 0; k < half; k++)
      {
        __m256 *a = z + 2 * (start + k), *b = a + 2 * half;
        const __m256 turn_re = _mm256_set1_ps (turns[2 * k * step]), turn_im = _mm256_set1_ps (turns[2 * k * step + 1]);
        const __m256 re = _mm256_fnmadd_ps (b[1], turn_im, _mm256_mul_ps (b[0], turn_re));
        const __m256 im = _mm256_fmadd_ps (b[1], turn_re, _mm256_mul_ps (b[0], turn_im));

        b[0] = _mm256_sub_ps (a[0], re);
        b[1] = _mm256_sub_ps (a[1], im);
        a[0] = _mm256_add_ps (a[0], re);
        a[1] = _mm256_add_ps (a[1], im);
      }
}

/* The transform of n / 2 numbers z = x_even + j x_odd holds those of both parts, which are symmetric and anti-symmetric
 * in it: taken apart they give the bins of x. Four bins at a time, which fill a vector for each element. */
static VECTORS void
take_apart (const __m256 *z,
            size_t        half,
            const float  *turns,
            size_t        bins,
            float        *spectra,
            size_t        stride,
            size_t        elements)
{
  const __m256 one_half = _mm256_set1_ps (0.5f);

  for (size_t first = 0; first < bins; first += 4)
    {
      __m256 x[8];

      for (size_t k = 0; k < 4; k++)
        {
          const size_t b = first + k;
          const __m256 *p = z + 2 * (b % half), *q = z + 2 * ((half - b % half) % half);
          const __m256 turn_re = _mm256_set1_ps (turns[2 * b]), turn_im = _mm256_set1_ps (turns[2 * b + 1]);
          const __m256 even_re = _mm256_mul_ps (one_half, _mm256_add_ps (p[0], q[0]));
          const __m256 even_im = _mm256_mul_ps (one_half, _mm256_sub_ps (p[1], q[1]));
          const __m256 odd_re = _mm256_mul_ps (one_half, _mm256_add_ps (p[1], q[1]));
          const __m256 odd_im = _mm256_mul_ps (one_half, _mm256_sub_ps (q[0], p[0]));

          x[2 * k] = _mm256_fnmadd_ps (odd_im, turn_im, _mm256_fmadd_ps (odd_re, turn_re, even_re));
          x[2 * k + 1] = _mm256_fmadd_ps (odd_im, turn_re, _mm256_fmadd_ps (odd_re, turn_im, even_im));
        }
      transpose (x);
      for (size_t lane = 0; lane < LANES && lane < elements; lane++)
        _mm256_storeu_ps (spectra + 2 * (lane * stride + first), x[lane]);
    }
}
/* lab end */

/* lab: fourier-vectorised */
/* Eight elements at a time, one in each lane of a vector. */
VECTORS int
ladder_fourier_vectorised (EskLadder     *ladder,
                           LadderFourier *work)
{
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples, m = n / 2;

  for (size_t e = 0; e < of->elements; e += LANES)
    {
      __m256 *z = (__m256 *) work->scratch;
      const size_t left = of->elements - e;

      for (size_t s = 0; s < n; s += 8)
        {
          __m256 x[8];

          /* Where no element is left, the last one fills the lanes. */
          for (size_t lane = 0; lane < LANES; lane++)
            x[lane] = _mm256_loadu_ps (of->signals + (e + (lane < left ? lane : left - 1)) * n + s);
          transpose (x);
          for (size_t k = 0; k < 8; k++)
            z[2 * work->reversed[(s + k) / 2] + k % 2] = x[k];
        }
      for (size_t half = 1; half < m; half *= 2)
        stage (z, m, half, work->turns, n / (2 * half));
      take_apart (z, m, work->turns, of->bins, of->spectra + 2 * e * of->stride, of->stride, left);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (e + LANES) / (double) of->elements));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-threaded */
/* Eight elements at a time, one in each lane of a vector; each thread takes the next eight. */
static VECTORS void
eight (void    *data,
       size_t   group,
       unsigned worker)
{
  const LadderFourier *work = data;
  const EskFourierWork *of = &work->of;
  const size_t n = of->samples, m = n / 2, e = group * LANES, left = of->elements - e;
  __m256 *z = (__m256 *) (work->scratch + worker * work->scratch_floats);

  for (size_t s = 0; s < n; s += 8)
    {
      __m256 x[8];

      /* Where no element is left, the last one fills the lanes. */
      for (size_t lane = 0; lane < LANES; lane++)
        x[lane] = _mm256_loadu_ps (of->signals + (e + (lane < left ? lane : left - 1)) * n + s);
      transpose (x);
      for (size_t k = 0; k < 8; k++)
        z[2 * work->reversed[(s + k) / 2] + k % 2] = x[k];
    }
  for (size_t half = 1; half < m; half *= 2)
    stage (z, m, half, work->turns, n / (2 * half));
  take_apart (z, m, work->turns, of->bins, of->spectra + 2 * e * of->stride, of->stride, left);
}

int
ladder_fourier_threaded (EskLadder     *ladder,
                         LadderFourier *work)
{
  return ladder_share (ladder, (work->of.elements + LANES - 1) / LANES, eight, work);
}
/* lab end */

#else

/* begin () refuses them. */
int
ladder_fourier_vectorised (EskLadder     *ladder,
                           LadderFourier *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
ladder_fourier_threaded (EskLadder     *ladder,
                         LadderFourier *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

#endif

/* ---- FFTW's ---- */

/* lab: fourier-fftw */
/* A plan of one element, executed for one after the other. */
int
ladder_fourier_fftw (EskLadder     *ladder,
                     LadderFourier *work)
{
  const EskFourierWork *of = &work->of;

  for (size_t e = 0; e < of->elements; e++)
    {
      fftwf_execute_dft_r2c (work->plan, of->signals + e * of->samples, (fftwf_complex *) of->spectra + e * of->stride);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (e + 1) / (double) of->elements));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-library */
/* A plan of several elements, executed by all threads. */
static void
batch (void    *data,
       size_t   group,
       unsigned worker)
{
  const LadderFourier *work = data;
  const EskFourierWork *of = &work->of;
  const size_t e = group * LADDER_FOURIER_BATCH;

  fftwf_execute_dft_r2c (of->elements - e >= LADDER_FOURIER_BATCH ? work->plan : work->rest,
                         of->signals + e * of->samples, (fftwf_complex *) of->spectra + e * of->stride);
}

int
ladder_fourier_library (EskLadder     *ladder,
                        LadderFourier *work)
{
  return ladder_share (ladder, (work->of.elements + LADDER_FOURIER_BATCH - 1) / LADDER_FOURIER_BATCH, batch, work);
}
/* lab end */
