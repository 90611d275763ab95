/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-sparse-arrays-private.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ALIGNMENT 64
/* Arrays of several of these are asked for in them: they are had in a fraction of the time. */
#define LARGE_PAGE ((size_t) 2 << 20)
/* Rows that are checked at once. */
#define ROWS 8192

void *
esk_sparse_room (uint64_t count,
                 size_t   size)
{
  size_t bytes;
  char *room;

  if (__builtin_mul_overflow (count, size, &bytes) || bytes > SIZE_MAX / 2)
    return NULL;
  bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  room = aligned_alloc (ALIGNMENT, bytes);
  if (room != NULL && bytes >= 4 * LARGE_PAGE)
    {
      size_t skip = (LARGE_PAGE - (uintptr_t) room % LARGE_PAGE) % LARGE_PAGE;

      madvise (room + skip, (bytes - skip) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    }

  return room;
}

void *
esk_sparse_zeros (uint64_t count,
                  size_t   size)
{
  void *zeros = esk_sparse_room (count, size);

  if (zeros != NULL)
    memset (zeros, 0, count * size);

  return zeros;
}

void
esk_sparse_share (const EskSparseTeam *team,
                  size_t               n,
                  EskTeamWork          work,
                  void                *data)
{
  if (team != NULL && team->run != NULL)
    team->run (team->stream, n, work, data);
  else
    for (size_t item = 0; item < n; item++)
      work (data, item, 0);
}

int32_t *
esk_sparse_columns (uint64_t count,
                    int32_t  value)
{
  int32_t *columns = esk_sparse_zeros (count, sizeof *columns);

  for (uint64_t k = 0; columns != NULL && k < count; k++)
    columns[k] = value;

  return columns;
}

typedef struct
{
  const EskCsr *matrix;
  int           wrong;
} Check;

static void
check_rows (void    *data,
            size_t   item,
            unsigned worker)
{
  Check *self = data;
  const EskCsr *matrix = self->matrix;
  const int32_t *column = matrix->column;
  size_t end = (item + 1) * ROWS < matrix->rows ? (item + 1) * ROWS : matrix->rows;
  bool wrong = false;

  (void) worker;
  for (size_t i = item * ROWS; i < end && !wrong; i++)
    {
      int32_t from = matrix->row_from[i], to = matrix->row_from[i + 1];

      if (from == to)
        continue;
      wrong = column[from] < 0 || (size_t) column[to - 1] >= matrix->columns;
      for (int32_t k = from + 1; k < to; k++)
        wrong |= column[k] <= column[k - 1];
    }
  if (wrong)
    __atomic_store_n (&self->wrong, 1, __ATOMIC_RELAXED);
}

int
esk_csr_check (const EskCsr *matrix)
{
  return esk_csr_check_by (NULL, matrix);
}

int
esk_csr_check_by (const EskSparseTeam *team,
                  const EskCsr        *matrix)
{
  Check check = { matrix, 0 };

  if (matrix == NULL || matrix->row_from == NULL || matrix->rows >= INT32_MAX || matrix->columns >= INT32_MAX
      || (matrix->type != ESK_F32 && matrix->type != ESK_F64) || matrix->row_from[0] != 0)
    return ESK_ERROR_ARGUMENT;
  for (size_t i = 0; i < matrix->rows; i++)
    if (matrix->row_from[i + 1] < matrix->row_from[i])
      return ESK_ERROR_ARGUMENT;
  if (esk_csr_n_nonzeros (matrix) > 0 && (matrix->column == NULL || matrix->value == NULL))
    return ESK_ERROR_ARGUMENT;

  esk_sparse_share (team, (matrix->rows + ROWS - 1) / ROWS, check_rows, &check);

  return check.wrong ? ESK_ERROR_ARGUMENT : ESK_OK;
}

int
esk_sparse_options_fill (const EskSparseOptions *options,
                         EskSparseOptions       *filled)
{
  static const EskSparseOptions published = {
    .chunk = 32, .sigma = 32 * 32, .block = 128, .cuts = { 8, 16, 32 }, .merged = { 32, 16, 8, 4 }
  };

  *filled = options != NULL ? *options : (EskSparseOptions) { 0 };
  filled->chunk = filled->chunk > 0 ? filled->chunk : published.chunk;
  if (filled->chunk > 1024)
    return ESK_ERROR_ARGUMENT;
  filled->sigma = filled->sigma > 0 ? filled->sigma : 32 * filled->chunk;
  filled->sigma = filled->sigma > INT32_MAX / 2 ? INT32_MAX / 2 : filled->sigma;
  if (filled->sigma > 1)
    filled->sigma = (filled->sigma + filled->chunk - 1) / filled->chunk * filled->chunk;
  filled->block = filled->block > 0 ? filled->block : published.block;
  for (unsigned s = 0; s < 3; s++)
    filled->cuts[s] = filled->cuts[s] > 0 ? filled->cuts[s] : published.cuts[s];
  for (unsigned s = 0; s < 4; s++)
    filled->merged[s] = filled->merged[s] > 0 ? filled->merged[s] : published.merged[s];

  for (unsigned s = 0; s < 4; s++)
    if (filled->merged[s] > 32 || 32 % filled->merged[s] != 0)
      return ESK_ERROR_ARGUMENT;
  if (filled->cuts[0] > filled->cuts[1] || filled->cuts[1] > filled->cuts[2] || filled->block % 64 != 0
      || filled->block > 1024 || filled->full_warps < 0)
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* ---- rows by length ---- */

static int
compare_keys (const void *a,
              const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

/* Few rows of very different lengths: keys of the length and the number. */
static int
sort_by_keys (const EskCsr *matrix,
              size_t        from,
              size_t        end,
              bool          descending,
              int32_t      *sorted)
{
  uint64_t *keys = malloc ((end - from + 1) * sizeof *keys);

  if (keys == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = from; i < end; i++)
    {
      uint64_t length = esk_csr_length (matrix, i);

      keys[i - from] = (descending ? UINT32_MAX - length : length) << 32 | i;
    }
  qsort (keys, end - from, sizeof *keys, compare_keys);
  for (size_t i = from; i < end; i++)
    sorted[i - from] = (int32_t) (keys[i - from] & UINT32_MAX);
  free (keys);

  return ESK_OK;
}

int
esk_sparse_sort (const EskCsr *matrix,
                 size_t        from,
                 size_t        end,
                 bool          descending,
                 int32_t      *sorted)
{
  size_t shortest = SIZE_MAX, longest = 0, bins;
  size_t *place;

  for (size_t i = from; i < end; i++)
    {
      size_t length = esk_csr_length (matrix, i);

      shortest = length < shortest ? length : shortest;
      longest = length > longest ? length : longest;
    }
  if (from >= end)
    return ESK_OK;
  bins = longest - shortest + 1;
  if (bins > 4 * (end - from) + 64)
    return sort_by_keys (matrix, from, end, descending, sorted);

  place = calloc (bins + 1, sizeof *place);
  if (place == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = from; i < end; i++)
    {
      size_t length = esk_csr_length (matrix, i);

      place[(descending ? longest - length : length - shortest) + 1]++;
    }
  for (size_t b = 0; b < bins; b++)
    place[b + 1] += place[b];
  for (size_t i = from; i < end; i++)
    {
      size_t length = esk_csr_length (matrix, i);

      sorted[place[descending ? longest - length : length - shortest]++] = (int32_t) i;
    }
  free (place);

  return ESK_OK;
}

/* ---- how much ---- */

static int
stored_sc (const EskCsr           *matrix,
           const EskSparseOptions *filled,
           uint64_t               *stored)
{
  EskScCsr sc = { .rows = matrix->rows };
  int32_t *sorted = esk_sparse_zeros (matrix->rows, sizeof *sorted);
  int code = sorted != NULL ? esk_sparse_sort (matrix, 0, matrix->rows, false, sorted) : ESK_ERROR_MEMORY;

  if (code == ESK_OK)
    esk_sc_segments (matrix, sorted, filled, &sc);
  free (sorted);
  *stored = sc.stored;

  return code;
}

static int
stored_sell (const EskCsr           *matrix,
             const EskSparseOptions *filled,
             uint64_t               *stored)
{
  int32_t *sorted = NULL;
  int code = ESK_OK;

  if (filled->sigma > 1)
    {
      sorted = esk_sparse_zeros (matrix->rows, sizeof *sorted);
      code = sorted != NULL ? esk_sell_sort (matrix, filled->sigma, sorted) : ESK_ERROR_MEMORY;
    }
  if (code == ESK_OK)
    *stored = esk_sell_count (matrix, filled->chunk, sorted, NULL);
  free (sorted);

  return code;
}

int
esk_sparse_stored (const EskCsr           *matrix,
                   EskSparseFormat         format,
                   const EskSparseOptions *options,
                   uint64_t               *stored)
{
  EskSparseOptions filled;
  int code = esk_csr_check (matrix);
  size_t diagonals;

  *stored = 0;
  if (code == ESK_OK)
    code = esk_sparse_options_fill (options, &filled);
  if (code != ESK_OK)
    return code;

  switch (format)
    {
    case ESK_SPARSE_DIA:
      code = esk_dia_count (matrix, NULL, &diagonals);
      *stored = code == ESK_OK ? (uint64_t) diagonals * esk_sparse_stride (matrix->rows) : 0;
      break;
    case ESK_SPARSE_ELL:
      *stored = (uint64_t) esk_ell_width (matrix) * esk_sparse_stride (matrix->rows);
      break;
    case ESK_SPARSE_SC_CSR:
      code = stored_sc (matrix, &filled, stored);
      break;
    case ESK_SPARSE_VAB:
      *stored = (uint64_t) (esk_vab_chunks (matrix, NULL) + filled.block - 1) / filled.block * filled.block * 4;
      break;
    case ESK_SPARSE_SELL:
      code = stored_sell (matrix, &filled, stored);
      break;
    case ESK_SPARSE_COO: case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: case ESK_SPARSE_MERGE:
    case ESK_SPARSE_LIBRARY:
      *stored = esk_csr_n_nonzeros (matrix);
      break;
    case ESK_N_SPARSE_FORMATS:
    default:
      code = ESK_ERROR_ARGUMENT;
    }

  return code;
}
