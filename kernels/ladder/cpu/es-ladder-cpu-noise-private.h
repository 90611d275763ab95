/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Noise residuals on the processor: their rungs, and who calls them. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-noise-internal.h"

/* Rows of a thread's item. */
#define NOISE_ROWS 64

typedef struct {
  EskResidualWork of;
  uint16_t  *columns[ESK_MOST_THREADS];        /* sums of columns of three rows, a thread's own */
  unsigned   n_columns;
  EskResidualProduced produced;
  EskStream *streams[ESK_MOST_THREADS];        /* of production, a thread's each */
  int        failed;           /* atomic: a code of hot spots */
} NoiseCpuWork;

/* The whole work. */
int noise_median            (EskLadder *ladder, NoiseCpuWork *work);
int noise_mean              (EskLadder *ladder, NoiseCpuWork *work);
int noise_columns           (EskLadder *ladder, NoiseCpuWork *work);
int noise_vectorised        (EskLadder *ladder, NoiseCpuWork *work);
int noise_threaded          (EskLadder *ladder, NoiseCpuWork *work);
int noise_exchanges         (EskLadder *ladder, NoiseCpuWork *work);
int noise_median_vectorised (EskLadder *ladder, NoiseCpuWork *work);
