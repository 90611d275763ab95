/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix as the program computes it, and by OpenBLAS. */

#include "es-ladder-cpu-covariance-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* ---- the hot spot ---- */

/* Of a tile, as passes of the program cut them. */
#define TILE_BYTES ((size_t) 4 << 20)
/* Tiles of a thread at least: the last ones end at about the same time. */
#define TILES 4

int
covariance_production_begin (EskLadder       *ladder,
                             CovarianceOfCpu *self,
                             EskRungResult   *result)
{
  const EskHotspots *hotspots = ladder->production;
  const size_t bands = self->of.bands, rows = self->of.height;
  size_t tile_rows = TILE_BYTES / (self->of.width * bands);

  if (hotspots == NULL || !ESK_HAS (hotspots, cube, covariance_sums))
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
      if (self->workers[w].stream == NULL
          || esk_covariance_init (&self->workers[w].sums, bands, true, NULL) != ESK_OK)
        return ESK_LADDER_ERROR_MEMORY;
      esk_hotspots_set_cancelled (hotspots, self->workers[w].stream, &ladder->cancelled);
    }
  /* Where there are dot products of bytes the hot spot takes them. */
  result->matrix = covariance_dots_suit (&(EskRungResult) { 0 }) == ESK_LADDER_OK;
  result->type = result->matrix ? ESK_TYPE_LAB_INT8 : ESK_TYPE_LAB_INT32;
  result->threads = self->n_workers;
  result->launches = 1;
  esk_covariance_least (&ladder->size, &result->bytes, &result->operations);

  return ESK_LADDER_OK;
}

typedef struct {
  EskLadder       *ladder;
  CovarianceOfCpu *self;
  int              code;               /* atomic: of the first tile that failed */
} Tiles;

static void
sum_tile (void    *data,
          size_t   at,
          unsigned worker)
{
  Tiles *tiles = data;
  const CovarianceOfCpu *self = tiles->self;
  CovarianceWorker *own = &tiles->self->workers[worker];
  const size_t row = at * self->tile_rows, left = self->of.height - row, offset = row * self->of.width;
  const EskSelection selection = { .bands = self->bands, .n_bands = self->of.bands };
  const EskTile tile = {
    .data = self->of.planes + offset, .type = ESK_U8, .width = self->of.width,
    .height = left < self->tile_rows ? left : self->tile_rows, .bands = self->of.bands, .column_stride = 1,
    .row_stride = (ptrdiff_t) self->of.width, .band_stride = (ptrdiff_t) self->of.pixels,
  };
  const int code = tiles->ladder->production->cube->covariance_sums (own->stream, &tile, &selection,
                                                                     NULL, &own->sums);

  if (code != ESK_OK)
    __atomic_store_n (&tiles->code, code, __ATOMIC_RELAXED);
}

int
covariance_production (EskLadder       *ladder,
                       CovarianceOfCpu *self)
{
  EskCovariance *total = &self->workers[0].sums;
  Tiles tiles = { ladder, self, ESK_OK };

  for (unsigned w = 0; w < self->n_workers; w++)
    esk_covariance_reset (&self->workers[w].sums);
  ESK_LADDER_TRY (ladder_share (ladder, (self->of.height + self->tile_rows - 1) / self->tile_rows, sum_tile, &tiles));
  ESK_LADDER_TRY (esk_ladder_produced (ladder, tiles.code));
  for (unsigned w = 1; w < self->n_workers; w++)
    ESK_LADDER_TRY (esk_ladder_produced (ladder, esk_covariance_merge (total, &self->workers[w].sums)));
  memcpy (self->of.product, total->integer_product, self->of.bands * self->of.bands * sizeof *self->of.product);
  memcpy (self->of.sum, total->integer_sum, self->of.bands * sizeof *self->of.sum);

  return ESK_LADDER_OK;
}

void
covariance_production_end (EskLadder       *ladder,
                           CovarianceOfCpu *self)
{
  for (unsigned w = 0; w < self->n_workers; w++)
    {
      if (self->workers[w].stream != NULL)
        ladder->production->stream->stream_free (self->workers[w].stream);
      esk_covariance_clear (&self->workers[w].sums);
    }
  memset (self->workers, 0, sizeof self->workers);
  self->n_workers = 0;
  free (self->bands);
  self->bands = NULL;
}

/* ---- the library ---- */

/* Samples less 128 are -128 .. 127: the sums of so many products of theirs, 2^14 at most, are integers of 24 bits, and
 * float32 holds them exactly, whatever the order. */
#define CENTRE 128
#define PANEL 1024

int
covariance_library_begin (EskLadder       *ladder,
                          CovarianceOfCpu *self,
                          EskRungResult   *result)
{
  const size_t bands = self->of.bands;

  self->n_workers = ladder_threads (ladder);
  for (unsigned w = 0; w < self->n_workers; w++)
    {
      CovarianceWorker *own = &self->workers[w];

      own->values = ladder_more (bands * PANEL * sizeof (float), result);
      own->square = ladder_more (bands * bands * sizeof (float), result);
      own->product = ladder_more (bands * bands * sizeof (int64_t), result);
      own->sum = ladder_more (bands * sizeof (int64_t), result);
      if (own->values == NULL || own->square == NULL || own->product == NULL || own->sum == NULL)
        return ESK_LADDER_ERROR_MEMORY;
    }
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->threads = self->n_workers;
  result->launches = 1;
  esk_covariance_least (&ladder->size, &result->bytes, &result->operations);
  /* Panels in float32 are written, and read at least once. */
  result->bytes += 8.0 * (double) self->of.pixels * (double) bands;

  return ESK_LADDER_OK;
}

/* A band of a panel, less 128; returns the sum of that. The compiler's vectors, as OpenBLAS has its own. */
__attribute__ ((optimize ("O3", "tree-vectorize"))) static int64_t
convert (const uint8_t *restrict from,
         size_t                  n,
         float         *restrict to)
{
  int32_t sum = 0;

  for (size_t p = 0; p < n; p++)
    {
      const int32_t value = (int32_t) from[p] - CENTRE;

      to[p] = (float) value;
      sum += value;
    }
  return sum;
}

static void
multiply_panel (void    *data,
                size_t   at,
                unsigned worker)
{
  Tiles *panels = data;
  const EskCovarianceWork *work = &panels->self->of;
  CovarianceWorker *own = &panels->self->workers[worker];
  const size_t first = at * PANEL, n = work->pixels - first < PANEL ? work->pixels - first : PANEL;
  const int bands = (int) work->bands;

  for (size_t b = 0; b < work->bands; b++)
    own->sum[b] += convert (work->planes + b * work->pixels + first, n, own->values + b * n);
  if (esk_blas_enter () != ESK_OK)
    {
      __atomic_store_n (&panels->code, ESK_ERROR_MEMORY, __ATOMIC_RELAXED);
      return;
    }
  cblas_ssyrk (CblasRowMajor, CblasLower, CblasNoTrans, bands, (int) n, 1.0f, own->values, (int) n, 0.0f, own->square,
               bands);
  esk_blas_leave ();
  for (size_t i = 0; i < work->bands; i++)
    for (size_t j = 0; j <= i; j++)
      own->product[i * work->bands + j] += (int64_t) own->square[i * work->bands + j];
}

/* With y = x - 128: sum x_i x_j = sum y_i y_j + 128 (sum y_i + sum y_j) + count 128^2. */
static void
put_centre_back (CovarianceOfCpu *self)
{
  EskCovarianceWork *work = &self->of;
  const int64_t count = (int64_t) work->pixels;

  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  for (unsigned w = 0; w < self->n_workers; w++)
    for (size_t i = 0; i < work->bands; i++)
      {
        work->sum[i] += self->workers[w].sum[i];
        for (size_t j = 0; j <= i; j++)
          work->product[i * work->bands + j] += self->workers[w].product[i * work->bands + j];
      }
  for (size_t i = 0; i < work->bands; i++)
    for (size_t j = 0; j <= i; j++)
      work->product[i * work->bands + j] += CENTRE * (work->sum[i] + work->sum[j]) + count * CENTRE * CENTRE;
  for (size_t i = 0; i < work->bands; i++)
    work->sum[i] += count * CENTRE;
}

int
covariance_library (EskLadder       *ladder,
                    CovarianceOfCpu *self)
{
  Tiles panels = { ladder, self, ESK_OK };

  for (unsigned w = 0; w < self->n_workers; w++)
    {
      memset (self->workers[w].product, 0, self->of.bands * self->of.bands * sizeof (int64_t));
      memset (self->workers[w].sum, 0, self->of.bands * sizeof (int64_t));
    }
  ESK_LADDER_TRY (ladder_share (ladder, (self->of.pixels + PANEL - 1) / PANEL, multiply_panel, &panels));
  if (panels.code != ESK_OK)
    return ESK_LADDER_ERROR_MEMORY;
  put_centre_back (self);

  return ESK_LADDER_OK;
}

void
covariance_library_end (CovarianceOfCpu *self)
{
  for (unsigned w = 0; w < self->n_workers; w++)
    {
      free (self->workers[w].values);
      free (self->workers[w].square);
      free (self->workers[w].product);
      free (self->workers[w].sum);
    }
  memset (self->workers, 0, sizeof self->workers);
  self->n_workers = 0;
}
