/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the rungs of Jacobi's rotations on the processor work on, and which there are. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-jacobi-internal.h"

/* lab: jacobi-loops jacobi-blocked jacobi-vectorised jacobi-threaded */
typedef struct {
  double re, im;
} Complex;

/* c and s e of sonar.md 7, of the rows p and q; and their diagonal afterwards. */
typedef struct {
  uint32_t p, q;
  double   c, a_pp, a_qq;
  Complex  s;
} Rotation;

/* Two rotations side by side, for columns. */
typedef struct {
  uint32_t p[2], q[2];
  double   c[4], s_re[4], s_im[4];
} TwoRotations;

typedef struct {
  size_t        n;
  Complex      *a, *v;         /* the matrix; the vectors, [element][eigen] or transposed */
  uint32_t     *pairs;         /* of the step, two by two, and who has none (n odd) */
  size_t        n_pairs, alone;        /* alone: that one, n: nobody */
  int32_t      *turned;        /* where a pair's rotation is; -1: none */
  Rotation     *rotations;     /* of the step */
  size_t        n_rotations;
  TwoRotations *columns;       /* the same, two by two; the last alone where they are odd */
} JacobiSweep;
/* lab end */

/* One step, of which the rotations are known. */
void jacobi_loops      (JacobiSweep *self);
void jacobi_blocked    (JacobiSweep *self);
void jacobi_vectorised (JacobiSweep *self);
int  jacobi_threaded   (EskLadder *ladder, JacobiSweep *self);
/* The rotations of the pairs of a step, of those whose pivot is above `least`. */
void jacobi_find       (JacobiSweep *self, size_t step, double least);
