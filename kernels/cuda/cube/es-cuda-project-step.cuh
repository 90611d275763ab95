/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Projection by matrix instructions: samples on their way into the instructions, a step of bands at a time.
 * es-cuda-project-tensor.cu tells the whole.
 */

#include "es-cuda-project-private.h"

#define LANES 32
/* Pixels of a warp. */
#define WIDTH 32
/* What a thread copies at once. */
#define CHUNK_BYTES 16
/* Floats added to the width of a row of results in shared memory. */
#define PADDING 4
#define STAGE_BYTES (ESK_PROJECT_TILE * (WIDTH + PADDING) * sizeof (float))
/*
 * size: bytes of a sample. bands: of a step. slots: steps that the ring holds. classes: sums of a pixel and a
 * component, to be weighted differently. warps: of a team, which shares a ring. most_warps: of a block, which has a
 * multiprocessor for itself then. operand_bytes: of the basis, a step and a tile of components.
 */
template <int kind> struct EskProjectShape;
template <> struct EskProjectShape<ESK_PROJECT_BYTE>
{
  using Sum = int;
  static constexpr int size = 1, bands = 32, slots = 5, classes = 3, warps = 4;
  static constexpr int most_warps = 12, operand_bytes = 768;
};
template <> struct EskProjectShape<ESK_PROJECT_WORD>
{
  using Sum = int;
  static constexpr int size = 2, bands = 32, slots = 4, classes = 4, warps = 2;
  static constexpr int most_warps = 8, operand_bytes = 768;
};
template <> struct EskProjectShape<ESK_PROJECT_FLOAT>
{
  using Sum = float;
  static constexpr int size = 4, bands = 16, slots = 3, classes = 1, warps = 1;
  static constexpr int most_warps = 12, operand_bytes = 1024;
};

/*
 * A step is a row of samples a band. A thread copies the chunk at the same place of every so-manieth row. In shared
 * memory the chunks of a row change places, by the band's number modulo 4, so that the lanes that take their samples of
 * four bands at once find them in different banks.
 */
template <int kind>
struct EskProjectRows
{
  static constexpr int threads = EskProjectShape<kind>::warps * LANES, width = EskProjectShape<kind>::warps * WIDTH;
  static constexpr int row_bytes = width * EskProjectShape<kind>::size, chunks = row_bytes / CHUNK_BYTES;
  static constexpr int apart = threads / chunks, n = EskProjectShape<kind>::bands / apart;
  static constexpr int slot_bytes = EskProjectShape<kind>::bands * row_bytes;
  static constexpr int most_teams = EskProjectShape<kind>::most_warps / EskProjectShape<kind>::warps;
  /* Shared memory of a team. */
  static constexpr size_t bytes = EskProjectShape<kind>::slots * slot_bytes
                                  + EskProjectShape<kind>::warps * STAGE_BYTES;
};

/* --- samples ------------------------------------------------------------------------------------------------- */

/* Copies a chunk from the device's memory to shared memory. */
static __device__ __forceinline__ void
copy_chunk (uint32_t    to,
            const void *from)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.cg.shared.global [%0], [%1], 16;" :: "r" (to), "l" (from) : "memory");
#endif
}

/* The same where only n_bytes are there, fewer than a chunk; zeros are put in place of the rest. */
static __device__ __forceinline__ void
copy_partly (uint32_t    to,
             const char *from,
             int         n_bytes)
{
  char *target = (char *) __cvta_shared_to_generic (to);

#pragma unroll 1
  for (int i = 0; i < CHUNK_BYTES; i++)
    target[i] = i < n_bytes ? from[i] : 0;
}

static __device__ __forceinline__ void
end_copies (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.commit_group;" ::: "memory");
#endif
}

/* Until all of a team are here. Barrier 0 is __syncthreads (). */
template <int kind>
static __device__ __forceinline__ void
meet (void)
{
  constexpr int n = EskProjectRows<kind>::threads;

  if (n == LANES)
    __syncwarp ();
  else
    asm volatile ("bar.sync %0, %1;" :: "r" ((int) threadIdx.x / n + 1), "n" (n) : "memory");
}

/* Until no more than n steps are under way. */
template <int n>
static __device__ __forceinline__ void
wait_copies (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.wait_group %0;" :: "n" (n) : "memory");
#endif
}

/* Hides from the compiler what a number is made of, lest it makes it anew in every step. */
static __device__ __forceinline__ uint32_t
keep (uint32_t x)
{
  asm volatile ("" : "+r" (x));

  return x;
}

static __device__ __forceinline__ size_t
keep (size_t x)
{
  asm volatile ("" : "+l" (x));

  return x;
}

/* Where a team reads: its runs of pixels, for each the steps of bands. */
struct Reader
{
  size_t      pixel;           /* of the run */
  int         step, n_whole;   /* steps of the run of which all is there */
  int         n_bytes;         /* of the thread's chunks that are there */
  const char *from;            /* the thread's first chunk of the step */
  size_t      apart;           /* bytes from a chunk to the thread's next one */
  uint32_t    place;           /* of the first chunk in a slot */
};

template <int kind>
static __device__ __forceinline__ void
start_run (Reader              *reader,
           const EskProjection &projection)
{
  using R = EskProjectRows<kind>;
  constexpr int size = EskProjectShape<kind>::size, per_chunk = CHUNK_BYTES / size;
  int member = threadIdx.x % R::threads;
  size_t first = reader->pixel + member % R::chunks * per_chunk;
  size_t n_left = first < projection.n_pixels ? projection.n_pixels - first : 0;

  reader->step = 0;
  reader->from = (const char *) projection.data
                 + (member / R::chunks * projection.band_stride + (n_left > 0 ? first : 0)) * size;
  reader->n_bytes = n_left < per_chunk ? (int) n_left * size : CHUNK_BYTES;
  reader->n_whole = n_left < per_chunk ? 0 : (int) projection.n_bands / EskProjectShape<kind>::bands;
}

template <int kind>
static __device__ __forceinline__ void
start_reader (Reader              *reader,
              const EskProjection &projection,
              size_t               first_run)
{
  using R = EskProjectRows<kind>;
  int member = threadIdx.x % R::threads, row = member / R::chunks, chunk = member % R::chunks;

  static_assert (R::apart % 4 == 0, "all chunks of a thread change places alike");
  reader->pixel = first_run;
  reader->apart = keep (projection.band_stride * (R::apart * EskProjectShape<kind>::size));
  reader->place = keep ((uint32_t) (row * R::row_bytes + (chunk ^ row % 4 * 2) * CHUNK_BYTES));
  start_run<kind> (reader, projection);
}

/* Starts to copy a step into a slot, and goes on to the next one. */
template <int kind>
static __device__ __forceinline__ void
read_step (Reader              *reader,
           const EskProjection &projection,
           uint32_t             slot,
           int                  n_steps,
           size_t               next_run)
{
  using R = EskProjectRows<kind>;
  uint32_t to = slot + reader->place;

  if (reader->step < reader->n_whole)
    {
#pragma unroll
      for (int k = 0; k < R::n; k++, reader->from += reader->apart)
        copy_chunk (to + k * R::apart * R::row_bytes, reader->from);
    }
  else if (reader->pixel < projection.n_pixels)
    {
      int row = threadIdx.x % R::threads / R::chunks;
      int n_bands = (int) projection.n_bands - reader->step * EskProjectShape<kind>::bands;

#pragma unroll 1
      for (int k = 0; k < R::n; k++, reader->from += reader->apart)
        {
          if (row + k * R::apart < n_bands && reader->n_bytes == CHUNK_BYTES)
            copy_chunk (to + k * R::apart * R::row_bytes, reader->from);
          else
            copy_partly (to + k * R::apart * R::row_bytes, reader->from,
                         row + k * R::apart < n_bands ? reader->n_bytes : 0);
        }
    }
  end_copies ();

  if (++reader->step == n_steps)
    {
      reader->pixel += next_run;
      start_run<kind> (reader, projection);
    }
}

/* What a lane reads of shared memory. */
struct Places
{
  uint32_t samples;            /* its four pixels of band t of a slot */
  uint32_t operands;           /* its vector of a tile of the basis */
  uint32_t lowest;             /* integers: its lowest bytes of that */
};

template <int kind>
static __device__ __forceinline__ void
find_places (Places  *places,
             uint32_t basis)
{
  using R = EskProjectRows<kind>;
  int lane = threadIdx.x % LANES, t = lane % 4, byte = threadIdx.x % R::threads / 4 * 4 * EskProjectShape<kind>::size;

  places->samples = keep ((uint32_t) (t * R::row_bytes + (byte ^ t * 2 * CHUNK_BYTES)));
  places->operands = keep ((uint32_t) (basis + lane * sizeof (uint4)));
  places->lowest = keep ((uint32_t) (basis + LANES * sizeof (uint4) + lane * sizeof (uint2)));
}

static __device__ __forceinline__ uint4
load_four (uint32_t from)
{
  uint4 v;

  asm volatile ("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                : "=r" (v.x), "=r" (v.y), "=r" (v.z), "=r" (v.w) : "r" (from) : "memory");

  return v;
}

static __device__ __forceinline__ uint2
load_two (uint32_t from)
{
  uint2 v;

  asm volatile ("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r" (v.x), "=r" (v.y) : "r" (from) : "memory");

  return v;
}

static __device__ __forceinline__ uint32_t
load_one (uint32_t from)
{
  uint32_t v;

  asm volatile ("ld.shared.u32 %0, [%1];" : "=r" (v) : "r" (from) : "memory");

  return v;
}

/* --- matrix instructions ------------------------------------------------------------------------------------- */

/* sums += a b */
static __device__ __forceinline__ void
multiply_bytes (int            *sums,
                const uint32_t *a,
                uint32_t        b0,
                uint32_t        b1)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+r" (sums[0]), "+r" (sums[1]), "+r" (sums[2]), "+r" (sums[3])
       : "r" (a[0]), "r" (a[1]), "r" (a[2]), "r" (a[3]), "r" (b0), "r" (b1));
#endif
}

/* sums = a b + c */
static __device__ __forceinline__ void
multiply_tf32 (float          *sums,
               const uint32_t *a,
               uint32_t        b0,
               uint32_t        b1,
               const float    *c)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%10, %11, %12, %13};"
       : "=f" (sums[0]), "=f" (sums[1]), "=f" (sums[2]), "=f" (sums[3])
       : "r" (a[0]), "r" (a[1]), "r" (a[2]), "r" (a[3]), "r" (b0), "r" (b1),
         "f" (c[0]), "f" (c[1]), "f" (c[2]), "f" (c[3]));
#endif
}

/* Of four words, the lowest bytes become one word, and so on. */
static __device__ __forceinline__ void
transpose_bytes (const uint32_t *words,
                 uint32_t       *out)
{
  uint32_t low01 = __byte_perm (words[0], words[1], 0x5140), low23 = __byte_perm (words[2], words[3], 0x5140);
  uint32_t high01 = __byte_perm (words[0], words[1], 0x7362), high23 = __byte_perm (words[2], words[3], 0x7362);

  out[0] = __byte_perm (low01, low23, 0x5410);
  out[1] = __byte_perm (low01, low23, 0x7632);
  out[2] = __byte_perm (high01, high23, 0x5410);
  out[3] = __byte_perm (high01, high23, 0x7632);
}

/* One step: sums[class][tile of pixels][tile of components] += samples times basis. */
template <int kind, int n_tiles>
struct Step;

template <int n_tiles>
struct Step<ESK_PROJECT_BYTE, n_tiles>
{
  static __device__ __forceinline__ void
  add (int           (*sums)[2][n_tiles][4],
       uint32_t        samples,
       const Places   &places,
       uint32_t        flip,
       const float4   *)
  {
    uint32_t left[2][4];

#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        uint32_t words[4], pixels[4];

#pragma unroll
        for (int k = 0; k < 4; k++)
          words[k] = load_one (samples + (4 * half + k) * 4 * EskProjectRows<ESK_PROJECT_BYTE>::row_bytes) ^ flip;
        transpose_bytes (words, pixels);
#pragma unroll
        for (int i = 0; i < 4; i++)
          left[i / 2][2 * half + i % 2] = pixels[i];
      }
#pragma unroll
    for (int n = 0; n < n_tiles; n++)
      {
        uint4 right = load_four (places.operands + n * EskProjectShape<ESK_PROJECT_BYTE>::operand_bytes);
        uint2 lowest = load_two (places.lowest + n * EskProjectShape<ESK_PROJECT_BYTE>::operand_bytes);

#pragma unroll
        for (int m = 0; m < 2; m++)
          multiply_bytes (sums[2][m][n], left[m], right.x, right.y);
#pragma unroll
        for (int m = 0; m < 2; m++)
          multiply_bytes (sums[1][m][n], left[m], right.z, right.w);
#pragma unroll
        for (int m = 0; m < 2; m++)
          multiply_bytes (sums[0][m][n], left[m], lowest.x, lowest.y);
      }
  }
};

template <int n_tiles>
struct Step<ESK_PROJECT_WORD, n_tiles>
{
  static __device__ __forceinline__ void
  add (int           (*sums)[2][n_tiles][4],
       uint32_t        samples,
       const Places   &places,
       uint32_t        flip,
       const float4   *)
  {
    uint32_t low[2][4], high[2][4];

#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        uint32_t words[2][4];

#pragma unroll
        for (int k = 0; k < 4; k++)
          {
            uint2 vector = load_two (samples + (4 * half + k) * 4 * EskProjectRows<ESK_PROJECT_WORD>::row_bytes);

            words[0][k] = vector.x ^ flip;
            words[1][k] = vector.y ^ flip;
          }
#pragma unroll
        for (int m = 0; m < 2; m++)
          {
            uint32_t bytes[4];

            transpose_bytes (words[m], bytes);
#pragma unroll
            for (int i = 0; i < 2; i++)
              {
                low[m][2 * half + i] = bytes[2 * i];
                high[m][2 * half + i] = bytes[2 * i + 1];
              }
          }
      }
#pragma unroll
    for (int n = 0; n < n_tiles; n++)
      {
        uint4 right = load_four (places.operands + n * EskProjectShape<ESK_PROJECT_WORD>::operand_bytes);
        uint2 lowest = load_two (places.lowest + n * EskProjectShape<ESK_PROJECT_WORD>::operand_bytes);

#pragma unroll
        for (int m = 0; m < 2; m++)
          {
            multiply_bytes (sums[3][m][n], high[m], right.x, right.y);
            multiply_bytes (sums[2][m][n], low[m], right.x, right.y);
            multiply_bytes (sums[1][m][n], low[m], right.z, right.w);
            multiply_bytes (sums[0][m][n], low[m], lowest.x, lowest.y);
          }
#pragma unroll
        for (int m = 0; m < 2; m++)
          {
            multiply_bytes (sums[2][m][n], high[m], right.z, right.w);
            multiply_bytes (sums[1][m][n], high[m], lowest.x, lowest.y);
          }
      }
  }
};

template <int n_tiles>
struct Step<ESK_PROJECT_FLOAT, n_tiles>
{
  static __device__ __forceinline__ void
  add (float         (*sums)[2][n_tiles][4],
       uint32_t        samples,
       const Places   &places,
       uint32_t,
       const float4   *offsets)
  {
    const float zero[4] = {};
    const float4 offset = __ldg (offsets + threadIdx.x % 4);
    const float centre[4] = { offset.x, offset.y, offset.z, offset.w };
    uint32_t first[2][2][4], second[2][2][4];

#pragma unroll
    for (int k = 0; k < 4; k++)
      {
        uint4 vector = load_four (samples + k * 4 * EskProjectRows<ESK_PROJECT_FLOAT>::row_bytes);
        const uint32_t x[4] = { vector.x, vector.y, vector.z, vector.w };
#pragma unroll
        for (int i = 0; i < 4; i++)
          {
            float d = __uint_as_float (x[i]) - centre[k];
            /* The nearest number of TF32; what is left of d is exact. */
            uint32_t nearest = (__float_as_uint (d) + 0x1000) & 0xffffe000;

            first[k / 2][i / 2][k % 2 * 2 + i % 2] = nearest;
            second[k / 2][i / 2][k % 2 * 2 + i % 2] = __float_as_uint (d - __uint_as_float (nearest));
          }
      }
    /* Two tiles at a time, for each sum waits for the one before. */
#pragma unroll
    for (int pair = 0; pair < n_tiles; pair += 2)
      {
        constexpr int most = n_tiles < 2 ? 1 : 2;
        float step[most][2][4];
        uint4 right[most][2];

#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll
          for (int n = 0; n < most && pair + n < n_tiles; n++)
            right[n][half] = load_four (places.operands + (pair + n) * EskProjectShape<ESK_PROJECT_FLOAT>::operand_bytes
                                        + half * LANES * (int) sizeof (uint4));
#pragma unroll
        for (int half = 0; half < 2; half++)
          {
#pragma unroll
            for (int n = 0; n < most && pair + n < n_tiles; n++)
#pragma unroll
              for (int m = 0; m < 2; m++)
                multiply_tf32 (step[n][m], first[half][m], right[n][half].z, right[n][half].w,
                               half == 0 ? zero : step[n][m]);
#pragma unroll
            for (int n = 0; n < most && pair + n < n_tiles; n++)
#pragma unroll
              for (int m = 0; m < 2; m++)
                multiply_tf32 (step[n][m], second[half][m], right[n][half].x, right[n][half].y, step[n][m]);
          }
#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll
          for (int n = 0; n < most && pair + n < n_tiles; n++)
#pragma unroll
            for (int m = 0; m < 2; m++)
              multiply_tf32 (step[n][m], first[half][m], right[n][half].x, right[n][half].y, step[n][m]);
#pragma unroll
        for (int n = 0; n < most && pair + n < n_tiles; n++)
#pragma unroll
          for (int m = 0; m < 2; m++)
#pragma unroll
            for (int i = 0; i < 4; i++)
              sums[0][m][pair + n][i] += step[n][m][i];
      }
  }
};
