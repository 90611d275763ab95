/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "solvers/es-solver-internal.h"

/* A small system, dense and sparse at once, with its solution by LAPACK. */
typedef struct
{
  gsize   n;
  double *dense;               /* n x n, by rows */
  double *b, *x;               /* x: of dgesv; NULL where the matrix is singular */
  EskCsr  csr;
} EsTestSystem;

/* dense: taken. b: all ones where NULL. Zeros are not stored. */
EsTestSystem *es_test_system_new       (gsize n, double *dense, const double *b);
void          es_test_system_free      (EsTestSystem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestSystem, es_test_system_free)
/* The five-point Laplacian less `shift` on its diagonal, of a grid. */
EsTestSystem *es_test_system_laplacian (gsize width, gsize height, double shift);
/* The same with a wind that blows along the rows, which makes it unsymmetric. */
EsTestSystem *es_test_system_wind      (gsize width, gsize height, double wind);
/* |x - the solution| / |the solution| */
double        es_test_system_error     (const EsTestSystem *self, const double *x);

/* What is usual: float64, CSR, tolerance 1e-10. */
EsSolverSettings es_test_settings      (EsSolverMethod method, EsPreconditionerKind preconditioner);
