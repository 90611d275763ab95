/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA on a card, as hyperspectral.md 4.3 climbs it: the kernels, and who launches them. */

#include "es-ladder-cuda-ica-private.h"

#include <math.h>

/* Threads that add up what blocks have left; a power of two, as those of blocks are. */
#define ADDERS 256
#define MOST_THREADS 1024

/* A namespace a variant: where people read them, as the text of a rung, those of all rungs have the same names. */

namespace plain_transposed
{

/* lab: ica-g3 */
/* g of w'z of vector `row`, a row of W: a thread takes a sample, and then one that is a grid further on; it adds up
 * where g will lie. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      g[p] = 0.0f;
      for (unsigned i = 0; i < rows; i++)
        g[p] += w[row * rows + i] * z[i * pixels + p];
      g[p] = tanhf (g[p]);
    }
}
/* lab end */

}

namespace plain
{

/* lab: ica-v0 ica-m ica-z ica-m-z */
/* g of w'z of vector `row`, a column of W: a thread takes a sample, and then one that is a grid further on; it adds
 * up where g will lie. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      g[p] = 0.0f;
      for (unsigned i = 0; i < rows; i++)
        g[p] += w[i * rows + row] * z[i * pixels + p];
      g[p] = tanhf (g[p]);
    }
}
/* lab end */

/* lab: ica-v0 ica-g3 ica-m ica-z ica-m-z */
/* The sum of z g over plane `first`, or one behind it, or behind the last plane that of g': threads add up samples
 * that are a grid apart, each in its place of the block's; then these are added up by pairs, until the first one
 * holds the block's. */
__global__ void
products (const float *z,
          size_t       pixels,
          unsigned     rows,
          unsigned     first,
          const float *g,
          float       *partial)
{
  const unsigned i = first + blockIdx.y;
  const size_t step = (size_t) gridDim.x * blockDim.x;
  float *own = partial + ((size_t) blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x;

  own[threadIdx.x] = 0.0f;
  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    own[threadIdx.x] += i < rows ? z[i * pixels + p] * g[p] : 1.0f - g[p] * g[p];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        own[threadIdx.x] += own[threadIdx.x + half];
    }
}
/* lab end */

}

namespace in_registers
{

/* lab: ica-v1 */
/* g of w'z of vector `row`, a column of W: a thread takes a sample, and then one that is a grid further on; it adds
 * up in a register. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      float y = 0.0f;

      for (unsigned i = 0; i < rows; i++)
        y += w[i * rows + row] * z[i * pixels + p];
      g[p] = tanhf (y);
    }
}

/* The sum of z g over plane `first`, or one behind it, or behind the last plane that of g': threads add up samples
 * that are a grid apart, each in a register that is exact enough for many; then these are added up by pairs, until
 * the first one holds the block's. */
__global__ void
products (const float *z,
          size_t       pixels,
          unsigned     rows,
          unsigned     first,
          const float *g,
          float       *partial)
{
  const unsigned i = first + blockIdx.y;
  const size_t step = (size_t) gridDim.x * blockDim.x;
  float *own = partial + ((size_t) blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x;
  double sum = 0.0;

  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    sum += i < rows ? z[i * pixels + p] * g[p] : 1.0f - g[p] * g[p];
  own[threadIdx.x] = (float) sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        own[threadIdx.x] += own[threadIdx.x + half];
    }
}
/* lab end */

}

namespace transposed
{

/* lab: ica-v3 ica-v4 ica-v5 */
/* g of w'z of vector `row`, a row of W, which a block brings to its shared memory first: a thread takes a sample, and
 * then one that is a grid further on; it adds up in a register. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  __shared__ float shared[ESK_ICA_MOST_ROWS];
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (unsigned i = threadIdx.x; i < rows; i += blockDim.x)
    shared[i] = w[row * rows + i];
  __syncthreads ();
  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      float y = 0.0f;

      for (unsigned i = 0; i < rows; i++)
        y += shared[i] * z[i * pixels + p];
      g[p] = tanhf (y);
    }
}
/* lab end */

}

namespace in_shared
{

/* lab: ica-v2 */
/* g of w'z of vector `row`, a column of W, which a block brings to its shared memory first: a thread takes a sample,
 * and then one that is a grid further on; it adds up in a register. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  __shared__ float shared[ESK_ICA_MOST_ROWS];
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (unsigned i = threadIdx.x; i < rows; i += blockDim.x)
    shared[i] = w[i * rows + row];
  __syncthreads ();
  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      float y = 0.0f;

      for (unsigned i = 0; i < rows; i++)
        y += shared[i] * z[i * pixels + p];
      g[p] = tanhf (y);
    }
}
/* lab end */

/* lab: ica-v2 ica-v3 ica-v4 ica-v5 */
/* The sum of z g over plane `first`, or one behind it, or behind the last plane that of g': threads add up samples
 * that are a grid apart, each in a register that is exact enough for many; then these are added up by pairs in shared
 * memory, until the first one holds the block's. */
__global__ void
products (const float *z,
          size_t       pixels,
          unsigned     rows,
          unsigned     first,
          const float *g,
          float       *partial)
{
  __shared__ double shared[MOST_THREADS];
  const unsigned i = first + blockIdx.y;
  const size_t step = (size_t) gridDim.x * blockDim.x;
  float *own = partial + ((size_t) blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x;
  double sum = 0.0;

  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    sum += i < rows ? z[i * pixels + p] * g[p] : 1.0f - g[p] * g[p];
  shared[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        shared[threadIdx.x] += shared[threadIdx.x + half];
    }
  if (threadIdx.x == 0)
    *own = (float) shared[0];
}
/* lab end */

}

namespace plain_in_shared
{

/* lab: ica-s5 */
/* g of w'z of vector `row`, a column of W, which a block brings to its shared memory first: a thread takes a sample,
 * and then one that is a grid further on; it adds up in shared memory, too. */
__global__ void
components (const float *w,
            const float *z,
            size_t       pixels,
            unsigned     rows,
            unsigned     row,
            float       *g)
{
  __shared__ float shared[ESK_ICA_MOST_ROWS], y[MOST_THREADS];
  const size_t step = (size_t) gridDim.x * blockDim.x;

  for (unsigned i = threadIdx.x; i < rows; i += blockDim.x)
    shared[i] = w[i * rows + row];
  __syncthreads ();
  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    {
      y[threadIdx.x] = 0.0f;
      for (unsigned i = 0; i < rows; i++)
        y[threadIdx.x] += shared[i] * z[i * pixels + p];
      g[p] = tanhf (y[threadIdx.x]);
    }
}

/* The sum of z g over plane `first`, or one behind it, or behind the last plane that of g': threads add up samples
 * that are a grid apart, each in its place of the block's, in shared memory; then these are added up by pairs, until
 * the first one holds the block's. */
__global__ void
products (const float *z,
          size_t       pixels,
          unsigned     rows,
          unsigned     first,
          const float *g,
          float       *partial)
{
  __shared__ float shared[MOST_THREADS];
  const unsigned i = first + blockIdx.y;
  const size_t step = (size_t) gridDim.x * blockDim.x;
  float *own = partial + ((size_t) blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x;

  shared[threadIdx.x] = 0.0f;
  for (size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += step)
    shared[threadIdx.x] += i < rows ? z[i * pixels + p] * g[p] : 1.0f - g[p] * g[p];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        shared[threadIdx.x] += shared[threadIdx.x + half];
    }
  if (threadIdx.x == 0)
    *own = shared[0];
}
/* lab end */

}

/* lab: ica-v0 ica-v1 ica-v2 ica-v3 ica-v4 ica-v5 ica-s5 ica-g3 ica-m ica-z ica-m-z */
/* The sum of what blocks hold, of the plane `first` or one behind it: a block a plane. */
__global__ void
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

int
ica_v0 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, plain::components, plain::products);
}

int
ica_v1 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, in_registers::components, in_registers::products);
}

int
ica_v2 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, in_shared::components, in_shared::products);
}

int
ica_v3 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, transposed::components, in_shared::products);
}

int
ica_v4 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return merged::step (ladder, work, transposed::components, in_shared::products);
}

int
ica_v5 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return merged_there::step (ladder, work, transposed::components, in_shared::products);
}

int
ica_s5 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, plain_in_shared::components, plain_in_shared::products);
}

int
ica_g3 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, plain_transposed::components, plain::products);
}

int
ica_m (EskLadder   *ladder,
       IcaCardWork *work)
{
  return merged::step (ladder, work, plain::components, plain::products);
}

int
ica_z (EskLadder   *ladder,
       IcaCardWork *work)
{
  return one_by_one_there::step (ladder, work, plain::components, plain::products);
}

int
ica_m_z (EskLadder   *ladder,
         IcaCardWork *work)
{
  return merged_there::step (ladder, work, plain::components, plain::products);
}

/* Whichever a rung launches most. */
const void *
ica_products (int registers,
              int shared)
{
  return registers && shared ? (const void *) in_shared::products
         : registers ? (const void *) in_registers::products
         : shared ? (const void *) plain_in_shared::products : (const void *) plain::products;
}

int
ica_add_up (EskLadder   *ladder,
            IcaCardWork *work,
            unsigned     n)
{
  add_up<<<n, ADDERS, 0, work->stream>>> (work->partial, work->blocks, 1, 0, work->sums);
  return ladder_launched (ladder, "the sums of blocks");
}
