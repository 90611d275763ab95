/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform of a cube by vectors of eight results, and by many threads. */

#include "es-ladder-cpu-transform-private.h"

#include <string.h>

#if defined (__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__ ((target ("avx2,fma")))

/* lab: transform-vectorised transform-threaded */
/* Results that are summed at a time, in registers, pixels in vectors of eight: what is loaded counts for four or two of
 * them. */
#define TILE_ROWS 4
#define TILE_PIXELS 2

/* Samples of a panel as float32, once for all rows; zeros behind the last pixel. */
AVX2 static void
fill (const EskTransformWork *work,
      size_t                  first,
      size_t                  n,
      float                  *panel)
{
  for (size_t b = 0; b < work->bands; b++)
    for (size_t p = 0; p < TRANSFORM_PANEL; p += 8)
      {
        uint8_t samples[8] = { 0 };

        if (p < n)
          memcpy (samples, work->planes + b * work->pixels + first + p, n - p < 8 ? n - p : 8);
        _mm256_store_ps (panel + b * TRANSFORM_PANEL + p, _mm256_cvtepi32_ps (
          _mm256_cvtepu8_epi32 (_mm_loadl_epi64 ((const __m128i *) (const void *) samples))));
      }
}

/* The results of rows r to r + 3 and pixels p to p + 15 of the panel, of which n are kept. Rows behind the last stand
 * for it. */
AVX2 static void
tile (const EskTransformWork *work,
      const float            *panel,
      size_t                  first,
      size_t                  n,
      size_t                  r,
      size_t                  p)
{
  const float *basis[TILE_ROWS];
  __m256 sum[TILE_ROWS][TILE_PIXELS];
  float last[8 * TILE_PIXELS];

#pragma GCC unroll 4
  for (size_t k = 0; k < TILE_ROWS; k++)
    basis[k] = work->basis + (r + k < work->rows ? r + k : work->rows - 1) * work->bands;
#pragma GCC unroll 8
  for (size_t k = 0; k < TILE_ROWS * TILE_PIXELS; k++)
    sum[k / TILE_PIXELS][k % TILE_PIXELS] = _mm256_setzero_ps ();
  for (size_t b = 0; b < work->bands; b++)
#pragma GCC unroll 4
    for (size_t k = 0; k < TILE_ROWS; k++)
#pragma GCC unroll 2
      for (size_t q = 0; q < TILE_PIXELS; q++)
        sum[k][q] = _mm256_fmadd_ps (_mm256_broadcast_ss (basis[k] + b),
                                     _mm256_load_ps (panel + b * TRANSFORM_PANEL + p + 8 * q), sum[k][q]);
#pragma GCC unroll 4
  for (size_t k = 0; k < TILE_ROWS; k++)
    if (r + k < work->rows)
      {
#pragma GCC unroll 2
        for (size_t q = 0; q < TILE_PIXELS; q++)
          _mm256_storeu_ps (last + 8 * q, _mm256_sub_ps (sum[k][q], _mm256_broadcast_ss (work->offset + r + k)));
        memcpy (work->out + (r + k) * work->pixels + first + p, last,
                (n - p < 8 * TILE_PIXELS ? n - p : 8 * TILE_PIXELS) * sizeof (float));
      }
}
/* lab end */

/* lab: transform-vectorised */

int
transform_vectorised (EskLadder      *ladder,
                      TransformOfCpu *self)
{
  const EskTransformWork *work = &self->of;

  for (size_t first = 0; first < work->pixels; first += TRANSFORM_PANEL)
    {
      const size_t n = work->pixels - first < TRANSFORM_PANEL ? work->pixels - first : TRANSFORM_PANEL;

      fill (work, first, n, self->workers[0].panel);
      for (size_t r = 0; r < work->rows; r += TILE_ROWS)
        for (size_t p = 0; p < n; p += 8 * TILE_PIXELS)
          tile (work, self->workers[0].panel, first, n, r, p);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) work->pixels));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: transform-threaded */

/* What a thread does next: a panel, in memory of its own. */
static void
panel_of_thread (void    *data,
                 size_t   at,
                 unsigned worker)
{
  const TransformOfCpu *self = data;
  const EskTransformWork *work = &self->of;
  const size_t first = at * TRANSFORM_PANEL;
  const size_t n = work->pixels - first < TRANSFORM_PANEL ? work->pixels - first : TRANSFORM_PANEL;

  fill (work, first, n, self->workers[worker].panel);
  for (size_t r = 0; r < work->rows; r += TILE_ROWS)
    for (size_t p = 0; p < n; p += 8 * TILE_PIXELS)
      tile (work, self->workers[worker].panel, first, n, r, p);
}

int
transform_threaded (EskLadder      *ladder,
                    TransformOfCpu *self)
{
  return ladder_share (ladder, (self->of.pixels + TRANSFORM_PANEL - 1) / TRANSFORM_PANEL, panel_of_thread, self);
}
/* lab end */

#else

/* ladder_vectors () has refused them. */

int
transform_vectorised (EskLadder      *ladder,
                      TransformOfCpu *self)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
transform_threaded (EskLadder      *ladder,
                    TransformOfCpu *self)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

#endif
