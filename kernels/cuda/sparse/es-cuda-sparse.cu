/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices with vectors (sparse.md 1): bringing a matrix to the device in a format, and products. */

#include "es-cuda-sparse-private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Behind every array: what the last load of a vector may read beyond it. */
#define BEYOND 64

typedef struct {
  int (*make)     (EskSparseMaking *making);
  int (*multiply) (const EskSparseCall *call);
} Format;

/* In the order of EskSparseFormat; CSR_VECTOR by tiles (make_vector ()). */
static const Format formats[ESK_N_SPARSE_FORMATS] = {
  { esk_cuda_sparse_make_coo, esk_cuda_sparse_multiply_coo },
  { esk_cuda_sparse_make_dia, esk_cuda_sparse_multiply_dia },
  { esk_cuda_sparse_make_ell, esk_cuda_sparse_multiply_ell },
  { esk_cuda_sparse_make_rows, esk_cuda_sparse_multiply_rows },
  { esk_cuda_sparse_make_tiles, esk_cuda_sparse_multiply_tiles },
  { esk_cuda_sparse_make_sc_csr, esk_cuda_sparse_multiply_sc_csr },
  { esk_cuda_sparse_make_vab, esk_cuda_sparse_multiply_vab },
  { esk_cuda_sparse_make_merge, esk_cuda_sparse_multiply_merge },
  { esk_cuda_sparse_make_sell, esk_cuda_sparse_multiply_sell },
  { esk_cuda_sparse_make_library, esk_cuda_sparse_multiply_library },
};

double
esk_cuda_sparse_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

void *
esk_cuda_sparse_array (EskSparseMaking *making,
                       const void      *from,
                       size_t           count,
                       size_t           bytes,
                       int             *code)
{
  EskSparseProduct *product = making->product;
  cudaStream_t stream = making->stream->stream;
  const double start = esk_cuda_sparse_now ();
  size_t total, room;
  void *memory = NULL;

  *code = ESK_OK;
  if (product->n_arrays == ESK_SPARSE_MOST_ARRAYS || __builtin_mul_overflow (count, bytes, &total)
      || __builtin_add_overflow (total, (size_t) BEYOND, &room))
    {
      *code = ESK_ERROR_MEMORY;
      return NULL;
    }

  *code = esk_cuda_check (making->stream, esk_cuda_malloc (&memory, room), "a sparse matrix");
  if (*code != ESK_OK)
    return NULL;
  product->memory[product->n_arrays++] = memory;
  *code = esk_cuda_check (making->stream, cudaMemsetAsync ((char *) memory + total, 0, BEYOND, stream),
                          "a sparse matrix");
  if (*code == ESK_OK && from != NULL && total > 0)
    *code = esk_cuda_check (making->stream, cudaMemcpyAsync (memory, from, total, cudaMemcpyHostToDevice, stream),
                            "a sparse matrix");
  if (*code == ESK_OK && from != NULL)
    product->cost.bytes += total;
  product->cost.upload_ms += esk_cuda_sparse_now () - start;

  return *code == ESK_OK ? memory : NULL;
}

void
esk_cuda_sparse_product_free (EskStream        *stream,
                              EskSparseProduct *product)
{
  if (product == NULL)
    return;

  cudaSetDevice (product->index);
  if (product->library != NULL)
    esk_cuda_sparse_free_library (product);
  if (product->texture != 0)
    cudaDestroyTextureObject (product->texture);
  /* Waits until nobody works on it any more. */
  for (size_t k = 0; k < product->n_arrays; k++)
    cudaFree (product->memory[k]);
  cudaGetLastError ();
  free (product);
}

int
esk_cuda_sparse_product_new (EskStream               *stream,
                             const EskCsr            *matrix,
                             EskSparseFormat          format,
                             const EskSparseOptions  *options,
                             uint64_t                 stored_limit,
                             EskSparseProduct       **product,
                             EskSparseCost           *cost)
{
  EskSparseMaking making;
  EskSparseProduct *self;
  size_t type_bytes;
  double start;
  int code;

  if (product != NULL)
    *product = NULL;
  if (cost != NULL)
    memset (cost, 0, sizeof *cost);
  if (stream == NULL || product == NULL || matrix == NULL || matrix->row_from == NULL
      || (unsigned) format >= ESK_N_SPARSE_FORMATS)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  self = (EskSparseProduct *) calloc (1, sizeof *self);
  if (self == NULL)
    return ESK_ERROR_MEMORY;
  type_bytes = matrix->type == ESK_F32 ? sizeof (float) : sizeof (double);
  self->format = format;
  self->type = matrix->type;
  self->rows = matrix->rows;
  self->columns = matrix->columns;
  self->n_nonzeros = esk_csr_n_nonzeros (matrix);
  self->index = stream->index;
  self->cost.vector_bytes = (self->rows + self->columns) * type_bytes;

  making.stream = stream;
  making.matrix = matrix;
  memset (&making.options, 0, sizeof making.options);
  if (options != NULL)
    making.options = *options;
  if (format != ESK_SPARSE_SC_CSR && making.options.full_warps < 0)
    making.options.full_warps = 0;
  /* What the card cannot hold need not be built. */
  making.stored_limit = esk_cuda_device_memory (stream->device) / type_bytes;
  if (stored_limit != 0 && stored_limit < making.stored_limit)
    making.stored_limit = stored_limit;
  making.product = self;
  if (format == ESK_SPARSE_CSR_VECTOR && making.options.variant == 1)
    code = esk_cuda_sparse_make_rows (&making);
  else
    code = formats[format].make (&making);
  start = esk_cuda_sparse_now ();
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "a sparse matrix");
  self->cost.upload_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    {
      esk_cuda_sparse_product_free (stream, self);
      return code;
    }

  if (cost != NULL)
    *cost = self->cost;
  *product = self;

  return ESK_OK;
}

int
esk_cuda_sparse_multiply (EskStream        *stream,
                          EskSparseProduct *product,
                          double            alpha,
                          const void       *x,
                          double            beta,
                          void             *y)
{
  const EskSparseCall call = { stream, product, alpha, beta, x, y, NULL };
  int code;

  if (stream == NULL || product == NULL || (x == NULL && product->columns > 0) || (y == NULL && product->rows > 0)
      || product->index != stream->index)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK || product->rows == 0)
    return code;
  /* No column: the formats that pad would read x. */
  if (product->n_nonzeros == 0)
    return esk_cuda_sparse_scale (&call);
  if (product->format == ESK_SPARSE_CSR_VECTOR && product->lanes > 0)
    return esk_cuda_sparse_multiply_rows (&call);

  return formats[product->format].multiply (&call);
}

int
esk_cuda_sparse_multiply_behind (EskStream             *stream,
                                 EskSparseProduct      *product,
                                 const void            *x,
                                 void                  *y,
                                 const EskSparseBehind *behind,
                                 bool                  *done)
{
  const EskSparseCall call = { stream, product, 1.0, 0.0, x, y, behind };
  const bool thread_a_row = product->format == ESK_SPARSE_DIA || product->format == ESK_SPARSE_ELL
                            || product->format == ESK_SPARSE_SELL;
  /* Rows in pieces are there only after a second launch. */
  const bool tiles = product->format == ESK_SPARSE_CSR_VECTOR && product->lanes == 0 && product->n_long == 0;
  int code;

  *done = false;
  if (x == NULL || y == NULL || product->index != stream->index || product->n_nonzeros == 0
      || !(thread_a_row || tiles))
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  *done = true;

  return formats[product->format].multiply (&call);
}

void
esk_cuda_sparse_describe (const EskSparseProduct *product,
                          size_t                 *rows,
                          size_t                 *columns,
                          EskType                *type)
{
  *rows = product->rows;
  *columns = product->columns;
  *type = product->type;
}
