/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ladder of noise residuals: what it works on, what is right, and the hot spot that the program uses. */

#include "es-ladder-internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What EskRung.definition says: what is taken for noise at a pixel (hyperspectral.md 2.4, 9.9). */
enum {
  ESK_RESIDUAL_MEAN,           /* 9 times the pixel less the sum of the 3 x 3 with it */
  ESK_RESIDUAL_MEDIAN          /* the pixel less the median of the 3 x 3 */
};

/* Residuals of uint8 planes of width x height pixels, band after band; pixels at the border have none, 0. */
typedef struct {
  size_t   width, height, bands, pixels;
  size_t   inner_width, inner_height;  /* that have residuals; 0: none */
  uint8_t *planes;
  int16_t *out;                /* the outcome of a rung */
} EskResidualWork;

/* ESK_LADDER_ERROR_MEMORY, _ARGUMENT (a size of 0, or too many). */
int     esk_residual_work_init   (EskLadder *ladder, EskResidualWork *work, const EskLadderSize *size);
void    esk_residual_work_clear  (EskResidualWork *work);
/* Of the mean: nine adds or so for a pixel, which is what the formula reads. */
void    esk_residual_work_least  (const EskLadderSize *size, double *bytes, double *operations);
/* Some 4096 rows of the outcome against the definition, all where there are no more; integers are right or wrong:
 * tolerance 0. */
void    esk_residual_work_check  (const EskResidualWork *work, unsigned definition, EskRungResult *result);
/* out, pixel by pixel, band after band. */
int64_t esk_residual_work_output (const EskResidualWork *work, double *values, size_t n);

/* The hot spot: noise_residual () of the device's table, over planes in its memory. */
typedef struct {
  EskTile       tile, out;
  EskSelection  selection;
  EskNoiseKind  kind;
  uint32_t     *bands;
  void         *memory, *out_memory;   /* the device's; NULL: the host's own */
} EskResidualProduced;

int  esk_residual_produce_begin  (EskLadder *ladder, const EskResidualWork *work, unsigned definition,
                                  EskResidualProduced *produced, EskRungResult *result);
/* All of them on the ladder's stream. */
int  esk_residual_produce_run    (EskLadder *ladder, const EskResidualWork *work, EskResidualProduced *produced);
/* `rows` rows of residuals from `first` on (of those there are) on any stream. A code of hot spots. */
int  esk_residual_produce_some   (EskLadder *ladder, EskStream *stream, const EskResidualWork *work,
                                  const EskResidualProduced *produced, size_t first, size_t rows);
int  esk_residual_produce_finish (EskLadder *ladder, const EskResidualProduced *produced, EskResidualWork *work);
void esk_residual_produce_end    (EskLadder *ladder, EskResidualProduced *produced);

#ifdef __cplusplus
}
#endif
