/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA on a card, as hyperspectral.md 4.3 climbs it: the kernels. */

#include "es-ladder-cuda-ica-launch.cuh"

#include <math.h>

#define MOST_THREADS 1024

/* A namespace a variant: where people read them, as the text of a rung, those of all rungs have the same names. */

namespace ica_plain_transposed
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

namespace ica_plain
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

namespace ica_in_registers
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

namespace ica_transposed
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

namespace ica_in_shared
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

namespace ica_plain_in_shared
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

int
ica_v0 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_plain::components, ica_plain::products);
}

int
ica_v1 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_in_registers::components, ica_in_registers::products);
}

int
ica_v2 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_in_shared::components, ica_in_shared::products);
}

int
ica_v3 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_transposed::components, ica_in_shared::products);
}

int
ica_v4 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return merged::step (ladder, work, ica_transposed::components, ica_in_shared::products);
}

int
ica_v5 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return merged_there::step (ladder, work, ica_transposed::components, ica_in_shared::products);
}

int
ica_s5 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_plain_in_shared::components, ica_plain_in_shared::products);
}

int
ica_g3 (EskLadder   *ladder,
        IcaCardWork *work)
{
  return one_by_one::step (ladder, work, ica_plain_transposed::components, ica_plain::products);
}

int
ica_m (EskLadder   *ladder,
       IcaCardWork *work)
{
  return merged::step (ladder, work, ica_plain::components, ica_plain::products);
}

int
ica_z (EskLadder   *ladder,
       IcaCardWork *work)
{
  return one_by_one_there::step (ladder, work, ica_plain::components, ica_plain::products);
}

int
ica_m_z (EskLadder   *ladder,
         IcaCardWork *work)
{
  return merged_there::step (ladder, work, ica_plain::components, ica_plain::products);
}

/* Whichever a rung launches most. */
const void *
ica_products (int registers,
              int shared)
{
  return registers && shared ? (const void *) ica_in_shared::products
         : registers ? (const void *) ica_in_registers::products
         : shared ? (const void *) ica_plain_in_shared::products : (const void *) ica_plain::products;
}

int
ica_add_up (EskLadder   *ladder,
            IcaCardWork *work,
            unsigned     n)
{
  add_up<<<n, ADDERS, 0, work->stream>>> (work->partial, work->blocks, 1, 0, work->sums);
  return ladder_launched (ladder, "the sums of blocks");
}
