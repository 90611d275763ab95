/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors against a basis: the sums of Gram-Schmidt, and what is taken away by them; w is read once in each. */

#include "es-cuda-vectors-steps.cuh"

#define THREADS ESK_SLOTS_THREADS
#define WARPS (THREADS / 32)
/* Packs of w that a thread keeps while the basis goes by. */
#define PACKS 2

/* Elements at .. of n; 0 beyond the last. */
template <typename T>
static __device__ __forceinline__ void
read_some (EskPack<T> &pack,
           const T    *from,
           size_t      at,
           size_t      n)
{
  if (at + EskPack<T>::N <= n)
    {
      esk_pack_read (pack, from + at);
      return;
    }
#pragma unroll
  for (int e = 0; e < EskPack<T>::N; e++)
    pack.v[e] = at + e < n ? from[at + e] : T (0);
}

/* partial: a row of as many numbers as there are blocks for every vector. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
basis_dots_kernel (size_t    n,
                   unsigned  k,
                   const T  *basis,
                   size_t    stride,
                   const T  *w,
                   double   *partial)
{
  constexpr size_t N = EskPack<T>::N, CHUNK = THREADS * N * PACKS;
  __shared__ double sums[WARPS][ESK_MOST_BASIS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (unsigned i = lane; i < k; i += 32)
    sums[warp][i] = 0.0;
  __syncwarp ();
  for (size_t base = blockIdx.x * CHUNK; base < n; base += gridDim.x * CHUNK)
    {
      EskPack<T> own[PACKS];

#pragma unroll
      for (int r = 0; r < PACKS; r++)
        read_some (own[r], w, base + (r * THREADS + threadIdx.x) * N, n);
#pragma unroll 2
      for (unsigned i = 0; i < k; i++)
        {
          EskPack<T> other[PACKS];
          double sum = 0.0;

#pragma unroll
          for (int r = 0; r < PACKS; r++)
            read_some (other[r], basis + i * stride, base + (r * THREADS + threadIdx.x) * N, n);
#pragma unroll
          for (int r = 0; r < PACKS; r++)
#pragma unroll
            for (int e = 0; e < (int) N; e++)
              sum += (double) own[r].v[e] * (double) other[r].v[e];
#pragma unroll
          for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync (ESK_SLOTS_FULL, sum, step);
          if (lane == 0)
            sums[warp][i] += sum;
        }
    }
  __syncthreads ();
  for (unsigned i = threadIdx.x; i < k; i += THREADS)
    {
      double sum = 0.0;

      for (int other = 0; other < WARPS; other++)
        sum += sums[other][i];
      partial[(size_t) i * gridDim.x + blockIdx.x] = sum;
    }
}

/* A block a vector. */
static __global__ void __launch_bounds__ (THREADS)
add_partial (size_t        n_blocks,
             const double *partial,
             double       *slots)
{
  double sum[1] = { 0.0 };

  for (size_t b = threadIdx.x; b < n_blocks; b += THREADS)
    sum[0] += partial[blockIdx.x * n_blocks + b];
  esk_slots_join_block<1, false> (sum);
  if (threadIdx.x == 0)
    slots[blockIdx.x] = sum[0];
}

template <typename T>
static int
basis_dots (EskStream  *stream,
            size_t      n,
            size_t      k,
            const void *basis,
            size_t      stride,
            const void *w,
            double     *slots)
{
  double *partial;
  size_t n_blocks;
  int code = esk_step_blocks (stream, basis_dots_kernel<T>, n, EskPack<T>::N * PACKS, &n_blocks);

  if (code != ESK_OK)
    return code;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * k * sizeof *partial);
  if (partial == NULL)
    return esk_cuda_device_is_lost (stream->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY;
  basis_dots_kernel<T><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (n, (unsigned) k, (const T *) basis, stride,
                                                                            (const T *) w, partial);
  code = esk_cuda_launched (stream, "a basis");
  if (code != ESK_OK)
    return code;
  add_partial<<<(unsigned) k, THREADS, 0, stream->stream>>> (n_blocks, partial, slots);

  return esk_cuda_launched (stream, "a basis");
}

static bool
is_basis (EskStream  *stream,
          EskType     type,
          size_t      n,
          size_t      k,
          const void *basis,
          size_t      stride,
          const void *w)
{
  return stream != NULL && esk_cuda_is_vector (type) && k <= ESK_MOST_BASIS && (k <= 1 || stride >= n)
         && (n == 0 || (w != NULL && (k == 0 || basis != NULL)));
}

int
esk_cuda_basis_dots (EskStream  *stream,
                     EskType     type,
                     size_t      n,
                     size_t      k,
                     const void *basis,
                     size_t      stride,
                     const void *w,
                     double     *slots)
{
  int code;

  if (!is_basis (stream, type, n, k, basis, stride, w) || (k > 0 && slots == NULL))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK && k > 0)
    ESK_VECTORS_BY_TYPE (type, code, basis_dots, stream, n, k, basis, stride, w, slots);

  return code;
}

template <typename T, bool NORM>
static __global__ void __launch_bounds__ (THREADS)
basis_add_kernel (size_t        n,
                  unsigned      k,
                  const T      *basis,
                  size_t        stride,
                  double        factor,
                  const double *coefficients,
                  T            *w,
                  EskCudaSlots  room)
{
  constexpr size_t N = EskPack<T>::N;
  __shared__ T c[ESK_MOST_BASIS];
  double sums[1] = { 0.0 };

  for (unsigned i = threadIdx.x; i < k; i += THREADS)
    c[i] = (T) (factor * coefficients[i]);
  __syncthreads ();
  for (size_t at = ((size_t) blockIdx.x * THREADS + threadIdx.x) * N; at < n; at += (size_t) gridDim.x * THREADS * N)
    {
      EskPack<T> own;

      read_some (own, (const T *) w, at, n);
#pragma unroll 8
      for (unsigned i = 0; i < k; i++)
        {
          EskPack<T> other;

          read_some (other, basis + i * stride, at, n);
#pragma unroll
          for (int e = 0; e < (int) N; e++)
            own.v[e] += c[i] * other.v[e];
        }
      if (at + N <= n)
        esk_pack_write (own, w + at);
      else
#pragma unroll
        for (int e = 0; e < (int) N; e++)
          if (at + e < n)
            w[at + e] = own.v[e];
      if constexpr (NORM)
        {
#pragma unroll
          for (int e = 0; e < (int) N; e++)
            sums[0] += at + e < n ? (double) own.v[e] * (double) own.v[e] : 0.0;
        }
    }
  if constexpr (NORM)
    esk_slots_finish<1, false> (sums, room);
}

template <typename T>
static int
basis_add (EskStream    *stream,
           size_t        n,
           size_t        k,
           const void   *basis,
           size_t        stride,
           double        factor,
           const double *coefficients,
           void         *w,
           double       *norm)
{
  EskCudaSlots room = { NULL, NULL, NULL };
  size_t n_blocks;
  int code = norm != NULL ? esk_step_blocks (stream, basis_add_kernel<T, true>, n, EskPack<T>::N, &n_blocks)
                          : esk_step_blocks (stream, basis_add_kernel<T, false>, n, EskPack<T>::N, &n_blocks);

  if (code == ESK_OK && norm != NULL)
    code = esk_cuda_slots (stream, n_blocks, 1, norm, &room);
  if (code != ESK_OK)
    return code;
  if (norm != NULL)
    basis_add_kernel<T, true><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (n, (unsigned) k, (const T *) basis,
                                                                                   stride, factor, coefficients,
                                                                                   (T *) w, room);
  else
    basis_add_kernel<T, false><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (n, (unsigned) k, (const T *) basis,
                                                                                    stride, factor, coefficients,
                                                                                    (T *) w, room);

  return esk_cuda_launched (stream, "a basis");
}

int
esk_cuda_basis_add (EskStream    *stream,
                    EskType       type,
                    size_t        n,
                    size_t        k,
                    const void   *basis,
                    size_t        stride,
                    double        factor,
                    const double *coefficients,
                    void         *w,
                    double       *norm)
{
  int code;

  if (!is_basis (stream, type, n, k, basis, stride, w) || (k > 0 && coefficients == NULL))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK && (norm != NULL || (n > 0 && k > 0)))
    ESK_VECTORS_BY_TYPE (type, code, basis_add, stream, n, k, basis, stride, factor, coefficients, w, norm);

  return code;
}
