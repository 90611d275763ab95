/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Sums of a covariance on the device, and the engines that add to them. */

#include "es-covariance.h"
#include "es-hotspots-cube.h"

#include "cuda/core/es-cuda-internal.h"

/*
 * Sums of a covariance on the device (EskCovariance.device_sums). es-cuda-covariance.cu makes them, adds to them
 * through the engines below, and collects them. Matrices are n_bands x n_bands, row-major, lower triangle.
 */
typedef struct {
  int            device;
  size_t         n_bands;
  bool           exact;
  int64_t       *count;        /* all of these in the device's memory */
  int64_t       *integer_sum, *integer_product;
  double        *shift, *sum, *product;
} EskCudaSums;

/* As in EskCubeHotspots. */
int esk_cuda_covariance_sums    (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                 const uint8_t *valid, EskCovariance *covariance);
int esk_cuda_covariance_collect (EskStream *stream, EskCovariance *covariance);

/* es-cuda-covariance-exact.cu: types ESK_U8, I8, U16, I16; any n_pixels, any n_bands; run is aligned. Adds. */
int esk_cuda_covariance_exact (EskStream *stream, const EskCudaRun *run, EskCudaSums *sums);
/* es-cuda-covariance-float.cu: every other type (and 8/16-bit ones where exact totals could overflow). Adds; the
 * same bytes every time. */
int esk_cuda_covariance_float (EskStream *stream, const EskCudaRun *run, EskCudaSums *sums);
/* es-cuda-covariance-precise.cu: the same in float64 throughout, of any type; run is aligned. Adds; the same bytes
 * every time. */
int esk_cuda_covariance_precise (EskStream *stream, const EskCudaRun *run, EskCudaSums *sums);
/* es-cuda-covariance.cu: the covariance's sums on the device, made where there are none yet, for something else that
 * adds n_pixels to them. Not exact ones. */
int esk_cuda_float_sums (EskStream *stream, EskCovariance *covariance, size_t n_pixels, EskCudaSums **out);
