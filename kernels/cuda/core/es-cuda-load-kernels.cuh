/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-load-rearrange.cuh. Samples of any layout to planes, on the device. */

#include "es-cuda-samples-internal.h"

/*
 * A block of samples in scratch memory. The sample of (x, y, z) is at from + x * x_stride + y_offset[y] + z_offset[z]
 * and goes to to + x + y * y_stride + z * z_stride: x is the column (or the pixel), y and z are row and band in the
 * order that suits the kernel.
 */
typedef struct
{
  const void      *from;
  ptrdiff_t        x_stride;
  const ptrdiff_t *y_offset, *z_offset;
  void            *to;
  size_t           y_stride, z_stride;
  size_t           width, n_y, n_z;
  bool             swap;
} Rearrange;

/* y from `first` to before first + count, whose samples lie within `span` samples from `lowest` on. */
typedef struct
{
  ptrdiff_t lowest;
  uint32_t  first, count, span;
} Chunk;

/* Whether `n` samples from `first` on, of `width`, are a whole pack. */
template <typename Element>
static __device__ inline bool
is_whole (ptrdiff_t first,
          size_t    width)
{
  return first >= 0 && (size_t) first + 16 / sizeof (Element) <= width;
}

/* Sixteen bytes from any address on: the words that they lie in, moved. */
static __device__ inline uint4
read_anywhere (const void *address)
{
  const uint32_t *words = (const uint32_t *) ((uintptr_t) address & ~(uintptr_t) 3);
  unsigned moved = (unsigned) ((uintptr_t) address & 3) * 8;
  uint32_t w[5];

  if ((uintptr_t) address % 16 == 0)
    return __ldg ((const uint4 *) address);
#pragma unroll
  for (int k = 0; k < 4; k++)
    w[k] = __ldg (words + k);
  w[4] = moved != 0 ? __ldg (words + 4) : 0;

  return make_uint4 (__funnelshift_r (w[0], w[1], moved), __funnelshift_r (w[1], w[2], moved),
                     __funnelshift_r (w[2], w[3], moved), __funnelshift_r (w[3], w[4], moved));
}

/* x by x as far apart as they are. A thread writes the 16 bytes that start at a multiple of 16, or what of them belongs
 * to the line; lines are the block's y. */
template <typename Element>
static __global__ void __launch_bounds__ (THREADS)
gather (Rearrange r)
{
  constexpr int per_pack = 16 / sizeof (Element);
  size_t n_lines = r.n_y * r.n_z, step = (size_t) gridDim.y * blockDim.y;

  for (size_t line = (size_t) blockIdx.y * blockDim.y + threadIdx.y; line < n_lines; line += step)
    {
      size_t y = line % r.n_y, z = line / r.n_y;
      Element *to = (Element *) r.to + y * r.y_stride + z * r.z_stride;
      ptrdiff_t before = (ptrdiff_t) ((uintptr_t) to % 16 / sizeof (Element));
      ptrdiff_t first = ((ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x) * per_pack - before;
      const Element *from = (const Element *) r.from + r.y_offset[y] + r.z_offset[z] + first * r.x_stride;

      if (first >= (ptrdiff_t) r.width)
        continue;
      if (is_whole<Element> (first, r.width))
        {
          EskCudaPack<Element> pack;

          if (r.x_stride == 1)
            pack.vector = read_anywhere (from);
          else
#pragma unroll
            for (int k = 0; k < per_pack; k++)
              pack.sample[k] = from[k * r.x_stride];
          if (r.swap)
#pragma unroll
            for (int k = 0; k < per_pack; k++)
              pack.sample[k] = swapped (pack.sample[k]);
          *(uint4 *) (to + first) = pack.vector;
        }
      else
        {
          for (int k = first < 0 ? (int) -first : 0; k < per_pack && first + k < (ptrdiff_t) r.width; k++)
            to[first + k] = r.swap ? swapped (from[k * r.x_stride]) : from[k * r.x_stride];
        }
    }
}

/*
 * transpose (): a block takes at most CHUNK_BYTES of each of BLOCK_PIXELS pixels at a time. The chunk may start
 * anywhere in a word of shared memory, hence one word more. Of what has been tried (64 to 512 pixels, 32 to 256 bytes,
 * 128 to 512 threads) this is nearest to the speed of a copy for samples of one, two and four bytes.
 */
#define CHUNK_BYTES 128
#define PIXEL_WORDS (CHUNK_BYTES / 4 + 1)
#define BLOCK_PIXELS 128
#define BLOCK_THREADS 128

/* Each pack of pixels is moved on a little, so that the threads of a warp, which read pixels a pack apart, find them in
 * different banks. */
template <typename Element>
struct Shared
{
  static constexpr unsigned per_pack = 16 / sizeof (Element), packs = BLOCK_PIXELS / per_pack;
  static constexpr unsigned wanted = per_pack == 16 ? 4 : per_pack == 4 ? 1 : 2;
  static constexpr unsigned skew = (wanted + 32 * PIXEL_WORDS - per_pack * PIXEL_WORDS) % 32;
  static constexpr unsigned pack_words = per_pack * PIXEL_WORDS + skew;
};

/*
 * x far apart, y side by side: BIP. A block reads the bytes of a chunk of y for BLOCK_PIXELS x, word by word, into
 * shared memory, and writes 16 bytes a thread of one y. Neighbouring blocks are the chunks of the same pixels. `even`:
 * every x starts at the same byte of a word.
 */
template <typename Element, bool even>
static __global__ void __launch_bounds__ (BLOCK_THREADS, 8)
transpose (Rearrange    r,
           const Chunk *chunks,
           unsigned     n_chunks)
{
  typedef Shared<Element> S;
  constexpr unsigned per_pack = S::per_pack, n_warps = BLOCK_THREADS / 32;
  __shared__ uint32_t words[S::packs * S::pack_words];
  __shared__ unsigned offsets[CHUNK_BYTES / sizeof (Element)];      /* in bytes */
  const Chunk chunk = chunks[blockIdx.x % n_chunks];
  size_t x0 = (size_t) (blockIdx.x / n_chunks) * BLOCK_PIXELS;
  unsigned n_x = r.width - x0 < BLOCK_PIXELS ? (unsigned) (r.width - x0) : BLOCK_PIXELS;
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned bytes = chunk.span * (unsigned) sizeof (Element), x_bytes = (unsigned) r.x_stride * sizeof (Element);

  for (unsigned k = threadIdx.x; k < chunk.count; k += BLOCK_THREADS)
    offsets[k] = (unsigned) (r.y_offset[chunk.first + k] - chunk.lowest) * (unsigned) sizeof (Element);

  for (size_t z = blockIdx.y; z < r.n_z; z += gridDim.y)
    {
      const Element *from = (const Element *) r.from + (ptrdiff_t) x0 * r.x_stride + chunk.lowest + r.z_offset[z];
      Element *to = (Element *) r.to + chunk.first * r.y_stride + z * r.z_stride + x0;
      unsigned start = (unsigned) (uintptr_t) from;

      __syncthreads ();
#pragma unroll 8
      for (unsigned p = warp; p < n_x; p += n_warps)
        {
          uintptr_t address = (uintptr_t) (from + (ptrdiff_t) p * r.x_stride);
          const uint32_t *pixel = (const uint32_t *) (address & ~(uintptr_t) 3) + lane;
          unsigned n_words = ((unsigned) (address & 3) + bytes + 3) / 4;
          uint32_t *target = words + p / per_pack * S::pack_words + p % per_pack * PIXEL_WORDS + lane;

          if (lane < n_words)
            *target = __ldg (pixel);
          if (lane == 0 && n_words > 32)
            target[32] = __ldg (pixel + 32);
        }
      __syncthreads ();

#pragma unroll 2
      for (unsigned k = threadIdx.x; k < chunk.count * S::packs; k += BLOCK_THREADS)
        {
          unsigned y = k / S::packs, p = k % S::packs * per_pack;
          Element *target = to + y * r.y_stride + p;
          const char *base = (const char *) (words + k % S::packs * S::pack_words) + offsets[y]
                             + (even ? start & 3 : 0);
          EskCudaPack<Element> pack;

          if (p >= n_x)
            continue;
#pragma unroll
          for (int i = 0; i < per_pack; i++)
            {
              const char *sample = base + i * (PIXEL_WORDS * 4) + (even ? 0 : (start + (p + i) * x_bytes) & 3);

              if (sizeof (Element) == 8)
                pack.sample[i] = (Element) ((uint64_t) ((const uint32_t *) sample)[1] << 32
                                            | ((const uint32_t *) sample)[0]);
              else
                pack.sample[i] = *(const Element *) sample;
            }
          if (r.swap)
#pragma unroll
            for (int i = 0; i < per_pack; i++)
              pack.sample[i] = swapped (pack.sample[i]);
          if (p + per_pack <= n_x && (uintptr_t) target % 16 == 0)
            *(uint4 *) target = pack.vector;
          else
#pragma unroll
            for (int i = 0; i < per_pack; i++)
              if (p + i < n_x)
                target[i] = pack.sample[i];
        }
    }
}
