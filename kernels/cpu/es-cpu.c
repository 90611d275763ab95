/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's back end: the tables of its rooms. */

#include "es-hotspots.h"

#include "cpu/beam/es-cpu-beam-internal.h"
#include "cpu/core/es-cpu-internal.h"
#include "cpu/cube/es-cpu-cube-internal.h"
#include "cpu/ica/es-cpu-ica-internal.h"
#include "cpu/vectors/es-cpu-vectors-internal.h"
#include "cpu/neighbours/es-cpu-neighbours-internal.h"
#include "cpu/sparse/es-cpu-sparse-internal.h"

static const EskHotspots hotspots = {
  .abi = ESK_HOTSPOTS_ABI,
  .name = "cpu",
  .stream = &esk_cpu_stream_hotspots,
  .cube = &esk_cpu_cube_hotspots,
  .ica = &esk_cpu_ica_hotspots,
  .beam = &esk_cpu_beam_hotspots,
  .adaptive = &esk_cpu_adaptive_hotspots,
  .vectors = &esk_cpu_vectors_hotspots,
  .neighbours = &esk_cpu_neighbours_hotspots,
  .sparse = &esk_cpu_sparse_hotspots,
};

const EskHotspots *
esk_cpu_hotspots (void)
{
  return &hotspots;
}
