/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Formats of chunks: VAB, whose chunks are four elements of a row (sparse.md 1.2), and SELL-C-sigma, whose chunks are
 * rows. */

#include "es-sparse-arrays-private.h"

#include <stdlib.h>

/* Rows of SELL that a thread takes at once, about. */
#define ROWS 4096

/* ---- VAB ---- */

void
esk_vab_clear (EskVab *vab)
{
  free (vab->chunk_from);
  free (vab->column);
  free (vab->value);
  memset (vab, 0, sizeof *vab);
}

size_t
esk_vab_chunks (const EskCsr *matrix,
                int32_t      *chunk_from)
{
  size_t chunks = 0;

  for (size_t i = 0; i < matrix->rows; i++)
    {
      chunks += (esk_csr_length (matrix, i) + 3) / 4;
      if (chunk_from != NULL)
        chunk_from[i + 1] = (int32_t) chunks;
    }

  return chunks;
}

static inline __attribute__ ((always_inline)) void
fill_vab (const EskCsr *matrix,
          size_t        size,
          EskVab       *vab)
{
  for (size_t i = 0; i < matrix->rows; i++)
    for (size_t t = 0, from = (size_t) matrix->row_from[i], n = esk_csr_length (matrix, i); t < n; t++)
      {
        size_t at = esk_vab_address ((size_t) vab->chunk_from[i] + t / 4, (unsigned) (t % 4), vab->block);

        vab->column[at] = matrix->column[from + t];
        esk_sparse_put (size, vab->value, at, matrix->value, from + t);
      }
}

int
esk_vab_make (const EskCsr           *matrix,
              const EskSparseOptions *options,
              uint64_t                stored_limit,
              EskVab                 *vab)
{
  EskSparseOptions filled;
  int code = esk_csr_check (matrix);

  memset (vab, 0, sizeof *vab);
  if (code == ESK_OK)
    code = esk_sparse_options_fill (options, &filled);
  if (code != ESK_OK)
    return code;
  *vab = (EskVab) { .rows = matrix->rows, .columns = matrix->columns, .type = matrix->type, .block = filled.block };
  vab->chunks = esk_vab_chunks (matrix, NULL);
  vab->blocks = (vab->chunks + vab->block - 1) / vab->block;
  vab->stored = (uint64_t) vab->blocks * 4 * vab->block;
  if (!esk_sparse_allowed (vab->stored, stored_limit))
    return ESK_ERROR_MEMORY;

  vab->chunk_from = esk_sparse_zeros ((uint64_t) vab->rows + 1, sizeof *vab->chunk_from);
  vab->column = esk_sparse_zeros (vab->stored, sizeof *vab->column);
  vab->value = esk_sparse_zeros (vab->stored, esk_type_size (vab->type));
  if (vab->chunk_from == NULL || vab->column == NULL || vab->value == NULL)
    {
      esk_vab_clear (vab);
      return ESK_ERROR_MEMORY;
    }
  esk_vab_chunks (matrix, vab->chunk_from);
  if (vab->type == ESK_F64)
    fill_vab (matrix, sizeof (double), vab);
  else
    fill_vab (matrix, sizeof (float), vab);

  return ESK_OK;
}

/* ---- SELL-C-sigma ---- */

void
esk_sell_clear (EskSell *sell)
{
  free (sell->row_index);
  free (sell->chunk_from);
  free (sell->column);
  free (sell->value);
  memset (sell, 0, sizeof *sell);
}

int
esk_sell_sort (const EskCsr *matrix,
               unsigned      sigma,
               int32_t      *sorted)
{
  int code = ESK_OK;

  for (size_t from = 0; code == ESK_OK && from < matrix->rows; from += sigma)
    {
      size_t end = from + sigma < matrix->rows ? from + sigma : matrix->rows;

      code = esk_sparse_sort (matrix, from, end, true, sorted + from);
    }

  return code;
}

uint64_t
esk_sell_count (const EskCsr  *matrix,
                unsigned       chunk,
                const int32_t *sorted,
                int64_t       *chunk_from)
{
  uint64_t stored = 0;

  for (size_t from = 0, c = 0; from < matrix->rows; from += chunk, c++)
    {
      size_t end = from + chunk < matrix->rows ? from + chunk : matrix->rows, width = 0;

      for (size_t q = from; q < end; q++)
        {
          size_t length = esk_csr_length (matrix, sorted != NULL ? (size_t) sorted[q] : q);

          width = length > width ? length : width;
        }
      stored += (uint64_t) width * chunk;
      if (chunk_from != NULL)
        chunk_from[c + 1] = (int64_t) stored;
    }

  return stored;
}

typedef struct
{
  const EskCsr *matrix;
  EskSell      *sell;
  size_t        rows;          /* of an item: whole windows and chunks */
  int           code;
} Sell;

static size_t
end_of (const Sell *self,
        size_t      item)
{
  return (item + 1) * self->rows < self->sell->rows ? (item + 1) * self->rows : self->sell->rows;
}

/* Rows sorted, and how many values each chunk has, where the next one is counted from. */
static void
sort_item (void    *data,
           size_t   item,
           unsigned worker)
{
  Sell *self = data;
  EskSell *sell = self->sell;
  size_t first = item * self->rows, end = end_of (self, item);

  (void) worker;
  for (size_t from = first; sell->row_index != NULL && from < end; from += sell->sigma)
    {
      size_t to = from + sell->sigma < end ? from + sell->sigma : end;

      if (esk_sparse_sort (self->matrix, from, to, true, sell->row_index + from) != ESK_OK)
        {
          __atomic_store_n (&self->code, ESK_ERROR_MEMORY, __ATOMIC_RELAXED);
          return;
        }
    }
  for (size_t from = first; from < end; from += sell->chunk)
    {
      size_t to = from + sell->chunk < end ? from + sell->chunk : end, width = 0;

      for (size_t q = from; q < to; q++)
        {
          size_t length = esk_csr_length (self->matrix, sell->row_index != NULL ? (size_t) sell->row_index[q] : q);

          width = length > width ? length : width;
        }
      sell->chunk_from[from / sell->chunk + 1] = (int64_t) width * sell->chunk;
    }
}

/* Row q of a chunk, and what pads it. */
static inline __attribute__ ((always_inline)) void
fill_row (const EskCsr *matrix,
          size_t        size,
          EskSell      *sell,
          size_t        q)
{
  size_t row = q < sell->rows && sell->row_index != NULL ? (size_t) sell->row_index[q] : q;
  size_t from = q < sell->rows ? (size_t) matrix->row_from[row] : 0;
  size_t n = q < sell->rows ? esk_csr_length (matrix, row) : 0;
  size_t to = (size_t) sell->chunk_from[q / sell->chunk] + q % sell->chunk;
  size_t end = (size_t) sell->chunk_from[q / sell->chunk + 1];

  for (size_t k = 0; k < n; k++, to += sell->chunk)
    {
      sell->column[to] = matrix->column[from + k];
      esk_sparse_put (size, sell->value, to, matrix->value, from + k);
    }
  for (; to < end; to += sell->chunk)
    {
      sell->column[to] = ESK_SPARSE_NO_COLUMN;
      memset ((char *) sell->value + to * size, 0, size);
    }
}

static void
fill_item (void    *data,
           size_t   item,
           unsigned worker)
{
  const Sell *self = data;
  EskSell *sell = self->sell;
  size_t end = end_of (self, item);

  (void) worker;
  /* The last chunk is whole. */
  end = (end + sell->chunk - 1) / sell->chunk * sell->chunk;
  if (sell->type == ESK_F64)
    for (size_t q = item * self->rows; q < end; q++)
      fill_row (self->matrix, sizeof (double), sell, q);
  else
    for (size_t q = item * self->rows; q < end; q++)
      fill_row (self->matrix, sizeof (float), sell, q);
}

int
esk_sell_make (const EskCsr           *matrix,
               const EskSparseOptions *options,
               uint64_t                stored_limit,
               EskSell                *sell)
{
  int code = esk_csr_check (matrix);

  memset (sell, 0, sizeof *sell);

  return code == ESK_OK ? esk_sell_make_by (NULL, matrix, options, stored_limit, sell) : code;
}

int
esk_sell_make_by (const EskSparseTeam    *team,
                  const EskCsr           *matrix,
                  const EskSparseOptions *options,
                  uint64_t                stored_limit,
                  EskSell                *sell)
{
  EskSparseOptions filled;
  int code = esk_sparse_options_fill (options, &filled);
  Sell work = { matrix, sell, 0, ESK_OK };
  size_t items;

  memset (sell, 0, sizeof *sell);
  if (code != ESK_OK)
    return code;
  *sell = (EskSell) { .rows = matrix->rows, .columns = matrix->columns, .type = matrix->type, .chunk = filled.chunk,
                      .sigma = filled.sigma };
  sell->chunks = (sell->rows + sell->chunk - 1) / sell->chunk;
  sell->chunk_from = esk_sparse_zeros ((uint64_t) sell->chunks + 1, sizeof *sell->chunk_from);
  if (sell->sigma > 1)
    sell->row_index = esk_sparse_zeros (sell->rows, sizeof *sell->row_index);
  if (sell->chunk_from == NULL || (sell->sigma > 1 && sell->row_index == NULL))
    code = ESK_ERROR_MEMORY;
  work.rows = sell->sigma > 1 ? sell->sigma : sell->chunk;
  work.rows *= (ROWS + work.rows - 1) / work.rows;
  items = (sell->rows + work.rows - 1) / work.rows;
  if (code == ESK_OK)
    {
      esk_sparse_share (team, items, sort_item, &work);
      code = work.code;
    }
  if (code == ESK_OK)
    {
      for (size_t c = 0; c < sell->chunks; c++)
        sell->chunk_from[c + 1] += sell->chunk_from[c];
      sell->stored = (uint64_t) sell->chunk_from[sell->chunks];
      if (!esk_sparse_allowed (sell->stored, stored_limit))
        code = ESK_ERROR_MEMORY;
    }
  if (code == ESK_OK)
    {
      sell->column = esk_sparse_room (sell->stored, sizeof *sell->column);
      sell->value = esk_sparse_room (sell->stored, esk_type_size (sell->type));
      if (sell->column == NULL || sell->value == NULL)
        code = ESK_ERROR_MEMORY;
    }
  if (code != ESK_OK)
    {
      esk_sell_clear (sell);
      return code;
    }
  esk_sparse_share (team, items, fill_item, &work);

  return ESK_OK;
}
