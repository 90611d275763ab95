/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Samples of 16 bits, channel beside channel, to rows of such: what is weighted when it is transformed need not be
 * written as float32 before. Tiles of 64 elements by 64 frames go through shared memory; a thread has two elements of
 * eight frames, which are 16 bytes of a row each.
 */

#include "es-cuda-dft-samples.cuh"

#define TILE ESK_CUDA_FRAME_TILE
#define THREADS 256
#define FRAMES 8
/* Frames of one block, so that its findings go to memory once. */
#define BLOCK_FRAMES 512

static __global__ void
__launch_bounds__ (THREADS)
short_rows (EskCudaFrameRows call,
            int16_t         *rows)
{
  /* Eight frames of row e are at place k ^ e % 8, so that neither way meets in a bank. */
  __shared__ uint4 tile[TILE][TILE / FRAMES];
  __shared__ EskFindings found[TILE];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t snapshot = call.first_snapshot + blockIdx.z, element = (size_t) blockIdx.x * TILE + 2 * lane;
  const bool active = element < call.elements;
  const size_t begin = (size_t) blockIdx.y * BLOCK_FRAMES;
  const size_t end = begin + BLOCK_FRAMES < call.length ? begin + BLOCK_FRAMES : call.length;
  const size_t step = (size_t) call.frames.frame_stride;
  const int16_t *from = (const int16_t *) call.frames.data + snapshot * call.hop * step + call.first_element + element;
  uint32_t highest = 0, lowest = 0;
  EskFindings findings[2] = { { 0 } };

  if (threadIdx.x < TILE)
    found[threadIdx.x] = findings[0];
  for (size_t first = begin; first < end; first += TILE)
    {
      const size_t frame = first + FRAMES * warp;
      uint32_t two[FRAMES], extreme = 0;
      uint4 x, y;

#pragma unroll
      for (int i = 0; i < FRAMES; i++)
        two[i] = active && frame + i < call.window_length ? __ldcs ((const uint32_t *) (from + (frame + i) * step)) : 0;
#pragma unroll
      for (int i = 0; i < FRAMES; i++)
        {
          if (call.frames.byte_swapped)
            two[i] = __byte_perm (two[i], 0, 0x2301);
          highest = __vmaxs2 (highest, two[i]);
          lowest = __vmins2 (lowest, two[i]);
          extreme |= __vcmpeq2 (two[i], 0x7fff7fffu) | __vcmpeq2 (two[i], 0x80008000u);
        }
      /* Clipped samples are rare. */
      if (extreme != 0)
        for (int i = 0; i < FRAMES; i++)
#pragma unroll
          for (int h = 0; h < 2; h++)
            {
              const int16_t sample = (int16_t) (two[i] >> (16 * h));

              findings[h].clipped += sample == SHRT_MIN || sample == SHRT_MAX;
            }
      x = make_uint4 (__byte_perm (two[0], two[1], 0x5410), __byte_perm (two[2], two[3], 0x5410),
                      __byte_perm (two[4], two[5], 0x5410), __byte_perm (two[6], two[7], 0x5410));
      y = make_uint4 (__byte_perm (two[0], two[1], 0x7632), __byte_perm (two[2], two[3], 0x7632),
                      __byte_perm (two[4], two[5], 0x7632), __byte_perm (two[6], two[7], 0x7632));
      /* Rows of even elements, then those of odd ones. */
      tile[lane][warp ^ lane % 8] = x;
      tile[32 + lane][warp ^ lane % 8] = y;
      __syncthreads ();
#pragma unroll
      for (int i = 0; i < TILE * (TILE / FRAMES) / THREADS; i++)
        {
          const unsigned at = i * THREADS + threadIdx.x, e = at / 8, k = at % 8, own = e % 2 * 32 + e / 2;
          const size_t row = (size_t) blockIdx.x * TILE + e;

          if (row < call.elements)
            *(uint4 *) (rows + (blockIdx.z * call.elements + row) * call.length + first + k * FRAMES) =
              tile[own][k ^ own % 8];
        }
      __syncthreads ();
    }

  if (call.health == NULL)
    return;
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      EskFindings *to = &found[2 * lane + h];
      const float peak = fmaxf ((float) (int16_t) (highest >> (16 * h)), -(float) (int16_t) (lowest >> (16 * h)));

      atomicMax ((int *) &to->peak, __float_as_int (peak));
      if (findings[h].clipped > 0)
        atomicAdd (&to->clipped, findings[h].clipped);
    }
  __syncthreads ();
  if (threadIdx.x < TILE && (size_t) blockIdx.x * TILE + threadIdx.x < call.elements)
    {
      found[threadIdx.x].samples = call.window_length > begin
                                     ? (uint32_t) ((call.window_length < end ? call.window_length : end) - begin) : 0;
      esk_tell_health<int16_t> (&call.health[call.first_element + (size_t) blockIdx.x * TILE + threadIdx.x],
                                &found[threadIdx.x]);
    }
}

bool
esk_cuda_suits_short_rows (const EskCudaFrameRows *call)
{
  return call->frames.type == ESK_I16 && call->channels == NULL && call->frames.channel_stride == 1
         && call->frames.frame_stride > 1 && call->frames.frame_stride % 2 == 0 && call->elements % 2 == 0
         && call->first_element % 2 == 0 && call->length % TILE == 0 && (uintptr_t) call->frames.data % 4 == 0;
}

int
esk_cuda_short_rows (EskStream              *stream,
                     const EskCudaFrameRows *call,
                     int16_t                *rows)
{
  short_rows<<<dim3 ((unsigned) ((call->elements + TILE - 1) / TILE),
                     (unsigned) ((call->length + BLOCK_FRAMES - 1) / BLOCK_FRAMES), (unsigned) call->snapshots),
               THREADS, 0, stream->stream>>> (*call, rows);

  return esk_cuda_launched (stream, "samples of an array");
}
