/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A matrix in a format, and its work cut into items. */

#include "es-cpu-sparse-private.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nonzeros and rows of an item, below which another thread is not worth waking; and items at most. */
#define ITEM_STEPS 32768
#define MOST_ITEMS 1024

/* Rows that are sorted together: few enough for y to stay in the cache. */
#define SELL_CHUNK 32
#define SELL_SIGMA 512

static double
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);

  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

/* ---- items ---- */

/* What the format is cut into, and the work before unit u. */
static size_t
n_units (const EskSparseProduct *product)
{
  switch (product->format)
    {
    case ESK_SPARSE_COO: return product->coo.stored;
    case ESK_SPARSE_DIA: return (product->rows + ESK_DIA_BLOCK - 1) / ESK_DIA_BLOCK;
    case ESK_SPARSE_ELL: return (product->rows + ESK_LANES - 1) / ESK_LANES;
    case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: return product->rows;
    case ESK_SPARSE_SC_CSR: return product->sc.merged_rows;
    case ESK_SPARSE_VAB: return product->vab.blocks;
    case ESK_SPARSE_SELL: return product->sell.chunks;
    default: return 0;
    }
}

static uint64_t
work_before (const EskSparseProduct *product,
             size_t                  u)
{
  switch (product->format)
    {
    case ESK_SPARSE_COO: return u;
    case ESK_SPARSE_DIA: return (uint64_t) u * ESK_DIA_BLOCK * (product->dia.diagonals + 1);
    case ESK_SPARSE_ELL: return (uint64_t) u * ESK_LANES * (product->ell.width + 1);
    case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: return (uint64_t) product->csr.row_from[u] + u;
    case ESK_SPARSE_SC_CSR: return (uint64_t) product->sc.row_from[u] + (uint64_t) u * 16;
    case ESK_SPARSE_VAB: return (uint64_t) u * product->vab.block * 4;
    case ESK_SPARSE_SELL: return (uint64_t) product->sell.chunk_from[u] + (uint64_t) u * product->sell.chunk;
    default: return 0;
    }
}

static size_t
n_items (uint64_t work)
{
  uint64_t items = work / ITEM_STEPS + 1;

  return items < MOST_ITEMS ? (size_t) items : MOST_ITEMS;
}

static int
cut_units (EskSparseProduct *product)
{
  size_t units = n_units (product), u = 0;
  uint64_t work = work_before (product, units);

  /* Rows without nonzeros are an item, too. */
  product->items = product->rows > 0 ? n_items (work) : 0;
  product->from = calloc (product->items + 1, sizeof *product->from);
  if (product->from == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = 1; i < product->items; i++)
    {
      uint64_t wanted = work / product->items * i;
      size_t low = u, high = units;

      while (low < high)
        {
          size_t middle = low + (high - low) / 2;

          if (work_before (product, middle) < wanted)
            low = middle + 1;
          else
            high = middle;
        }
      product->from[i] = u = low;
    }
  if (product->items > 0)
    product->from[product->items] = units;

  return ESK_OK;
}

static int
cut_path (EskSparseProduct *product)
{
  uint64_t steps = (uint64_t) product->rows + esk_csr_n_nonzeros (&product->csr);
  size_t items = n_items (steps);
  int code = esk_merge_path_make (&product->csr, (size_t) ((steps + items) / items), &product->path);

  product->items = product->path.parts;

  return code;
}

/* Rows of VAB, whose sums are a step of their own. */
static int
cut_rows (EskSparseProduct *product)
{
  size_t items = n_items ((uint64_t) product->rows + product->vab.chunks);

  product->row_from = calloc (items + 1, sizeof *product->row_from);
  if (product->row_from == NULL)
    return ESK_ERROR_MEMORY;
  product->row_items = items;
  for (size_t i = 0; i <= items; i++)
    product->row_from[i] = (size_t) ((uint64_t) product->rows * i / items);

  return ESK_OK;
}

/* ---- arrays ---- */

/* The matrix itself, once more: it need not outlive the product. */
static int
copy_csr (const EskCsr     *matrix,
          uint64_t          stored_limit,
          EskSparseProduct *product)
{
  size_t n = esk_csr_n_nonzeros (matrix), size = esk_type_size (matrix->type);
  int32_t *row_from, *column;
  void *value;

  if (stored_limit != 0 && n > stored_limit)
    return ESK_ERROR_MEMORY;
  row_from = malloc ((matrix->rows + 1) * sizeof *row_from);
  column = malloc (n * sizeof *column + 1);
  value = malloc (n * size + 1);
  product->csr = (EskCsr) { matrix->rows, matrix->columns, matrix->type, row_from, column, value };
  if (row_from == NULL || column == NULL || value == NULL)
    return ESK_ERROR_MEMORY;
  memcpy (row_from, matrix->row_from, (matrix->rows + 1) * sizeof *row_from);
  if (n > 0)
    {
      memcpy (column, matrix->column, n * sizeof *column);
      memcpy (value, matrix->value, n * size);
    }

  return ESK_OK;
}

static int
make_arrays (EskStream              *stream,
             const EskCsr           *matrix,
             const EskSparseOptions *options,
             uint64_t                stored_limit,
             EskSparseProduct       *product,
             EskSparseCost          *cost)
{
  const size_t size = esk_type_size (product->type), index = sizeof (int32_t);
  const uint64_t rows = product->rows, n = esk_csr_n_nonzeros (matrix);
  const EskSparseTeam team = { esk_team_run, stream };
  int code;

  cost->stored = n;
  cost->vector_bytes = (rows + product->columns) * size;
  cost->launches = 1;
  switch (product->format)
    {
    case ESK_SPARSE_COO:
      code = esk_coo_make (matrix, stored_limit, &product->coo);
      cost->bytes = n * (size + 2 * index);
      return code;
    case ESK_SPARSE_DIA:
      /* Block of rows after block of rows: a product reads one stream of values and not one a diagonal, of which the
       * processor foresees few. */
      code = esk_dia_make_tiles (&team, matrix, stored_limit, ESK_DIA_BLOCK, &product->dia);
      cost->stored = (uint64_t) product->dia.diagonals * product->dia.stride;
      cost->bytes = cost->stored * size + product->dia.diagonals * index;
      return code;
    case ESK_SPARSE_ELL:
      code = esk_ell_make (matrix, stored_limit, &product->ell);
      cost->stored = (uint64_t) product->ell.width * product->ell.stride;
      cost->bytes = cost->stored * (size + index);
      return code;
    case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: case ESK_SPARSE_MERGE:
      code = copy_csr (matrix, stored_limit, product);
      cost->bytes = n * (size + index) + (rows + 1) * index;
      return code;
    case ESK_SPARSE_SC_CSR:
      code = esk_sc_csr_make (matrix, options, stored_limit, &product->sc);
      cost->stored = product->sc.stored;
      cost->bytes = cost->stored * (size + index) + rows * index + (product->sc.merged_rows + 1) * sizeof (int64_t);
      cost->launches = product->sc.n_segments;
      return code;
    case ESK_SPARSE_VAB:
      code = esk_vab_make (matrix, options, stored_limit, &product->vab);
      cost->stored = product->vab.stored;
      cost->bytes = cost->stored * (size + index) + (rows + 1) * index;
      /* Partial sums are written and read. */
      cost->vector_bytes += 2 * (uint64_t) product->vab.blocks * product->vab.block * size;
      cost->launches = 2;
      return code;
    case ESK_SPARSE_SELL:
      code = esk_sell_make_by (&team, matrix, options, stored_limit, &product->sell);
      cost->stored = product->sell.stored;
      cost->bytes = cost->stored * (size + index) + (product->sell.row_index != NULL ? rows * index : 0)
                    + (product->sell.chunks + 1) * sizeof (int64_t);
      return code;
    case ESK_SPARSE_LIBRARY:
      return esk_sparse_library_new (matrix, esk_team_size (stream), options->variant, &product->library,
                                     &cost->bytes);
    case ESK_N_SPARSE_FORMATS: default:
      return ESK_ERROR_ARGUMENT;
    }
}

static int
make_items (EskSparseProduct *product)
{
  const size_t size = esk_type_size (product->type);
  int code = ESK_OK;

  if (product->format == ESK_SPARSE_MERGE)
    code = cut_path (product);
  else if (product->format != ESK_SPARSE_LIBRARY)
    code = cut_units (product);
  if (code == ESK_OK && product->format == ESK_SPARSE_VAB)
    {
      code = cut_rows (product);
      product->partial = aligned_alloc (64, (product->vab.blocks * product->vab.block * size + 64) / 64 * 64);
    }
  if (product->format == ESK_SPARSE_MERGE || product->format == ESK_SPARSE_COO)
    product->carry = calloc (product->items + 1, size);
  if ((product->format == ESK_SPARSE_VAB && product->partial == NULL)
      || ((product->format == ESK_SPARSE_MERGE || product->format == ESK_SPARSE_COO) && product->carry == NULL))
    code = ESK_ERROR_MEMORY;

  return code;
}

void
esk_cpu_sparse_free (EskStream        *stream,
                     EskSparseProduct *product)
{
  (void) stream;
  if (product == NULL)
    return;

  free ((void *) product->csr.row_from);
  free ((void *) product->csr.column);
  free ((void *) product->csr.value);
  esk_coo_clear (&product->coo);
  esk_dia_clear (&product->dia);
  esk_ell_clear (&product->ell);
  esk_sc_csr_clear (&product->sc);
  esk_vab_clear (&product->vab);
  esk_sell_clear (&product->sell);
  esk_merge_path_clear (&product->path);
  esk_sparse_library_free (product->library);
  free (product->from);
  free (product->row_from);
  free (product->carry);
  free (product->partial);
  free (product);
}

int
esk_cpu_sparse_new (EskStream              *stream,
                    const EskCsr           *matrix,
                    EskSparseFormat         format,
                    const EskSparseOptions *options,
                    uint64_t                stored_limit,
                    EskSparseProduct      **product,
                    EskSparseCost          *cost)
{
  EskSparseOptions filled = options != NULL ? *options : (EskSparseOptions) { 0 };
  EskSparseCost own = { 0 };
  EskSparseProduct *made;
  double begin = now_ms ();
  int code;

  if (product == NULL)
    return ESK_ERROR_ARGUMENT;
  *product = NULL;
  if (stream == NULL || (unsigned) format >= ESK_N_SPARSE_FORMATS
      || esk_csr_check_by (&(EskSparseTeam) { esk_team_run, stream }, matrix) != ESK_OK)
    return ESK_ERROR_ARGUMENT;
  /* A processor has no warps to be filled. */
  filled.full_warps = filled.full_warps < 0 ? 0 : filled.full_warps;
  filled.chunk = filled.chunk > 0 ? filled.chunk : SELL_CHUNK;
  filled.sigma = filled.sigma > 0 ? filled.sigma : SELL_SIGMA;

  made = calloc (1, sizeof *made);
  if (made == NULL)
    return ESK_ERROR_MEMORY;
  made->format = format;
  made->type = matrix->type;
  made->rows = matrix->rows;
  made->columns = matrix->columns;
  code = make_arrays (stream, matrix, &filled, stored_limit, made, &own);
  if (code == ESK_OK)
    code = make_items (made);
  if (code != ESK_OK)
    {
      esk_cpu_sparse_free (stream, made);
      return code;
    }
  own.build_ms = now_ms () - begin;
  *product = made;
  if (cost != NULL)
    *cost = own;

  return ESK_OK;
}
