/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "es-hotspots.h"
#include "es-sparse.h"
#include "job/es-job-internal.h"
#include "matrix/es-sparse-matrix.h"

typedef struct
{
  EsDevice         *device;
  const EskHotspots *hotspots;
  EskStream        *stream;
  guint             scale;
  double            bandwidth;     /* bytes a second: the best of reading and copying, as measured here */
  GString          *json;
} BenchSparse;

/* A matrix by the name of a generator, or "blocks". NULL: the message was printed. */
EsDataset *bench_sparse_matrix (const char *name);
/* The ten matrices, every format of each beside the library. "matrices": { ... } */
void bench_sparse_products (BenchSparse *bench, char **only);
/* Conjugate gradients beside their bytes; the published GMRES beside one thread of the processor. "cg", "gmres" */
void bench_sparse_solvers  (BenchSparse *bench);
/* Stops where a launcher fails. */
void bench_sparse_check    (BenchSparse *bench, int code, const char *what);
/* Memory of the device, filled with what is there; and what it holds. */
EsBuffer *bench_sparse_buffer (BenchSparse *bench, const void *from, gsize bytes);
void      bench_sparse_fetch  (BenchSparse *bench, void *to, const void *from, gsize bytes);
