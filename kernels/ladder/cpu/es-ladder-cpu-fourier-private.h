/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rungs of the Fourier transform, for the file that climbs them. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-fourier-internal.h"

#include <fftw3.h>

/* Elements that a vector holds, and that FFTW is given at a time. */
#define LADDER_FOURIER_LANES 8
#define LADDER_FOURIER_BATCH 8

typedef struct {
  EskFourierWork     of;
  EskFourierProduced produced;
  float             *turns;            /* cosine and sine of -2 pi k / N, in pairs */
  uint32_t          *reversed;         /* of each place in a transform, the one with its bits in reversed order */
  float             *scratch;          /* complex numbers; of each thread scratch_floats */
  size_t             scratch_floats;
  fftwf_plan         plan, rest;       /* of a batch, and of what is left behind the last whole one; nullable */
} LadderFourier;

/* The work, once: ESK_LADDER_OK, _CANCELLED, or refused for it takes too long. */
int ladder_fourier_first      (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_table      (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_radix      (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_half       (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_blocked    (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_vectorised (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_threaded   (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_fftw       (EskLadder *ladder, LadderFourier *work);
int ladder_fourier_library    (EskLadder *ladder, LadderFourier *work);
