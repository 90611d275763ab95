/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions of cuSOLVER, cuBLAS, cuFFT and cuSPARSE that the module calls: each asks its library for the real one.
 * cuSPARSE may be missing where this is built, and is opened by its own first call. */

#include "es-cuda-libraries-private.h"

#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#if __has_include(<cusparse.h>)
#include <cusparse.h>
#define HAS_CUSPARSE 1
#endif

#define TEXT(number) #number
#define NAME(stem, version) "lib" stem ".so." TEXT (version)

/* In the order in which they need each other. */
typedef enum { CUBLAS, CUFFT, CUSOLVER, N_TOGETHER, CUSPARSE = N_TOGETHER, N_LIBRARIES } Library;

static const char *const names[N_LIBRARIES] = {
  NAME ("cublas", CUBLAS_VER_MAJOR), NAME ("cufft", CUFFT_VER_MAJOR), NAME ("cusolver", CUSOLVER_VER_MAJOR),
#ifdef HAS_CUSPARSE
  NAME ("cusparse", CUSPARSE_VER_MAJOR),
#endif
};

static void *handles[N_LIBRARIES];
static char missing[256];
static pthread_once_t opened = PTHREAD_ONCE_INIT, sparse_opened = PTHREAD_ONCE_INIT;

static void
open_libraries (void)
{
  for (int l = 0; l < N_TOGETHER; l++)
    {
      handles[l] = dlopen (names[l], RTLD_NOW | RTLD_LOCAL);
      if (handles[l] == NULL && missing[0] == '\0')
        snprintf (missing, sizeof missing, "%s", dlerror ());
    }
}

/* Whoever uses it asks whether it is there. */
static void
open_sparse (void)
{
  if (names[CUSPARSE] != NULL)
    handles[CUSPARSE] = dlopen (names[CUSPARSE], RTLD_NOW | RTLD_LOCAL);
}

const char *
esk_cuda_libraries_missing (void)
{
  return missing;
}

static void *
find (Library     library,
      const char *symbol)
{
  if (library == CUSPARSE)
    pthread_once (&sparse_opened, open_sparse);
  else
    pthread_once (&opened, open_libraries);
  return handles[library] != NULL ? dlsym (handles[library], symbol) : NULL;
}

/* The function of that name; without its library it answers `failure`. Several threads find the same. */
#define FORWARD(library, result, failure, name, parameters, arguments)                                              \
  extern "C" result                                                                                                 \
  name parameters                                                                                                   \
  {                                                                                                                 \
    static decltype (&name) real;                                                                                   \
    decltype (&name) found = __atomic_load_n (&real, __ATOMIC_RELAXED);                                             \
                                                                                                                    \
    if (found == NULL)                                                                                              \
      {                                                                                                             \
        found = (decltype (&name)) find (library, TEXT (name));                                                     \
        if (found == NULL)                                                                                          \
          return failure;                                                                                           \
        __atomic_store_n (&real, found, __ATOMIC_RELAXED);                                                          \
      }                                                                                                             \
    return found arguments;                                                                                         \
  }

#define BLAS(name, parameters, arguments) \
  FORWARD (CUBLAS, cublasStatus_t, CUBLAS_STATUS_NOT_INITIALIZED, name, parameters, arguments)
#define FFT(name, parameters, arguments) \
  FORWARD (CUFFT, cufftResult, CUFFT_SETUP_FAILED, name, parameters, arguments)
#define SOLVER(name, parameters, arguments) \
  FORWARD (CUSOLVER, cusolverStatus_t, CUSOLVER_STATUS_NOT_INITIALIZED, name, parameters, arguments)

/* Of a name that a header replaces by that of its second version, the second. */
BLAS (cublasCreate, (cublasHandle_t *handle), (handle))
BLAS (cublasDestroy, (cublasHandle_t handle), (handle))
BLAS (cublasSetStream, (cublasHandle_t handle, cudaStream_t stream), (handle, stream))
BLAS (cublasSetWorkspace, (cublasHandle_t handle, void *room, size_t bytes), (handle, room, bytes))
BLAS (cublasDgemm,
      (cublasHandle_t handle, cublasOperation_t turn_a, cublasOperation_t turn_b, int m, int n, int k,
       const double *alpha, const double *a, int row_a, const double *b, int row_b, const double *beta, double *c,
       int row_c),
      (handle, turn_a, turn_b, m, n, k, alpha, a, row_a, b, row_b, beta, c, row_c))
BLAS (cublasDtrmm,
      (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t turn,
       cublasDiagType_t diagonal, int m, int n, const double *alpha, const double *a, int row_a, const double *b,
       int row_b, double *c, int row_c),
      (handle, side, part, turn, diagonal, m, n, alpha, a, row_a, b, row_b, c, row_c))
BLAS (cublasDtrsm,
      (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t turn,
       cublasDiagType_t diagonal, int m, int n, const double *alpha, const double *a, int row_a, double *b, int row_b),
      (handle, side, part, turn, diagonal, m, n, alpha, a, row_a, b, row_b))
BLAS (cublasZgemmStridedBatched,
      (cublasHandle_t handle, cublasOperation_t turn_a, cublasOperation_t turn_b, int m, int n, int k,
       const cuDoubleComplex *alpha, const cuDoubleComplex *a, int row_a, long long step_a, const cuDoubleComplex *b,
       int row_b, long long step_b, const cuDoubleComplex *beta, cuDoubleComplex *c, int row_c, long long step_c,
       int count),
      (handle, turn_a, turn_b, m, n, k, alpha, a, row_a, step_a, b, row_b, step_b, beta, c, row_c, step_c, count))
BLAS (cublasZtrsmBatched,
      (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t turn,
       cublasDiagType_t diagonal, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *const a[],
       int row_a, cuDoubleComplex *const b[], int row_b, int count),
      (handle, side, part, turn, diagonal, m, n, alpha, a, row_a, b, row_b, count))

FFT (cufftCreate, (cufftHandle *plan), (plan))
FFT (cufftDestroy, (cufftHandle plan), (plan))
FFT (cufftSetStream, (cufftHandle plan, cudaStream_t stream), (plan, stream))
FFT (cufftSetAutoAllocation, (cufftHandle plan, int automatic), (plan, automatic))
FFT (cufftSetWorkArea, (cufftHandle plan, void *room), (plan, room))
FFT (cufftExecR2C, (cufftHandle plan, cufftReal *from, cufftComplex *to), (plan, from, to))
FFT (cufftMakePlanMany64,
     (cufftHandle plan, int rank, long long *n, long long *inside, long long stride, long long distance,
      long long *outside, long long stride_out, long long distance_out, cufftType type, long long count, size_t *room),
     (plan, rank, n, inside, stride, distance, outside, stride_out, distance_out, type, count, room))

SOLVER (cusolverDnCreate, (cusolverDnHandle_t *handle), (handle))
SOLVER (cusolverDnDestroy, (cusolverDnHandle_t handle), (handle))
SOLVER (cusolverDnCreateParams, (cusolverDnParams_t *params), (params))
SOLVER (cusolverDnDestroyParams, (cusolverDnParams_t params), (params))
SOLVER (cusolverDnSetStream, (cusolverDnHandle_t handle, cudaStream_t stream), (handle, stream))
SOLVER (cusolverDnDsyevd_bufferSize,
        (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t part, int n, const double *a, int row,
         const double *values, int *room),
        (handle, mode, part, n, a, row, values, room))
SOLVER (cusolverDnDsyevd,
        (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t part, int n, double *a, int row,
         double *values, double *work, int room, int *info),
        (handle, mode, part, n, a, row, values, work, room, info))
SOLVER (cusolverDnDpotrf_bufferSize,
        (cusolverDnHandle_t handle, cublasFillMode_t part, int n, double *a, int row, int *room),
        (handle, part, n, a, row, room))
SOLVER (cusolverDnDpotrf,
        (cusolverDnHandle_t handle, cublasFillMode_t part, int n, double *a, int row, double *work, int room,
         int *info),
        (handle, part, n, a, row, work, room, info))
SOLVER (cusolverDnXpotrf_bufferSize,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t part, int64_t n, cudaDataType type,
         const void *a, int64_t row, cudaDataType compute_type, size_t *room, size_t *host_room),
        (handle, params, part, n, type, a, row, compute_type, room, host_room))
SOLVER (cusolverDnXpotrf,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t part, int64_t n, cudaDataType type,
         void *a, int64_t row, cudaDataType compute_type, void *work, size_t room, void *host_work, size_t host_room,
         int *info),
        (handle, params, part, n, type, a, row, compute_type, work, room, host_work, host_room, info))
SOLVER (cusolverDnXsyevd_bufferSize,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode, cublasFillMode_t part,
         int64_t n, cudaDataType type, const void *a, int64_t row, cudaDataType value_type, const void *values,
         cudaDataType compute_type, size_t *room, size_t *host_room),
        (handle, params, mode, part, n, type, a, row, value_type, values, compute_type, room, host_room))
SOLVER (cusolverDnXsyevd,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode, cublasFillMode_t part,
         int64_t n, cudaDataType type, void *a, int64_t row, cudaDataType value_type, void *values,
         cudaDataType compute_type, void *work, size_t room, void *host_work, size_t host_room, int *info),
        (handle, params, mode, part, n, type, a, row, value_type, values, compute_type, work, room, host_work,
         host_room, info))
SOLVER (cusolverDnXsyevBatched_bufferSize,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode, cublasFillMode_t part,
         int64_t n, cudaDataType type, const void *a, int64_t row, cudaDataType value_type, const void *values,
         cudaDataType compute_type, size_t *room, size_t *host_room, int64_t count),
        (handle, params, mode, part, n, type, a, row, value_type, values, compute_type, room, host_room, count))
SOLVER (cusolverDnXsyevBatched,
        (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode, cublasFillMode_t part,
         int64_t n, cudaDataType type, void *a, int64_t row, cudaDataType value_type, void *values,
         cudaDataType compute_type, void *work, size_t room, void *host_work, size_t host_room, int *info,
         int64_t count),
        (handle, params, mode, part, n, type, a, row, value_type, values, compute_type, work, room, host_work,
         host_room, info, count))
SOLVER (cusolverDnZpotrfBatched,
        (cusolverDnHandle_t handle, cublasFillMode_t part, int n, cuDoubleComplex *a[], int row, int *info, int count),
        (handle, part, n, a, row, info, count))

#ifdef HAS_CUSPARSE
#define SPARSE(name, parameters, arguments) \
  FORWARD (CUSPARSE, cusparseStatus_t, CUSPARSE_STATUS_NOT_INITIALIZED, name, parameters, arguments)

SPARSE (cusparseCreate, (cusparseHandle_t *handle), (handle))
SPARSE (cusparseDestroy, (cusparseHandle_t handle), (handle))
SPARSE (cusparseSetStream, (cusparseHandle_t handle, cudaStream_t stream), (handle, stream))
SPARSE (cusparseGetProperty, (libraryPropertyType type, int *value), (type, value))
SPARSE (cusparseCreateCsr,
        (cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t n, void *row_from, void *column,
         void *value, cusparseIndexType_t from_type, cusparseIndexType_t column_type, cusparseIndexBase_t base,
         cudaDataType type),
        (matrix, rows, columns, n, row_from, column, value, from_type, column_type, base, type))
SPARSE (cusparseCreateCoo,
        (cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t n, void *row, void *column, void *value,
         cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type),
        (matrix, rows, columns, n, row, column, value, index_type, base, type))
SPARSE (cusparseCreateSlicedEll,
        (cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t n, int64_t stored, int64_t chunk,
         void *chunk_from, void *column, void *value, cusparseIndexType_t from_type, cusparseIndexType_t column_type,
         cusparseIndexBase_t base, cudaDataType type),
        (matrix, rows, columns, n, stored, chunk, chunk_from, column, value, from_type, column_type, base, type))
SPARSE (cusparseDestroySpMat, (cusparseConstSpMatDescr_t matrix), (matrix))
SPARSE (cusparseCreateDnVec, (cusparseDnVecDescr_t *vector, int64_t n, void *values, cudaDataType type),
        (vector, n, values, type))
SPARSE (cusparseDestroyDnVec, (cusparseConstDnVecDescr_t vector), (vector))
SPARSE (cusparseDnVecSetValues, (cusparseDnVecDescr_t vector, void *values), (vector, values))
SPARSE (cusparseSpMV_bufferSize,
        (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t matrix,
         cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
         cusparseSpMVAlg_t algorithm, size_t *room),
        (handle, turn, alpha, matrix, x, beta, y, type, algorithm, room))
SPARSE (cusparseSpMV_preprocess,
        (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t matrix,
         cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
         cusparseSpMVAlg_t algorithm, void *room),
        (handle, turn, alpha, matrix, x, beta, y, type, algorithm, room))
SPARSE (cusparseSpMV,
        (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t matrix,
         cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
         cusparseSpMVAlg_t algorithm, void *room),
        (handle, turn, alpha, matrix, x, beta, y, type, algorithm, room))
#endif
