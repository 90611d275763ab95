/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of a step of FastICA: what it works on, what is right, and the hot spot that the program uses. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of a step that are held against the definition. */
#define ESK_ICA_CHECKED 8
#define ESK_ICA_MOST_ROWS 256

/* Step 5.2 of hyperspectral.md 2.3 for all vectors at once, with g = tanh: sums over the samples of z g (w'z) and of
 * g' (w'z) = 1 - g^2. As many vectors as planes. */
typedef struct {
  size_t  pixels, rows;
  float  *z;                   /* plane after plane, uncorrelated and of unit variance */
  float  *w;                   /* rows x rows, orthonormal, a vector a row */
  double *product, *derivative;        /* the outcome of a rung: rows x rows, rows */
  double *right;               /* of ESK_ICA_CHECKED vectors rows + 1 each; NULL: nobody has asked yet */
  double  largest;             /* of them all */
} EskIcaWork;

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (a size of 0, or too many). */
int     esk_ica_work_init   (EskLadder *ladder, EskIcaWork *work, const EskLadderSize *size);
void    esk_ica_work_clear  (EskIcaWork *work);
void    esk_ica_work_least  (const EskLadderSize *size, double *bytes, double *operations);
/* Operations of the definition: two products, and 4 for each g: the function itself counts as one. */
double  esk_ica_operations  (const EskIcaWork *work);
/*
 * Some of the vectors against the definition in float64. `own`: how many terms are added up in float32 at most before
 * they are in float64. Every addition rounds by 2^-24 of the sum, to either side: after n of them it is some sqrt (n)
 * 2^-24 off, four times which is granted, and 32 of 2^-24 for g, whose float32 is wrong by several units in the last
 * place, and for w'z. All that by the sum of |z g|, which is at most the number of samples, to the largest sum. Returns
 * ESK_LADDER_OK or _MEMORY.
 */
int     esk_ica_work_check  (EskIcaWork *work, double own, EskRungResult *result);
/* product, row by row, then derivative. */
int64_t esk_ica_work_output (const EskIcaWork *work, double *values, size_t n);

/* The hot spot: ica_step () of the device's table, over planes in its memory. */
typedef struct {
  const float *z;
  float       *memory;         /* the device's; NULL: z is the host's own */
  EskMatrix    w;
  double      *sums;           /* product, derivative */
} EskIcaProduced;

int  esk_ica_produce_begin  (EskLadder *ladder, const EskIcaWork *work, EskIcaProduced *produced,
                             EskRungResult *result);
/* All samples on the ladder's stream. */
int  esk_ica_produce_run    (EskLadder *ladder, const EskIcaWork *work, EskIcaProduced *produced);
/* `count` of them from `first` on, on any stream; added to sums, rows x (rows + 1). A code of hot spots. */
int  esk_ica_produce_some   (EskLadder *ladder, EskStream *stream, const EskIcaWork *work,
                             const EskIcaProduced *produced, size_t first, size_t count, double *sums);
void esk_ica_produce_finish (const EskIcaProduced *produced, EskIcaWork *work);
void esk_ica_produce_end    (EskLadder *ladder, EskIcaProduced *produced);

#ifdef __cplusplus
}
#endif
