/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices on the fake cards: the processor's. */

#include "fake-device.h"

static int
fake_product_new (EskStream *stream, const EskCsr *matrix, EskSparseFormat format, const EskSparseOptions *options,
                  uint64_t stored_limit, EskSparseProduct **product, EskSparseCost *cost)
{
  int code = fake_work (stream);

  *product = NULL;
  return code != ESK_OK ? code : esk_cpu_hotspots ()->sparse->product_new (stream->cpu, matrix, format, options,
                                                                           stored_limit, product, cost);
}

static void
fake_product_free (EskStream *stream, EskSparseProduct *product)
{
  esk_cpu_hotspots ()->sparse->product_free (stream->cpu, product);
}

static int
fake_multiply (EskStream *stream, EskSparseProduct *product, double alpha, const void *x, double beta, void *y)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->sparse->multiply (stream->cpu, product, alpha, x, beta, y);
}

static const char *
fake_library (EskStream *stream)
{
  (void) stream;
  return NULL;
}

const EskSparseHotspots fake_sparse_hotspots = {
  .product_new = fake_product_new,
  .product_free = fake_product_free,
  .multiply = fake_multiply,
  .library = fake_library,
};
