/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What a device can do: the table of hot spots.
 *
 * Plain C: no GLib, no CUDA type. Every back end fills one EskHotspots; an entry that is NULL is computed by the
 * CPU instead. Launchers work on the stream they are given, guard every edge, return ESK_OK or a negative code,
 * never print and never exit. One stream is used by one thread at a time; different streams are independent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ESK_HOTSPOTS_ABI 1

enum {
  ESK_OK = 0,
  ESK_ERROR_ARGUMENT = -1,     /* sizes or pointers that cannot be right */
  ESK_ERROR_MEMORY = -2,       /* host or device memory exhausted */
  ESK_ERROR_DEVICE = -3,       /* the device failed; see EskHotspots.last_error */
  ESK_ERROR_NO_CONVERGENCE = -4
};

/* How one sample is stored. 64-bit integers are read as float64. */
typedef enum {
  ESK_U8, ESK_I8, ESK_U16, ESK_I16, ESK_U32, ESK_I32, ESK_U64, ESK_I64, ESK_F32, ESK_F64,
  ESK_N_TYPES
} EskType;

/* Bytes of one sample; 0 for an unknown type. */
size_t      esk_type_size       (EskType type);
/* "uint8", "int16", "float32" ... */
const char *esk_type_name       (EskType type);
/* True for 8- and 16-bit integers, whose sums are exact (DESIGN section 4). */
bool        esk_type_is_exact   (EskType type);

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

/*
 * Sums for a covariance (hyperspectral.md 2.2). Exact: integer totals of the values themselves. Otherwise: float64
 * totals of the values less `shift` (a first estimate of the mean, which takes the cancellation out of float32).
 * Matrices are row-major n_bands x n_bands with the lower triangle filled (column <= row).
 */
typedef struct {
  size_t   n_bands;
  bool     exact;
  int64_t  count;              /* pixels summed */
  int64_t *integer_sum;        /* exact: n_bands */
  int64_t *integer_product;    /* exact: n_bands x n_bands */
  double  *shift;              /* not exact: n_bands */
  double  *sum;                /* not exact: n_bands, of (x - shift) */
  double  *product;            /* not exact: n_bands x n_bands, of (x_i - shift_i) (x_j - shift_j) */
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

/* Row-major float32 matrix. */
typedef struct {
  size_t       rows, columns;
  const float *values;
} EskMatrix;

typedef struct _EskStream EskStream;   /* the back end's own: scratch memory and, on a GPU, a stream */

typedef struct {
  unsigned     abi;                    /* ESK_HOTSPOTS_ABI */
  const char  *name;                   /* "cpu", "cuda" */

  EskStream * (*stream_new)  (int device);
  void        (*stream_free) (EskStream *stream);
  /* The reason of the last ESK_ERROR_DEVICE on this stream; owned by the stream. */
  const char *(*last_error)  (EskStream *stream);

  /*
   * valid[width * height] becomes 1 where every selected band is finite and not no-data, else 0. On entry it holds
   * the data set's own mask (1 = may count). *n_valid is the number of ones.
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

  /*
   * out[row r][pixel p] = sum_b basis[r][b] * (x[b][p] - mean[b]), r < basis->rows, p = row * width + column,
   * plane r at out + r * plane_stride (floats). mean: n_bands float64, NULL = not removed. Pixels that are not
   * valid become NAN.
   */
  int (*project)         (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const uint8_t *valid, const EskMatrix *basis, const double *mean,
                          float *out, size_t plane_stride);
} EskHotspots;

/* The CPU's table: complete, always there, the reference. */
const EskHotspots *esk_cpu_hotspots (void);

/* Float32 samples of one band of a tile, width * height, row-major; no_data (may be NAN) and non-finite become NAN;
 * value = stored * scale + offset. */
int esk_convert_band (const EskTile *tile, size_t band, double no_data, double scale, double offset, float *out);
/* One pixel's samples, tile->bands of them, as stored, in float64. */
int esk_convert_pixel (const EskTile *tile, size_t column, size_t row, double *out);

#ifdef __cplusplus
}
#endif
