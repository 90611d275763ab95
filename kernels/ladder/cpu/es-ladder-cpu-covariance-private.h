/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The covariance's ladder of the processor: its rungs, a file for those that share a way, and what they are given. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-covariance-internal.h"

/* What the program and the library keep of each thread. */
typedef struct {
  EskStream    *stream;                /* production */
  EskCovariance sums;
  float        *values, *square;       /* library: a panel in float32, and its products */
  int64_t      *product, *sum;
} CovarianceWorker;

typedef struct {
  EskCovarianceWork of;
  CovarianceWorker  workers[ESK_MOST_THREADS];
  unsigned          n_workers;
  /* production */
  size_t            tile_rows;
  uint32_t         *bands;
} CovarianceOfCpu;

/* The whole work, once. ESK_LADDER_OK or a code. */
int covariance_loops        (EskLadder *ladder, EskCovarianceWork *work);
int covariance_fused        (EskLadder *ladder, EskCovarianceWork *work);
int covariance_triangle     (EskLadder *ladder, EskCovarianceWork *work);
int covariance_interchanged (EskLadder *ladder, EskCovarianceWork *work);
int covariance_blocked      (EskLadder *ladder, EskCovarianceWork *work);
/* AVX2 is there: ladder_vectors (). */
int covariance_vectorised   (EskLadder *ladder, EskCovarianceWork *work);
int covariance_threaded     (EskLadder *ladder, EskCovarianceWork *work);
int covariance_compensated  (EskLadder *ladder, EskCovarianceWork *work);
/* AVX-512 and its dot products of bytes are there; whether they are, or the rung is refused. */
int covariance_dots         (EskLadder *ladder, EskCovarianceWork *work);
int covariance_dots_suit    (EskRungResult *result);

/* The hot spot as the program runs it: every thread has a stream and sums of its own, and takes one tile of rows after
 * the other; the sums are merged in the end. begin () fills the result but for the samples; end () takes what begin ()
 * left, also where it failed. */
int  covariance_production_begin (EskLadder *ladder, CovarianceOfCpu *self, EskRungResult *result);
int  covariance_production       (EskLadder *ladder, CovarianceOfCpu *self);
void covariance_production_end   (EskLadder *ladder, CovarianceOfCpu *self);
/* OpenBLAS: panels in float32, every thread its own. */
int  covariance_library_begin    (EskLadder *ladder, CovarianceOfCpu *self, EskRungResult *result);
int  covariance_library          (EskLadder *ladder, CovarianceOfCpu *self);
void covariance_library_end      (CovarianceOfCpu *self);
