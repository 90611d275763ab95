/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Sums for a covariance, and what the host makes of them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sums for a covariance (hyperspectral.md 2.2). Exact: integer totals of the values themselves. Otherwise: float64
 * totals of the values less `shift` (a first estimate of the mean, which takes the cancellation out of float32).
 * Matrices are row-major n_bands x n_bands with the lower triangle filled (column <= row).
 */
typedef struct {
  size_t   n_bands;
  bool     exact;
  /* Not exact: float64 throughout where the back end can (the CPU, at half the speed). For eigenproblems that make
   * small errors large; set after esk_covariance_init (). */
  bool     precise;
  int64_t  count;              /* pixels summed */
  int64_t *integer_sum;        /* exact: n_bands */
  int64_t *integer_product;    /* exact: n_bands x n_bands */
  double  *shift;              /* not exact: n_bands */
  double  *sum;                /* not exact: n_bands, of (x - shift) */
  double  *product;            /* not exact: n_bands x n_bands, of (x_i - shift_i) (x_j - shift_j) */

  /* What a back end has summed in its own memory and not yet brought here (covariance_collect): its own. */
  void    *device_sums;
  void   (*device_sums_free) (void *device_sums);
} EskCovariance;

/* Allocates zeroed sums; shift (n_bands) is copied, NULL for exact sums. Returns ESK_OK or ESK_ERROR_MEMORY. */
int  esk_covariance_init   (EskCovariance *covariance, size_t n_bands, bool exact, const double *shift);
void esk_covariance_clear  (EskCovariance *covariance);
void esk_covariance_reset  (EskCovariance *covariance);
/* total += part; both of the same shape, kind and shift. Exact sums: in any order. */
int  esk_covariance_merge  (EskCovariance *total, const EskCovariance *part);
/*
 * The unbiased covariance (N - 1) in float64, symmetric and full, n_bands x n_bands row-major, and the mean
 * (n_bands). Exact sums are combined in 128 bits before the one rounding. count < 2 is ESK_ERROR_ARGUMENT.
 */
int  esk_covariance_finish (const EskCovariance *covariance, double *mean, double *matrix);

#ifdef __cplusplus
}
#endif
