/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"

/* Beams of arrays of 512 to 32,768 elements with the published settings (sonar.md 9). */
void bench_beams (EsDevice *device, int repeats);
/* The same of 512 to 16,384 elements in files that are in the system's cache. */
void bench_beams_of_files (EsDevice *device, int repeats);
/* Eigen-decompositions of cross-spectral matrices, by rotations and by the library (sonar.md 9). */
void bench_jacobi (EsDevice *device, int repeats);

/* Adaptive beams, from spectra on the card, with the published settings. */
void bench_adaptive (EsDevice *device, int repeats);
