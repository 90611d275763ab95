/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The noise of a minimum noise fraction: from neighbouring pixels, a drawn region, a dark-current file or saved
 * statistics (hyperspectral.md 2.4, 9.9). */

#include "es-mnf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-region.h"
#include "readers/es-open.h"

#define PORTION_BYTES ((guint64) 8 << 20)

/* ---- where it comes from ---- */

static gboolean
open_file (EsMnfSource *self, EsCube *cube, const char *path, GError **error)
{
  const char *name = es_dataset_get_name (ES_DATASET (cube));
  g_autoptr (GFile) file = g_file_parse_name (path);

  if (*path == '\0')
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The parameter “noise-file” is needed: a dark-current cube, or the result.json of a minimum noise "
                     "fraction."));
      return FALSE;
    }
  self->name = es_error_file_name (file);
  if (es_noise_statistics_is_json (file))
    {
      self->statistics = es_noise_statistics_load (file, error);
      if (self->statistics != NULL)
        self->kind = self->statistics->kind;
      return self->statistics != NULL;
    }

  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, error);
  if (dataset == NULL)
    return FALSE;
  if (!ES_IS_CUBE (dataset))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("The dark-current file “%s” is not a cube."),
                 self->name);
  else if (es_cube_get_bands (ES_CUBE (dataset)) != es_cube_get_bands (cube))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The dark-current file “%s” has %u bands; “%s” has %u."), self->name,
                 es_cube_get_bands (ES_CUBE (dataset)), name, es_cube_get_bands (cube));
  else if (!es_wavelengths_agree (es_cube_get_wavelengths (ES_CUBE (dataset)), es_cube_get_wavelengths (cube),
                                  es_cube_get_bands (cube)))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The dark-current file “%s” has other wavelengths than “%s”."), self->name, name);
  else
    {
      self->dark = ES_CUBE (g_steal_pointer (&dataset));
      return TRUE;
    }
  return FALSE;
}

static gboolean
open_region (EsMnfSource *self, EsCube *cube, const char *text, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const EsCubeWindow place = es_cube_get_place (cube);
  const guint n = es_cube_get_n_good_bands (cube);

  if (*text == '\0')
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The parameter “region” is needed: a homogeneous area to take the noise from."));
      return FALSE;
    }
  g_autoptr (EsRegion) region = es_region_parse (text, error);
  if (region == NULL)
    return FALSE;
  /* It is told of the whole cube, also where only a part of it is looked at. */
  self->region = es_region_shift (region, -(gint64) place.x, -(gint64) place.y);

  const guint64 count = es_region_count (self->region, width, height);
  if (count > n)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
               _("The noise region holds %llu pixels of “%s”: the noise covariance of %u bands needs more than %u."),
               (unsigned long long) count, es_dataset_get_name (ES_DATASET (cube)), n, n);
  return FALSE;
}

gboolean
es_mnf_source_init (EsMnfSource *self, EsCube *cube, EsParams *params, GError **error)
{
  *self = (EsMnfSource) { .noise = es_params_get_choice (params, "noise"),
                          .direction = es_params_get_choice (params, "direction") };
  switch (self->noise)
    {
    case ES_MNF_SHIFT:
      self->kind = es_params_get_choice_id (params, "direction");
      return TRUE;
    case ES_MNF_REGION:
      self->kind = "region";
      return open_region (self, cube, es_params_get_text (params, "region"), error);
    case ES_MNF_FILE:
      self->kind = "dark-current";
      return open_file (self, cube, es_params_get_text (params, "noise-file"), error);
    default:
      self->kind = es_params_get_choice_id (params, "noise");
      return TRUE;
    }
}

void
es_mnf_source_clear (EsMnfSource *self)
{
  g_clear_object (&self->dark);
  g_clear_pointer (&self->statistics, es_noise_statistics_unref);
  g_clear_pointer (&self->name, g_free);
  if (self->region != NULL)
    es_region_unref (self->region);
  self->region = NULL;
}

/* ---- a region ---- */

/* Sums over the pixels of the region, by the CPU: it is a small part of the image. */
static gboolean
sum_region (EsJob *job, EsCube *cube, EsReduction *found, EsRegion *region, EskCovariance *sums, GError **error)
{
  EsDevice *cpu = es_device_get_cpu ();
  const EskHotspots *hotspots = es_device_get_hotspots (cpu);
  const EskSelection selection = es_reduction_selection (found);
  const guint64 pixel_bytes = es_cube_get_bands (cube) * esk_type_size (es_cube_get_type_code (cube));
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, error);
  EsCubeWindow all;
  EskStream *stream;
  gboolean done = TRUE;

  if (reader == NULL)
    return FALSE;
  if (!es_region_get_bounds (region, es_cube_get_width (cube), es_cube_get_height (cube), &all.x, &all.y, &all.width,
                             &all.height))
    return TRUE;

  const guint64 rows = CLAMP (PORTION_BYTES / (all.width * pixel_bytes), 1, all.height);
  g_autofree guint8 *valid = g_try_malloc (all.width * rows);
  stream = hotspots->stream->stream_new (es_device_get_index (cpu));
  es_job_watch_stream (job, hotspots, stream);
  done = (valid != NULL && stream != NULL) || es_compute_error_no_memory (_("a tile"), error);
  for (guint64 y = 0; done && y < all.height; y += rows)
    {
      const EsCubeWindow window = { all.x, all.y + y, all.width, MIN (rows, all.height - y) };
      EskTile tile;
      gsize n_valid;

      es_region_fill_mask (region, window.x, window.y, window.width, window.height, valid);
      done = !es_job_is_cancelled (job, error) && es_cube_reader_read (reader, &window, &tile, error)
             && es_cube_reader_mask (reader, &window, selection.bands, selection.n_bands, valid, error)
             && es_device_check (cpu, stream, hotspots->cube->valid_pixels (stream, &tile, &selection, valid, &n_valid),
                                 _("the valid pixels"), error)
             && es_device_check (cpu, stream, hotspots->cube->covariance_sums (stream, &tile, &selection, valid, sums),
                                 _("the noise"), error);
      es_job_set_fraction (job, (double) (y + window.height) / all.height);
    }
  if (stream != NULL)
    hotspots->stream->stream_free (stream);
  return done;
}

static gboolean
noise_of_region (EsJob *job, EsCube *cube, EsMnf *self, EsMnfSource *source, GError **error)
{
  EsReduction *found = self->found;
  const gboolean exact = es_reduction_sums_are_exact (cube, found);
  const EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), 1, 0);
  g_autofree double *shift = g_new0 (double, found->n), *mean = g_new (double, found->n);
  EskCovariance sums = { 0 };
  gboolean done;

  if (!exact && !es_reduction_estimate_mean (job, cube, found, &tiling, shift, error))
    return FALSE;
  if (esk_covariance_init (&sums, found->n, exact, exact ? NULL : shift) != ESK_OK)
    return es_reduction_out_of_memory (_("the covariance sums"), error) != NULL;
  sums.precise = !exact;
  done = sum_region (job, cube, found, source->region, &sums, error);
  self->noise->count = sums.count;
  if (done && sums.count > 1)
    esk_covariance_finish (&sums, mean, self->noise->covariance);
  esk_covariance_clear (&sums);
  return done;
}

/* ---- a dark-current file ---- */

static gboolean
noise_of_dark (EsJob *job, EsCube *cube, EsMnf *self, EsMnfSource *source, GError **error)
{
  EsReduction *found = self->found;
  const gsize n = found->n;
  g_autofree double *factor = g_new (double, n);
  g_autoptr (EsReduction) dark = es_reduction_new_for_bands (source->dark, es_job_get_limits (job), found->bands,
                                                             found->n, error);

  if (dark == NULL || !es_mnf_sum (job, source->dark, dark, TRUE, NULL, 0, error))
    return FALSE;
  /* In the values that the cube's are summed in. */
  for (gsize i = 0; i < n; i++)
    {
      const double own = es_cube_get_scale (cube, found->bands[i]);
      const double other = es_cube_get_scale (source->dark, found->bands[i]);

      factor[i] = own != 0 && other != own ? other / own : 1;
      if (found->minimum != NULL)
        factor[i] *= found->maximum[i] > found->minimum[i] ? 255 / (found->maximum[i] - found->minimum[i]) : 0;
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      self->noise->covariance[i * n + j] = dark->covariance[i * n + j] * factor[i] * factor[j];
  self->noise->count = dark->count;
  return TRUE;
}

/* ---- neighbouring pixels ---- */

static guint
noise_kinds (const EsMnfSource *source, EskNoiseKind *kinds)
{
  static const EskNoiseKind shifts[] = { ESK_NOISE_RIGHT, ESK_NOISE_LOWER, ESK_NOISE_LOWER_RIGHT };

  if (source->noise > ES_MNF_SHIFT)
    return 0;
  if (source->noise == ES_MNF_SHIFT && source->direction == ES_MNF_AVERAGE)
    {
      kinds[0] = ESK_NOISE_RIGHT;
      kinds[1] = ESK_NOISE_LOWER;
      return 2;
    }
  kinds[0] = source->noise == ES_MNF_MEAN ? ESK_NOISE_MEAN
             : source->noise == ES_MNF_MEDIAN ? ESK_NOISE_MEDIAN : shifts[source->direction];
  return 1;
}

static guint
add_term (EsNoiseTerm *terms, guint *n_terms, EskNoiseKind kind)
{
  for (guint t = 0; t < *n_terms; t++)
    if (terms[t].kind == kind)
      return t;
  terms[*n_terms] = (EsNoiseTerm) { .kind = kind };
  return (*n_terms)++;
}

/* The mean of the covariances of the terms, each by its own pairs; returns the pairs of all, or the fewest where some
 * term has fewer than two. */
static gint64
finish_terms (const EsNoiseTerm *terms, const guint *which, guint n_which, gboolean integer, gsize n,
              double *covariance)
{
  g_autofree double *one = NULL;
  gint64 count = 0;

  for (guint t = 0; t < n_which; t++)
    {
      const EsNoiseTerm *term = &terms[which[t]];
      double *target = covariance;

      if (term->sums[0].count < 2)
        return term->sums[0].count;
      if (t > 0)
        target = one != NULL ? one : (one = g_new0 (double, n * n));
      count += es_noise_term_finish (term, integer, target);
      for (gsize i = 0; t > 0 && i < n * n; i++)
        covariance[i] += one[i];
    }
  for (gsize i = 0; n_which > 1 && i < n * n; i++)
    covariance[i] /= n_which;
  return count;
}

/* ---- all of it ---- */

static gboolean
check_noise (EsCube *cube, EsMnf *self, EsMnfSource *source, GError **error)
{
  const char *name = es_dataset_get_name (ES_DATASET (cube));
  const long long count = self->noise->count;
  const guint n = self->noise->n;

  if (count > n)
    return TRUE;
  if (source->noise == ES_MNF_REGION)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("The noise region holds %lld valid pixels of “%s”: the noise covariance of %u bands needs more than "
                   "%u."), count, name, n, n);
  else if (source->noise == ES_MNF_FILE)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("The noise file “%s” holds %lld pixels: the noise covariance of %u bands needs more than %u."),
                 source->name, count, n, n);
  else if (count == 0 && source->noise == ES_MNF_SHIFT)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("“%s” has no pair of neighbouring pixels without no-data: there are no differences to take the "
                   "noise from."), name);
  else if (count == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("“%s” has no 3 by 3 pixels without no-data: there are no residuals to take the noise from."), name);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("The noise covariance of %u bands needs more than %u pairs or windows of pixels without no-data; "
                   "“%s” has %lld."), n, n, name, count);
  return FALSE;
}

/* What is known of the noise before the cube is summed. FALSE with error; *known: all of it is there. */
static gboolean
noise_beforehand (EsJob *job, EsCube *cube, EsMnf *self, EsMnfSource *source, gboolean *known, GError **error)
{
  EsReduction *found = self->found;
  gboolean done;

  *known = source->noise > ES_MNF_SHIFT;
  if (source->statistics != NULL)
    {
      if (!es_noise_statistics_fit (source->statistics, source->name, cube, found->n, found->bands, found->minimum,
                                    found->maximum, error))
        return FALSE;
      self->noise = es_noise_statistics_ref (source->statistics);
      return TRUE;
    }
  self->noise = es_noise_statistics_new (cube, source->kind, found->n, found->bands, found->minimum, found->maximum);
  if (self->noise == NULL)
    return es_reduction_out_of_memory (_("the noise"), error) != NULL;
  if (!*known)
    return TRUE;
  es_job_begin_stage (job, "noise", _("Noise"), ES_MNF_WEIGHT_NOISE);
  done = source->region != NULL ? noise_of_region (job, cube, self, source, error)
                                : noise_of_dark (job, cube, self, source, error);
  return done && check_noise (cube, self, source, error);
}

static gboolean
sum_apart (EsJob *job, EsCube *cube, EsReduction *found, gboolean with_data, EsNoiseTerm *terms, guint n_terms,
           GError **error)
{
  const gboolean fused = with_data && n_terms > 0;
  const gboolean gpu = es_device_get_kind (es_job_get_device (job)) == ES_DEVICE_GPU;

  /* Of what passes by on a GPU nobody knows what took how long. */
  if (with_data)
    es_job_begin_stage (job, "covariance", fused && gpu ? _("Covariance and noise") : _("Covariance"),
                        ES_MNF_WEIGHT_COVARIANCE + (fused ? ES_MNF_WEIGHT_NOISE : 0));
  else
    es_job_begin_stage (job, "noise", _("Noise"), ES_MNF_WEIGHT_NOISE);
  return es_mnf_sum (job, cube, found, with_data, terms, n_terms, error);
}

gboolean
es_mnf_find_sums (EsJob *job, EsCube *cube, EsMnf *self, EsMnfSource *source, EsParams *params, gboolean with_data,
                  gboolean with_delta, EsMnfNoiseTask **task, GError **error)
{
  EsReduction *found = self->found;
  const gsize n = found->n;
  const gboolean integer = found->minimum != NULL || esk_type_is_exact (es_cube_get_type_code (cube));
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const gboolean overlap = es_params_get_bool (params, "overlap") || !es_mnf_solves_together (job, jacobi);
  EsNoiseTerm terms[3] = { 0 };
  EskNoiseKind kinds[2];
  guint noise_terms[2], delta_terms[2], n_terms = 0, n_noise;
  gboolean known, done;

  if (!noise_beforehand (job, cube, self, source, &known, error))
    return FALSE;
  n_noise = noise_kinds (source, kinds);
  for (guint t = 0; t < n_noise; t++)
    noise_terms[t] = add_term (terms, &n_terms, kinds[t]);
  if (with_delta)
    {
      delta_terms[0] = add_term (terms, &n_terms, ESK_NOISE_RIGHT);
      delta_terms[1] = add_term (terms, &n_terms, ESK_NOISE_LOWER);
      self->delta = g_try_new0 (double, n * n);
      if (self->delta == NULL)
        return es_reduction_out_of_memory (_("the noise"), error) != NULL;
    }

  /* Of a cube that stays on the cards the noise comes first, so that the host has its eigenproblem to solve while they
   * sum the rest. */
  const gboolean apart = with_data && n_terms > 0 && es_mnf_is_resident (job, cube, found->n);
  done = TRUE;
  if (known && overlap && with_data)
    *task = es_mnf_noise_task_start (job, self, jacobi, TRUE);
  if (apart || (n_terms > 0 && !with_data))
    done = sum_apart (job, cube, found, FALSE, terms, n_terms, error);
  else if (with_data)
    done = sum_apart (job, cube, found, TRUE, terms, n_terms, error);

  if (done && n_noise > 0)
    {
      self->noise->count = finish_terms (terms, noise_terms, n_noise, integer, n, self->noise->covariance);
      done = check_noise (cube, self, source, error);
    }
  if (done && with_delta)
    {
      const gint64 count = finish_terms (terms, delta_terms, 2, integer, n, self->delta);
      if (count < 2)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                       _("“%s” has no neighbouring pixels without no-data: there is no spatial coherence."),
                       es_dataset_get_name (ES_DATASET (cube)));
          done = FALSE;
        }
    }
  for (guint t = 0; t < n_terms; t++)
    es_noise_term_clear (&terms[t]);
  if (done && apart)
    {
      if (overlap && *task == NULL)
        *task = es_mnf_noise_task_start (job, self, jacobi, TRUE);
      done = sum_apart (job, cube, found, TRUE, NULL, 0, error);
    }
  return done;
}
