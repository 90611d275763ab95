/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rungs of conventional beams, for the file that climbs them. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-beams-internal.h"

/* Bins that a vector holds; after so many vectors phasors are taken anew. */
#define LADDER_BEAMS_LANES 8
#define LADDER_BEAMS_STEPS 16

typedef struct {
  EskBeamsWork     of;
  EskBeamsProduced produced;
  float           *real, *imaginary;   /* spectra whose bins fill whole vectors: at element * stride + bin */
  float           *waves, step;        /* wavelengths that a metre is: of each bin; more with each bin */
  float           *sums;               /* of the bins, real and imaginary part; of each thread 2 * stride */
  size_t           stride;
  float           *steering;           /* phasors at (bin * foci + focus) * elements + element, in pairs */
  float           *columns;            /* spectra at bin * elements + element, in pairs */
  float           *beams;              /* Y at bin * foci + focus, in pairs */
  double          *turning;            /* phasors of all elements and what turns them; of each thread 4 * elements */
  int              failed;             /* atomic: OpenBLAS had no memory */
} LadderBeams;

/* The work, once: ESK_LADDER_OK, _CANCELLED, or refused for it takes too long. */
int  ladder_beams_first      (EskLadder *ladder, LadderBeams *work);
int  ladder_beams_blocked    (EskLadder *ladder, LadderBeams *work);
int  ladder_beams_recurrence (EskLadder *ladder, LadderBeams *work);
int  ladder_beams_vectorised (EskLadder *ladder, LadderBeams *work);
int  ladder_beams_threaded   (EskLadder *ladder, LadderBeams *work);
int  ladder_beams_library    (EskLadder *ladder, LadderBeams *work);
/* The steering matrices' rows of one focus; as EskTeamWork, data is LadderBeams. */
void ladder_beams_steer      (void *data, size_t item, unsigned worker);
