/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The merge path through rows and nonzeros (Merrill and Garland 2016). */

#include "es-sparse-arrays-private.h"

#include <stdlib.h>

void
esk_merge_path_clear (EskMergePath *path)
{
  free (path->row);
  free (path->nonzero);
  memset (path, 0, sizeof *path);
}

int
esk_merge_path_make (const EskCsr *matrix,
                     size_t        steps,
                     EskMergePath *path)
{
  int code = esk_csr_check (matrix);
  uint64_t all;

  memset (path, 0, sizeof *path);
  if (code != ESK_OK || steps == 0)
    return ESK_ERROR_ARGUMENT;
  all = (uint64_t) matrix->rows + esk_csr_n_nonzeros (matrix);
  path->parts = (size_t) ((all + steps - 1) / steps);
  path->row = esk_sparse_zeros ((uint64_t) path->parts + 1, sizeof *path->row);
  path->nonzero = esk_sparse_zeros ((uint64_t) path->parts + 1, sizeof *path->nonzero);
  if (path->row == NULL || path->nonzero == NULL)
    {
      esk_merge_path_clear (path);
      return ESK_ERROR_MEMORY;
    }
  for (size_t p = 0; p <= path->parts; p++)
    {
      uint64_t step = (uint64_t) p * steps < all ? (uint64_t) p * steps : all;
      size_t row, nonzero;

      esk_merge_split (matrix->row_from, matrix->rows, esk_csr_n_nonzeros (matrix), step, &row, &nonzero);
      path->row[p] = (int32_t) row;
      path->nonzero[p] = (int32_t) nonzero;
    }

  return ESK_OK;
}
