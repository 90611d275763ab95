/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices in every format of the card against dense algebra in float64, with sentinels round y, and
 * twice with the same bytes. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#include "../test-sparse-matrix.h"

static const char *const names[ESK_N_SPARSE_FORMATS] = {
  "coo", "dia", "ell", "csr-scalar", "csr-vector", "sc-csr", "vab", "merge", "sell", "library",
};

static const struct { double alpha, beta; } factors[] = { { 1, 0 }, { -2, 0 }, { 0.5, 1 }, { 1, -0.25 }, { 0, 2 } };

/* What is multiplied, on both sides, and what comes out of it. */
typedef struct
{
  TestMatrix *matrix;
  void       *x, *y;
  double     *product, *magnitude;     /* A x, |A| |x| */
  CardBuffer  card_x;
} Problem;

static gboolean
problem_new (Problem *problem, TestKind kind, EskType type)
{
  *problem = (Problem) { .matrix = test_matrix_new (kind, type) };
  problem->x = test_vector_new (problem->matrix->csr.columns, type, 7);
  problem->y = test_vector_new (problem->matrix->csr.rows, type, 8);
  problem->product = test_dense_product (problem->matrix, problem->x, &problem->magnitude);
  if (!card_new (&problem->card_x, problem->matrix->csr.columns * esk_type_size (type), 0))
    return FALSE;
  if (problem->matrix->csr.columns > 0)
    card_put (&problem->card_x, problem->x);
  return TRUE;
}

static void
problem_clear (Problem *problem)
{
  card_free (&problem->card_x);
  test_matrix_free (problem->matrix);
  g_free (problem->x);
  g_free (problem->y);
  g_free (problem->product);
  g_free (problem->magnitude);
}

/* alpha A x + beta y as the card has it; free with g_free (). */
static void *
multiply (const Problem *problem, EskSparseProduct *product, guint f)
{
  const EskCsr *csr = &problem->matrix->csr;
  const gsize bytes = csr->rows * esk_type_size (csr->type);
  CardBuffer y;
  void *found;

  /* Poison that must not be read where beta is 0. */
  if (!card_new (&y, bytes, 0))
    return NULL;
  if (factors[f].beta != 0 && bytes > 0)
    card_put (&y, problem->y);
  conformance_expect ("multiply",
                      conformance.table->sparse->multiply (conformance.stream, product, factors[f].alpha,
                                                           problem->card_x.data, factors[f].beta, y.data), ESK_OK);
  found = card_get (&y);
  card_free (&y);
  return found;
}

static void
check_rows (const Problem *problem, guint f, const void *found)
{
  const EskCsr *csr = &problem->matrix->csr;
  const double unit = csr->type == ESK_F64 ? 0x1p-53 : 0x1p-24;

  for (gsize i = 0; i < csr->rows; i++)
    {
      const double before = factors[f].beta != 0 ? factors[f].beta * test_vector_get (problem->y, csr->type, i) : 0;
      const double wanted = factors[f].alpha * problem->product[i] + before;
      const double magnitude = fabs (factors[f].alpha) * problem->magnitude[i] + fabs (before);
      /* Of n numbers added up in any order, n roundings each, and those of the factors. */
      const double allowed = ((double) (csr->row_from[i + 1] - csr->row_from[i]) + 4) * unit * magnitude;
      const double error = fabs (test_vector_get (found, csr->type, i) - wanted);

      if (allowed > 0)
        conformance_worst (error / allowed);
      EXPECT (error <= allowed, "row %" G_GSIZE_FORMAT " is %.17g, not %.17g", i,
              test_vector_get (found, csr->type, i), wanted);
    }
}

static void
check_format (const Problem *problem, EskSparseFormat format, const EskSparseOptions *options)
{
  const EskSparseHotspots *sparse = conformance.table->sparse;
  const EskCsr *csr = &problem->matrix->csr;
  EskSparseProduct *product;
  EskSparseCost cost;
  int code = sparse->product_new (conformance.stream, csr, format, options, 0, &product, &cost);

  if (!conformance_expect ("product_new", code, ESK_OK))
    return;
  EXPECT (cost.stored >= esk_csr_n_nonzeros (csr) || format == ESK_SPARSE_LIBRARY, "only %lu values are stored",
          (unsigned long) cost.stored);
  for (guint f = 0; f < G_N_ELEMENTS (factors); f++)
    {
      g_autofree void *found = multiply (problem, product, f);
      g_autofree void *again = multiply (problem, product, f);

      if (found == NULL || again == NULL)
        break;
      check_rows (problem, f, found);
      EXPECT (format == ESK_SPARSE_LIBRARY || memcmp (found, again, csr->rows * esk_type_size (csr->type)) == 0,
              "the second time the bytes are others");
    }
  sparse->product_free (conformance.stream, product);
}

static gboolean
is_there (void)
{
  if (ESK_HAS (conformance.table, sparse, multiply))
    return TRUE;
  g_test_skip ("the module has no products of sparse matrices");
  return FALSE;
}

static void
check_all (EskSparseFormat format, const EskSparseOptions *options)
{
  for (guint kind = 0; kind < TEST_N_MATRICES; kind++)
    for (guint type = 0; type < 2; type++)
      {
        Problem problem;

        /* Of the largest, a diagonal for nearly every nonzero. */
        if (kind == TEST_LARGE && (conformance.quick || format == ESK_SPARSE_DIA))
          continue;
        conformance_case ("%s, %s, %s", test_matrix_name (kind), type == 0 ? "float32" : "float64", names[format]);
        if (problem_new (&problem, kind, type == 0 ? ESK_F32 : ESK_F64))
          check_format (&problem, format, options);
        problem_clear (&problem);
      }
}

#define DEFINE_TEST(name, format)     \
  static void                         \
  test_##name (void)                  \
  {                                   \
    if (is_there ())                  \
      check_all (format, NULL);       \
  }

DEFINE_TEST (coo, ESK_SPARSE_COO)
DEFINE_TEST (dia, ESK_SPARSE_DIA)
DEFINE_TEST (ell, ESK_SPARSE_ELL)
DEFINE_TEST (scalar, ESK_SPARSE_CSR_SCALAR)
DEFINE_TEST (vector, ESK_SPARSE_CSR_VECTOR)
DEFINE_TEST (sc, ESK_SPARSE_SC_CSR)
DEFINE_TEST (vab, ESK_SPARSE_VAB)
DEFINE_TEST (merge, ESK_SPARSE_MERGE)
DEFINE_TEST (sell, ESK_SPARSE_SELL)

static void
test_options (void)
{
  static const EskSparseOptions all[] = {
    { .chunk = 32, .sigma = 1, .block = 64, .full_warps = -1 },
    { .chunk = 64, .sigma = 256, .block = 256, .full_warps = 3, .texture = true },
    { .chunk = 32, .sigma = 1u << 31, .block = 192, .full_warps = 100, .cuts = { 1, 1, 200 },
      .merged = { 1, 2, 32, 1 } },
    { .chunk = 32, .sigma = 64, .block = 512, .merged = { 4, 8, 16, 32 }, .texture = true },
  };
  static const EskSparseFormat formats[] = { ESK_SPARSE_SC_CSR, ESK_SPARSE_VAB, ESK_SPARSE_SELL };

  for (guint f = 0; is_there () && f < G_N_ELEMENTS (formats); f++)
    for (guint o = 0; o < G_N_ELEMENTS (all); o++)
      check_all (formats[f], &all[o]);
}

static void
test_library (void)
{
  if (!is_there ())
    return;
  if (conformance.table->sparse->library == NULL || conformance.table->sparse->library (conformance.stream) == NULL)
    {
      g_test_skip ("there is no library of sparse products");
      return;
    }
  check_all (ESK_SPARSE_LIBRARY, &(EskSparseOptions) { .variant = 1 });
}

static void
test_refusals (void)
{
  const EskSparseHotspots *sparse = conformance.table->sparse;
  EskSparseProduct *product = NULL;
  TestMatrix *matrix;
  EskCsr broken;

  if (!is_there ())
    return;
  matrix = test_matrix_new (TEST_DENSE_ROW, ESK_F64);
  for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
    {
      conformance_case ("limit, %s", names[format]);
      conformance_expect ("product_new", sparse->product_new (conformance.stream, &matrix->csr, format, NULL, 10000,
                                                              &product, NULL), ESK_ERROR_MEMORY);
      EXPECT (product == NULL, "there is a product after an error");
    }
  conformance_case ("no format");
  conformance_expect ("product_new", sparse->product_new (conformance.stream, &matrix->csr, ESK_N_SPARSE_FORMATS, NULL,
                                                          0, &product, NULL), ESK_ERROR_ARGUMENT);
  conformance_case ("a block of 65");
  conformance_expect ("product_new", sparse->product_new (conformance.stream, &matrix->csr, ESK_SPARSE_VAB,
                                                          &(EskSparseOptions) { .block = 65 }, 0, &product, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_case ("columns out of range");
  broken = matrix->csr;
  broken.columns = 100;
  conformance_expect ("product_new", sparse->product_new (conformance.stream, &broken, ESK_SPARSE_CSR_SCALAR, NULL, 0,
                                                          &product, NULL), ESK_ERROR_ARGUMENT);
  test_matrix_free (matrix);
}

void
conformance_add_sparse (void)
{
  conformance_add ("sparse/coo", test_coo);
  conformance_add ("sparse/dia", test_dia);
  conformance_add ("sparse/ell", test_ell);
  conformance_add ("sparse/csr-scalar", test_scalar);
  conformance_add ("sparse/csr-vector", test_vector);
  conformance_add ("sparse/sc-csr", test_sc);
  conformance_add ("sparse/vab", test_vab);
  conformance_add ("sparse/merge", test_merge);
  conformance_add ("sparse/sell", test_sell);
  conformance_add ("sparse/options", test_options);
  conformance_add ("sparse/library", test_library);
  conformance_add ("sparse/refusals", test_refusals);
}
