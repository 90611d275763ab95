/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The finest clock there is, read so that nothing before or after it comes between. */

#include <stdint.h>
#include <time.h>

#if defined (__x86_64__)
#include <x86intrin.h>
#endif

/* lab: empty */
static inline uint64_t
esk_lab_ticks (void)
{
#if defined (__x86_64__)
  uint64_t ticks;

  _mm_lfence ();
  ticks = __rdtsc ();
  _mm_lfence ();
  return ticks;
#else
  struct timespec now;

  __asm__ volatile ("" ::: "memory");
  clock_gettime (CLOCK_MONOTONIC, &now);
  __asm__ volatile ("" ::: "memory");
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
#endif
}
/* lab end */
