/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform of a cube as the program computes it, and by OpenBLAS. */

#include "es-ladder-cpu-transform-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* Of a tile, as passes of the program cut them. */
#define TILE_BYTES ((size_t) 4 << 20)
/* Tiles of a thread at least: the last ones end at about the same time. */
#define TILES 4

typedef struct {
  EskLadder            *ladder;
  const TransformOfCpu *self;
  int                   code;          /* atomic: of the first that failed */
} Shared;

/* ---- the hot spot ---- */

int
transform_production_begin (EskLadder      *ladder,
                            TransformOfCpu *self,
                            EskRungResult  *result)
{
  const EskHotspots *hotspots = ladder->production;
  const size_t bands = self->of.bands, rows = self->of.height;
  size_t tile_rows = TILE_BYTES / (self->of.width * bands);

  if (hotspots == NULL || !ESK_HAS (hotspots, cube, project))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  self->n_workers = ladder_threads (ladder);
  if (tile_rows > rows / (TILES * self->n_workers))
    tile_rows = rows / (TILES * self->n_workers);
  self->tile_rows = tile_rows > 0 ? tile_rows : 1;
  self->bands = malloc (bands * sizeof *self->bands);
  if (self->bands == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < bands; b++)
    self->bands[b] = (uint32_t) b;
  for (unsigned w = 0; w < self->n_workers; w++)
    {
      self->workers[w].stream = hotspots->stream->stream_new (0);
      if (self->workers[w].stream == NULL)
        return ESK_LADDER_ERROR_MEMORY;
      esk_hotspots_set_cancelled (hotspots, self->workers[w].stream, &ladder->cancelled);
    }
  esk_transform_least (&ladder->size, &result->bytes, &result->operations);

  return ESK_LADDER_OK;
}

static void
project_tile (void    *data,
              size_t   at,
              unsigned worker)
{
  Shared *shared = data;
  const TransformOfCpu *self = shared->self;
  const EskTransformWork *work = &self->of;
  const size_t row = at * self->tile_rows, left = work->height - row, offset = row * work->width;
  const EskSelection selection = { .bands = self->bands, .n_bands = work->bands };
  const EskMatrix basis = { work->rows, work->bands, work->basis };
  const EskTile tile = {
    .data = work->planes + offset, .type = ESK_U8, .width = work->width,
    .height = left < self->tile_rows ? left : self->tile_rows, .bands = work->bands, .column_stride = 1,
    .row_stride = (ptrdiff_t) work->width, .band_stride = (ptrdiff_t) work->pixels,
  };
  const int code = shared->ladder->production->cube->project (self->workers[worker].stream, &tile, &selection,
                                                              NULL, &basis, work->mean,
                                                              work->out + offset, work->pixels);

  if (code != ESK_OK)
    __atomic_store_n (&shared->code, code, __ATOMIC_RELAXED);
}

int
transform_production (EskLadder      *ladder,
                      TransformOfCpu *self)
{
  Shared shared = { ladder, self, ESK_OK };

  ESK_LADDER_TRY (ladder_share (ladder, (self->of.height + self->tile_rows - 1) / self->tile_rows, project_tile,
                                &shared));
  return esk_ladder_produced (ladder, shared.code);
}

/* ---- the library ---- */

/* A band of a panel. The compiler's vectors, as OpenBLAS has its own. */
__attribute__ ((optimize ("O3", "tree-vectorize"))) static void
convert (const uint8_t *restrict from,
         size_t                  n,
         float         *restrict to)
{
  for (size_t p = 0; p < n; p++)
    to[p] = (float) from[p];
}

/* OpenBLAS adds the product to what there is: what the mean takes off. */
static void
multiply_panel (void    *data,
                size_t   at,
                unsigned worker)
{
  Shared *shared = data;
  const EskTransformWork *work = &shared->self->of;
  float *panel = shared->self->workers[worker].panel;
  const size_t first = at * TRANSFORM_PANEL;
  const size_t n = work->pixels - first < TRANSFORM_PANEL ? work->pixels - first : TRANSFORM_PANEL;

  for (size_t b = 0; b < work->bands; b++)
    convert (work->planes + b * work->pixels + first, n, panel + b * TRANSFORM_PANEL);
  for (size_t r = 0; r < work->rows; r++)
    for (size_t p = 0; p < n; p++)
      work->out[r * work->pixels + first + p] = -work->offset[r];
  if (esk_blas_enter () != ESK_OK)
    {
      __atomic_store_n (&shared->code, ESK_ERROR_MEMORY, __ATOMIC_RELAXED);
      return;
    }
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) work->rows, (int) n, (int) work->bands, 1.0f,
               work->basis, (int) work->bands, panel, TRANSFORM_PANEL, 1.0f, work->out + first, (int) work->pixels);
  esk_blas_leave ();
}

int
transform_library (EskLadder      *ladder,
                   TransformOfCpu *self)
{
  Shared shared = { ladder, self, ESK_OK };

  ESK_LADDER_TRY (ladder_share (ladder, (self->of.pixels + TRANSFORM_PANEL - 1) / TRANSFORM_PANEL, multiply_panel,
                                &shared));
  return shared.code == ESK_OK ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
}

/* ---- memory ---- */

int
transform_panels (TransformOfCpu *self,
                  unsigned        n,
                  EskRungResult  *result)
{
  self->n_workers = n;
  for (unsigned w = 0; w < n; w++)
    {
      self->workers[w].panel = ladder_more (self->of.bands * TRANSFORM_PANEL * sizeof (float), result);
      if (self->workers[w].panel == NULL)
        return ESK_LADDER_ERROR_MEMORY;
    }

  return ESK_LADDER_OK;
}

void
transform_end (EskLadder      *ladder,
               TransformOfCpu *self)
{
  for (unsigned w = 0; w < self->n_workers; w++)
    {
      if (self->workers[w].stream != NULL)
        ladder->production->stream->stream_free (self->workers[w].stream);
      free (self->workers[w].panel);
    }
  memset (self->workers, 0, sizeof self->workers);
  self->n_workers = 0;
  free (self->bands);
  self->bands = NULL;
}
