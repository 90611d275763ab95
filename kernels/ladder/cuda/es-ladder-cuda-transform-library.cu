/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The transform of a cube by cuBLAS, which takes no bytes times float32: samples less the mean become float32, four
 * times as much memory, and are multiplied in float32. Both is part of the run.
 */

#include "es-ladder-cuda-transform-private.h"

#include <cublas_v2.h>
#include <stdlib.h>

#define THREADS 256

typedef cublasStatus_t (*Create) (cublasHandle_t *);
typedef cublasStatus_t (*Destroy) (cublasHandle_t);
typedef cublasStatus_t (*SetStream) (cublasHandle_t, cudaStream_t);
typedef cublasStatus_t (*Sgemm) (cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
                                 const float *, int, const float *, int, const float *, float *, int);

struct TransformLibrary {
  cublasHandle_t handle;
  Destroy        destroy;
  Sgemm          multiply;
  float         *centred, *mean;
};

static __global__ void
centre (const uint8_t *planes,
        size_t         pixels,
        const float   *mean,
        float         *centred)
{
  const size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (p < pixels)
    centred[blockIdx.y * pixels + p] = (float) planes[blockIdx.y * pixels + p] - mean[blockIdx.y];
}

static int
blas_check (EskLadder      *ladder,
            cublasStatus_t  status,
            const char     *what)
{
  if (status == CUBLAS_STATUS_SUCCESS)
    return ESK_LADDER_OK;
  snprintf (ladder->error, sizeof ladder->error, "%s: cuBLAS %d", what, (int) status);
  return status == CUBLAS_STATUS_ALLOC_FAILED ? ESK_LADDER_ERROR_MEMORY : ESK_LADDER_ERROR_DEVICE;
}

static int
open_library (EskLadder        *ladder,
              TransformLibrary *self,
              EskRungResult    *result)
{
  const LadderLibrary library = ladder_library (ladder, "cublas", result);
  const Create create = (Create) ladder_symbol (library, "cublasCreate_v2");
  const SetStream set_stream = (SetStream) ladder_symbol (library, "cublasSetStream_v2");

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  self->destroy = (Destroy) ladder_symbol (library, "cublasDestroy_v2");
  self->multiply = (Sgemm) ladder_symbol (library, "cublasSgemm_v2");
  if (create == NULL || set_stream == NULL || self->destroy == NULL || self->multiply == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cublasSgemm");
  ESK_LADDER_TRY (blas_check (ladder, create (&self->handle), "cublasCreate"));
  return blas_check (ladder, set_stream (self->handle, ladder_card (ladder)->stream), "cublasSetStream");
}

static int
bring_mean (EskLadder             *ladder,
            const TransformOfCard *self)
{
  float *mean = (float *) malloc (self->of.bands * sizeof *mean);
  int code;

  if (mean == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < self->of.bands; b++)
    mean[b] = (float) self->of.mean[b];
  code = ladder_upload (ladder, self->library->mean, mean, self->of.bands * sizeof *mean);
  free (mean);

  return code;
}

int
transform_library_begin (EskLadder       *ladder,
                         TransformOfCard *self,
                         EskRungResult   *result)
{
  const double samples = (double) self->of.pixels * (double) self->of.bands;
  TransformLibrary *library = (TransformLibrary *) calloc (1, sizeof *library);
  int code;

  if (library == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  self->library = library;
  ESK_LADDER_TRY (open_library (ladder, library, result));
  if ((library->centred = (float *) ladder_more (ladder, self->of.pixels * self->of.bands * sizeof (float), result,
                                                 &code)) == NULL
      || (library->mean = (float *) ladder_more (ladder, self->of.bands * sizeof (float), result, &code)) == NULL)
    return code;
  result->launches = 2;
  /* Samples are read as bytes, written and read as float32. */
  result->bytes = 9.0 * samples + 4.0 * (double) self->of.pixels * (double) self->of.rows;
  result->operations = 2.0 * samples * (double) self->of.rows;

  return bring_mean (ladder, self);
}

/* In the order of columns that cuBLAS knows, planes are a matrix of pixels x bands, and the basis is one of bands x
 * rows. */
int
transform_library_run (EskLadder       *ladder,
                       TransformOfCard *self)
{
  const TransformLibrary *library = self->library;
  const int pixels = (int) self->of.pixels, bands = (int) self->of.bands, rows = (int) self->of.rows;
  const float one = 1.0f, zero = 0.0f;

  centre<<<dim3 ((unsigned) ((self->of.pixels + THREADS - 1) / THREADS), (unsigned) bands), THREADS, 0,
           ladder_card (ladder)->stream>>> (self->planes, self->of.pixels, library->mean, library->centred);
  ESK_LADDER_TRY (ladder_launched (ladder, "samples in float32"));
  return blas_check (ladder, library->multiply (library->handle, CUBLAS_OP_N, CUBLAS_OP_N, pixels, rows, bands, &one,
                                                library->centred, pixels, self->basis, bands, &zero, self->out,
                                                pixels), "cublasSgemm");
}

void
transform_library_end (TransformOfCard *self)
{
  TransformLibrary *library = self->library;

  if (library == NULL)
    return;
  ladder_free (library->centred);
  ladder_free (library->mean);
  if (library->handle != NULL)
    library->destroy (library->handle);
  free (library);
  self->library = NULL;
}
