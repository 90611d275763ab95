/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Eigen-decompositions for adaptive beams: what their files share. Layouts as in es-cuda-adaptive-private.h. */

#include "es-cuda-adaptive-private.h"

/* ---- es-cuda-adaptive-jacobi.cu ---- */

/* What a bin's rotations have come to. */
typedef struct {
  uint64_t rotations;
  uint32_t steps;              /* that have been looked at */
  uint32_t last;               /* so many of them up to the last that had a pivot */
  uint32_t done;
  uint32_t idle;               /* steps without a pivot since */
} EskCudaJacobiBin;

/*
 * Two-sided rotations in the order of esk_round_robin () until no pivot is above 1e-15 of the norm, at most max_sweeps
 * sweeps. Of the Hermitian matrices n x n of some bins the diagonal is left, which goes to values[bin * n + k]. Rows of
 * `carried` go along: of C, n rows of `columns` numbers, row k at carried[(bin * n + k) * columns], becomes
 * transpose (V) C. The identity brings the eigenvectors, one after another.
 */
typedef struct {
  size_t     n, bins;
  double2   *matrices;
  double2   *carried;
  size_t     columns;
  double    *values;
  unsigned   max_sweeps;
  const int *cancelled;        /* as in EskAdaptiveRun; looked at between launches */
  /* Outputs. */
  unsigned   sweeps;           /* of the bin that took most */
  uint64_t   rotations;        /* of all bins */
  double     off;              /* of the worst bin */
} EskCudaJacobi;

/* ESK_ERROR_NO_CONVERGENCE where max_sweeps were not enough. Waits for the stream. */
int esk_cuda_jacobi (EskStream *stream, EskCudaJacobi *call);

/* ---- es-cuda-adaptive-pairs.cu ---- */

/* Eigenvalues of some bins, n each, in any order, and what is made of them; all in the device's memory. */
typedef struct {
  size_t                    n, bins;
  const EskCudaAdaptiveBin *state;       /* of the first of them */
  double                   *values;
  double                   *sorted;      /* descending; what is no more than rounding is 0 */
  double                   *inverse;     /* 1 / (value + delta); 0 where that has no inverse */
  /* 0 but for the largest, as many as there are sources and no more than the rank: 1, or 1 / value. */
  double                   *signal;
} EskCudaPairs;

/* Makes of the values all the others. gram: they are of a Gram matrix, whose eigenvectors stand for those of R times
 * the root of the value. singular: the matrix itself has to have an inverse; nullable. */
int esk_cuda_pairs_prepare (EskStream *stream, const EskCudaPairs *pairs, double loading, size_t sources, bool gram,
                            EskCudaAdaptiveBin *singular);

/* Products of some foci with the eigenvectors, z = v'a: of pair k and focus f of a bin at f * n + k, or, where
 * by_pair, at k * foci + f. They go to spectrum[bin * n_foci + first_focus + f] and music; both nullable. */
typedef struct {
  const double2 *products;
  bool           by_pair;
  size_t         first_focus, foci, n_foci;
  double        *spectrum, *music;
} EskCudaPairProducts;

int esk_cuda_pairs_sum (EskStream *stream, const EskCudaPairs *pairs, const EskCudaPairProducts *call);

/* Rows of conjugates: to[(bin * n + k) * columns + first + f] of steering[(bin * foci + f) * n + k]. */
int esk_cuda_pairs_turn (EskStream *stream, const double2 *steering, size_t n, size_t foci, size_t bins, double2 *to,
                         size_t columns, size_t first);
/* Identities, n x n each. */
int esk_cuda_pairs_identity (EskStream *stream, size_t n, size_t bins, double2 *to);
