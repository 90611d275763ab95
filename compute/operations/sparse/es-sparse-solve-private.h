/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "matrix/es-sparse-matrix.h"
#include "result/es-result-internal.h"
#include "solvers/es-solver-internal.h"
#include "sparse/es-sparse-choice.h"

G_BEGIN_DECLS

typedef struct
{
  EsJob            *job;
  EsParams         *params;
  EsSparseMatrix   *matrix;
  EsDevice         *device;    /* borrowed: one, of several the first */
  guint             threads;   /* of the processor */
  EskCsr            csr;       /* float64 */
  double           *b, *known; /* known: the solution, where the right-hand side was made of it; nullable */
  EsSolverSettings  settings;
  gboolean          chosen;    /* the solver, by the matrix */
  gboolean          symmetric; /* if it was chosen */
  gsize             odd_row;   /* the first whose diagonal is not positive; csr.rows: none, or it was not looked for */
  char             *format_reason;     /* nullable: the format was told */
  EsSolution       *solution;
  EsSolution       *reference; /* the same on one thread of the processor; nullable: was not asked for */
  double            bandwidth; /* bytes a second of the device's memory; NAN: not known */
  gint64            told_at;   /* the live curve */
} EsSparseSolve;

EsSolverSettings es_sparse_solve_read_settings (EsParams *values);
EskCsr   es_sparse_solve_get_csr   (EsSparseMatrix *matrix);
/* What EsOperation.plan is. */
EsPlan   es_sparse_solve_plan      (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits);
/* Before anything is allocated: ES_COMPUTE_ERROR_MEMORY where a format that was told takes more than may be used. */
gboolean es_sparse_solve_check_padding (EsSparseSolve *self, GError **error);
/* The right-hand side that parameters ask for. ES_DATA_ERROR names the file and the line, ES_COMPUTE_ERROR the
 * parameter. */
gboolean es_sparse_solve_make_side (EsSparseSolve *self, GError **error);
/*
 * n numbers of a file: a Matrix Market array of one column, or a text with one number a line, where lines that begin
 * with # or % and empty ones are left out. ES_DATA_ERROR names file and line. Transfer full.
 */
double  *es_sparse_solve_read_side (GFile *file, gsize n, GCancellable *cancellable, GError **error);
/* The residuals as the layer that the result will have. */
EsCurve *es_sparse_solve_make_curve (const GArray *history);
/* Layers, values and the title. */
void     es_sparse_solve_publish    (EsSparseSolve *self, EsResult *result);

G_END_DECLS
