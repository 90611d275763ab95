/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The kernels of es-lab-cuda-chase.cu: one for each memory. */

#include "es-lab-cuda-clock-private.h"

/* Accesses in a trip of the loop. */
#define TRIP 64
#define CONSTANT_BYTES 65536

static __constant__ uint32_t lab_constants[CONSTANT_BYTES / 4];

/* lab: chase */
/* One thread; the elements are pointers to each other. `warm` accesses that are not timed come first. */
template <bool READ_ONLY>
static __global__ void
lab_chase_pointers (void      **start,
                    int         warm,
                    int         trips,
                    void      **kept,
                    long long  *clocks)
{
  uint64_t p = (uint64_t) start;
  long long from, to;

#pragma unroll 1
  for (int w = 0; w < warm; w++)
    asm volatile ("ld.global.u64 %0, [%0];" : "+l"(p) : : "memory");
  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        if (READ_ONLY)
          asm volatile ("ld.global.nc.u64 %0, [%0];" : "+l"(p));
        else
          asm volatile ("ld.global.u64 %0, [%0];" : "+l"(p) : : "memory");
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[0] = (void *) p;
  *clocks = to - from;
}

/* The elements are distances in bytes from the beginning of the array: steps of single words. */
template <bool READ_ONLY>
static __global__ void
lab_chase_words (const char *array,
                 uint32_t    start,
                 int         warm,
                 int         trips,
                 uint32_t   *kept,
                 long long  *clocks)
{
  uint32_t p = start;
  long long from, to;

#pragma unroll 1
  for (int w = 0; w < warm; w++)
    p = *(const volatile uint32_t *) (array + p);
  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        if (READ_ONLY)
          asm volatile ("ld.global.nc.u32 %0, [%1];" : "=r"(p) : "l"(array + p));
        else
          asm volatile ("ld.global.u32 %0, [%1];" : "=r"(p) : "l"(array + p) : "memory");
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[0] = p;
  *clocks = to - from;
}

static __global__ void
lab_chase_texture (cudaTextureObject_t texture,
                   uint32_t            start,
                   int                 warm,
                   int                 trips,
                   uint32_t           *kept,
                   long long          *clocks)
{
  uint32_t p = start;
  long long from, to;

#pragma unroll 1
  for (int w = 0; w < warm; w++)
    p = tex1Dfetch<unsigned> (texture, (int) p);
  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        p = tex1Dfetch<unsigned> (texture, (int) p);
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[0] = p;
  *clocks = to - from;
}

static __global__ void
lab_chase_constants (uint32_t   start,
                     int        warm,
                     int        trips,
                     uint32_t  *kept,
                     long long *clocks)
{
  const char *array = (const char *) lab_constants;
  uint32_t p = start;
  long long from, to;

#pragma unroll 1
  for (int w = 0; w < warm; w++)
    p = *(const uint32_t *) (array + p);
  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        p = *(const uint32_t *) (array + p);
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[0] = p;
  *clocks = to - from;
}

/* A block builds the array, its first thread walks it. stride 0: one cycle through all words in random order. */
static __global__ void
lab_chase_shared (uint32_t   words,
                  uint32_t   stride,
                  uint32_t   bits,
                  int        trips,
                  uint32_t  *kept,
                  long long *clocks)
{
  extern __shared__ uint32_t array[];
  const uint32_t base = (uint32_t) __cvta_generic_to_shared (array);
  uint32_t p = base;
  long long from, to;

  for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
    {
      const uint32_t next = i + 1 < words ? i + 1 : 0;

      if (stride == 0)
        array[lab_shuffled (i, words, bits, 1)] = base + 4 * lab_shuffled (next, words, bits, 1);
      else
        array[i] = base + 4 * ((i + stride) % words);
    }
  __syncthreads ();
  if (threadIdx.x > 0)
    return;

  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        asm volatile ("ld.shared.u32 %0, [%0];" : "+r"(p) : : "memory");
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[0] = p;
  *clocks = to - from;
}

/*
 * A thread's own array, at places that are not known when it is compiled. Its words lie 32 words apart in memory, as
 * those of the other lanes of its warp are between them. A thread on each multiprocessor: where its memory is differs,
 * and with it what the first cache keeps of an array that does not quite fit.
 */
template <int WORDS>
static __global__ void
lab_chase_local (uint32_t   words,
                 uint32_t   stride,
                 uint32_t   bits,
                 int        trips,
                 uint32_t  *kept,
                 long long *clocks)
{
  uint32_t array[WORDS];
  uint32_t p;
  long long from, to;

  for (uint32_t i = 0; i < words; i++)
    {
      const uint32_t next = i + 1 < words ? i + 1 : 0;

      if (stride == 0)
        array[lab_shuffled (i, words, bits, 1)] = 4 * lab_shuffled (next, words, bits, 1);
      else
        array[i] = 4 * ((i + stride) % words);
    }
  p = 0;
  for (uint32_t w = 0; w < 4 * words; w++)
    p = *(volatile uint32_t *) ((char *) array + p);

  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        p = *(volatile uint32_t *) ((char *) array + p);
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[blockIdx.x] = p;
  clocks[blockIdx.x] = to - from;
}

/* What is walked: every element finds its successor. Pointers `line` bytes apart, or distances in words or bytes. */
static __global__ void
lab_build_pointers (char     *array,
                    uint32_t  elements,
                    uint32_t  bits,
                    uint32_t  line)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < elements)
    *(void **) (array + (uint64_t) lab_shuffled (i, elements, bits, 1) * line) =
      array + (uint64_t) lab_shuffled (i + 1 < elements ? i + 1 : 0, elements, bits, 1) * line;
}

static __global__ void
lab_build_words (uint32_t *array,
                 uint32_t  elements,
                 uint32_t  bits,
                 uint32_t  words,
                 uint32_t  stride,
                 uint32_t  unit)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= elements)
    return;
  if (stride > 0)
    array[i] = (uint32_t) (((uint64_t) i + stride) % elements) * unit;
  else
    array[(uint64_t) lab_shuffled (i, elements, bits, 1) * words] =
      lab_shuffled (i + 1 < elements ? i + 1 : 0, elements, bits, 1) * words * unit;
}
/* lab end */
