/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The arrays of each format: the examples of sparse.md to the letter, and of every other matrix that they hold what the
 * matrix holds, once each, and padding beside. */

#include <string.h>

#include "sparse/es-sparse-build.h"
#include "test-sparse-matrix.h"

#define CHECK_ARRAY(array, n, ...)                                                                                    \
  G_STMT_START                                                                                                        \
    {                                                                                                                 \
      const __typeof__ (*(array)) wanted_[] = { __VA_ARGS__ };                                                        \
      g_assert_cmpuint ((n), ==, G_N_ELEMENTS (wanted_));                                                             \
      g_assert_cmpmem ((array), (n) * sizeof *(array), wanted_, sizeof wanted_);                                      \
    }                                                                                                                 \
  G_STMT_END

/* ---- the examples ---- */

static void
test_golden_plain (void)
{
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_GOLDEN, ESK_F64);
  EskCoo coo;
  EskDia dia;
  EskEll ell;

  CHECK_ARRAY (matrix->row_from, 5, 0, 2, 4, 7, 9);
  g_assert_cmpint (esk_coo_make (&matrix->csr, 0, &coo), ==, ESK_OK);
  CHECK_ARRAY (coo.row, coo.stored, 0, 0, 1, 1, 2, 2, 2, 3, 3);
  CHECK_ARRAY (coo.column, coo.stored, 0, 1, 1, 2, 0, 2, 3, 1, 3);
  CHECK_ARRAY ((double *) coo.value, coo.stored, 1, 7, 2, 8, 5, 3, 9, 6, 4);
  esk_coo_clear (&coo);

  /* The example has its rows beside each other, and marks places outside by a star. */
  g_assert_cmpint (esk_dia_make (&matrix->csr, 0, &dia), ==, ESK_OK);
  CHECK_ARRAY (dia.offset, dia.diagonals, -2, 0, 1);
  g_assert_cmpuint (dia.stride, ==, 32);
  CHECK_ARRAY ((double *) dia.value, 4, 0, 0, 5, 6);
  CHECK_ARRAY ((double *) dia.value + 32, 4, 1, 2, 3, 4);
  CHECK_ARRAY ((double *) dia.value + 64, 4, 7, 8, 9, 0);
  esk_dia_clear (&dia);

  g_assert_cmpint (esk_ell_make (&matrix->csr, 0, &ell), ==, ESK_OK);
  g_assert_cmpuint (ell.width, ==, 3);
  CHECK_ARRAY (ell.column, 4, 0, 1, 0, 1);
  CHECK_ARRAY (ell.column + 32, 4, 1, 2, 2, 3);
  CHECK_ARRAY (ell.column + 64, 4, -1, -1, 3, -1);
  CHECK_ARRAY ((double *) ell.value + 64, 4, 0, 0, 9, 0);
  esk_ell_clear (&ell);
}

static void
test_golden_sc (void)
{
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_GOLDEN, ESK_F32);
  EskSparseOptions options = { .cuts = { 3, 3, 3 }, .merged = { 2, 2, 2, 2 } };
  EskScCsr sc;

  g_assert_cmpint (esk_sc_csr_make (&matrix->csr, &options, 0, &sc), ==, ESK_OK);
  CHECK_ARRAY (sc.length, sc.rows, 2, 2, 2, 3);
  CHECK_ARRAY (sc.row_index, sc.rows, 0, 1, 3, 2);
  CHECK_ARRAY ((float *) sc.value, sc.stored, 1, 2, 7, 8, 6, 0, 4, 0, 5, 0, 3, 0, 9, 0);
  CHECK_ARRAY (sc.column, sc.stored, 0, 1, 1, 2, 1, -1, 3, -1, 0, -1, 2, -1, 3, -1);
  CHECK_ARRAY (sc.row_from, sc.merged_rows + 1, 0, 4, 8, 14);
  g_assert_cmpuint (sc.n_segments, ==, 2);
  esk_sc_csr_clear (&sc);

  /* With the published cuts all rows are of the first segment, with 28 empty ones. */
  g_assert_cmpint (esk_sc_csr_make (&matrix->csr, NULL, 0, &sc), ==, ESK_OK);
  CHECK_ARRAY (sc.row_from, sc.merged_rows + 1, 0, 96);
  g_assert_cmpuint (sc.segment[0].merged, ==, 32);
  g_assert_cmpuint (sc.segment[0].end_row, ==, 4);
  esk_sc_csr_clear (&sc);

  /* One warp short of a full device: everything goes on to the last, which is always there. */
  options = (EskSparseOptions) { .full_warps = 2 };
  g_assert_cmpint (esk_sc_csr_make (&matrix->csr, &options, 0, &sc), ==, ESK_OK);
  g_assert_cmpuint (sc.n_segments, ==, 1);
  g_assert_cmpuint (sc.segment[0].merged, ==, 4);
  CHECK_ARRAY (sc.row_from, sc.merged_rows + 1, 0, 12);
  esk_sc_csr_clear (&sc);

  g_assert_cmpint (esk_sc_full_warps (30, 8, 128, 32), ==, 480);
  g_assert_cmpint (esk_sc_full_warps (132, 16, 128, 32), ==, 4224);
}

static void
test_golden_vab (void)
{
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_GOLDEN, ESK_F64);
  EskVab vab;
  double value[64];
  int column[64];

  g_assert_cmpint (esk_vab_make (&matrix->csr, &(EskSparseOptions) { .block = 64 }, 0, &vab), ==, ESK_OK);
  CHECK_ARRAY (vab.chunk_from, vab.rows + 1, 0, 1, 2, 3, 4);
  g_assert_cmpuint (vab.stored, ==, 256);
  /* The example's block of four threads, out of one of 64: the published one must be a multiple of that. */
  for (unsigned chunk = 0; chunk < 4; chunk++)
    for (unsigned j = 0; j < 4; j++)
      {
        value[esk_vab_address (chunk, j, 4)] = ((double *) vab.value)[esk_vab_address (chunk, j, 64)];
        column[esk_vab_address (chunk, j, 4)] = vab.column[esk_vab_address (chunk, j, 64)];
      }
  CHECK_ARRAY (value, 16, 1, 2, 5, 6, 7, 8, 3, 4, 0, 0, 9, 0, 0, 0, 0, 0);
  CHECK_ARRAY (column, 16, 0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0, 0, 0, 0, 0);
  g_assert_cmpuint (esk_vab_address (64, 0, 64), ==, 256);
  g_assert_cmpuint (esk_vab_address (65, 3, 64), ==, 256 + 3 * 64 + 1);
  esk_vab_clear (&vab);
}

/* ---- everything else ---- */

/* What a format holds, as it is met: each nonzero of the matrix once. */
typedef struct
{
  const TestMatrix *matrix;
  guint8           *met;       /* of each nonzero */
  gsize             n_met;
} Meeting;

static void
meet (Meeting *meeting, gsize row, gsize column, const void *values, gsize at)
{
  const EskCsr *csr = &meeting->matrix->csr;

  g_assert_cmpuint (row, <, csr->rows);
  for (gint32 k = csr->row_from[row]; k < csr->row_from[row + 1]; k++)
    if ((gsize) csr->column[k] == column)
      {
        g_assert_cmpfloat (test_vector_get (csr->value, csr->type, (gsize) k), ==,
                           test_vector_get (values, csr->type, at));
        g_assert_cmpint (meeting->met[k], ==, 0);
        meeting->met[k] = 1;
        meeting->n_met++;
        return;
      }
  g_error ("row %zu column %zu is not of the matrix", row, column);
}

static void
met_all (Meeting *meeting)
{
  gsize n = esk_csr_n_nonzeros (&meeting->matrix->csr);

  g_assert_cmpuint (meeting->n_met, ==, n);
  memset (meeting->met, 0, n);
  meeting->n_met = 0;
}

static guint64
stored_of (const TestMatrix *matrix, EskSparseFormat format, const EskSparseOptions *options)
{
  guint64 stored;

  g_assert_cmpint (esk_sparse_stored (&matrix->csr, format, options, &stored), ==, ESK_OK);

  return stored;
}

static void
check_plain (Meeting *meeting)
{
  const TestMatrix *matrix = meeting->matrix;
  EskCoo coo;
  EskDia dia;
  EskEll ell;

  g_assert_cmpint (esk_coo_make (&matrix->csr, 0, &coo), ==, ESK_OK);
  for (gsize k = 0; k < coo.stored; k++)
    meet (meeting, (gsize) coo.row[k], (gsize) coo.column[k], coo.value, k);
  met_all (meeting);
  esk_coo_clear (&coo);

  g_assert_cmpint (esk_dia_make (&matrix->csr, 0, &dia), ==, ESK_OK);
  g_assert_cmpuint (stored_of (matrix, ESK_SPARSE_DIA, NULL), ==, dia.diagonals * dia.stride);
  for (gsize d = 0; d < dia.diagonals; d++)
    {
      g_assert_true (d == 0 || dia.offset[d] > dia.offset[d - 1]);
      for (gsize i = 0; i < dia.stride; i++)
        if (test_vector_get (dia.value, dia.type, d * dia.stride + i) != 0)
          meet (meeting, i, (gsize) ((gssize) i + dia.offset[d]), dia.value, d * dia.stride + i);
    }
  met_all (meeting);
  esk_dia_clear (&dia);

  g_assert_cmpint (esk_ell_make (&matrix->csr, 0, &ell), ==, ESK_OK);
  g_assert_cmpuint (stored_of (matrix, ESK_SPARSE_ELL, NULL), ==, ell.width * ell.stride);
  for (gsize p = 0; p < ell.width * ell.stride; p++)
    if (ell.column[p] >= 0)
      meet (meeting, p % ell.stride, (gsize) ell.column[p], ell.value, p);
    else
      g_assert_cmpfloat (test_vector_get (ell.value, ell.type, p), ==, 0);
  met_all (meeting);
  esk_ell_clear (&ell);
}

static void
check_sc (Meeting *meeting, int full_warps)
{
  const TestMatrix *matrix = meeting->matrix;
  EskSparseOptions options = { .full_warps = full_warps };
  EskScCsr sc;
  gsize row = 0, merged = 0;

  g_assert_cmpint (esk_sc_csr_make (&matrix->csr, &options, 0, &sc), ==, ESK_OK);
  g_assert_cmpuint (stored_of (matrix, ESK_SPARSE_SC_CSR, &options), ==, sc.stored);
  for (guint s = 0; s < sc.n_segments; s++)
    {
      const EskScSegment *segment = &sc.segment[s];

      g_assert_cmpuint (segment->first_row, ==, row);
      g_assert_cmpuint (segment->first_merged, ==, merged);
      g_assert_true (s == sc.n_segments - 1
                     || segment->end_row - segment->first_row >= (gsize) full_warps * segment->merged);
      for (gsize m = segment->first_merged; m < segment->end_merged; m++)
        for (gint64 p = sc.row_from[m]; p < sc.row_from[m + 1]; p++)
          {
            gsize q = segment->first_row + (m - segment->first_merged) * segment->merged
                      + (gsize) (p - sc.row_from[m]) % segment->merged;

            if (sc.column[p] >= 0)
              {
                g_assert_cmpuint (q, <, segment->end_row);
                meet (meeting, (gsize) sc.row_index[q], (gsize) sc.column[p], sc.value, (gsize) p);
              }
          }
      row = segment->end_row;
      merged = segment->end_merged;
    }
  g_assert_cmpuint (row, ==, matrix->csr.rows);
  g_assert_cmpuint (merged, ==, sc.merged_rows);
  for (gsize q = 1; q < sc.rows; q++)
    g_assert_true (sc.length[q] > sc.length[q - 1]
                   || (sc.length[q] == sc.length[q - 1] && sc.row_index[q] > sc.row_index[q - 1]));
  met_all (meeting);
  esk_sc_csr_clear (&sc);
}

static void
check_chunks (Meeting *meeting, guint block, guint chunk, guint sigma)
{
  const TestMatrix *matrix = meeting->matrix;
  EskSparseOptions options = { .block = block, .chunk = chunk, .sigma = sigma };
  EskVab vab;
  EskSell sell;

  g_assert_cmpint (esk_vab_make (&matrix->csr, &options, 0, &vab), ==, ESK_OK);
  g_assert_cmpuint (stored_of (matrix, ESK_SPARSE_VAB, &options), ==, vab.stored);
  g_assert_cmpuint (vab.chunks, ==, (gsize) vab.chunk_from[vab.rows]);
  for (gsize i = 0; i < vab.rows; i++)
    for (gint32 t = 0; t < matrix->row_from[i + 1] - matrix->row_from[i]; t++)
      {
        gsize at = esk_vab_address ((gsize) (vab.chunk_from[i] + t / 4), (unsigned) t % 4, vab.block);

        meet (meeting, i, (gsize) vab.column[at], vab.value, at);
      }
  met_all (meeting);
  esk_vab_clear (&vab);

  g_assert_cmpint (esk_sell_make (&matrix->csr, &options, 0, &sell), ==, ESK_OK);
  g_assert_cmpuint (stored_of (matrix, ESK_SPARSE_SELL, &options), ==, sell.stored);
  for (gsize c = 0; c < sell.chunks; c++)
    for (gint64 p = sell.chunk_from[c]; p < sell.chunk_from[c + 1]; p++)
      if (sell.column[p] >= 0)
        {
          gsize q = c * chunk + (gsize) (p - sell.chunk_from[c]) % chunk;

          g_assert_cmpuint (q, <, sell.rows);
          meet (meeting, sell.row_index != NULL ? (gsize) sell.row_index[q] : q, (gsize) sell.column[p], sell.value,
                (gsize) p);
        }
  met_all (meeting);
  esk_sell_clear (&sell);
}

static void
check_path (const TestMatrix *matrix, gsize steps)
{
  EskMergePath path;
  gsize row = 0, nonzero = 0, n = esk_csr_n_nonzeros (&matrix->csr), step = 0;

  g_assert_cmpint (esk_merge_path_make (&matrix->csr, steps, &path), ==, ESK_OK);
  /* Along the path itself: a row ends as soon as all of its nonzeros are taken. */
  for (gsize p = 0; p <= path.parts; p++)
    {
      for (; step < MIN (p * steps, matrix->csr.rows + n); step++)
        if (row < matrix->csr.rows && (gsize) matrix->row_from[row + 1] <= nonzero)
          row++;
        else
          nonzero++;
      g_assert_cmpint (path.row[p], ==, (gint32) row);
      g_assert_cmpint (path.nonzero[p], ==, (gint32) nonzero);
    }
  g_assert_cmpuint (row, ==, matrix->csr.rows);
  g_assert_cmpuint (nonzero, ==, n);
  esk_merge_path_clear (&path);
}

static void
test_all (void)
{
  for (guint kind = 0; kind < TEST_N_MATRICES; kind++)
    for (guint type = 0; type < 2; type++)
      {
        g_autoptr (TestMatrix) matrix = test_matrix_new (kind, type == 0 ? ESK_F32 : ESK_F64);
        g_autofree guint8 *met = g_malloc0 (esk_csr_n_nonzeros (&matrix->csr) + 1);
        Meeting meeting = { matrix, met, 0 };

        g_assert_cmpint (esk_csr_check (&matrix->csr), ==, ESK_OK);
        if (kind != TEST_LARGE)
          check_plain (&meeting);
        for (int full = 0; full < 6; full += 1 + full)
          check_sc (&meeting, full);
        check_chunks (&meeting, 64, 32, 1);
        check_chunks (&meeting, 128, 8, 64);
        check_chunks (&meeting, 192, 16, 1u << 30);
        check_path (matrix, 1);
        check_path (matrix, 777);
      }
}

/* ---- what is refused ---- */

/* Every maker, one after the other; all arrays are gone after an error. */
static void
expect_all (const EskCsr *csr, guint64 limit, int code)
{
  EskCoo coo;
  EskDia dia;
  EskEll ell;
  EskScCsr sc;
  EskVab vab;
  EskSell sell;

  g_assert_cmpint (esk_coo_make (csr, limit, &coo), ==, code);
  g_assert_cmpint (esk_dia_make (csr, limit, &dia), ==, code);
  g_assert_cmpint (esk_ell_make (csr, limit, &ell), ==, code);
  g_assert_cmpint (esk_sc_csr_make (csr, NULL, limit, &sc), ==, code);
  g_assert_cmpint (esk_vab_make (csr, NULL, limit, &vab), ==, code);
  g_assert_cmpint (esk_sell_make (csr, NULL, limit, &sell), ==, code);
  g_assert_null (coo.value);
  g_assert_null (dia.value);
  g_assert_null (ell.value);
  g_assert_null (sc.value);
  g_assert_null (vab.value);
  g_assert_null (sell.value);
}

static void
test_limit (void)
{
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_DENSE_ROW, ESK_F64);
  g_autofree gint32 *row_from = g_new (gint32, 2000001), *column = g_new (gint32, 2000000);
  g_autofree float *value = g_new0 (float, 2000000);
  EskCsr wide = { 2000000, 2000000, ESK_F32, row_from, column, value };
  EskEll ell;
  EskDia dia;

  expect_all (&matrix->csr, 1000, ESK_ERROR_MEMORY);
  g_assert_cmpint (esk_ell_make (&matrix->csr, 9000 * 1056 - 1, &ell), ==, ESK_ERROR_MEMORY);
  g_assert_cmpint (esk_ell_make (&matrix->csr, 9000 * 1056, &ell), ==, ESK_OK);
  esk_ell_clear (&ell);

  /* Two million rows, one of them of a million: 2^41 values, refused before anybody asks for them. The antidiagonal,
   * a diagonal for every nonzero, too. */
  for (gint32 i = 0; i <= 2000000; i++)
    row_from[i] = i < 10 ? 0 : 1000000;
  for (gint32 k = 0; k < 2000000; k++)
    column[k] = k;
  g_assert_cmpint (esk_ell_make (&wide, 1u << 30, &ell), ==, ESK_ERROR_MEMORY);
  for (gint32 i = 0; i <= 2000000; i++)
    row_from[i] = i;
  for (gint32 k = 0; k < 2000000; k++)
    column[k] = 1999999 - k;
  g_assert_cmpint (esk_dia_make (&wide, 1u << 30, &dia), ==, ESK_ERROR_MEMORY);
}

static void
test_refusals (void)
{
  gint32 row_from[] = { 0, 2, 3 }, column[] = { 0, 1, 1 };
  double value[] = { 1, 2, 3 };
  EskCsr csr = { 2, 2, ESK_F64, row_from, column, value };
  EskSparseOptions filled;
  EskMergePath path;

  g_assert_cmpint (esk_csr_check (&csr), ==, ESK_OK);
  csr.type = ESK_I32;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  csr.type = ESK_F64;
  column[1] = 0;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  column[1] = 2;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  column[1] = -1;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  column[1] = 1;
  row_from[0] = 1;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  row_from[0] = 0;
  row_from[1] = 4;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  row_from[1] = 2;
  csr.rows = (gsize) G_MAXINT32 + 1;
  expect_all (&csr, 0, ESK_ERROR_ARGUMENT);
  csr.rows = 2;
  g_assert_cmpint (esk_merge_path_make (&csr, 0, &path), ==, ESK_ERROR_ARGUMENT);

  g_assert_cmpint (esk_sparse_options_fill (NULL, &filled), ==, ESK_OK);
  g_assert_cmpuint (filled.block, ==, 128);
  g_assert_cmpint (esk_sparse_options_fill (&(EskSparseOptions) { .block = 96 }, &filled), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_sparse_options_fill (&(EskSparseOptions) { .merged = { 3 } }, &filled), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_sparse_options_fill (&(EskSparseOptions) { .cuts = { 9, 8 } }, &filled), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_sparse_options_fill (&(EskSparseOptions) { .full_warps = -1 }, &filled), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_sparse_options_fill (&(EskSparseOptions) { .chunk = 8, .sigma = 9 }, &filled), ==, ESK_OK);
  g_assert_cmpuint (filled.sigma, ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sparse-build/golden-plain", test_golden_plain);
  g_test_add_func ("/sparse-build/golden-sc-csr", test_golden_sc);
  g_test_add_func ("/sparse-build/golden-vab", test_golden_vab);
  g_test_add_func ("/sparse-build/all", test_all);
  g_test_add_func ("/sparse-build/limit", test_limit);
  g_test_add_func ("/sparse-build/refusals", test_refusals);

  return g_test_run ();
}
