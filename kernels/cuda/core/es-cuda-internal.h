/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the files of the CUDA back end share. C++ as nvcc compiles it, in the manner of the C around it: no exceptions,
 * no STL containers, no global constructors.
 */

#include <cuda_runtime.h>

#include "es-hotspots.h"

typedef struct _EskCudaDevice EskCudaDevice;     /* es-cuda-device.cu: library handles, pools, whether it is lost */

/* Scratch memory on the device that grows and is kept until the stream goes. */
typedef struct {
  void   *data;
  size_t  size;
} EskCudaScratch;

/* Which scratch: a hot spot may use those of its own and what it calls, never one that is in use above it. */
typedef enum {
  ESK_SCRATCH_IMPORT,          /* load: samples as the host had them */
  ESK_SCRATCH_COMPACT,         /* planes made contiguous and aligned */
  ESK_SCRATCH_COMPACT_VALID,
  ESK_SCRATCH_QUANTISED,       /* 8-bit planes */
  ESK_SCRATCH_TABLES,          /* small per-band tables */
  ESK_SCRATCH_PARTIAL,         /* partial sums */
  ESK_SCRATCH_BASIS,
  ESK_SCRATCH_WORK,            /* anything inside one launcher */
  ESK_N_SCRATCHES
} EskScratchUse;

struct _EskStream {
  EskCudaDevice *device;
  int            index;
  cudaStream_t   stream;
  EskCudaScratch scratch[ESK_N_SCRATCHES];
  void          *pinned;       /* small page-locked block for results and tables: esk_cuda_pinned () */
  size_t         pinned_size;
  int            pending;      /* the first code that went wrong since the last wait () */
  char           error[256];
};

/* Properties that kernels choose by. */
typedef struct {
  int    major, minor;         /* of the device */
  int    multiprocessors;
  size_t shared_optin;         /* shared memory a block may ask for */
  size_t l2_bytes;
} EskCudaProperties;

const EskCudaProperties *esk_cuda_properties (const EskStream *stream);

/* Makes the stream's device current on the calling thread: the first thing each launcher does. */
int   esk_cuda_enter   (EskStream *stream);
/*
 * cudaSuccess -> ESK_OK; otherwise remembers "what: reason" for last_error and answers ESK_ERROR_MEMORY (and clears the
 * error), ESK_ERROR_LOST (sticky errors: the device is marked lost) or ESK_ERROR_DEVICE.
 */
int   esk_cuda_check   (EskStream *stream, cudaError_t code, const char *what);
/* esk_cuda_check (cudaGetLastError ()) after a launch. */
int   esk_cuda_launched (EskStream *stream, const char *what);

/* At least `bytes` of scratch, 256-byte aligned; NULL: no memory (esk_cuda_check has been told). Contents undefined.
 * Growing waits for the stream first. */
void *esk_cuda_scratch (EskStream *stream, EskScratchUse use, size_t bytes);
/* A page-locked block of the stream's, at least `bytes`; for small tables and results. The stream must be idle with
 * regard to it: a launcher that fills it for an asynchronous copy calls esk_cuda_upload_table instead. */
void *esk_cuda_pinned  (EskStream *stream, size_t bytes);
/* Copies a small host table to the device in the stream's order; the host's may change when it returns. */
int   esk_cuda_upload_table (EskStream *stream, void *to, const void *from, size_t bytes);
/* Copies a small result to the host and waits for it. */
int   esk_cuda_fetch   (EskStream *stream, void *to, const void *from, size_t bytes);

/* Memory of the device that counts for the fault injection of the tests (ES_CUDA_FAIL_ALLOCATION=n: the n-th and every
 * later one fails; "n!" only the n-th). */
cudaError_t esk_cuda_malloc (void **memory, size_t bytes);

/* The planes as one run of pixels: data + band * band_stride + pixel. Where rows are padded, or where data, band_stride
 * or valid are not aligned to 16 bytes, a copy in the stream's scratch; otherwise the planes themselves. */
typedef struct {
  const void    *data;
  EskType        type;
  size_t         n_pixels, n_bands;
  size_t         band_stride;  /* samples, a multiple of 16 bytes */
  const uint8_t *valid;        /* NULL: all */
} EskCudaRun;

/* es-cuda-planes.cu. `aligned`: 16-byte alignment is asked for. Checks the tile's geometry (ESK_ERROR_ARGUMENT). */
int   esk_cuda_run     (EskStream *stream, const EskTile *planes, const uint8_t *valid, bool aligned, EskCudaRun *run);
/* es-cuda-planes.cu: the run as 8-bit planes by selection's minimum and maximum, exactly as the CPU does it, in
 * ESK_SCRATCH_QUANTISED (band_stride a multiple of 128). In slices: `first` .. `first + n` of the pixels. */
int   esk_cuda_quantise (EskStream *stream, const EskCudaRun *run, const EskSelection *selection,
                         size_t first, size_t n, EskCudaRun *out);

/* The hot spots, in the files that are named after them. */
int esk_cuda_load              (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const EskTile *planes, uint8_t *valid);
int esk_cuda_valid_pixels      (EskStream *stream, const EskTile *tile, const EskSelection *selection, uint8_t *valid,
                                size_t *n_valid);
int esk_cuda_band_ranges       (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, double *minimum, double *maximum);
int esk_cuda_band_sums         (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, double *sum, int64_t *count);
int esk_cuda_covariance_sums   (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, EskCovariance *covariance);
int esk_cuda_covariance_collect (EskStream *stream, EskCovariance *covariance);
int esk_cuda_project           (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, const EskMatrix *basis, const double *mean, float *out,
                                size_t plane_stride);
int esk_cuda_eigen_symmetric   (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors);
int esk_cuda_noise_residual    (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, EskNoiseKind kind, EskNoisePart part, const EskMargin *margin,
                                const EskTile *out, uint8_t *out_valid, uint32_t *overflow);
int esk_cuda_project_error     (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const uint8_t *valid, const EskMatrix *forward, const EskMatrix *backward,
                                const double *mean, const double *scale, const double *offset, float *rmse,
                                float *angle, EskErrorSums *sums);
int esk_cuda_plane_statistics  (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out);
int esk_cuda_plane_halve       (EskStream *stream, const float *from, size_t width, size_t height, float *to);
int esk_cuda_plane_decimate    (EskStream *stream, const float *from, size_t stride, size_t width, size_t height,
                                size_t step, float *to);
int esk_cuda_gl_shares         (EskStream *stream, int device);
int esk_cuda_gl_register       (EskStream *stream, unsigned texture, EskTexture **out);
void esk_cuda_gl_unregister    (EskStream *stream, EskTexture *texture);
int esk_cuda_gl_copy           (EskStream *stream, EskTexture *texture, const float *plane, size_t width,
                                size_t height);

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
