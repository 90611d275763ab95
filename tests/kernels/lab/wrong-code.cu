/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Kernels that measure something else than they say, each a mistake that is easily made; check-code.py has to refuse
 * them all. Their names are those of the laboratory's.
 */

#include <stdint.h>

struct AddFloat32;
struct AddInt32;
struct ReciprocalFloat32;
struct FastDivideFloat32;

static __device__ __forceinline__ long long
lab_clock (void)
{
  long long clock;

  asm volatile ("mov.u64 %0, %%clock64;" : "=l"(clock) : : "memory");
  return clock;
}

/* The loop is what takes its time: "every operation takes 29 clocks". */
template <typename Operation, int LENGTH>
__global__ void
lab_chain (float *x, int trips, long long *clocks)
{
  const float a = x[1];
  const long long from = lab_clock ();
  float r = x[0];

#pragma unroll 1
  for (int t = 0; t < trips; t++)
    r += a;
  *clocks = lab_clock () - from;
  x[0] = r;
}

/* Two additions become one instruction. */
template <typename Operation, int LENGTH>
__global__ void
lab_chain (int *x, int trips, long long *clocks)
{
  const int a = x[1];
  int r = x[0];
  const long long from = lab_clock ();

#pragma unroll 1
  for (int t = 0; t < trips; t++)
#pragma unroll
    for (int k = 0; k < LENGTH; k++)
      asm volatile ("add.s32 %0, %0, %1;" : "+r"(r) : "r"(a));
  *clocks = lab_clock () - from;
  x[0] = r;
}

/* Two reciprocals become none. */
template <typename Operation, int LENGTH>
__global__ void
lab_chain (float *x, unsigned trips, long long *clocks)
{
  float r = x[0];
  const long long from = lab_clock ();

#pragma unroll 1
  for (unsigned t = 0; t < trips; t++)
#pragma unroll
    for (int k = 0; k < LENGTH; k++)
      asm volatile ("rcp.approx.ftz.f32 %0, %0;" : "+f"(r));
  *clocks = lab_clock () - from;
  x[0] = r;
}

/* The reciprocal of what is always divided by is taken out of the loop. */
template <typename Operation, int LENGTH>
__global__ void
lab_chain (float *x, long trips, long long *clocks)
{
  const float a = x[1];
  float r = x[0];
  const long long from = lab_clock ();

#pragma unroll 1
  for (long t = 0; t < trips; t++)
#pragma unroll
    for (int k = 0; k < LENGTH; k++)
      asm volatile ("div.approx.f32 %0, %0, %1;" : "+f"(r) : "f"(a));
  *clocks = lab_clock () - from;
  x[0] = r;
}

template __global__ void lab_chain<AddFloat32, 64> (float *, int, long long *);
template __global__ void lab_chain<AddInt32, 64> (int *, int, long long *);
template __global__ void lab_chain<ReciprocalFloat32, 32> (float *, unsigned, long long *);
template __global__ void lab_chain<FastDivideFloat32, 32> (float *, long, long long *);

/* Nobody wants what was read: nothing is. */
__global__ void
lab_chase_shared (uint32_t *words, int trips, long long *clocks)
{
  __shared__ uint32_t array[64];
  uint32_t p = 0;

  array[threadIdx.x] = words[threadIdx.x];
  __syncthreads ();
  const long long from = lab_clock ();

  for (int t = 0; t < trips; t++)
#pragma unroll
    for (int k = 0; k < 64; k++)
      p = array[p % 64];
  *clocks = lab_clock () - from;
}

/* Loads that do not wait for each other. */
template <bool READ_ONLY>
__global__ void
lab_chase_pointers (const char *array, uint64_t *kept, int trips, long long *clocks)
{
  uint64_t sum = 0;
  const long long from = lab_clock ();

#pragma unroll 1
  for (int t = 0; t < trips; t++)
#pragma unroll
    for (int k = 0; k < 64; k++)
      {
        uint64_t word;

        asm volatile ("ld.global.u64 %0, [%1];" : "=l"(word) : "l"(array + 128 * k) : "memory");
        sum += word;
      }
  *clocks = lab_clock () - from;
  *kept = sum;
}

template __global__ void lab_chase_pointers<false> (const char *, uint64_t *, int, long long *);
