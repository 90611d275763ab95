/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The published inner product (sparse.md 1.6): group by group as a card's blocks do it, to the same bytes. */

#include "es-cpu-vectors-private.h"

/* So that neither is part of a multiply-add. */
static inline float
rounded (volatile float x)
{
  return x;
}

typedef struct
{
  EskInnerShape shape;
  size_t        n;
  const float  *x, *y;
} Call;

static void
add_group (void   *data,
           size_t  first,
           size_t  n,
           double *sums)
{
  const Call *call = data;
  size_t block = call->shape.block;
  float sum[512] = { 0 };

  for (size_t k = 0; k < n; k++)
    sum[k % block] += rounded (call->x[first + k] * call->y[first + k]);
  for (size_t half = block / 2; half > 0; half /= 2)
    for (size_t t = 0; t < half; t++)
      sum[t] += sum[t + half];
  *sums = (double) sum[0];
}

int
esk_cpu_inner_published (EskStream   *stream,
                         size_t       n,
                         const float *x,
                         const float *y,
                         double      *slot)
{
  Call call = { .shape = esk_inner_shape (n), .n = n, .x = x, .y = y };

  if (stream == NULL || slot == NULL || (n > 0 && (x == NULL || y == NULL)))
    return ESK_ERROR_ARGUMENT;

  return esk_run_pieces (stream, n, call.shape.length, 1, false, add_group, &call, slot);
}
