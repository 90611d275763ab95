/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a run will cost: passes, the search of neighbours, the embedding, the quality, the extension. */

#include "es-manifold-private.h"

#include <math.h>

#include "device/es-device-internal.h"
#include "embedding/es-embedding-quality.h"

/* The system's cache gives a lane this much a second; turning a tile's samples into rows of spectra, as measured. */
#define LANE_READS 2e9
#define LANE_CONVERTS 4e8

EsPlan
es_manifold_plan (const EsManifoldMethod *method, EsDataset *dataset, EsParams *params, EsDevice *device,
                  const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  EsDevice *cpu = es_device_get_cpu ();
  const guint bands = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const gsize n = MAX (es_manifold_count_samples (params, (guint64) pixels), 4);
  const guint m = (guint) es_params_get_int (params, "dimensions");
  const guint k = method->needs_graph ? (guint) MIN ((gsize) es_params_get_int (params, "neighbours"), n - 1) : 0;
  const gboolean compare = es_params_get_bool (params, "compare");
  const guint lanes = es_device_get_lanes (cpu);
  const guint threads = limits != NULL && limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
  const EsTiling tiling = es_tiling_plan (cube, cpu, limits, 1 + (bands + 1 + m) * sizeof (float), 0);
  const double cpu_flops = es_device_get_flops (cpu) * threads / lanes, square = (double) n * n;
  const EsEmbeddingMeasures measures = { .n_anchors = es_manifold_count_anchors (n), .n_paths = ES_MANIFOLD_PATHS,
                                         .graph_k = k };
  guint64 searching = 0, embedding = 0, judging = 0;
  EsPlan plan = { .passes = compare ? 4 : 3, .tiles = tiling.tiles, .tile_width = tiling.tile_width,
                  .tile_height = tiling.tile_height };

  plan.read_bytes = plan.passes * es_cube_get_bytes (cube);
  plan.written_bytes = (guint64) (pixels * m * sizeof (float));
  const double search = k > 0 ? es_neighbours_plan (device, threads, n, bands, k,
                                                    (EsNeighboursSearch) es_params_get_choice (params, "search"),
                                                    &searching) : 0;
  const double embed = method->cost (params, device, threads, n, bands, k, m, &embedding);
  /* Of three embeddings; and two covariances of the samples. */
  const double quality = compare ? es_embedding_plan (device, threads, n, bands, 3, m, &measures,
                                                      &judging) + 6.0 * n * bands * bands / cpu_flops : 0;
  const double extension = pixels * n * 2.0 * bands;

  plan.flops = extension + square * 2.0 * bands;
  plan.host_seconds = embed + quality;
  plan.seconds = plan.read_bytes / (LANE_READS * threads) + pixels * bands / (LANE_CONVERTS * threads) + search + embed
                 + quality + extension / (es_device_is_cpu (device) ? cpu_flops : es_device_get_flops (device))
                 + plan.written_bytes / 2e9;
  plan.memory = (guint64) pixels / 8 + (guint64) n * bands * sizeof (float) * (compare ? 4 : 2)
                + MAX (MAX (searching, embedding), judging) + (guint64) n * k * 8
                + tiling.lanes * (tiling.tile_bytes + tiling.tile_width * tiling.tile_height
                                                      * (1 + (bands + 1 + m) * sizeof (float)
                                                         + (k > 0 ? bands * sizeof (float) + k * 8 : 0)))
                + 4 * (guint64) bands * bands * sizeof (double);
  return plan;
}

/* The operation is the one whose parameters these are. */
char **
es_manifold_list_planes (EsDataset *dataset, EsParams *params)
{
  const guint64 pixels = es_cube_get_width (ES_CUBE (dataset)) * es_cube_get_height (ES_CUBE (dataset));
  const gsize n = MAX (es_manifold_count_samples (params, pixels), 4);
  const guint m = (guint) MIN ((gsize) es_params_get_int (params, "dimensions"), n - 2);
  char **titles = g_new0 (char *, m + 1);
  const EsManifoldKind *kind = NULL;

  for (guint i = 0; kind == NULL && es_manifold_kinds[i] != NULL; i++)
    if (es_manifold_kinds[i]->operation->params == es_params_get_specs (params))
      kind = es_manifold_kinds[i];
  for (guint i = 0; kind != NULL && i < m; i++)
    titles[i] = es_manifold_dup_title (kind, i);
  return titles;
}
