/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams: what has been heard, how it is kept and how it is told. An object may be used from
 * several streams, one after another: each call waits, in its stream's order, for what the one before asked for.
 */

#include "es-cuda-adaptive-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of cuBLAS, which with memory of its own gives the same bytes whatever other streams do. */
#define WORKSPACE_BYTES ((size_t) 32 << 20)
/* A part of the device's memory that the scratch of a chunk takes; for tests, almost nothing. */
#define CHUNK_SHARE 8
#define SMALL_CHUNK_BYTES ((size_t) 1 << 16)
/* Phases of more turns than this have too little of a fraction left. */
#define MOST_TURNS 0x1p48

/* ---- libraries ---- */

int
esk_cuda_check_blas (EskStream      *stream,
                     cublasStatus_t  status,
                     const char     *what)
{
  return esk_cuda_check_library (stream, status == CUBLAS_STATUS_SUCCESS, status == CUBLAS_STATUS_ALLOC_FAILED,
                                 (int) status, what);
}

int
esk_cuda_check_solver (EskStream        *stream,
                       cusolverStatus_t  status,
                       const char       *what)
{
  return esk_cuda_check_library (stream, status == CUSOLVER_STATUS_SUCCESS, status == CUSOLVER_STATUS_ALLOC_FAILED,
                                 (int) status, what);
}

/* The first thing of every call but new: the object's own order, and the libraries on this stream. */
int
esk_cuda_adaptive_begin (EskStream   *stream,
                         EskAdaptive *adaptive,
                         bool         libraries)
{
  int code = esk_cuda_enter (stream);

  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamWaitEvent (stream->stream, adaptive->last, 0), "adaptive beams");
  if (code == ESK_OK && libraries)
    {
      code = esk_cuda_check_blas (stream, cublasSetStream (adaptive->blas, stream->stream), "cuBLAS");
      if (code == ESK_OK)
        code = esk_cuda_check_blas (stream, cublasSetWorkspace (adaptive->blas, adaptive->workspace, WORKSPACE_BYTES),
                                    "cuBLAS");
      if (code == ESK_OK)
        code = esk_cuda_check_solver (stream, cusolverDnSetStream (adaptive->solver, stream->stream), "cuSOLVER");
    }

  return code;
}

int
esk_cuda_adaptive_end (EskStream   *stream,
                       EskAdaptive *adaptive,
                       int          code)
{
  int recorded = esk_cuda_check (stream, cudaEventRecord (adaptive->last, stream->stream), "adaptive beams");

  return code == ESK_OK ? recorded : code;
}

/* ---- preparing ---- */

static bool
phases_fit (const EskAdaptivePlan *plan)
{
  const double last = plan->first_frequency + (double) plan->bins * plan->bin_spacing;
  double largest = 0.0, direction = 2.0;

  for (size_t k = 0; k < 3 * plan->elements; k++)
    {
      if (!isfinite (plan->positions[k]))
        return false;
      largest = fmax (largest, fabs (plan->positions[k]));
    }
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      const EskFocus *p = &plan->foci[f];

      if (!isfinite (p->x) || !isfinite (p->y) || !isfinite (p->z))
        return false;
      if (!p->near)
        direction = fmax (direction, fabs (p->x) + fabs (p->y) + fabs (p->z));
    }

  return 3.0 * largest * direction / plan->sound_speed * fmax (fabs (plan->first_frequency), fabs (last)) < MOST_TURNS;
}

/* Also how large the ring or the sums are. */
static int
check_plan (const EskAdaptivePlan *plan,
            size_t                *bytes)
{
  size_t count;

  if (plan == NULL || plan->elements < 1 || plan->elements > INT_MAX / 4 || plan->positions == NULL || plan->n_foci < 1
      || plan->n_foci > INT_MAX / 4 || plan->foci == NULL || plan->bins < 1 || plan->bins > INT_MAX / 4
      || plan->columns > INT_MAX / 4 || !isfinite (plan->sound_speed) || plan->sound_speed <= 0.0
      || !isfinite (plan->first_frequency) || !isfinite (plan->bin_spacing)
      || __builtin_mul_overflow (plan->n_foci, plan->bins, &count)
      || __builtin_mul_overflow (count, 2 * sizeof (double), &count) || !phases_fit (plan))
    return ESK_ERROR_ARGUMENT;

  *bytes = plan->columns > 0 ? plan->columns * 2 * sizeof (float) : plan->elements * sizeof (double2);
  if (__builtin_mul_overflow (*bytes, plan->columns > 0 ? esk_spectra_stride (plan->elements) : plan->elements, bytes)
      || __builtin_mul_overflow (*bytes, plan->bins, bytes))
    return ESK_ERROR_MEMORY;

  return ESK_OK;
}

static void *
array_new (EskStream   *stream,
           EskAdaptive *adaptive,
           const void  *from,
           size_t       bytes,
           int         *code)
{
  return *code == ESK_OK ? esk_cuda_array_new (stream, &adaptive->arrays, from, bytes, code) : NULL;
}

static int
make_arrays (EskStream             *stream,
             EskAdaptive           *adaptive,
             const EskAdaptivePlan *plan,
             size_t                 store_bytes)
{
  const size_t numbers = plan->n_foci * plan->bins * sizeof (double);
  EskCudaPoint *foci = (EskCudaPoint *) calloc (plan->n_foci, sizeof *foci);
  void *store;
  int code = foci != NULL ? ESK_OK : ESK_ERROR_MEMORY;

  if (code != ESK_OK)
    return code;
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      EskCudaPoint point = { plan->foci[f].x, plan->foci[f].y, plan->foci[f].z, plan->foci[f].near ? 1.0 : 0.0 };

      foci[f] = point;
    }
  adaptive->foci = (EskCudaPoint *) array_new (stream, adaptive, foci, plan->n_foci * sizeof *foci, &code);
  free (foci);
  adaptive->positions = (double *) array_new (stream, adaptive, plan->positions, plan->elements * 3 * sizeof (double),
                                              &code);
  adaptive->power = (double *) array_new (stream, adaptive, NULL, plan->elements * plan->bins * sizeof (double),
                                          &code);
  adaptive->bins = (EskCudaAdaptiveBin *) array_new (stream, adaptive, NULL, plan->bins * sizeof *adaptive->bins,
                                                     &code);
  adaptive->spectrum = (double *) array_new (stream, adaptive, NULL, numbers, &code);
  adaptive->music = (double *) array_new (stream, adaptive, NULL, numbers, &code);
  adaptive->workspace = array_new (stream, adaptive, NULL, WORKSPACE_BYTES, &code);
  store = array_new (stream, adaptive, NULL, store_bytes, &code);
  if (plan->columns == 0)
    adaptive->sums = (double2 *) store;
  else
    {
      adaptive->ring = (float *) store;
      adaptive->factors = (double *) array_new (stream, adaptive, NULL, plan->columns * sizeof (double), &code);
      adaptive->weights = (double *) calloc (plan->columns, 2 * sizeof (double));
      if (code == ESK_OK && adaptive->weights == NULL)
        code = ESK_ERROR_MEMORY;
    }

  return code;
}

static int
make_libraries (EskStream   *stream,
                EskAdaptive *adaptive)
{
  int code = esk_cuda_check_blas (stream, cublasCreate (&adaptive->blas), "cuBLAS");

  if (code != ESK_OK)
    adaptive->blas = NULL;
  else
    {
      code = esk_cuda_check_solver (stream, cusolverDnCreate (&adaptive->solver), "cuSOLVER");
      if (code != ESK_OK)
        adaptive->solver = NULL;
    }
  for (unsigned k = 0; k < ESK_ADAPTIVE_MARKS && code == ESK_OK; k++)
    code = esk_cuda_check (stream, cudaEventCreate (&adaptive->marks[k]), "adaptive beams");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaEventCreateWithFlags (&adaptive->last, cudaEventDisableTiming),
                           "adaptive beams");

  return code;
}

EskAdaptive *
esk_cuda_adaptive_new (EskStream             *stream,
                       const EskAdaptivePlan *plan,
                       int                   *code)
{
  EskAdaptive *adaptive;
  size_t store_bytes = 0;

  *code = stream != NULL ? check_plan (plan, &store_bytes) : ESK_ERROR_ARGUMENT;
  if (*code == ESK_OK)
    *code = esk_cuda_enter (stream);
  if (*code != ESK_OK)
    return NULL;

  *code = ESK_ERROR_MEMORY;
  adaptive = (EskAdaptive *) calloc (1, sizeof *adaptive);
  if (adaptive == NULL)
    return NULL;
  adaptive->plan = *plan;
  adaptive->plan.positions = NULL;
  adaptive->plan.foci = NULL;
  adaptive->stride = esk_spectra_stride (plan->elements);
  adaptive->arrays.index = stream->index;
  adaptive->chunk_bytes = (size_t) (esk_cuda_device_memory (stream->device) / CHUNK_SHARE);
  if (adaptive->chunk_bytes < ESK_ADAPTIVE_LEAST_CHUNK)
    adaptive->chunk_bytes = ESK_ADAPTIVE_LEAST_CHUNK;
  if (esk_cuda_wants_slices ())
    adaptive->chunk_bytes = SMALL_CHUNK_BYTES;
  *code = make_arrays (stream, adaptive, plan, store_bytes);
  if (*code == ESK_OK)
    *code = make_libraries (stream, adaptive);
  if (*code == ESK_OK)
    *code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "preparing adaptive beams");
  if (*code != ESK_OK)
    {
      esk_cuda_adaptive_free (adaptive);
      return NULL;
    }

  return adaptive;
}

void
esk_cuda_adaptive_free (EskAdaptive *adaptive)
{
  if (adaptive == NULL)
    return;

  cudaSetDevice (adaptive->arrays.index);
  if (adaptive->last != NULL)
    cudaEventSynchronize (adaptive->last);
  if (adaptive->solver != NULL)
    cusolverDnDestroy (adaptive->solver);
  if (adaptive->blas != NULL)
    cublasDestroy (adaptive->blas);
  for (unsigned k = 0; k < ESK_ADAPTIVE_MARKS; k++)
    if (adaptive->marks[k] != NULL)
      cudaEventDestroy (adaptive->marks[k]);
  if (adaptive->last != NULL)
    cudaEventDestroy (adaptive->last);
  esk_cuda_arrays_free (&adaptive->arrays);
  cudaGetLastError ();
  free (adaptive->weights);
  free (adaptive);
}

/* ---- hearing ---- */

int
esk_cuda_adaptive_reset (EskStream   *stream,
                         EskAdaptive *adaptive)
{
  if (stream == NULL || adaptive == NULL)
    return ESK_ERROR_ARGUMENT;

  adaptive->used = adaptive->oldest = 0;
  adaptive->total = 0.0;

  return ESK_OK;
}

/* Snapshots `skip` .. of all bins to the places from `place` on. */
static __global__ void
__launch_bounds__ (256)
keep_columns (const float4 *values,
              size_t        snapshots,
              size_t        skip,
              float4       *ring,
              size_t        columns,
              size_t        place,
              size_t        floats)
{
  const size_t b = blockIdx.x, n = floats / 4;

  for (size_t s = skip + blockIdx.y; s < snapshots; s += gridDim.y)
    {
      const size_t to = (place + (s - skip)) % columns;

      for (size_t k = threadIdx.x; k < n; k += 256)
        ring[(b * columns + to) * n + k] = values[(b * snapshots + s) * n + k];
    }
}

static int
add_columns (EskStream        *stream,
             EskAdaptive      *adaptive,
             const EskSpectra *spectra,
             size_t            first_bin,
             double            keep,
             double            weight)
{
  const size_t columns = adaptive->plan.columns, snapshots = spectra->snapshots, floats = 2 * adaptive->stride;
  const size_t n = snapshots < columns ? snapshots : columns;
  const size_t kept = adaptive->used < columns - n ? adaptive->used : columns - n;
  const size_t place = (adaptive->oldest + adaptive->used) % columns;
  const float *values = spectra->values + first_bin * snapshots * floats;
  int code;

  keep_columns<<<dim3 ((unsigned) adaptive->plan.bins, (unsigned) (n < 65535 ? n : 65535)), 256, 0, stream->stream>>>
    ((const float4 *) values, snapshots, snapshots - n, (float4 *) adaptive->ring, columns, place, floats);
  code = esk_cuda_launched (stream, "columns of adaptive beams");
  if (code != ESK_OK)
    return code;

  for (size_t k = 0; k < columns; k++)
    adaptive->weights[k] *= keep;
  for (size_t s = 0; s < n; s++)
    adaptive->weights[(place + s) % columns] = weight;
  adaptive->oldest = (adaptive->oldest + adaptive->used - kept) % columns;
  adaptive->used = kept + n;

  return ESK_OK;
}

static int
add_sums (EskStream        *stream,
          EskAdaptive      *adaptive,
          const EskSpectra *spectra,
          size_t            first_bin,
          double            keep,
          double            weight)
{
  int code;

  if (adaptive->plan.elements > ESK_ADAPTIVE_MOST_ROWS || spectra->snapshots > INT_MAX / 4)
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_adaptive_begin (stream, adaptive, true);
  /* What is there has no meaning before anything has been heard. */
  if (code == ESK_OK)
    code = esk_cuda_adaptive_accumulate (stream, adaptive, spectra, first_bin, adaptive->total > 0.0 ? keep : 0.0,
                                         weight);
  if (code == ESK_OK)
    adaptive->total = keep * adaptive->total + weight * (double) spectra->snapshots;

  return code;
}

int
esk_cuda_adaptive_add (EskStream        *stream,
                       EskAdaptive      *adaptive,
                       const EskSpectra *spectra,
                       size_t            first_bin,
                       double            keep,
                       double            weight)
{
  int code;

  if (stream == NULL || adaptive == NULL || spectra == NULL || spectra->values == NULL
      || spectra->elements != adaptive->plan.elements || spectra->stride != adaptive->stride || spectra->snapshots < 1
      || adaptive->plan.bins > spectra->bins || first_bin > spectra->bins - adaptive->plan.bins
      || !(keep >= 0.0 && keep <= 1.0) || !(weight > 0.0) || !isfinite (weight))
    return ESK_ERROR_ARGUMENT;

  if (keep == 0.0)
    esk_cuda_adaptive_reset (stream, adaptive);
  code = esk_cuda_adaptive_begin (stream, adaptive, false);
  if (code == ESK_OK)
    {
      code = adaptive->ring != NULL ? add_columns (stream, adaptive, spectra, first_bin, keep, weight)
                                    : add_sums (stream, adaptive, spectra, first_bin, keep, weight);
      code = esk_cuda_adaptive_end (stream, adaptive, code);
    }

  return code;
}

/* ---- telling ---- */

/* Weights of the columns, oldest first, with the sum 1. */
static void
get_weights (const EskAdaptive *adaptive,
             double            *weights)
{
  double sum = 0.0;

  for (size_t s = 0; s < adaptive->used; s++)
    {
      weights[s] = adaptive->weights[(adaptive->oldest + s) % adaptive->plan.columns];
      sum += weights[s];
    }
  for (size_t s = 0; s < adaptive->used; s++)
    weights[s] /= sum;
}

int
esk_cuda_adaptive_measure (EskStream   *stream,
                           EskAdaptive *adaptive)
{
  int code = ESK_OK;

  if (adaptive->ring != NULL)
    {
      double *factors = adaptive->weights + adaptive->plan.columns;

      get_weights (adaptive, factors);
      for (size_t s = 0; s < adaptive->used; s++)
        factors[s] = sqrt (factors[s]);
      code = esk_cuda_upload_table (stream, adaptive->factors, factors, adaptive->used * sizeof *factors);
    }
  if (code == ESK_OK)
    code = esk_cuda_adaptive_prepare (stream, adaptive);

  return code;
}


static int
fetch_columns (EskStream   *stream,
               EskAdaptive *adaptive,
               size_t       bin,
               float       *columns)
{
  const size_t elements = adaptive->plan.elements, all = adaptive->plan.columns, stride = adaptive->stride;
  int code = ESK_OK;

  memset (columns, 0, all * 2 * elements * sizeof *columns);
  for (size_t done = 0; done < adaptive->used && code == ESK_OK;)
    {
      const size_t place = (adaptive->oldest + done) % all;
      const size_t n = adaptive->used - done < all - place ? adaptive->used - done : all - place;

      code = esk_cuda_check (stream, cudaMemcpy2DAsync (columns + done * 2 * elements, elements * sizeof (float),
                                                        adaptive->ring + (bin * all + place) * 2 * stride,
                                                        stride * sizeof (float), elements * sizeof (float), 2 * n,
                                                        cudaMemcpyDeviceToHost, stream->stream),
                             "copying from the device");
      done += n;
    }
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "copying from the device");

  return code;
}

static int
fetch_matrix (EskStream   *stream,
              EskAdaptive *adaptive,
              size_t       bin,
              double      *matrix)
{
  const size_t n = adaptive->plan.elements;
  double2 *made = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_MATRICES,
                                                n * n * sizeof *made);
  int code = made != NULL ? esk_cuda_adaptive_measure (stream, adaptive) : ESK_ERROR_MEMORY;

  if (code == ESK_OK)
    code = esk_cuda_adaptive_matrices (stream, adaptive, bin, 1, 0.0, false, ESK_MATRIX_FULL, made);
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, matrix, made, n * n * sizeof *made);
  /* Rows for columns: the conjugate. */
  for (size_t k = 0; k < n * n && code == ESK_OK; k++)
    matrix[2 * k + 1] = -matrix[2 * k + 1];

  return code;
}

int
esk_cuda_adaptive_state (EskStream   *stream,
                         EskAdaptive *adaptive,
                         size_t       bin,
                         float       *columns,
                         double      *weights,
                         double      *matrix,
                         size_t      *used)
{
  int code;

  if (stream == NULL || adaptive == NULL || bin >= adaptive->plan.bins
      || (adaptive->ring == NULL && (columns != NULL || weights != NULL))
      || (adaptive->used == 0 && adaptive->total == 0.0)
      || (matrix != NULL && adaptive->plan.elements > ESK_ADAPTIVE_MOST_ROWS))
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_adaptive_begin (stream, adaptive, matrix != NULL);
  if (code == ESK_OK && used != NULL)
    *used = adaptive->used;
  if (code == ESK_OK && weights != NULL)
    {
      memset (weights, 0, adaptive->plan.columns * sizeof *weights);
      get_weights (adaptive, weights);
    }
  if (code == ESK_OK && columns != NULL)
    code = fetch_columns (stream, adaptive, bin, columns);
  if (code == ESK_OK && matrix != NULL)
    code = fetch_matrix (stream, adaptive, bin, matrix);

  return code;
}
