/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products on the CPU: y = alpha A x + beta y. */

#include "es-cpu-sparse-private.h"

typedef struct
{
  const EskSparseCall *call;
  EskSparseLoop        loop;
} Work;

static void
do_item (void    *data,
         size_t   item,
         unsigned worker)
{
  const Work *work = data;

  (void) worker;
  work->loop (work->call, item);
}

static const EskSparseLoops *
choose (const EskStream *stream,
        EskType          type)
{
  const EskCpuSparse *all = &esk_cpu_sparse_portable;

  if (stream->wide && esk_cpu_sparse_avx512 != NULL)
    all = esk_cpu_sparse_avx512;
  else if (stream->has_avx2 && esk_cpu_sparse_avx2 != NULL)
    all = esk_cpu_sparse_avx2;

  return type == ESK_F64 ? &all->f64 : &all->f32;
}

/* What items have of a row that another began or ended; in order. Of triplets the row of an item's first, of the merge
 * path the row at which it stopped. */
static void
add_carried (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  bool is_merge = product->format == ESK_SPARSE_MERGE;

  for (size_t item = 0; item < product->items; item++)
    {
      size_t row;

      if (is_merge)
        row = (size_t) product->path.row[item + 1];
      else if (product->from[item] < product->from[item + 1])
        row = (size_t) product->coo.row[product->from[item]];
      else
        continue;
      if (row >= product->rows)
        continue;
      if (product->type == ESK_F64)
        ((double *) call->y)[row] += call->alpha * ((const double *) product->carry)[item];
      else
        ((float *) call->y)[row] += (float) call->alpha * ((const float *) product->carry)[item];
    }
}

static int
multiply (EskStream        *stream,
          EskSparseProduct *product,
          double            alpha,
          const void       *x,
          double            beta,
          void             *y)
{
  EskSparseCall call = { product, alpha, beta, x, y };
  const EskSparseLoops *loops;

  if (stream == NULL || product == NULL || (x == NULL && product->columns > 0) || (y == NULL && product->rows > 0))
    return ESK_ERROR_ARGUMENT;
  if (product->rows == 0)
    return ESK_OK;
  if (product->format == ESK_SPARSE_LIBRARY)
    return esk_sparse_library_multiply (product->library, esk_team_size (stream), alpha, x, beta, y);

  loops = choose (stream, product->type);
  esk_team_run (stream, product->items, do_item, &(Work) { &call, loops->loop[product->format] });
  if (product->format == ESK_SPARSE_VAB)
    esk_team_run (stream, product->row_items, do_item, &(Work) { &call, loops->vab_rows });
  if (product->carry != NULL)
    add_carried (&call);

  return ESK_OK;
}

static const char *
library (EskStream *stream)
{
  (void) stream;

  return esk_sparse_library_name ();
}

const EskSparseHotspots esk_cpu_sparse_hotspots = {
  .product_new = esk_cpu_sparse_new,
  .product_free = esk_cpu_sparse_free,
  .multiply = multiply,
  .library = library,
};
