/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the files of the CUDA back end share. C++ as nvcc compiles it, in the manner of the C around it: no exceptions,
 * no STL containers, no global constructors.
 */

#include <cuda_runtime.h>

#include "es-hotspots-device.h"
#include "es-hotspots-eigen.h"
#include "es-hotspots-stream.h"
#include "es-tile.h"

/* The tables that this room fills. */
extern const EskStreamHotspots esk_cuda_stream_hotspots;
extern const EskDeviceHotspots esk_cuda_device_hotspots;
extern const EskEigenHotspots  esk_cuda_eigen_hotspots;

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
  ESK_SCRATCH_SLOTS,           /* es-cuda-slots.cuh alone: what its blocks count with is 0 between two launches */
  ESK_N_SCRATCHES
} EskScratchUse;

struct _EskStream {
  EskCudaDevice *device;
  int            index;
  cudaStream_t   stream;
  EskCudaScratch scratch[ESK_N_SCRATCHES];
  void          *pinned;       /* small page-locked block for results and tables: esk_cuda_pinned () */
  size_t         pinned_size;
  const int     *cancelled;    /* set_cancelled (); for what takes longer than some launches */
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

bool     esk_cuda_device_is_lost (EskCudaDevice *device);
/* Bytes, free or not. */
uint64_t esk_cuda_device_memory  (const EskCudaDevice *device);
/* CUDA's own number of the device of public number `index` (0 .. device_count () - 1); negative: there is none. */
int      esk_cuda_device_ordinal (int index);

/* Makes the stream's device current on the calling thread: the first thing each launcher does. */
int   esk_cuda_enter   (EskStream *stream);
/*
 * cudaSuccess -> ESK_OK; otherwise remembers "what: reason" for last_error and answers ESK_ERROR_MEMORY (and clears the
 * error), ESK_ERROR_LOST (sticky errors: the device is marked lost) or ESK_ERROR_DEVICE.
 */
int   esk_cuda_check   (EskStream *stream, cudaError_t code, const char *what);
/* The same of what a library answered: that it could not be opened, if so; else its status. */
int   esk_cuda_check_library (EskStream *stream, bool fine, bool no_memory, int status, const char *what);
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
