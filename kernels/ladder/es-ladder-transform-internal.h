/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of the transform of cubes: what it works on, what is right, and the hot spot of cards. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels that are held against the definition. */
#define ESK_TRANSFORM_CHECKED 256

/* out[r * pixels + p] = sum_b basis[r * bands + b] (planes[b * pixels + p] - mean[b]), hyperspectral.md 3.2, of uint8
 * planes. What is taken off is the same for all pixels, offset[r] = sum_b basis[r * bands + b] mean[b]. */
typedef struct {
  size_t   pixels, bands, rows;
  size_t   width, height;
  uint8_t *planes;             /* band after band */
  float   *basis, *offset;     /* row after row; a row each */
  double  *mean;               /* a band each */
  float   *out;                /* the outcome of a rung */

  /* What is right, rows after one another: of some pixels, and the sums over all of them. */
  size_t   pixel[ESK_TRANSFORM_CHECKED];
  double  *right, *right_sum;
  double   largest, tolerance;
} EskTransformWork;

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (a size of 0, more rows or bands than 4096). */
int     esk_transform_work_init  (EskLadder *ladder, EskTransformWork *work, const EskLadderSize *size);
void    esk_transform_work_clear (EskTransformWork *work);
void    esk_transform_least      (const EskLadderSize *size, double *bytes, double *operations);
/* Nothing of an earlier outcome can be taken for this one's: fills it with what is no number. */
void    esk_transform_forget     (EskTransformWork *work);
/* Holds some pixels of the outcome against the definition in float64, and the sums over all. Tolerance: 1e-6 of what a
 * row can come to at most, 255 sum |basis| (hyperspectral.md 8, system 10), that is 17 roundings of such a sum in one
 * direction; those of some hundred terms with either sign stay far below. */
void    esk_transform_check      (const EskTransformWork *work, EskRungResult *result);
/* Rows after one another. */
int64_t esk_transform_output     (const EskTransformWork *work, double *values, size_t n);

/* The hot spot of a card: project () of its table, over planes in its memory. */
typedef struct {
  EskTile      tile;
  EskSelection selection;
  EskMatrix    basis;
  uint32_t    *bands;
  void        *memory;
  float       *out;                    /* the card's */
} EskTransformProduced;

int  esk_transform_produce_begin  (EskLadder *ladder, const EskTransformWork *work, EskTransformProduced *produced,
                                   EskRungResult *result);
int  esk_transform_produce_run    (EskLadder *ladder, const EskTransformWork *work, EskTransformProduced *produced);
int  esk_transform_produce_finish (EskLadder *ladder, EskTransformProduced *produced, EskTransformWork *work);
void esk_transform_produce_end    (EskLadder *ladder, EskTransformProduced *produced);

#ifdef __cplusplus
}
#endif
