/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Packing the samples that count, in their order: each block counts those of its own samples, one block adds the counts
 * up, and then every block knows where its samples go.
 */

#include "es-cuda-ica-private.h"

#define THREADS 256
#define WARPS (THREADS / 32)
/* Samples that a warp looks at, 32 at a time. */
#define TURNS 16
#define BLOCK (THREADS * TURNS)
#define SCAN_THREADS 1024

typedef struct {
  const float *planes;
  size_t       n, stride, n_planes;
  bool         sampled;
  EskSampling  sampling;
} Source;

/* Which of the 32 samples from `first` on are kept. */
static __device__ unsigned
kept_samples (const Source *source,
              size_t        first)
{
  size_t sample = first + threadIdx.x % 32;
  bool keep = sample < source->n && isfinite (source->planes[sample]);

  if (keep && source->sampled)
    {
      const EskSampling *sampling = &source->sampling;
      uint64_t pixel = sampling->first + sample / sampling->width * sampling->stride + sample % sampling->width;
      uint64_t h = sampling->seed * 0x9e3779b97f4a7c15u + pixel;

      /* esk_sample_hash () */
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      h ^= h >> 31;
      keep = (h >> 32) < sampling->keep;
    }

  return __ballot_sync (0xffffffffu, keep);
}

static __global__ void
count_kept (Source              source,
            unsigned long long *counts)
{
  __shared__ unsigned total;
  size_t first = (size_t) blockIdx.x * BLOCK + threadIdx.x / 32 * (32 * TURNS);
  unsigned n = 0;

  if (threadIdx.x == 0)
    total = 0;
  __syncthreads ();
  for (int turn = 0; turn < TURNS; turn++)
    n += __popc (kept_samples (&source, first + turn * 32));
  if (threadIdx.x % 32 == 0)
    atomicAdd (&total, n);
  __syncthreads ();
  if (threadIdx.x == 0)
    counts[blockIdx.x] = total;
}

/* counts[i] becomes the sum of those before it; the sum of all comes behind the last. */
static __global__ void
scan (unsigned long long *counts,
      size_t              n)
{
  __shared__ unsigned long long sums[SCAN_THREADS];
  unsigned long long before = 0;

  for (size_t start = 0; start < n; start += SCAN_THREADS)
    {
      size_t i = start + threadIdx.x;
      unsigned long long own = i < n ? counts[i] : 0;

      sums[threadIdx.x] = own;
      __syncthreads ();
      for (unsigned distance = 1; distance < SCAN_THREADS; distance *= 2)
        {
          unsigned long long other = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;

          __syncthreads ();
          sums[threadIdx.x] += other;
          __syncthreads ();
        }
      if (i < n)
        counts[i] = before + sums[threadIdx.x] - own;
      before += sums[SCAN_THREADS - 1];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    counts[n] = before;
}

static __global__ void
copy_kept (Source                    source,
           const unsigned long long *places,
           float                    *out,
           size_t                    out_stride)
{
  __shared__ uint16_t kept[BLOCK];
  __shared__ unsigned warp_counts[WARPS];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, marks[TURNS], n = 0, place = 0, total = 0;
  size_t first = (size_t) blockIdx.x * BLOCK, to = places[blockIdx.x];

#pragma unroll
  for (int turn = 0; turn < TURNS; turn++)
    {
      marks[turn] = kept_samples (&source, first + warp * (32 * TURNS) + turn * 32);
      n += __popc (marks[turn]);
    }
  if (lane == 0)
    warp_counts[warp] = n;
  __syncthreads ();
  for (unsigned i = 0; i < WARPS; i++)
    {
      place += i < warp ? warp_counts[i] : 0;
      total += warp_counts[i];
    }
#pragma unroll
  for (int turn = 0; turn < TURNS; turn++)
    {
      if (marks[turn] >> lane & 1)
        kept[place + __popc (marks[turn] & ((1u << lane) - 1))] = (uint16_t) (warp * (32 * TURNS) + turn * 32 + lane);
      place += __popc (marks[turn]);
    }
  __syncthreads ();

  for (size_t plane = blockIdx.y; plane < source.n_planes; plane += gridDim.y)
    {
      const float *from = source.planes + plane * source.stride + first;

#pragma unroll 8
      for (unsigned k = threadIdx.x; k < total; k += THREADS)
        if (to + k < out_stride || source.n_planes == 1)
          out[plane * out_stride + to + k] = from[kept[k]];
    }
}

int
esk_cuda_compact (EskStream         *stream,
                  const float       *planes,
                  size_t             n,
                  size_t             plane_stride,
                  size_t             n_planes,
                  const EskSampling *sampling,
                  float             *out,
                  size_t             out_stride,
                  size_t            *count)
{
  size_t n_blocks = (n + BLOCK - 1) / BLOCK, shares;
  unsigned long long *counts, total = 0;
  Source source = { planes, n, plane_stride, n_planes, false, { 0, 0, 0, 1, 0 } };
  int code;

  if (stream == NULL || count == NULL || n_planes == 0 || n > (size_t) PTRDIFF_MAX
      || (n > 0 && (planes == NULL || out == NULL || (n_planes > 1 && plane_stride < n))))
    return ESK_ERROR_ARGUMENT;
  if (sampling != NULL && (sampling->width == 0 || sampling->keep > (uint64_t) 1 << 32))
    return ESK_ERROR_ARGUMENT;
  *count = 0;
  if (n == 0)
    return ESK_OK;
  if (n_blocks > 0x7fffffff)
    return ESK_ERROR_ARGUMENT;
  if (sampling != NULL && sampling->keep < (uint64_t) 1 << 32)
    {
      source.sampled = true;
      source.sampling = *sampling;
    }

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  counts = (unsigned long long *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, (n_blocks + 1) * sizeof *counts);
  if (counts == NULL)
    return ESK_ERROR_MEMORY;

  /* Blocks share their planes, so that no card waits long for its last ones. */
  shares = 32 * (size_t) esk_cuda_properties (stream)->multiprocessors / n_blocks + 1;
  shares = shares > n_planes ? n_planes : shares > 65535 ? 65535 : shares;
  count_kept<<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (source, counts);
  code = esk_cuda_launched (stream, "count of samples");
  if (code == ESK_OK)
    {
      scan<<<1, SCAN_THREADS, 0, stream->stream>>> (counts, n_blocks);
      code = esk_cuda_launched (stream, "count of samples");
    }
  if (code == ESK_OK)
    {
      copy_kept<<<dim3 ((unsigned) n_blocks, (unsigned) shares), THREADS, 0, stream->stream>>> (source, counts, out,
                                                                                               out_stride);
      code = esk_cuda_launched (stream, "packing of samples");
    }
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, &total, counts + n_blocks, sizeof total);
  if (code == ESK_OK && stream->pending != ESK_OK)
    code = stream->pending;
  if (code != ESK_OK)
    return code;
  if (n_planes > 1 && total > out_stride)
    return ESK_ERROR_ARGUMENT;
  *count = (size_t) total;

  return ESK_OK;
}
