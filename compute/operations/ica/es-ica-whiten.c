/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Pass 2 of a FastICA: whitened samples of the pixels that count, packed. On GPUs they stay there if there is room
 * (es-ica-whiten-devices.c). Otherwise they come to the host tile by tile. By moments, the sums of the monomials are of
 * all of a card's samples, or of a tile's, added in the order of the tiles; then no sample is kept.
 */

#include "es-ica-whiten-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* A picture that runs along is no larger than this. */
#define PREVIEW_SIDE 512

typedef struct
{
  EsDevice      *device;
  gsize          pixels;         /* of a tile */
  EsBuffer      *scratch, *packed;   /* a tile's, on a card */
  float         *on_host;        /* the CPU's, or what has been brought from a card */
  float         *packed_on_host;
  EskCovariance  sums;
} WhitenLane;

EskSampling
es_whiten_pass_sampling (EsWhitenPass *pass, const EsCubeWindow *window)
{
  const guint64 width = es_cube_get_width (pass->cube);

  return (EskSampling) { pass->samples->seed, window->y * width + window->x, width, window->width, pass->keep };
}

static gboolean
is_on_gpu (EsDevice *device)
{
  return !es_device_is_cpu (device);
}

/* ---- lanes ---- */

void
es_whiten_lane_free (gpointer data)
{
  WhitenLane *lane = data;

  g_clear_pointer (&lane->scratch, es_buffer_unref);
  g_clear_pointer (&lane->packed, es_buffer_unref);
  g_free (lane->on_host);
  g_free (lane->packed_on_host);
  esk_covariance_clear (&lane->sums);
  g_free (lane);
}

static gboolean
open_lane (WhitenLane *lane, EsWhitenPass *pass, GError **error)
{
  const gboolean on_gpu = is_on_gpu (lane->device), by_moments = pass->total != NULL;
  gsize samples, bytes;

  if (pass->places != NULL)
    return TRUE;
  if (!g_size_checked_mul (&samples, lane->pixels, pass->basis.rows)
      || !g_size_checked_mul (&bytes, samples, sizeof (float)))
    return es_reduction_out_of_memory (_("the whitened samples of a tile"), error) != NULL;
  if (on_gpu && (lane->scratch = es_buffer_new (lane->device, bytes, error)) == NULL)
    return FALSE;
  if (on_gpu && by_moments && !pass->complete && (lane->packed = es_buffer_new (lane->device, bytes, error)) == NULL)
    return FALSE;
  if (!(on_gpu && by_moments) && (lane->on_host = g_try_malloc (bytes)) == NULL)
    return es_reduction_out_of_memory (_("the whitened samples of a tile"), error) != NULL;
  if (!on_gpu && by_moments && !pass->complete && (lane->packed_on_host = g_try_malloc (bytes)) == NULL)
    return es_reduction_out_of_memory (_("the whitened samples of a tile"), error) != NULL;
  if (by_moments
      && esk_covariance_init (&lane->sums, pass->total->n_bands, false, pass->total->shift) != ESK_OK)
    return es_reduction_out_of_memory (_("the sums of moments"), error) != NULL;
  return TRUE;
}

gpointer
es_whiten_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  WhitenLane *lane = g_new0 (WhitenLane, 1);

  lane->device = context->device;
  lane->pixels = tiling->tile_width * tiling->tile_height;
  if (open_lane (lane, data, error))
    return lane;
  es_whiten_lane_free (lane);
  return NULL;
}

gboolean
es_whiten_pass_project (EsWhitenPass *pass, const EsLaneContext *context, const EskTile *tile, const guint8 *valid,
                        float *out, gsize stride, GError **error)
{
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->project (context->stream, tile, &pass->selection, valid,
                                                            &pass->basis, pass->mean, out, stride),
                          _("the whitening"), error);
}

/* ---- samples that come to the host ---- */

/* Every preview_step-th pixel of the tile. Tiles are disjoint. */
static void
pick_preview (EsWhitenPass *pass, const EsCubeWindow *window, const float *planes)
{
  EsIcaSamples *samples = pass->samples;
  const guint64 step = samples->preview_step;
  const gsize pixels = window->width * window->height;

  if (samples->preview == NULL)
    return;
  for (guint64 y = (window->y + step - 1) / step * step; y < window->y + window->height; y += step)
    for (guint64 x = (window->x + step - 1) / step * step; x < window->x + window->width; x += step)
      {
        const gsize from = (y - window->y) * window->width + x - window->x;
        const gsize to = y / step * samples->preview_width + x / step;
        for (gsize k = 0; k < samples->m; k++)
          samples->preview[k * samples->preview_width * samples->preview_height + to] = planes[k * pixels + from];
      }
}

static gsize
count_kept (const EskSampling *sampling, const float *plane, gsize pixels)
{
  gsize count = 0;

  for (gsize p = 0; p < pixels; p++)
    if (isfinite (plane[p]))
      count += sampling->keep > G_MAXUINT32
               || esk_sample_hash (sampling->seed, sampling->first + p / sampling->width * sampling->stride
                                                   + p % sampling->width) >> 32 < sampling->keep;
  return count;
}

/* planes: the tile's, packed. */
static gboolean
store_tile (WhitenLane *lane, EsWhitenPass *pass, const EsLaneContext *context, const EsCubeWindow *window,
            const float *planes, GError **error)
{
  const EskSampling sampling = es_whiten_pass_sampling (pass, window);
  const gsize pixels = window->width * window->height, m = pass->basis.rows;
  const gsize count = count_kept (&sampling, planes, pixels);
  const guint64 key = window->y * es_cube_get_width (pass->cube) + window->x;
  /* Of cards, which share the rows otherwise: as many parts, from top to bottom. */
  const guint group = is_on_gpu (context->device) ? window->y * ES_PASS_GROUPS / es_cube_get_height (pass->cube)
                                                  : context->group;
  gsize packed = 0;

  pick_preview (pass, window, planes);
  if (count == 0)
    return TRUE;
  g_autofree float *samples = g_try_malloc (count * m * sizeof (float));
  if (samples == NULL)
    return es_reduction_out_of_memory (_("the whitened samples"), error) != NULL;
  if (count == pixels)
    memcpy (samples, planes, count * m * sizeof (float));
  else
    {
      /* The CPU's own; a stream of its own is needed where the tile came from a card. */
      EsDevice *cpu = es_device_get_cpu ();
      const EskHotspots *hotspots = es_device_get_hotspots (cpu);
      EskStream *stream = is_on_gpu (context->device) ? hotspots->stream->stream_new (es_device_get_index (cpu))
                                                      : context->stream;
      int code = ESK_ERROR_MEMORY;

      if (stream != NULL)
        code = hotspots->ica->compact (stream, planes, pixels, pixels, m,
                                       sampling.keep > G_MAXUINT32 ? NULL : &sampling, samples, count, &packed);
      if (stream != NULL && stream != context->stream)
        hotspots->stream->stream_free (stream);
      if (!es_device_check (cpu, NULL, code, _("the whitened samples"), error))
        return FALSE;
    }
  return es_sample_store_add (pass->samples->store, key, group, g_steal_pointer (&samples), count, error);
}

static gboolean
whiten_to_host (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
                const guint8 *valid, gpointer pass_data, GError **error)
{
  WhitenLane *lane = data;
  EsWhitenPass *pass = pass_data;
  const gsize pixels = window->width * window->height, bytes = pixels * pass->basis.rows * sizeof (float);

  if (lane->scratch == NULL)
    return es_whiten_pass_project (pass, context, tile, valid, lane->on_host, pixels, error)
           && store_tile (lane, pass, context, window, lane->on_host, error);
  return es_whiten_pass_project (pass, context, tile, valid, es_buffer_get_data (lane->scratch), pixels, error)
         && es_device_check (context->device, context->stream,
                             context->hotspots->device->download (context->stream, lane->on_host, bytes,
                                                                  es_buffer_get_data (lane->scratch), bytes, bytes, 1),
                             _("a copy to the host"), error)
         && es_device_check (context->device, context->stream, context->hotspots->device->wait (context->stream),
                             _("a copy to the host"), error)
         && store_tile (lane, pass, context, window, lane->on_host, error);
}

static void
forget_samples (gpointer pass_data)
{
  es_sample_store_empty (((EsWhitenPass *) pass_data)->samples->store);
}

void
es_whiten_pass_prepare_preview (EsWhitenPass *pass, guint64 side)
{
  EsIcaSamples *samples = pass->samples;
  const guint64 width = es_cube_get_width (pass->cube), height = es_cube_get_height (pass->cube);

  g_clear_pointer (&samples->preview, g_free);
  samples->place = es_cube_get_place (pass->cube);
  samples->whole_width = es_cube_get_width (es_cube_get_whole (pass->cube));
  samples->whole_height = es_cube_get_height (es_cube_get_whole (pass->cube));
  samples->preview_step = (MAX (width, height) + side - 1) / side;
  samples->preview_width = (width + samples->preview_step - 1) / samples->preview_step;
  samples->preview_height = (height + samples->preview_step - 1) / samples->preview_step;
  const gsize values = samples->preview_width * samples->preview_height * samples->m;
  samples->preview = g_try_new (float, values);
  for (gsize i = 0; samples->preview != NULL && i < values; i++)
    samples->preview[i] = NAN;
}

/* ---- moments ---- */

static gboolean
sum_moments (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
             const guint8 *valid, gpointer pass_data, GError **error)
{
  WhitenLane *lane = data;
  EsWhitenPass *pass = pass_data;
  const EskSampling sampling = es_whiten_pass_sampling (pass, window);
  const gboolean on_gpu = lane->scratch != NULL;
  float *planes = on_gpu ? es_buffer_get_data (lane->scratch) : lane->on_host;
  gsize count = window->width * window->height;
  const gsize stride = count;

  if (!es_whiten_pass_project (pass, context, tile, valid, planes, stride, error))
    return FALSE;
  if (!pass->complete)
    {
      float *packed = on_gpu ? es_buffer_get_data (lane->packed) : lane->packed_on_host;
      if (!es_device_check (context->device, context->stream,
                            context->hotspots->ica->compact (context->stream, planes, stride, stride, pass->basis.rows,
                                                             sampling.keep > G_MAXUINT32 ? NULL : &sampling, packed,
                                                             stride, &count),
                            _("the whitened samples"), error))
        return FALSE;
      planes = packed;
    }
  return count == 0
         || es_device_check (context->device, context->stream,
                             context->hotspots->ica->moment_sums (context->stream, planes, count, stride,
                                                                  pass->basis.rows, &lane->sums),
                             _("the sums of moments"), error);
}

static gboolean
merge_moments (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data,
               GError **error)
{
  WhitenLane *lane = data;
  EsWhitenPass *pass = pass_data;
  int code = esk_hotspots_collect (context->hotspots, context->stream, &lane->sums);
  if (code == ESK_OK)
    code = esk_covariance_merge (es_shared_sums_get (&pass->shared, 0), &lane->sums);
  esk_covariance_reset (&lane->sums);
  return es_device_check (context->device, context->stream, code, _("the sums of moments"), error);
}

static gboolean
moments_group_done (gpointer pass_data, guint group, GError **error)
{
  return es_shared_sums_group_done (&((EsWhitenPass *) pass_data)->shared, group, error);
}

static void
moments_group_begun (gpointer pass_data, guint group)
{
  es_shared_sums_group_begun (&((EsWhitenPass *) pass_data)->shared, group);
}

static gboolean
moments_save (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete, GByteArray *to,
              GError **error)
{
  return es_shared_sums_save (&((EsWhitenPass *) pass_data)->shared, tiling, done, complete, to, error);
}

static gboolean
moments_load (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete,
              EsCheckpointReader *from)
{
  return es_shared_sums_load (&((EsWhitenPass *) pass_data)->shared, tiling, done, complete, from);
}

static gboolean
moments_finish (gpointer pass_data, GError **error)
{
  return es_shared_sums_finish (&((EsWhitenPass *) pass_data)->shared, error);
}

static void
forget_moments (gpointer pass_data)
{
  es_shared_sums_forget (&((EsWhitenPass *) pass_data)->shared);
}

static gboolean
sum_tiles (EsWhitenPass *pass, GError **error)
{
  static const EsPass by_moments = { es_whiten_lane_new, es_whiten_lane_free, sum_moments, merge_moments,
                                     .restart = forget_moments, .group_done = moments_group_done,
                                     .group_begun = moments_group_begun };
  EsPassKeep keep = { .name = "moments", .save = moments_save, .load = moments_load, .finish = moments_finish };
  EskCovariance *const totals[] = { pass->total };
  gboolean done;
  const gsize m = pass->samples->m, n_sums = esk_n_monomials (m);
  const EsTiling tiling = es_tiling_plan (pass->cube, es_job_get_device (pass->job), es_job_get_limits (pass->job),
                                          1 + 2 * m * sizeof (float), n_sums * n_sums * sizeof (double));

  done = es_shared_sums_init (&pass->shared, pass->job, totals, 1, error);
  keep.extent = es_shared_sums_extent (&pass->shared);
  done = done && es_pass_run_kept (pass->job, pass->cube, &tiling, &pass->selection, &by_moments, &keep, pass, error);
  es_shared_sums_clear (&pass->shared);
  return done;
}

/* Of the samples that stay on cards. */
static gboolean
bring_moments (EsWhitenPass *pass, GError **error)
{
  EskCovariance *const totals[] = { pass->total };
  const gboolean done = es_ranks_agree (es_shared_sums_init (&pass->shared, pass->job, totals, 1, error), error)
                        && es_shared_sums_finish (&pass->shared, error);

  es_shared_sums_clear (&pass->shared);
  return done;
}

static gboolean
find_moments (EsWhitenPass *pass, GError **error)
{
  const gsize m = pass->samples->m, n_sums = esk_n_monomials (m);
  g_autofree double *shift = g_new0 (double, n_sums);
  EskCovariance total;
  gboolean done, stay;

  /* z is white: what its squares are near takes the cancellation out of their sums. */
  for (gsize i = 0; i < m; i++)
    shift[esk_monomial (m, i, i)] = 1;
  if (esk_covariance_init (&total, n_sums, false, shift) != ESK_OK)
    return es_reduction_out_of_memory (_("the sums of moments"), error) != NULL;
  pass->total = &total;
  done = es_whiten_pass_find_on_devices (pass, &stay, error)
         && (stay ? bring_moments (pass, error) : sum_tiles (pass, error));
  pass->samples->count = total.count;
  if (done && total.count > 0)
    {
      pass->samples->moments = g_new0 (EskMomentTable, 1);
      done = es_device_check (es_device_get_cpu (), NULL, esk_moment_table_init (pass->samples->moments, m, &total),
                              _("the moments"), error);
    }
  esk_covariance_clear (&total);
  return done;
}

/* ---- the stage ---- */

static gboolean
find_on_host (EsWhitenPass *pass, GError **error)
{
  static const EsPass to_host = { es_whiten_lane_new, es_whiten_lane_free, whiten_to_host, .restart = forget_samples };
  const EsLimits *limits = es_job_get_limits (pass->job);
  const gsize m = pass->basis.rows;
  const EsTiling tiling = es_tiling_plan (pass->cube, es_job_get_device (pass->job), limits, 1 + 2 * m * sizeof (float),
                                          0);
  const double bytes = pass->samples->count * pass->samples->fraction * m * sizeof (float);

  es_whiten_pass_prepare_preview (pass, PREVIEW_SIDE);
  pass->samples->store = es_sample_store_new (m, bytes > es_reduction_largest_stack (limits));
  if (!es_pass_run (pass->job, pass->cube, &tiling, &pass->selection, &to_host, pass, error))
    return FALSE;
  return es_sample_store_close (pass->samples->store, error);
}

static gboolean
find_store (EsWhitenPass *pass, GError **error)
{
  gboolean stay;

  if (!es_whiten_pass_find_on_devices (pass, &stay, error) || (!stay && !find_on_host (pass, error)))
    return FALSE;
  pass->samples->count = es_sample_store_get_count (pass->samples->store);
  return TRUE;
}

/* Sums of the products of all pairs of monomials. */
static void
tell_moments (EsJob *job, EsIcaSamples *samples)
{
  const double n = esk_n_monomials (samples->m);
  const EsStageWork work = { .operations = (double) samples->count * n * (n + 1),
                             .less = N_("Fewer components help: moments go with their fourth power.") };

  es_job_add_work (job, NULL, &work);
}

gboolean
es_ica_whiten (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples, gboolean by_moments,
               GError **error)
{
  const gsize values = (gsize) samples->m * samples->n;
  g_autofree float *basis = g_new (float, values);
  EsWhitenPass pass = { .job = job, .cube = cube, .samples = samples, .selection = es_reduction_selection (reduction),
                      .basis = { samples->m, samples->n, basis }, .mean = reduction->mean };

  es_job_begin_stage (job, "whitening", _("Whitening"), ES_ICA_WEIGHT_WHITENING);
  for (gsize i = 0; i < values; i++)
    basis[i] = samples->whitening[i];
  pass.keep = samples->fraction < 1 ? (guint64) (samples->fraction * 0x1p32) : (guint64) 1 << 32;
  pass.complete = samples->fraction >= 1
                  && (guint64) reduction->count == es_cube_get_width (cube) * es_cube_get_height (cube);
  /* Until they are counted: as many as there can be. */
  samples->count = reduction->count;

  if (by_moments ? !find_moments (&pass, error) : !find_store (&pass, error))
    return FALSE;
  es_reduction_tell_projection (job, cube, samples->n, samples->m, FALSE);
  if (by_moments)
    tell_moments (job, samples);
  if (samples->count <= samples->m)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE,
                                "%lld pixel of “%s” is used: %u independent components need at least %u.",
                                "%lld pixels of “%s” are used: %u independent components need at least %u.",
                                samples->count),
                   (long long) samples->count, es_dataset_get_name (ES_DATASET (cube)), samples->m, samples->m + 1);
      return FALSE;
    }
  return TRUE;
}
