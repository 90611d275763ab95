/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A reduction of a cube along a manifold, whatever the method: the samples, their neighbours, their embedding, how good
 * it is, and every pixel placed among them.
 */

#include "es-manifold-private.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-manifold-operations-internal.h"

/* Of the deviation of a band's values, by rounding them to float32. */
#define MOST_ROUNDING 1e-3

/* How long the stages take, for the progress. */
#define WEIGHT_SAMPLES 0.05
#define WEIGHT_NEIGHBOURS 0.2
#define WEIGHT_EMBEDDING 0.3
#define WEIGHT_QUALITY 0.2
#define WEIGHT_TRANSFORM 0.25

void
es_embedding_free (EsEmbedding *self)
{
  if (self == NULL)
    return;
  g_free (self->coordinates);
  g_free (self->values);
  if (self->free_state != NULL && self->state != NULL)
    self->free_state (self->state);
  g_free (self);
}

void
es_manifold_warn (EsManifoldRun *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->warnings, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static void
run_clear (EsManifoldRun *self)
{
  if (self->inner.spectra != self->samples.spectra)
    {
      g_free (self->inner.spectra);
      g_free (self->inner.pixels);
    }
  g_free (self->samples.spectra);
  es_manifold_subset_clear (&self->subset);
  es_manifold_bands_clear (&self->bands);
  es_manifold_preparation_clear (&self->preparation);
  g_free (self->valid);
  g_free (self->spectra);
  g_free (self->beside);
  g_free (self->part_sizes);
  g_free (self->embedded);
  g_clear_pointer (&self->graph, es_neighbours_unref);
  g_clear_pointer (&self->inner_graph, es_neighbours_unref);
  g_clear_pointer (&self->embedding, es_embedding_free);
  g_clear_object (&self->quality);
  g_clear_pointer (&self->quality_values, json_object_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsManifoldRun, run_clear)

static const EsManifoldKind *
find_kind (const EsOperation *operation)
{
  for (guint i = 0; es_manifold_kinds[i] != NULL; i++)
    if (es_manifold_kinds[i]->operation == operation)
      return es_manifold_kinds[i];
  g_return_val_if_reached (NULL);
}

/* ---- the samples ---- */

/* Of each sample the spectrum of its lower right neighbour, from which noise is told. */
static gboolean
read_beside (EsManifoldRun *self, GError **error)
{
  const guint64 width = es_cube_get_width (self->cube), height = es_cube_get_height (self->cube);
  const gsize n = self->subset.n, bands = self->bands.n;
  g_autofree guint64 *pixels = g_new (guint64, n + 1);
  g_autofree gsize *of = g_new (gsize, n + 1);
  g_autofree float *values = NULL;
  gsize count = 0;

  for (gsize i = 0; i < n; i++)
    {
      const guint64 x = self->subset.pixels[i] % width, y = self->subset.pixels[i] / width;
      const guint64 beside = self->subset.pixels[i] + width + 1;

      if (x + 1 >= width || y + 1 >= height || !es_manifold_has_pixel (self->valid, beside))
        continue;
      of[count] = i;
      pixels[count++] = beside;
    }
  values = es_manifold_gather (self->job, &self->bands, pixels, count, error);
  self->beside = g_try_new (float, n * bands);
  if (values == NULL)
    return FALSE;
  if (self->beside == NULL)
    return es_compute_error_no_memory (_("the spectra of the samples"), error);
  for (gsize i = 0; i < n; i++)
    self->beside[i * bands] = NAN;
  for (gsize i = 0; i < count; i++)
    memcpy (self->beside + of[i] * bands, values + i * bands, bands * sizeof (float));
  return TRUE;
}

static gboolean
are_all_alike (const EsManifoldSamples *samples)
{
  for (gsize i = 1; i < samples->n; i++)
    for (guint b = 0; b < samples->bands; b++)
      if (samples->spectra[i * samples->bands + b] != samples->spectra[b])
        return FALSE;
  return TRUE;
}

/* Values of float64 beyond float32, or bands that hardly vary and are made to. */
static gboolean
check_finite (EsManifoldRun *self, GError **error)
{
  const EsManifoldSamples *samples = &self->samples;
  const guint64 width = es_cube_get_width (self->cube);

  for (gsize i = 0; i < samples->n * samples->bands; i++)
    if (!isfinite (samples->spectra[i]))
      {
        const guint64 pixel = samples->pixels[i / samples->bands];

        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s” holds a spectrum (pixel %" PRIu64 ", %" PRIu64 ") that is not finite "
                       "in float32 once it is scaled: its values are too large, or bands vary too little."),
                     es_dataset_get_name (ES_DATASET (self->cube)), pixel % width, pixel / width);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_memory (EsManifoldRun *self, GError **error)
{
  const EsPlan plan = self->kind->operation->plan (ES_DATASET (self->cube), self->params,
                                                   es_job_get_device (self->job), es_job_get_limits (self->job));
  const gsize n = es_manifold_count_samples (self->params, self->bands.pixels);
  g_autofree char *what = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The embedding of %zu sample",
                                                        "The embedding of %zu samples", n), n);

  return es_limits_check_host_memory (es_job_get_limits (self->job), (EsMemoryShare) { 1, 1 }, plan.memory, what,
                                      error);
}

/* Distances are of float32: told where values that are stored more finely lose what they vary by. */
static void
warn_of_rounding (EsManifoldRun *self)
{
  const char *type = es_cube_get_type_name (self->cube);
  const gsize n = self->subset.n, n_bands = self->bands.n;
  guint rounded = 0;

  if (strcmp (type, "float32") == 0 || (strstr (type, "32") == NULL && strstr (type, "64") == NULL))
    return;
  for (gsize b = 0; b < n_bands; b++)
    {
      double mean = 0, square = 0, largest = 0;

      for (gsize i = 0; i < n; i++)
        {
          mean += self->spectra[i * n_bands + b] / (double) n;
          largest = MAX (largest, fabs ((double) self->spectra[i * n_bands + b]));
        }
      for (gsize i = 0; i < n; i++)
        square += (self->spectra[i * n_bands + b] - mean) * (self->spectra[i * n_bands + b] - mean) / (double) n;
      rounded += largest * FLT_EPSILON / 2 > MOST_ROUNDING * sqrt (square);
    }
  if (rounded > 0)
    es_manifold_warn (self, _("In %u of %zu bands of “%s” values lie so far from 0 that float32, which distances are "
                              "taken in, rounds off more than a thousandth of their deviation: what is told of "
                              "neighbours may be wrong. Subtracting what is the same everywhere helps."),
                      rounded, n_bands, es_dataset_get_name (ES_DATASET (self->cube)));
}

static gboolean
find_samples (EsManifoldRun *self, GError **error)
{
  const gboolean compare = es_params_get_bool (self->params, "compare");
  EsManifoldSamples *samples = &self->samples;

  es_job_begin_stage (self->job, "samples", _("Samples"), WEIGHT_SAMPLES);
  if (!es_manifold_bands_init (&self->bands, self->cube, error)
      || !check_memory (self, error)
      || !es_manifold_choose (self->job, &self->bands, self->params, &self->valid, &self->subset, error))
    return FALSE;
  self->spectra = es_manifold_gather (self->job, &self->bands, self->subset.pixels, self->subset.n, error);
  if (self->spectra == NULL || (compare && !read_beside (self, error))
      || !es_manifold_preparation_init (&self->preparation, self->job, es_params_get_choice (self->params, "scaling"),
                                        self->spectra, self->subset.n, self->bands.n, error))
    return FALSE;
  *samples = (EsManifoldSamples) { .n = self->subset.n, .bands = self->preparation.n, .pixels = self->subset.pixels };
  samples->spectra = g_try_new (float, samples->n * samples->bands);
  if (samples->spectra == NULL)
    return es_compute_error_no_memory (_("the spectra of the samples"), error);
  es_manifold_prepare (&self->preparation, self->spectra, samples->n, samples->spectra);
  warn_of_rounding (self);
  if (!check_finite (self, error))
    return FALSE;
  if (!are_all_alike (samples))
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
               _("All %zu samples of “%s” are the same spectrum: there is nothing to reduce."),
               samples->n, es_dataset_get_name (ES_DATASET (self->cube)));
  return FALSE;
}

/* ---- the run ---- */

static gboolean
find_graph (EsManifoldRun *self, GError **error)
{
  if (!es_manifold_find_graph (self, error))
    return FALSE;
  if (self->inner.n == self->samples.n || !are_all_alike (&self->inner))
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
               _("The largest part of the graph, %zu of %zu samples of “%s”, is one spectrum: there is nothing to "
                 "reduce. More neighbours may join its parts."),
               self->inner.n, self->samples.n, es_dataset_get_name (ES_DATASET (self->cube)));
  return FALSE;
}

static gboolean
embed (EsManifoldRun *self, GError **error)
{
  EsManifoldInput input = {
    .job = self->job, .device = es_job_get_device (self->job), .threads = self->threads, .samples = &self->inner,
    .graph = self->inner_graph, .params = self->params, .m = self->m,
    .seed = (guint64) es_params_get_int (self->params, "seed"),
  };

  es_job_begin_stage (self->job, "embedding", _("Embedding"), WEIGHT_EMBEDDING);
  self->embedding = self->kind->method->embed (&input, error);
  if (self->embedding == NULL)
    return FALSE;
  if (self->embedding->m < self->m)
    es_manifold_warn (self, _("%u dimensions were asked for; the samples have %u."), self->m, self->embedding->m);
  self->m = self->embedding->m;
  return TRUE;
}

static void
choose_dimensions (EsManifoldRun *self)
{
  const guint wanted = (guint) es_params_get_int (self->params, "dimensions");

  self->m = (guint) MIN (wanted, self->subset.n - 2);
  if (self->m < wanted)
    es_manifold_warn (self, _("%u dimensions were asked for; %zu samples have room for %u."), wanted,
                      self->subset.n, self->m);
}

EsResult *
es_manifold_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  const EsLimits *limits = es_job_get_limits (job);
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());
  g_auto (EsManifoldRun) self = {
    .job = job, .cube = ES_CUBE (dataset), .params = params, .kind = find_kind (es_job_get_operation (job)),
    .threads = limits->threads > 0 ? MIN (limits->threads, lanes) : lanes,
    .warnings = g_ptr_array_new_with_free_func (g_free),
  };
  g_autoptr (EsImageStack) stack = NULL;
  const gboolean compare = es_params_get_bool (params, "compare");

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_set_total_weight (job, WEIGHT_SAMPLES + WEIGHT_NEIGHBOURS + WEIGHT_EMBEDDING + WEIGHT_TRANSFORM
                                + (compare ? WEIGHT_QUALITY : 0));
  if (!find_samples (&self, error))
    return NULL;
  choose_dimensions (&self);
  self.k = self.kind->method->needs_graph ? (guint) es_params_get_int (params, "neighbours") : 0;
  es_job_begin_stage (job, "neighbours", _("Nearest neighbours"), WEIGHT_NEIGHBOURS);
  if (!find_graph (&self, error) || !embed (&self, error))
    return NULL;
  if (compare)
    {
      es_job_begin_stage (job, "quality", _("Quality"), WEIGHT_QUALITY);
      if (!es_manifold_judge (&self, error))
        return NULL;
    }
  es_job_begin_stage (job, "transform", _("Transform"), WEIGHT_TRANSFORM);
  stack = es_manifold_extend (&self, error);
  return stack != NULL ? es_manifold_describe (&self, stack) : NULL;
}
