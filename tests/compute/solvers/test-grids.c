/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What multigrid's grids are made of, against dense algebra. */

#include "es-test-sparse.h"

#include <math.h>

#include "device/es-buffer-internal.h"
#include "solvers/es-grids-private.h"

/* One that the caller is alone in. */
static EsGridTeam *
alone (void)
{
  static EsGridTeam team;

  return &team;
}

static EsGridMatrix
random_matrix (GRand *rand, gsize rows, gsize columns)
{
  EsGridMatrix self = { rows, columns, g_new0 (gint32, rows + 1), g_new (gint32, rows * columns + 1),
                        g_new (double, rows * columns + 1) };
  gint32 n = 0;

  for (gsize i = 0; i < rows; i++)
    {
      /* Some rows are empty, some full. */
      const double share = i % 7 == 3 ? 0 : i % 7 == 5 ? 1 : 0.2;

      for (gsize j = 0; j < columns; j++)
        if (g_rand_double (rand) < share)
          {
            self.column[n] = (gint32) j;
            self.value[n++] = g_rand_double_range (rand, -1, 1);
          }
      self.row_from[i + 1] = n;
    }
  return self;
}

/* By rows; and columns ascend. */
static double *
dense_of (const EsGridMatrix *self)
{
  double *dense = g_new0 (double, self->rows * self->columns + 1);

  for (gsize i = 0; i < self->rows; i++)
    for (gint32 k = self->row_from[i]; k < self->row_from[i + 1]; k++)
      {
        g_assert_true (k == self->row_from[i] || self->column[k] > self->column[k - 1]);
        g_assert_cmpint (self->column[k], <, (int) self->columns);
        dense[i * self->columns + (gsize) self->column[k]] = self->value[k];
      }
  return dense;
}

/* c = a b, or a^T b; m rows of c, n columns, k in between. */
static double *
dense_product (gsize m, gsize n, gsize k, const double *a, gboolean transposed, const double *b)
{
  double *c = g_new0 (double, m * n + 1);

  for (gsize i = 0; i < m; i++)
    for (gsize l = 0; l < k; l++)
      for (gsize j = 0; j < n; j++)
        c[i * n + j] += (transposed ? a[l * m + i] : a[i * k + l]) * b[l * n + j];
  return c;
}

static void
expect_same (gsize n, const double *a, const double *b)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (fabs (a[i] - b[i]), <=, 1e-12 * (1 + fabs (a[i])));
}

static void
test_products (void)
{
  const gsize sizes[][3] = { { 1, 1, 1 }, { 5, 9, 4 }, { 40, 30, 90 }, { 3, 200, 150 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      EsGridMatrix a = random_matrix (rand, sizes[s][0], sizes[s][1]),
                   b = random_matrix (rand, sizes[s][1], sizes[s][2]), c, t, three, none;
      g_autofree double *da = dense_of (&a), *db = dense_of (&b), *dc = NULL, *dt = NULL, *d3 = NULL, *expected = NULL,
                        *expected_three = NULL;

      g_assert_true (es_grid_matrix_multiply (&a, &b, G_MAXSIZE, &c, alone (), &error));
      g_assert_true (es_grid_matrix_transpose (&a, &t, alone (), &error));
      dc = dense_of (&c);
      dt = dense_of (&t);
      expected = dense_product (a.rows, b.columns, a.columns, da, FALSE, db);
      expect_same (a.rows * b.columns, dc, expected);
      for (gsize i = 0; i < a.rows; i++)
        for (gsize j = 0; j < a.columns; j++)
          g_assert_cmpfloat (da[i * a.columns + j], ==, dt[j * a.rows + i]);
      g_assert_true (es_grid_matrix_multiply_three (&t, &a, &b, G_MAXSIZE, G_MAXSIZE, &three, alone (), &error));
      d3 = dense_of (&three);
      expected_three = dense_product (a.columns, b.columns, a.rows, da, TRUE, dc);
      expect_same (a.columns * b.columns, d3, expected_three);
      es_grid_matrix_clear (&three);
      /* One nonzero more than there may be. */
      if (es_grid_matrix_n_nonzeros (&c) > 0)
        {
          g_assert_true (es_grid_matrix_multiply (&a, &b, es_grid_matrix_n_nonzeros (&c) - 1, &none, alone (), &error));
          g_assert_null (none.row_from);
        }
      es_grid_matrix_clear (&a);
      es_grid_matrix_clear (&b);
      es_grid_matrix_clear (&c);
      es_grid_matrix_clear (&t);
    }
}

static void
test_symmetric_part (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  EsGridMatrix a = random_matrix (rand, 30, 30), half, transposed, square;
  g_autofree double *da = dense_of (&a), *dh = NULL;
  gssize row, column, first = -1;
  gint32 at;

  g_assert_true (es_grid_matrix_find_skew (&a, &row, &column, alone (), NULL));
  for (gsize i = 0; first < 0; i++)
    for (gsize j = i + 1; j < 30 && first < 0; j++)
      first = da[i * 30 + j] != da[j * 30 + i] ? (gssize) (i * 30 + j) : -1;
  g_assert_cmpint (row * 30 + column, ==, first);
  g_assert_true (es_grid_matrix_symmetric_part (&a, &half, alone (), NULL));
  dh = dense_of (&half);
  for (gsize i = 0; i < 30; i++)
    for (gsize j = 0; j < 30; j++)
      g_assert_cmpfloat (fabs (dh[i * 30 + j] - (da[i * 30 + j] + da[j * 30 + i]) / 2), <=, 1e-15);
  g_assert_true (es_grid_matrix_find_skew (&half, &row, &column, alone (), NULL));
  g_assert_cmpint (row, ==, -1);
  g_assert_true (es_grid_matrix_transpose (&a, &transposed, alone (), NULL));
  g_assert_true (es_grid_matrix_multiply (&a, &transposed, G_MAXSIZE, &square, alone (), NULL));
  g_assert_true (es_grid_matrix_find_skew (&square, &row, &column, alone (), NULL));
  g_assert_cmpint (row, ==, -1);
  /* One of the last row is not what its like is. */
  at = square.row_from[29];
  g_assert_cmpint (square.column[at], <, 29);
  square.value[at] += 1;
  g_assert_true (es_grid_matrix_find_skew (&square, &row, &column, alone (), NULL));
  g_assert_cmpint (row, ==, square.column[at]);
  g_assert_cmpint (column, ==, 29);
  es_grid_matrix_clear (&a);
  es_grid_matrix_clear (&half);
  es_grid_matrix_clear (&transposed);
  es_grid_matrix_clear (&square);
}

/* Every row is in one aggregate, every aggregate has rows that are coupled, and a prolongation that is not smoothed
 * brings back what was aggregated. */
static void
test_aggregates (void)
{
  g_autoptr (EsTestSparse) system = es_test_sparse_grid (23, 17, 1, FALSE, TRUE, es_test_even);
  const gsize n = system->n;
  EsGridMatrix matrix = { n, n, system->row_from, system->column, g_new (double, system->n_nonzeros) }, up;
  g_autofree gint32 *aggregate = g_new (gint32, n);
  g_autofree double *near = g_new (double, n), *lengths = g_new (double, n);
  gssize count;

  for (gsize k = 0; k < system->n_nonzeros; k++)
    matrix.value[k] = system->value[k] / 4;
  for (gsize i = 0; i < n; i++)
    near[i] = 1 + 0.5 * sin ((double) i);
  count = es_grid_aggregate (&matrix, near, 0.1, aggregate, alone (), NULL);
  g_assert_cmpint (count, >, (gssize) n / 9);
  g_assert_cmpint (count, <, (gssize) n / 3);
  for (gsize i = 0; i < n; i++)
    {
      gboolean together = FALSE;

      g_assert_cmpint (aggregate[i], >=, 0);
      g_assert_cmpint (aggregate[i], <, count);
      for (gint32 k = matrix.row_from[i]; k < matrix.row_from[i + 1]; k++)
        together = together || ((gsize) matrix.column[k] != i && aggregate[matrix.column[k]] == aggregate[i]);
      g_assert_true (together);
    }
  g_assert_true (es_grid_prolong (&matrix, near, 0.1, 0, aggregate, (gsize) count, G_MAXSIZE, lengths, &up,
                                  alone (), NULL));
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gint32 k = up.row_from[i]; k < up.row_from[i + 1]; k++)
        sum += up.value[k] * lengths[up.column[k]];
      g_assert_cmpfloat (fabs (sum - near[i]), <=, 1e-14);
    }
  es_grid_matrix_clear (&up);
  g_free (matrix.value);
}

/* Every coarser matrix is P^T A P with a diagonal of 1, and no eigenvalue is above what is said. */
static void
test_galerkin (void)
{
  const gboolean symmetric[] = { TRUE, FALSE };

  for (guint s = 0; s < G_N_ELEMENTS (symmetric); s++)
    {
      g_autoptr (EsTestSparse) system = es_test_sparse_grid (31, 19, 1, FALSE, TRUE, symmetric[s] ? es_test_stretched
                                                                                                     : es_test_jumping);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsGrids) grids = NULL;

      if (!symmetric[s])
        for (gsize i = 0; i < system->n; i++)
          for (gint32 k = system->row_from[i]; k < system->row_from[i + 1]; k++)
            if ((gsize) system->column[k] == i + 1)
              system->value[k] *= 0.5;
      grids = es_grids_new (&system->csr, 0.1, FALSE, alone (), &error);
      g_assert_no_error (error);
      g_assert_cmpint (grids->symmetric, ==, symmetric[s]);
      g_assert_cmpuint (grids->levels->len, >=, 2);
      for (guint i = 0; i + 1 < grids->levels->len; i++)
        {
          const EsGridLevel *level = &g_array_index (grids->levels, EsGridLevel, i), *next = level + 1;
          const gsize n = level->matrix.rows, m = next->matrix.rows;
          g_autofree double *a = dense_of (&level->matrix), *p = dense_of (&level->prolongation),
                            *c = dense_of (&next->matrix), *r = dense_of (&level->restriction),
                            *half = dense_product (n, m, n, a, FALSE, p),
                            *expected = dense_product (m, m, n, p, TRUE, half);

          g_assert_cmpuint (m, <, n);
          expect_same (m * m, c, expected);
          for (gsize k = 0; k < n * m; k++)
            g_assert_cmpfloat (p[k], ==, r[k % m * n + k / m]);
          for (gsize j = 0; j < m; j++)
            g_assert_cmpfloat (c[j * m + j], ==, 1);
        }
    }
}

static void
expect_same_matrix (const EsGridMatrix *a, const EsGridMatrix *b)
{
  const gsize n = es_grid_matrix_n_nonzeros (a);

  g_assert_cmpuint (a->rows, ==, b->rows);
  g_assert_cmpuint (a->columns, ==, b->columns);
  g_assert_cmpint (a->row_from == NULL, ==, b->row_from == NULL);
  if (a->row_from == NULL)
    return;
  g_assert_cmpmem (a->row_from, (a->rows + 1) * sizeof (gint32), b->row_from, (b->rows + 1) * sizeof (gint32));
  g_assert_cmpmem (a->column, n * sizeof (gint32), b->column, n * sizeof (gint32));
  g_assert_cmpmem (a->value, n * sizeof (double), b->value, n * sizeof (double));
}

/* Of parts that are several, and of several threads: the same bytes. */
static void
test_threads (void)
{
  const guint threads[] = { 2, 3, 8, 20 };
  EsDevice *cpu = es_device_get_cpu ();
  EskStream *stream = es_device_take_stream (cpu);

  for (guint s = 0; s < 3; s++)
    {
      g_autoptr (EsTestSparse) system = s == 2 ? es_test_sparse_grid (30, 31, 29, FALSE, TRUE, es_test_even)
                                               : es_test_sparse_grid (257, 91, 1, FALSE, TRUE,
                                                                      s == 1 ? es_test_jumping : es_test_even);
      g_autoptr (EsGrids) grids = NULL;

      /* Not symmetric, either. */
      for (gsize i = 0; s == 1 && i < system->n; i++)
        for (gint32 k = system->row_from[i]; k < system->row_from[i + 1]; k++)
          if ((gsize) system->column[k] == i + 1)
            system->value[k] *= 0.5;
      g_assert_cmpuint (system->n, >, 4 * ES_GRID_PART);
      grids = es_grids_new (&system->csr, 0.25, FALSE, alone (), NULL);
      g_assert_cmpuint (grids->levels->len, >=, 3);
      for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
        {
          EsGridTeam team = { .stream = stream };
          g_autoptr (EsGrids) others = NULL;

          esk_hotspots_set_threads (es_device_get_hotspots (cpu), stream, (int) threads[t]);
          others = es_grids_new (&system->csr, 0.25, FALSE, &team, NULL);
          g_assert_cmpuint (others->levels->len, ==, grids->levels->len);
          g_assert_cmpmem (others->scale, system->n * sizeof (double), grids->scale, system->n * sizeof (double));
          for (guint i = 0; i < grids->levels->len; i++)
            {
              const EsGridLevel *a = &g_array_index (grids->levels, EsGridLevel, i),
                                *b = &g_array_index (others->levels, EsGridLevel, i);
              const gsize n = a->matrix.rows;

              expect_same_matrix (&a->matrix, &b->matrix);
              expect_same_matrix (&a->prolongation, &b->prolongation);
              expect_same_matrix (&a->restriction, &b->restriction);
              g_assert_cmpfloat (a->largest, ==, b->largest);
              if (i + 1 == grids->levels->len)
                g_assert_cmpmem (grids->inverse, n * n * sizeof (double), others->inverse, n * n * sizeof (double));
            }
        }
    }
  es_device_give_stream (cpu, stream);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grids/products", test_products);
  g_test_add_func ("/grids/symmetric-part", test_symmetric_part);
  g_test_add_func ("/grids/aggregates", test_aggregates);
  g_test_add_func ("/grids/galerkin", test_galerkin);
  g_test_add_func ("/grids/threads", test_threads);
  return g_test_run ();
}
