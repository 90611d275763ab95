/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rungs of conventional beams, for the file that climbs them. */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-beams-internal.h"

typedef struct {
  unsigned elements, angles, bins, first_bin;
  float    rate, length, speed;        /* of samples, Hz; of a transform, samples; of sound, m/s */
} LadderBeamParameters;

/* The card's: spectra and paths as they come (es-ladder-beams-internal.h), and as rungs lay them out anew, NULL where
 * the rung that runs does not. */
typedef struct {
  LadderBeamParameters given, *parameters;
  size_t               foci;
  float2              *spectra, *spectra_by_bin;       /* by_bin: at bin * elements + element */
  float               *paths, *paths_by_angle;         /* by_angle: at (range * angles + angle) * elements + element */
  float               *powers;                         /* at range * angles + angle */
  float               *parts;                          /* powers of some bins, for each of those a row of all foci */
  float2              *steering, *beams;               /* of the library: a matrix for each bin, and its products */
} LadderBeamsCard;

/* The switches of the first steps: parameters as arguments, spectra by bin, paths by angle. */
enum { LADDER_BEAMS_R5 = 1, LADDER_BEAMS_G3A = 2, LADDER_BEAMS_G3B = 4 };

/* Forms of the kernel: the first steps', and those of later ones, which have switches of their own. */
typedef enum {
  LADDER_BEAMS_PLAIN, LADDER_BEAMS_TURNED, LADDER_BEAMS_SHUFFLED, LADDER_BEAMS_BROADCAST
} LadderBeamsForm;

/* The kernel, and bytes of shared memory that a block of it takes besides. */
const void *ladder_beams_kernel (LadderBeamsForm form, unsigned switches);
size_t      ladder_beams_shared (LadderBeamsForm form, unsigned threads);
/* Rows of `parts`. */
unsigned    ladder_beams_parts  (const LadderBeamsCard *card);
/* All foci, in pieces. threads: a power of two, at least 32. */
int         ladder_beams_run    (EskLadder *ladder, const LadderBeamsCard *card, LadderBeamsForm form,
                                 unsigned switches, unsigned threads);
/* Fills spectra_by_bin, paths_by_angle and steering, those that are not NULL. */
int         ladder_beams_relay  (EskLadder *ladder, const LadderBeamsCard *card);
/* powers of beams. */
int         ladder_beams_square (EskLadder *ladder, const LadderBeamsCard *card);
