/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The covariance matrix by cuBLAS: products of signed bytes in 32-bit integers, on tensor cores where there are any.
 * Samples become bytes less 128, -128 .. 127; a matrix of them has the bands and a row of ones, whose products are the
 * sums of bands, and is filled up with zeros to multiples of 16. Products are 2^14 at most: CHUNK pixels of them stay
 * below 2^31, and after each chunk the 32-bit results are added to 64-bit totals. All of that is part of the run.
 */

#include "es-ladder-cuda-covariance-private.h"

#include <cublas_v2.h>
#include <stdlib.h>

#define CHUNK 131056                   /* a multiple of 16; 2^14 times that is less than 2^31 */
#define ROUND 16
#define CENTRE 128
#define THREADS 256
#define LARGEST_GRID_Y 65535

typedef cublasStatus_t (*Create) (cublasHandle_t *);
typedef cublasStatus_t (*Destroy) (cublasHandle_t);
typedef cublasStatus_t (*SetStream) (cublasHandle_t, cudaStream_t);
typedef cublasStatus_t (*GemmEx) (cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                  const void *, cudaDataType, int, const void *, cudaDataType, int, const void *,
                                  void *, cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

struct CovarianceLibrary {
  cublasHandle_t handle;
  Destroy        destroy;
  GemmEx         multiply;
  size_t         rows, pitch;          /* bands, ones and zeros; bytes from row to row */
  int8_t        *matrix;
  int32_t       *square;               /* rows x rows, of a chunk */
  long long     *total;                /* likewise, of all */
};

/* Byte p of row `row` of the matrix. */
static __global__ void
centre (const uint8_t *planes,
        size_t         pixels,
        unsigned       bands,
        unsigned       rows,
        size_t         pitch,
        int8_t        *matrix)
{
  const size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (p >= pitch)
    return;
  for (unsigned row = blockIdx.y; row < rows; row += gridDim.y)
    matrix[row * pitch + p] = p >= pixels || row > bands ? 0
                              : row == bands ? 1 : (int8_t) ((int) planes[row * pixels + p] - CENTRE);
}

static __global__ void
add (const int32_t *square,
     size_t         n,
     long long     *total)
{
  const size_t at = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (at < n)
    total[at] += square[at];
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
open_library (EskLadder         *ladder,
              CovarianceLibrary *self,
              EskRungResult     *result)
{
  const LadderLibrary library = ladder_library (ladder, "cublas", result);
  const Create create = (Create) ladder_symbol (library, "cublasCreate_v2");
  const SetStream set_stream = (SetStream) ladder_symbol (library, "cublasSetStream_v2");

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  self->destroy = (Destroy) ladder_symbol (library, "cublasDestroy_v2");
  self->multiply = (GemmEx) ladder_symbol (library, "cublasGemmEx");
  if (create == NULL || set_stream == NULL || self->destroy == NULL || self->multiply == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cublasGemmEx");
  ESK_LADDER_TRY (blas_check (ladder, create (&self->handle), "cublasCreate"));
  return blas_check (ladder, set_stream (self->handle, ladder_card (ladder)->stream), "cublasSetStream");
}

int
covariance_library_begin (EskLadder        *ladder,
                          CovarianceOfCard *self,
                          EskRungResult    *result)
{
  CovarianceLibrary *library = (CovarianceLibrary *) calloc (1, sizeof *library);
  int code;

  if (library == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  self->library = library;
  library->rows = (self->of.bands + 1 + ROUND - 1) / ROUND * ROUND;
  library->pitch = (self->of.pixels + ROUND - 1) / ROUND * ROUND;
  if (library->pitch > INT32_MAX)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, 0, 0, "less than 2147483648 pixels");
  ESK_LADDER_TRY (open_library (ladder, library, result));
  if ((library->matrix = (int8_t *) ladder_more (ladder, library->rows * library->pitch, result, &code)) == NULL
      || (library->square = (int32_t *) ladder_more (ladder, 4 * library->rows * library->rows, result, &code)) == NULL
      || (library->total = (long long *) ladder_more (ladder, 8 * library->rows * library->rows, result,
                                                      &code)) == NULL)
    return code;
  result->type = ESK_TYPE_LAB_INT8;
  result->matrix = 1;
  result->launches = 1 + 2 * (uint32_t) ((library->pitch + CHUNK - 1) / CHUNK);
  /* Samples are read, and the matrix written and read at least once, twice where cuBLAS takes it for two. */
  result->bytes = (double) self->of.pixels * (double) self->of.bands + 2.0 * (double) library->rows * library->pitch;
  result->operations = 2.0 * (double) library->rows * (double) library->rows * (double) library->pitch;

  return ESK_LADDER_OK;
}

int
covariance_library_run (EskLadder        *ladder,
                        CovarianceOfCard *self)
{
  CovarianceLibrary *library = self->library;
  const int rows = (int) library->rows, pitch = (int) library->pitch;
  const size_t n = library->rows * library->rows;
  const dim3 grid ((unsigned) ((library->pitch + THREADS - 1) / THREADS),
                   (unsigned) (library->rows < LARGEST_GRID_Y ? library->rows : LARGEST_GRID_Y));
  const int32_t one = 1, zero = 0;
  cudaStream_t stream = ladder_card (ladder)->stream;

  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (library->total, 0, 8 * n, stream), "memset"));
  centre<<<grid, THREADS, 0, stream>>> (self->planes, self->of.pixels, (unsigned) self->of.bands,
                                        (unsigned) library->rows, library->pitch, library->matrix);
  ESK_LADDER_TRY (ladder_launched (ladder, "signed samples"));
  for (int first = 0; first < pitch; first += CHUNK)
    {
      const int chunk = pitch - first < CHUNK ? pitch - first : CHUNK;
      const int8_t *from = library->matrix + first;

      ESK_LADDER_TRY (blas_check (ladder, library->multiply (library->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, rows,
                                                             chunk, &one, from, CUDA_R_8I, pitch, from, CUDA_R_8I,
                                                             pitch, &zero, library->square, CUDA_R_32I, rows,
                                                             CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
                                  "cublasGemmEx"));
      add<<<(unsigned) ((n + THREADS - 1) / THREADS), THREADS, 0, stream>>> (library->square, n, library->total);
      ESK_LADDER_TRY (ladder_launched (ladder, "64-bit totals"));
      if (first / CHUNK % 32 == 31)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, ((double) first + chunk) / pitch));
      if (pitch - first <= CHUNK)
        break;
    }

  return ESK_LADDER_OK;
}

/* With y = x - 128: sum x_i x_j = sum y_i y_j + 128 (sum y_i + sum y_j) + count 128^2. */
int
covariance_library_finish (EskLadder        *ladder,
                           CovarianceOfCard *self)
{
  const size_t rows = self->library->rows, bands = self->of.bands;
  const int64_t count = (int64_t) self->of.pixels;
  int64_t *total = (int64_t *) malloc (8 * rows * rows);
  int code;

  if (total == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = ladder_download (ladder, total, self->library->total, 8 * rows * rows);
  for (size_t i = 0; i < bands && code == ESK_LADDER_OK; i++)
    {
      const int64_t *ones = total + bands * rows;

      for (size_t j = 0; j <= i; j++)
        self->of.product[i * bands + j] = total[i * rows + j] + CENTRE * (ones[i] + ones[j]) + count * CENTRE * CENTRE;
      self->of.sum[i] = ones[i] + count * CENTRE;
    }
  free (total);

  return code;
}

void
covariance_library_end (CovarianceOfCard *self)
{
  CovarianceLibrary *library = self->library;

  if (library == NULL)
    return;
  ladder_free (library->matrix);
  ladder_free (library->square);
  ladder_free (library->total);
  if (library->handle != NULL)
    library->destroy (library->handle);
  free (library);
  self->library = NULL;
}
