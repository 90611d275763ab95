/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The arrays that cuSPARSE's products read. */

#include "es-cuda-sparse-library-private.h"

#include <stdlib.h>

#include "sparse/es-sparse-build.h"

/* SELL that is padded to more than so many times the nonzeros is not tried for the best. */
#define MOST_PADDING 4

static int
make_rows (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  EskCoo coo;
  int code = esk_coo_make (making->matrix, making->stored_limit, &coo);

  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;
  product->row = (const int32_t *) esk_cuda_sparse_array (making, coo.row, coo.stored, sizeof *coo.row, &code);
  esk_coo_clear (&coo);

  return code;
}

static int
make_sell (EskSparseMaking *making,
           EskLibrarySell  *sell)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  EskSparseOptions options = {};
  EskSell built;
  int32_t *from = NULL;
  int code;

  options.chunk = CHUNK;
  options.sigma = 1;
  code = esk_sell_make (making->matrix, &options, making->stored_limit, &built);
  if (code != ESK_OK)
    return code;
  from = (int32_t *) malloc ((built.chunks + 1) * sizeof *from);
  if (from == NULL || built.stored > INT32_MAX)
    code = ESK_ERROR_MEMORY;
  for (size_t c = 0; code == ESK_OK && c <= built.chunks; c++)
    from[c] = (int32_t) built.chunk_from[c];
  product->cost.build_ms += esk_cuda_sparse_now () - start;

  sell->stored = (int64_t) built.stored;
  if (code == ESK_OK)
    sell->from = (const int32_t *) esk_cuda_sparse_array (making, from, built.chunks + 1, sizeof *from, &code);
  if (code == ESK_OK)
    sell->column = (const int32_t *) esk_cuda_sparse_array (making, built.column, (size_t) built.stored,
                                                            sizeof *built.column, &code);
  if (code == ESK_OK)
    sell->value = esk_cuda_sparse_array (making, built.value, (size_t) built.stored, esk_type_size (product->type),
                                         &code);
  free (from);
  esk_sell_clear (&built);

  return code;
}

void
esk_cuda_library_drop (EskSparseProduct *product,
                       const void       *array)
{
  for (size_t k = 0; k < product->n_arrays; k++)
    if (product->memory[k] == array)
      {
        cudaFree (product->memory[k]);
        product->memory[k] = product->memory[--product->n_arrays];
        return;
      }
}

bool
esk_cuda_library_is_worth_padding (EskSparseMaking *making)
{
  EskSparseOptions options = {};
  uint64_t stored;

  options.chunk = CHUNK;
  options.sigma = 1;
  return esk_sparse_stored (making->matrix, ESK_SPARSE_SELL, &options, &stored) == ESK_OK
         && stored <= MOST_PADDING * (uint64_t) making->product->n_nonzeros && stored <= INT32_MAX;
}

int
esk_cuda_library_arrays (EskSparseMaking *making,
                         unsigned         first,
                         unsigned        *last,
                         EskLibrarySell  *sell)
{
  const bool must = first == *last;
  int code = ESK_OK;

  if (first <= COO_SECOND)
    code = esk_cuda_sparse_make_csr (making);
  if (code == ESK_OK && first <= COO_SECOND && *last >= COO_FIRST)
    {
      code = make_rows (making);
      if (code == ESK_ERROR_MEMORY && !must)
        {
          *last = CSR_SECOND;
          code = ESK_OK;
        }
    }
  if (code == ESK_OK && *last == SELL)
    {
      code = make_sell (making, sell);
      if (code == ESK_ERROR_MEMORY && !must)
        {
          *last = COO_SECOND;
          code = ESK_OK;
        }
    }

  return code;
}
