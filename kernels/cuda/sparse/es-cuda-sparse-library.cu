/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Products by cuSPARSE: CSR by its algorithms 1 and 2 (variants 1 and 2), COO by 1 and 2 (3 and 4), SELL (5). The best
 * (0) is the fastest of a few products when the matrix is brought to the device; what only the others need is given
 * back.
 */

#include "es-cuda-sparse-library-private.h"

#if __has_include(<cusparse.h>)
#include <cusparse.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sparse/es-sparse-build.h"

/* Products that are timed, after one that is not; the shortest counts. */
#define TRIALS 3
/* What a product is by one of the algorithms. */
typedef struct {
  cusparseHandle_t     handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  cusparseSpMVAlg_t    algorithm;
  void                *buffer;
} Library;

static int
check (EskStream        *stream,
       cusparseStatus_t  status)
{
  return esk_cuda_check_library (stream, status == CUSPARSE_STATUS_SUCCESS,
                                 status == CUSPARSE_STATUS_ALLOC_FAILED
                                 || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, (int) status, "cuSPARSE");
}

static cudaDataType
type_of (const EskSparseProduct *product)
{
  return product->type == ESK_F64 ? CUDA_R_64F : CUDA_R_32F;
}

/* Of a number that alpha and beta are told as. */
typedef union {
  float  single;
  double twice;
} Number;

static Number
number_of (const EskSparseProduct *product,
           double                  value)
{
  Number number;

  if (product->type == ESK_F64)
    number.twice = value;
  else
    number.single = (float) value;
  return number;
}

/* ---- one algorithm ---- */

static void
clear (Library *library)
{
  if (library->matrix != NULL)
    cusparseDestroySpMat (library->matrix);
  if (library->x != NULL)
    cusparseDestroyDnVec (library->x);
  if (library->y != NULL)
    cusparseDestroyDnVec (library->y);
  if (library->buffer != NULL)
    cudaFree (library->buffer);
  if (library->handle != NULL)
    cusparseDestroy (library->handle);
  memset (library, 0, sizeof *library);
}

static cusparseStatus_t
describe (const EskSparseProduct *product,
          const EskLibrarySell   *sell,
          unsigned                variant,
          cusparseSpMatDescr_t   *matrix)
{
  const int64_t rows = (int64_t) product->rows, columns = (int64_t) product->columns, n = (int64_t) product->n_nonzeros;
  const cudaDataType type = type_of (product);

  if (variant <= CSR_SECOND)
    return cusparseCreateCsr (matrix, rows, columns, n, (void *) product->row_from, (void *) product->column,
                              (void *) product->value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, type);
  if (variant <= COO_SECOND)
    return cusparseCreateCoo (matrix, rows, columns, n, (void *) product->row, (void *) product->column,
                              (void *) product->value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
  return cusparseCreateSlicedEll (matrix, rows, columns, n, sell->stored, CHUNK, (void *) sell->from,
                                  (void *) sell->column, (void *) sell->value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, type);
}

/* x and y: any vectors of the right lengths, which may be looked at. */
static int
prepare (EskStream              *stream,
         const EskSparseProduct *product,
         const EskLibrarySell   *sell,
         unsigned                variant,
         void                   *x,
         void                   *y,
         Library                *library)
{
  static const cusparseSpMVAlg_t algorithms[N_VARIANTS] = {
    CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_COO_ALG2,
    CUSPARSE_SPMV_SELL_ALG1,
  };
  const Number one = number_of (product, 1.0), zero = number_of (product, 0.0);
  const cudaDataType type = type_of (product);
  cusparseStatus_t status;
  size_t bytes = 0;
  int code;

  memset (library, 0, sizeof *library);
  library->algorithm = algorithms[variant - 1];
  code = check (stream, cusparseCreate (&library->handle));
  if (code == ESK_OK)
    code = check (stream, cusparseSetStream (library->handle, stream->stream));
  if (code == ESK_OK)
    code = check (stream, describe (product, sell, variant, &library->matrix));
  if (code == ESK_OK)
    code = check (stream, cusparseCreateDnVec (&library->x, (int64_t) product->columns, x, type));
  if (code == ESK_OK)
    code = check (stream, cusparseCreateDnVec (&library->y, (int64_t) product->rows, y, type));
  if (code == ESK_OK)
    code = check (stream, cusparseSpMV_bufferSize (library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                                   library->matrix, library->x, &zero, library->y, type,
                                                   library->algorithm, &bytes));
  if (code == ESK_OK)
    code = esk_cuda_check (stream, esk_cuda_malloc (&library->buffer, bytes + 256), "cuSPARSE");
  if (code == ESK_OK)
    {
      status = cusparseSpMV_preprocess (library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, library->matrix,
                                        library->x, &zero, library->y, type, library->algorithm, library->buffer);
      /* Not every format has something to prepare. */
      code = status == CUSPARSE_STATUS_NOT_SUPPORTED ? ESK_OK : check (stream, status);
    }
  if (code != ESK_OK)
    clear (library);

  return code;
}

static int
launch (EskStream              *stream,
        const EskSparseProduct *product,
        const Library          *library,
        double                  alpha,
        double                  beta)
{
  const Number a = number_of (product, alpha), b = number_of (product, beta);

  return check (stream, cusparseSpMV (library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &a, library->matrix,
                                      library->x, &b, library->y, type_of (product), library->algorithm,
                                      library->buffer));
}

/* Milliseconds of a product. */
static int
measure (EskStream              *stream,
         const EskSparseProduct *product,
         const Library          *library,
         float                  *ms)
{
  cudaEvent_t start = NULL, end = NULL;
  int code = esk_cuda_check (stream, cudaEventCreate (&start), "cuSPARSE");

  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaEventCreate (&end), "cuSPARSE");
  *ms = INFINITY;
  for (int t = 0; t <= TRIALS && code == ESK_OK; t++)
    {
      float one = 0.0f;

      code = esk_cuda_check (stream, cudaEventRecord (start, stream->stream), "cuSPARSE");
      if (code == ESK_OK)
        code = launch (stream, product, library, 1.0, 0.0);
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaEventRecord (end, stream->stream), "cuSPARSE");
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaEventSynchronize (end), "cuSPARSE");
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaEventElapsedTime (&one, start, end), "cuSPARSE");
      if (t > 0 && one < *ms)
        *ms = one;
    }
  if (start != NULL)
    cudaEventDestroy (start);
  if (end != NULL)
    cudaEventDestroy (end);

  return code;
}

/* ---- the format ---- */

/* The fastest of those from `first` to `last`, *best of them; the only one is not timed. */
static int
choose (EskSparseMaking *making,
        unsigned         first,
        unsigned         last,
        const EskLibrarySell *sell,
        void            *x,
        void            *y,
        Library         *chosen,
        unsigned        *best)
{
  float least = INFINITY, ms = 0.0f;
  int code = ESK_OK, why = ESK_ERROR_ARGUMENT;

  for (unsigned v = first; v <= last; v++)
    {
      Library library;

      code = prepare (making->stream, making->product, sell, v, x, y, &library);
      if (code == ESK_OK && first < last)
        {
          code = measure (making->stream, making->product, &library, &ms);
          if (code != ESK_OK)
            clear (&library);
        }
      if (code == ESK_ERROR_LOST)
        return code;
      if (code != ESK_OK)
        why = code;
      else if (*best == 0 || ms < least)
        {
          clear (chosen);
          *chosen = library;
          *best = v;
          least = ms;
        }
      else
        clear (&library);
    }

  return *best != 0 ? ESK_OK : why;
}

int
esk_cuda_sparse_make_library (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  EskStream *stream = making->stream;
  const size_t type_bytes = esk_type_size (product->type);
  unsigned first = making->options.variant, last = making->options.variant, best = 0;
  EskLibrarySell sell = { NULL, NULL, NULL, 0 };
  Library *library;
  void *x, *y = NULL;
  int code = esk_csr_check (making->matrix);

  if (code != ESK_OK || first > N_VARIANTS || esk_cuda_sparse_library (stream) == NULL)
    return ESK_ERROR_ARGUMENT;
  product->cost.launches = 1;
  if (product->n_nonzeros == 0)
    return ESK_OK;
  if (first == 0)
    {
      first = CSR_FIRST;
      last = esk_cuda_library_is_worth_padding (making) ? SELL : COO_SECOND;
    }
  library = (Library *) calloc (1, sizeof *library);
  if (library == NULL)
    return ESK_ERROR_MEMORY;
  product->library = library;

  code = esk_cuda_library_arrays (making, first, &last, &sell);
  if (code != ESK_OK)
    return code;
  x = esk_cuda_sparse_array (making, NULL, product->columns, type_bytes, &code);
  if (code == ESK_OK)
    y = esk_cuda_sparse_array (making, NULL, product->rows, type_bytes, &code);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (x, 0, product->columns * type_bytes, stream->stream), "cuSPARSE");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (y, 0, product->rows * type_bytes, stream->stream), "cuSPARSE");
  if (code == ESK_OK)
    code = choose (making, first, last, &sell, x, y, library, &best);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "cuSPARSE");
  if (code != ESK_OK)
    return code;

  esk_cuda_library_drop (product, x);
  esk_cuda_library_drop (product, y);
  product->cost.stored = product->n_nonzeros;
  product->cost.bytes = product->n_nonzeros * (type_bytes + sizeof (int32_t));
  if (best <= CSR_SECOND)
    product->cost.bytes += (product->rows + 1) * sizeof (int32_t);
  else if (best <= COO_SECOND)
    product->cost.bytes += product->n_nonzeros * sizeof (int32_t);
  else
    {
      product->cost.stored = (uint64_t) sell.stored;
      product->cost.bytes = (uint64_t) sell.stored * (type_bytes + sizeof (int32_t))
                            + ((product->rows + CHUNK - 1) / CHUNK + 1) * sizeof (int32_t);
    }
  if (best != SELL)
    {
      esk_cuda_library_drop (product, sell.from);
      esk_cuda_library_drop (product, sell.column);
      esk_cuda_library_drop (product, sell.value);
    }
  else
    {
      esk_cuda_library_drop (product, product->column);
      esk_cuda_library_drop (product, product->value);
    }
  if (best > CSR_SECOND)
    esk_cuda_library_drop (product, product->row_from);
  if (best < COO_FIRST || best > COO_SECOND)
    esk_cuda_library_drop (product, product->row);

  return ESK_OK;
}

int
esk_cuda_sparse_multiply_library (const EskSparseCall *call)
{
  const Library *library = (const Library *) call->product->library;
  int code = check (call->stream, cusparseSetStream (library->handle, call->stream->stream));

  if (code == ESK_OK)
    code = check (call->stream, cusparseDnVecSetValues (library->x, (void *) call->x));
  if (code == ESK_OK)
    code = check (call->stream, cusparseDnVecSetValues (library->y, call->y));
  if (code == ESK_OK)
    code = launch (call->stream, call->product, library, call->alpha, call->beta);

  return code;
}

void
esk_cuda_sparse_free_library (EskSparseProduct *product)
{
  clear ((Library *) product->library);
  free (product->library);
  product->library = NULL;
}

static char name[32];

static void
ask_name (void)
{
  int major, minor;

  if (cusparseGetProperty (MAJOR_VERSION, &major) == CUSPARSE_STATUS_SUCCESS
      && cusparseGetProperty (MINOR_VERSION, &minor) == CUSPARSE_STATUS_SUCCESS)
    snprintf (name, sizeof name, "cuSPARSE %d.%d", major, minor);
}

const char *
esk_cuda_sparse_library (EskStream *stream)
{
  static pthread_once_t asked = PTHREAD_ONCE_INIT;

  pthread_once (&asked, ask_name);
  return name[0] != '\0' ? name : NULL;
}

#else

int
esk_cuda_sparse_make_library (EskSparseMaking *making)
{
  return ESK_ERROR_ARGUMENT;
}

int
esk_cuda_sparse_multiply_library (const EskSparseCall *call)
{
  return ESK_ERROR_ARGUMENT;
}

void
esk_cuda_sparse_free_library (EskSparseProduct *product)
{
}

const char *
esk_cuda_sparse_library (EskStream *stream)
{
  return NULL;
}

#endif
