/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Part of es-cuda-load.cu. Tiles of any layout: copied as they lie, in as few pieces as that takes, and then rearranged
 * into planes by a kernel. How a tile lies is three axes, each with a number of samples and a stride.
 */

#include "es-cuda-samples-internal.h"

enum { COLUMN, ROW, BAND };

#include "es-cuda-load-kernels.cuh"

typedef struct
{
  size_t    n;
  ptrdiff_t stride;            /* in the host's memory; then in scratch */
  size_t    apart;             /* its magnitude */
} Axis;

/* Cuts y into chunks of neighbouring samples; returns how many there are. chunks has room for n_y. */
static size_t
cut_chunks (const ptrdiff_t *offsets,
            size_t           n_y,
            size_t           size,
            Chunk           *chunks)
{
  size_t n = 0;

  for (size_t first = 0; first < n_y; )
    {
      ptrdiff_t low = offsets[first], high = low;
      size_t next;

      for (next = first + 1; next < n_y; next++)
        {
          ptrdiff_t lower = offsets[next] < low ? offsets[next] : low;
          ptrdiff_t higher = offsets[next] > high ? offsets[next] : high;

          if ((size_t) (higher - lower + 1) * size > CHUNK_BYTES || next - first >= CHUNK_BYTES / size)
            break;
          low = lower;
          high = higher;
        }
      chunks[n++] = (Chunk) { low, (uint32_t) first, (uint32_t) (next - first), (uint32_t) (high - low + 1) };
      first = next;
    }

  return n;
}

static void
order_axes (const Axis *axes,
            int        *order)
{
  for (int k = 0; k < 3; k++)
    order[k] = k;
  /* Descending; of equals the band is outside, as it is in planes. */
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < 2; k++)
      if (axes[order[k]].apart < axes[order[k + 1]].apart
          || (axes[order[k]].apart == axes[order[k + 1]].apart && order[k] < order[k + 1]))
        {
          int other = order[k];

          order[k] = order[k + 1];
          order[k + 1] = other;
        }
}

static bool
span_of (const Axis *axis,
         size_t      inner,
         size_t     *span)
{
  return !__builtin_mul_overflow (axis->n - 1, axis->apart, span) && !__builtin_add_overflow (*span, inner, span);
}

/* Whether pieces of n samples, so far apart, are better copied with what lies between: each costs the copy engine as
 * much as some hundred bytes more. */
static bool
is_dense (size_t n,
          size_t apart,
          size_t size)
{
  return apart <= n + n / 8 + 128 / size;
}

/*
 * Copies what the samples of axes[] from `from` on span to scratch memory at `to`; gaps that are worth it are left
 * out. Axis strides become those in scratch memory; *used is how many samples were taken there.
 */
static int
copy_spans (EskStream  *stream,
            char       *to,
            const char *from,
            size_t      size,
            Axis       *axes,
            const int  *order,
            size_t     *used)
{
  Axis *outer = &axes[order[0]], *middle = &axes[order[1]];
  size_t row, slice, all, to_row, to_slice;
  int code = ESK_OK;

  if (!span_of (&axes[order[2]], 1, &row) || !span_of (middle, row, &slice) || !span_of (outer, slice, &all))
    return ESK_ERROR_ARGUMENT;
  to_row = is_dense (row, middle->apart, size) ? middle->apart : row;
  if (to_row == middle->apart)
    {
      to_slice = is_dense (slice, outer->apart, size) ? outer->apart : slice;
      *used = (outer->n - 1) * to_slice + slice;
      if (stream != NULL)
        code = to_slice == outer->apart
               ? copy_block (stream, to, 0, 0, from, 0, 0, all * size, 1, 1)
               : copy_block (stream, to, 0, to_slice * size, from, 0, outer->apart * size, slice * size, 1, outer->n);
    }
  else
    {
      to_slice = middle->n * to_row;
      *used = outer->n * to_slice;
      if (stream != NULL)
        code = copy_block (stream, to, to_row * size, to_slice * size, from, middle->apart * size,
                           outer->apart * size, row * size, middle->n, outer->n);
    }
  if (stream != NULL)
    {
      middle->stride = middle->stride < 0 ? -(ptrdiff_t) to_row : (ptrdiff_t) to_row;
      outer->stride = outer->stride < 0 ? -(ptrdiff_t) to_slice : (ptrdiff_t) to_slice;
    }

  return code;
}

/* Where the lowest address of the axes lies from their first sample, in samples; not positive. */
static ptrdiff_t
lowest_of (const Axis *axes)
{
  ptrdiff_t lowest = 0;

  for (int k = 0; k < 3; k++)
    if (axes[k].stride < 0)
      lowest += (ptrdiff_t) (axes[k].n - 1) * axes[k].stride;

  return lowest;
}

static void
fill_axes (const Load *load,
           size_t      first,
           size_t      n_bands,
           size_t      step,
           Axis       *axes)
{
  const EskTile *tile = load->tile;

  axes[COLUMN] = (Axis) { load->width, tile->column_stride, 0 };
  axes[ROW] = (Axis) { load->height, tile->row_stride, 0 };
  axes[BAND] = (Axis) { n_bands, tile->band_stride * (ptrdiff_t) step, 0 };
  for (int k = 0; k < 3; k++)
    {
      if (axes[k].n == 1)
        axes[k].stride = 0;
      axes[k].apart = (size_t) (axes[k].stride < 0 ? -axes[k].stride : axes[k].stride);
    }
}

/* The word that the last sample is in may be read as a whole. */
static int
clear_end (const Load *load,
           char       *scratch,
           size_t      end)
{
  size_t bytes = end * load->size, rest = (4 - bytes % 4) % 4;

  if (rest == 0)
    return ESK_OK;
  return esk_cuda_check (load->stream, cudaMemsetAsync (scratch + bytes, 0, rest, load->stream->stream),
                         "clearing memory");
}

/* Copies the tile to scratch memory. strides: of column and row there; band_offset: of the first sample of each. */
static int
copy_as_it_lies (const Load *load,
                 char      **scratch,
                 ptrdiff_t  *strides,
                 ptrdiff_t  *band_offset)
{
  const uint32_t *bands = load->selection->bands;
  size_t all_bands = bands[load->n_bands - 1] - bands[0] + 1, total = 0;
  bool outside;
  Axis axes[3];
  int order[3];

  fill_axes (load, 0, all_bands, 1, axes);
  order_axes (axes, order);
  outside = order[0] == BAND;

  /* First how much, then the copies. Bands that lie outside are taken only where they are selected. */
  for (int pass = 0; pass < 2; pass++)
    {
      size_t at = 0;

      if (pass == 1)
        {
          size_t bytes;

          if (__builtin_mul_overflow (total, load->size, &bytes) || __builtin_add_overflow (bytes, 16, &bytes))
            return ESK_ERROR_MEMORY;
          *scratch = (char *) esk_cuda_scratch (load->stream, ESK_SCRATCH_IMPORT, bytes);
          if (*scratch == NULL)
            return ESK_ERROR_MEMORY;
        }
      for (size_t first = 0; first < load->n_bands; )
        {
          size_t step = 1, n = load->n_bands, used = 0;
          ptrdiff_t lowest;
          int code;

          if (outside)
            n = even_bands (bands + first, load->n_bands - first, &step);
          fill_axes (load, first, outside ? n : all_bands, step, axes);
          lowest = (ptrdiff_t) bands[first] * load->tile->band_stride + lowest_of (axes);
          code = copy_spans (pass == 1 ? load->stream : NULL, pass == 1 ? *scratch + at * load->size : NULL,
                             (const char *) load->tile->data + lowest * (ptrdiff_t) load->size, load->size, axes, order,
                             &used);
          if (code == ESK_OK && pass == 1)
            code = clear_end (load, *scratch, at + used);
          if (code != ESK_OK)
            return code;
          if (pass == 1)
            {
              strides[COLUMN] = axes[COLUMN].stride;
              strides[ROW] = axes[ROW].stride;
              for (size_t b = 0; b < n; b++)
                band_offset[first + b] = (ptrdiff_t) at - lowest_of (axes)
                                         + (ptrdiff_t) (outside ? b : bands[first + b] - bands[first])
                                         * axes[BAND].stride;
            }
          /* Each piece starts at a multiple of 16 bytes. */
          at += esk_cuda_round_up (used, 16 / load->size);
          first += n;
        }
      total = at;
    }

  return ESK_OK;
}

static size_t
magnitude (ptrdiff_t n)
{
  return (size_t) (n < 0 ? -n : n);
}

static int
launch (const Load  *load,
        Rearrange   *r,
        bool         transposing,
        const Chunk *chunks,
        size_t       n_chunks)
{
  cudaStream_t stream = load->stream->stream;

  if (transposing)
    {
      bool even = magnitude (r->x_stride) * load->size % 4 == 0;
      size_t blocks = esk_cuda_ceil_div (r->width, BLOCK_PIXELS), most = INT_MAX / blocks;
      dim3 grid (1, (unsigned) (r->n_z < LARGEST_GRID ? r->n_z : LARGEST_GRID));

      /* Chunks beyond what a launch takes go into another. */
      for (size_t first = 0, n; first < n_chunks; first += n)
        {
          n = n_chunks - first < most ? n_chunks - first : most;
          grid.x = (unsigned) (blocks * n);
          if (even)
            ESK_CUDA_FOR_SIZE (load->size, Element,
                               (transpose<Element, true><<<grid, BLOCK_THREADS, 0, stream>>>
                                (*r, chunks + first, (unsigned) n)))
          else
            ESK_CUDA_FOR_SIZE (load->size, Element,
                               (transpose<Element, false><<<grid, BLOCK_THREADS, 0, stream>>>
                                (*r, chunks + first, (unsigned) n)))
        }
    }
  else
    {
      /* One pack more than fit, for lines that start between two multiples of 16 bytes. */
      size_t n_lines = r->n_y * r->n_z, packs = r->width * load->size / 16 + 2;
      unsigned across = packs > 128 ? 256 : packs > 64 ? 128 : packs > 32 ? 64 : 32;
      size_t groups = esk_cuda_ceil_div (n_lines, THREADS / across);
      dim3 grid ((unsigned) esk_cuda_ceil_div (packs, across),
                 (unsigned) (groups < LARGEST_GRID ? groups : LARGEST_GRID));

      ESK_CUDA_FOR_SIZE (load->size, Element,
                         (gather<Element><<<grid, dim3 (across, THREADS / across), 0, stream>>> (*r)))
    }

  return esk_cuda_launched (load->stream, "rearranging samples");
}

static int
rearrange (const Load *load)
{
  const EskTile *planes = load->planes;
  size_t width = load->width, height = load->height, n_bands = load->n_bands, n_chunks = 0, bytes;
  ptrdiff_t strides[2] = { 0, 0 }, *offsets, *row_offset, *band_offset;
  Chunk *chunks;
  char *scratch = NULL, *tables;
  bool by_rows, transposing;
  Rearrange r = { };
  int code;

  /* Offsets of rows and bands, and the chunks of either: one table. */
  bytes = (height + n_bands) * sizeof (ptrdiff_t) + (height > n_bands ? height : n_bands) * sizeof (Chunk);
  offsets = (ptrdiff_t *) calloc (bytes, 1);
  if (offsets == NULL)
    return ESK_ERROR_MEMORY;
  row_offset = offsets;
  band_offset = offsets + height;
  chunks = (Chunk *) (band_offset + n_bands);

  code = copy_as_it_lies (load, &scratch, strides, band_offset);
  if (code != ESK_OK)
    goto out;
  tables = (char *) esk_cuda_scratch (load->stream, ESK_SCRATCH_TABLES, bytes);
  if (tables == NULL)
    {
      code = ESK_ERROR_MEMORY;
      goto out;
    }

  /* Rows that follow each other on both sides are one long row. */
  if (width == 1 && planes->row_stride == 1)
    {
      strides[COLUMN] = strides[ROW];
      width = height;
      height = 1;
    }
  else if (height > 1 && strides[ROW] == (ptrdiff_t) width * strides[COLUMN] && (size_t) planes->row_stride == width)
    {
      width *= height;
      height = 1;
    }
  for (size_t y = 0; y < height; y++)
    row_offset[y] = (ptrdiff_t) y * strides[ROW];

  r.from = scratch;
  r.x_stride = strides[COLUMN];
  r.to = (void *) planes->data;
  r.width = width;
  r.swap = load->tile->byte_swapped && load->size > 1;

  /* Which of them lie closest: columns are gathered, else rows or bands change places with columns. */
  by_rows = height > 1 && n_bands > 0 && magnitude (strides[ROW]) < magnitude (strides[COLUMN])
            && (n_bands == 1 || magnitude (strides[ROW]) < magnitude (load->tile->band_stride));
  transposing = width > 1
                && (by_rows || (n_bands > 1 && magnitude (load->tile->band_stride) < magnitude (strides[COLUMN])));
  if (by_rows || !transposing)
    {
      r.n_y = height, r.y_stride = (size_t) planes->row_stride;
      r.n_z = n_bands, r.z_stride = (size_t) planes->band_stride;
    }
  else
    {
      r.n_y = n_bands, r.y_stride = (size_t) planes->band_stride;
      r.n_z = height, r.z_stride = (size_t) planes->row_stride;
    }
  if (transposing)
    n_chunks = cut_chunks (by_rows ? row_offset : band_offset, r.n_y, load->size, chunks);
  r.y_offset = (const ptrdiff_t *) tables + (by_rows || !transposing ? 0 : load->height);
  r.z_offset = (const ptrdiff_t *) tables + (by_rows || !transposing ? load->height : 0);

  code = esk_cuda_upload_table (load->stream, tables, offsets,
                                (load->height + n_bands) * sizeof (ptrdiff_t) + n_chunks * sizeof (Chunk));
  if (code == ESK_OK)
    code = launch (load, &r, transposing, (const Chunk *) (tables + (load->height + n_bands) * sizeof (ptrdiff_t)),
                   n_chunks);

out:
  free (offsets);
  return code;
}

