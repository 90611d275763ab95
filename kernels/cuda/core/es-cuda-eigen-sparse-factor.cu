/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hot spot eigen_sparse_smallest (): memory, and the Cholesky factor of a sparse matrix made dense. */

#include "es-cuda-device-private.h"
#include "es-cuda-eigen-sparse-private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of the basis, as long as it has no more columns than MOST_COLUMNS or four blocks. */
#define MOST_BLOCKS  12
#define MOST_COLUMNS 512
/* Rows from which on a card of few float64 units takes longer than a processor. */
#define MOST_ROWS_SLOW 8192
/* The libraries count rows in int, and the factor's elements by them. */
#define MOST_ROWS 200000

static int
check_blas (EskStream      *stream,
            cublasStatus_t  status)
{
  return esk_cuda_check_library (stream, status == CUBLAS_STATUS_SUCCESS, status == CUBLAS_STATUS_ALLOC_FAILED,
                                 (int) status, "eigenpairs of a sparse matrix");
}

static int
check_solver (EskStream        *stream,
              cusolverStatus_t  status)
{
  return esk_cuda_check_library (stream, status == CUSOLVER_STATUS_SUCCESS, status == CUSOLVER_STATUS_ALLOC_FAILED,
                                 (int) status, "eigenpairs of a sparse matrix");
}

static int
check_cuda (EskStream   *stream,
            cudaError_t  code)
{
  return esk_cuda_check (stream, code, "eigenpairs of a sparse matrix");
}

/* A warp a row. */
static __global__ void
__launch_bounds__ (256)
scatter (size_t         n,
         const int32_t *row_from,
         const int32_t *column,
         const double  *value,
         double         shift,
         double        *dense)
{
  const size_t i = (size_t) blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;

  if (i >= n)
    return;
  for (int32_t j = row_from[i] + (int32_t) lane; j < row_from[i + 1]; j += 32)
    dense[i * n + (size_t) column[j]] = value[j];
  __syncwarp ();
  if (lane == 0)
    dense[i * n + i] += shift;
}

/* ESK_ERROR_SINGULAR: not positive definite. */
static int
factorise (SparseEigen  *self,
           const EskCsr *matrix)
{
  const size_t n = self->n, n_nonzeros = esk_csr_n_nonzeros (matrix);
  cudaStream_t stream = self->stream->stream;
  int info = 0, code;

  code = check_cuda (self->stream, cudaMemcpyAsync (self->row_from, matrix->row_from, (n + 1) * sizeof (int32_t),
                                                    cudaMemcpyHostToDevice, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->column, matrix->column, n_nonzeros * sizeof (int32_t),
                                                      cudaMemcpyHostToDevice, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->value, matrix->value, n_nonzeros * sizeof (double),
                                                      cudaMemcpyHostToDevice, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemsetAsync (self->dense, 0, n * n * sizeof (double), stream));
  if (code != ESK_OK)
    return code;
  scatter<<<(unsigned) ((n + 7) / 8), 256, 0, stream>>> (n, self->row_from, self->column, self->value, self->shift,
                                                         self->dense);
  code = esk_cuda_launched (self->stream, "eigenpairs of a sparse matrix");
  if (code == ESK_OK)
    code = check_solver (self->stream,
                         cusolverDnXpotrf (self->solver, self->params, CUBLAS_FILL_MODE_LOWER, (int64_t) n, CUDA_R_64F,
                                           self->dense, (int64_t) n, CUDA_R_64F, self->work, self->work_bytes,
                                           self->host_work, self->host_work_bytes, self->info));
  if (code == ESK_OK)
    code = esk_cuda_fetch (self->stream, &info, self->info, sizeof info);
  if (code == ESK_OK && info != 0)
    code = info > 0 ? ESK_ERROR_SINGULAR : ESK_ERROR_ARGUMENT;

  return code;
}

void
esk_cuda_eigen_sparse_turn (size_t  p,
                            double *matrix,
                            double *values,
                            double *vectors)
{
  double *a = matrix;
  bool turned = true;

  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < i; j++)
      a[i * p + j] = a[j * p + i] = (a[i * p + j] + a[j * p + i]) / 2.0;
  memset (vectors, 0, p * p * sizeof (double));
  for (size_t i = 0; i < p; i++)
    vectors[i * p + i] = 1.0;
  for (int sweep = 0; sweep < 40 && turned; sweep++)
    {
      turned = false;
      for (size_t i = 0; i + 1 < p; i++)
        for (size_t j = i + 1; j < p; j++)
          {
            const double off = a[i * p + j];

            if (!(fabs (off) > DBL_EPSILON * sqrt (fabs (a[i * p + i] * a[j * p + j]))))
              continue;

            const double t = (a[j * p + j] - a[i * p + i]) / (2.0 * off);
            const double tangent = copysign (1.0, t) / (fabs (t) + hypot (1.0, t));
            const double cosine = 1.0 / hypot (1.0, tangent), sine = cosine * tangent;

            turned = true;
            for (size_t k = 0; k < p; k++)
              {
                const double x = a[k * p + i], y = a[k * p + j];

                a[k * p + i] = cosine * x - sine * y;
                a[k * p + j] = sine * x + cosine * y;
              }
            for (size_t k = 0; k < p; k++)
              {
                const double x = a[i * p + k], y = a[j * p + k];

                a[i * p + k] = cosine * x - sine * y;
                a[j * p + k] = sine * x + cosine * y;
              }
            a[i * p + j] = a[j * p + i] = 0.0;
            for (size_t k = 0; k < p; k++)
              {
                const double x = vectors[i * p + k], y = vectors[j * p + k];

                vectors[i * p + k] = cosine * x - sine * y;
                vectors[j * p + k] = sine * x + cosine * y;
              }
          }
    }
  for (size_t i = 0; i < p; i++)
    values[i] = a[i * p + i];
  for (size_t i = 1; i < p; i++)
    for (size_t j = i; j > 0 && values[j - 1] < values[j]; j--)
      {
        const double value = values[j];

        values[j] = values[j - 1];
        values[j - 1] = value;
        for (size_t k = 0; k < p; k++)
          {
            const double x = vectors[j * p + k];

            vectors[j * p + k] = vectors[(j - 1) * p + k];
            vectors[(j - 1) * p + k] = x;
          }
      }
}

/* ---- the whole ---- */

/* The handles; the device's solver_lock is held. */
static int
open_libraries (SparseEigen *self)
{
  EskCudaDevice *device = self->stream->device;
  int code = esk_cuda_solver (self->stream, (void **) &self->solver);

  if (code == ESK_OK && device->blas == NULL)
    {
      code = check_blas (self->stream, cublasCreate ((cublasHandle_t *) &device->blas));
      if (code != ESK_OK)
        device->blas = NULL;
    }
  if (code == ESK_OK)
    {
      self->blas = (cublasHandle_t) device->blas;
      code = check_blas (self->stream, cublasSetStream (self->blas, self->stream->stream));
    }
  if (code == ESK_OK)
    code = check_solver (self->stream, cusolverDnCreateParams (&self->params));
  if (code == ESK_OK)
    code = check_solver (self->stream,
                         cusolverDnXpotrf_bufferSize (self->solver, self->params, CUBLAS_FILL_MODE_LOWER,
                                                      (int64_t) self->n, CUDA_R_64F, NULL, (int64_t) self->n,
                                                      CUDA_R_64F, &self->work_bytes, &self->host_work_bytes));
  if (code == ESK_OK)
    code = check_solver (self->stream,
                         cusolverDnDsyevd_bufferSize (self->solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                                                      (int) self->room, NULL, (int) self->room, NULL,
                                                      &self->small_work));

  return code;
}

static void *
take (char   **at,
      size_t   bytes)
{
  char *memory = *at;

  *at += (bytes + 255) / 256 * 256;
  return memory;
}

/* Where everything is; of NULL *at becomes how much it is. */
static void
lay_out (SparseEigen *self,
         size_t       n_nonzeros,
         char       **at)
{
  const size_t n = self->n, room = self->room, kept = esk_cuda_eigen_sparse_kept (self);
  const size_t small_bytes = (size_t) self->small_work * sizeof (double);

  self->dense = (double *) take (at, n * n * sizeof (double));
  self->row_from = (int32_t *) take (at, (n + 1) * sizeof (int32_t));
  self->column = (int32_t *) take (at, n_nonzeros * sizeof (int32_t));
  self->value = (double *) take (at, n_nonzeros * sizeof (double));
  self->basis = (double *) take (at, room * n * sizeof (double));
  self->images = (double *) take (at, room * n * sizeof (double));
  self->spare = (double *) take (at, kept * n * sizeof (double));
  self->projected = (double *) take (at, room * room * sizeof (double));
  self->small = (double *) take (at, room * room * sizeof (double));
  self->along = (double *) take (at, room * sizeof (double));
  self->norm = (double *) take (at, sizeof (double));
  self->info = (int *) take (at, sizeof (int));
  self->work = take (at, self->work_bytes > small_bytes ? self->work_bytes : small_bytes);
}

static int
run (SparseEigen  *self,
     const EskCsr *matrix,
     double       *values,
     double       *vectors)
{
  const size_t room = self->room;
  void *memory = NULL;
  char *at = NULL;
  int code = open_libraries (self);

  if (code == ESK_OK)
    {
      lay_out (self, esk_csr_n_nonzeros (matrix), &at);
      self->facts->bytes = (uint64_t) (uintptr_t) at;
      self->theta = (double *) malloc ((room + 2 * room * room + self->p * self->p) * sizeof (double));
      self->host_work = malloc (self->host_work_bytes + 1);
      code = self->theta == NULL || self->host_work == NULL
             ? ESK_ERROR_MEMORY : check_cuda (self->stream, esk_cuda_malloc (&memory, self->facts->bytes));
    }
  if (code == ESK_OK)
    {
      at = (char *) memory;
      lay_out (self, esk_csr_n_nonzeros (matrix), &at);
      self->turn = self->theta + room;
      self->reversed = self->turn + room * room;
      self->rest = self->reversed + room * room;
      code = factorise (self, matrix);
    }
  if (code == ESK_OK)
    code = esk_is_cancelled (self->stream->cancelled) ? ESK_ERROR_CANCELLED
                                                      : esk_cuda_eigen_sparse_find (self, values, vectors);
  if (memory != NULL)
    {
      cudaStreamSynchronize (self->stream->stream);
      cudaFree (memory);
    }
  if (self->params != NULL)
    cusolverDnDestroyParams (self->params);
  free (self->theta);
  free (self->host_work);

  return code;
}

int
esk_cuda_eigen_sparse_smallest (EskStream           *stream,
                                const EskCsr        *matrix,
                                double               shift,
                                size_t               m,
                                double               tolerance,
                                double              *values,
                                double              *vectors,
                                EskSparseEigenFacts *facts)
{
  SparseEigen self;
  size_t blocks;
  int code;

  if (matrix == NULL || values == NULL || vectors == NULL || facts == NULL || matrix->rows != matrix->columns
      || matrix->type != ESK_F64 || m == 0 || matrix->rows < 4 * m + 32 || !isfinite (shift) || !(tolerance > 0.0))
    return ESK_ERROR_ARGUMENT;
  memset (facts, 0, sizeof *facts);
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  memset (&self, 0, sizeof self);
  self.stream = stream;
  self.facts = facts;
  self.n = matrix->rows;
  self.m = m;
  self.p = m + 4 + m / 4;
  self.shift = shift;
  self.tolerance = tolerance;
  blocks = MOST_COLUMNS / self.p < 4 ? 4 : MOST_COLUMNS / self.p;
  blocks = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
  blocks = blocks < self.n / self.p ? blocks : self.n / self.p;
  self.room = blocks * self.p;
  /* Those of 8.0, 9.0 and 10.0 have half as many float64 units as float32 ones, all others a few. */
  if (self.n > MOST_ROWS
      || (self.n > MOST_ROWS_SLOW && (esk_cuda_properties (stream)->minor != 0
                                      || esk_cuda_properties (stream)->major > 10)))
    return ESK_ERROR_ARGUMENT;

  pthread_mutex_lock (&stream->device->solver_lock);
  code = run (&self, matrix, values, vectors);
  pthread_mutex_unlock (&stream->device->solver_lock);

  return code;
}
