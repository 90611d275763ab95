/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* FFTW plans under one lock: its planner is not for several threads, executing is. */

#include <fftw3.h>
#include <stddef.h>

/*
 * n reals to n / 2 + 1 complex numbers, `many` times, one after the other in memory: the reals `distance` apart, the
 * results distance / 2 (even, at least n + 2). Out of place, for memory of fftwf_malloc (). NULL: no memory.
 * Always estimated: a measured plan depends on what else the machine does, and with it the last bits of the result.
 */
fftwf_plan esk_fft_plan_forward  (size_t n, size_t many, size_t distance);
void       esk_fft_plan_free     (fftwf_plan plan);
