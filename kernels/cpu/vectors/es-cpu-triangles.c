/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Triangles of an incomplete factorisation. A row waits for those that it has nonzeros of; rows that wait for nothing
 * that is left are a level, and are solved together where levels are long enough to be worth waking threads for. The
 * sum of a row has one order, whoever takes it.
 */

#include "es-cpu-vectors-private.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a level, in the mean, from which threads share it; rows that one takes at once. */
#define LONG_LEVEL 8192
#define ROWS 1024

typedef struct
{
  int32_t *row_from, *column;
  void    *value;
  /* Rows by levels; NULL: levels are short. */
  int32_t *order;
  size_t   n_levels, *level_from;
} Triangle;

struct _EskTriangles
{
  size_t   rows;
  EskType  type;
  Triangle lower, upper;
  void    *inverse;            /* of the diagonal of the upper one */
};

static void
triangle_clear (Triangle *self)
{
  free (self->row_from);
  free (self->column);
  free (self->value);
  free (self->order);
  free (self->level_from);
}

void
esk_cpu_triangles_free (EskStream    *stream,
                        EskTriangles *triangles)
{
  (void) stream;
  if (triangles == NULL)
    return;
  triangle_clear (&triangles->lower);
  triangle_clear (&triangles->upper);
  free (triangles->inverse);
  free (triangles);
}

static double
value_at (const EskCsr *matrix,
          size_t        k)
{
  return matrix->type == ESK_F64 ? ((const double *) matrix->value)[k] : (double) ((const float *) matrix->value)[k];
}

/* What lies below (above) the diagonal. */
static bool
take (Triangle     *self,
      const EskCsr *matrix,
      bool          upper)
{
  size_t size = esk_type_size (matrix->type), n = 0;

  for (size_t i = 0; i < matrix->rows; i++)
    for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      n += upper ? (size_t) matrix->column[k] > i : (size_t) matrix->column[k] < i;
  self->row_from = malloc ((matrix->rows + 1) * sizeof (int32_t));
  self->column = malloc ((n + 1) * sizeof (int32_t));
  self->value = malloc ((n + 1) * size);
  if (self->row_from == NULL || self->column == NULL || self->value == NULL)
    return false;

  n = 0;
  for (size_t i = 0; i < matrix->rows; i++)
    {
      self->row_from[i] = (int32_t) n;
      for (int32_t k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (upper ? (size_t) matrix->column[k] > i : (size_t) matrix->column[k] < i)
          {
            self->column[n] = matrix->column[k];
            memcpy ((char *) self->value + n++ * size, (const char *) matrix->value + (size_t) k * size, size);
          }
    }
  self->row_from[matrix->rows] = (int32_t) n;

  return true;
}

/* Which level each row is of, and rows by levels. */
static bool
find_levels (Triangle *self,
             size_t    rows,
             bool      upper)
{
  int32_t *level = malloc ((rows + 1) * sizeof (int32_t)), highest = -1;

  if (level == NULL)
    return false;
  for (size_t step = 0; step < rows; step++)
    {
      size_t i = upper ? rows - 1 - step : step;
      int32_t own = 0;

      for (int32_t k = self->row_from[i]; k < self->row_from[i + 1]; k++)
        own = level[self->column[k]] >= own ? level[self->column[k]] + 1 : own;
      level[i] = own;
      highest = own > highest ? own : highest;
    }
  self->n_levels = (size_t) (highest + 1);
  if (self->n_levels > 0 && rows / self->n_levels >= LONG_LEVEL)
    {
      self->order = malloc (rows * sizeof (int32_t));
      self->level_from = calloc (self->n_levels + 2, sizeof (size_t));
      if (self->order == NULL || self->level_from == NULL)
        {
          free (level);
          return false;
        }
      for (size_t i = 0; i < rows; i++)
        self->level_from[level[i] + 2]++;
      for (size_t l = 2; l < self->n_levels + 2; l++)
        self->level_from[l] += self->level_from[l - 1];
      for (size_t i = 0; i < rows; i++)
        self->order[self->level_from[level[i] + 1]++] = (int32_t) i;
    }
  free (level);

  return true;
}

/* The inverse of the diagonal; false: an entry is missing or 0. */
static bool
invert_diagonal (EskTriangles *self,
                 const EskCsr *factors)
{
  for (size_t i = 0; i < factors->rows; i++)
    {
      double pivot = 0;

      for (int32_t k = factors->row_from[i]; k < factors->row_from[i + 1]; k++)
        if ((size_t) factors->column[k] == i)
          pivot = value_at (factors, (size_t) k);
      if (pivot == 0)
        return false;
      if (self->type == ESK_F64)
        ((double *) self->inverse)[i] = 1 / pivot;
      else
        ((float *) self->inverse)[i] = (float) (1 / pivot);
    }

  return true;
}

int
esk_cpu_triangles_new (EskStream     *stream,
                       const EskCsr  *factors,
                       EskTriangles **triangles)
{
  EskTriangles *self;
  int code = ESK_OK;

  if (stream == NULL || factors == NULL || triangles == NULL || factors->rows != factors->columns
      || !esk_is_vector_type (factors->type))
    return ESK_ERROR_ARGUMENT;
  *triangles = NULL;
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return ESK_ERROR_MEMORY;

  self->rows = factors->rows;
  self->type = factors->type;
  self->inverse = malloc ((self->rows + 1) * esk_type_size (self->type));
  if (self->inverse == NULL || !take (&self->lower, factors, false) || !take (&self->upper, factors, true)
      || !find_levels (&self->lower, self->rows, false) || !find_levels (&self->upper, self->rows, true))
    code = ESK_ERROR_MEMORY;
  else if (!invert_diagonal (self, factors))
    code = ESK_ERROR_ARGUMENT;
  if (code != ESK_OK)
    {
      esk_cpu_triangles_free (stream, self);
      return code;
    }
  *triangles = self;

  return ESK_OK;
}

/* ---- solving ---- */

#define DEFINE_ROW(name, REAL) \
  static inline void \
  name (const Triangle *triangle, const REAL *inverse, const REAL *r, REAL *z, size_t i) \
  { \
    const REAL *value = triangle->value; \
    REAL sum = r[i]; \
    \
    for (int32_t k = triangle->row_from[i]; k < triangle->row_from[i + 1]; k++) \
      sum -= value[k] * z[triangle->column[k]]; \
    z[i] = inverse != NULL ? sum * inverse[i] : sum; \
  }

DEFINE_ROW (solve_row_f32, float)
DEFINE_ROW (solve_row_f64, double)

/* One triangle; inverse NULL: its diagonal is 1. */
typedef struct
{
  const Triangle *triangle;
  EskType         type;
  const void     *inverse, *r;
  void           *z;
  size_t          first, end;  /* of a level, in its order */
} Sweep;

static inline void
solve_one (const Sweep *sweep,
           size_t       i)
{
  if (sweep->type == ESK_F64)
    solve_row_f64 (sweep->triangle, sweep->inverse, sweep->r, sweep->z, i);
  else
    solve_row_f32 (sweep->triangle, sweep->inverse, sweep->r, sweep->z, i);
}

static void
solve_rows (void    *data,
            size_t   item,
            unsigned worker)
{
  const Sweep *sweep = data;
  size_t first = sweep->first + item * ROWS, end = first + ROWS < sweep->end ? first + ROWS : sweep->end;

  (void) worker;
  for (size_t k = first; k < end; k++)
    solve_one (sweep, (size_t) sweep->triangle->order[k]);
}

static void
solve (EskStream *stream,
       Sweep     *sweep,
       size_t     rows,
       bool       upper)
{
  const Triangle *triangle = sweep->triangle;

  if (triangle->order == NULL || esk_team_size (stream) == 1)
    {
      for (size_t step = 0; step < rows; step++)
        solve_one (sweep, upper ? rows - 1 - step : step);
      return;
    }
  for (size_t level = 0; level < triangle->n_levels; level++)
    {
      sweep->first = triangle->level_from[level];
      sweep->end = triangle->level_from[level + 1];
      esk_team_run (stream, (sweep->end - sweep->first + ROWS - 1) / ROWS, solve_rows, sweep);
    }
}

int
esk_cpu_triangles_solve (EskStream    *stream,
                         EskTriangles *triangles,
                         const void   *r,
                         void         *z)
{
  Sweep lower, upper;

  if (stream == NULL || triangles == NULL || (triangles->rows > 0 && (r == NULL || z == NULL)))
    return ESK_ERROR_ARGUMENT;

  lower = (Sweep) { &triangles->lower, triangles->type, NULL, r, z, 0, 0 };
  solve (stream, &lower, triangles->rows, false);
  upper = (Sweep) { &triangles->upper, triangles->type, triangles->inverse, z, z, 0, 0 };
  solve (stream, &upper, triangles->rows, true);

  return ESK_OK;
}
