/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Tiles of cubes: what the hot spots of cubes and of a device's memory are given. */

#include "es-type.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A window of a cube in the file's own type and layout. The sample of (column, row, band) is at
 * data[column * column_stride + row * row_stride + band * band_stride]; strides count samples, so that one
 * descriptor is BSQ (1, width, width * height), BIL (1, width * bands, width), BIP (bands, width * bands, 1)
 * and any axis order of netCDF.
 */
typedef struct {
  const void *data;
  EskType     type;
  bool        byte_swapped;    /* stored in the other byte order */
  size_t      width, height, bands;
  ptrdiff_t   column_stride, row_stride, band_stride;
} EskTile;

/*
 * Which samples count, and how they become numbers.
 *   bands      indices of the bands used, ascending, n_bands of them
 *   no_data    n_bands stored values that mean "missing"; NAN where a band has none; NULL: no band has one
 *   minimum, maximum  n_bands each, or NULL. Where given, a sample I becomes
 *              floor ((I - minimum) * 255 / (maximum - minimum)) clamped to 0..255, and 0 where they are equal
 *              (hyperspectral.md 1.3), computed exactly for integers: sums are then exact for every type.
 */
typedef struct {
  const uint32_t *bands;
  size_t          n_bands;
  const double   *no_data;
  const double   *minimum, *maximum;
} EskSelection;

/* Row-major float32 matrix. */
typedef struct {
  size_t       rows, columns;
  const float *values;
} EskMatrix;

/* Float32 samples of one band of a tile, width * height, row-major; no_data (may be NAN) and non-finite become NAN;
 * value = stored * scale + offset. */
int esk_convert_band (const EskTile *tile, size_t band, double no_data, double scale, double offset, float *out);
/* One pixel's samples, tile->bands of them, as stored, in float64. */
int esk_convert_pixel (const EskTile *tile, size_t column, size_t row, double *out);

#ifdef __cplusplus
}
#endif
