/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which pixels of a cube are embedded; the others are placed among them. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-region.h"
#include "device/es-device-internal.h"

/* Superpixels are looked for in the first principal components of so many pixels, drawn at random. */
#define PLANES 3
#define PROBES 2000
/* How much a step of the grid weighs, in standard deviations of the first component. */
#define COMPACTNESS 0.5

void
es_manifold_subset_clear (EsManifoldSubset *self)
{
  g_clear_pointer (&self->pixels, g_free);
}

gsize
es_manifold_count_samples (EsParams *params, guint64 pixels)
{
  const gint64 wanted = es_params_get_int (params, "samples");

  return wanted > 0 ? MIN ((guint64) wanted, pixels) : pixels;
}

/* ---- at random ---- */

typedef struct
{
  guint64 key, pixel;
} Draw;

static gboolean
is_behind (const Draw *a, const Draw *b)
{
  return a->key != b->key ? a->key > b->key : a->pixel > b->pixel;
}

static void
sift_down (Draw *heap, gsize n, gsize i)
{
  for (;;)
    {
      gsize largest = i;

      for (gsize child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
        if (is_behind (&heap[child], &heap[largest]))
          largest = child;
      if (largest == i)
        return;
      const Draw swap = heap[i];
      heap[i] = heap[largest];
      heap[largest] = swap;
      i = largest;
    }
}

static int
compare_pixels (gconstpointer a, gconstpointer b)
{
  const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Each pixel has a number of its own by the seed; the least ones are drawn. */
guint64 *
es_manifold_draw (const guint32 *set, guint64 pixels, gsize wanted, guint64 seed, gsize *n)
{
  g_autofree Draw *heap = NULL;
  guint64 *out;
  gsize count = 0;

  for (guint64 word = 0; word <= pixels / 32; word++)
    count += (gsize) __builtin_popcount (set[word]);
  *n = wanted > 0 ? MIN (wanted, count) : count;
  out = g_new (guint64, *n + 1);
  if (*n == count)
    {
      for (guint64 pixel = 0, i = 0; pixel < pixels; pixel++)
        if (es_manifold_has_pixel (set, pixel))
          out[i++] = pixel;
      return out;
    }
  heap = g_new (Draw, *n);
  count = 0;
  for (guint64 pixel = 0; pixel < pixels; pixel++)
    {
      const Draw draw = { es_manifold_hash (seed, pixel), pixel };

      if (!es_manifold_has_pixel (set, pixel))
        continue;
      if (count < *n)
        {
          heap[count++] = draw;
          for (gsize i = count / 2; count == *n && i > 0; i--)
            sift_down (heap, count, i - 1);
        }
      else if (is_behind (&heap[0], &draw))
        {
          heap[0] = draw;
          sift_down (heap, count, 0);
        }
    }
  for (gsize i = 0; i < *n; i++)
    out[i] = heap[i].pixel;
  qsort (out, *n, sizeof *out, compare_pixels);
  return out;
}

/* ---- superpixels ---- */

typedef struct
{
  const EsManifoldBands *bands;
  float   *basis;              /* PLANES x bands */
  double  *mean;
  float   *values;             /* of all pixels, interleaved */
} ProjectPass;

static gpointer
project_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  gpointer lane = g_try_malloc (tiling->tile_width * tiling->tile_height * PLANES * sizeof (float));

  if (lane == NULL)
    es_compute_error_no_memory (_("a tile"), error);
  return lane;
}

static gboolean
project_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
              const guint8 *valid, gpointer data, GError **error)
{
  ProjectPass *pass = data;
  const EsManifoldBands *bands = pass->bands;
  const EskSelection selection = { bands->bands, bands->n, bands->no_data, NULL, NULL };
  const EskMatrix basis = { PLANES, bands->n, pass->basis };
  const gsize pixels = window->width * window->height;
  float *planes = lane;

  if (!es_device_check (context->device, context->stream,
                        context->hotspots->cube->project (context->stream, tile, &selection, valid, &basis, pass->mean,
                                                          planes, pixels),
                        _("the projection"), error))
    return FALSE;
  for (guint64 row = 0; row < window->height; row++)
    for (guint64 column = 0; column < window->width; column++)
      for (guint k = 0; k < PLANES; k++)
        pass->values[((window->y + row) * es_cube_get_width (bands->cube) + window->x + column) * PLANES + k]
          = planes[k * pixels + row * window->width + column];
  return TRUE;
}

/* Of stored values, as the hot spot has them: the scale of each band is folded in. */
static gboolean
find_basis (EsJob *job, const EsManifoldBands *bands, const guint32 *valid, guint64 seed, ProjectPass *pass,
            double *deviation, GError **error)
{
  const guint n = bands->n;
  gsize n_probes;
  g_autofree guint64 *pixels = es_manifold_draw (valid, bands->pixels, PROBES, seed, &n_probes);
  double *stored = es_manifold_gather (job, bands, pixels, n_probes, error);
  g_autofree double *reference = g_new (double, n);
  g_autofree float *spectra = NULL;
  g_autofree double *covariance = g_new (double, (gsize) n * n), *values = g_new (double, n);
  g_autofree double *vectors = g_new (double, (gsize) n * n);

  if (stored == NULL)
    return FALSE;
  es_manifold_find_reference (bands, stored, n_probes, reference);
  spectra = es_manifold_narrow (bands, stored, n_probes, reference);
  if (!es_manifold_covariance (job, spectra, n_probes, n, pass->mean, covariance, error)
      || !es_manifold_eigen (job, n, covariance, values, vectors, error))
    return FALSE;
  for (guint k = 0; k < PLANES; k++)
    for (guint b = 0; b < n; b++)
      pass->basis[(gsize) k * n + b] = k < n ? (float) (vectors[(gsize) k * n + b] * bands->scale[b]) : 0;
  for (guint b = 0; b < n; b++)
    pass->mean[b] = bands->scale[b] != 0 ? (pass->mean[b] + (reference[b] - bands->offset[b])) / bands->scale[b] : 0;
  *deviation = sqrt (fmax (values[0], 0));
  return TRUE;
}

/* Of each group the pixel that is nearest to its mean, the first of equal ones. */
static void
pick_pixels (const float *values, const gint32 *label, guint64 pixels, gsize n, EsManifoldSubset *out)
{
  g_autofree double *mean = g_new0 (double, n * PLANES), *least = g_new (double, n);
  g_autofree guint64 *count = g_new0 (guint64, n);

  for (guint64 pixel = 0; pixel < pixels; pixel++)
    if (label[pixel] >= 0)
      {
        count[label[pixel]]++;
        for (guint k = 0; k < PLANES; k++)
          mean[label[pixel] * PLANES + k] += values[pixel * PLANES + k];
      }
  out->n = n;
  out->pixels = g_new0 (guint64, n + 1);
  for (gsize i = 0; i < n; i++)
    least[i] = INFINITY;
  for (guint64 pixel = 0; pixel < pixels; pixel++)
    if (label[pixel] >= 0)
      {
        const gint32 i = label[pixel];
        double sum = 0;

        for (guint k = 0; k < PLANES; k++)
          {
            const double difference = values[pixel * PLANES + k] - mean[i * PLANES + k] / count[i];
            sum += difference * difference;
          }
        if (sum < least[i])
          {
            least[i] = sum;
            out->pixels[i] = pixel;
          }
      }
  qsort (out->pixels, n, sizeof *out->pixels, compare_pixels);
}

static gboolean
choose_superpixels (EsJob *job, const EsManifoldBands *bands, EsParams *params, const guint32 *valid,
                    EsManifoldSubset *out, GError **error)
{
  static const EsPass pass = { .lane_new = project_lane_new, .lane_free = g_free, .tile = project_tile };
  const guint64 pixels = bands->pixels, needed = pixels * (PLANES * sizeof (float) + sizeof (gint32));
  const EsTiling tiling = es_tiling_plan (bands->cube, es_device_get_cpu (), es_job_get_limits (job),
                                          1 + PLANES * sizeof (float), 0);
  const EskSelection selection = { bands->bands, bands->n, bands->no_data, NULL, NULL };
  g_autofree float *basis = g_new (float, (gsize) PLANES * bands->n);
  g_autofree double *mean = g_new (double, bands->n);
  ProjectPass data = { .bands = bands, .basis = basis, .mean = mean };
  double deviation;

  if (!es_limits_check_host_memory (es_job_get_limits (job), (EsMemoryShare) { 2, 2 }, needed, _("Superpixels"), error))
    return FALSE;
  g_autofree float *values = g_try_malloc (pixels * PLANES * sizeof (float));
  g_autofree gint32 *label = g_try_malloc (pixels * sizeof (gint32));
  if (values == NULL || label == NULL)
    return es_compute_error_no_memory (_("the superpixels"), error);
  data.values = values;
  if (!find_basis (job, bands, valid, (guint64) es_params_get_int (params, "seed"), &data, &deviation, error)
      || !es_pass_run_on_host (job, bands->cube, &tiling, &selection, &pass, &data, error))
    return FALSE;

  const gssize n = es_manifold_superpixels (values, valid, es_cube_get_width (bands->cube),
                                            es_cube_get_height (bands->cube), PLANES,
                                            es_manifold_count_samples (params, pixels), COMPACTNESS * deviation,
                                            es_device_get_lanes (es_device_get_cpu ()), es_job_get_cancellable (job),
                                            label);
  if (n < 0)
    return !es_job_is_cancelled (job, error);
  pick_pixels (values, label, pixels, (gsize) n, out);
  return TRUE;
}

/* ---- which of them ---- */

/* It is told of the whole cube, also where only a part of it is looked at. */
static EsRegion *
open_region (EsCube *cube, const char *text, GError **error)
{
  const EsCubeWindow place = es_cube_get_place (cube);

  if (*text == '\0')
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The parameter “region” is needed: the area that the samples are taken from."));
      return NULL;
    }
  g_autoptr (EsRegion) region = es_region_parse (text, error);
  return region != NULL ? es_region_shift (region, -(gint64) place.x, -(gint64) place.y) : NULL;
}

gboolean
es_manifold_choose (EsJob *job, const EsManifoldBands *bands, EsParams *params, guint32 **valid, EsManifoldSubset *out,
                    GError **error)
{
  const guint how = es_params_get_choice (params, "subset");
  const gint64 wanted = es_params_get_int (params, "samples");
  const char *name = es_dataset_get_name (ES_DATASET (bands->cube));
  g_autoptr (EsRegion) region = NULL;
  guint64 n = 0;

  if (how == ES_MANIFOLD_REGION
      && (region = open_region (bands->cube, es_params_get_text (params, "region"), error)) == NULL)
    return FALSE;
  *valid = es_manifold_find_valid (job, bands, region, &n, error);
  if (*valid == NULL)
    return FALSE;
  out->valid = n;
  if (n < 4)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE, "“%s” has %llu valid pixel to choose from: a manifold needs at least "
                                "four.", "“%s” has %llu valid pixels to choose from: a manifold needs at least four.",
                                (gulong) n), name, (unsigned long long) n);
      return FALSE;
    }
  if (how == ES_MANIFOLD_SUPERPIXELS && wanted > 0 && (guint64) wanted < n)
    return choose_superpixels (job, bands, params, *valid, out, error);
  out->pixels = es_manifold_draw (*valid, bands->pixels, wanted > 0 ? (gsize) wanted : 0,
                                  (guint64) es_params_get_int (params, "seed"), &out->n);
  return TRUE;
}
