/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Noise residuals of planes (hyperspectral.md 2.4).
 *
 * A warp works its way down a strip of columns. A lane holds columns that are 32 apart, so that every load and every
 * store is of neighbouring samples wherever the rows start; it has the rows above from the steps before, and what is
 * beside its columns from the lanes beside it. So every sample is read once, but for the columns at the edges of the
 * strips and the rows between two warps.
 */

#include "es-cuda-noise-private.h"

#include <limits.h>

#define THREADS 256
/* Slices of 8-bit numbers, which stay in the second-level cache. */
#define SLICE_BYTES ((size_t) 24 << 20)
#define SMALLEST_SLICE_ROWS 16
#define LARGEST_GRID_Y 65535

/* --- what counts ---------------------------------------------------------------------------------------------- */

/* valid: at the mark of the first pixel that has a residual; NULL: all count. A thread a pixel. */
static __global__ void __launch_bounds__ (THREADS)
mark_valid (const uint8_t *valid,
            size_t         from_row,
            EskNoiseKind   kind,
            uint8_t       *marks,
            size_t         to_row,
            unsigned       width,
            unsigned       height)
{
  unsigned x = blockIdx.x * THREADS + threadIdx.x;

  if (x >= width)
    return;
  for (unsigned y = blockIdx.y; y < height; y += gridDim.y)
    marks[y * to_row + x] = valid == NULL || esk_noise_counts (valid + y * from_row + x, from_row, kind);
}

/* --- launches ------------------------------------------------------------------------------------------------- */

/* Rows that a warp works down: more read less twice, fewer make more warps. */
static unsigned
choose_rows (const EskStream *stream,
             size_t           n_strips,
             size_t           height,
             size_t           n_bands)
{
  size_t wanted = (size_t) esk_cuda_properties (stream)->multiprocessors * 96;
  unsigned rows = 64;

  while (rows > 8 && n_strips * n_bands * esk_cuda_ceil_div (height, rows) < wanted)
    rows /= 2;

  return rows;
}

static int
launch (EskStream    *stream,
        EskType       type,
        EskNoiseKind  kind,
        EskNoiseWork *work)
{
  size_t n_strips, n_warps;
  dim3 grid;

  if (work->width > INT_MAX / 2 || work->height > INT_MAX / 2)
    return ESK_ERROR_ARGUMENT;
  n_strips = esk_cuda_ceil_div (work->width, esk_noise_strip (type));
  work->rows = choose_rows (stream, n_strips, work->height, work->n_bands);
  work->n_strips = (unsigned) n_strips;
  n_warps = n_strips * esk_cuda_ceil_div (work->height, work->rows);
  if (esk_cuda_ceil_div (n_warps, ESK_NOISE_WARPS) > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  work->n_warps = n_warps;
  grid = dim3 ((unsigned) esk_cuda_ceil_div (n_warps, ESK_NOISE_WARPS),
               (unsigned) (work->n_bands < LARGEST_GRID_Y ? work->n_bands : LARGEST_GRID_Y));

  if (esk_type_is_exact (type))
    esk_cuda_noise_exact (stream->stream, grid, type, kind, work);
  else
    esk_cuda_noise_float (stream->stream, grid, type, kind, work);

  return esk_cuda_launched (stream, "noise residuals");
}

/* By 8-bit numbers, which are made of as many rows at a time as stay in the cache. */
static int
work_quantised (EskStream          *stream,
                const EskTile      *tile,
                const EskSelection *selection,
                EskNoiseKind        kind,
                const EskMargin    *margin,
                const EskTile      *out,
                EskNoiseWork       *work)
{
  EskMargin need = esk_noise_margin (kind);
  size_t rows = SLICE_BYTES / tile->width / tile->bands;
  const uint8_t *valid = work->valid;
  EskCudaRun run, quantised;
  int code;

  code = esk_cuda_run (stream, tile, NULL, true, &run);
  if (rows < SMALLEST_SLICE_ROWS)
    rows = SMALLEST_SLICE_ROWS;
  for (size_t y = 0; code == ESK_OK && y < out->height; y += rows)
    {
      size_t height = out->height - y < rows ? out->height - y : rows, first = margin->top - need.top + y;

      code = esk_cuda_quantise (stream, &run, selection, first * tile->width,
                                (height + need.top + need.bottom) * tile->width, &quantised);
      if (code != ESK_OK)
        break;
      work->from = (const uint8_t *) quantised.data + need.top * tile->width + margin->left;
      work->from_row = tile->width;
      work->from_band = quantised.band_stride;
      work->to = (int16_t *) out->data + y * (size_t) out->row_stride;
      work->valid = valid;
      work->height = height;
      code = launch (stream, ESK_U8, kind, work);
    }

  return code;
}

static int
check (const EskTile      *tile,
       const EskSelection *selection,
       const uint8_t      *valid,
       EskNoiseKind        kind,
       EskNoisePart        part,
       const EskMargin    *margin,
       const EskTile      *out,
       const uint8_t      *out_valid)
{
  EskMargin need = esk_noise_margin (kind);
  bool exact;

  if (esk_cuda_check_planes (tile) != ESK_OK || esk_cuda_check_planes (out) != ESK_OK || margin == NULL
      || (unsigned) kind >= ESK_N_NOISE_KINDS || (unsigned) part > ESK_NOISE_SUM
      || (valid != NULL && out_valid == NULL))
    return ESK_ERROR_ARGUMENT;
  if (selection != NULL
      && (selection->n_bands != tile->bands || (selection->minimum == NULL) != (selection->maximum == NULL)))
    return ESK_ERROR_ARGUMENT;
  exact = esk_type_is_exact (tile->type) || (selection != NULL && selection->minimum != NULL);
  if (margin->left < need.left || margin->top < need.top || margin->right < need.right
      || margin->bottom < need.bottom || margin->left >= tile->width || margin->right >= tile->width - margin->left
      || margin->top >= tile->height || margin->bottom >= tile->height - margin->top
      || (!exact && part != ESK_NOISE_WHOLE))
    return ESK_ERROR_ARGUMENT;

  return out->type == (exact ? ESK_I16 : ESK_F32) && out->width == tile->width - margin->left - margin->right
         && out->height == tile->height - margin->top - margin->bottom && out->bands == tile->bands
         ? ESK_OK : ESK_ERROR_ARGUMENT;
}

int
esk_cuda_noise_residual (EskStream          *stream,
                         const EskTile      *tile,
                         const EskSelection *selection,
                         const uint8_t      *valid,
                         EskNoiseKind        kind,
                         EskNoisePart        part,
                         const EskMargin    *margin,
                         const EskTile      *out,
                         uint8_t            *out_valid,
                         uint32_t           *overflow)
{
  EskNoiseWork work = { };
  EskMargin need;
  size_t first;
  int code;

  code = check (tile, selection, valid, kind, part, margin, out, out_valid);
  if (code == ESK_OK)
    code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  need = esk_noise_margin (kind);
  first = margin->top * (size_t) tile->row_stride + margin->left;
  work.part = part;
  work.from = (const uint8_t *) tile->data + first * esk_type_size (tile->type);
  work.from_row = (size_t) tile->row_stride;
  work.from_band = (size_t) tile->band_stride;
  work.to = (void *) out->data;
  work.to_row = (size_t) out->row_stride;
  work.to_band = (size_t) out->band_stride;
  work.valid = valid != NULL ? valid + first : NULL;
  work.valid_row = (size_t) tile->row_stride;
  work.width = out->width;
  work.height = out->height;
  work.n_bands = tile->bands;
  work.left = (int) need.left;
  work.top = (int) need.top;
  work.right = (int) need.right;
  work.bottom = (int) need.bottom;
  work.overflow = overflow;

  if (out_valid != NULL)
    {
      dim3 grid ((unsigned) esk_cuda_ceil_div (out->width, THREADS),
                 (unsigned) (out->height < LARGEST_GRID_Y ? out->height : LARGEST_GRID_Y));

      if (out->width > UINT_MAX || out->height > UINT_MAX)
        return ESK_ERROR_ARGUMENT;
      mark_valid<<<grid, THREADS, 0, stream->stream>>> (work.valid, work.valid_row, kind, out_valid, work.to_row,
                                                        (unsigned) out->width, (unsigned) out->height);
      code = esk_cuda_launched (stream, "marks of noise residuals");
      if (code != ESK_OK)
        return code;
    }
  if (selection != NULL && selection->minimum != NULL)
    return work_quantised (stream, tile, selection, kind, margin, out, &work);

  return launch (stream, tile->type, kind, &work);
}
