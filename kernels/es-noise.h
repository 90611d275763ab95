/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What is taken for noise (hyperspectral.md 2.4, 3.4, 9.9). */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is taken for noise at a pixel; q are its neighbours, written as (column, row) steps. */
typedef enum {
  ESK_NOISE_MEAN,              /* p - mean of the 3 x 3 with p in it; integers: 9 p - sum, the covariance / 81 */
  ESK_NOISE_MEDIAN,            /* p - median of the 3 x 3 */
  ESK_NOISE_RIGHT,             /* p - q (1, 0); the covariance / 2 */
  ESK_NOISE_LOWER,             /* p - q (0, 1); the covariance / 2 */
  ESK_NOISE_LOWER_RIGHT,       /* p - q (1, 1); the covariance / 2 */
  ESK_N_NOISE_KINDS
} EskNoiseKind;

/* Integers have residuals of up to 20 bits, which are summed exactly in parts of 16: r = 256 high + low with low in
 * -128..127, and sum r r' = 65536 HH + 256 (SS - HH - LL) + LL, where HH, LL and SS are the sums of the products of
 * high, of low and of high + low. */
typedef enum {
  ESK_NOISE_WHOLE,             /* r itself; clamped to 16 bits where it does not fit, which raises *overflow */
  ESK_NOISE_HIGH,
  ESK_NOISE_LOW,
  ESK_NOISE_SUM                /* high + low */
} EskNoisePart;

/* Rows and columns at the edges of a tile that are there for their neighbours' sake only. */
typedef struct {
  size_t left, top, right, bottom;
} EskMargin;

/* What a noise kind needs round a pixel: mean and median 1 on every side, right 1 on the right ... */
EskMargin esk_noise_margin (EskNoiseKind kind);
/* What the covariance of the residual's integer or float form is divided by: 81 (integers' mean) or 1; 2. */
double    esk_noise_divisor (EskNoiseKind kind, bool integer);

#ifdef __cplusplus
}
#endif
