/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform of a cube on a card, as hyperspectral.md 4.2 climbs it: V0 to V2; and by the mappings beside it. */

#include "es-ladder-cuda-transform-private.h"

#include <stdlib.h>

/* Threads of a block: what was asked for, in whole warps, or 128. */
static unsigned
threads_of (EskLadder *ladder)
{
  const unsigned asked = ladder->size.threads, most = (unsigned) ladder_card (ladder)->block_threads;
  const unsigned threads = asked > 0 ? (asked + 31) / 32 * 32 : 128;

  return threads < most ? threads : most;
}

static unsigned
blocks_of (unsigned threads,
           size_t   n)
{
  return (unsigned) ((n + threads - 1) / threads);
}

/* lab: transform-v0 */
/* A thread is a result: pixel p of row r. */
__global__ void
transform_v0 (const uint8_t *planes,
              size_t         pixels,
              size_t         first,
              size_t         n,
              unsigned       bands,
              const float   *basis,
              const float   *offset,
              float         *out)
{
  const size_t p = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = blockIdx.y;
  float sum = -offset[r];

  if (p >= first + n)
    return;
  for (unsigned b = 0; b < bands; b++)
    sum += basis[(size_t) r * bands + b] * planes[b * pixels + p];
  out[r * pixels + p] = sum;
}

int
transform_launch_v0 (EskLadder       *ladder,
                     TransformOfCard *self,
                     size_t           first,
                     size_t           n)
{
  const unsigned threads = threads_of (ladder), rows = (unsigned) self->of.rows;

  transform_v0<<<dim3 (blocks_of (threads, n), rows), threads, 0, ladder_card (ladder)->stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->basis, self->offset, self->out);
  return ladder_launched (ladder, "transform V0");
}
/* lab end */

/* lab: transform-row */
/* A launch is row r, a thread pixels p of it; the row of the basis is in shared memory. */
__global__ void
transform_row (const uint8_t *planes,
               size_t         pixels,
               size_t         first,
               size_t         n,
               unsigned       bands,
               unsigned       r,
               const float   *basis,
               const float   *offset,
               float         *out)
{
  extern __shared__ float shared_row[];
  const size_t p = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  float sum = -offset[r];

  for (unsigned b = threadIdx.x; b < bands; b += blockDim.x)
    shared_row[b] = basis[(size_t) r * bands + b];
  __syncthreads ();
  if (p >= first + n)
    return;
  for (unsigned b = 0; b < bands; b++)
    sum += shared_row[b] * planes[b * pixels + p];
  out[r * pixels + p] = sum;
}

int
transform_launch_row (EskLadder       *ladder,
                      TransformOfCard *self,
                      size_t           first,
                      size_t           n)
{
  const unsigned threads = threads_of (ladder), bands = (unsigned) self->of.bands;

  for (unsigned r = 0; r < self->of.rows; r++)
    transform_row<<<blocks_of (threads, n), threads, bands * sizeof (float), ladder_card (ladder)->stream>>>
      (self->planes, self->of.pixels, first, n, bands, r, self->basis, self->offset, self->out);
  return ladder_launched (ladder, "transform, a launch a row");
}
/* lab end */

/* lab: transform-v1 transform-v2 transform-r5 */
/* The basis in constant memory, all there is of it: all threads of a warp read the same factor. */
__constant__ float constant_basis[64 * 1024 / sizeof (float)];
/* lab end */

/* lab: transform-v1 */
/* A thread is a result: pixel p of row r. */
__global__ void
transform_v1 (const uint8_t *planes,
              size_t         pixels,
              size_t         first,
              size_t         n,
              unsigned       bands,
              const float   *offset,
              float         *out)
{
  const size_t p = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = blockIdx.y;
  float sum = -offset[r];

  if (p >= first + n)
    return;
  for (unsigned b = 0; b < bands; b++)
    sum += constant_basis[r * bands + b] * planes[b * pixels + p];
  out[r * pixels + p] = sum;
}

int
transform_launch_v1 (EskLadder       *ladder,
                     TransformOfCard *self,
                     size_t           first,
                     size_t           n)
{
  const unsigned threads = threads_of (ladder), rows = (unsigned) self->of.rows;

  transform_v1<<<dim3 (blocks_of (threads, n), rows), threads, 0, ladder_card (ladder)->stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->offset, self->out);
  return ladder_launched (ladder, "transform V1");
}
/* lab end */

/* lab: transform-v2 */
/* A thread is pixel p, of all rows one after the other: a window, as many pixels of all bands as a block has threads,
 * is read from memory once and stays in shared memory. */
__global__ void
transform_v2 (const uint8_t *planes,
              size_t         pixels,
              size_t         first,
              size_t         n,
              unsigned       bands,
              unsigned       rows,
              const float   *offset,
              float         *out)
{
  extern __shared__ uint8_t window[];
  const size_t p = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  /* Every thread reads what it alone uses: there is nothing to wait for. */
  if (p >= first + n)
    return;
  for (unsigned b = 0; b < bands; b++)
    window[b * blockDim.x + threadIdx.x] = planes[b * pixels + p];
  for (unsigned r = 0; r < rows; r++)
    {
      float sum = -offset[r];

      for (unsigned b = 0; b < bands; b++)
        sum += constant_basis[r * bands + b] * window[b * blockDim.x + threadIdx.x];
      out[r * pixels + p] = sum;
    }
}

int
transform_launch_v2 (EskLadder       *ladder,
                     TransformOfCard *self,
                     size_t           first,
                     size_t           n)
{
  const unsigned threads = threads_of (ladder), bands = (unsigned) self->of.bands;

  transform_v2<<<blocks_of (threads, n), threads, bands * threads, ladder_card (ladder)->stream>>>
    (self->planes, self->of.pixels, first, n, bands, (unsigned) self->of.rows, self->offset, self->out);
  return ladder_launched (ladder, "transform V2");
}
/* lab end */

/* lab: transform-r5 */
/* Rows at a time. Their factors of a band lie beside each other, with zeros behind the last row. */
#define OWN 16

/* A thread is pixel p, of some rows at a time, whose sums it keeps in registers: a sample that is read counts for all
 * of them. */
__global__ void
transform_r5 (const uint8_t *planes,
              size_t         pixels,
              size_t         first,
              size_t         n,
              unsigned       bands,
              unsigned       rows,
              const float   *offset,
              float         *out)
{
  const size_t p = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (p >= first + n)
    return;
  for (unsigned r = 0; r < rows; r += OWN)
    {
      float sum[OWN] = {};

      for (unsigned b = 0; b < bands; b++)
        {
          const float sample = planes[b * pixels + p];

#pragma unroll
          for (unsigned k = 0; k < OWN; k++)
            sum[k] += constant_basis[r * bands + b * OWN + k] * sample;
        }
#pragma unroll
      for (unsigned k = 0; k < OWN; k++)
        if (r + k < rows)
          out[(r + k) * pixels + p] = sum[k] - offset[r + k];
    }
}

int
transform_launch_r5 (EskLadder       *ladder,
                     TransformOfCard *self,
                     size_t           first,
                     size_t           n)
{
  const unsigned threads = threads_of (ladder), rows = (unsigned) self->of.rows;

  transform_r5<<<blocks_of (threads, n), threads, 0, ladder_card (ladder)->stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, rows, self->offset, self->out);
  return ladder_launched (ladder, "transform with sums in registers");
}
/* lab end */

/* ---- what they are ---- */

static int
bring (EskLadder     *ladder,
       const float   *basis,
       size_t         bytes,
       EskRungResult *result)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  if (bytes > sizeof constant_basis)
    return esk_ladder_refuse (result, ESK_WHY_CONSTANT, (double) bytes, (double) sizeof constant_basis, NULL);
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpyToSymbolAsync (constant_basis, basis, bytes, 0,
                                                                 cudaMemcpyHostToDevice, stream), "constant memory"));
  return ladder_check (ladder, cudaStreamSynchronize (stream), "constant memory");
}

/* The basis to constant memory, as it is. */
static int
bring_basis (EskLadder             *ladder,
             const TransformOfCard *self,
             EskRungResult         *result)
{
  return bring (ladder, self->of.basis, self->of.rows * self->of.bands * sizeof (float), result);
}

/* OWN rows beside each other. */
static int
bring_columns (EskLadder             *ladder,
               const TransformOfCard *self,
               EskRungResult         *result)
{
  const size_t rows = (self->of.rows + OWN - 1) / OWN * OWN, bands = self->of.bands;
  float *columns = (float *) calloc (rows * bands, sizeof *columns);
  int code;

  if (columns == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t r = 0; r < self->of.rows; r++)
    for (size_t b = 0; b < bands; b++)
      columns[r / OWN * OWN * bands + b * OWN + r % OWN] = self->of.basis[r * bands + b];
  code = bring (ladder, columns, rows * bands * sizeof (float), result);
  free (columns);

  return code;
}

int
transform_tell (EskLadder             *ladder,
                const TransformOfCard *self,
                TransformLaunch        launch,
                EskRungResult         *result)
{
  const double pixels = (double) self->of.pixels, bands = (double) self->of.bands, rows = (double) self->of.rows;
  const double written = 4.0 * pixels * rows;
  const unsigned threads = threads_of (ladder), blocks = blocks_of (threads, self->of.pixels);

  result->launches = 1;
  result->operations = 2.0 * pixels * bands * rows;
  /* Each thread reads the factors, the samples, or both; constant memory is none of it. */
  if (launch == transform_launch_v0)
    {
      result->bytes = 5.0 * pixels * bands * rows + written;
      return ladder_kernel (ladder, result, (const void *) transform_v0, threads, (uint64_t) blocks * self->of.rows, 0);
    }
  if (launch == transform_launch_row)
    {
      result->bytes = pixels * bands * rows + 4.0 * blocks * bands * rows + written;
      result->launches = (uint32_t) self->of.rows;
      return ladder_kernel (ladder, result, (const void *) transform_row, threads, blocks,
                            self->of.bands * sizeof (float));
    }
  if (launch == transform_launch_v1)
    {
      result->bytes = pixels * bands * rows + written;
      ESK_LADDER_TRY (bring_basis (ladder, self, result));
      return ladder_kernel (ladder, result, (const void *) transform_v1, threads, (uint64_t) blocks * self->of.rows, 0);
    }
  if (launch == transform_launch_v2)
    {
      result->bytes = pixels * bands + written;
      ESK_LADDER_TRY (bring_basis (ladder, self, result));
      return ladder_kernel (ladder, result, (const void *) transform_v2, threads, blocks, self->of.bands * threads);
    }
  result->bytes = pixels * bands * (double) ((self->of.rows + OWN - 1) / OWN) + written;
  ESK_LADDER_TRY (bring_columns (ladder, self, result));
  return ladder_kernel (ladder, result, (const void *) transform_r5, threads, blocks, 0);
}
