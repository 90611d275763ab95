/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Hot spots of cubes, which others here are made of too, and the table that this room fills. */

#include "es-hotspots-cube.h"

#include "cuda/core/es-cuda-internal.h"

extern const EskCubeHotspots esk_cuda_cube_hotspots;

/* As in EskCubeHotspots. */
int esk_cuda_valid_pixels      (EskStream *stream, const EskTile *tile, const EskSelection *selection, uint8_t *valid,
                                size_t *n_valid);
int esk_cuda_band_ranges       (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, double *minimum, double *maximum);
int esk_cuda_band_sums         (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, double *sum, int64_t *count);
int esk_cuda_project           (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, const EskMatrix *basis, const double *mean, float *out,
                                size_t plane_stride);
int esk_cuda_noise_residual    (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, EskNoiseKind kind, EskNoisePart part, const EskMargin *margin,
                                const EskTile *out, uint8_t *out_valid, uint32_t *overflow);
int esk_cuda_project_error     (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, const EskMatrix *forward, const EskMatrix *backward,
                                const double *mean, const double *scale, const double *offset, float *rmse,
                                float *angle, EskErrorSums *sums);
