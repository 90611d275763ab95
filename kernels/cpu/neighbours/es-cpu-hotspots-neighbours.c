/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-neighbours-internal.h"
#include "es-cpu-neighbours-private.h"

const EskNeighboursHotspots esk_cpu_neighbours_hotspots = {
  .nearest = esk_cpu_nearest,
  .approximate = esk_cpu_approximate,
  .squares = esk_cpu_squares,
  .set_progress = esk_cpu_neighbours_set_progress,
};
