/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Noise residuals on a card: their rungs, and who calls them. */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-noise-internal.h"

/* Rows that a thread of the last step works down. */
#define NOISE_RUN 32

/* What a rung works with; the card's memory. Planes have residuals: three pixels or more to either side. */
typedef struct {
  unsigned       width, height, bands;
  unsigned       threads;      /* of a block; of blocks of two dimensions 32 times some */
  const uint8_t *planes;
  int16_t       *out;
  cudaStream_t   stream;
} NoiseCardWork;

/* Of bands first .. end - 1. */
typedef void (*NoiseLaunch) (const NoiseCardWork *work, unsigned first, unsigned end);

/* A rung: how it is launched, its kernel, and how many blocks of how much shared memory that takes. */
typedef struct {
  NoiseLaunch launch;
  const void *kernel;
  unsigned    threads;         /* of a block by itself */
  unsigned    at_least, at_most;       /* that it can do, in steps of 32 */
  uint64_t  (*blocks) (const NoiseCardWork *work);
  size_t    (*shared) (const NoiseCardWork *work);
} NoiseRung;

#define NOISE_STEPS 5
/* v0 .. v4, as hyperspectral.md 4.4 climbs them, and one beyond. */
const NoiseRung *noise_rung (unsigned step);
