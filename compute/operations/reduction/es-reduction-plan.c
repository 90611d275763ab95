/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-reduction-internal.h"

#include "resident/es-resident-internal.h"
#include "device/es-device-internal.h"
#include "ranks/es-ranks.h"

/* Of the host's memory, for the components; what is larger goes to a file. */
#define STACK_SHARE ((EsMemoryShare) { .of_limit = 4, .of_machine = 4 })

guint64
es_reduction_largest_stack (const EsLimits *limits)
{
  return es_limits_get_host_memory (limits, STACK_SHARE);
}

char *
es_reduction_stack_path (EsCube *cube, const EsLimits *limits, const char *name)
{
  g_autofree char *file = g_strconcat (name, limits->output_ending != NULL ? limits->output_ending : ".img", NULL);

  /* A window is no file of the image. Of several processes each writes its rows of it, all the same. */
  return limits->output_dir != NULL && (!es_cube_is_window (cube) || es_ranks_get_size () > 1)
         ? g_build_filename (limits->output_dir, file, NULL) : NULL;
}

void
es_reduction_frame_stack (EsImageStack *stack, EsCube *cube)
{
  EsCube *whole = es_cube_get_whole (cube);
  const EsCubeWindow place = es_cube_get_place (cube);

  if (es_cube_is_window (cube))
    es_image_stack_set_frame (stack, es_cube_get_width (whole), es_cube_get_height (whole), place.x, place.y);
}

/* What the cube, or what passes by of it, takes on each GPU while the components are made. */
static double
cube_on_device (EsCube *cube, EsDevice *device, const EsTiling *tiling, guint n)
{
  const guint members = es_device_get_n_members (device);
  guint64 top, rows;

  es_cube_get_share (cube, members, 0, &top, &rows);
  if (tiling->resident)
    return es_resident_bytes (cube, rows, n, TRUE);
  /* Three tiles a lane: es-pass-tiling.c. */
  return MAX (tiling->lanes / members, 1) * 3.0 * tiling->tile_bytes;
}

static double
stack_on_device (EsCube *cube, EsDevice *device, guint m)
{
  guint64 top, rows;

  es_cube_get_share (cube, es_device_get_n_members (device), 0, &top, &rows);
  return (double) rows * es_cube_get_width (cube) * m * sizeof (float);
}

gboolean
es_reduction_keeps_on_device (EsCube *cube, EsDevice *device, const EsLimits *limits, guint n, guint m)
{
  if (es_device_is_cpu (device) || (limits != NULL && limits->output_dir != NULL) || es_cube_is_window (cube))
    return FALSE;

  const EsTiling tiling = es_tiling_plan (cube, device, limits, 0, 0);
  /* A thirty-second for what nobody has counted. */
  return (tiling.resident || tiling.columns == 1)
         && (cube_on_device (cube, device, &tiling, n) + stack_on_device (cube, device, m)) * (1 + 1 / 32.0)
            <= es_device_get_room (device, limits);
}

/* ---- what it costs ---- */

static EsPlan
plan_on_cpu (EsCube *cube, EsDevice *device, const EsLimits *limits, const EsReductionCost *cost, EsPlan plan)
{
  const guint n = cost->n, m = cost->m;
  EsTiling tiling = es_tiling_plan (cube, device, limits, 1 + m * sizeof (float), (gsize) n * n * sizeof (double));

  plan.tiles = tiling.tiles;
  plan.tile_width = tiling.tile_width;
  plan.tile_height = tiling.tile_height;
  plan.read_bytes = plan.passes * es_cube_get_bytes (cube);
  plan.memory = tiling.lanes * (tiling.tile_bytes
                                + tiling.tile_width * tiling.tile_height * (1 + m * sizeof (float))
                                + (guint64) n * n * sizeof (double))
                + ES_REDUCTION_MATRICES * (guint64) n * n * sizeof (double) + cost->scratch;
  if ((limits == NULL || limits->output_dir == NULL) && plan.written_bytes <= es_reduction_largest_stack (limits))
    plan.memory += plan.written_bytes;

  /* Files come from the system's cache at 2 GB/s a lane, and results go there as fast. */
  const double share = tiling.lanes / (double) es_device_get_lanes (device);
  const double bandwidth = MIN (es_device_get_bandwidth (device) * share, 2e9 * tiling.lanes);
  plan.seconds = plan.flops / (es_device_get_flops (device) * share) + plan.read_bytes / bandwidth
                 + plan.written_bytes / 2e9;
  return plan;
}

/* The system's cache gives a lane of a GPU, which does nothing but read, this much a second. */
#define LANE_READS 4e9
/* A pass: threads, streams, the first launch; and the eigenproblem of a few hundred bands on the card. */
#define PASS_SECONDS 5e-4
#define EIGEN_SECONDS 2e-3

static EsPlan
plan_on_devices (EsCube *cube, EsDevice *device, const EsLimits *limits, const EsReductionCost *cost, EsPlan plan)
{
  const guint n = cost->n, m = cost->m;
  const gboolean keeps = es_reduction_keeps_on_device (cube, device, limits, n, m);
  const gsize scratch = keeps ? 0 : m * sizeof (float);
  const guint members = es_device_get_n_members (device);
  EsTiling tiling = es_tiling_plan (cube, device, limits, scratch, (gsize) n * n * sizeof (double));
  const guint passes = !tiling.resident ? plan.passes : es_resident_is_on (cube, device) ? 0 : 1;
  const double tile_pixels = (double) tiling.tile_width * tiling.tile_height;
  const gboolean locked = es_cube_get_source (cube)->page_locked;

  plan.tiles = tiling.tiles;
  plan.tile_width = tiling.tile_width;
  plan.tile_height = tiling.tile_height;
  plan.read_bytes = passes * es_cube_get_bytes (cube);
  plan.memory = tiling.lanes * ((locked ? 0 : 2 * (guint64) tiling.tile_bytes)
                                + (keeps ? 0 : 2 * (guint64) (tile_pixels * scratch))
                                + (guint64) n * n * sizeof (double))
                + ES_REDUCTION_MATRICES * (guint64) n * n * sizeof (double);
  plan.device_memory = members * (cube_on_device (cube, device, &tiling, n) + (keeps ? stack_on_device (cube, device, m)
                                                                                     : 0))
                       + tiling.lanes * (tile_pixels * scratch + (double) n * n * sizeof (double)) + cost->scratch;
  if (!keeps && (limits == NULL || limits->output_dir == NULL)
      && plan.written_bytes <= es_reduction_largest_stack (limits))
    plan.memory += plan.written_bytes;

  const double link = es_device_get_bandwidth (device);
  const double reading = locked ? link : MIN (link, LANE_READS * tiling.lanes);
  /* Reading and computing overlap, but for the first tile. */
  plan.seconds = MAX (plan.read_bytes / reading, plan.flops / es_device_get_flops (device))
                 + 0.2 * MIN (plan.read_bytes / reading, plan.flops / es_device_get_flops (device))
                 + plan.passes * PASS_SECONDS + EIGEN_SECONDS;
  if (!keeps)
    plan.seconds += plan.written_bytes / MIN (link, 2e9 * tiling.lanes);
  return plan;
}

EsPlan
es_reduction_plan (EsCube *cube, EsDevice *device, const EsLimits *limits, const EsReductionCost *cost)
{
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  EsPlan plan = { .passes = cost->passes };

  plan.written_bytes = pixels * cost->m * sizeof (float);
  plan.flops = cost->flops;
  plan = es_device_is_cpu (device) ? plan_on_cpu (cube, device, limits, cost, plan)
                                                      : plan_on_devices (cube, device, limits, cost, plan);
  plan.seconds += cost->host_seconds;
  plan.host_seconds = cost->host_seconds;
  return plan;
}

double
es_reduction_host_weight (EsJob *job, EsPlan (*make_plan) (EsDataset *dataset, EsParams *params, EsDevice *device,
                                                           const EsLimits *limits),
                          EsCube *cube, EsParams *params, double passes)
{
  es_device_begin_guess ();
  const EsPlan plan = make_plan (ES_DATASET (cube), params, es_job_get_device (job), es_job_get_limits (job));
  es_device_end_guess ();
  const double seconds = plan.seconds - plan.host_seconds;

  return seconds > 0 ? passes * CLAMP (plan.host_seconds / seconds, 0.01, 100) : 0.05;
}

char **
es_reduction_list_planes (EsCube *cube, gint64 wanted, char *(*dup_title) (guint i))
{
  const guint bands = es_cube_get_n_good_bands (cube), n = wanted > 0 ? (guint) MIN (wanted, bands) : bands;
  char **titles = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    titles[i] = dup_title (i);
  return titles;
}
