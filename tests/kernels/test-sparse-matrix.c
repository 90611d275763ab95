/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-sparse-matrix.h"

#include <math.h>
#include <string.h>

static const char * const names[TEST_N_MATRICES] = {
  "golden", "no rows", "no columns", "no nonzeros", "one", "narrow", "wide", "tall", "dense row", "banded", "mixed",
  "extreme", "large",
};

const char *
test_matrix_name (TestKind kind)
{
  return names[kind];
}

static guint64
next (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dull;
}

static double
unit (guint64 *state)
{
  return (double) (next (state) >> 11) * 0x1p-53;
}

static void
sizes (TestKind kind, gsize *rows, gsize *columns)
{
  static const gsize all[TEST_N_MATRICES][2] = {
    { 4, 4 }, { 0, 7 }, { 7, 0 }, { 65, 9 }, { 1, 1 }, { 257, 129 }, { 31, 4001 }, { 4001, 33 }, { 1000, 9000 },
    { 1111, 1111 }, { 3000, 3000 }, { 65, 70 }, { 40000, 2000 },
  };

  *rows = all[kind][0];
  *columns = all[kind][1];
}

/* Whether a place of the row is stored, given one random number of it. */
static gsize
row_length (TestKind kind, gsize i, gsize columns, guint64 *state)
{
  switch (kind)
    {
    case TEST_ONE: return 1;
    case TEST_NARROW: return next (state) % 6;
    case TEST_WIDE: return next (state) % 91;
    case TEST_TALL: return next (state) % 4 + (i % 50 == 7 ? 29 : 0);
    case TEST_DENSE_ROW: return i == 401 ? columns : i % 3 == 0 ? 0 : next (state) % 8;
    case TEST_MIXED: return i % 400 == 3 ? 300 : i % 7 == 0 ? next (state) % 64 : next (state) % 20;
    case TEST_EXTREME: return next (state) % 12;
    case TEST_LARGE: return next (state) % 31;
    default: return 0;
    }
}

static void
add (GArray *columns, GArray *values, gint32 column, double value)
{
  g_array_append_val (columns, column);
  g_array_append_val (values, value);
}

static void
golden_row (gsize i, GArray *columns, GArray *values)
{
  static const double rows[4][4] = { { 1, 7, 0, 0 }, { 0, 2, 8, 0 }, { 5, 0, 3, 9 }, { 0, 6, 0, 4 } };

  for (gint32 j = 0; j < 4; j++)
    if (rows[i][j] != 0)
      add (columns, values, j, rows[i][j]);
}

static void
banded_row (gsize i, gsize n, GArray *columns, GArray *values, guint64 *state)
{
  static const gint32 offsets[] = { -33, -1, 0, 1, 40 };

  for (guint d = 0; d < G_N_ELEMENTS (offsets); d++)
    if ((gssize) i + offsets[d] >= 0 && (gsize) ((gssize) i + offsets[d]) < n)
      add (columns, values, (gint32) i + offsets[d], unit (state) - 0.5);
}

static void
random_row (TestKind kind, gsize i, gsize n_columns, GArray *columns, GArray *values, guint64 *state)
{
  gsize length = MIN (row_length (kind, i, n_columns, state), n_columns), taken = 0;

  /* In order, each place with the chance that leaves `length` of them. */
  if (length > 0 && length * 64 < n_columns)
    {
      gsize step = n_columns / length, from = next (state) % step;

      for (gsize k = 0; k < length; k++)
        add (columns, values, (gint32) (from + (k > 0 ? k * step - next (state) % (step / 2) : 0)), unit (state) - 0.5);
      return;
    }
  for (gsize j = 0; j < n_columns && taken < length; j++)
    if (unit (state) * (double) (n_columns - j) < (double) (length - taken))
      {
        double value = unit (state) - 0.5;

        if (kind == TEST_EXTREME)
          value *= pow (10, (double) (next (state) % 61) - 30);
        add (columns, values, (gint32) j, value);
        taken++;
      }
}

TestMatrix *
test_matrix_new (TestKind kind, EskType type)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  TestMatrix *matrix = g_new0 (TestMatrix, 1);
  guint64 state = 88172645463325252u + kind;
  gsize rows, n_columns;

  sizes (kind, &rows, &n_columns);
  matrix->row_from = g_new0 (gint32, rows + 1);
  for (gsize i = 0; i < rows; i++)
    {
      if (kind == TEST_GOLDEN)
        golden_row (i, columns, values);
      else if (kind == TEST_BANDED)
        banded_row (i, n_columns, columns, values, &state);
      else if (kind != TEST_NO_COLUMNS && kind != TEST_NO_NONZEROS)
        random_row (kind, i, n_columns, columns, values, &state);
      matrix->row_from[i + 1] = (gint32) columns->len;
    }
  matrix->column = g_memdup2 (columns->data, columns->len * sizeof (gint32));
  if (type == ESK_F64)
    matrix->value = g_memdup2 (values->data, values->len * sizeof (double));
  else
    {
      float *narrow = g_new (float, MAX (values->len, 1));

      for (guint k = 0; k < values->len; k++)
        narrow[k] = (float) g_array_index (values, double, k);
      matrix->value = narrow;
    }
  matrix->csr = (EskCsr) { rows, n_columns, type, matrix->row_from, matrix->column, matrix->value };

  return matrix;
}

void
test_matrix_free (TestMatrix *matrix)
{
  g_free (matrix->row_from);
  g_free (matrix->column);
  g_free (matrix->value);
  g_free (matrix);
}

void *
test_vector_new (gsize n, EskType type, guint64 seed)
{
  void *vector = g_malloc0 (MAX (n, 1) * esk_type_size (type));
  guint64 state = seed * 2654435761u + 1;

  for (gsize i = 0; i < n; i++)
    {
      double value = unit (&state) - 0.5;

      if (type == ESK_F64)
        ((double *) vector)[i] = value;
      else
        ((float *) vector)[i] = (float) value;
    }

  return vector;
}

double
test_vector_get (const void *vector, EskType type, gsize i)
{
  return type == ESK_F64 ? ((const double *) vector)[i] : (double) ((const float *) vector)[i];
}

double *
test_dense_product (const TestMatrix *matrix, const void *x, double **magnitude)
{
  const EskCsr *csr = &matrix->csr;
  g_autofree double *dense = g_new (double, MAX (csr->columns, 1));
  double *product = g_new0 (double, MAX (csr->rows, 1));

  *magnitude = g_new0 (double, MAX (csr->rows, 1));
  for (gsize i = 0; i < csr->rows; i++)
    {
      memset (dense, 0, csr->columns * sizeof *dense);
      for (gint32 k = csr->row_from[i]; k < csr->row_from[i + 1]; k++)
        dense[csr->column[k]] = test_vector_get (csr->value, csr->type, (gsize) k);
      for (gsize j = 0; j < csr->columns; j++)
        {
          double part = dense[j] * test_vector_get (x, csr->type, j);

          product[i] += part;
          (*magnitude)[i] += fabs (part);
        }
    }

  return product;
}
