/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the azimuth spectrum on the processor. */

#include "es-ladder-cpu-azimuth-private.h"

#include <math.h>
#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: azimuth-loops azimuth-blocked azimuth-vectorised azimuth-threaded */
/* What a plane wave from this angle looks like at the elements. */
void
azimuth_steer (const Azimuth *self,
               size_t         angle,
               Complex       *direction)
{
  for (size_t k = 0; k < self->n; k++)
    {
      const double turns = ESK_ARRAY_TURNS * esk_array_place (k, self->n) * self->cosines[angle];
      const float phase = (float) (2.0 * M_PI * (turns - rint (turns)));

      direction[k] = (Complex) { cosf (phase), sinf (phase) };
    }
}
/* lab end */

/* lab: azimuth-loops */
/* Angle by angle the products with all eigenvectors, one after the other. */
int
azimuth_loops (EskLadder *ladder,
               Azimuth   *self)
{
  for (size_t angle = 0; angle < self->angles; angle++)
    {
      const Complex *a = self->directions;
      float sum = 0.0f;

      azimuth_steer (self, angle, self->directions);
      for (size_t m = 0; m < self->n; m++)
        {
          const Complex *v = self->vectors + m * self->n;
          float re = 0.0f, im = 0.0f;

          for (size_t k = 0; k < self->n; k++)
            {
              re += a[k].re * v[k].re + a[k].im * v[k].im;
              im += a[k].re * v[k].im - a[k].im * v[k].re;
            }
          sum += (re * re + im * im) * self->inverse[m];
        }
      self->power[angle] = 1.0f / sum;
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (angle + 1) / (double) self->angles));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: azimuth-blocked azimuth-vectorised azimuth-threaded */
/* The directions of a tile of angles; beyond the last it is taken again. */
static void
steer_tile (const Azimuth *self,
            size_t         first,
            Complex       *directions)
{
  for (size_t t = 0; t < AZIMUTH_TILE; t++)
    azimuth_steer (self, first + t < self->angles ? first + t : self->angles - 1, directions + t * self->n);
}
/* lab end */

/* lab: azimuth-blocked */
/* One eigenvector with the angles of a tile: what is read of it serves them all. */
static void
multiply_tile (const Azimuth *self,
               const Complex *v,
               const Complex *a,
               float          re[AZIMUTH_TILE],
               float          im[AZIMUTH_TILE])
{
  float x[AZIMUTH_TILE] = { 0.0f }, y[AZIMUTH_TILE] = { 0.0f };

  for (size_t k = 0; k < self->n; k++)
#pragma GCC unroll 4
    for (size_t t = 0; t < AZIMUTH_TILE; t++)
      {
        const Complex *own = a + t * self->n;

        x[t] += own[k].re * v[k].re + own[k].im * v[k].im;
        y[t] += own[k].re * v[k].im - own[k].im * v[k].re;
      }
  for (size_t t = 0; t < AZIMUTH_TILE; t++)
    {
      re[t] = x[t];
      im[t] = y[t];
    }
}
/* lab end */

#if defined (__x86_64__)
/* lab: azimuth-vectorised azimuth-threaded */
#define AVX2 __attribute__ ((target ("avx2,fma")))

AVX2 static inline float
add_up (__m256 x)
{
  __m128 y = _mm_add_ps (_mm256_castps256_ps128 (x), _mm256_extractf128_ps (x, 1));

  y = _mm_add_ps (y, _mm_movehl_ps (y, y));
  return _mm_cvtss_f32 (_mm_add_ss (y, _mm_movehdup_ps (y)));
}

/* Even places less odd ones. */
AVX2 static inline float
add_up_alternately (__m256 x)
{
  return add_up (_mm256_xor_ps (x, _mm256_setr_ps (0.0f, -0.0f, 0.0f, -0.0f, 0.0f, -0.0f, 0.0f, -0.0f)));
}

/* One eigenvector with the angles of a tile, four elements at a time: the real part is the sum of all products, the
 * imaginary part that of those with the eigenvector's parts exchanged, one less the other. */
AVX2 static void
multiply_tile_four (const Azimuth *self,
                    const Complex *v,
                    const Complex *a,
                    float          re[AZIMUTH_TILE],
                    float          im[AZIMUTH_TILE])
{
  __m256 straight[AZIMUTH_TILE], crossed[AZIMUTH_TILE];
  size_t k = 0;

#pragma GCC unroll 4
  for (size_t t = 0; t < AZIMUTH_TILE; t++)
    straight[t] = crossed[t] = _mm256_setzero_ps ();
  for (; k + 4 <= self->n; k += 4)
    {
      const __m256 x = _mm256_loadu_ps (&v[k].re), exchanged = _mm256_permute_ps (x, 0xb1);

#pragma GCC unroll 4
      for (size_t t = 0; t < AZIMUTH_TILE; t++)
        {
          const __m256 own = _mm256_loadu_ps (&a[t * self->n + k].re);

          straight[t] = _mm256_fmadd_ps (own, x, straight[t]);
          crossed[t] = _mm256_fmadd_ps (own, exchanged, crossed[t]);
        }
    }
#pragma GCC unroll 4
  for (size_t t = 0; t < AZIMUTH_TILE; t++)
    {
      re[t] = add_up (straight[t]);
      im[t] = add_up_alternately (crossed[t]);
    }
  for (; k < self->n; k++)
    for (size_t t = 0; t < AZIMUTH_TILE; t++)
      {
        const Complex *own = a + t * self->n;

        re[t] += own[k].re * v[k].re + own[k].im * v[k].im;
        im[t] += own[k].re * v[k].im - own[k].im * v[k].re;
      }
}
/* lab end */
#endif

/* lab: azimuth-blocked */
static void
do_tile (const Azimuth *self,
         size_t         first,
         Complex       *directions)
{
  float sum[AZIMUTH_TILE] = { 0.0f }, re[AZIMUTH_TILE], im[AZIMUTH_TILE];

  steer_tile (self, first, directions);
  for (size_t m = 0; m < self->n; m++)
    {
      multiply_tile (self, self->vectors + m * self->n, directions, re, im);
      for (size_t t = 0; t < AZIMUTH_TILE; t++)
        sum[t] += (re[t] * re[t] + im[t] * im[t]) * self->inverse[m];
    }
  for (size_t t = 0; t < AZIMUTH_TILE && first + t < self->angles; t++)
    self->power[first + t] = 1.0f / sum[t];
}

int
azimuth_blocked (EskLadder *ladder,
                 Azimuth   *self)
{
  for (size_t first = 0; first < self->angles; first += AZIMUTH_TILE)
    {
      do_tile (self, first, self->directions);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, fmin (1.0, (double) (first + AZIMUTH_TILE) / (double) self->angles)));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#if defined (__x86_64__)
/* lab: azimuth-vectorised azimuth-threaded */
static void
do_tile_four (const Azimuth *self,
              size_t         first,
              Complex       *directions)
{
  float sum[AZIMUTH_TILE] = { 0.0f }, re[AZIMUTH_TILE], im[AZIMUTH_TILE];

  steer_tile (self, first, directions);
  for (size_t m = 0; m < self->n; m++)
    {
      multiply_tile_four (self, self->vectors + m * self->n, directions, re, im);
      for (size_t t = 0; t < AZIMUTH_TILE; t++)
        sum[t] += (re[t] * re[t] + im[t] * im[t]) * self->inverse[m];
    }
  for (size_t t = 0; t < AZIMUTH_TILE && first + t < self->angles; t++)
    self->power[first + t] = 1.0f / sum[t];
}
/* lab end */

/* lab: azimuth-vectorised */
int
azimuth_vectorised (EskLadder *ladder,
                    Azimuth   *self)
{
  for (size_t first = 0; first < self->angles; first += AZIMUTH_TILE)
    {
      do_tile_four (self, first, self->directions);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, fmin (1.0, (double) (first + AZIMUTH_TILE) / (double) self->angles)));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: azimuth-threaded */
/* Tiles go to the threads; each has room for directions of its own. */
static void
do_item (void    *data,
         size_t   item,
         unsigned worker)
{
  const Azimuth *self = data;

  do_tile_four (self, item * AZIMUTH_TILE, self->directions + worker * AZIMUTH_TILE * self->n);
}

int
azimuth_threaded (EskLadder *ladder,
                  Azimuth   *self)
{
  return ladder_share (ladder, (self->angles + AZIMUTH_TILE - 1) / AZIMUTH_TILE, do_item, self);
}
/* lab end */
#else
int
azimuth_vectorised (EskLadder *ladder,
                    Azimuth   *self)
{
  return ESK_LADDER_OK;
}

int
azimuth_threaded (EskLadder *ladder,
                  Azimuth   *self)
{
  return ESK_LADDER_OK;
}
#endif
