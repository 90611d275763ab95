/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The ten matrices that products are measured on, the same on every machine. */

#include <glib.h>

#include "es-sparse.h"

#define N_PERF_MATRICES 10

typedef struct
{
  gsize    n;                  /* square */
  gint32  *row_from, *column;
  double  *value;
} PerfMatrix;

const char *perf_matrix_name (guint number);
/* About `nonzeros` of them. */
PerfMatrix *perf_matrix_new  (guint number, gsize nonzeros);
void        perf_matrix_free (PerfMatrix *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerfMatrix, perf_matrix_free)
