/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Tiles of any layout in the host's memory, brought into planes.
 *
 * Where columns lie side by side, the copy engine does all of it: rows of whole bands, or windows of them. Everything
 * else is copied as it lies, in as few pieces as that takes, and then rearranged by a kernel.
 */

#include "es-cuda-hotspots-private.h"
#include "es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define THREADS 256
#define LARGEST_GRID 65535
/* The copy engine's limit for the distance of two rows. */
#define LARGEST_PITCH ((size_t) INT_MAX)

/* What there is to do. */
typedef struct
{
  EskStream          *stream;
  const EskTile      *tile;
  const EskSelection *selection;
  const EskTile      *planes;
  size_t              size;            /* bytes of a sample */
  size_t              width, height, n_bands;
} Load;

static int
check (const EskTile      *tile,
       const EskSelection *selection,
       const EskTile      *planes)
{
  size_t n_pixels;
  int code;

  if (tile == NULL || selection == NULL || tile->data == NULL || selection->bands == NULL || tile->width == 0
      || tile->height == 0 || tile->bands == 0 || __builtin_mul_overflow (tile->width, tile->height, &n_pixels)
      || selection->n_bands == 0)
    return ESK_ERROR_ARGUMENT;
  for (size_t b = 0; b < selection->n_bands; b++)
    if (selection->bands[b] >= tile->bands || (b > 0 && selection->bands[b] <= selection->bands[b - 1]))
      return ESK_ERROR_ARGUMENT;

  code = esk_cuda_check_planes (planes);
  if (code != ESK_OK)
    return code;
  if (planes->type != tile->type || planes->width != tile->width || planes->height != tile->height
      || planes->bands != selection->n_bands)
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* How many bands from the first on are the same number of bands apart; *step is that number. */
static size_t
even_bands (const uint32_t *bands,
            size_t          n_bands,
            size_t         *step)
{
  size_t n = 1;

  *step = 1;
  if (n_bands > 1)
    {
      *step = bands[1] - bands[0];
      for (n = 2; n < n_bands && bands[n] - bands[n - 1] == *step; n++)
        ;
      /* Of bands 3, 9, 10, 11 the first is for itself. */
      if (n == 2 && n_bands > 2 && bands[2] - bands[1] == 1 && *step != 1)
        n = 1;
    }
  if (n == 1)
    *step = 1;

  return n;
}

/* --- copies -------------------------------------------------------------------------------------------------- */

/* n_slices slices of n_rows rows of row_bytes, from the host to the device: in the fewest calls that the copy engine
 * takes. All strides in bytes. */
static int
copy_block (EskStream  *stream,
            char       *to,
            size_t      to_row,
            size_t      to_slice,
            const char *from,
            size_t      from_row,
            size_t      from_slice,
            size_t      row_bytes,
            size_t      n_rows,
            size_t      n_slices)
{
  cudaError_t error;

  /* What follows without a gap on both sides is one longer row. */
  if (n_rows > 1 && to_row == row_bytes && from_row == row_bytes)
    {
      row_bytes *= n_rows;
      n_rows = 1;
    }
  if (n_rows == 1)
    {
      n_rows = n_slices;
      n_slices = 1;
      to_row = to_slice;
      from_row = from_slice;
      if (n_rows > 1 && to_row == row_bytes && from_row == row_bytes)
        {
          row_bytes *= n_rows;
          n_rows = 1;
        }
    }

  if (n_rows == 1)
    {
      error = cudaMemcpyAsync (to, from, row_bytes, cudaMemcpyHostToDevice, stream->stream);
      return esk_cuda_check (stream, error, "copying samples to the card");
    }
  if (to_row > LARGEST_PITCH || from_row > LARGEST_PITCH)
    {
      for (size_t z = 0; z < n_slices; z++)
        for (size_t y = 0; y < n_rows; y++)
          {
            error = cudaMemcpyAsync (to + z * to_slice + y * to_row, from + z * from_slice + y * from_row, row_bytes,
                                     cudaMemcpyHostToDevice, stream->stream);
            if (error != cudaSuccess)
              return esk_cuda_check (stream, error, "copying samples to the card");
          }
      return ESK_OK;
    }
  if (n_slices > 1 && to_slice % to_row == 0 && from_slice % from_row == 0 && to_slice / to_row >= n_rows
      && from_slice / from_row >= n_rows)
    {
      cudaMemcpy3DParms parameters = { };

      parameters.srcPtr = make_cudaPitchedPtr ((void *) from, from_row, row_bytes, from_slice / from_row);
      parameters.dstPtr = make_cudaPitchedPtr (to, to_row, row_bytes, to_slice / to_row);
      parameters.extent = make_cudaExtent (row_bytes, n_rows, n_slices);
      parameters.kind = cudaMemcpyHostToDevice;
      error = cudaMemcpy3DAsync (&parameters, stream->stream);
      return esk_cuda_check (stream, error, "copying samples to the card");
    }
  for (size_t z = 0; z < n_slices; z++)
    {
      error = cudaMemcpy2DAsync (to + z * to_slice, to_row, from + z * from_slice, from_row, row_bytes, n_rows,
                                 cudaMemcpyHostToDevice, stream->stream);
      if (error != cudaSuccess)
        return esk_cuda_check (stream, error, "copying samples to the card");
    }

  return ESK_OK;
}

static __device__ inline uint8_t
swapped (uint8_t x)
{
  return x;
}

static __device__ inline uint16_t
swapped (uint16_t x)
{
  return (uint16_t) (x << 8 | x >> 8);
}

static __device__ inline uint32_t
swapped (uint32_t x)
{
  return __byte_perm (x, 0, 0x0123);
}

static __device__ inline uint64_t
swapped (uint64_t x)
{
  return (uint64_t) swapped ((uint32_t) x) << 32 | swapped ((uint32_t) (x >> 32));
}

#include "es-cuda-load-rearrange.cuh"

/* --- straight into the planes -------------------------------------------------------------------------------- */

/* Columns side by side, rows downwards: straight into the planes. */
static int
copy_planes (const Load *load)
{
  const EskTile *tile = load->tile, *planes = load->planes;
  const uint32_t *bands = load->selection->bands;
  size_t size = load->size;
  size_t from_row = load->height > 1 ? (size_t) tile->row_stride * size : load->width * size;
  size_t to_row = load->height > 1 ? (size_t) planes->row_stride * size : load->width * size;

  for (size_t first = 0; first < load->n_bands; )
    {
      size_t step, n = even_bands (bands + first, load->n_bands - first, &step);
      const char *from = (const char *) tile->data + (ptrdiff_t) bands[first] * tile->band_stride * (ptrdiff_t) size;
      char *to = (char *) planes->data + first * (size_t) planes->band_stride * size;
      int code;

      code = copy_block (load->stream, to, to_row, (size_t) planes->band_stride * size, from, from_row,
                         step * (size_t) tile->band_stride * size, load->width * size, load->height, n);
      if (code != ESK_OK)
        return code;
      first += n;
    }

  return ESK_OK;
}

/* --- bytes in the other order, in place ---------------------------------------------------------------------- */

/* A row a block in y; 16 bytes a thread where the row starts at a multiple of them, else a sample at a time. */
template <typename Element>
static __global__ void
swap_rows (Element *planes,
           size_t   row_stride,
           size_t   band_stride,
           size_t   width,
           size_t   height,
           size_t   n_rows)
{
  constexpr int per_pack = 16 / sizeof (Element);

  for (size_t r = blockIdx.y; r < n_rows; r += gridDim.y)
    {
      Element *row = planes + r / height * band_stride + r % height * row_stride;
      size_t first = ((size_t) blockIdx.x * THREADS + threadIdx.x) * per_pack;

      if (first >= width)
        continue;
      if ((uintptr_t) row % 16 == 0 && first + per_pack <= width)
        {
          EskCudaPack<Element> pack;

          pack.vector = *(uint4 *) (row + first);
#pragma unroll
          for (int k = 0; k < per_pack; k++)
            pack.sample[k] = swapped (pack.sample[k]);
          *(uint4 *) (row + first) = pack.vector;
        }
      else
        {
          for (int k = 0; k < per_pack && first + k < width; k++)
            row[first + k] = swapped (row[first + k]);
        }
    }
}

static int
swap_planes (const Load *load)
{
  const EskTile *planes = load->planes;
  size_t width = load->width, height = load->height, row_stride = (size_t) planes->row_stride, n_rows;
  dim3 grid;

  if (height == 1 || row_stride == width)
    {
      width *= height;
      height = 1;
    }
  n_rows = height * load->n_bands;
  ESK_CUDA_FOR_SIZE (load->size, Element,
                     (grid = dim3 ((unsigned) esk_cuda_ceil_div (width, THREADS * 16 / sizeof (Element)),
                                   (unsigned) (n_rows < LARGEST_GRID ? n_rows : LARGEST_GRID)),
                      swap_rows<Element><<<grid, THREADS, 0, load->stream->stream>>>
                        ((Element *) planes->data, row_stride, (size_t) planes->band_stride, width, height, n_rows)))

  return esk_cuda_launched (load->stream, "byte order");
}

/* A call of the copy engine costs as much as this many bytes that are rearranged on the card. */
#define CALL_BYTES ((size_t) 1 << 20)

/*
 * Columns side by side and rows downwards; bands behind each other, or so few of them that the rows of each are better
 * copied alone; and not more calls than it is worth: windows whose bands are no whole number of rows apart take one a
 * band.
 */
static bool
suits_copies (const Load *load)
{
  const EskTile *tile = load->tile, *planes = load->planes;
  const uint32_t *bands = load->selection->bands;
  size_t n_bands = load->n_bands, all_bands = bands[n_bands - 1] - bands[0] + 1;
  ptrdiff_t rows = tile->height > 1 ? (ptrdiff_t) (tile->height - 1) * tile->row_stride : 0;
  bool outside, whole_rows, whole_bands;

  if ((tile->width > 1 && tile->column_stride != 1)
      || (tile->height > 1 && (tile->row_stride < (ptrdiff_t) tile->width || tile->width == 1)))
    return false;
  if (n_bands == 1 || tile->height == 1)
    return n_bands == 1 || tile->band_stride >= (ptrdiff_t) tile->width;

  outside = tile->band_stride >= rows + (ptrdiff_t) tile->width;
  whole_rows = tile->row_stride == (ptrdiff_t) tile->width && planes->row_stride == (ptrdiff_t) tile->width;
  whole_bands = tile->band_stride % tile->row_stride == 0 && planes->band_stride % planes->row_stride == 0;
  if (outside && (whole_rows || whole_bands))
    return true;
  if (!outside && (tile->band_stride <= 0 || n_bands * 4 >= all_bands))
    return false;
  return tile->width * tile->height * load->size >= CALL_BYTES;
}

int
esk_cuda_load (EskStream          *stream,
               const EskTile      *tile,
               const EskSelection *selection,
               const EskTile      *planes,
               uint8_t            *valid)
{
  Load load;
  int code;

  code = check (tile, selection, planes);
  if (code != ESK_OK)
    return code;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  load = (Load) { stream, tile, selection, planes, esk_type_size (tile->type), tile->width, tile->height,
                  selection->n_bands };
  if (suits_copies (&load))
    {
      code = copy_planes (&load);
      if (code == ESK_OK && tile->byte_swapped && load.size > 1)
        code = swap_planes (&load);
    }
  else
    {
      code = rearrange (&load);
    }
  if (code == ESK_OK && valid != NULL)
    code = esk_cuda_mark_valid (stream, planes, selection->no_data, valid, true);

  return code;
}
