/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-sparse-internal.h"
#include "es-cuda-sparse-private.h"

const EskSparseHotspots esk_cuda_sparse_hotspots = {
  .product_new = esk_cuda_sparse_product_new,
  .product_free = esk_cuda_sparse_product_free,
  .multiply = esk_cuda_sparse_multiply,
  .library = esk_cuda_sparse_library,
};
