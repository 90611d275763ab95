/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* How the kernels of a step of FastICA are launched: plane by plane or all planes at once, with copies of what is small
 * or without. */

#include "es-ladder-cuda-ica-private.h"

/* Threads that add up what blocks have left; a power of two, as those of blocks are. */
#define ADDERS 256

/* lab: ica-v0 ica-v1 ica-v2 ica-v3 ica-v4 ica-v5 ica-fused ica-tiled ica-s5 ica-g3 ica-m ica-z ica-m-z */
/* The sum of what blocks hold, of the plane `first` or one behind it: a block a plane. */
static __global__ void
add_up (const float *partial,
        unsigned     blocks,
        unsigned     threads,
        unsigned     first,
        double      *sums)
{
  __shared__ double shared[ADDERS];
  double sum = 0.0;

  for (unsigned block = threadIdx.x; block < blocks; block += ADDERS)
    sum += partial[((size_t) blockIdx.x * blocks + block) * threads];
  shared[threadIdx.x] = sum;
  for (unsigned half = ADDERS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        shared[threadIdx.x] += shared[threadIdx.x + half];
    }
  if (threadIdx.x == 0)
    sums[first + blockIdx.x] = shared[0];
}
/* lab end */

namespace one_by_one
{

/* lab: ica-v0 ica-v1 ica-v2 ica-v3 ica-s5 ica-g3 */
/* A vector after the other: w'z and g, then the sums of a plane after the other. W goes to the card first, and what
 * comes of a vector back at once. */
template <typename Components, typename Products>
static int
step (EskLadder   *ladder,
      IcaCardWork *work,
      Components   components,
      Products     products)
{
  const unsigned rows = work->rows, blocks = work->blocks, threads = work->threads;
  const cudaStream_t stream = work->stream;

  ESK_LADDER_TRY (ladder_upload (ladder, work->w, work->host_w, rows * rows * sizeof *work->w));
  for (unsigned row = 0; row < rows; row++)
    {
      components<<<blocks, threads, 0, stream>>> (work->w, work->z, work->pixels, rows, row, work->g);
      for (unsigned i = 0; i <= rows; i++)
        {
          products<<<blocks, threads, 0, stream>>> (work->z, work->pixels, rows, i, work->g, work->partial);
          add_up<<<1, ADDERS, 0, stream>>> (work->partial, blocks, threads, i, work->sums);
        }
      ESK_LADDER_TRY (ladder_launched (ladder, "a step of a vector"));
      ESK_LADDER_TRY (ladder_download (ladder, work->host_sums + row * (rows + 1), work->sums,
                                       (rows + 1) * sizeof *work->sums));
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

}

namespace merged
{

/* lab: ica-v4 ica-m */
/* A vector after the other: w'z and g, then the sums of all planes at once. W goes to the card first, and what comes
 * of a vector back at once. */
template <typename Components, typename Products>
static int
step (EskLadder   *ladder,
      IcaCardWork *work,
      Components   components,
      Products     products)
{
  const unsigned rows = work->rows, blocks = work->blocks, threads = work->threads;
  const cudaStream_t stream = work->stream;
  const dim3 planes (blocks, rows + 1);

  ESK_LADDER_TRY (ladder_upload (ladder, work->w, work->host_w, rows * rows * sizeof *work->w));
  for (unsigned row = 0; row < rows; row++)
    {
      components<<<blocks, threads, 0, stream>>> (work->w, work->z, work->pixels, rows, row, work->g);
      products<<<planes, threads, 0, stream>>> (work->z, work->pixels, rows, 0, work->g, work->partial);
      add_up<<<rows + 1, ADDERS, 0, stream>>> (work->partial, blocks, threads, 0, work->sums);
      ESK_LADDER_TRY (ladder_launched (ladder, "a step of a vector"));
      ESK_LADDER_TRY (ladder_download (ladder, work->host_sums + row * (rows + 1), work->sums,
                                       (rows + 1) * sizeof *work->sums));
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

}

namespace one_by_one_there
{

/* lab: ica-z */
/* A vector after the other: w'z and g, then the sums of a plane after the other. W is read where the host has it, and
 * sums are written to where it wants them. */
template <typename Components, typename Products>
static int
step (EskLadder   *ladder,
      IcaCardWork *work,
      Components   components,
      Products     products)
{
  const unsigned rows = work->rows, blocks = work->blocks, threads = work->threads;
  const cudaStream_t stream = work->stream;

  for (unsigned row = 0; row < rows; row++)
    {
      components<<<blocks, threads, 0, stream>>> (work->w, work->z, work->pixels, rows, row, work->g);
      for (unsigned i = 0; i <= rows; i++)
        {
          products<<<blocks, threads, 0, stream>>> (work->z, work->pixels, rows, i, work->g, work->partial);
          add_up<<<1, ADDERS, 0, stream>>> (work->partial, blocks, threads, i, work->sums + row * (rows + 1));
        }
      ESK_LADDER_TRY (ladder_launched (ladder, "a step of a vector"));
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

}

namespace merged_there
{

/* lab: ica-v5 ica-m-z */
/* A vector after the other: w'z and g, then the sums of all planes at once. W is read where the host has it, and sums
 * are written to where it wants them. */
template <typename Components, typename Products>
static int
step (EskLadder   *ladder,
      IcaCardWork *work,
      Components   components,
      Products     products)
{
  const unsigned rows = work->rows, blocks = work->blocks, threads = work->threads;
  const cudaStream_t stream = work->stream;
  const dim3 planes (blocks, rows + 1);

  for (unsigned row = 0; row < rows; row++)
    {
      components<<<blocks, threads, 0, stream>>> (work->w, work->z, work->pixels, rows, row, work->g);
      products<<<planes, threads, 0, stream>>> (work->z, work->pixels, rows, 0, work->g, work->partial);
      add_up<<<rows + 1, ADDERS, 0, stream>>> (work->partial, blocks, threads, 0, work->sums + row * (rows + 1));
      ESK_LADDER_TRY (ladder_launched (ladder, "a step of a vector"));
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

}
