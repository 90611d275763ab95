/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform of a cube, pixel by pixel first, then by panels, vectors and threads. */

#include "es-ladder-cpu-transform-private.h"

/* lab: transform-first */
/* Every result, one after the other: its bands lie a whole plane apart. */
int
transform_first (EskLadder      *ladder,
                 TransformOfCpu *self)
{
  const EskTransformWork *work = &self->of;

  for (size_t r = 0; r < work->rows; r++)
    for (size_t p = 0; p < work->pixels; p++)
      {
        float sum = -work->offset[r];

        for (size_t b = 0; b < work->bands; b++)
          sum += work->basis[r * work->bands + b] * (float) work->planes[b * work->pixels + p];
        work->out[r * work->pixels + p] = sum;
        if (p % 4096 == 4095 || p + 1 == work->pixels)
          ESK_LADDER_TRY (esk_ladder_pause (ladder, ((double) r * (double) work->pixels + (double) (p + 1))
                                            / ((double) work->rows * (double) work->pixels)));
      }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: transform-interchanged */
/* Pixels are the inner loop: samples and results are gone through as they lie, results once for each band. */
int
transform_interchanged (EskLadder      *ladder,
                        TransformOfCpu *self)
{
  const EskTransformWork *work = &self->of;

  for (size_t r = 0; r < work->rows; r++)
    {
      float *out = work->out + r * work->pixels;

      for (size_t p = 0; p < work->pixels; p++)
        out[p] = -work->offset[r];
      for (size_t b = 0; b < work->bands; b++)
        {
          const float factor = work->basis[r * work->bands + b];
          const uint8_t *plane = work->planes + b * work->pixels;

          for (size_t p = 0; p < work->pixels; p++)
            out[p] += factor * (float) plane[p];
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (r + 1) / (double) work->rows));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: transform-blocked */
/* Results that are summed at a time, in registers: what is loaded counts for four or two of them. */
#define TILE_ROWS 4
#define TILE_PIXELS 2

/* Samples of a panel as float32, once for all rows; zeros behind the last pixel. */
static void
fill (const EskTransformWork *work,
      size_t                  first,
      size_t                  n,
      float                  *panel)
{
  for (size_t b = 0; b < work->bands; b++)
    {
      for (size_t p = 0; p < n; p++)
        panel[b * TRANSFORM_PANEL + p] = (float) work->planes[b * work->pixels + first + p];
      for (size_t p = n; p < TRANSFORM_PANEL; p++)
        panel[b * TRANSFORM_PANEL + p] = 0.0f;
    }
}

/* The results of rows r to r + 3 and pixels p, p + 1 of the panel, of which n are kept. Rows behind the last stand for
 * it. */
static void
tile (const EskTransformWork *work,
      const float            *panel,
      size_t                  first,
      size_t                  n,
      size_t                  r,
      size_t                  p)
{
  const float *basis[TILE_ROWS];
  float sum[TILE_ROWS][TILE_PIXELS] = { 0 };

#pragma GCC unroll 4
  for (size_t k = 0; k < TILE_ROWS; k++)
    basis[k] = work->basis + (r + k < work->rows ? r + k : work->rows - 1) * work->bands;
  for (size_t b = 0; b < work->bands; b++)
#pragma GCC unroll 4
    for (size_t k = 0; k < TILE_ROWS; k++)
#pragma GCC unroll 2
      for (size_t q = 0; q < TILE_PIXELS; q++)
        sum[k][q] += basis[k][b] * panel[b * TRANSFORM_PANEL + p + q];
#pragma GCC unroll 4
  for (size_t k = 0; k < TILE_ROWS; k++)
#pragma GCC unroll 2
    for (size_t q = 0; q < TILE_PIXELS; q++)
      if (r + k < work->rows && p + q < n)
        work->out[(r + k) * work->pixels + first + p + q] = sum[k][q] - work->offset[r + k];
}

int
transform_blocked (EskLadder      *ladder,
                   TransformOfCpu *self)
{
  const EskTransformWork *work = &self->of;

  for (size_t first = 0; first < work->pixels; first += TRANSFORM_PANEL)
    {
      const size_t n = work->pixels - first < TRANSFORM_PANEL ? work->pixels - first : TRANSFORM_PANEL;

      fill (work, first, n, self->workers[0].panel);
      for (size_t r = 0; r < work->rows; r += TILE_ROWS)
        for (size_t p = 0; p < n; p += TILE_PIXELS)
          tile (work, self->workers[0].panel, first, n, r, p);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) work->pixels));
    }

  return ESK_LADDER_OK;
}
/* lab end */
