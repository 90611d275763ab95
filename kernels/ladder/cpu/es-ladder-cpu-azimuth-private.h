/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the rungs of the azimuth spectrum on the processor work on, and which there are. */

#include "ladder/es-ladder-azimuth-internal.h"
#include "es-ladder-cpu-private.h"

/* lab: azimuth-loops azimuth-blocked azimuth-vectorised azimuth-threaded */
typedef struct {
  float re, im;
} Complex;

typedef struct {
  size_t         n, angles;
  const Complex *vectors;      /* [eigen][element] */
  const float   *inverse;      /* of the eigenvalues */
  const double  *cosines;
  float         *power;        /* the outcome */
  Complex       *directions;   /* room: [angle][element] of as many angles as the rung has at a time, of each thread */
} Azimuth;
/* lab end */

/* lab: azimuth-blocked azimuth-vectorised azimuth-threaded */
/* Angles at a time. */
#define AZIMUTH_TILE 4
/* lab end */

int azimuth_loops      (EskLadder *ladder, Azimuth *self);
int azimuth_blocked    (EskLadder *ladder, Azimuth *self);
int azimuth_vectorised (EskLadder *ladder, Azimuth *self);
int azimuth_threaded   (EskLadder *ladder, Azimuth *self);
/* The directions of one angle. */
void azimuth_steer     (const Azimuth *self, size_t angle, Complex *direction);
