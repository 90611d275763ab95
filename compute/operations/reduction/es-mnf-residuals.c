/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * What is taken for noise in a pass over the cube: the residuals of a tile, their sums, and from these a covariance.
 *
 * Residuals are made a few rows at a time, into memory that they share, and summed like any other samples: integers
 * exactly. Where a residual does not fit 16 bits the noise is summed again in three parts (es-hotspots.h), so that the
 * totals are the same integers on every device.
 */

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-mnf-pass-private.h"

#define PLANE_ROUND 128
#define SMALLEST_DEVICE_PIECE ((gsize) 8 << 20)

static const EskNoisePart parts[3] = { ESK_NOISE_HIGH, ESK_NOISE_LOW, ESK_NOISE_SUM };

/* ---- terms ---- */

guint
es_noise_term_n_parts (const EsNoiseTerm *term)
{
  return term->split ? 3 : 1;
}

int
es_noise_sums_init (EskCovariance *sums, gsize n, gboolean exact, const double *shift)
{
  const int code = esk_covariance_init (sums, n, exact, exact ? NULL : shift);

  sums->precise = !exact;
  return code;
}

void
es_noise_term_clear (EsNoiseTerm *term)
{
  for (guint p = 0; p < 3; p++)
    esk_covariance_clear (&term->sums[p]);
}

gboolean
es_noise_term_init (EsNoiseTerm *term, gsize n, gboolean exact, gboolean split, const double *zeros, GError **error)
{
  es_noise_term_clear (term);
  term->split = split;
  term->overflow = 0;
  for (guint p = 0; p < es_noise_term_n_parts (term); p++)
    if (es_noise_sums_init (&term->sums[p], n, exact, zeros) != ESK_OK)
      return es_reduction_out_of_memory (_("the covariance sums"), error) != NULL;
  return TRUE;
}

/* ---- residuals of a tile ---- */

gboolean
es_mnf_lane_take_scratch (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context, const EsTiling *tiling,
                          GError **error)
{
  const gsize n = pass->reduction->n, a_pixel = n * esk_type_size (pass->type) + 1;
  const gsize width = tiling->tile_width, most = width * tiling->tile_height;
  gsize bytes = es_device_is_cpu (context->device) ? ES_MNF_CPU_PIECE_BYTES : pass->piece_bytes;

  for (;; bytes /= 2)
    {
      const gboolean last = bytes <= MAX (SMALLEST_DEVICE_PIECE, width * a_pixel) || es_device_is_cpu (context->device);
      g_autoptr (GError) local_error = NULL;

      lane->pixels = CLAMP (bytes / a_pixel / width * width, width, most);
      lane->pixels = (lane->pixels + PLANE_ROUND - 1) / PLANE_ROUND * PLANE_ROUND;
      lane->scratch = es_buffer_new (context->device,
                                     lane->pixels * a_pixel + ES_MNF_MOST_TERMS * sizeof (guint32) + 256, &local_error);
      if (lane->scratch != NULL)
        return TRUE;
      if (last)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
    }
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
sum_residuals (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context, guint t, const EskTile *tile,
               const guint8 *valid, gsize left, gsize right, gsize top, gsize bottom, GError **error)
{
  EsNoiseTerm *term = pass->terms[t];
  const EskMargin need = esk_noise_margin (term->kind);
  const EskMargin margin = { left, need.top, tile->width - right, need.bottom };
  const gsize width = right - left, most_rows = MAX (lane->pixels / width, 1);
  const gsize stride = es_device_is_cpu (context->device) ? tile->width : (gsize) tile->row_stride;

  for (gsize y = top; y < bottom; y += most_rows)
    {
      const gsize rows = MIN (most_rows, bottom - y);
      const EskTile piece = es_mnf_part_of_tile (tile, 0, y - need.top, tile->width, need.top + rows + need.bottom);
      const guint8 *piece_valid = valid != NULL ? valid + (y - need.top) * stride : NULL;
      guint8 *out_valid = valid != NULL ? lane->valid : NULL;
      const EskTile out = {
        .data = es_buffer_get_data (lane->scratch), .type = pass->type, .width = width, .height = rows,
        .bands = pass->reduction->n, .column_stride = 1, .row_stride = (ptrdiff_t) width,
        .band_stride = (ptrdiff_t) ((width * rows + PLANE_ROUND - 1) / PLANE_ROUND * PLANE_ROUND),
      };

      if (es_job_is_cancelled (pass->job, error))
        return FALSE;
      for (guint p = 0; p < es_noise_term_n_parts (term); p++)
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
      if (es_device_is_cpu (context->device) && lane->overflow[t] != 0)
        {
          g_atomic_int_set (&term->overflow, 1);
          return TRUE;
        }
    }
  return TRUE;
}

gboolean
es_mnf_lane_sum_noise (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context, const EsCubeWindow *window,
                       const EskTile *tile, const guint8 *valid, GError **error)
{
  const EskMargin *has = &context->margin;
  const guint64 x0 = window->x - has->left, y0 = window->y - has->top;
  const guint64 width = es_cube_get_width (pass->cube), height = es_cube_get_height (pass->cube);
  EskMargin lost = { 0 };

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
