/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* One bin of a line of hydrophones, and the adaptive beams that the program forms of it (es-hotspots-adaptive.h). */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Metres, metres a second, Hz: a plane wave turns by at most 0.4 of a circle from one element to the next, and so
 * there is one direction for each phase. */
#define ESK_ARRAY_SPACING 1.5
#define ESK_ARRAY_SPEED 1500.0
#define ESK_ARRAY_FREQUENCY 400.0
/* Turns from one element to the next of a wave along the line. */
#define ESK_ARRAY_TURNS (ESK_ARRAY_FREQUENCY * ESK_ARRAY_SPACING / ESK_ARRAY_SPEED)

/* The place of element k on the line, in spacings from the reference (sonar.md 1). */
static inline double
esk_array_place (size_t k,
                 size_t elements)
{
  return (double) k - (double) ((elements - 1) / 2);
}

/* a_k = exp (+2 pi j turns place cosine) (sonar.md 6.2), elements complex numbers. */
void   esk_array_steering (size_t elements, double cosine, double *steering);

/* Spectra of `snapshots` of one bin as EskSpectra has them, [snapshot][part][element]; NULL: no memory. free (). */
float *esk_array_spectra  (size_t elements, size_t snapshots);

/* The hot spot: adaptive_power () of what adaptive_add () has been given, R itself being kept. */
typedef struct {
  EskAdaptive       *adaptive;
  EskAdaptiveRun     run;
  EskAdaptiveReport  report;           /* of the last run */
  size_t             n_foci;
  void              *memory, *powers;  /* the device's, or (powers) the host's own */
} EskArrayProduced;

/* Foci far away, at cosines of angles with the line. eigenvalues (elements; nullable): of R without loading. */
int  esk_array_produce_begin  (EskLadder *ladder, size_t elements, size_t snapshots, const float *spectra,
                               size_t n_foci, const double *cosines, EskAdaptiveMethod method, double loading,
                               double *eigenvalues, EskArrayProduced *produced, EskRungResult *result);
int  esk_array_produce_run    (EskLadder *ladder, EskArrayProduced *produced);
/* The powers of the foci. */
int  esk_array_produce_finish (EskLadder *ladder, const EskArrayProduced *produced, float *powers);
void esk_array_produce_end    (EskLadder *ladder, EskArrayProduced *produced);

#ifdef __cplusplus
}
#endif
