/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The kernels of the azimuth spectrum's ladder, as tables 6.13 and 6.14 of sonar.md climb it: three steps of one block
 * an angle (directions; products with the eigenvectors; their sum), fused as there.
 */

#include "ladder/es-ladder-azimuth-internal.h"
#include "es-ladder-cuda-private.h"

/* lab: azimuth-v0 azimuth-v1 azimuth-v2 azimuth-v3 azimuth-v4 azimuth-v5 azimuth-v6 */
typedef struct {
  const float2 *vectors;       /* eigenvectors */
  const float  *inverse;       /* of eigenvalues */
  const double *cosines;       /* of the angles with the line */
  float2       *directions;    /* room for them, of all angles */
  float        *energies;      /* room for n an angle */
  float        *power;         /* the outcome */
  unsigned      n, angles;
  unsigned      first;         /* the angle of block 0 */
} Azimuth;

/* What a plane wave from an angle looks like at element k. Its phase counts modulo 1, in float64. */
static __device__ float2
steer (unsigned k,
       unsigned n,
       double   cosine)
{
  const double turns = ESK_ARRAY_TURNS * ((double) k - (double) ((n - 1) / 2)) * cosine;
  float2 a;

  sincospif (2.0f * (float) (turns - rint (turns)), &a.y, &a.x);
  return a;
}

/* The sum of n numbers in the first: what is left is halved until one is. */
static __device__ void
add_up (float   *numbers,
        unsigned n)
{
  for (unsigned left = n; left > 1;)
    {
      const unsigned half = (left + 1) / 2;

      for (unsigned m = threadIdx.x; m + half < left; m += blockDim.x)
        numbers[m] += numbers[m + half];
      __syncthreads ();
      left = half;
    }
}
/* lab end */

/* lab: azimuth-v0 */
/* A block an angle. A thread an element, then an eigenvector, [eigen][element]: it goes along its row, and its
 * neighbours along theirs. What a step leaves to the next lies in global memory. */
static __global__ void
azimuth_v0 (Azimuth call)
{
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + (size_t) angle * n;
  float *energy = call.energies + (size_t) angle * n;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[k] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[k];
          const float2 v = call.vectors[(size_t) m * n + k];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v1 */
/* Eigenvectors transposed, [element][eigen]: what neighbouring threads read lies side by side. */
static __global__ void
azimuth_v1 (Azimuth call)
{
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + (size_t) angle * n;
  float *energy = call.energies + (size_t) angle * n;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[k] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[k];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v2 */
/* What is to be added up lies in shared memory. */
static __global__ void
azimuth_v2 (Azimuth call)
{
  extern __shared__ float energy[];       /* n */
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + (size_t) angle * n;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[k] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[k];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v3 */
/* The direction, too, which every thread reads from end to end. */
static __global__ void
azimuth_v3 (Azimuth call)
{
  extern __shared__ float energy[];       /* n, and behind them the direction */
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = (float2 *) (energy + n + n % 2);

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[k] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[k];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v4 */
/* The direction is back in global memory: of many elements shared memory for it would leave too few blocks resident. */
static __global__ void
azimuth_v4 (Azimuth call)
{
  extern __shared__ float energy[];       /* n */
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + (size_t) angle * n;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[k] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[k];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v5 */
/* Directions transposed, [element][angle]: what blocks read at the same time lies side by side. */
static __global__ void
azimuth_v5 (Azimuth call)
{
  extern __shared__ float energy[];       /* n */
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + angle;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[(size_t) k * call.angles] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned m = threadIdx.x; m < n; m += blockDim.x)
    {
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n; k++)
        {
          const float2 a = direction[(size_t) k * call.angles];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      energy[m] = (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  __syncthreads ();

  add_up (energy, n);
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / energy[0];
}
/* lab end */

/* lab: azimuth-v6 */
/* Shared memory for one number a thread, filled again and again: however many elements there are, as many blocks are
 * resident. */
static __global__ void
azimuth_v6 (Azimuth call)
{
  extern __shared__ float energy[];       /* a number a thread */
  const unsigned n = call.n, angle = call.first + blockIdx.x;
  float2 *direction = call.directions + angle;
  float sum = 0.0f;

  for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
    direction[(size_t) k * call.angles] = steer (k, n, call.cosines[angle]);
  __syncthreads ();

  for (unsigned base = 0; base < n; base += blockDim.x)
    {
      const unsigned m = base + threadIdx.x;
      float2 z = { 0.0f, 0.0f };

      for (unsigned k = 0; k < n && m < n; k++)
        {
          const float2 a = direction[(size_t) k * call.angles];
          const float2 v = call.vectors[(size_t) k * n + m];

          z.x += a.x * v.x + a.y * v.y;
          z.y += a.x * v.y - a.y * v.x;
        }
      if (m < n)
        energy[threadIdx.x] = (z.x * z.x + z.y * z.y) * call.inverse[m];
      __syncthreads ();

      add_up (energy, min (blockDim.x, n - base));
      if (threadIdx.x == 0)
        sum += energy[0];
    }
  if (threadIdx.x == 0)
    call.power[angle] = 1.0f / sum;
}
/* lab end */
