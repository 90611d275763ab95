/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What a device can do: the table of hot spots.
 *
 * Plain C: no GLib, no CUDA type. Every back end fills one EskHotspots; an entry that is NULL is computed by the
 * CPU instead. Launchers work on the stream they are given, guard every edge, return ESK_OK or a negative code,
 * never print and never exit. One stream is used by one thread at a time; different streams are independent.
 *
 * A back end may have memory of its own (memory_new is not NULL: a GPU). Its hot spots then work on "planes" that
 * load () made: EskTile.data, `valid` and `out` point into the device's memory, and selection->bands and ->no_data are
 * not looked at again, for planes hold the selected bands only and `valid` knows what is missing. Launchers may return
 * before the work is done; wait () waits for it and tells how it went. What they read from the host (basis, mean,
 * selection) is copied before they return; what they write to the host (ranges, sums, statistics) is there when they
 * return.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "es-adaptive.h"
#include "es-spectra.h"
#include "es-type.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ESK_HOTSPOTS_ABI 5

enum {
  ESK_OK = 0,
  ESK_ERROR_ARGUMENT = -1,     /* sizes or pointers that cannot be right */
  ESK_ERROR_MEMORY = -2,       /* host or device memory exhausted */
  ESK_ERROR_DEVICE = -3,       /* the device failed; see EskHotspots.last_error */
  ESK_ERROR_NO_CONVERGENCE = -4,
  ESK_ERROR_LOST = -5,         /* the device is gone for the rest of this process (unplugged, reset, faulted) */
  ESK_ERROR_SINGULAR = -6,     /* a matrix has no inverse; a loading would give it one */
  ESK_ERROR_CANCELLED = -7     /* the caller did not want it any more */
};

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

/* Row-major float32 matrix. */
typedef struct {
  size_t       rows, columns;
  const float *values;
} EskMatrix;

/* ---- noise (hyperspectral.md 2.4, 3.4, 9.9) ---- */

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

/* ---- independent components (hyperspectral.md 2.3) ---- */

/* g, g' and G of the table in 2.3; `slope` is the a of tanh (a y). */
typedef enum { ESK_CONTRAST_CUBIC, ESK_CONTRAST_TANH, ESK_CONTRAST_GAUSS, ESK_N_CONTRASTS } EskContrastKind;
typedef struct {
  EskContrastKind kind;
  double          slope;
} EskContrast;

/* Sums of one step, host memory of the caller's; what is there is added to. w has `rows` vectors of `columns`. */
typedef struct {
  size_t   rows, columns;
  int64_t  count;              /* samples */
  double  *product;            /* rows x columns: sum of z g (w'z) */
  double  *derivative;         /* rows: sum of g' (w'z) */
} EskIcaSums;

/* Of y = w'z, a vector of w each: sums of y^2, y^3, y^4 and of the contrast G (y). */
typedef struct {
  double second, third, fourth, contrast;
} EskIcaMoments;

/* How many monomials esk moment_sums () sums over: m of the first degree and m (m + 1) / 2 of the second. */
static inline size_t
esk_n_monomials (size_t m)
{
  return m + m * (m + 1) / 2;
}
/* Where z_i z_j is among them, j <= i. */
static inline size_t
esk_monomial (size_t m, size_t i, size_t j)
{
  return m + i * (i + 1) / 2 + j;
}

/* Which samples an iteration uses: sample p of the tile is pixel `first` + (p / width) * stride + p % width of the
 * cube; it is kept where the upper 32 bits of esk_sample_hash (seed, pixel) are below `keep` (2^32: all). */
typedef struct {
  uint64_t seed, first, stride;
  size_t   width;
  uint64_t keep;
} EskSampling;

/* splitmix64's finaliser of seed and pixel: the same on every device. */
static inline uint64_t
esk_sample_hash (uint64_t seed, uint64_t pixel)
{
  uint64_t h = seed * 0x9e3779b97f4a7c15u + pixel;

  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

/* ---- how well a reduction describes the cube ---- */

/* Host memory of the caller's, n_bands each; what is there is added to. e = x - estimate. */
typedef struct {
  size_t   n_bands;
  int64_t  count;              /* valid pixels */
  double  *error;              /* sum of e */
  double  *square;             /* sum of e^2 */
  double   angle;              /* sum of the spectral angles, degrees */
  double   largest;            /* largest e^2 summed over a pixel's bands / n_bands */
} EskErrorSums;

typedef struct _EskStream EskStream;   /* the back end's own: scratch memory and, on a GPU, a stream */
typedef struct _EskTexture EskTexture; /* an OpenGL texture that a GPU may write */

/* A device with memory of its own, as it is now. */
typedef struct {
  char     name[128];                  /* "NVIDIA H200" */
  char     uuid[64];                   /* "GPU-..."; empty where unknown */
  int      major, minor;               /* compute capability */
  int      multiprocessors;
  uint64_t memory, memory_free;        /* bytes */
  int      pcie_generation, pcie_width;   /* of the link as it runs now; 0: not known */
  double   busy;                       /* share of the last second in which it computed, 0..1; negative: not known */
  int      temperature;                /* degrees Celsius; negative: not known */
  int      driver;                     /* CUDA version of the driver, 13000 = 13.0 */
} EskDeviceInfo;

/* Statistics of a plane for stretching, of every `step`-th sample; not finite ones do not count. */
typedef struct {
  uint64_t n_valid;
  double   minimum, maximum, mean, deviation;
  unsigned histogram[256];             /* over minimum..maximum */
  double   quantiles[1001];            /* at 0, 0.1 % ... 100 %, interpolated between the two samples beside */
} EskPlaneStatistics;

typedef struct {
  unsigned     abi;                    /* ESK_HOTSPOTS_ABI */
  const char  *name;                   /* "cpu", "cuda" */

  EskStream * (*stream_new)  (int device);
  void        (*stream_free) (EskStream *stream);
  /* The reason of the last ESK_ERROR_DEVICE on this stream; owned by the stream. */
  const char *(*last_error)  (EskStream *stream);

  /*
   * valid[width * height] becomes 1 where every selected band is finite and not no-data, else 0. On entry it holds
   * the data set's own mask (1 = may count). *n_valid is the number of ones. Of planes (see above) the rows of `valid`
   * are row_stride apart, here and below, and no_data is looked at where it is given.
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

  /* Eigenvalues (n, descending) and eigenvectors (row k belongs to value k, unit length) of a symmetric matrix in
   * float64; all three in host memory. NULL: esk_eigen_lapack (). */
  int (*eigen_symmetric) (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors);

  /* ---- reductions ---- */

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
   * Packs samples of float32 planes: those of the n that are kept by `sampling` (NULL: all) and finite in the first
   * plane, in their order, to out. planes and out lie in the stream's memory and do not overlap. *count, in host
   * memory, is how many there were; it is there when this returns.
   */
  int (*compact)         (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
                          const EskSampling *sampling, float *out, size_t out_stride, size_t *count);

  /* One step of FastICA over `count` whitened samples (planes of float32 in the stream's memory, all finite):
   * w is rows x columns in host memory, 1 <= rows <= columns planes. Float32 inside a few hundred samples, float64
   * across; the same bytes for the same samples. The sums are there when this returns. */
  int (*ica_step)        (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums);
  /* The moments of w'z, added to moments[w->rows]. */
  int (*ica_moments)     (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments);
  /* Adds the monomials of degree one and two of the m planes (esk_monomial ()) to covariance sums of
   * esk_n_monomials (m) "bands", not exact, with their shift: with it all moments up to the fourth. Collected by
   * covariance_collect () like others. Samples are finite. */
  int (*moment_sums)     (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                          EskCovariance *sums);

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

  /* ---- arrays: es-spectra.h ---- */

  /* Prepares transforms and beams, which may be used by any stream of the same device, by one at a time. What a library
   * or a device takes long for the first time is done here. NULL with *code: ESK_ERROR_ARGUMENT, _MEMORY, _DEVICE. */
  EskDft   *(*dft_new)   (EskStream *stream, const EskDftPlan *plan, int *code);
  void      (*dft_free)  (EskDft *dft);
  /* frames and spectra->values lie in the stream's memory; frames has at least (snapshots - 1) * hop + window_length
   * frames and every channel of the plan. spectra is of the plan's elements, bins and snapshots. health (elements
   * entries of the stream's memory) is nullable. */
  int       (*real_dft)  (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
                          EskChannelHealth *health);

  EskBeams *(*beams_new)  (EskStream *stream, const EskBeamPlan *plan, int *code);
  void      (*beams_free) (EskBeams *beams);
  /*
   * Powers of beams, averaged over the snapshots. Bin b of the beams is bin first_bin + b of the spectra.
   * by_bin[focus * bins + b] and band[focus] (summed over the bins of the beams) lie in the stream's memory, are
   * overwritten, and are nullable, not both. The same bytes for the same spectra.
   */
  int       (*beam_power) (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                           float *by_bin, float *band);
  /* Y itself: out[((focus * snapshots + snapshot) * bins + b) * 2 + part], in the stream's memory. NULL in a device's
   * table: the CPU does it. */
  int       (*beam_output) (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                            float *out);

  /* Adaptive beams: es-adaptive.h. What has been heard so far is kept in the device's memory. */
  EskAdaptive *(*adaptive_new) (EskStream *stream, const EskAdaptivePlan *plan, int *code);
  void      (*adaptive_free)  (EskAdaptive *adaptive);
  /* Nothing has been heard. */
  int       (*adaptive_reset) (EskStream *stream, EskAdaptive *adaptive);
  /* Weights so far are multiplied by keep (0..1), and the snapshots of the spectra join in, each with `weight` > 0.
   * Bin b of the plan is bin first_bin + b of the spectra. Of the columns the oldest go. */
  int       (*adaptive_add)   (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin,
                               double keep, double weight);
  /* ESK_ERROR_SINGULAR: see report (not nullable), which is there when this returns. Nothing heard yet: ARGUMENT. The
   * same bytes for what was heard in the same order. */
  int       (*adaptive_power) (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                               EskAdaptiveReport *report);
  /* What has been heard of one bin, to host memory: columns (plan->columns x 2 x elements, oldest first, `used` of them
   * filled) and weights that sum to 1 (plan->columns); or the normalised matrix (elements^2 complex, row-major, full),
   * which may also be asked for where there are columns. All nullable. */
  int       (*adaptive_state) (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                               double *matrix, size_t *used);

  /* How many threads real_dft (), beam_power (), beam_output () and adaptive_* () of this stream may use; 1 at first.
   * No result depends on it. NULL: there is nothing to choose. */
  int       (*set_threads) (EskStream *stream, int threads);

  /* ---- devices; NULL in the CPU's table from here on ---- */

  /* How many there are, numbered from 0. None: 0, and why (a sentence without a full stop) in `why`. */
  int  (*device_count)   (char *why, size_t why_bytes);
  int  (*device_info)    (int device, EskDeviceInfo *info);
  /* Starts what takes long the first time (context, libraries); from a thread that may wait for it. */
  int  (*device_warm_up) (int device);

  /* ---- memory ---- */

  void *(*memory_new)    (int device, size_t bytes);               /* NULL: not that much, or the device is lost */
  void  (*memory_free)   (int device, void *memory);               /* nobody uses it any more; NULL is allowed */
  /* Page-locked host memory, which every device copies from at the full speed of the link. NULL: not that much. */
  void *(*staging_new)   (size_t bytes);
  void  (*staging_free)  (void *staging);
  /* Copies, in the stream's order. Of page-locked memory they run beside the computation of other streams. */
  int   (*upload)        (EskStream *stream, void *to, const void *from, size_t bytes);
  /* n_rows rows of row_bytes, from and to strides in bytes (a window of planes; n_rows = 1: one run). */
  int   (*download)      (EskStream *stream, void *to, size_t to_stride, const void *from, size_t from_stride,
                          size_t row_bytes, size_t n_rows);
  /* Until everything asked of the stream is done. ESK_OK, or how the first of it failed. */
  int   (*wait)          (EskStream *stream);

  /*
   * Brings a tile from host memory, in any layout and byte order, into planes: the selected bands in the tile's own
   * type, native byte order, band after band. planes->data is where the tile's first pixel of the first selected band
   * goes; type, width and height are the tile's, bands is n_bands, column_stride 1, row_stride >= width (a window of
   * something wider), band_stride anything that holds the window. valid (nullable; its rows are
   * row_stride apart too) becomes 1 where every selected band is finite and not no-data, else 0. The host's samples
   * may be overwritten after wait ().
   */
  int   (*load)          (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const EskTile *planes, uint8_t *valid);

  /* ---- planes of float32 in the device's memory, for pictures ---- */

  int   (*plane_statistics) (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out);
  /* to: ((width + 1) / 2) x ((height + 1) / 2); the mean of the valid ones of 2 x 2 (which at an odd edge repeat),
   * NAN where there is none: bit for bit render/'s own halving, ((a + b) + (c + d)) * 0.25f or sum / n. */
  int   (*plane_halve)   (EskStream *stream, const float *from, size_t width, size_t height, float *to);
  /* Every step-th sample of every step-th row of a window of a plane that is `stride` wide, packed. */
  int   (*plane_decimate) (EskStream *stream, const float *from, size_t stride, size_t width, size_t height,
                           size_t step, float *to);

  /* ---- OpenGL; the GL context is current on the calling thread ---- */

  /* 1 where `device` drives the context, 0 where another does; negative: it cannot be known (Mesa). */
  int   (*gl_shares)     (EskStream *stream, int device);
  /* texture: a GL_TEXTURE_2D of GL_R32F, width x height, made by the caller and not resized while registered. */
  int   (*gl_register)   (EskStream *stream, unsigned texture, EskTexture **out);
  void  (*gl_unregister) (EskStream *stream, EskTexture *texture);
  /* Copies a plane into it; done when it returns as far as later GL commands are concerned. */
  int   (*gl_copy)       (EskStream *stream, EskTexture *texture, const float *plane, size_t width, size_t height);
} EskHotspots;

/*
 * What a loadable back end exports under this name: its table, or NULL and why it cannot work here (a sentence without
 * a full stop) where the ABI is another one or the machine lacks something. Opens no device.
 */
#define ESK_MODULE_ENTRY "esk_module_hotspots"
typedef const EskHotspots *(*EskModuleEntry) (unsigned abi, char *why, size_t why_bytes);


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
