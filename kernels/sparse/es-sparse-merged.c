/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SC-CSR: rows sorted by length, cut into segments, merged and stored column by column (sparse.md 1.1). */

#include "es-sparse-arrays-private.h"

#include <stdlib.h>

int
esk_sc_full_warps (unsigned multiprocessors,
                   unsigned blocks,
                   unsigned block_threads,
                   unsigned warp_threads)
{
  uint64_t threads = (uint64_t) multiprocessors * blocks * block_threads;
  uint64_t warps = warp_threads > 0 ? threads / warp_threads / 2 : 0;

  return warps < INT32_MAX ? (int) warps : INT32_MAX;
}

void
esk_sc_csr_clear (EskScCsr *sc)
{
  free (sc->length);
  free (sc->row_index);
  free (sc->row_from);
  free (sc->column);
  free (sc->value);
  memset (sc, 0, sizeof *sc);
}

/* The longest of a merged row: the last of its rows that there is. */
static size_t
merged_width (const EskCsr       *matrix,
              const int32_t      *sorted,
              const EskScSegment *segment,
              size_t              m)
{
  size_t end = segment->first_row + (m - segment->first_merged + 1) * segment->merged;

  end = end < segment->end_row ? end : segment->end_row;

  return esk_csr_length (matrix, (size_t) sorted[end - 1]);
}

void
esk_sc_segments (const EskCsr           *matrix,
                 const int32_t          *sorted,
                 const EskSparseOptions *filled,
                 EskScCsr               *sc)
{
  size_t first = 0, end = 0;

  sc->n_segments = 0;
  sc->merged_rows = 0;
  sc->stored = 0;
  for (unsigned s = 0; s < 4; s++)
    {
      unsigned merged = filled->merged[s];
      EskScSegment *segment = &sc->segment[sc->n_segments];

      while (end < matrix->rows && (s == 3 || esk_csr_length (matrix, (size_t) sorted[end]) < filled->cuts[s]))
        end++;
      /* Too few for the whole device: the next segment has them. */
      if (end == first || (s < 3 && end - first < (size_t) filled->full_warps * merged))
        continue;
      *segment = (EskScSegment) { .first_row = first, .end_row = end, .first_merged = sc->merged_rows,
                                  .merged = merged };
      segment->end_merged = sc->merged_rows + (end - first + merged - 1) / merged;
      for (size_t m = segment->first_merged; m < segment->end_merged; m++)
        sc->stored += (uint64_t) merged_width (matrix, sorted, segment, m) * merged;
      sc->merged_rows = segment->end_merged;
      sc->n_segments++;
      first = end;
    }
}

static inline __attribute__ ((always_inline)) void
fill_merged (const EskCsr       *matrix,
             size_t              size,
             const EskScSegment *segment,
             EskScCsr           *sc)
{
  for (size_t q = segment->first_row; q < segment->end_row; q++)
    {
      size_t row = (size_t) sc->row_index[q], within = q - segment->first_row;
      size_t to = (size_t) sc->row_from[segment->first_merged + within / segment->merged] + within % segment->merged;
      size_t from = (size_t) matrix->row_from[row], n = (size_t) sc->length[q];

      for (size_t k = 0; k < n; k++)
        {
          sc->column[to + k * segment->merged] = matrix->column[from + k];
          esk_sparse_put (size, sc->value, to + k * segment->merged, matrix->value, from + k);
        }
    }
}

static int
fill (const EskCsr *matrix,
      EskScCsr     *sc)
{
  int64_t at = 0;

  sc->length = esk_sparse_zeros (sc->rows, sizeof *sc->length);
  sc->row_from = esk_sparse_zeros ((uint64_t) sc->merged_rows + 1, sizeof *sc->row_from);
  sc->column = esk_sparse_columns (sc->stored, ESK_SPARSE_NO_COLUMN);
  sc->value = esk_sparse_zeros (sc->stored, esk_type_size (sc->type));
  if (sc->length == NULL || sc->row_from == NULL || sc->column == NULL || sc->value == NULL)
    return ESK_ERROR_MEMORY;

  for (size_t q = 0; q < sc->rows; q++)
    sc->length[q] = (int32_t) esk_csr_length (matrix, (size_t) sc->row_index[q]);
  for (unsigned s = 0; s < sc->n_segments; s++)
    {
      const EskScSegment *segment = &sc->segment[s];

      for (size_t m = segment->first_merged; m < segment->end_merged; m++)
        {
          at += (int64_t) merged_width (matrix, sc->row_index, segment, m) * segment->merged;
          sc->row_from[m + 1] = at;
        }
      if (sc->type == ESK_F64)
        fill_merged (matrix, sizeof (double), segment, sc);
      else
        fill_merged (matrix, sizeof (float), segment, sc);
    }

  return ESK_OK;
}

int
esk_sc_csr_make (const EskCsr           *matrix,
                 const EskSparseOptions *options,
                 uint64_t                stored_limit,
                 EskScCsr               *sc)
{
  EskSparseOptions filled;
  int code = esk_csr_check (matrix);

  memset (sc, 0, sizeof *sc);
  if (code == ESK_OK)
    code = esk_sparse_options_fill (options, &filled);
  if (code != ESK_OK)
    return code;
  *sc = (EskScCsr) { .rows = matrix->rows, .columns = matrix->columns, .type = matrix->type };
  sc->row_index = esk_sparse_zeros (sc->rows, sizeof *sc->row_index);
  code = sc->row_index != NULL ? esk_sparse_sort (matrix, 0, sc->rows, false, sc->row_index) : ESK_ERROR_MEMORY;
  if (code == ESK_OK)
    {
      esk_sc_segments (matrix, sc->row_index, &filled, sc);
      code = esk_sparse_allowed (sc->stored, stored_limit) ? fill (matrix, sc) : ESK_ERROR_MEMORY;
    }
  if (code != ESK_OK)
    esk_sc_csr_clear (sc);

  return code;
}
