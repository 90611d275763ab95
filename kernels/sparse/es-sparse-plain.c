/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Triplets, diagonals and rows of one length (sparse.md 1.0). */

#include "es-sparse-arrays-private.h"

#include <stdlib.h>

/* ---- triplets ---- */

void
esk_coo_clear (EskCoo *coo)
{
  free (coo->row);
  free (coo->column);
  free (coo->value);
  memset (coo, 0, sizeof *coo);
}

int
esk_coo_make (const EskCsr *matrix,
              uint64_t      stored_limit,
              EskCoo       *coo)
{
  int code = esk_csr_check (matrix);
  size_t n, size;

  memset (coo, 0, sizeof *coo);
  if (code != ESK_OK)
    return code;
  n = esk_csr_n_nonzeros (matrix);
  size = esk_type_size (matrix->type);
  if (!esk_sparse_allowed (n, stored_limit))
    return ESK_ERROR_MEMORY;

  *coo = (EskCoo) { .rows = matrix->rows, .columns = matrix->columns, .stored = n, .type = matrix->type };
  coo->row = esk_sparse_zeros (n, sizeof *coo->row);
  coo->column = esk_sparse_zeros (n, sizeof *coo->column);
  coo->value = esk_sparse_zeros (n, size);
  if (coo->row == NULL || coo->column == NULL || coo->value == NULL)
    {
      esk_coo_clear (coo);
      return ESK_ERROR_MEMORY;
    }
  for (size_t i = 0; i < matrix->rows; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      coo->row[k] = (int32_t) i;
  if (n > 0)
    {
      memcpy (coo->column, matrix->column, n * sizeof *coo->column);
      memcpy (coo->value, matrix->value, n * size);
    }

  return ESK_OK;
}

/* ---- diagonals ---- */

void
esk_dia_clear (EskDia *dia)
{
  free (dia->offset);
  free (dia->value);
  memset (dia, 0, sizeof *dia);
}

int
esk_dia_count (const EskCsr *matrix,
               uint8_t      *mark,
               size_t       *diagonals)
{
  uint8_t *own = mark == NULL ? esk_sparse_zeros ((uint64_t) matrix->rows + matrix->columns, 1) : NULL;
  uint8_t *seen = mark != NULL ? mark : own;

  *diagonals = 0;
  if (seen == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = 0; i < matrix->rows; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        size_t at = matrix->rows + (size_t) matrix->column[k] - i;

        *diagonals += !seen[at];
        seen[at] = 1;
      }
  free (own);

  return ESK_OK;
}

static inline __attribute__ ((always_inline)) void
fill_diagonals (const EskCsr  *matrix,
                size_t         size,
                const int32_t *number,
                EskDia        *dia)
{
  for (size_t i = 0; i < matrix->rows; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        size_t d = (size_t) number[matrix->rows + (size_t) matrix->column[k] - i];

        esk_sparse_put (size, dia->value, d * dia->stride + i, matrix->value, (size_t) k);
      }
}

int
esk_dia_make (const EskCsr *matrix,
              uint64_t      stored_limit,
              EskDia       *dia)
{
  int code = esk_csr_check (matrix);
  uint8_t *mark = NULL;
  int32_t *number = NULL;
  size_t places, size, next = 0;

  memset (dia, 0, sizeof *dia);
  if (code != ESK_OK)
    return code;
  *dia = (EskDia) { .rows = matrix->rows, .columns = matrix->columns, .stride = esk_sparse_stride (matrix->rows),
                    .type = matrix->type };
  places = matrix->rows + matrix->columns;
  size = esk_type_size (matrix->type);
  mark = esk_sparse_zeros (places, 1);
  code = mark != NULL ? esk_dia_count (matrix, mark, &dia->diagonals) : ESK_ERROR_MEMORY;
  if (code == ESK_OK && !esk_sparse_allowed ((uint64_t) dia->diagonals * dia->stride, stored_limit))
    code = ESK_ERROR_MEMORY;
  if (code == ESK_OK)
    {
      number = esk_sparse_zeros (places, sizeof *number);
      dia->offset = esk_sparse_zeros (dia->diagonals, sizeof *dia->offset);
      dia->value = esk_sparse_zeros ((uint64_t) dia->diagonals * dia->stride, size);
      if (number == NULL || dia->offset == NULL || dia->value == NULL)
        code = ESK_ERROR_MEMORY;
    }
  if (code == ESK_OK)
    {
      for (size_t p = 0; p < places; p++)
        if (mark[p])
          {
            number[p] = (int32_t) next;
            dia->offset[next++] = (int32_t) ((int64_t) p - (int64_t) matrix->rows);
          }
      if (size == sizeof (double))
        fill_diagonals (matrix, sizeof (double), number, dia);
      else
        fill_diagonals (matrix, sizeof (float), number, dia);
    }
  free (mark);
  free (number);
  if (code != ESK_OK)
    esk_dia_clear (dia);

  return code;
}

typedef struct
{
  const EskCsr  *matrix;
  size_t         block, size;
  uint8_t       *mark;         /* rows + columns: diagonals that there are */
  const int32_t *number;       /* the same: which of them that is */
  EskDia        *dia;
} Tiles;

static void
mark_block (void    *data,
            size_t   item,
            unsigned worker)
{
  const Tiles *self = data;
  const EskCsr *matrix = self->matrix;
  size_t first = item * self->block, end = first + self->block < matrix->rows ? first + self->block : matrix->rows;

  (void) worker;
  for (size_t i = first; i < end; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        uint8_t *mark = &self->mark[matrix->rows + (size_t) matrix->column[k] - i];

        /* Not written in vain: others read it. */
        if (!__atomic_load_n (mark, __ATOMIC_RELAXED))
          __atomic_store_n (mark, 1, __ATOMIC_RELAXED);
      }
}

static inline __attribute__ ((always_inline)) void
fill_tile (const Tiles *self,
           size_t       size,
           size_t       item)
{
  const EskCsr *matrix = self->matrix;
  const EskDia *dia = self->dia;
  size_t first = item * self->block, end = first + self->block < matrix->rows ? first + self->block : matrix->rows;
  size_t step = dia->stride - first < self->block ? dia->stride - first : self->block;
  char *tile = (char *) dia->value + first * dia->diagonals * size;

  memset (tile, 0, step * dia->diagonals * size);
  for (size_t i = first; i < end; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        size_t d = (size_t) self->number[matrix->rows + (size_t) matrix->column[k] - i];

        esk_sparse_put (size, tile, d * step + i - first, matrix->value, (size_t) k);
      }
}

static void
fill_block (void    *data,
            size_t   item,
            unsigned worker)
{
  const Tiles *self = data;

  (void) worker;
  if (self->size == sizeof (double))
    fill_tile (self, sizeof (double), item);
  else
    fill_tile (self, sizeof (float), item);
}

/* Numbers and offsets of the diagonals that are marked. */
static int
number_diagonals (const uint8_t *mark,
                  uint64_t       stored_limit,
                  EskDia        *dia,
                  int32_t       *number)
{
  size_t places = dia->rows + dia->columns, next = 0;

  for (size_t p = 0; p < places; p++)
    dia->diagonals += mark[p];
  if (!esk_sparse_allowed ((uint64_t) dia->diagonals * dia->stride, stored_limit))
    return ESK_ERROR_MEMORY;
  dia->offset = esk_sparse_zeros (dia->diagonals, sizeof *dia->offset);
  dia->value = esk_sparse_room ((uint64_t) dia->diagonals * dia->stride, esk_type_size (dia->type));
  if (dia->offset == NULL || dia->value == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t p = 0; p < places; p++)
    if (mark[p])
      {
        number[p] = (int32_t) next;
        dia->offset[next++] = (int32_t) ((int64_t) p - (int64_t) dia->rows);
      }

  return ESK_OK;
}

int
esk_dia_make_tiles (const EskSparseTeam *team,
                    const EskCsr        *matrix,
                    uint64_t             stored_limit,
                    size_t               block,
                    EskDia              *dia)
{
  uint64_t places = (uint64_t) matrix->rows + matrix->columns;
  uint8_t *mark = esk_sparse_zeros (places, 1);
  int32_t *number = esk_sparse_room (places, sizeof *number);
  Tiles tiles = { matrix, block, esk_type_size (matrix->type), mark, number, dia };
  int code = mark != NULL && number != NULL ? ESK_OK : ESK_ERROR_MEMORY;

  *dia = (EskDia) { .rows = matrix->rows, .columns = matrix->columns, .stride = esk_sparse_stride (matrix->rows),
                    .type = matrix->type };
  if (code == ESK_OK)
    {
      esk_sparse_share (team, (matrix->rows + block - 1) / block, mark_block, &tiles);
      code = number_diagonals (mark, stored_limit, dia, number);
    }
  /* Rows up to stride have a tile, too, where there is none that they are the end of. */
  if (code == ESK_OK)
    esk_sparse_share (team, (dia->stride + block - 1) / block, fill_block, &tiles);
  free (mark);
  free (number);
  if (code != ESK_OK)
    esk_dia_clear (dia);

  return code;
}

/* ---- rows of one length ---- */

void
esk_ell_clear (EskEll *ell)
{
  free (ell->column);
  free (ell->value);
  memset (ell, 0, sizeof *ell);
}

size_t
esk_ell_width (const EskCsr *matrix)
{
  size_t width = 0;

  for (size_t i = 0; i < matrix->rows; i++)
    {
      size_t length = esk_csr_length (matrix, i);

      width = length > width ? length : width;
    }

  return width;
}

static inline __attribute__ ((always_inline)) void
fill_rows (const EskCsr *matrix,
           size_t        size,
           EskEll       *ell)
{
  for (size_t i = 0; i < matrix->rows; i++)
    for (size_t k = 0, from = (size_t) matrix->row_from[i], n = esk_csr_length (matrix, i); k < n; k++)
      {
        ell->column[k * ell->stride + i] = matrix->column[from + k];
        esk_sparse_put (size, ell->value, k * ell->stride + i, matrix->value, from + k);
      }
}

int
esk_ell_make (const EskCsr *matrix,
              uint64_t      stored_limit,
              EskEll       *ell)
{
  int code = esk_csr_check (matrix);
  uint64_t stored;

  memset (ell, 0, sizeof *ell);
  if (code != ESK_OK)
    return code;
  *ell = (EskEll) { .rows = matrix->rows, .columns = matrix->columns, .width = esk_ell_width (matrix),
                    .stride = esk_sparse_stride (matrix->rows), .type = matrix->type };
  stored = (uint64_t) ell->width * ell->stride;
  if (!esk_sparse_allowed (stored, stored_limit))
    return ESK_ERROR_MEMORY;
  ell->column = esk_sparse_columns (stored, ESK_SPARSE_NO_COLUMN);
  ell->value = esk_sparse_zeros (stored, esk_type_size (matrix->type));
  if (ell->column == NULL || ell->value == NULL)
    {
      esk_ell_clear (ell);
      return ESK_ERROR_MEMORY;
    }
  if (matrix->type == ESK_F64)
    fill_rows (matrix, sizeof (double), ell);
  else
    fill_rows (matrix, sizeof (float), ell);

  return ESK_OK;
}
