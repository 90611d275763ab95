/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Cubes: which pixels count, ranges and sums of bands, covariance, projection, noise, the error of a reduction. */

#include "es-covariance.h"
#include "es-hotspots-stream.h"
#include "es-noise.h"
#include "es-tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How well a reduction describes the cube. Host memory of the caller's, n_bands each; what is there is added to.
 * e = x - estimate. */
typedef struct {
  size_t   n_bands;
  int64_t  count;              /* valid pixels */
  double  *error;              /* sum of e */
  double  *square;             /* sum of e^2 */
  double   angle;              /* sum of the spectral angles, degrees */
  double   largest;            /* largest e^2 summed over a pixel's bands / n_bands */
} EskErrorSums;

typedef struct {
  /*
   * valid[width * height] becomes 1 where every selected band is finite and not no-data, else 0. On entry it holds
   * the data set's own mask (1 = may count). *n_valid is the number of ones. Of planes (es-hotspots.h) the rows of
   * `valid` are row_stride apart, here and below, and no_data is looked at where it is given.
   */
  int (*valid_pixels)    (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          uint8_t *valid, size_t *n_valid);

  /* Lowers minimum[n_bands] and raises maximum[n_bands] by the valid samples as stored (selection's own minimum and
   * maximum are not applied). */
  int (*band_ranges)     (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const uint8_t *valid, double *minimum, double *maximum);

  /* sum[n_bands] += the values of every valid pixel, and *count += their number: a first estimate of the mean. */
  int (*band_sums)       (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const uint8_t *valid, double *sum, int64_t *count);

  /* Adds the tile's valid pixels to the sums. covariance->exact only for exact types or with 8-bit quantising. */
  int (*covariance_sums) (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const uint8_t *valid, EskCovariance *covariance);
  /* Brings what has been summed in the device's memory into the covariance and forgets it there. NULL: it is in the
   * covariance already. Exact: the same totals whatever the tiles. Otherwise: the same bytes for the same tiles. */
  int (*covariance_collect) (EskStream *stream, EskCovariance *covariance);

  /*
   * out[row r][pixel p] = sum_b basis[r][b] * (x[b][p] - mean[b]), r < basis->rows, p = row * width + column,
   * plane r at out + r * plane_stride (floats). mean: n_bands float64, NULL = not removed. Pixels that are not
   * valid become NAN.
   */
  int (*project)         (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const uint8_t *valid, const EskMatrix *basis, const double *mean,
                          float *out, size_t plane_stride);

  /*
   * out[b][row][column] = part of the residual of the pixel (column + margin->left, row + margin->top) of the tile,
   * b over the selected bands. The margin covers the kind's own (esk_noise_margin ()), else ESK_ERROR_ARGUMENT.
   * out: planes (see load ()) of the tile's width and height less the margin; its type is ESK_I16 where the tile's type
   * is exact or the selection quantises (values are then the quantised ones), else ESK_F32 (part is WHOLE then;
   * differences are taken in float64 and rounded once, the mean is sum of nine, row by row, times 1/9). out_valid
   * (rows of out->row_stride; nullable where `valid` is): 1 where every pixel that took part is valid. overflow: one
   * uint32 of the stream's memory, raised to 1 where a WHOLE did not fit; nullable.
   * On a device, tile is planes (native order, selected bands only), out and out_valid lie there too.
   */
  int (*noise_residual)  (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                          EskNoiseKind kind, EskNoisePart part, const EskMargin *margin, const EskTile *out,
                          uint8_t *out_valid, uint32_t *overflow);

  /*
   * estimate = mean + backward (forward (x - mean)), of the values as stored (or quantised): forward is m x n_bands,
   * backward n_bands x m. With s = scale (n_bands, host, nullable: ones) and o = offset (nullable: zeros):
   * rmse[p] = sqrt (sum_b (s (x - estimate))^2 / n_bands), angle[p] = the angle in degrees between s x + o and
   * s estimate + o, by atan2 (sqrt (a q - p^2), a - p) of a = |x|^2, p = x.e, q = |e|^2, which small angles survive;
   * 0 where a vector is zero. float32 planes of the tile's pixels, packed, in the stream's memory, NAN where not valid;
   * nullable. The sums (of s e) are host memory and there when this returns; nullable.
   */
  int (*project_error)   (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                          const EskMatrix *forward, const EskMatrix *backward, const double *mean,
                          const double *scale, const double *offset, float *rmse, float *angle, EskErrorSums *sums);
} EskCubeHotspots;

#ifdef __cplusplus
}
#endif
