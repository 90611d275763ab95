/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of conventional beams: what it works on, what is right, and the hot spot that the program uses. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The array and its recording, as sonar.md 12 has them: elements 1.5 m apart, the one in the middle is the reference;
 * 8 kHz, transforms of 8192 samples, bins from 327 on. */
#define ESK_BEAMS_SPACING 1.5
#define ESK_BEAMS_SPEED 1500.0
#define ESK_BEAMS_RATE 8000.0
#define ESK_BEAMS_LENGTH 8192
#define ESK_BEAMS_FIRST_BIN 327

/*
 * P(range, angle) = sum_b |sum_k X_k(b) exp (-j 2 pi f_b Dl_k / c)|^2 / B^2 (sonar.md 4.1, the form that is right, and
 * 4.2). Rows are lines beside the array, 50, 100, 200 ... m away from it, and last the far field; angles go from 10
 * degrees to 170, the end left out, measured from the array's axis.
 */
typedef struct {
  size_t elements, angles, ranges, bins;
  float *real, *imaginary;             /* X: at element * bins + bin */
  float *paths;                        /* Dl in metres: at (range * elements + element) * angles + angle */
  float *powers;                       /* the outcome: at range * angles + angle */
  double *right;                       /* powers by the definition of some foci, when they were asked for; NULL */
  size_t  n_right;
} EskBeamsWork;

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (more than 32 ranges, bins that the transforms do not have, too much of it). */
int     esk_beams_work_init  (EskLadder *ladder, EskBeamsWork *work, const EskLadderSize *size);
void    esk_beams_work_clear (EskBeamsWork *work);
/* Spectra, the array and powers once; a complex multiply-add for every bin of an element of a beam: phasors come from
 * nowhere. */
void    esk_beams_least      (const EskLadderSize *size, double *bytes, double *operations);
void    esk_beams_forget     (EskBeamsWork *work);
/* Dl of an element in metres, float64 (sonar.md 2, the form without cancellation). */
double  esk_beams_path       (const EskBeamsWork *work, size_t range, size_t angle, size_t element);
/* Powers of some foci, all where that is done in half a second, against the definition. */
void    esk_beams_check      (EskBeamsWork *work, EskRungResult *result);
/* Powers, angle after angle of one range after the other. */
int64_t esk_beams_output     (const EskBeamsWork *work, double *values, size_t n);

/* The hot spot: beam_power () of the device's table, summed over the band. */
typedef struct {
  EskBeams  *beams;
  EskSpectra spectra;
  float     *host;                     /* spectra as the hot spot wants them */
  float     *band;                     /* the device's, or the host's own */
} EskBeamsProduced;

/* What beams_new () and the first beams take is the preparation. */
int  esk_beams_produce_begin  (EskLadder *ladder, const EskBeamsWork *work, EskBeamsProduced *produced,
                               EskRungResult *result);
int  esk_beams_produce_run    (EskLadder *ladder, EskBeamsProduced *produced);
int  esk_beams_produce_finish (EskLadder *ladder, EskBeamsProduced *produced, EskBeamsWork *work);
void esk_beams_produce_end    (EskLadder *ladder, EskBeamsProduced *produced);

#ifdef __cplusplus
}
#endif
