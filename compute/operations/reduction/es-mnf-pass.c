/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Covariance sums of the data and of what is taken for noise (es-mnf-residuals.c), in one pass over the cube. A tile
 * comes with its neighbours.
 */

#include "es-mnf-pass-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "resident/es-resident.h"
#include "ranks/es-ranks-internal.h"

/* Residuals made at a time on a GPU: whole tiles, and of a cube that lies there as much as makes launches long. */
#define DEVICE_PIECE_BYTES ((gsize) 512 << 20)

/* ---- lanes ---- */

static void
lane_free (gpointer data)
{
  EsMnfLane *lane = data;

  esk_covariance_clear (&lane->data);
  for (guint t = 0; t < ES_MNF_MOST_TERMS; t++)
    for (guint p = 0; p < 3; p++)
      esk_covariance_clear (&lane->sums[t][p]);
  g_clear_pointer (&lane->scratch, es_buffer_unref);
  g_free (lane->window_valid);
  g_free (lane);
}

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  static const guint32 zero[ES_MNF_MOST_TERMS];
  EsMnfPass *pass = data;
  EsMnfLane *lane = g_new0 (EsMnfLane, 1);
  const gsize n = pass->reduction->n;
  int code = ESK_OK;

  lane->context = context;
  if (pass->data != NULL)
    code = es_noise_sums_init (&lane->data, n, pass->data->exact, pass->data->shift);
  for (guint t = 0; t < pass->n_terms; t++)
    for (guint p = 0; p < es_noise_term_n_parts (pass->terms[t]) && code == ESK_OK; p++)
      code = es_noise_sums_init (&lane->sums[t][p], n, pass->terms[t]->sums[p].exact, pass->terms[t]->sums[p].shift);
  if (code != ESK_OK)
    {
      lane_free (lane);
      return es_reduction_out_of_memory (_("the covariance sums"), error);
    }
  if (pass->n_terms == 0)
    return lane;
  if (!es_mnf_lane_take_scratch (lane, pass, context, tiling, error))
    {
      lane_free (lane);
      return NULL;
    }

  guint8 *memory = es_buffer_get_data (lane->scratch);
  lane->valid = memory + lane->pixels * n * esk_type_size (pass->type);
  lane->overflow = (guint32 *) (memory + (lane->pixels * (n * esk_type_size (pass->type) + 1) + 255) / 256 * 256);
  if (!ESK_HAS (context->hotspots, device, upload))
    memset (lane->overflow, 0, sizeof zero);
  else if (!es_device_check (context->device, context->stream,
                             context->hotspots->device->upload (context->stream, lane->overflow, zero, sizeof zero),
                             _("the noise"), error))
    {
      lane_free (lane);
      return NULL;
    }
  return lane;
}

/* ---- tiles ---- */

EskTile
es_mnf_part_of_tile (const EskTile *tile, gsize x, gsize y, gsize width, gsize height)
{
  EskTile part = *tile;

  part.data = (const guint8 *) tile->data
              + ((ptrdiff_t) x * tile->column_stride + (ptrdiff_t) y * tile->row_stride)
                * (ptrdiff_t) esk_type_size (tile->type);
  part.width = width;
  part.height = height;
  return part;
}

static gboolean
sum_data (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context, const EsCubeWindow *window,
          const EskTile *tile, const guint8 *valid, GError **error)
{
  const EskMargin *margin = &context->margin;
  const EskTile inside = es_mnf_part_of_tile (tile, margin->left, margin->top, window->width, window->height);
  const gsize pixels = window->width * window->height;

  /* The CPU's masks are packed; a GPU's have the rows of the planes. */
  if (valid != NULL && !es_device_is_cpu (context->device))
    valid += margin->top * tile->row_stride + margin->left;
  else if (valid != NULL && tile->width == window->width)
    valid += margin->top * tile->width;
  else if (valid != NULL)
    {
      if (lane->window_valid_bytes < pixels)
        {
          g_free (lane->window_valid);
          lane->window_valid = g_try_malloc (pixels);
          lane->window_valid_bytes = lane->window_valid != NULL ? pixels : 0;
          if (lane->window_valid == NULL)
            return es_reduction_out_of_memory (_("a tile"), error) != NULL;
        }
      for (gsize y = 0; y < window->height; y++)
        memcpy (lane->window_valid + y * window->width, valid + (y + margin->top) * tile->width + margin->left,
                window->width);
      valid = lane->window_valid;
    }
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->covariance_sums (context->stream, &inside, &pass->selection, valid,
                                                                    &lane->data),
                          _("the covariance sums"), error);
}

static gboolean
sums_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
           const guint8 *valid, gpointer pass_data, GError **error)
{
  EsMnfLane *lane = data;
  EsMnfPass *pass = pass_data;

  /* A seam's pixels have been counted where they lie. */
  if (pass->data != NULL && !context->seam && !sum_data (lane, pass, context, window, tile, valid, error))
    return FALSE;

  return es_mnf_lane_sum_noise (lane, pass, context, window, tile, valid, error);
}

/* ---- totals ---- */

static int
merge_into (EskCovariance *total, EskCovariance *part, const EsLaneContext *context)
{
  int code = esk_hotspots_collect (context->hotspots, context->stream, part);
  if (code == ESK_OK)
    code = esk_covariance_merge (total, part);
  esk_covariance_reset (part);
  return code;
}

static gboolean
sums_merge (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data, GError **error)
{
  EsMnfLane *lane = data;
  EsMnfPass *pass = pass_data;
  guint next = 0;
  int code = ESK_OK;

  if (pass->data != NULL)
    code = merge_into (es_shared_sums_get (&pass->shared, next++), &lane->data, context);
  for (guint t = 0; t < pass->n_terms; t++)
    for (guint p = 0; p < es_noise_term_n_parts (pass->terms[t]) && code == ESK_OK; p++)
      code = merge_into (es_shared_sums_get (&pass->shared, next++), &lane->sums[t][p], context);
  return es_device_check (context->device, context->stream, code, _("the covariance sums"), error);
}

static gboolean
sums_group_done (gpointer pass_data, guint group, GError **error)
{
  return es_shared_sums_group_done (&((EsMnfPass *) pass_data)->shared, group, error);
}

static void
sums_group_begun (gpointer pass_data, guint group)
{
  es_shared_sums_group_begun (&((EsMnfPass *) pass_data)->shared, group);
}

static gboolean
sums_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  EsMnfLane *lane = data;
  EsMnfPass *pass = pass_data;
  guint32 overflow[ES_MNF_MOST_TERMS] = { 0 };

  pass->noise_us += lane->noise_us;
  if (!sums_merge (data, context, NULL, pass_data, error))
    return FALSE;
  if (pass->n_terms == 0)
    return TRUE;
  if (!ESK_HAS (context->hotspots, device, download))
    memcpy (overflow, lane->overflow, sizeof overflow);
  else
    {
      int code = context->hotspots->device->download (context->stream, overflow, sizeof overflow, lane->overflow,
                                                      sizeof overflow, sizeof overflow, 1);
      if (code == ESK_OK)
        code = context->hotspots->device->wait (context->stream);
      if (!es_device_check (context->device, context->stream, code, _("the noise"), error))
        return FALSE;
    }
  for (guint t = 0; t < pass->n_terms; t++)
    if (overflow[t] != 0)
      g_atomic_int_set (&pass->terms[t]->overflow, 1);
  return TRUE;
}

static void
forget_sums (gpointer data)
{
  EsMnfPass *pass = data;

  pass->noise_us = 0;
  es_shared_sums_forget (&pass->shared);
  for (guint t = 0; t < pass->n_terms; t++)
    pass->terms[t]->overflow = 0;
}

/* ---- of several processes ---- */

static gboolean
share_sums (EsMnfPass *pass, GError **error)
{
  EskCovariance *totals[ES_SHARED_SUMS_MOST];
  guint n = 0;

  if (pass->data != NULL)
    totals[n++] = pass->data;
  for (guint t = 0; t < pass->n_terms; t++)
    for (guint p = 0; p < es_noise_term_n_parts (pass->terms[t]); p++)
      totals[n++] = &pass->terms[t]->sums[p];
  if (!es_shared_sums_init (&pass->shared, pass->job, totals, n, error))
    return FALSE;
  /* All sum again what overflowed in one of them. */
  for (guint t = 0; t < pass->n_terms; t++)
    pass->shared.flags[pass->shared.n_flags++] = &pass->terms[t]->overflow;
  return TRUE;
}

static gboolean
sums_save (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete, GByteArray *to,
           GError **error)
{
  return es_shared_sums_save (&((EsMnfPass *) pass_data)->shared, tiling, done, complete, to, error);
}

static gboolean
sums_load (gpointer pass_data, const EsTiling *tiling, const guint64 *done, gboolean complete, EsCheckpointReader *from)
{
  return es_shared_sums_load (&((EsMnfPass *) pass_data)->shared, tiling, done, complete, from);
}

static gboolean
sums_finish (gpointer pass_data, GError **error)
{
  return es_shared_sums_finish (&((EsMnfPass *) pass_data)->shared, error);
}

/* ---- passes ---- */

static EskMargin
widest_margin (EsNoiseTerm *const *terms, guint n_terms)
{
  EskMargin margin = { 0 };

  for (guint t = 0; t < n_terms; t++)
    {
      const EskMargin need = esk_noise_margin (terms[t]->kind);

      margin.left = MAX (margin.left, need.left);
      margin.top = MAX (margin.top, need.top);
      margin.right = MAX (margin.right, need.right);
      margin.bottom = MAX (margin.bottom, need.bottom);
    }
  return margin;
}

static gboolean
run_pass (EsMnfPass *pass, gboolean exact, GError **error)
{
  /* Integer totals are exact in any order and are gathered once a lane; float64 totals tile by tile, in order. */
  static const EsPass exact_pass = { lane_new, lane_free, sums_tile, NULL, sums_lane_done, .restart = forget_sums };
  static const EsPass float_pass = { lane_new, lane_free, sums_tile, sums_merge, sums_lane_done,
                                     .restart = forget_sums, .group_done = sums_group_done,
                                     .group_begun = sums_group_begun };
  EsPassKeep keep = { .name = "noise", .save = sums_save, .load = sums_load, .finish = sums_finish };
  EsDevice *device = es_job_get_device (pass->job);
  const EsLimits *limits = es_job_get_limits (pass->job);
  const gsize n = pass->reduction->n;
  const EskMargin margin = widest_margin (pass->terms, pass->n_terms);
  const gboolean cpu = es_device_is_cpu (device);
  gsize fixed = (pass->data != NULL) * n * n * sizeof (double), scratch = 0;
  gboolean done;

  for (guint t = 0; t < pass->n_terms; t++)
    fixed += es_noise_term_n_parts (pass->terms[t]) * n * n * sizeof (double);
  if (cpu)
    {
      fixed += ES_MNF_CPU_PIECE_BYTES;
      scratch = 2;
    }
  else if (pass->n_terms > 0)
    scratch = n * esk_type_size (pass->type) + 1;

  const EsTiling tiling = es_tiling_plan_with_margin (pass->cube, device, limits, scratch, fixed, &margin);
  pass->piece_bytes = MIN (DEVICE_PIECE_BYTES, es_device_get_room (device, limits) / 8);
  if (!tiling.resident)
    pass->piece_bytes = MIN (pass->piece_bytes, tiling.tile_width * tiling.tile_height * scratch);
  done = share_sums (pass, error);
  keep.extent = es_shared_sums_extent (&pass->shared);
  done = done && es_pass_run_kept (pass->job, pass->cube, &tiling, &pass->selection, exact ? &exact_pass : &float_pass,
                                   &keep, pass, error);
  es_shared_sums_clear (&pass->shared);
  if (!done)
    return FALSE;
  if (cpu && pass->data != NULL && pass->n_terms > 0)
    es_job_add_stage_ms (pass->job, "noise", _("Noise"), pass->noise_us * 1e-3 / tiling.lanes);
  if (pass->data != NULL)
    es_reduction_tell_sums (pass->job, pass->cube, pass->reduction, NULL, 1, TRUE);
  if (pass->n_terms > 0)
    es_reduction_tell_sums (pass->job, pass->cube, pass->reduction, cpu && pass->data != NULL ? "noise" : NULL,
                            pass->n_terms, pass->data == NULL);
  return TRUE;
}

gboolean
es_mnf_is_resident (EsJob *job, EsCube *cube, guint n)
{
  static const EskMargin margin = { 1, 1, 1, 1 };
  EsDevice *device = es_job_get_device (job);

  /* Of several processes all do the same, though their cards may differ. */
  if (es_device_is_cpu (device) || es_ranks_get_size () > 1)
    return FALSE;
  const EsTiling tiling = es_tiling_plan_with_margin (cube, device, es_job_get_limits (job), n * sizeof (float) + 1,
                                                      2 * (gsize) n * n * sizeof (double), &margin);
  return tiling.resident || es_resident_is_on (cube, device);
}

gboolean
es_mnf_sum (EsJob *job, EsCube *cube, EsReduction *reduction, gboolean with_data, EsNoiseTerm *terms, guint n_terms,
            GError **error)
{
  const gsize n = reduction->n;
  const gboolean exact = es_reduction_sums_are_exact (cube, reduction);
  const gboolean integer = reduction->minimum != NULL || esk_type_is_exact (es_cube_get_type_code (cube));
  EsNoiseTerm *todo[ES_MNF_MOST_TERMS];
  g_autofree double *shift = g_new0 (double, n), *zeros = g_new0 (double, n);
  g_autofree guint32 *identity = g_new (guint32, n);
  EskCovariance data = { 0 };
  EsMnfPass pass = {
    .job = job, .cube = cube, .reduction = reduction, .selection = es_reduction_selection (reduction),
    .identity = { identity, n, NULL, NULL, NULL }, .type = integer ? ESK_I16 : ESK_F32,
    .data = with_data ? &data : NULL, .terms = todo, .n_terms = n_terms,
  };
  gboolean done = TRUE;

  g_return_val_if_fail (n_terms <= ES_MNF_MOST_TERMS, FALSE);
  for (gsize i = 0; i < n; i++)
    identity[i] = (guint32) i;
  for (guint t = 0; t < n_terms && done; t++)
    {
      todo[t] = &terms[t];
      done = es_noise_term_init (&terms[t], n, exact, FALSE, zeros, error);
    }
  if (done && with_data)
    {
      const EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), 1, 0);

      done = exact || es_reduction_estimate_mean (job, cube, reduction, &tiling, shift, error);
      if (done && es_noise_sums_init (&data, n, exact, shift) != ESK_OK)
        done = es_reduction_out_of_memory (_("the covariance sums"), error) != NULL;
    }
  done = done && run_pass (&pass, exact, error);
  if (done && with_data)
    {
      reduction->count = data.count;
      done = es_reduction_check_count (cube, reduction, data.count, error);
      if (done)
        esk_covariance_finish (&data, reduction->mean, reduction->covariance);
    }
  esk_covariance_clear (&data);
  if (!done)
    return FALSE;

  pass.data = NULL;
  pass.n_terms = 0;
  for (guint t = 0; t < n_terms; t++)
    if (terms[t].overflow)
      {
        if (!es_noise_term_init (&terms[t], n, exact, TRUE, zeros, error))
          return FALSE;
        todo[pass.n_terms++] = &terms[t];
      }
  return pass.n_terms == 0 || run_pass (&pass, exact, error);
}
