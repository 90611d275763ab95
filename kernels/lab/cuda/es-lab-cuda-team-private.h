/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The processor's share: threads that begin together, and what they do with host memory. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAB_MOST_THREADS 256

/* 1 .. LAB_MOST_THREADS: `asked`, or all hardware threads at hand where it is 0. */
unsigned lab_team_size (unsigned asked);

/*
 * work (data, thread, n_threads) on each of n threads, the caller's among them, all of which begin at once. Seconds
 * from then until the last one ends; negative: the system gave no threads.
 */
double   lab_team      (unsigned n, void (*work) (void *data, unsigned thread, unsigned n), void *data);

/* Loops over host memory, by the vectors that the processor has. n: of 8-byte elements. */
void     lab_host_write (double *to, size_t n, double value);
uint64_t lab_host_read  (const uint64_t *from, size_t n);
/* x = x a + b, `rounds` times over each of n elements. */
void     lab_host_work  (float *x, size_t n, unsigned rounds, float a, float b);

#ifdef __cplusplus
}
#endif
