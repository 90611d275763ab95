/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Ten matrices in every format beside the library's algorithms. */
#include "bench-sparse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/es-solver-internal.h"

/* Padding beyond so many times the nonzeros is not tried. */
#define MOST_PADDING 4
/* A measurement, at least; the shortest of three counts. */
#define MEASURE_US 4000

typedef struct
{
  const char *title, *name;
  guint       rows;            /* the first number of the name is this, over the scale */
} Matrix;

static const Matrix matrices[] = {
  { "poisson2d 5", "poisson2d:%ux1400:5", 1400 },
  { "poisson2d 9", "poisson2d:%ux1000:9", 1000 },
  { "poisson3d 7", "poisson3d:%ux110x110:7", 110 },
  { "poisson3d 27", "poisson3d:%ux70x70:27", 70 },
  { "banded", "banded:n=%u,lower=10,upper=10", 500000 },
  { "random narrow", "random:n=%u,mean=6,deviation=2,seed=3", 1500000 },
  { "random wide", "random:n=%u,mean=100,deviation=20,seed=4", 100000 },
  { "power", "power:n=%u,exponent=2.2,seed=5", 1000000 },
  { "dense rows", "random:n=%u,lengths=5x99999+100000x1,seed=6", 1000000 },
  { "blocks", "blocks", 0 },
};

typedef struct
{
  const char      *title;
  EskSparseFormat  format;
  EskSparseOptions options;
} Way;

static const Way ways[] = {
  { "coo", ESK_SPARSE_COO, { 0 } },
  { "dia", ESK_SPARSE_DIA, { 0 } },
  { "ell", ESK_SPARSE_ELL, { 0 } },
  { "csr scalar", ESK_SPARSE_CSR_SCALAR, { 0 } },
  { "csr vector", ESK_SPARSE_CSR_VECTOR, { 0 } },
  { "csr vector, lanes", ESK_SPARSE_CSR_VECTOR, { .variant = 1 } },
  { "sc-csr", ESK_SPARSE_SC_CSR, { .full_warps = -1 } },
  { "vab", ESK_SPARSE_VAB, { 0 } },
  { "vab, texture", ESK_SPARSE_VAB, { .texture = TRUE } },
  { "merge", ESK_SPARSE_MERGE, { 0 } },
  { "sell", ESK_SPARSE_SELL, { 0 } },
  { "sell, unsorted", ESK_SPARSE_SELL, { .sigma = 1 } },
  { "library csr 1", ESK_SPARSE_LIBRARY, { .variant = 1 } },
  { "library csr 2", ESK_SPARSE_LIBRARY, { .variant = 2 } },
  { "library coo 1", ESK_SPARSE_LIBRARY, { .variant = 3 } },
  { "library coo 2", ESK_SPARSE_LIBRARY, { .variant = 4 } },
  { "library sell", ESK_SPARSE_LIBRARY, { .variant = 5 } },
};

/* 8 x 8 blocks, of which every row of blocks has the one on the diagonal and eight more. */
static EsDataset *
make_blocks (guint n_blocks)
{
  enum { BLOCK = 8, OTHERS = 8 };
  const gsize n = (gsize) n_blocks * BLOCK, most = n * BLOCK * (OTHERS + 1);
  gint32 *row_from = g_new (gint32, n + 1), *columns = g_new (gint32, most);
  double *values = g_new (double, most);
  g_autoptr (GError) error = NULL;
  gsize at = 0;
  guint64 state = 88172645463325252u;

  row_from[0] = 0;
  for (guint b = 0; b < n_blocks; b++)
    {
      guint place[OTHERS + 1], n_places = 1;

      place[0] = b;
      while (n_places < MIN (OTHERS + 1u, n_blocks))
        {
          guint next, k = 0;

          state ^= state << 13;
          state ^= state >> 7;
          state ^= state << 17;
          next = (guint) (state % n_blocks);
          while (k < n_places && place[k] != next)
            k++;
          if (k < n_places)
            continue;
          for (k = n_places++; k > 0 && place[k - 1] > next; k--)
            place[k] = place[k - 1];
          place[k] = next;
        }
      for (guint r = 0; r < BLOCK; r++)
        {
          for (guint k = 0; k < n_places; k++)
            for (guint c = 0; c < BLOCK; c++, at++)
              {
                columns[at] = (gint32) (place[k] * BLOCK + c);
                values[at] = columns[at] == (gint32) (b * BLOCK + r) ? 100 : 1.0 / (1 + (at % 17));
              }
          row_from[b * BLOCK + r + 1] = (gint32) at;
        }
    }
  EsSparseMatrix *matrix = es_sparse_matrix_new ("blocks", n, n, row_from, columns, values, ES_SYMMETRY_GENERAL,
                                                 &error);

  if (matrix == NULL)
    g_error ("%s", error->message);
  return ES_DATASET (matrix);
}

EsDataset *
bench_sparse_matrix (const char *name)
{
  g_autoptr (GError) error = NULL;
  EsDataset *matrix = es_sparse_matrix_make (name, NULL, &error);

  if (matrix == NULL)
    printf ("%s: %s\n", name, error->message);
  return matrix;
}

/* Milliseconds of a product. */
static double
time_product (BenchSparse *bench, EskSparseProduct *product, const void *x, void *y)
{
  double best = G_MAXDOUBLE;
  guint n = 1;

  for (int turn = 0; turn < 4; turn++)
    {
      const gint64 start = g_get_monotonic_time ();
      gint64 spent;

      for (guint i = 0; i < n; i++)
        bench_sparse_check (bench, bench->hotspots->sparse->multiply (bench->stream, product, 1, x, 0, y), "multiply");
      bench_sparse_check (bench, esk_hotspots_wait (bench->hotspots, bench->stream), "multiply");
      spent = g_get_monotonic_time () - start;
      /* The first turn only tells how many to launch. */
      if (turn > 0)
        best = MIN (best, (double) spent * 1e-3 / n);
      else
        n = (guint) CLAMP (MEASURE_US / MAX (spent, 1), 5, 200);
    }
  return best;
}

/* |y - exact| / |exact| */
static double
error_of (BenchSparse *bench, const void *y, gsize n, const double *exact)
{
  g_autofree double *here = g_new (double, n + 1);
  double difference = 0, all = 0;

  bench_sparse_fetch (bench, here, y, n * sizeof *here);
  for (gsize i = 0; i < n; i++)
    {
      difference += (here[i] - exact[i]) * (here[i] - exact[i]);
      all += exact[i] * exact[i];
    }
  return sqrt (difference / all);
}

/* All of one matrix. */
static void
bench_matrix (BenchSparse *bench, const char *title, EsSparseMatrix *matrix)
{
  const EskSparseHotspots *sparse = bench->hotspots->sparse;
  const EskCsr csr = { es_sparse_matrix_get_n_rows (matrix), es_sparse_matrix_get_n_columns (matrix), ESK_F64,
                       es_sparse_matrix_get_row_from (matrix), es_sparse_matrix_get_columns (matrix),
                       es_sparse_matrix_get_values (matrix) };
  const gsize n = esk_csr_n_nonzeros (&csr);
  /* What CSR has, x once and y once. */
  const double least = (double) n * 12 + (csr.rows + 1) * 4.0 + (csr.rows + csr.columns) * 8.0;
  g_autofree double *host_x = g_new (double, csr.columns), *exact = g_new (double, csr.rows);
  double own = G_MAXDOUBLE, library = G_MAXDOUBLE, share = 0;
  const char *own_title = "", *library_title = "";

  for (gsize i = 0; i < csr.columns; i++)
    host_x[i] = 1 + (double) (i * 2654435761u % 1000) * 1e-3;
  es_solver_multiply (&csr, host_x, exact);
  g_autoptr (EsBuffer) x = bench_sparse_buffer (bench, host_x, csr.columns * sizeof (double));
  g_autoptr (EsBuffer) y = bench_sparse_buffer (bench, NULL, csr.rows * sizeof (double));

  printf ("\n%s: %zu rows, %zu nonzeros, CSR's bytes %.4f ms\n", title, csr.rows, n, least / bench->bandwidth * 1e3);
  g_string_append_printf (bench->json, "  \"%s\": {\"rows\": %zu, \"nonzeros\": %zu, \"csr_bytes\": %.0f, "
                          "\"products\": {", title, csr.rows, n, least);
  for (guint w = 0, told = 0; w < G_N_ELEMENTS (ways); w++)
    {
      const Way *way = &ways[w];
      EskSparseProduct *product;
      EskSparseCost cost;
      const int code = sparse->product_new (bench->stream, &csr, way->format, &way->options, MOST_PADDING * (guint64) n,
                                            &product, &cost);
      double ms, bytes, error;

      if (code != ESK_OK)
        {
          if (code != ESK_ERROR_MEMORY && code != ESK_ERROR_ARGUMENT)
            bench_sparse_check (bench, code, way->title);
          continue;
        }
      ms = time_product (bench, product, es_buffer_get_data (x), es_buffer_get_data (y));
      error = error_of (bench, es_buffer_get_data (y), csr.rows, exact);
      sparse->product_free (bench->stream, product);
      bytes = (double) (cost.bytes + cost.vector_bytes);
      printf ("  %-18s %9.4f ms %7.0f GB/s  of its bytes %5.3f  of CSR's %5.3f  build %7.1f ms, upload %6.1f ms  "
              "error %.1e%s\n", way->title, ms, bytes / ms * 1e-6, bytes / ms * 1e3 / bench->bandwidth,
              least / ms * 1e3 / bench->bandwidth, cost.build_ms, cost.upload_ms, error,
              error < 1e-12 ? "" : "  WRONG");
      g_string_append_printf (bench->json, "%s\n   \"%s\": {\"ms\": %.5f, \"gb_per_s\": %.1f, \"share\": %.4f, "
                              "\"csr_share\": %.4f, \"build_ms\": %.2f, \"upload_ms\": %.2f, \"error\": %.3g}",
                              told++ > 0 ? "," : "", way->title, ms, bytes / ms * 1e-6,
                              bytes / ms * 1e3 / bench->bandwidth, least / ms * 1e3 / bench->bandwidth, cost.build_ms,
                              cost.upload_ms, error);
      if (way->format == ESK_SPARSE_LIBRARY && ms < library)
        {
          library = ms;
          library_title = way->title;
        }
      else if (way->format != ESK_SPARSE_LIBRARY && ms < own)
        {
          own = ms;
          own_title = way->title;
          share = bytes / ms * 1e3 / bench->bandwidth;
        }
    }
  printf ("  best: %s, %.4f ms, %.3f of its bytes, %.3f of CSR's", own_title, own, share,
          least / own * 1e3 / bench->bandwidth);
  g_string_append_printf (bench->json, "},\n   \"best\": \"%s\", \"best_ms\": %.5f, \"best_share\": %.4f, "
                          "\"best_ratio\": %.4f, \"best_csr_share\": %.4f", own_title, own, share, 1 / share,
                          least / own * 1e3 / bench->bandwidth);
  if (library < G_MAXDOUBLE)
    {
      printf ("; %s, %.4f ms: x %.3f", library_title, library, library / own);
      g_string_append_printf (bench->json, ", \"library_best\": \"%s\", \"library_ms\": %.5f, \"speed_up\": %.4f",
                              library_title, library, library / own);
    }
  printf ("\n");
  g_string_append (bench->json, "}");
}

void
bench_sparse_products (BenchSparse *bench, char **only)
{
  guint told = 0;

  g_string_append (bench->json, " \"matrices\": {\n");
  for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
    {
      g_autofree char *rows = g_strdup_printf ("%u", MAX (matrices[m].rows / bench->scale, 1));
      g_auto (GStrv) parts = g_strsplit (matrices[m].name, "%u", 2);
      g_autofree char *name = g_strjoinv (rows, parts);
      g_autoptr (EsDataset) matrix = NULL;

      if (only != NULL && only[0] != NULL && !g_strv_contains ((const char *const *) only, matrices[m].title))
        continue;
      matrix = matrices[m].rows > 0 ? bench_sparse_matrix (name) : make_blocks (18000 / bench->scale);
      if (matrix == NULL)
        continue;
      if (told++ > 0)
        g_string_append (bench->json, ",\n");
      bench_matrix (bench, matrices[m].title, ES_SPARSE_MATRIX (matrix));
    }
  g_string_append (bench->json, "\n },\n");
}
