/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Symmetric eigenproblems in float64 by cuSOLVER's divide and conquer. */

#include "es-cuda-device-private.h"
#include "es-cuda-eigen-private.h"
#include "es-cuda-libraries-private.h"

#include <cusolverDn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest problem: 3,000 bands, and some room. Beyond it the sizes that cuSOLVER counts in int come near. */
#define MAXIMUM_SIZE 16384
/* Numbers beyond it, or below its inverse, are brought near one first. */
#define LARGEST_SCALE 0x1p200

/* What a library's refusal means. */
static int
check_solver (EskStream        *stream,
              cusolverStatus_t  status,
              const char       *what)
{
  return esk_cuda_check_library (stream, status == CUSOLVER_STATUS_SUCCESS, status == CUSOLVER_STATUS_ALLOC_FAILED,
                                 (int) status, what);
}

int
esk_cuda_solver (EskStream  *stream,
                 void      **handle)
{
  EskCudaDevice *device = stream->device;

  if (device->solver == NULL)
    {
      int code = check_solver (stream, cusolverDnCreate ((cusolverDnHandle_t *) &device->solver), "cuSOLVER");

      if (code != ESK_OK)
        {
          device->solver = NULL;
          return code;
        }
    }

  *handle = device->solver;
  return check_solver (stream, cusolverDnSetStream ((cusolverDnHandle_t) *handle, stream->stream), "cuSOLVER");
}

/* Copies, and tells the power of two that brings the largest magnitude below one; false: not all are finite. */
bool
esk_cuda_eigen_copy (size_t        n,
                     const double *from,
                     double       *to,
                     double       *scale)
{
  int largest = 0, exponent;

  for (size_t k = 0; k < n; k++)
    {
      uint64_t bits;
      int high;

      memcpy (&bits, &from[k], sizeof bits);
      high = (int) (bits >> 32 & 0x7fffffff);
      largest = high > largest ? high : largest;
      to[k] = from[k];
    }
  if (largest >= 0x7ff00000)
    return false;

  exponent = (largest >> 20) - 1022;
  *scale = largest == 0 ? 1.0 : ldexp (1.0, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
  return true;
}

/* matrix on the host in; values of scale times it, ascending, and vectors, one after another, in the stream's
 * page-locked block out. */
static int
solve (EskStream     *stream,
       size_t         n,
       const double  *matrix,
       const double **values,
       const double **vectors,
       double        *scale)
{
  cusolverDnHandle_t handle;
  const size_t matrix_bytes = n * n * sizeof (double), values_bytes = n * sizeof (double);
  const size_t result_bytes = matrix_bytes + values_bytes + sizeof (int), head_bytes = (result_bytes + 255) / 256 * 256;
  double *device_matrix, *device_values, *device_work, *host;
  int *device_info, *host_info;
  int work_size, code;

  code = esk_cuda_solver (stream, (void **) &handle);
  if (code == ESK_OK)
    code = check_solver (stream, cusolverDnDsyevd_bufferSize (handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                                                              (int) n, NULL, (int) n, NULL, &work_size),
                         "eigenproblem");
  if (code != ESK_OK)
    return code;

  device_matrix = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK,
                                               head_bytes + (size_t) work_size * sizeof (double));
  if (device_matrix == NULL)
    return esk_cuda_device_is_lost (stream->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY;
  /* Matrix, values and info, with nothing between them, come back in one copy. */
  device_values = device_matrix + n * n;
  device_info = (int *) (device_values + n);
  device_work = (double *) ((char *) device_matrix + head_bytes);

  host = (double *) esk_cuda_pinned (stream, head_bytes);
  if (host == NULL)
    return ESK_ERROR_MEMORY;
  host_info = (int *) (host + n * n + n);
  *values = host + n * n;
  *vectors = host;

  if (!esk_cuda_eigen_copy (n * n, matrix, host, scale))
    return ESK_ERROR_ARGUMENT;
  /* The library takes numbers as they are, and squares of these would be none. */
  if (*scale > LARGEST_SCALE || *scale < 1.0 / LARGEST_SCALE)
    for (size_t k = 0; k < n * n; k++)
      host[k] *= *scale;
  else
    *scale = 1.0;

  /* Row-major lower is column-major upper. */
  code = esk_cuda_check (stream, cudaMemcpyAsync (device_matrix, host, matrix_bytes, cudaMemcpyHostToDevice,
                                                  stream->stream), "eigenproblem");
  if (code == ESK_OK)
    code = check_solver (stream, cusolverDnDsyevd (handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, (int) n,
                                                   device_matrix, (int) n, device_values, device_work, work_size,
                                                   device_info), "eigenproblem");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemcpyAsync (host, device_matrix, result_bytes, cudaMemcpyDeviceToHost,
                                                    stream->stream), "eigenproblem");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "eigenproblem");
  if (code == ESK_OK && *host_info != 0)
    code = *host_info > 0 ? ESK_ERROR_NO_CONVERGENCE : ESK_ERROR_ARGUMENT;

  return code;
}

/* The component of largest magnitude positive, as esk_eigen_lapack () has it. */
void
esk_cuda_eigen_fix_sign (size_t  n,
                         double *vector)
{
  size_t largest = 0;

  for (size_t k = 1; k < n; k++)
    if (fabs (vector[k]) > fabs (vector[largest]))
      largest = k;
  if (vector[largest] < 0.0)
    for (size_t k = 0; k < n; k++)
      vector[k] = -vector[k];
}

int
esk_cuda_eigen_symmetric (EskStream    *stream,
                          size_t        n,
                          const double *matrix,
                          double       *values,
                          double       *vectors)
{
  const double *ascending, *columns;
  double scale;
  int code;

  if (n == 0 || n > MAXIMUM_SIZE || matrix == NULL || values == NULL || vectors == NULL)
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  pthread_mutex_lock (&stream->device->solver_lock);
  code = solve (stream, n, matrix, &ascending, &columns, &scale);
  pthread_mutex_unlock (&stream->device->solver_lock);
  if (code != ESK_OK)
    return code;

  /* A column of cuSOLVER's is a row here. */
  for (size_t k = 0; k < n; k++)
    {
      values[k] = ascending[n - 1 - k] / scale;
      memcpy (vectors + k * n, columns + (n - 1 - k) * n, n * sizeof (double));
      esk_cuda_eigen_fix_sign (n, vectors + k * n);
    }

  return ESK_OK;
}

int
esk_cuda_eigen_warm_up (EskStream *stream)
{
  /* Large enough to go the way that spectra go; small ones take another. */
  enum { SIZE = 224 };
  double *matrix = (double *) malloc (3 * SIZE * SIZE * sizeof (double));
  int code;

  if (matrix == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = 0; i < SIZE; i++)
    for (size_t j = 0; j < SIZE; j++)
      matrix[i * SIZE + j] = 1.0 / (double) (1 + (i > j ? i - j : j - i));
  code = esk_cuda_eigen_symmetric (stream, SIZE, matrix, matrix + SIZE * SIZE, matrix + 2 * SIZE * SIZE);
  free (matrix);

  return code;
}
