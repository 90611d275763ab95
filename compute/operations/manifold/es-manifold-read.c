/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which pixels of a cube count, and their spectra. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-region.h"
#include "device/es-device-internal.h"

gboolean
es_manifold_bands_init (EsManifoldBands *self, EsCube *cube, GError **error)
{
  const gboolean *good = es_cube_get_good_bands (cube);
  const guint n = es_cube_get_n_good_bands (cube);

  *self = (EsManifoldBands) { .cube = cube, .pixels = es_cube_get_width (cube) * es_cube_get_height (cube) };
  if (n == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("“%s” has no good band of %u: there are no spectra to be compared."),
                   es_dataset_get_name (ES_DATASET (cube)), es_cube_get_bands (cube));
      return FALSE;
    }
  self->bands = g_new (guint32, n);
  self->no_data = g_new (double, n);
  self->scale = g_new (double, n);
  self->offset = g_new (double, n);
  self->reference = g_new0 (double, n);
  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    if (good[band])
      {
        if (!es_cube_get_no_data (cube, band, &self->no_data[self->n]))
          self->no_data[self->n] = NAN;
        self->scale[self->n] = es_cube_get_scale (cube, band);
        self->offset[self->n] = es_cube_get_offset (cube, band);
        self->bands[self->n++] = band;
      }
  return TRUE;
}

void
es_manifold_bands_clear (EsManifoldBands *self)
{
  g_clear_pointer (&self->bands, g_free);
  g_clear_pointer (&self->no_data, g_free);
  g_clear_pointer (&self->scale, g_free);
  g_clear_pointer (&self->offset, g_free);
  g_clear_pointer (&self->reference, g_free);
}

gboolean
es_manifold_has_pixel (const guint32 *set, guint64 pixel)
{
  return set[pixel >> 5] >> (pixel & 31) & 1;
}

/* ---- the pixels that count ---- */

typedef struct
{
  const EsManifoldBands *bands;
  EskSelection  selection;
  EsRegion     *region;
  guint32      *set;
  guint64       n;                         /* atomic */
} ValidPass;

static gboolean
valid_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
            const guint8 *valid, gpointer data, GError **error)
{
  ValidPass *pass = data;
  const guint64 width = es_cube_get_width (pass->bands->cube);
  g_autofree guint8 *mask = NULL;
  guint64 n = 0;

  if (pass->region != NULL)
    {
      mask = g_malloc (window->width * window->height);
      es_region_fill_mask (pass->region, window->x, window->y, window->width, window->height, mask);
    }
  for (guint64 row = 0; row < window->height; row++)
    for (guint64 column = 0; column < window->width; column++)
      {
        const guint64 pixel = (window->y + row) * width + window->x + column;
        const gsize i = row * window->width + column;

        if (valid[i] == 0 || (mask != NULL && mask[i] == 0))
          continue;
        __atomic_fetch_or (&pass->set[pixel >> 5], 1u << (pixel & 31), __ATOMIC_RELAXED);
        n++;
      }
  __atomic_fetch_add (&pass->n, n, __ATOMIC_RELAXED);
  return TRUE;
}

guint32 *
es_manifold_find_valid (EsJob *job, const EsManifoldBands *bands, EsRegion *region, guint64 *n, GError **error)
{
  static const EsPass pass = { .tile = valid_tile };
  const EsTiling tiling = es_tiling_plan (bands->cube, es_device_get_cpu (), es_job_get_limits (job), 2, 0);
  ValidPass data = { .bands = bands, .region = region,
                     .selection = { bands->bands, bands->n, bands->no_data, NULL, NULL } };
  g_autofree guint32 *set = g_try_new0 (guint32, bands->pixels / 32 + 1);

  if (set == NULL)
    {
      es_compute_error_no_memory (_("the set of pixels"), error);
      return NULL;
    }
  data.set = set;
  if (!es_pass_run_on_host (job, bands->cube, &tiling, &data.selection, &pass, &data, error))
    return NULL;
  *n = data.n;
  return g_steal_pointer (&set);
}

/* ---- their spectra ---- */

typedef struct
{
  const EsManifoldBands *bands;
  const guint64 *pixels;
  gsize          n;
  double        *values;
} GatherPass;

static gpointer
gather_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  const GatherPass *pass = data;

  return g_new (double, es_cube_get_bands (pass->bands->cube));
}

/* The first of the pixels that is not below. */
static gsize
find_pixel (const GatherPass *pass, guint64 pixel)
{
  gsize low = 0, high = pass->n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;

      if (pass->pixels[middle] < pixel)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
gather_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
             const guint8 *valid, gpointer data, GError **error)
{
  GatherPass *pass = data;
  const EsManifoldBands *bands = pass->bands;
  const guint64 width = es_cube_get_width (bands->cube);
  double *stored = lane;

  for (guint64 row = 0; row < window->height; row++)
    {
      const guint64 first = (window->y + row) * width + window->x;

      for (gsize i = find_pixel (pass, first); i < pass->n && pass->pixels[i] < first + window->width; i++)
        {
          double *out = pass->values + i * bands->n;

          esk_convert_pixel (tile, pass->pixels[i] - first, row, stored);
          for (guint b = 0; b < bands->n; b++)
            out[b] = stored[bands->bands[b]];
        }
    }
  return TRUE;
}

double *
es_manifold_gather (EsJob *job, const EsManifoldBands *bands, const guint64 *pixels, gsize n, GError **error)
{
  static const EsPass pass = { .lane_new = gather_lane_new, .lane_free = g_free, .tile = gather_tile };
  const EsTiling tiling = es_tiling_plan (bands->cube, es_device_get_cpu (), es_job_get_limits (job), 0,
                                          es_cube_get_bands (bands->cube) * sizeof (double));
  g_autofree double *values = g_try_new (double, n * bands->n + 1);
  GatherPass data = { bands, pixels, n, values };

  if (values == NULL)
    {
      es_compute_error_no_memory (_("the spectra of the samples"), error);
      return NULL;
    }
  if (!es_pass_run_on_host (job, bands->cube, &tiling, NULL, &pass, &data, error))
    return NULL;
  return g_steal_pointer (&values);
}

void
es_manifold_convert (const EsManifoldBands *bands, const EskTile *tile, float *values)
{
  const gsize pixels = tile->width * tile->height;
  float *plane = values + pixels * bands->n;

  for (guint b = 0; b < bands->n; b++)
    {
      /* As es_manifold_narrow () has it: a pixel and a sample that are the same are twins. */
      esk_convert_band (tile, bands->bands[b], bands->no_data[b], bands->scale[b],
                        bands->offset[b] - bands->reference[b], plane);
      for (gsize i = 0; i < pixels; i++)
        values[i * bands->n + b] = plane[i];
    }
}
