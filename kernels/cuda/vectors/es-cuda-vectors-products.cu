/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products with what follows them: in the product's own launch where its format can (cuda/sparse), else after it. */

#include "es-cuda-vectors-private.h"

#include "cuda/sparse/es-cuda-sparse-internal.h"

int
esk_cuda_multiply_dots (EskStream          *stream,
                        EskSparseProduct   *product,
                        const void         *x,
                        void               *y,
                        size_t              n_dots,
                        const void * const *with,
                        double             *slots)
{
  EskSparseBehind behind = { n_dots, { NULL, NULL }, NULL, slots };
  const void *ys[ESK_MOST_DOTS], *others[ESK_MOST_DOTS];
  size_t rows, columns;
  EskType type;
  bool done = false;
  int code;

  if (stream == NULL || product == NULL || n_dots > ESK_MOST_DOTS || (n_dots > 0 && (with == NULL || slots == NULL)))
    return ESK_ERROR_ARGUMENT;
  esk_cuda_sparse_describe (product, &rows, &columns, &type);
  for (size_t d = 0; d < n_dots; d++)
    {
      ys[d] = y;
      others[d] = with[d] != NULL ? with[d] : y;
    }
  if (n_dots == 1 || n_dots == 2)
    {
      for (size_t d = 0; d < n_dots; d++)
        behind.with[d] = others[d];
      code = esk_cuda_sparse_multiply_behind (stream, product, x, y, &behind, &done);
      if (code != ESK_OK || done)
        return code;
    }
  code = esk_cuda_sparse_multiply (stream, product, 1.0, x, 0.0, y);

  return code == ESK_OK && n_dots > 0 ? esk_cuda_dots (stream, type, rows, n_dots, ys, others, slots) : code;
}

int
esk_cuda_multiply_jacobi (EskStream        *stream,
                          EskSparseProduct *product,
                          const void       *x,
                          const void       *f,
                          void             *y,
                          double           *largest)
{
  EskSparseBehind behind = { 0, { NULL, NULL }, f, largest };
  size_t rows, columns;
  EskType type;
  bool done = false;
  int code;

  if (stream == NULL || product == NULL || largest == NULL)
    return ESK_ERROR_ARGUMENT;
  esk_cuda_sparse_describe (product, &rows, &columns, &type);
  if (rows != columns || (rows > 0 && (f == NULL || x == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_sparse_multiply_behind (stream, product, x, y, &behind, &done);
  if (code != ESK_OK || done)
    return code;
  code = esk_cuda_sparse_multiply (stream, product, 1.0, x, 0.0, y);

  return code == ESK_OK ? esk_cuda_jacobi_step (stream, type, rows, x, f, y, largest) : code;
}
