/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What kernels of the laboratory share: clocks that stay where they are, and orders in which memory is walked. */

#include <stdint.h>

/* lab: clock for lab_clock lab_nanoseconds LAB_AWAIT */
/* The multiprocessor's clock. What was before it in memory and among volatile instructions stays before. */
static __device__ __forceinline__ long long
lab_clock (void)
{
  long long clock;

  asm volatile ("mov.u64 %0, %%clock64;" : "=l"(clock) : : "memory");
  return clock;
}

/* The card's own time, which ticks every microsecond or so. */
static __device__ __forceinline__ long long
lab_nanoseconds (void)
{
  long long time;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(time) : : "memory");
  return time;
}

/*
 * Nothing after it begins before `value` is there: the branch needs it. Without, the clock after a chain is read while
 * the end of the chain is under way.
 */
#define LAB_AWAIT(value) do { if ((value) == 0x5eed5eedu) __nanosleep (1); } while (0)

/* lab end */

/* lab: shuffled for lab_shuffled */
/*
 * The `i`-th of `n` in an order that looks like chance, a permutation for every key: multiplications by odd numbers and
 * shifted exclusive ors are one to one on `bits` bits, and what lands beyond n is sent on until it does not. Walked as
 * i -> i + 1 modulo n it is one cycle through all n, as Sattolo's algorithm makes them, but every element finds its
 * successor by itself. bits: the least with n <= 1 << bits.
 */
static __host__ __device__ inline uint32_t
lab_shuffled (uint32_t i,
              uint32_t n,
              uint32_t bits,
              uint32_t key)
{
  const uint32_t mask = bits < 32 ? (1u << bits) - 1 : ~0u;
  const uint32_t half = (bits + 1) / 2;

  if (n < 2)
    return 0;
  do
    {
      i = (i * 0x9e3779b1u + key) & mask;
      i ^= i >> half;
      i = (i * 0x85ebca6bu + (key >> 5)) & mask;
      i ^= i >> half;
      i = (i * 0xc2b2ae35u + (key >> 11)) & mask;
      i ^= i >> half;
    }
  while (i >= n);

  return i;
}
/* lab end */

static __host__ __device__ inline uint32_t
lab_bits (uint32_t n)
{
  uint32_t bits = 1;

  while (bits < 32 && (1u << bits) < n)
    bits++;
  return bits;
}
