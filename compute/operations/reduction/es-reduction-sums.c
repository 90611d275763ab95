/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is summed over all pixels: ranges of the bands, a first estimate of the mean, the covariance. */

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "job/es-shared-sums-internal.h"
#include "ranks/es-ranks-internal.h"

typedef struct
{
  EsJob         *job;
  EsReduction   *reduction;
  EskSelection   selection;
  EskCovariance *total;                    /* pass 1 */
  EsSharedSums  *shared;                   /* whose total it is */
  double        *sum;                      /* estimate of the mean */
  gint64         count;
} SumsPass;

typedef struct
{
  EskCovariance  sums;
  double        *minimum, *maximum, *sum;
  gint64         count;
} SumsLane;

static void
lane_free (gpointer data)
{
  SumsLane *lane = data;

  esk_covariance_clear (&lane->sums);
  g_free (lane->minimum);
  g_free (lane->maximum);
  g_free (lane->sum);
  g_free (lane);
}

/* ---- pass 0: ranges of the bands, or sums for a first estimate of the mean ---- */

static void
forget_ranges (gpointer data)
{
  EsReduction *self = ((SumsPass *) data)->reduction;

  for (guint i = 0; i < self->n; i++)
    {
      self->minimum[i] = INFINITY;
      self->maximum[i] = -INFINITY;
    }
}

static gpointer
ranges_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  SumsPass *pass = data;
  SumsLane *lane = g_new0 (SumsLane, 1);

  lane->minimum = g_new (double, pass->reduction->n);
  lane->maximum = g_new (double, pass->reduction->n);
  for (guint i = 0; i < pass->reduction->n; i++)
    {
      lane->minimum[i] = INFINITY;
      lane->maximum[i] = -INFINITY;
    }
  return lane;
}

static gboolean
ranges_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
             const guint8 *valid, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;

  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->band_ranges (context->stream, tile, &pass->selection, valid,
                                                                lane->minimum, lane->maximum),
                          _("the ranges of the bands"), error);
}

static gboolean
ranges_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  EsReduction *self = ((SumsPass *) pass_data)->reduction;

  for (guint i = 0; i < self->n; i++)
    {
      self->minimum[i] = fmin (self->minimum[i], lane->minimum[i]);
      self->maximum[i] = fmax (self->maximum[i], lane->maximum[i]);
    }
  return TRUE;
}

static gboolean
ranges_finish (gpointer pass_data, GError **error)
{
  EsReduction *self = ((SumsPass *) pass_data)->reduction;

  return es_ranks_least (self->minimum, self->n, error) && es_ranks_greatest (self->maximum, self->n, error);
}

/* The least of all is what each may have found, too: nothing is lost where they go on with it. */
static gboolean
ranges_save (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete, GByteArray *to,
             GError **error)
{
  EsReduction *self = ((SumsPass *) pass_data)->reduction;

  if (!ranges_finish (pass_data, error))
    return FALSE;
  g_byte_array_append (to, (const guint8 *) self->minimum, self->n * sizeof (double));
  g_byte_array_append (to, (const guint8 *) self->maximum, self->n * sizeof (double));
  return TRUE;
}

static gboolean
ranges_load (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete,
             EsCheckpointReader *from)
{
  EsReduction *self = ((SumsPass *) pass_data)->reduction;

  return es_checkpoint_take (from, self->minimum, self->n * sizeof (double))
         && es_checkpoint_take (from, self->maximum, self->n * sizeof (double));
}

gboolean
es_reduction_find_ranges (EsJob *job, EsCube *cube, EsReduction *self, const EsTiling *tiling, double weight,
                          GError **error)
{
  static const EsPass pass = { ranges_lane_new, lane_free, ranges_tile, NULL, ranges_lane_done,
                               .restart = forget_ranges };
  static const EsPassKeep keep = { .name = "ranges", .save = ranges_save, .load = ranges_load,
                                   .finish = ranges_finish };
  SumsPass data = { .job = job, .reduction = self, .selection = es_reduction_selection (self) };

  self->minimum = g_new (double, self->n);
  self->maximum = g_new (double, self->n);
  forget_ranges (&data);
  es_job_begin_stage (job, "quantise", _("Ranges of the bands"), weight);
  data.selection.minimum = data.selection.maximum = NULL;
  if (!es_pass_run_kept (job, cube, tiling, &data.selection, &pass, &keep, &data, error))
    return FALSE;
  es_reduction_tell_ranges (job, cube, self);

  /* Nothing valid at all: the next pass says so. Quantising needs finite limits. */
  for (guint i = 0; i < self->n; i++)
    if (!isfinite (self->minimum[i]))
      self->minimum[i] = self->maximum[i] = 0;
  return TRUE;
}

static void
forget_sums (gpointer data)
{
  SumsPass *pass = data;

  memset (pass->sum, 0, pass->reduction->n * sizeof (double));
  pass->count = 0;
}

static gpointer
sums_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  SumsLane *lane = g_new0 (SumsLane, 1);

  lane->sum = g_new0 (double, ((SumsPass *) data)->reduction->n);
  return lane;
}

static gboolean
sums_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
           const guint8 *valid, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;

  memset (lane->sum, 0, sizeof (double) * pass->reduction->n);
  lane->count = 0;
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->band_sums (context->stream, tile, &pass->selection, valid,
                                                              lane->sum, &lane->count),
                          _("the sums of the bands"), error);
}

static gboolean
sums_merge (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;

  for (guint i = 0; i < pass->reduction->n; i++)
    pass->sum[i] += lane->sum[i];
  pass->count += lane->count;
  return TRUE;
}

/* Sums over eight rows, by the CPU: a card would wait longer for them than this takes. */
static gboolean
sum_some_rows (EsCube *cube, SumsPass *data, GError **error)
{
  const guint64 height = es_cube_get_height (cube);
  EsDevice *cpu = es_device_get_cpu ();
  EsLaneContext context = { .device = cpu, .hotspots = es_device_get_hotspots (cpu) };
  guint64 width = es_cube_get_width (cube), block_width, block_height;
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, error);
  SumsLane *lane;
  gboolean done = TRUE;

  if (reader == NULL)
    return FALSE;
  /* One block of the file is enough of a row, where unpacking them is what takes the time. */
  es_cube_get_block (cube, &block_width, &block_height);
  if (block_width > 1)
    width = MIN (width, block_width);

  g_autofree guint8 *valid = g_try_malloc (width);
  context.stream = context.hotspots->stream->stream_new (es_device_get_index (cpu));
  if (valid == NULL || context.stream == NULL)
    {
      if (context.stream != NULL)
        context.hotspots->stream->stream_free (context.stream);
      return es_reduction_out_of_memory (_("a tile"), error) != NULL;
    }
  es_job_watch_stream (data->job, context.hotspots, context.stream);
  lane = sums_lane_new (&context, NULL, data, error);

  for (guint i = 0; done && i < MIN (height, 8); i++)
    {
      EsCubeWindow window = { 0, height < 8 ? i : (2 * i + 1) * height / 16, width, 1 };
      EskTile tile;
      gsize n_valid;

      memset (valid, 1, width);
      done = !es_job_is_cancelled (data->job, error)
             && es_cube_reader_read (reader, &window, &tile, error)
             && es_cube_reader_mask (reader, &window, data->selection.bands, data->selection.n_bands, valid, error)
             && es_device_check (cpu, context.stream,
                                 context.hotspots->cube->valid_pixels (context.stream, &tile, &data->selection, valid,
                                                                       &n_valid),
                                 _("the valid pixels"), error)
             && sums_tile (lane, &context, &window, &tile, valid, data, error);
      if (done)
        sums_merge (lane, &context, &window, data, NULL);
    }
  lane_free (lane);
  context.hotspots->stream->stream_free (context.stream);
  return done;
}

/* The estimate of earlier jobs on the same cube, kept with it: a data set does not change, and one that is on a card
 * already is not read again for eight rows. */
static gboolean
remembered_mean (EsCube *cube, const EskSelection *selection, double *mean, const double *found)
{
  static GMutex lock;
  gsize bytes = selection->n_bands * sizeof (double);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  gboolean known = FALSE;

  g_checksum_update (checksum, (const guchar *) selection->bands, selection->n_bands * sizeof *selection->bands);
  g_checksum_update (checksum, (const guchar *) selection->no_data, bytes);
  g_autofree char *key = g_strconcat ("es-mean-", g_checksum_get_string (checksum), NULL);

  g_mutex_lock (&lock);
  const double *kept = g_object_get_data (G_OBJECT (cube), key);
  if (found != NULL)
    g_object_set_data_full (G_OBJECT (cube), key, g_memdup2 (found, bytes), g_free);
  else if (kept != NULL)
    {
      memcpy (mean, kept, bytes);
      known = TRUE;
    }
  g_mutex_unlock (&lock);
  return known;
}

/* A first estimate of the mean: from eight rows over the height; where those hold no valid pixel, from all. Only
 * takes the cancellation out of float32 sums, so any value near the mean serves. */
gboolean
es_reduction_estimate_mean (EsJob *job, EsCube *cube, EsReduction *self, const EsTiling *tiling, double *mean,
                            GError **error)
{
  static const EsPass pass = { sums_lane_new, lane_free, sums_tile, sums_merge, NULL, .restart = forget_sums };
  SumsPass data = { .job = job, .reduction = self, .selection = es_reduction_selection (self), .sum = mean };

  if (remembered_mean (cube, &data.selection, mean, NULL))
    return TRUE;
  if (!sum_some_rows (cube, &data, error))
    return FALSE;
  const gboolean some = data.count > 0;
  if (!some && !(es_pass_run (job, cube, tiling, &data.selection, &pass, &data, error)
                 && es_ranks_sum_integers (&data.count, 1, error) && es_ranks_sum_doubles (mean, self->n, error)
                 && es_ranks_broadcast (mean, self->n * sizeof (double), error)))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    mean[i] = data.count > 0 ? mean[i] / data.count : 0;
  /* Sums of all rows may depend on the tiles, which another job may cut in another way. */
  if (some)
    remembered_mean (cube, &data.selection, NULL, mean);
  return TRUE;
}

/* ---- pass 1: covariance sums ---- */

static void
forget_covariance (gpointer data)
{
  es_shared_sums_forget (((SumsPass *) data)->shared);
}

static gpointer
covariance_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  SumsPass *pass = data;
  SumsLane *lane = g_new0 (SumsLane, 1);

  if (esk_covariance_init (&lane->sums, pass->reduction->n, pass->total->exact, pass->total->shift) != ESK_OK)
    {
      lane_free (lane);
      return es_reduction_out_of_memory (_("the covariance sums"), error);
    }
  return lane;
}

static gboolean
covariance_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
                 const guint8 *valid, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;

  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->covariance_sums (context->stream, tile, &pass->selection, valid,
                                                                    &lane->sums),
                          _("the covariance sums"), error);
}

static gboolean
covariance_merge (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data,
                  GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;
  int code = esk_hotspots_collect (context->hotspots, context->stream, &lane->sums);
  if (code == ESK_OK)
    code = esk_covariance_merge (es_shared_sums_get (pass->shared, 0), &lane->sums);
  esk_covariance_reset (&lane->sums);
  return es_device_check (context->device, context->stream, code, _("the covariance sums"), error);
}

static gboolean
covariance_group_done (gpointer pass_data, guint group, GError **error)
{
  return es_shared_sums_group_done (((SumsPass *) pass_data)->shared, group, error);
}

static void
covariance_group_begun (gpointer pass_data, guint group)
{
  es_shared_sums_group_begun (((SumsPass *) pass_data)->shared, group);
}

static gboolean
covariance_save (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete, GByteArray *to,
                 GError **error)
{
  return es_shared_sums_save (((SumsPass *) pass_data)->shared, tiling, done, complete, to, error);
}

static gboolean
covariance_load (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete,
                 EsCheckpointReader *from)
{
  return es_shared_sums_load (((SumsPass *) pass_data)->shared, tiling, done, complete, from);
}

static gboolean
covariance_finish (gpointer pass_data, GError **error)
{
  return es_shared_sums_finish (((SumsPass *) pass_data)->shared, error);
}

static gboolean
covariance_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  return covariance_merge (data, context, NULL, pass_data, error);
}

/* Integer totals have 64 bits: enough for 2,000 million pixels of 16 bits, and float64 totals beyond. */
gboolean
es_reduction_sums_are_exact (EsCube *cube, EsReduction *self)
{
  const gboolean quantised = self->minimum != NULL;
  const EskType type = quantised ? ESK_U8 : es_cube_get_type_code (cube);
  const guint64 largest = esk_type_size (type) == 1 ? 255 : 65535;

  return esk_type_is_exact (type)
         && es_cube_get_width (cube) * es_cube_get_height (cube) <= G_MAXINT64 / (largest * largest);
}

gboolean
es_reduction_check_count (EsCube *cube, EsReduction *self, gint64 count, GError **error)
{
  const char *name = es_dataset_get_name (ES_DATASET (cube));

  if (count == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("“%s” has no valid pixel: every one is no-data or not a number in at least one of its %u good "
                   "bands."), name, self->n);
  else if (count == 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("“%s” has one valid pixel: a covariance needs at least two."), name);
  return count > 1;
}

static gboolean
find_covariance (EsJob *job, EsCube *cube, EsReduction *self, const EsTiling *tiling, double weight, GError **error)
{
  /* Integer totals are exact in any order and are gathered once a lane; float64 totals tile by tile, in order. */
  static const EsPass exact_pass = { covariance_lane_new, lane_free, covariance_tile, NULL, covariance_lane_done,
                                     .restart = forget_covariance };
  static const EsPass float_pass = { covariance_lane_new, lane_free, covariance_tile, covariance_merge, NULL,
                                     .group_done = covariance_group_done, .group_begun = covariance_group_begun,
                                     .restart = forget_covariance };
  EsPassKeep keep = { .name = "covariance", .save = covariance_save, .load = covariance_load,
                      .finish = covariance_finish };
  gboolean exact = es_reduction_sums_are_exact (cube, self);
  g_autofree double *shift = g_new0 (double, self->n);
  EskCovariance total = { 0 }, *const totals[] = { &total };
  EsSharedSums shared = { 0 };
  SumsPass data = { .job = job, .reduction = self, .selection = es_reduction_selection (self), .total = &total,
                    .shared = &shared };
  gboolean done;

  /* The estimate may take a pass of its own, which would move the progress twice. */
  es_job_begin_stage (job, "covariance", _("Covariance"), 0);
  if (!exact && !es_reduction_estimate_mean (job, cube, self, tiling, shift, error))
    return FALSE;
  es_job_begin_stage (job, "covariance", _("Covariance"), weight);
  if (esk_covariance_init (&total, self->n, exact, exact ? NULL : shift) != ESK_OK)
    return es_reduction_out_of_memory (_("the covariance sums"), error) != NULL;

  done = es_shared_sums_init (&shared, job, totals, 1, error);
  keep.extent = es_shared_sums_extent (&shared);
  done = done && es_pass_run_kept (job, cube, tiling, &data.selection, exact ? &exact_pass : &float_pass, &keep, &data,
                                   error);
  es_shared_sums_clear (&shared);
  self->count = total.count;
  done = done && es_reduction_check_count (cube, self, total.count, error);
  if (done)
    {
      es_reduction_tell_sums (job, cube, self, NULL, 1, TRUE);
      esk_covariance_finish (&total, self->mean, self->covariance);
    }
  esk_covariance_clear (&total);
  return done;
}

gboolean
es_reduction_find_sums (EsJob *job, EsCube *cube, EsReduction *self, gboolean quantise, double weight_ranges,
                        double weight_covariance, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  /* A byte a pixel on the CPU: the mask. A GPU's is beside the samples. */
  EsTiling tiling = es_tiling_plan (cube, device, es_job_get_limits (job),
                                    es_device_is_cpu (device) ? 1 : 0,
                                    (gsize) self->n * self->n * sizeof (double));

  if (quantise && !es_reduction_find_ranges (job, cube, self, &tiling, weight_ranges, error))
    return FALSE;
  return find_covariance (job, cube, self, &tiling, weight_covariance, error);
}
