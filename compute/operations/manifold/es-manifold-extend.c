/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every pixel of the cube, placed among the samples: tile by tile, by the method's own extension. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "operations/reduction/es-reduction-operations-internal.h"

/* Pixels that are placed at once: a job that is cancelled ends soon. */
#define BATCH 1024
/* Pixels whose neighbours are searched at once: each search lays out the samples first. */
#define SEARCHED 8192

typedef struct
{
  EsManifoldRun *run;
  EskSelection   selection;
  EsImageStack  *stack;
  EsDevice      *device;                   /* that searches for neighbours */
  guint          k;                        /* 0: the method needs none */
  guint64        n_placed;                 /* atomic: pixels held against samples */
  guint64        n_lost;                   /* atomic: pixels that are nowhere, beyond float32 */
} ExtendPass;

typedef struct
{
  EsDevice      *device;
  EskStream     *stream;                   /* of a card; NULL: the lane's own */
  gsize          pixels;                   /* of a tile */
  gsize          most;                     /* pixels that are prepared at once, up to SEARCHED */
  float         *values;                   /* pixels x bands, and a plane */
  float         *prepared;                 /* most x prepared bands */
  gint32        *index;                    /* most x k */
  float         *distance;
  float         *placed;                   /* BATCH x m */
  float         *planes;                   /* m planes of a tile */
  gsize         *which;                    /* most: pixels of the tile */
} ExtendLane;

static void
lane_free (gpointer data)
{
  ExtendLane *lane = data;

  if (lane->stream != NULL)
    {
      /* Others use it after the job is gone. */
      esk_hotspots_set_cancelled (es_device_get_hotspots (lane->device), lane->stream, NULL);
      es_device_give_stream (lane->device, lane->stream);
    }
  g_free (lane->values);
  g_free (lane->prepared);
  g_free (lane->index);
  g_free (lane->distance);
  g_free (lane->placed);
  g_free (lane->planes);
  g_free (lane->which);
  g_free (lane);
}

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  const ExtendPass *pass = data;
  const EsManifoldRun *run = pass->run;
  ExtendLane *lane = g_new0 (ExtendLane, 1);

  lane->device = pass->device;
  lane->pixels = tiling->tile_width * tiling->tile_height;
  lane->values = g_try_malloc (lane->pixels * (run->bands.n + 1) * sizeof (float));
  lane->planes = g_try_malloc (lane->pixels * run->m * sizeof (float));
  lane->most = MIN (lane->pixels, pass->k > 0 ? SEARCHED : BATCH);
  lane->prepared = g_try_new (float, lane->most * run->preparation.n);
  lane->index = g_try_new (gint32, lane->most * MAX (pass->k, 1));
  lane->distance = g_try_new (float, lane->most * MAX (pass->k, 1));
  lane->placed = g_new (float, (gsize) BATCH * run->m);
  lane->which = g_new (gsize, lane->most);
  if (!es_device_is_cpu (pass->device) && pass->k > 0)
    {
      lane->stream = es_device_take_stream (pass->device);
      es_job_watch_stream (run->job, es_device_get_hotspots (pass->device), lane->stream);
    }
  if (lane->values != NULL && lane->planes != NULL && lane->prepared != NULL && lane->index != NULL
      && lane->distance != NULL
      && (es_device_is_cpu (pass->device) || pass->k == 0 || lane->stream != NULL))
    return lane;
  lane_free (lane);
  es_compute_error_no_memory (_("a tile"), error);
  return NULL;
}

static gboolean
is_finite (const float *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return FALSE;
  return TRUE;
}

/* Of the first n pixels in `which`; returned, and left there: those that are somewhere. */
static gsize
prepare (ExtendLane *lane, ExtendPass *pass, gsize n)
{
  const EsManifoldRun *run = pass->run;
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    {
      float *prepared = lane->prepared + kept * run->preparation.n;

      es_manifold_prepare (&run->preparation, lane->values + lane->which[i] * run->bands.n, 1, prepared);
      if (is_finite (prepared, run->preparation.n))
        lane->which[kept++] = lane->which[i];
    }
  if (kept < n)
    __atomic_fetch_add (&pass->n_lost, n - kept, __ATOMIC_RELAXED);
  return kept;
}

/* Of the first n pixels in `which`. */
static gboolean
place (ExtendLane *lane, const EsLaneContext *context, ExtendPass *pass, gsize n, GError **error)
{
  const EsManifoldRun *run = pass->run;
  const guint m = run->m;

  if (es_job_is_cancelled (run->job, error))
    return FALSE;
  n = prepare (lane, pass, n);
  if (n == 0)
    return TRUE;
  __atomic_fetch_add (&pass->n_placed, n, __ATOMIC_RELAXED);
  if (pass->k > 0)
    {
      const EskHotspots *hotspots = es_device_get_hotspots (lane->stream != NULL ? lane->device : context->device);
      EskStream *stream = lane->stream != NULL ? lane->stream : context->stream;
      const int code = hotspots->neighbours->nearest (stream, run->inner.spectra, run->inner.n, lane->prepared, n,
                                                      run->inner.bands, pass->k, false, 0, lane->index, lane->distance);

      if (code == ESK_ERROR_CANCELLED && es_job_is_cancelled (run->job, error))
        return FALSE;
      if (!es_device_check (lane->stream != NULL ? lane->device : context->device, stream, code,
                            _("the search of neighbours"), error))
        return FALSE;
    }
  for (gsize first = 0; first < n; first += BATCH)
    {
      const gsize count = MIN (BATCH, n - first);
      const EsManifoldQueries queries = {
        .q = count, .bands = run->preparation.n, .k = pass->k,
        .spectra = lane->prepared + first * run->preparation.n,
        .index = lane->index + first * pass->k, .distance = lane->distance + first * pass->k,
      };

      if (es_job_is_cancelled (run->job, error)
          || !run->kind->method->extend (run->embedding, &run->inner, &queries, lane->placed, error))
        return FALSE;
      for (gsize i = 0; i < count; i++)
        for (guint k = 0; k < m; k++)
          lane->planes[k * lane->pixels + lane->which[first + i]] = lane->placed[i * m + k];
    }
  return TRUE;
}

/* The sample that a pixel is; -1: none of those embedded. */
static gssize
find_sample (const EsManifoldSamples *samples, guint64 pixel)
{
  gsize low = 0, high = samples->n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;

      if (samples->pixels[middle] < pixel)
        low = middle + 1;
      else
        high = middle;
    }
  return low < samples->n && samples->pixels[low] == pixel ? (gssize) low : -1;
}

static gboolean
extend_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
             const guint8 *valid, gpointer pass_data, GError **error)
{
  ExtendLane *lane = data;
  ExtendPass *pass = pass_data;
  const EsManifoldRun *run = pass->run;
  const gsize pixels = window->width * window->height;
  gsize n = 0;

  es_manifold_convert (&run->bands, tile, lane->values);
  for (gsize i = 0; i < pixels; i++)
    {
      const guint64 pixel = (window->y + i / window->width) * es_cube_get_width (run->cube) + window->x
                            + i % window->width;
      const gssize sample = valid[i] != 0 ? find_sample (&run->inner, pixel) : -1;

      for (guint k = 0; k < run->m; k++)
        lane->planes[k * lane->pixels + i] = sample >= 0
                                             ? (float) run->embedding->coordinates[sample * run->m + k] : NAN;
      if (valid[i] == 0 || sample >= 0)
        continue;
      lane->which[n++] = i;
      if (n == lane->most)
        {
          if (!place (lane, context, pass, n, error))
            return FALSE;
          n = 0;
        }
    }
  return (n == 0 || place (lane, context, pass, n, error))
         && es_image_stack_write (pass->stack, window->x, window->y, window->width, window->height, lane->planes,
                                  lane->pixels, error);
}

static EsImageStack *
make_stack (EsManifoldRun *self, GError **error)
{
  const EsLimits *limits = es_job_get_limits (self->job);
  g_autofree char *path = es_reduction_stack_path (self->cube, limits, "components");
  EsImageStack *stack = es_image_stack_new ("components", _("Components"), es_cube_get_width (self->cube),
                                            es_cube_get_height (self->cube), self->m,
                                            es_reduction_largest_stack (limits), path, error);

  if (stack == NULL)
    return NULL;
  es_reduction_frame_stack (stack, self->cube);
  es_image_stack_set_hint (stack, ES_IMAGE_HINT_TOGETHER);
  for (guint i = 0; i < self->m; i++)
    {
      g_autofree char *title = es_manifold_dup_title (self->kind, i);
      es_image_stack_set_plane (stack, i, title, NAN);
    }
  return stack;
}

EsImageStack *
es_manifold_extend (EsManifoldRun *self, GError **error)
{
  static const EsPass pass = { .lane_new = lane_new, .lane_free = lane_free, .tile = extend_tile };
  EsDevice *device = es_device_get_member (es_job_get_device (self->job), 0);
  const EsTiling tiling = es_tiling_plan (self->cube, es_device_get_cpu (), es_job_get_limits (self->job),
                                          1 + (self->bands.n + 1 + self->m) * sizeof (float), 0);
  g_autoptr (EsImageStack) stack = make_stack (self, error);
  ExtendPass data = { .run = self, .stack = stack,
                      .selection = { self->bands.bands, self->bands.n, self->bands.no_data, NULL, NULL } };

  if (stack == NULL)
    return NULL;
  data.device = ESK_HAS (es_device_get_hotspots (device), neighbours, nearest) ? device : es_device_get_cpu ();
  data.k = self->kind->method->needs_graph ? (guint) MIN (self->k, self->inner.n) : 0;
  es_job_set_preview (self->job, stack);
  if (!es_pass_run_on_host (self->job, self->cube, &tiling, &data.selection, &pass, &data, error))
    {
      es_job_set_preview (self->job, NULL);
      return NULL;
    }
  es_job_add_work (self->job, NULL, &(EsStageWork) {
    .operations = 2.0 * data.n_placed * (data.k > 0 ? self->inner.n : self->embedding->n_held) * self->inner.bands,
    .type = data.k > 0 ? ES_WORK_FLOAT32 : ES_WORK_FLOAT64, .on_host = data.k == 0,
    .memory_bytes = (double) self->bands.pixels * (self->bands.n + self->m) * sizeof (float),
    .less = N_("Fewer samples help: each pixel is held against all of them."),
  });
  if (data.n_lost > 0)
    es_manifold_warn (self, g_dngettext (GETTEXT_PACKAGE,
                                         "%" PRIu64 " pixel is too far from the samples for float32 and has no place "
                                         "among them.",
                                         "%" PRIu64 " pixels are too far from the samples for float32 and have no "
                                         "place among them.", data.n_lost), data.n_lost);
  es_image_stack_settle (stack);
  return g_steal_pointer (&stack);
}
