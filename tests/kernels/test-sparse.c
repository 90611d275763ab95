/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of the CPU in every format and for every processor that this one can be, against dense algebra in float64;
 * the same bytes for any number of threads. */

#include <math.h>
#include <string.h>

#include "es-hotspots.h"
#include "es-recurrence.h"
#include "test-sparse-matrix.h"

#define SENTINEL 64

typedef struct
{
  const char *name, *variable, *value;
} Processor;

static const Processor processors[] = {
  { "fastest", NULL, NULL }, { "AVX2", "ES_CPU_AVX512", "0" }, { "portable", "ES_CPU_PORTABLE", "1" },
};

static const struct { double alpha, beta; } factors[] = { { 1, 0 }, { -2, 0 }, { 0.5, 1 }, { 1, -0.25 }, { 0, 2 } };

static EskStream *
stream_new (const Processor *processor, int threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream;

  if (processor->variable != NULL)
    g_setenv (processor->variable, processor->value, TRUE);
  stream = cpu->stream->stream_new (0);
  if (processor->variable != NULL)
    g_unsetenv (processor->variable);
  g_assert_nonnull (stream);
  g_assert_cmpint (cpu->stream->set_threads (stream, threads), ==, ESK_OK);

  return stream;
}

/* One product; y lies between sentinels. Free with g_free (). */
static guint8 *
multiply (EskStream *stream, EskSparseProduct *product, const TestMatrix *matrix, guint f, const void *x, const void *y)
{
  gsize bytes = matrix->csr.rows * esk_type_size (matrix->csr.type);
  g_autofree guint8 *memory = g_malloc (bytes + 2 * SENTINEL);

  memset (memory, 0xa5, bytes + 2 * SENTINEL);
  /* Not read where beta is 0: NaN of all bits. */
  memset (memory + SENTINEL, 0xff, bytes);
  if (factors[f].beta != 0)
    memcpy (memory + SENTINEL, y, bytes);
  g_assert_cmpint (esk_cpu_hotspots ()->sparse->multiply (stream, product, factors[f].alpha, x, factors[f].beta,
                                                          memory + SENTINEL), ==, ESK_OK);
  for (guint i = 0; i < SENTINEL; i++)
    {
      g_assert_cmpint (memory[i], ==, 0xa5);
      g_assert_cmpint (memory[SENTINEL + bytes + i], ==, 0xa5);
    }

  return g_memdup2 (memory + SENTINEL, bytes + 1);
}

/* What is multiplied, and what comes out; made once. */
typedef struct
{
  TestMatrix *matrix;
  void       *x, *y;
  double     *product, *magnitude;     /* A x, |A| |x| */
} Problem;

static const Problem *
problem_get (TestKind kind, EskType type)
{
  static Problem problems[TEST_N_MATRICES][2];
  Problem *problem = &problems[kind][type == ESK_F64];

  if (problem->matrix == NULL)
    {
      problem->matrix = test_matrix_new (kind, type);
      problem->x = test_vector_new (problem->matrix->csr.columns, type, 7);
      problem->y = test_vector_new (problem->matrix->csr.rows, type, 8);
      problem->product = test_dense_product (problem->matrix, problem->x, &problem->magnitude);
    }

  return problem;
}

static void
check_row (const Problem *problem, guint f, gsize i, double found, const char *what)
{
  const TestMatrix *matrix = problem->matrix;
  const double unit = matrix->csr.type == ESK_F64 ? 0x1p-53 : 0x1p-24;
  double before = factors[f].beta != 0 ? factors[f].beta * test_vector_get (problem->y, matrix->csr.type, i) : 0;
  double wanted = factors[f].alpha * problem->product[i] + before;
  double magnitude = fabs (factors[f].alpha) * problem->magnitude[i] + fabs (before);
  /* Of n numbers added up in any order, n roundings each, and those of the factors. */
  double n = (double) (matrix->row_from[i + 1] - matrix->row_from[i]) + 4;

  if (!(fabs (found - wanted) <= n * unit * magnitude))
    g_error ("%s: row %zu is %.17g, not %.17g", what, i, found, wanted);
}

static void
check_format (TestKind kind, EskType type, EskSparseFormat format, const EskSparseOptions *options,
              const Processor *processor)
{
  const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
  const Problem *problem = problem_get (kind, type);
  const TestMatrix *matrix = problem->matrix;
  static const int threads[] = { 1, 2, 5 };
  guint8 *first[G_N_ELEMENTS (factors)] = { NULL };
  g_autofree char *what = g_strdup_printf ("%s, %s, format %u, %s", test_matrix_name (kind), esk_type_name (type),
                                           format, processor->name);

  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    {
      EskStream *stream = stream_new (processor, threads[t]);
      EskSparseProduct *product;
      EskSparseCost cost;

      g_assert_cmpint (sparse->product_new (stream, &matrix->csr, format, options, 0, &product, &cost), ==, ESK_OK);
      g_assert_cmpuint (cost.stored, >=, esk_csr_n_nonzeros (&matrix->csr));
      g_assert_cmpfloat (cost.build_ms, >=, 0);
      g_assert_cmpfloat (cost.upload_ms, ==, 0);
      for (guint f = 0; f < G_N_ELEMENTS (factors); f++)
        {
          guint8 *found = multiply (stream, product, matrix, f, problem->x, problem->y);

          if (t > 0)
            {
              if (format != ESK_SPARSE_LIBRARY)
                g_assert_cmpmem (found, matrix->csr.rows * esk_type_size (type), first[f],
                                 matrix->csr.rows * esk_type_size (type));
              g_free (found);
              continue;
            }
          first[f] = found;
          for (gsize i = 0; i < matrix->csr.rows; i++)
            check_row (problem, f, i, test_vector_get (found, type, i), what);
        }
      sparse->product_free (stream, product);
      esk_cpu_hotspots ()->stream->stream_free (stream);
    }
  for (guint f = 0; f < G_N_ELEMENTS (factors); f++)
    g_free (first[f]);
}

static void
check_all (EskSparseFormat format, const EskSparseOptions *options)
{
  for (guint p = 0; p < G_N_ELEMENTS (processors); p++)
    for (guint kind = 0; kind < TEST_N_MATRICES; kind++)
      /* A diagonal for nearly every nonzero: 40000 x 80000 values. */
      if (format != ESK_SPARSE_DIA || kind != TEST_LARGE)
        {
          check_format (kind, ESK_F32, format, options, &processors[p]);
          check_format (kind, ESK_F64, format, options, &processors[p]);
        }
}

static void
test_format (gconstpointer data)
{
  check_all (GPOINTER_TO_UINT (data), NULL);
}

static void
test_options (void)
{
  static const EskSparseOptions all[] = {
    { .chunk = 1, .sigma = 1, .block = 64, .full_warps = -1 },
    { .chunk = 3, .sigma = 100, .block = 256, .full_warps = 3 },
    { .chunk = 40, .sigma = 1u << 31, .block = 64, .full_warps = 100, .cuts = { 1, 1, 200 },
      .merged = { 1, 2, 32, 1 } },
    { .chunk = 100, .sigma = 5, .merged = { 4, 8, 16, 32 } },
  };
  static const EskSparseFormat formats[] = { ESK_SPARSE_SC_CSR, ESK_SPARSE_VAB, ESK_SPARSE_SELL };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint o = 0; o < G_N_ELEMENTS (all); o++)
      check_all (formats[f], &all[o]);
}

static void
test_library (void)
{
  EskStream *stream = stream_new (&processors[0], 1);
  const char *name = esk_cpu_hotspots ()->sparse->library (stream);

  esk_cpu_hotspots ()->stream->stream_free (stream);
  if (name == NULL)
    {
      g_test_skip ("librsb is not there");
      return;
    }
  for (guint kind = 0; kind < TEST_N_MATRICES; kind++)
    {
      check_format (kind, ESK_F32, ESK_SPARSE_LIBRARY, &(EskSparseOptions) { .variant = 1 }, &processors[0]);
      check_format (kind, ESK_F64, ESK_SPARSE_LIBRARY, &(EskSparseOptions) { .variant = 1 }, &processors[0]);
    }
  check_format (TEST_MIXED, ESK_F64, ESK_SPARSE_LIBRARY, NULL, &processors[0]);
}

/* Opened once a process: without it in one of its own. */
static void
test_no_library (void)
{
  if (g_test_subprocess ())
    {
      const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
      g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_GOLDEN, ESK_F64);
      EskSparseProduct *product;
      EskStream *stream;

      g_setenv ("ES_RSB_LIBRARY", "/nonexistent/librsb.so", TRUE);
      stream = stream_new (&processors[0], 1);
      g_assert_null (sparse->library (stream));
      g_assert_cmpint (sparse->product_new (stream, &matrix->csr, ESK_SPARSE_LIBRARY, NULL, 0, &product, NULL), ==,
                       ESK_ERROR_ARGUMENT);
      g_assert_null (product);
      esk_cpu_hotspots ()->stream->stream_free (stream);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_refusals (void)
{
  const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_DENSE_ROW, ESK_F64);
  EskStream *stream = stream_new (&processors[0], 2);
  EskSparseProduct *product = (gpointer) 1;
  EskCsr broken = matrix->csr;

  for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
    {
      g_assert_cmpint (sparse->product_new (stream, &matrix->csr, format, NULL, 10000, &product, NULL), ==,
                       ESK_ERROR_MEMORY);
      g_assert_null (product);
    }
  g_assert_cmpint (sparse->product_new (stream, &matrix->csr, ESK_N_SPARSE_FORMATS, NULL, 0, &product, NULL), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (sparse->product_new (NULL, &matrix->csr, ESK_SPARSE_ELL, NULL, 0, &product, NULL), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (sparse->product_new (stream, &matrix->csr, ESK_SPARSE_VAB, &(EskSparseOptions) { .block = 65 }, 0,
                                        &product, NULL), ==, ESK_ERROR_ARGUMENT);
  broken.columns = 100;
  g_assert_cmpint (sparse->product_new (stream, &broken, ESK_SPARSE_CSR_SCALAR, NULL, 0, &product, NULL), ==,
                   ESK_ERROR_ARGUMENT);
  sparse->product_free (stream, NULL);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* What is infinite stays in the rows that have it: padding does not meet it. VAB's padding does, in column 0. */
static void
test_infinite (void)
{
  const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
  g_autoptr (TestMatrix) matrix = test_matrix_new (TEST_NARROW, ESK_F64);
  g_autofree double *x = test_vector_new (matrix->csr.columns, ESK_F64, 3), *y = g_new (double, matrix->csr.rows);
  const gint32 spoilt = 5;

  x[spoilt] = NAN;
  for (guint p = 0; p < G_N_ELEMENTS (processors); p++)
    for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
      {
        EskStream *stream = stream_new (&processors[p], 1);
        EskSparseProduct *product;

        g_assert_cmpint (sparse->product_new (stream, &matrix->csr, format, NULL, 0, &product, NULL), ==, ESK_OK);
        g_assert_cmpint (sparse->multiply (stream, product, 1, x, 0, y), ==, ESK_OK);
        for (gsize i = 0; i < matrix->csr.rows && format != ESK_SPARSE_DIA; i++)
          {
            gboolean has = FALSE;

            for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
              has |= matrix->column[k] == spoilt;
            g_assert_cmpint (isnan (y[i]) != 0, ==, has);
          }
        sparse->product_free (stream, product);
        esk_cpu_hotspots ()->stream->stream_free (stream);
      }
}

/* Steps one after the other, vector by vector. */
static void
recur_plainly (const EskCsr *matrix, gsize steps, const EskRecurrence *how, double *x, double *y)
{
  const gsize n = matrix->rows;

  for (gsize s = 0; s < steps; s++)
    {
      for (gsize i = 0; i < n; i++)
        for (gsize v = 0; v < ESK_PANEL_VECTORS; v++)
          {
            double sum = 0, *out = y + i * ESK_PANEL_VECTORS + v;

            for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
              sum += ((const double *) matrix->value)[k] * x[(gsize) matrix->column[k] * ESK_PANEL_VECTORS + v];
            *out = how[s].a * sum + how[s].b * x[i * ESK_PANEL_VECTORS + v] + (how[s].c != 0 ? how[s].c * *out : 0);
          }

      double *last = y;

      y = x;
      x = last;
    }
}

/* Rows of 0 to 14 values; the first step does not read y, which is not a number. */
static void
test_recurrence (void)
{
  static const EskRecurrence how[3] = { { 0.5, -0.25, 0 }, { -1, 0, 0.75 }, { 1, 0.5, -1 } };
  const gsize n = 333, panels = 3, size = n * ESK_PANEL_VECTORS;
  const gsize bytes = panels * size * sizeof (double);
  g_autofree gint32 *row_from = g_new0 (gint32, n + 1), *column = g_new (gint32, 15 * n);
  g_autofree double *value = test_vector_new (15 * n, ESK_F64, 5), *start = test_vector_new (panels * size, ESK_F64, 6);
  g_autofree double *x = g_memdup2 (start, bytes), *y = g_malloc (bytes);
  const EskCsr matrix = { n, n, ESK_F64, row_from, column, value };

  for (gsize i = 0; i < n; i++)
    {
      row_from[i + 1] = row_from[i];
      for (gsize k = 0; k < i % 15; k++)
        column[row_from[i + 1]++] = (gint32) ((i * 7 + k * k * 31) % n);
    }
  memset (y, 0xff, bytes);
  for (gsize p = 0; p < panels; p++)
    recur_plainly (&matrix, 3, how, x + p * size, y + p * size);

  for (guint p = 0; p < G_N_ELEMENTS (processors); p++)
    {
      g_autofree double *first = NULL;

      for (int threads = 1; threads <= 3; threads++)
        {
          EskStream *stream = stream_new (&processors[p], threads);
          double *a = aligned_alloc (64, bytes), *b = aligned_alloc (64, bytes);

          memcpy (a, start, bytes);
          memset (b, 0xff, bytes);
          g_assert_cmpint (esk_recur (stream, &matrix, 3, how, panels, a, b), ==, ESK_OK);
          for (gsize i = 0; i < panels * size; i++)
            {
              g_assert_cmpfloat (fabs (b[i] - y[i]), <=, 1e-12);
              g_assert_cmpfloat (fabs (a[i] - x[i]), <=, 1e-12);
            }
          if (first == NULL)
            first = g_memdup2 (b, bytes);
          g_assert_cmpmem (first, bytes, b, bytes);
          free (a);
          free (b);
          esk_cpu_hotspots ()->stream->stream_free (stream);
        }
    }

  EskStream *stream = stream_new (&processors[0], 1);
  EskCsr wide = matrix, single = matrix;

  wide.columns++;
  single.type = ESK_F32;
  g_assert_cmpint (esk_recur (stream, &wide, 3, how, panels, x, y), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_recur (stream, &single, 3, how, panels, x, y), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_recur (NULL, &matrix, 3, how, panels, x, y), ==, ESK_ERROR_ARGUMENT);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

int
main (int argc, char **argv)
{
  static const char * const names[ESK_SPARSE_LIBRARY] = {
    "coo", "dia", "ell", "csr-scalar", "csr-vector", "sc-csr", "vab", "merge", "sell",
  };

  g_test_init (&argc, &argv, NULL);

  for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
    {
      g_autofree char *path = g_strconcat ("/sparse/", names[format], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (format), test_format);
    }
  g_test_add_func ("/sparse/options", test_options);
  g_test_add_func ("/sparse/library", test_library);
  g_test_add_func ("/sparse/no-library", test_no_library);
  g_test_add_func ("/sparse/refusals", test_refusals);
  g_test_add_func ("/sparse/infinite", test_infinite);
  g_test_add_func ("/sparse/recurrence", test_recurrence);

  return g_test_run ();
}
