/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Conjugate gradients beside the bytes that they must move; GMRES as published beside one thread of the processor. */
#include "bench-sparse.h"

#include <stdio.h>

#include "solvers/es-solver-internal.h"

#define CG_ITERATIONS 300
#define GMRES_ITERATIONS 60

static EskCsr
csr_of (EsDataset *dataset)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);

  return (EskCsr) { es_sparse_matrix_get_n_rows (matrix), es_sparse_matrix_get_n_columns (matrix), ESK_F64,
                    es_sparse_matrix_get_row_from (matrix), es_sparse_matrix_get_columns (matrix),
                    es_sparse_matrix_get_values (matrix) };
}

static EsSolution *
solve (EsDevice *device, const EskCsr *csr, const EsSolverSettings *settings)
{
  g_autofree double *b = g_new (double, csr->rows);
  g_autoptr (GError) error = NULL;
  EsSolution *solution;

  for (gsize i = 0; i < csr->rows; i++)
    b[i] = 1 + (double) (i * 2654435761u % 1000) * 1e-3;
  solution = es_solve (device, csr, b, settings, NULL, &error);
  if (solution == NULL)
    printf ("  %s\n", error->message);
  return solution;
}

static void
bench_cg (BenchSparse *bench)
{
  static const struct { const char *title; EskSparseFormat format; } formats[] = {
    { "dia", ESK_SPARSE_DIA }, { "csr vector", ESK_SPARSE_CSR_VECTOR }, { "sell", ESK_SPARSE_SELL },
  };
  g_autofree char *name = g_strdup_printf ("poisson2d:%ux1400:5", MAX (1400 / bench->scale, 2));
  g_autoptr (EsDataset) matrix = bench_sparse_matrix (name);
  guint told = 0;

  if (matrix == NULL)
    return;
  const EskCsr csr = csr_of (matrix);

  printf ("\nconjugate gradients, %s\n", name);
  g_string_append (bench->json, " \"cg\": {");
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    {
      const EsSolverSettings settings = { .method = ES_SOLVER_CG, .tolerance = 1e-14, .iterations = CG_ITERATIONS,
                                          .type = ESK_F64, .format = formats[f].format };
      EsSolution *solution = solve (bench->device, &csr, &settings);
      double ms, limit;

      if (solution == NULL)
        continue;
      ms = solution->seconds * 1e3 / MAX (solution->iterations, 1);
      limit = solution->iteration_bytes / bench->bandwidth * 1e3;
      printf ("  %-12s %9.4f ms an iteration, bytes %9.4f ms, x %.3f   %u iterations, residual %.2e\n",
              formats[f].title, ms, limit, ms / limit, solution->iterations, solution->residual);
      g_string_append_printf (bench->json, "%s\n  \"%s\": {\"ms\": %.5f, \"bytes_ms\": %.5f, \"ratio\": %.4f, "
                              "\"iterations\": %u, \"residual\": %.3g}", told++ > 0 ? "," : "", formats[f].title, ms,
                              limit, ms / limit, solution->iterations, solution->residual);
      es_solution_free (solution);
    }
  g_string_append (bench->json, "\n },\n");
}

/* float32, VAB, the published inner product, m of 30. The study's speed over one thread: 10.3 to 20. */
static void
bench_gmres (BenchSparse *bench)
{
  static const char *const names[] = { "ecology2", "pwtk" };
  g_autoptr (GError) error = NULL;
  EsDevice *cpu = es_device_find ("cpu", &error);
  guint told = 0;

  printf ("\nGMRES (30) as published\n");
  g_string_append (bench->json, " \"gmres\": {");
  for (guint m = 0; m < G_N_ELEMENTS (names); m++)
    {
      static const struct { const char *title; EsOrthogonal orthogonal; EskSparseFormat format; } ways[] = {
        { "published", ES_ORTHOGONAL_PUBLISHED, ESK_SPARSE_VAB },
        { "modified", ES_ORTHOGONAL_MODIFIED, ESK_SPARSE_CSR_VECTOR },
        { "classical", ES_ORTHOGONAL_CLASSICAL, ESK_SPARSE_CSR_VECTOR },
      };
      g_autofree char *name = g_strconcat ("like:", names[m], NULL);
      g_autoptr (EsDataset) matrix = bench_sparse_matrix (name);
      double serial = 0;

      if (matrix == NULL)
        continue;
      const EskCsr csr = csr_of (matrix);

      g_string_append_printf (bench->json, "%s\n  \"%s\": {", told++ > 0 ? "," : "", names[m]);
      if (cpu != NULL)
        {
          const EsSolverSettings settings = { .method = ES_SOLVER_GMRES, .orthogonal = ES_ORTHOGONAL_MODIFIED,
                                              .tolerance = 1e-6, .iterations = GMRES_ITERATIONS, .type = ESK_F32,
                                              .format = ESK_SPARSE_CSR_SCALAR, .threads = 1 };
          EsSolution *solution = solve (cpu, &csr, &settings);

          if (solution != NULL)
            {
              serial = solution->seconds * 1e3 / MAX (solution->iterations, 1);
              printf ("  %-12s one thread %9.3f ms an iteration, %u iterations\n", names[m], serial,
                      solution->iterations);
              g_string_append_printf (bench->json, "\"thread_ms\": %.4f", serial);
              es_solution_free (solution);
            }
        }
      for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
        {
          const EsSolverSettings settings = { .method = ES_SOLVER_GMRES, .orthogonal = ways[w].orthogonal,
                                              .tolerance = 1e-6, .iterations = GMRES_ITERATIONS, .type = ESK_F32,
                                              .format = ways[w].format };
          EsSolution *solution = solve (bench->device, &csr, &settings);
          double ms;

          if (solution == NULL)
            continue;
          ms = solution->seconds * 1e3 / MAX (solution->iterations, 1);
          printf ("  %-12s %-10s %9.4f ms an iteration, bytes x %.3f, x %.1f of one thread   %u iterations\n", names[m],
                  ways[w].title, ms, ms * 1e-3 * bench->bandwidth / solution->iteration_bytes, serial / ms,
                  solution->iterations);
          g_string_append_printf (bench->json, "%s\n   \"%s\": {\"ms\": %.5f, \"ratio\": %.4f, \"speed_up\": %.2f}",
                                  serial > 0 || w > 0 ? "," : "", ways[w].title, ms,
                                  ms * 1e-3 * bench->bandwidth / solution->iteration_bytes, serial / ms);
          es_solution_free (solution);
        }
      g_string_append (bench->json, "}");
    }
  g_string_append (bench->json, "\n },\n");
}

void
bench_sparse_solvers (BenchSparse *bench)
{
  bench_cg (bench);
  bench_gmres (bench);
}
