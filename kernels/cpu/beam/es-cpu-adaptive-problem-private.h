/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * One evaluation of what adaptive beams have heard; a bin is done by one thread from the beginning to the end.
 *
 * Two problems have one form: of "order" rows, foci as further rows below them.
 *   matrix: R of the living elements; rows a'. P = 1 / |a' L^-H|^2.
 *   Gram:   the conjugate of G = X'X of the snapshots; rows (X'a) transposed. P = delta / (B - |row L^-H|^2).
 */

#include "es-cpu-adaptive-private.h"

#include <time.h>

/* Panels of foci that are solved for at a time: what they have in common is then read once for all of them. */
#define ESK_ADAPTIVE_FOCUS_PANELS 8

/* Where a thread works. In doubles: */
typedef struct
{
  double   *positions;         /* of the living elements, 3 x elements */
  double   *packed;            /* snapshots: matrix: a run of them; Gram: all of them */
  double   *lower;             /* panels of the problem */
  double   *least;             /* of each row */
  double   *rows;              /* of the foci */
  double   *steering, *odd;    /* Gram: a panel over a run of elements, and one of rows */
  double   *matrix, *vectors, *values;       /* of the eigenproblem; then `matrix` has the panels of the vectors */
  double   *weights;           /* of eigenvectors */
  double   *products;          /* foci times eigenvectors, a panel */
  uint32_t *living;
} EskAdaptiveRoom;

typedef struct
{
  double   matrix, factor, spectrum, off;
  size_t   sweeps;
  uint64_t rotations;
} EskAdaptiveAccount;

typedef struct
{
  const EskAdaptive         *self;
  const EskAdaptiveRun      *run;
  const EskCpuAdaptiveLoops *loops;
  EskStream                 *stream;             /* where its threads share a bin; NULL: each has its own */
  bool                       gram, by_vectors;   /* powers of eigenvectors */
  bool                       vectors, values;    /* which of the eigenproblem are wanted */
  size_t                     largest;            /* order of the problem where all elements live */
  const double              *column_weights;
  double                    *rooms;
  size_t                     room_size;
  unsigned                   n_rooms;            /* threads that work at bins of their own */
  double                    *powers, *music;     /* [bin * n_foci + focus] */
  int                       *codes;              /* of each bin */
  EskAdaptiveAccount                   *accounts;           /* of each room */
} EskAdaptiveEvaluation;

/* One bin. */
typedef struct
{
  const EskAdaptiveEvaluation *run;
  size_t            bin, living, order, panels;  /* panels of the order */
  bool              folded;                      /* Gram: packed are sums and differences of opposite elements */
  size_t            columns;                     /* Gram: packed ones of a panel */
  double            trace, delta;
  size_t            sources;                     /* not more than the rank */
  EskAdaptiveRoom              room;
} EskAdaptiveProblem;

/* es-cpu-adaptive-matrix.c */
void esk_adaptive_find_living (EskAdaptiveProblem *problem);
/* Matrix, trace and delta, of the living elements. */
void esk_adaptive_form_matrix (EskAdaptiveProblem *problem);
/* ESK_ERROR_SINGULAR where it has no factor with its loading. */
int  esk_adaptive_factor_matrix (EskAdaptiveProblem *problem);
/* Eigenvalues (and vectors) of R or of G, before the loading; small ones become 0. */
int  esk_adaptive_solve_eigenproblem (EskAdaptiveProblem *problem, EskAdaptiveAccount *account);

/* es-cpu-adaptive-spectrum.c: powers and MUSIC of all foci. */
void esk_adaptive_evaluate_foci (EskAdaptiveProblem *problem);
