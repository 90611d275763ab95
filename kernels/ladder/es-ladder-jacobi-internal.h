/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The ladder of Jacobi's rotations: what it works on, what is right, and the hot spot that the program uses.
 *
 * One run takes the matrix as it came and turns it until what is left off its diagonal is ESK_JACOBI_OFF of its norm:
 * sweeps of n - 1 steps of n / 2 pairs each (sonar.md 7), in float64, as the program does; the thesis does not say what
 * it used. Of one snapshot, which is what the published times are of (sonar.md 6.1), n - 1 rotations are all, and one
 * sweep is enough, of which most steps turn nothing or little; of twice as many snapshots as elements nearly all pairs
 * turn, and it takes 6 to 10 sweeps.
 */

#include "es-ladder-array-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shares of the matrix' norm: pivots that are let be, and what may be left off the diagonal. */
#define ESK_JACOBI_PIVOT 1e-15
#define ESK_JACOBI_OFF 1e-12
/* Bounds of sweeps: those that a full matrix is expected to take, and those after which a rung gives up. */
#define ESK_JACOBI_USUAL_SWEEPS 9
#define ESK_JACOBI_MOST_SWEEPS 60

typedef struct {
  size_t  n, snapshots;
  float  *spectra;             /* of esk_array_spectra () */
  double *matrix;              /* n x n complex, row by row, loaded */
  double  loading;             /* what was added to the diagonal */
  double  norm, trace;
  double *values, *vectors;    /* the outcome of a rung: n, descending; row k of n complex belongs to values[k] */
  int     has_vectors;         /* the rung has brought them */
  double *sought, *cosines;    /* of the hot spot: eigenvalues without loading; directions */
  float  *powers;
} EskJacobiWork;

/* size->elements; size->samples: snapshots, 0: one. ESK_LADDER_ERROR_MEMORY, _ARGUMENT. */
int     esk_jacobi_work_init  (EskLadder *ladder, EskJacobiWork *work, const EskLadderSize *size);
void    esk_jacobi_work_clear (EskJacobiWork *work);
/* One sweep (of one snapshot: its n - 1 rotations), of the matrix half of what it is and of the vectors all. */
void    esk_jacobi_least      (const EskLadderSize *size, double *bytes, double *operations);
/* esk_ladder_pause () of a run after so many steps and rotations. How far it is by then is known roughly: of one
 * snapshot it takes n - 1 rotations, most of them in the first steps; else some sweeps. In its first moments nothing is
 * said. */
int     esk_jacobi_pause      (EskLadder *ladder, const EskJacobiWork *work, size_t steps, size_t rotations);
/* What a rung brought, put in order: eigenvalue k is diagonal[k], its vector column k of n x n complex `vectors`, or
 * row k where they are transposed. */
int     esk_jacobi_bring      (EskJacobiWork *work, const double *diagonal, const double *vectors, int transposed);
/* Trace, norm, and of some eigenpairs what is left of A v - v d and of their right angles. Of one snapshot all
 * eigenvalues are known; of a small matrix LAPACK tells them. */
int     esk_jacobi_check      (const EskJacobiWork *work, EskRungResult *result);
/* The eigenvalues, descending. */
int64_t esk_jacobi_output     (const EskJacobiWork *work, double *values, size_t n);

int     esk_jacobi_produce_begin  (EskLadder *ladder, EskJacobiWork *work, EskArrayProduced *produced,
                                   EskRungResult *result);
/* The processor's knows no limit of time: where it would surely take longer, it is refused. */
int     esk_jacobi_produce_run    (EskLadder *ladder, const EskJacobiWork *work, EskArrayProduced *produced);
int     esk_jacobi_produce_finish (EskLadder *ladder, EskJacobiWork *work, EskArrayProduced *produced,
                                   EskRungResult *result);

#ifdef __cplusplus
}
#endif
