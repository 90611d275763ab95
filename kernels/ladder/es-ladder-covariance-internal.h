/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of the covariance matrix: what it works on, what is right, and the hot spot that the program uses. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ESK_COVARIANCE_MOST_BANDS 4096
/* Entries that are held against the definition. */
#define ESK_COVARIANCE_CHECKED 40

/* Sums of the products of bands (hyperspectral.md 2.2): product[i * bands + j], j <= i, and sum[bands], of uint8
 * planes of width x height pixels. */
typedef struct {
  size_t   pixels, bands;
  size_t   width, height;
  uint8_t *planes;             /* band after band */
  int64_t *product, *sum;      /* the outcome of a rung */

  /* What is right: some entries, the sums, and over all pixels the square of the sum over all bands. */
  size_t   row[ESK_COVARIANCE_CHECKED], column[ESK_COVARIANCE_CHECKED];
  int64_t  right_product[ESK_COVARIANCE_CHECKED], right_squares;
  int64_t *right_sum;
} EskCovarianceWork;

/* uint8 planes of scenes, as the ladders of the covariance and of the transform work on them. */
int     esk_covariance_samples    (EskLadder *ladder, uint8_t *planes, size_t pixels, size_t bands);

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (a size of 0, or more pixels than sums of 64 bits hold). */
int     esk_covariance_work_init  (EskLadder *ladder, EskCovarianceWork *work, const EskLadderSize *size);
void    esk_covariance_work_clear (EskCovarianceWork *work);
void    esk_covariance_least      (const EskLadderSize *size, double *bytes, double *operations);
/* Holds some 40 entries of the outcome against the definition, and the whole lower triangle against itself by means of
 * the sum over all bands; sums of integers are right or wrong: tolerance 0. */
void    esk_covariance_check      (const EskCovarianceWork *work, EskRungResult *result);
/* product (lower triangle, row by row), then sum. */
int64_t esk_covariance_output     (const EskCovarianceWork *work, double *values, size_t n);

/* The hot spot of a card: covariance_sums () of its table, over planes in its memory. */
typedef struct {
  EskTile       tile;
  EskSelection  selection;
  EskCovariance sums;
  uint32_t     *bands;
  void         *memory;                /* the card's */
} EskCovarianceProduced;

int  esk_covariance_produce_begin  (EskLadder *ladder, const EskCovarianceWork *work, EskCovarianceProduced *produced,
                                    EskRungResult *result);
int  esk_covariance_produce_run    (EskLadder *ladder, EskCovarianceProduced *produced);
int  esk_covariance_produce_finish (EskLadder *ladder, EskCovarianceProduced *produced, EskCovarianceWork *work);
void esk_covariance_produce_end    (EskLadder *ladder, EskCovarianceProduced *produced);

#ifdef __cplusplus
}
#endif
