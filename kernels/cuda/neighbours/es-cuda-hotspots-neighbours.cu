/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-neighbours-internal.h"
#include "es-cuda-neighbours-private.h"

/* No approximate search: the exact one is fast enough; and no progress: the caller is told by the end. */
const EskNeighboursHotspots esk_cuda_neighbours_hotspots = {
  .nearest = esk_cuda_nearest,
  .squares = esk_cuda_squares,
};
