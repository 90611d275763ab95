/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * perf-sparse NONZEROS THREADS [FOLDER] [--float32] [--only NUMBER]: every format on ten matrices, and which is chosen
 * by itself, as JSON on the standard output; seconds are the least of a product. FOLDER: the matrices are left in it
 * for others (NAME.n, .from, .column, .value: what memory has), with what our last made of x = 1, 1/2, 1/3 ... in
 * NAME.y.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "es-hotspots.h"
#include "matrix/es-sparse-matrix.h"
#include "perf-sparse-matrices.h"
#include "sparse/es-sparse-choice.h"

#define ROUNDS 5
#define ROUND_SECONDS 0.04

typedef struct
{
  EskSparseProduct *product;   /* NULL: not made */
  EskSparseCost     cost;
  double            least;     /* seconds */
} Measured;

/* For a while; what else the machine does makes it longer, never shorter. */
static void
measure (EskStream *stream, Measured *measured, const void *x, void *y)
{
  const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
  const gint64 end = g_get_monotonic_time () + (gint64) (ROUND_SECONDS * 1e6);

  sparse->multiply (stream, measured->product, 1, x, 0, y);
  do
    {
      const gint64 begin = g_get_monotonic_time ();
      guint times = 0;

      do
        {
          sparse->multiply (stream, measured->product, 1, x, 0, y);
          times++;
        }
      while (g_get_monotonic_time () - begin < 300);
      measured->least = MIN (measured->least, (double) (g_get_monotonic_time () - begin) * 1e-6 / times);
    }
  while (g_get_monotonic_time () < end);
}

static void
leave (const char *folder, const char *name, const char *what, const void *data, gsize bytes)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.%s", folder, name, what);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, data, (gssize) bytes, &error))
    g_printerr ("%s\n", error->message);
}

static const char *
choose (const PerfMatrix *matrix, const char *name, gboolean narrow)
{
  const gsize n = (gsize) matrix->row_from[matrix->n];
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSparseMatrix) sparse = es_sparse_matrix_new (name, matrix->n, matrix->n,
    g_memdup2 (matrix->row_from, (matrix->n + 1) * sizeof (gint32)), g_memdup2 (matrix->column, n * sizeof (gint32)),
    g_memdup2 (matrix->value, n * sizeof (double)), ES_SYMMETRY_GENERAL, &error);
  EsSparseProblem problem = { matrix->n, matrix->n, n, NULL, narrow ? ESK_F32 : ESK_F64, FALSE, 0, 0 };

  if (sparse == NULL)
    g_error ("%s", error->message);
  problem.statistics = es_sparse_matrix_get_statistics (sparse);
  return es_sparse_format_get_id (es_sparse_choose (&problem, NULL));
}

static void
measure_matrix (EskStream *stream, guint number, gsize nonzeros, const char *folder, gboolean narrow,
                gboolean is_first)
{
  const EskSparseHotspots *sparse = esk_cpu_hotspots ()->sparse;
  g_autoptr (PerfMatrix) matrix = perf_matrix_new (number, nonzeros);
  gsize stored = (gsize) matrix->row_from[matrix->n], size = narrow ? 4 : 8;
  Measured all[ESK_N_SPARSE_FORMATS] = { 0 };
  g_autofree float *values = g_new (float, stored + 1);
  g_autofree guint8 *x = g_malloc (matrix->n * 8), *y = g_malloc0 (matrix->n * 8);
  EskCsr csr = { matrix->n, matrix->n, narrow ? ESK_F32 : ESK_F64, matrix->row_from, matrix->column,
                 narrow ? (const void *) values : matrix->value };

  for (gsize k = 0; k < stored; k++)
    values[k] = (float) matrix->value[k];
  for (gsize i = 0; i < matrix->n; i++)
    if (narrow)
      ((float *) (gpointer) x)[i] = 1 / (float) (i + 1);
    else
      ((double *) (gpointer) x)[i] = 1 / (double) (i + 1);
  printf ("%s  {\"name\": \"%s\", \"rows\": %zu, \"nonzeros\": %zu, \"chosen\": \"%s\", \"formats\": {",
          is_first ? "" : ",\n", perf_matrix_name (number), matrix->n, stored,
          choose (matrix, perf_matrix_name (number), narrow));
  for (guint format = 0; format < ESK_N_SPARSE_FORMATS; format++)
    {
      all[format].least = INFINITY;
      /* Padding of more than four times is measured by nobody. */
      if (sparse->product_new (stream, &csr, format, NULL, 4 * stored + 100000, &all[format].product,
                               &all[format].cost) != ESK_OK)
        all[format].product = NULL;
    }
  /* In turns, so that what else the machine does falls on all alike. */
  for (guint round = 0; round < ROUNDS; round++)
    for (guint format = 0; format < ESK_N_SPARSE_FORMATS; format++)
      if (all[format].product != NULL)
        measure (stream, &all[format], x, y);
  for (guint format = 0, told = 0; format < ESK_N_SPARSE_FORMATS; format++)
    if (all[format].product != NULL)
      {
        const EskSparseCost *cost = &all[format].cost;

        printf ("%s\n    \"%s\": {\"seconds\": %.4g, \"build_ms\": %.4g, \"gb_s\": %.4g, \"stored\": %.4g}",
                told++ > 0 ? "," : "", es_sparse_format_get_id (format), all[format].least, cost->build_ms,
                (double) (cost->bytes + cost->vector_bytes) / all[format].least * 1e-9,
                (double) cost->stored / (double) stored);
        sparse->product_free (stream, all[format].product);
      }
  printf ("}}");
  if (folder != NULL)
    {
      guint64 n = matrix->n;

      leave (folder, perf_matrix_name (number), "n", &n, sizeof n);
      leave (folder, perf_matrix_name (number), "from", matrix->row_from, (matrix->n + 1) * sizeof (gint32));
      leave (folder, perf_matrix_name (number), "column", matrix->column, stored * sizeof (gint32));
      leave (folder, perf_matrix_name (number), "value", csr.value, stored * size);
      leave (folder, perf_matrix_name (number), "y", y, matrix->n * size);
    }
}

int
main (int argc, char **argv)
{
  EskStream *stream = esk_cpu_hotspots ()->stream->stream_new (0);
  const char *folder = NULL;
  gboolean narrow = FALSE;
  int only = -1;

  if (argc < 3)
    {
      g_printerr ("perf-sparse NONZEROS THREADS [FOLDER] [--float32] [--only NUMBER]\n");
      return 2;
    }
  for (int i = 3; i < argc; i++)
    if (g_str_equal (argv[i], "--float32"))
      narrow = TRUE;
    else if (g_str_equal (argv[i], "--only") && i + 1 < argc)
      only = atoi (argv[++i]);
    else
      folder = argv[i];
  esk_cpu_hotspots ()->stream->set_threads (stream, atoi (argv[2]));
  printf ("[\n");
  for (guint m = 0; m < N_PERF_MATRICES; m++)
    if (only < 0 || (guint) only == m)
      measure_matrix (stream, m, (gsize) atoll (argv[1]), folder, narrow, m == 0 || only >= 0);
  printf ("\n]\n");
  esk_cpu_hotspots ()->stream->stream_free (stream);

  return 0;
}
