/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Covariance sums of the data and of what is taken for noise, in one pass over the cube.
 *
 * A tile comes with its neighbours. Its residuals are made a few rows at a time, into memory that they share, and
 * summed like any other samples: integers exactly. Where a residual does not fit 16 bits the noise is summed again in
 * three parts (es-hotspots.h), so that the totals are the same integers on every device.
 */

#include "es-mnf-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "cube/es-resident.h"

#define MOST_TERMS 3
#define PLANE_ROUND 128
/* Residuals made at a time: on the CPU they are read again while they are in the cache. On a GPU whole tiles, and of a
 * cube that lies there as much as makes launches long. */
#define CPU_PIECE_BYTES (1 << 20)
#define DEVICE_PIECE_BYTES ((gsize) 512 << 20)
#define SMALLEST_DEVICE_PIECE ((gsize) 8 << 20)

static const EskNoisePart parts[3] = { ESK_NOISE_HIGH, ESK_NOISE_LOW, ESK_NOISE_SUM };

typedef struct
{
  EsJob         *job;
  EsCube        *cube;
  EsReduction   *reduction;
  EskSelection   selection, identity;      /* identity: of the residuals */
  EskType        type;                     /* of the residuals */
  EskCovariance *data;                     /* NULL: only the noise */
  guint          n_terms;
  EsNoiseTerm  **terms;
  gsize          piece_bytes;              /* of residuals, at most */
  gint64         noise_us;
} SumsPass;

typedef struct
{
  const EsLaneContext *context;
  EskCovariance  data;
  EskCovariance  sums[MOST_TERMS][3];
  gsize          pixels;                   /* that the scratch memory has room for */
  EsBuffer      *scratch;                  /* planes of residuals, their mask, MOST_TERMS flags of overflow */
  guint8        *valid;
  guint32       *overflow;
  guint8        *window_valid;             /* the CPU's mask without its margins */
  gsize          window_valid_bytes;
  gint64         noise_us;
} SumsLane;

static guint
n_parts (const EsNoiseTerm *term)
{
  return term->split ? 3 : 1;
}

/* Noise covariances are ill-conditioned: what float32 products leave out would be seen in the eigenvalues. */
static int
init_sums (EskCovariance *sums, gsize n, gboolean exact, const double *shift)
{
  const int code = esk_covariance_init (sums, n, exact, exact ? NULL : shift);

  sums->precise = !exact;
  return code;
}

/* ---- lanes ---- */

static void
lane_free (gpointer data)
{
  SumsLane *lane = data;

  esk_covariance_clear (&lane->data);
  for (guint t = 0; t < MOST_TERMS; t++)
    for (guint p = 0; p < 3; p++)
      esk_covariance_clear (&lane->sums[t][p]);
  g_clear_pointer (&lane->scratch, es_buffer_unref);
  g_free (lane->window_valid);
  g_free (lane);
}

static gboolean
on_cpu (const EsLaneContext *context)
{
  return es_device_is_cpu (context->device);
}

/* Memory for the residuals of as many rows as are worth it, at least one row. */
static gboolean
take_scratch (SumsLane *lane, SumsPass *pass, const EsLaneContext *context, const EsTiling *tiling, GError **error)
{
  const gsize n = pass->reduction->n, a_pixel = n * esk_type_size (pass->type) + 1;
  const gsize width = tiling->tile_width, most = width * tiling->tile_height;
  gsize bytes = on_cpu (context) ? CPU_PIECE_BYTES : pass->piece_bytes;

  for (;; bytes /= 2)
    {
      const gboolean last = bytes <= MAX (SMALLEST_DEVICE_PIECE, width * a_pixel) || on_cpu (context);
      g_autoptr (GError) local_error = NULL;

      lane->pixels = CLAMP (bytes / a_pixel / width * width, width, most);
      lane->pixels = (lane->pixels + PLANE_ROUND - 1) / PLANE_ROUND * PLANE_ROUND;
      lane->scratch = es_buffer_new (context->device, lane->pixels * a_pixel + MOST_TERMS * sizeof (guint32) + 256,
                                     &local_error);
      if (lane->scratch != NULL)
        return TRUE;
      if (last)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
    }
}

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  static const guint32 zero[MOST_TERMS];
  SumsPass *pass = data;
  SumsLane *lane = g_new0 (SumsLane, 1);
  const gsize n = pass->reduction->n;
  int code = ESK_OK;

  lane->context = context;
  if (pass->data != NULL)
    code = init_sums (&lane->data, n, pass->data->exact, pass->data->shift);
  for (guint t = 0; t < pass->n_terms; t++)
    for (guint p = 0; p < n_parts (pass->terms[t]) && code == ESK_OK; p++)
      code = init_sums (&lane->sums[t][p], n, pass->terms[t]->sums[p].exact, pass->terms[t]->sums[p].shift);
  if (code != ESK_OK)
    {
      lane_free (lane);
      return es_reduction_out_of_memory (_("the covariance sums"), error);
    }
  if (pass->n_terms == 0)
    return lane;
  if (!take_scratch (lane, pass, context, tiling, error))
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

/* The part of a tile from (x, y) on. */
static EskTile
part_of (const EskTile *tile, gsize x, gsize y, gsize width, gsize height)
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
sum_data (SumsLane *lane, SumsPass *pass, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
          const guint8 *valid, GError **error)
{
  const EskMargin *margin = &context->margin;
  const EskTile inside = part_of (tile, margin->left, margin->top, window->width, window->height);
  const gsize pixels = window->width * window->height;

  /* The CPU's masks are packed; a GPU's have the rows of the planes. */
  if (valid != NULL && !on_cpu (context))
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

/*
 * Which residuals of a kind are this tile's, [*begin, *end) along one axis of the image: those of its window that the
 * image has, less those whose neighbours lie on another card (seams, which count the same rows: the pass's margin).
 */
static gboolean
own_residuals (guint64 from, guint64 length, guint64 size, gsize before, gsize after, gsize need_before,
               gsize need_after, gsize lost_before, gsize lost_after, guint64 *begin, guint64 *end)
{
  const guint64 to = from + length, last = size > need_after ? size - need_after : 0;

  *begin = from > 0 && before == 0 ? from + lost_before : MAX (from, need_before);
  *end = to < size && after == 0 ? (to > lost_after ? to - lost_after : 0) : MIN (to, last);
  return *begin < *end;
}

/* Rows `top` to `bottom` and columns `left` to `right` of the tile: a residual each. */
static gboolean
sum_residuals (SumsLane *lane, SumsPass *pass, const EsLaneContext *context, guint t, const EskTile *tile,
               const guint8 *valid, gsize left, gsize right, gsize top, gsize bottom, GError **error)
{
  EsNoiseTerm *term = pass->terms[t];
  const EskMargin need = esk_noise_margin (term->kind);
  const EskMargin margin = { left, need.top, tile->width - right, need.bottom };
  const gsize width = right - left, most_rows = MAX (lane->pixels / width, 1);
  const gsize stride = on_cpu (context) ? tile->width : (gsize) tile->row_stride;

  for (gsize y = top; y < bottom; y += most_rows)
    {
      const gsize rows = MIN (most_rows, bottom - y);
      const EskTile piece = part_of (tile, 0, y - need.top, tile->width, need.top + rows + need.bottom);
      const guint8 *piece_valid = valid != NULL ? valid + (y - need.top) * stride : NULL;
      guint8 *out_valid = valid != NULL ? lane->valid : NULL;
      const EskTile out = {
        .data = es_buffer_get_data (lane->scratch), .type = pass->type, .width = width, .height = rows,
        .bands = pass->reduction->n, .column_stride = 1, .row_stride = (ptrdiff_t) width,
        .band_stride = (ptrdiff_t) ((width * rows + PLANE_ROUND - 1) / PLANE_ROUND * PLANE_ROUND),
      };

      if (es_job_is_cancelled (pass->job, error))
        return FALSE;
      for (guint p = 0; p < n_parts (term); p++)
        {
          int code = context->hotspots->cube->noise_residual (context->stream, &piece, &pass->selection, piece_valid,
                                                              term->kind, term->split ? parts[p] : ESK_NOISE_WHOLE,
                                                              &margin, &out, out_valid, lane->overflow + t);
          if (code == ESK_OK)
            code = context->hotspots->cube->covariance_sums (context->stream, &out, &pass->identity, out_valid,
                                                             &lane->sums[t][p]);
          if (!es_device_check (context->device, context->stream, code, _("the noise"), error))
            return FALSE;
        }
      /* It has to be done again anyway. */
      if (on_cpu (context) && lane->overflow[t] != 0)
        {
          g_atomic_int_set (&term->overflow, 1);
          return TRUE;
        }
    }
  return TRUE;
}

static gboolean
sums_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
           const guint8 *valid, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;
  const EskMargin *has = &context->margin;
  const guint64 x0 = window->x - has->left, y0 = window->y - has->top;
  const guint64 width = es_cube_get_width (pass->cube), height = es_cube_get_height (pass->cube);
  EskMargin lost = { 0 };

  /* A seam's pixels have been counted where they lie. */
  if (pass->data != NULL && !context->seam && !sum_data (lane, pass, context, window, tile, valid, error))
    return FALSE;

  const gint64 start = g_get_monotonic_time ();
  for (guint t = 0; t < pass->n_terms; t++)
    {
      const EskMargin need = esk_noise_margin (pass->terms[t]->kind);

      lost.left = MAX (lost.left, need.left);
      lost.top = MAX (lost.top, need.top);
      lost.right = MAX (lost.right, need.right);
      lost.bottom = MAX (lost.bottom, need.bottom);
    }
  for (guint t = 0; t < pass->n_terms; t++)
    {
      const EskMargin need = esk_noise_margin (pass->terms[t]->kind);
      guint64 left, right, top, bottom;

      if (g_atomic_int_get (&pass->terms[t]->overflow)
          || !own_residuals (window->x, window->width, width, has->left, has->right, need.left, need.right, lost.left,
                             lost.right, &left, &right)
          || !own_residuals (window->y, window->height, height, has->top, has->bottom, need.top, need.bottom, lost.top,
                             lost.bottom, &top, &bottom))
        continue;
      if (!sum_residuals (lane, pass, context, t, tile, valid, left - x0, right - x0, top - y0, bottom - y0, error))
        return FALSE;
    }
  lane->noise_us += g_get_monotonic_time () - start;
  return TRUE;
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
  SumsLane *lane = data;
  SumsPass *pass = pass_data;
  int code = ESK_OK;

  if (pass->data != NULL)
    code = merge_into (pass->data, &lane->data, context);
  for (guint t = 0; t < pass->n_terms; t++)
    for (guint p = 0; p < n_parts (pass->terms[t]) && code == ESK_OK; p++)
      code = merge_into (&pass->terms[t]->sums[p], &lane->sums[t][p], context);
  return es_device_check (context->device, context->stream, code, _("the covariance sums"), error);
}

static gboolean
sums_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  SumsLane *lane = data;
  SumsPass *pass = pass_data;
  guint32 overflow[MOST_TERMS] = { 0 };

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
  SumsPass *pass = data;

  pass->noise_us = 0;
  if (pass->data != NULL)
    esk_covariance_reset (pass->data);
  for (guint t = 0; t < pass->n_terms; t++)
    {
      pass->terms[t]->overflow = 0;
      for (guint p = 0; p < n_parts (pass->terms[t]); p++)
        esk_covariance_reset (&pass->terms[t]->sums[p]);
    }
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
run_pass (SumsPass *pass, gboolean exact, GError **error)
{
  /* Integer totals are exact in any order and are gathered once a lane; float64 totals tile by tile, in order. */
  static const EsPass exact_pass = { lane_new, lane_free, sums_tile, NULL, sums_lane_done, .restart = forget_sums };
  static const EsPass float_pass = { lane_new, lane_free, sums_tile, sums_merge, sums_lane_done,
                                     .restart = forget_sums };
  EsDevice *device = es_job_get_device (pass->job);
  const EsLimits *limits = es_job_get_limits (pass->job);
  const gsize n = pass->reduction->n;
  const EskMargin margin = widest_margin (pass->terms, pass->n_terms);
  const gboolean cpu = es_device_is_cpu (device);
  gsize fixed = (pass->data != NULL) * n * n * sizeof (double), scratch = 0;

  for (guint t = 0; t < pass->n_terms; t++)
    fixed += n_parts (pass->terms[t]) * n * n * sizeof (double);
  if (cpu)
    {
      fixed += CPU_PIECE_BYTES;
      scratch = 2;
    }
  else if (pass->n_terms > 0)
    scratch = n * esk_type_size (pass->type) + 1;

  const EsTiling tiling = es_tiling_plan_with_margin (pass->cube, device, limits, scratch, fixed, &margin);
  pass->piece_bytes = MIN (DEVICE_PIECE_BYTES, es_device_get_room (device, limits) / 8);
  if (!tiling.resident)
    pass->piece_bytes = MIN (pass->piece_bytes, tiling.tile_width * tiling.tile_height * scratch);
  if (!es_pass_run (pass->job, pass->cube, &tiling, &pass->selection, exact ? &exact_pass : &float_pass, pass, error))
    return FALSE;
  if (cpu && pass->data != NULL && pass->n_terms > 0)
    es_job_add_stage_ms (pass->job, "noise", _("Noise"), pass->noise_us * 1e-3 / tiling.lanes);
  return TRUE;
}

gboolean
es_mnf_is_resident (EsJob *job, EsCube *cube, guint n)
{
  static const EskMargin margin = { 1, 1, 1, 1 };
  EsDevice *device = es_job_get_device (job);

  if (es_device_is_cpu (device))
    return FALSE;
  const EsTiling tiling = es_tiling_plan_with_margin (cube, device, es_job_get_limits (job), n * sizeof (float) + 1,
                                                      2 * (gsize) n * n * sizeof (double), &margin);
  return tiling.resident || es_resident_is_on (cube, device);
}

void
es_noise_term_clear (EsNoiseTerm *term)
{
  for (guint p = 0; p < 3; p++)
    esk_covariance_clear (&term->sums[p]);
}

static gboolean
init_term (EsNoiseTerm *term, gsize n, gboolean exact, gboolean split, const double *zeros, GError **error)
{
  es_noise_term_clear (term);
  term->split = split;
  term->overflow = 0;
  for (guint p = 0; p < n_parts (term); p++)
    if (init_sums (&term->sums[p], n, exact, zeros) != ESK_OK)
      return es_reduction_out_of_memory (_("the covariance sums"), error) != NULL;
  return TRUE;
}

gboolean
es_mnf_sum (EsJob *job, EsCube *cube, EsReduction *reduction, gboolean with_data, EsNoiseTerm *terms, guint n_terms,
            GError **error)
{
  const gsize n = reduction->n;
  const gboolean exact = es_reduction_sums_are_exact (cube, reduction);
  const gboolean integer = reduction->minimum != NULL || esk_type_is_exact (es_cube_get_type_code (cube));
  EsNoiseTerm *todo[MOST_TERMS];
  g_autofree double *shift = g_new0 (double, n), *zeros = g_new0 (double, n);
  g_autofree guint32 *identity = g_new (guint32, n);
  EskCovariance data = { 0 };
  SumsPass pass = {
    .job = job, .cube = cube, .reduction = reduction, .selection = es_reduction_selection (reduction),
    .identity = { identity, n, NULL, NULL, NULL }, .type = integer ? ESK_I16 : ESK_F32,
    .data = with_data ? &data : NULL, .terms = todo, .n_terms = n_terms,
  };
  gboolean done = TRUE;

  g_return_val_if_fail (n_terms <= MOST_TERMS, FALSE);
  for (gsize i = 0; i < n; i++)
    identity[i] = (guint32) i;
  for (guint t = 0; t < n_terms && done; t++)
    {
      todo[t] = &terms[t];
      done = init_term (&terms[t], n, exact, FALSE, zeros, error);
    }
  if (done && with_data)
    {
      const EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), 1, 0);

      done = exact || es_reduction_estimate_mean (job, cube, reduction, &tiling, shift, error);
      if (done && init_sums (&data, n, exact, shift) != ESK_OK)
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
        if (!init_term (&terms[t], n, exact, TRUE, zeros, error))
          return FALSE;
        todo[pass.n_terms++] = &terms[t];
      }
  return pass.n_terms == 0 || run_pass (&pass, exact, error);
}

/* ---- from sums to a covariance ---- */

/* r = 256 high + low, and s = high + low: r r' = 65536 hh + 256 (ss - hh - ll) + ll. */
static __int128
product_of (const EsNoiseTerm *term, gsize at)
{
  const EskCovariance *sums = term->sums;

  if (!term->split)
    return sums[0].integer_product[at];
  const __int128 high = sums[0].integer_product[at], low = sums[1].integer_product[at];
  return 65536 * high + 256 * (sums[2].integer_product[at] - high - low) + low;
}

static __int128
sum_of (const EsNoiseTerm *term, gsize at)
{
  return term->split ? 256 * (__int128) term->sums[0].integer_sum[at] + term->sums[1].integer_sum[at]
                     : term->sums[0].integer_sum[at];
}

gint64
es_noise_term_finish (const EsNoiseTerm *term, gboolean integer, double *covariance)
{
  const EskCovariance *sums = term->sums;
  const gsize n = sums[0].n_bands;
  const gint64 count = sums[0].count;
  const double divisor = esk_noise_divisor (term->kind, integer);

  for (gsize i = 0; i < n && count > 1; i++)
    for (gsize j = 0; j <= i; j++)
      {
        double value;

        if (sums[0].exact)
          /* Combined in 128 bits, rounded once. */
          value = (double) (count * product_of (term, i * n + j) - sum_of (term, i) * sum_of (term, j))
                  / ((double) count * (count - 1));
        else if (!term->split)
          value = (sums[0].product[i * n + j] - sums[0].sum[i] * sums[0].sum[j] / count) / (count - 1);
        else
          {
            const double high = sums[0].product[i * n + j], low = sums[1].product[i * n + j];
            const double product = 65536 * high + 256 * (sums[2].product[i * n + j] - high - low) + low;
            const double sum_i = 256 * sums[0].sum[i] + sums[1].sum[i], sum_j = 256 * sums[0].sum[j] + sums[1].sum[j];
            value = (product - sum_i * sum_j / count) / (count - 1);
          }
        covariance[i * n + j] = covariance[j * n + i] = value / divisor;
      }
  return count;
}
