/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Pass 2 of a FastICA: whitened samples of the pixels that count, packed. On GPUs they stay there if there is room:
 * each tile is projected to its place among its card's samples, and pixels that are missing or not drawn are taken out
 * at the end, all at once. Otherwise they come to the host tile by tile. By moments, the sums of the monomials are of
 * all of a card's samples, or of a tile's, added in the order of the tiles; then no sample is kept.
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-resident-internal.h"

/* A picture that runs along is no larger than this; on GPUs, where every plane is a launch and a copy, smaller. */
#define PREVIEW_SIDE 512
#define DEVICE_PREVIEW_SIDE 192
/* Planes of samples on a card begin at multiples of so many. */
#define STRIDE_UNIT 32

typedef struct
{
  EsJob         *job;
  EsCube        *cube;
  EsIcaSamples  *samples;
  EskSelection   selection;
  EskMatrix      basis;
  const double  *mean;
  guint64        keep;           /* of EskSampling */
  gboolean       complete;       /* every pixel is valid and drawn */
  EsBuffer     **places;         /* of every member: its rows' samples; NULL: they come to the host */
  gsize         *strides;
  EskCovariance *total;          /* by moments */
  EskCovariance *member_sums;    /* of every member's samples, where they stay there */
} WhitenPass;

typedef struct
{
  EsDevice      *device;
  gsize          pixels;         /* of a tile */
  EsBuffer      *scratch, *packed;   /* a tile's, on a card */
  float         *on_host;        /* the CPU's, or what has been brought from a card */
  float         *packed_on_host;
  EskCovariance  sums;
} WhitenLane;

static EskSampling
sampling_of (WhitenPass *pass, const EsCubeWindow *window)
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

static void
lane_free (gpointer data)
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
open_lane (WhitenLane *lane, WhitenPass *pass, GError **error)
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

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  WhitenLane *lane = g_new0 (WhitenLane, 1);

  lane->device = context->device;
  lane->pixels = tiling->tile_width * tiling->tile_height;
  if (open_lane (lane, data, error))
    return lane;
  lane_free (lane);
  return NULL;
}

static gboolean
project (WhitenPass *pass, const EsLaneContext *context, const EskTile *tile, const guint8 *valid, float *out,
         gsize stride, GError **error)
{
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->project (context->stream, tile, &pass->selection, valid,
                                                            &pass->basis, pass->mean, out, stride),
                          _("the whitening"), error);
}

/* ---- samples that come to the host ---- */

/* Every preview_step-th pixel of the tile. Tiles are disjoint. */
static void
pick_preview (WhitenPass *pass, const EsCubeWindow *window, const float *planes)
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
store_tile (WhitenLane *lane, WhitenPass *pass, const EsLaneContext *context, const EsCubeWindow *window,
            const float *planes, GError **error)
{
  const EskSampling sampling = sampling_of (pass, window);
  const gsize pixels = window->width * window->height, m = pass->basis.rows;
  const gsize count = count_kept (&sampling, planes, pixels);
  const guint64 key = window->y * es_cube_get_width (pass->cube) + window->x;
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
  return es_sample_store_add (pass->samples->store, key, g_steal_pointer (&samples), count, error);
}

static gboolean
whiten_to_host (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
                const guint8 *valid, gpointer pass_data, GError **error)
{
  WhitenLane *lane = data;
  WhitenPass *pass = pass_data;
  const gsize pixels = window->width * window->height, bytes = pixels * pass->basis.rows * sizeof (float);

  if (lane->scratch == NULL)
    return project (pass, context, tile, valid, lane->on_host, pixels, error)
           && store_tile (lane, pass, context, window, lane->on_host, error);
  return project (pass, context, tile, valid, es_buffer_get_data (lane->scratch), pixels, error)
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
  es_sample_store_empty (((WhitenPass *) pass_data)->samples->store);
}

/* ---- samples that stay on GPUs ---- */

static guint
member_of (WhitenPass *pass, EsDevice *device)
{
  EsDevice *all = es_job_get_device (pass->job);
  guint member = 0;

  while (es_device_get_member (all, member) != device)
    member++;
  return member;
}

static gboolean
whiten_in_place (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
                 const guint8 *valid, gpointer pass_data, GError **error)
{
  WhitenPass *pass = pass_data;
  const guint member = member_of (pass, context->device);
  float *place = es_buffer_get_data (pass->places[member]);
  guint64 top, rows;

  es_cube_get_share (pass->cube, es_device_get_n_members (es_job_get_device (pass->job)), member, &top, &rows);
  return project (pass, context, tile, valid, place + (window->y - top) * es_cube_get_width (pass->cube),
                  pass->strides[member], error);
}

/* Pixels that the member's samples can be of; those that are drawn by chance are fewer than 12 deviations more than
 * their mean. */
static gsize
most_samples (WhitenPass *pass, gsize pixels)
{
  const double fraction = pass->samples->fraction, mean = pixels * fraction;

  pixels = MIN (pixels, (gsize) pass->samples->count);
  return fraction < 1 ? MIN (pixels, (gsize) (mean + 12 * sqrt (mean) + 64)) : pixels;
}

static gsize
round_up (gsize n)
{
  return (n + STRIDE_UNIT - 1) / STRIDE_UNIT * STRIDE_UNIT;
}

static gboolean
pick_preview_on_device (WhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
{
  EsIcaSamples *samples = pass->samples;
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const guint64 width = es_cube_get_width (pass->cube), step = samples->preview_step;
  const gsize plane = samples->preview_width * samples->preview_height;
  guint64 top, rows;

  if (samples->preview == NULL)
    return TRUE;
  es_cube_get_share (pass->cube, es_device_get_n_members (es_job_get_device (pass->job)), member, &top, &rows);
  const guint64 first = (top + step - 1) / step * step;
  if (first >= top + rows)
    return TRUE;
  const gsize picked = ((top + rows - first + step - 1) / step) * samples->preview_width;
  g_autoptr (EsBuffer) small = es_buffer_new (device, picked * samples->m * sizeof (float), error);
  if (small == NULL)
    return FALSE;

  for (gsize k = 0; k < samples->m; k++)
    {
      const float *from = (float *) es_buffer_get_data (pass->places[member]) + k * pass->strides[member]
                          + (first - top) * width;
      if (!es_device_check (device, stream,
                            hotspots->picture->plane_decimate (stream, from, width, width, top + rows - first, step,
                                                               (float *) es_buffer_get_data (small) + k * picked),
                            _("a preview"), error))
        return FALSE;
    }
  return es_device_check (device, stream,
                          hotspots->device->download (stream, samples->preview + first / step * samples->preview_width,
                                                      plane * sizeof (float), es_buffer_get_data (small),
                                                      picked * sizeof (float), picked * sizeof (float), samples->m),
                          _("a preview"), error)
         && es_device_check (device, stream, hotspots->device->wait (stream), _("a preview"), error);
}

static gboolean
sum_member (WhitenPass *pass, EsDevice *device, EskStream *stream, guint member, EsBuffer *buffer, gsize count,
            gsize stride, GError **error)
{
  return pass->member_sums == NULL || count == 0
         || es_device_check (device, stream,
                             es_device_get_hotspots (device)->ica->moment_sums (stream, es_buffer_get_data (buffer),
                                                                                count, stride, pass->samples->m,
                                                                                &pass->member_sums[member]),
                             _("the sums of moments"), error);
}

/* The member's samples without those that are missing or not drawn; by moments, their sums are under way. */
static gboolean
pack_member (WhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const guint64 width = es_cube_get_width (pass->cube);
  const gsize m = pass->samples->m;
  guint64 top, rows;
  gsize count, stride;

  es_cube_get_share (pass->cube, es_device_get_n_members (es_job_get_device (pass->job)), member, &top, &rows);
  const EsCubeWindow window = { 0, top, width, rows };
  const EskSampling sampling = sampling_of (pass, &window);
  count = rows * width;
  if (count == 0)
    return TRUE;
  if (!pick_preview_on_device (pass, device, stream, member, error))
    return FALSE;
  if (pass->complete)
    {
      es_sample_store_add_buffer (pass->samples->store, member, member, pass->places[member], count,
                                  pass->strides[member]);
      return sum_member (pass, device, stream, member, pass->places[member], count, pass->strides[member], error);
    }

  stride = round_up (most_samples (pass, count));
  g_autoptr (EsBuffer) packed = es_buffer_new (device, stride * m * sizeof (float), error);
  if (packed == NULL
      || !es_device_check (device, stream,
                           hotspots->ica->compact (stream, es_buffer_get_data (pass->places[member]), count,
                                                   pass->strides[member], m,
                                                   sampling.keep > G_MAXUINT32 ? NULL : &sampling,
                                                   es_buffer_get_data (packed), stride, &count),
                           _("the whitened samples"), error)
      || !es_device_check (device, stream, hotspots->device->wait (stream), _("the whitened samples"), error))
    return FALSE;
  g_clear_pointer (&pass->places[member], es_buffer_unref);
  if (count > 0)
    es_sample_store_add_buffer (pass->samples->store, member, member, packed, count, stride);
  return sum_member (pass, device, stream, member, packed, count, stride, error);
}

/* The member's sums, which the card has worked on while others were packed. */
static gboolean
merge_member (WhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  int code = ESK_OK;

  if (pass->member_sums == NULL)
    return TRUE;
  code = esk_hotspots_collect (hotspots, stream, &pass->member_sums[member]);
  if (code == ESK_OK)
    code = esk_covariance_merge (pass->total, &pass->member_sums[member]);
  return es_device_check (device, stream, code, _("the sums of moments"), error);
}

static gboolean
pack_members (WhitenPass *pass, EskStream **streams, GError **error)
{
  EsDevice *all = es_job_get_device (pass->job);
  const guint n = es_device_get_n_members (all);

  for (guint i = 0; i < n; i++)
    {
      EsDevice *device = es_device_get_member (all, i);

      streams[i] = es_device_take_stream (device);
      if (!es_device_check (device, NULL, streams[i] != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), error)
          || !pack_member (pass, device, streams[i], i, error) || es_job_is_cancelled (pass->job, error))
        return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!merge_member (pass, es_device_get_member (all, i), streams[i], i, error))
      return FALSE;
  return TRUE;
}

static gboolean
whiten_on_devices (WhitenPass *pass, GError **error)
{
  static const EsPass on_device = { lane_new, lane_free, whiten_in_place };
  EsDevice *all = es_job_get_device (pass->job);
  const guint n = es_device_get_n_members (all);
  const EsTiling tiling = es_tiling_plan (pass->cube, all, es_job_get_limits (pass->job), 0, 0);

  for (guint i = 0; i < n; i++)
    {
      guint64 top, rows;

      es_cube_get_share (pass->cube, n, i, &top, &rows);
      pass->strides[i] = round_up (rows * es_cube_get_width (pass->cube));
      pass->places[i] = es_buffer_new (es_device_get_member (all, i),
                                       pass->strides[i] * pass->basis.rows * sizeof (float), error);
      if (pass->places[i] == NULL)
        return FALSE;
    }
  if (!es_pass_run (pass->job, pass->cube, &tiling, &pass->selection, &on_device, pass, error))
    return FALSE;

  g_autofree EskStream **streams = g_new0 (EskStream *, n);
  const gboolean packed = pack_members (pass, streams, error);
  for (guint i = 0; i < n; i++)
    if (streams[i] != NULL)
      es_device_give_stream (es_device_get_member (all, i), streams[i]);
  return packed;
}

/* The samples, and what they are packed from, beside the cube or what passes by of it; and the card can iterate. */
static gboolean
stays_on_devices (WhitenPass *pass)
{
  EsDevice *device = es_job_get_device (pass->job);
  EsLimits limits = *es_job_get_limits (pass->job);
  const EskHotspots *hotspots = es_device_get_hotspots (es_device_get_member (device, 0));
  const gsize m = pass->basis.rows;

  /* A file is for the result. */
  limits.output_dir = NULL;
  return is_on_gpu (device) && ESK_HAS (hotspots, ica, ica_step) && ESK_HAS (hotspots, ica, ica_moments)
         && ESK_HAS (hotspots, ica, compact) && ESK_HAS (hotspots, ica, moment_sums)
         && es_reduction_keeps_on_device (pass->cube, device, &limits, pass->selection.n_bands,
                                          pass->complete ? m : m + (gsize) ceil (m * pass->samples->fraction) + 1);
}

static void
prepare_preview (WhitenPass *pass, guint64 side)
{
  EsIcaSamples *samples = pass->samples;
  const guint64 width = es_cube_get_width (pass->cube), height = es_cube_get_height (pass->cube);

  g_clear_pointer (&samples->preview, g_free);
  samples->preview_step = (MAX (width, height) + side - 1) / side;
  samples->preview_width = (width + samples->preview_step - 1) / samples->preview_step;
  samples->preview_height = (height + samples->preview_step - 1) / samples->preview_step;
  const gsize values = samples->preview_width * samples->preview_height * samples->m;
  samples->preview = g_try_new (float, values);
  for (gsize i = 0; samples->preview != NULL && i < values; i++)
    samples->preview[i] = NAN;
}

/* The store, and by moments the total, where the cards have room; otherwise *stay is FALSE and nothing is done. */
static gboolean
find_on_devices (WhitenPass *pass, gboolean *stay, GError **error)
{
  EsDevice *device = es_job_get_device (pass->job);
  const guint n = es_device_get_n_members (device);
  g_autofree gsize *strides = g_new0 (gsize, n);
  g_autofree EsBuffer **places = g_new0 (EsBuffer *, n);
  g_autofree EskCovariance *sums = g_new0 (EskCovariance, n);
  g_autoptr (GError) local_error = NULL;
  gboolean done = TRUE;

  *stay = stays_on_devices (pass);
  if (!*stay)
    return TRUE;
  for (guint i = 0; pass->total != NULL && i < n; i++)
    done &= esk_covariance_init (&sums[i], pass->total->n_bands, false, pass->total->shift) == ESK_OK;
  if (!done)
    es_reduction_out_of_memory (_("the sums of moments"), &local_error);
  pass->strides = strides;
  pass->places = places;
  pass->member_sums = pass->total != NULL ? sums : NULL;
  pass->samples->store = es_sample_store_new (pass->samples->m, FALSE);
  /* By moments the iteration is over before anybody has looked. */
  if (pass->total == NULL)
    prepare_preview (pass, DEVICE_PREVIEW_SIDE);

  done = done && whiten_on_devices (pass, &local_error);
  for (guint i = 0; i < n; i++)
    {
      g_clear_pointer (&places[i], es_buffer_unref);
      esk_covariance_clear (&sums[i]);
    }
  pass->strides = NULL;
  pass->places = NULL;
  pass->member_sums = NULL;
  if (done)
    {
      pass->samples->device = device;
      es_sample_store_close (pass->samples->store);
      return TRUE;
    }
  *stay = FALSE;
  g_clear_pointer (&pass->samples->store, es_sample_store_unref);
  if (pass->total != NULL)
    esk_covariance_reset (pass->total);
  if (g_error_matches (local_error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/* ---- moments ---- */

static gboolean
sum_moments (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
             const guint8 *valid, gpointer pass_data, GError **error)
{
  WhitenLane *lane = data;
  WhitenPass *pass = pass_data;
  const EskSampling sampling = sampling_of (pass, window);
  const gboolean on_gpu = lane->scratch != NULL;
  float *planes = on_gpu ? es_buffer_get_data (lane->scratch) : lane->on_host;
  gsize count = window->width * window->height;
  const gsize stride = count;

  if (!project (pass, context, tile, valid, planes, stride, error))
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
  WhitenPass *pass = pass_data;
  int code = esk_hotspots_collect (context->hotspots, context->stream, &lane->sums);
  if (code == ESK_OK)
    code = esk_covariance_merge (pass->total, &lane->sums);
  esk_covariance_reset (&lane->sums);
  return es_device_check (context->device, context->stream, code, _("the sums of moments"), error);
}

static void
forget_moments (gpointer pass_data)
{
  esk_covariance_reset (((WhitenPass *) pass_data)->total);
}

static gboolean
sum_tiles (WhitenPass *pass, GError **error)
{
  static const EsPass by_moments = { lane_new, lane_free, sum_moments, merge_moments, .restart = forget_moments };
  const gsize m = pass->samples->m, n_sums = esk_n_monomials (m);
  const EsTiling tiling = es_tiling_plan (pass->cube, es_job_get_device (pass->job), es_job_get_limits (pass->job),
                                          1 + 2 * m * sizeof (float), n_sums * n_sums * sizeof (double));

  return es_pass_run (pass->job, pass->cube, &tiling, &pass->selection, &by_moments, pass, error);
}

static gboolean
find_moments (WhitenPass *pass, GError **error)
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
  done = find_on_devices (pass, &stay, error) && (stay || sum_tiles (pass, error));
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
find_on_host (WhitenPass *pass, GError **error)
{
  static const EsPass to_host = { lane_new, lane_free, whiten_to_host, .restart = forget_samples };
  const EsLimits *limits = es_job_get_limits (pass->job);
  const gsize m = pass->basis.rows;
  const EsTiling tiling = es_tiling_plan (pass->cube, es_job_get_device (pass->job), limits, 1 + 2 * m * sizeof (float),
                                          0);
  const double bytes = pass->samples->count * pass->samples->fraction * m * sizeof (float);

  prepare_preview (pass, PREVIEW_SIDE);
  pass->samples->store = es_sample_store_new (m, bytes > es_reduction_largest_stack (limits));
  if (!es_pass_run (pass->job, pass->cube, &tiling, &pass->selection, &to_host, pass, error))
    return FALSE;
  es_sample_store_close (pass->samples->store);
  return TRUE;
}

static gboolean
find_store (WhitenPass *pass, GError **error)
{
  gboolean stay;

  if (!find_on_devices (pass, &stay, error) || (!stay && !find_on_host (pass, error)))
    return FALSE;
  pass->samples->count = es_sample_store_get_count (pass->samples->store);
  return TRUE;
}

gboolean
es_ica_whiten (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples, gboolean by_moments,
               GError **error)
{
  const gsize values = (gsize) samples->m * samples->n;
  g_autofree float *basis = g_new (float, values);
  WhitenPass pass = { .job = job, .cube = cube, .samples = samples, .selection = es_reduction_selection (reduction),
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
