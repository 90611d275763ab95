/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-vectors-internal.h"
#include "es-cpu-vectors-private.h"

const EskVectorsHotspots esk_cpu_vectors_hotspots = {
  .fill = esk_cpu_fill,
  .dots = esk_cpu_dots,
  .combine = esk_cpu_combine,
  .descend = esk_cpu_descend,
  .direct = esk_cpu_direct,
  .basis_dots = esk_cpu_basis_dots,
  .basis_add = esk_cpu_basis_add,
  .basis_again = esk_cpu_basis_again,
  .jacobi_step = esk_cpu_jacobi_step,
  .scale = esk_cpu_scale,
  .block_scale = esk_cpu_block_scale,
  .triangles_new = esk_cpu_triangles_new,
  .triangles_free = esk_cpu_triangles_free,
  .triangles_solve = esk_cpu_triangles_solve,
  .inner_published = esk_cpu_inner_published,
};
