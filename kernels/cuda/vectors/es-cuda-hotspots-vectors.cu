/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-vectors-internal.h"
#include "es-cuda-vectors-private.h"

#include "cuda/sparse/es-cuda-sparse-internal.h"

/* Rows that wait for each other would take as many launches as there are levels. */
const EskVectorsHotspots esk_cuda_vectors_hotspots = {
  .fill = esk_cuda_fill,
  .dots = esk_cuda_dots,
  .combine = esk_cuda_combine,
  .descend = esk_cuda_descend,
  .direct = esk_cuda_direct,
  .basis_dots = esk_cuda_basis_dots,
  .basis_add = esk_cuda_basis_add,
  .jacobi_step = esk_cuda_jacobi_step,
  .multiply_dots = esk_cuda_multiply_dots,
  .multiply_jacobi = esk_cuda_multiply_jacobi,
  .scale = esk_cuda_scale,
  .block_scale = esk_cuda_block_scale,
  .inner_published = esk_cuda_inner_published,
};
