/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the makers of formats share. */

#include "es-sparse-build.h"

#include <string.h>

/* count elements of size bytes, all 0, on a multiple of 64; NULL: no memory, or bytes that no size_t holds. free (). */
void *esk_sparse_zeros (uint64_t count, size_t size);
/* The same, of whatever is there. */
void *esk_sparse_room  (uint64_t count, size_t size);
/* Items 0 ... n - 1 by the team. */
void  esk_sparse_share (const EskSparseTeam *team, size_t n, EskTeamWork work, void *data);
/* Zeros, of int32, all `value`; NULL as above. */
int32_t *esk_sparse_columns (uint64_t count, int32_t value);

/* Whether that many values may be stored. */
static inline bool
esk_sparse_allowed (uint64_t stored,
                    uint64_t limit)
{
  return limit == 0 || stored <= limit;
}

/* Rows of the columns of formats by columns: an odd multiple of 32, so that columns do not fall on the same sets. */
static inline size_t
esk_sparse_stride (size_t rows)
{
  return ((rows + 31) / 32 | 1) * 32;
}

static inline size_t
esk_csr_length (const EskCsr *matrix,
                size_t        row)
{
  return (size_t) (matrix->row_from[row + 1] - matrix->row_from[row]);
}

/* The numbers of rows `from` to end - 1, sorted by length, of one length by number. ESK_ERROR_MEMORY. */
int  esk_sparse_sort (const EskCsr *matrix, size_t from, size_t end, bool descending, int32_t *sorted);

/* Diagonals that hold a nonzero; mark (nullable): rows + columns bytes of 0, of which [offset + rows] becomes 1. */
int  esk_dia_count  (const EskCsr *matrix, uint8_t *mark, size_t *diagonals);
size_t esk_ell_width (const EskCsr *matrix);
/* The segments of sorted rows, and values with padding. */
void esk_sc_segments (const EskCsr *matrix, const int32_t *sorted, const EskSparseOptions *filled, EskScCsr *sc);
int  esk_sell_sort   (const EskCsr *matrix, unsigned sigma, int32_t *sorted);
/* Values with padding; sorted NULL: rows as they are. */
uint64_t esk_sell_count (const EskCsr *matrix, unsigned chunk, const int32_t *sorted, int64_t *chunk_from);
size_t esk_vab_chunks (const EskCsr *matrix, int32_t *chunk_from);

/* One value of the matrix to a place; type is a constant where it is called in a loop. */
static inline __attribute__ ((always_inline)) void
esk_sparse_put (size_t      size,
                void       *to,
                size_t      to_at,
                const void *from,
                size_t      from_at)
{
  if (size == sizeof (double))
    ((uint64_t *) to)[to_at] = ((const uint64_t *) from)[from_at];
  else
    ((uint32_t *) to)[to_at] = ((const uint32_t *) from)[from_at];
}
