/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pca-private.h"

#include "es-job-private.h"

guint64
es_pca_largest_stack (const EsLimits *limits)
{
  return (limits != NULL && limits->memory > 0 ? limits->memory : es_device_get_memory (es_device_get_cpu ())) / 4;
}

EsPlan
es_pca_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint n = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const gint64 wanted = es_params_get_int (params, "components");
  const guint m = wanted > 0 ? MIN (wanted, n) : MIN (n, 27);        /* an estimate: see hyperspectral.md 1.1 */
  const gboolean quantise = es_params_get_choice (params, "quantise") == 1;
  EsTiling tiling = es_tiling_plan (cube, device, limits, 1 + m * sizeof (float), (gsize) n * n * sizeof (double));
  EsPlan plan = { 0 };

  plan.passes = quantise ? 3 : 2;
  plan.tiles = tiling.tiles;
  plan.tile_width = tiling.tile_width;
  plan.tile_height = tiling.tile_height;
  plan.read_bytes = plan.passes * es_cube_get_bytes (cube);
  plan.written_bytes = pixels * m * sizeof (float);
  plan.flops = pixels * n * (n + 1.0) + 2 * pixels * n * m;
  plan.memory = tiling.lanes * (tiling.tile_bytes
                                + tiling.tile_width * tiling.tile_height * (1 + m * sizeof (float))
                                + (guint64) n * n * sizeof (double))
                + ES_PCA_MATRICES * (guint64) n * n * sizeof (double);
  if ((limits == NULL || limits->output_dir == NULL) && plan.written_bytes <= es_pca_largest_stack (limits))
    plan.memory += plan.written_bytes;

  /* Files come from the system's cache at 2 GB/s a lane, and results go there as fast; an eigenproblem's constant is
   * that of tridiagonal reduction, or of some ten sweeps of rotations. */
  const double share = tiling.lanes / (double) es_device_get_lanes (device);
  const double bandwidth = MIN (es_device_get_bandwidth (device) * share, 2e9 * tiling.lanes);
  plan.seconds = plan.flops / (es_device_get_flops (device) * share) + plan.read_bytes / bandwidth
                 + plan.written_bytes / 2e9
                 + (es_params_get_choice (params, "eigensolver") == 1 ? 1.3e-8 : 3e-10) * n * n * n;
  return plan;
}
