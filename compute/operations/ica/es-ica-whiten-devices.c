/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Whitened samples that stay on GPUs: each tile is projected to its place among its card's samples, and pixels that are
 * missing or not drawn are taken out at the end, all at once. By moments, the sums are of all of a card's samples.
 */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "resident/es-resident-internal.h"
#include "es-ica-whiten-private.h"
#include "ranks/es-ranks.h"

/* A picture that runs along is no larger than this: every plane is a launch and a copy. */
#define DEVICE_PREVIEW_SIDE 192
/* Planes of samples on a card begin at multiples of so many. */
#define STRIDE_UNIT 32

static guint
member_of (EsWhitenPass *pass, EsDevice *device)
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
  EsWhitenPass *pass = pass_data;
  const guint member = member_of (pass, context->device);
  float *place = es_buffer_get_data (pass->places[member]);
  guint64 top, rows;

  es_cube_get_share (pass->cube, es_device_get_n_members (es_job_get_device (pass->job)), member, &top, &rows);
  return es_whiten_pass_project (pass, context, tile, valid,
                                 place + (window->y - top) * es_cube_get_width (pass->cube), pass->strides[member],
                                 error);
}

/* Pixels that the member's samples can be of; those that are drawn by chance are fewer than 12 deviations more than
 * their mean. */
static gsize
most_samples (EsWhitenPass *pass, gsize pixels)
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
pick_preview_on_device (EsWhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
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
sum_member (EsWhitenPass *pass, EsDevice *device, EskStream *stream, guint member, EsBuffer *buffer, gsize count,
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
pack_member (EsWhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const guint64 width = es_cube_get_width (pass->cube);
  const gsize m = pass->samples->m;
  guint64 top, rows;
  gsize count, stride;

  es_cube_get_share (pass->cube, es_device_get_n_members (es_job_get_device (pass->job)), member, &top, &rows);
  const EsCubeWindow window = { 0, top, width, rows };
  const EskSampling sampling = es_whiten_pass_sampling (pass, &window);
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
merge_member (EsWhitenPass *pass, EsDevice *device, EskStream *stream, guint member, GError **error)
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
pack_members (EsWhitenPass *pass, EskStream **streams, GError **error)
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
whiten_on_devices (EsWhitenPass *pass, GError **error)
{
  static const EsPass on_device = { es_whiten_lane_new, es_whiten_lane_free, whiten_in_place };
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
stays_on_devices (EsWhitenPass *pass)
{
  EsDevice *device = es_job_get_device (pass->job);
  EsLimits limits = *es_job_get_limits (pass->job);
  const EskHotspots *hotspots = es_device_get_hotspots (es_device_get_member (device, 0));
  const gsize m = pass->basis.rows;

  /* A file is for the result. */
  limits.output_dir = NULL;
  return !es_device_is_cpu (device) && ESK_HAS (hotspots, ica, ica_step) && ESK_HAS (hotspots, ica, ica_moments)
         && ESK_HAS (hotspots, ica, compact) && ESK_HAS (hotspots, ica, moment_sums)
         && es_reduction_keeps_on_device (pass->cube, device, &limits, pass->selection.n_bands,
                                          pass->complete ? m : m + (gsize) ceil (m * pass->samples->fraction) + 1);
}

gboolean
es_whiten_pass_find_on_devices (EsWhitenPass *pass, gboolean *stay, GError **error)
{
  EsDevice *device = es_job_get_device (pass->job);
  const guint n = es_device_get_n_members (device);
  g_autofree gsize *strides = g_new0 (gsize, n);
  g_autofree EsBuffer **places = g_new0 (EsBuffer *, n);
  g_autofree EskCovariance *sums = g_new0 (EskCovariance, n);
  g_autoptr (GError) local_error = NULL;
  gboolean done = TRUE;

  *stay = stays_on_devices (pass);
  /* Of several processes all do the same, though their cards may differ. */
  if (!es_ranks_have_all (stay, error))
    return FALSE;
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
    es_whiten_pass_prepare_preview (pass, DEVICE_PREVIEW_SIDE);

  done = es_ranks_agree (done && whiten_on_devices (pass, &local_error), &local_error);
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
      return es_sample_store_close (pass->samples->store, error);
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
