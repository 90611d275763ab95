/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The ladder of the azimuth spectrum: what it works on, what is right, and the hot spot that the program uses.
 *
 * P(angle) = 1 / sum_m |a' v_m|^2 / d_m (sonar.md 5, 6.2) of unit vectors v_m and values d_m that an eigenproblem has
 * brought before, in float32: the thesis does not say what it used, but what table 6.13 asks of memory is beyond its
 * card in float64. Directions a are part of the work, as they are there; their phases are taken modulo 1 in float64
 * (14).
 */

#include "es-ladder-array-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  size_t  n, angles;
  float  *vectors;             /* [eigen][element] complex */
  double *values;              /* n, descending */
  float  *inverse;             /* their reciprocals */
  double *cosines;             /* of the angles with the line */
  float  *power;               /* the outcome of a rung: angles */
  size_t  n_checked, *checked; /* some of the angles, */
  double *expected;            /* and what they are by definition */
} EskAzimuthWork;

/* size->elements, angles. ESK_LADDER_ERROR_MEMORY, _ARGUMENT. */
int     esk_azimuth_work_init  (EskLadder *ladder, EskAzimuthWork *work, const EskLadderSize *size);
void    esk_azimuth_work_clear (EskAzimuthWork *work);
void    esk_azimuth_least      (const EskLadderSize *size, double *bytes, double *operations);
/* Some angles against the definition, each by its own value; the others must lie between the smallest and the largest
 * eigenvalue over n. */
void    esk_azimuth_check      (const EskAzimuthWork *work, EskRungResult *result);
/* Powers, angle by angle. */
int64_t esk_azimuth_output     (const EskAzimuthWork *work, double *values, size_t n);

/* A Hermitian matrix of such a size, n x n complex row-major, to see how long its eigenproblem takes: that is what the
 * rungs take for granted, and their preparation. NULL: no memory. free (). */
double *esk_azimuth_matrix     (size_t n);

/* The program has no eigenvectors here: it factors the matrix that they are of, R = L L', and P = 1 / |L^-1 a|^2. That
 * is the eigenproblem's work too, which the rungs are spared and are prepared for. */
int     esk_azimuth_produce_begin (EskLadder *ladder, const EskAzimuthWork *work, EskArrayProduced *produced,
                                   EskRungResult *result);

#ifdef __cplusplus
}
#endif
