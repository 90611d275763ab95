/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "matrix/es-sparse-matrix.h"

G_BEGIN_DECLS

/* One thing that a matrix is: what is asked, the answer, and what follows for the choice of format and solver
 * (nullable). All translated. */
typedef struct
{
  const char *title;
  char       *value;
  char       *meaning;
  gboolean    warns;             /* something cannot be done because of it */
} EsMatrixFact;

/* Of EsMatrixFact, in the order in which they are read. Goes through the matrix where nobody has before: on a worker.
 * Transfer full. */
GPtrArray *es_matrix_facts_new (EsSparseMatrix *matrix);

G_END_DECLS
