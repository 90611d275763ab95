/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of the Fourier transform: what it works on, what is right, and the hot spot that the program uses. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X_e(b) = sum_s x_e[s] e^(-j 2 pi b s / N) of each element e, b < bins, unscaled (sonar.md 3). */
typedef struct {
  size_t elements, samples, bins;      /* samples: N, even; bins <= N / 2 + 1 */
  size_t stride;                       /* complex numbers of the outcome from one element to the next: N / 2 + 1 or some
                                        * more, so that each begins a cache line */
  float *signals;                      /* samples of one element after the other, whole numbers of 16 bits: rungs get
                                        * them as float32, the hot spot of a card as they come */
  float *spectra;                      /* the outcome: real and imaginary part at 2 * (element * stride + bin) */
} EskFourierWork;

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (an odd number of samples, more bins than there are, too much of anything). */
int     esk_fourier_work_init  (EskLadder *ladder, EskFourierWork *work, const EskLadderSize *size);
void    esk_fourier_work_clear (EskFourierWork *work);
/* 5/2 N log2 N operations of each element: what transforms of reals take, where the definition takes no less. */
void    esk_fourier_least      (const EskLadderSize *size, double *bytes, double *operations);
/* Forgets the outcome of before. */
void    esk_fourier_forget     (EskFourierWork *work);
/* Holds some 40 numbers of the outcome against the definition, and all elements at once by a sum of them with signs
 * that chance gives, which is transformed as one of them is. plain: the rung adds up N products one after the other. */
void    esk_fourier_check      (const EskFourierWork *work, int plain, EskRungResult *result);
/* Real and imaginary part of the bins of one element after the other. */
int64_t esk_fourier_output     (const EskFourierWork *work, double *values, size_t n);
/* cosine and sine of -2 pi k / n, k < n, in pairs: to the last bit of float32. */
void    esk_fourier_turns      (size_t n, float *turns);

/* The hot spot: real_dft () of the device's table. */
typedef struct {
  EskDft    *dft;
  EskFrames  frames;
  EskSpectra spectra;
  float     *brought;                  /* spectra that a device's came to */
  void      *memory;                   /* the device's samples */
} EskFourierProduced;

/* What dft_new () and the first transform take is the preparation. */
int  esk_fourier_produce_begin  (EskLadder *ladder, const EskFourierWork *work, EskFourierProduced *produced,
                                 EskRungResult *result);
int  esk_fourier_produce_run    (EskLadder *ladder, EskFourierProduced *produced);
/* The scale of the hot spot is taken off. */
int  esk_fourier_produce_finish (EskLadder *ladder, EskFourierProduced *produced, EskFourierWork *work);
void esk_fourier_produce_end    (EskLadder *ladder, EskFourierProduced *produced);

#ifdef __cplusplus
}
#endif
