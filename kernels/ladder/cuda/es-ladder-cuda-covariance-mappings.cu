/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix on a card by the mappings of hyperspectral.md 3.1.3: what a thread, a block and a launch do. */

#include "es-ladder-cuda-covariance-private.h"

#define THREADS 256

/* lab: covariance-i */
/* The sum of one entry. */
static __device__ unsigned long long
entry (const uint8_t *planes,
       size_t         pixels,
       size_t         first,
       size_t         n,
       unsigned       i,
       unsigned       j)
{
  unsigned long long sum = 0;

  for (size_t p = first; p < first + n; p++)
    sum += (unsigned) planes[i * pixels + p] * planes[j * pixels + p];
  return sum;
}

/* A thread is an entry. The triangle is folded to a rectangle, whose rows begin with band bands / 2: right of its
 * diagonal lie the entries of the upper half. What is on the diagonal does two. */
__global__ void
covariance_i (const uint8_t      *planes,
              size_t              pixels,
              size_t              first,
              size_t              n,
              unsigned            bands,
              unsigned long long *product)
{
  const unsigned row = bands / 2 + blockIdx.x, folded = bands - 1 - row;

  for (unsigned column = threadIdx.x; column < bands; column += blockDim.x)
    {
      const unsigned i = column <= row ? row : folded, j = column <= row ? column : bands - 1 - column;

      if (column > row && row == folded)
        return;                /* the middle of an odd number of bands lies on itself */
      product[(size_t) i * bands + j] += entry (planes, pixels, first, n, i, j);
      if (column == row && row != folded)
        product[(size_t) folded * bands + folded] += entry (planes, pixels, first, n, folded, folded);
    }
}

int
covariance_launch_i (EskLadder        *ladder,
                     CovarianceOfCard *self,
                     size_t            first,
                     size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_of_bands (ladder, self);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_i<<<(bands + 1) / 2, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands,
                                                         self->product);
  return ladder_launched (ladder, "covariance, mapping I");
}
/* lab end */

/* lab: covariance-ii-1 covariance-ii-2 covariance-ii-3 covariance-iii */
/* The sum of one entry by a block: its threads take every so many pixels, neighbours beside each other, and add up what
 * they have, first the lanes of a warp, then the warps. Of thread 0 it is the whole. */
static __device__ unsigned long long
entry_of_block (const uint8_t *planes,
                size_t         pixels,
                size_t         from,
                size_t         end,
                size_t         step,
                unsigned       i,
                unsigned       j)
{
  __shared__ unsigned long long warps[32];
  unsigned long long sum = 0;

  for (size_t p = from; p < end; p += step)
    sum += (unsigned) planes[i * pixels + p] * planes[j * pixels + p];
  for (unsigned lanes = 16; lanes > 0; lanes /= 2)
    sum += __shfl_down_sync (0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < blockDim.x / 32; w++)
      sum += warps[w];
  __syncthreads ();
  return sum;
}
/* lab end */

/* lab: covariance-ii-1 */
/* A block is an entry: in one launch those of the diagonal, */
__global__ void
covariance_ii_1_diagonal (const uint8_t      *planes,
                          size_t              pixels,
                          size_t              first,
                          size_t              n,
                          unsigned            bands,
                          unsigned long long *product)
{
  const unsigned i = blockIdx.x;
  const unsigned long long sum = entry_of_block (planes, pixels, first + threadIdx.x, first + n, blockDim.x, i, i);

  if (threadIdx.x == 0)
    product[(size_t) i * bands + i] += sum;
}

/* in another the triangle below it, folded to a rectangle, whose rows begin with band bands / 2. */
__global__ void
covariance_ii_1 (const uint8_t      *planes,
                 size_t              pixels,
                 size_t              first,
                 size_t              n,
                 unsigned            bands,
                 unsigned long long *product)
{
  const unsigned row = bands / 2 + blockIdx.x, folded = bands - 1 - row, column = blockIdx.y;
  const unsigned i = column <= row ? row : folded, j = column <= row ? column : bands - 1 - column;
  unsigned long long sum;

  if (column == row || (column > row && row == folded))
    return;
  sum = entry_of_block (planes, pixels, first + threadIdx.x, first + n, blockDim.x, i, j);
  if (threadIdx.x == 0)
    product[(size_t) i * bands + j] += sum;
}

int
covariance_launch_ii_1 (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_threads (ladder, THREADS);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_ii_1_diagonal<<<bands, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands,
                                                           self->product);
  covariance_ii_1<<<dim3 ((bands + 1) / 2, bands), threads, 0, stream>>> (self->planes, self->of.pixels, first, n,
                                                                          bands, self->product);
  return ladder_launched (ladder, "covariance, mapping II-1");
}
/* lab end */

/* lab: covariance-ii-2 */
/* A block is an entry: each launch is a row of the folded rectangle. What is on its diagonal does two. */
__global__ void
covariance_ii_2 (const uint8_t      *planes,
                 size_t              pixels,
                 size_t              first,
                 size_t              n,
                 unsigned            bands,
                 unsigned            row,
                 unsigned long long *product)
{
  const unsigned folded = bands - 1 - row, column = blockIdx.x;
  const unsigned i = column <= row ? row : folded, j = column <= row ? column : bands - 1 - column;
  unsigned long long sum;

  if (column > row && row == folded)
    return;
  sum = entry_of_block (planes, pixels, first + threadIdx.x, first + n, blockDim.x, i, j);
  if (threadIdx.x == 0)
    product[(size_t) i * bands + j] += sum;
  if (column != row || row == folded)
    return;
  sum = entry_of_block (planes, pixels, first + threadIdx.x, first + n, blockDim.x, folded, folded);
  if (threadIdx.x == 0)
    product[(size_t) folded * bands + folded] += sum;
}

int
covariance_launch_ii_2 (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_threads (ladder, THREADS);
  cudaStream_t stream = ladder_card (ladder)->stream;

  for (unsigned row = bands / 2; row < bands; row++)
    covariance_ii_2<<<bands, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands, row,
                                                    self->product);
  return ladder_launched (ladder, "covariance, mapping II-2");
}
/* lab end */

/* lab: covariance-ii-3 */
/* A block is an entry: each launch is a row of the triangle, the i-th of i blocks. */
__global__ void
covariance_ii_3 (const uint8_t      *planes,
                 size_t              pixels,
                 size_t              first,
                 size_t              n,
                 unsigned            bands,
                 unsigned            row,
                 unsigned long long *product)
{
  const unsigned column = blockIdx.x;
  unsigned long long sum;

  sum = entry_of_block (planes, pixels, first + threadIdx.x, first + n, blockDim.x, row, column);
  if (threadIdx.x == 0)
    product[(size_t) row * bands + column] += sum;
}

int
covariance_launch_ii_3 (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_threads (ladder, THREADS);
  cudaStream_t stream = ladder_card (ladder)->stream;

  for (unsigned row = 0; row < bands; row++)
    covariance_ii_3<<<row + 1, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands, row,
                                                      self->product);
  return ladder_launched (ladder, "covariance, mapping II-3");
}
/* lab end */

/* lab: covariance-iii */
/* A launch is an entry: blocks take every so many pixels and add what they have to it, one after the other. */
__global__ void
covariance_iii (const uint8_t      *planes,
                size_t              pixels,
                size_t              first,
                size_t              n,
                unsigned            bands,
                unsigned            row,
                unsigned            column,
                unsigned long long *product)
{
  const size_t thread = (size_t) blockIdx.x * blockDim.x + threadIdx.x, threads = (size_t) gridDim.x * blockDim.x;
  unsigned long long sum;

  sum = entry_of_block (planes, pixels, first + thread, first + n, threads, row, column);
  if (threadIdx.x == 0)
    atomicAdd (product + (size_t) row * bands + column, sum);
}

/* Blocks that fill the card, where there are 16 pixels for every thread. */
static unsigned
blocks_of_launch (EskLadder *ladder,
                  unsigned   threads,
                  size_t     n)
{
  const LadderCard *card = ladder_card (ladder);
  const size_t wanted = (size_t) card->units * card->unit_threads / threads;
  const size_t most = (n + 16 * threads - 1) / (16 * threads);

  return (unsigned) (wanted < most ? wanted : most);
}

int
covariance_launch_iii (EskLadder        *ladder,
                       CovarianceOfCard *self,
                       size_t            first,
                       size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_threads (ladder, THREADS);
  const unsigned blocks = blocks_of_launch (ladder, threads, n);
  cudaStream_t stream = ladder_card (ladder)->stream;

  for (unsigned row = 0; row < bands; row++)
    {
      const double share = (row + 1.0) * (row + 2.0) / (bands * (bands + 1.0));

      for (unsigned column = 0; column <= row; column++)
        covariance_iii<<<blocks, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands, row, column,
                                                        self->product);
      ESK_LADDER_TRY (ladder_launched (ladder, "covariance, mapping III"));
      if (row % 16 == 15)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, ((double) first + share * (double) n) / (double) self->of.pixels));
    }

  return ESK_LADDER_OK;
}
/* lab end */

int
covariance_tell_mappings (EskLadder              *ladder,
                          const CovarianceOfCard *self,
                          CovarianceLaunch        launch,
                          EskRungResult          *result)
{
  const double pixels = (double) self->of.pixels, entries = 0.5 * (double) self->of.bands * (self->of.bands + 1.0);
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_threads (ladder, THREADS);

  /* Both samples of every product. */
  result->bytes = 2.0 * pixels * entries;
  result->operations = 2.0 * pixels * entries;
  if (launch == covariance_launch_i)
    {
      result->launches = 1;
      return ladder_kernel (ladder, result, (const void *) covariance_i, covariance_of_bands (ladder, self),
                            (bands + 1) / 2, 0);
    }
  if (launch == covariance_launch_ii_1)
    {
      result->launches = 2;
      return ladder_kernel (ladder, result, (const void *) covariance_ii_1, threads,
                            (uint64_t) ((bands + 1) / 2) * bands, 0);
    }
  if (launch == covariance_launch_ii_2)
    {
      result->launches = bands - bands / 2;
      return ladder_kernel (ladder, result, (const void *) covariance_ii_2, threads, bands, 0);
    }
  if (launch == covariance_launch_ii_3)
    {
      result->launches = bands;
      return ladder_kernel (ladder, result, (const void *) covariance_ii_3, threads, bands, 0);
    }
  result->launches = (uint32_t) entries;
  return ladder_kernel (ladder, result, (const void *) covariance_iii, threads,
                        blocks_of_launch (ladder, threads, self->of.pixels), 0);
}
