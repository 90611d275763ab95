/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A reduction of a cube along a manifold, whatever the method: the samples, their neighbours, their embedding, how good
 * it is, and every pixel placed among them.
 */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-manifold-operations-internal.h"

/* Of so many samples it is looked at what float32 makes of their distance from one that is as far away as so many
 * nearest of all samples; more than a hundredth is much, and more than so many of them are some. */
#define EXACTLY 256
#define NEIGHBOURS 10
#define MOST_ROUNDING 0.01
#define SHARE_ROUNDED 0.05

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
  g_free (self->joining_told);
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
  values = es_manifold_narrow (&self->bands, es_manifold_gather (self->job, &self->bands, pixels, count, error), count,
                               self->bands.reference);
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

/* Some samples in float64, from which it is told what float32 keeps of their distances: physical. */
static double *
take_exactly (const EsManifoldRun *self, const double *stored, gsize n)
{
  const EsManifoldBands *bands = &self->bands;
  double *physical = g_new (double, n * bands->n);

  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < bands->n; b++)
      physical[i * bands->n + b] = stored[i * self->subset.n / n * bands->n + b] * bands->scale[b] + bands->offset[b];
  return physical;
}

typedef struct
{
  double distance;
  gsize  other;
} Exact;

static int
compare_exact (gconstpointer a, gconstpointer b)
{
  const Exact *x = a, *y = b;

  return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static double
find_distance (const float *a, const float *b, guint bands)
{
  double sum = 0;

  for (guint i = 0; i < bands; i++)
    sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
  return sqrt (sum);
}

/* Whether the distance of one of n samples (`exact`: n x samples->bands) from another one of them, about as far away as
 * its neighbours among all samples, is wrong as distances are taken. all: n of them, to work with. */
static gboolean
is_rounded (const EsManifoldSamples *samples, const double *exact, gsize n, gsize i, Exact *all)
{
  const guint bands = samples->bands;
  const float *rows = samples->spectra;
  const Exact *one;
  gsize count = 0;

  for (gsize j = 0; j < n; j++)
    {
      double sum = 0;

      for (guint b = 0; b < bands; b++)
        sum += (exact[i * bands + b] - exact[j * bands + b]) * (exact[i * bands + b] - exact[j * bands + b]);
      /* Twins are told to be twins. */
      if (sum > 0 && isfinite (sum))
        all[count++] = (Exact) { sqrt (sum), j };
    }
  if (count == 0)
    return FALSE;
  qsort (all, count, sizeof *all, compare_exact);
  one = &all[MIN (NEIGHBOURS * n / samples->n, count - 1)];
  return fabs (find_distance (rows + i * samples->n / n * bands, rows + one->other * samples->n / n * bands, bands)
               - one->distance) > MOST_ROUNDING * one->distance;
}

/* Distances are taken in float32: told where that loses what spectra vary by, as it does within groups of pixels that
 * lie far from each other. */
static void
warn_of_rounding (EsManifoldRun *self, const double *physical, gsize n)
{
  g_autofree double *exact = g_new (double, n * self->samples.bands);
  g_autofree Exact *all = g_new (Exact, n);
  gsize rounded = 0;

  es_manifold_prepare_exactly (&self->preparation, physical, n, exact);
  for (gsize i = 0; i < n; i++)
    rounded += is_rounded (&self->samples, exact, n, i, all);
  self->rounded = (double) rounded > SHARE_ROUNDED * (double) n;
  if (self->rounded)
    es_manifold_warn (self, _("Some spectra of “%s” lie so far from others that float32, which distances are taken in, "
                              "rounds off what neighbours differ by: of %zu that were looked at, distances of %zu from "
                              "their neighbours are wrong by more than a hundredth, and what is told of neighbours may "
                              "be wrong, too. A selection that leaves out those that lie far away helps."),
                      es_dataset_get_name (ES_DATASET (self->cube)), n, rounded);
}

/* Spectra that are one in float32 alone. */
static gboolean
refuse_rounded (EsManifoldRun *self, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
               _("Some spectra of “%s” lie so far from others that float32, which distances are taken in, has no "
                 "digits left for what tells neighbours apart: a selection that leaves out those that lie far away "
                 "helps."),
               es_dataset_get_name (ES_DATASET (self->cube)));
  return FALSE;
}

/* Their spectra in float32, less a reference that they tell; *exactly: of *n_exactly of them in float64. */
static gboolean
read_samples (EsManifoldRun *self, double **exactly, gsize *n_exactly, GError **error)
{
  const gsize n = self->subset.n;
  double *stored = es_manifold_gather (self->job, &self->bands, self->subset.pixels, n, error);

  if (stored == NULL)
    return FALSE;
  *n_exactly = MIN (n, EXACTLY);
  *exactly = take_exactly (self, stored, *n_exactly);
  es_manifold_find_reference (&self->bands, stored, n, self->bands.reference);
  self->spectra = es_manifold_narrow (&self->bands, stored, n, self->bands.reference);
  return TRUE;
}

static gboolean
find_samples (EsManifoldRun *self, GError **error)
{
  const gboolean compare = es_params_get_bool (self->params, "compare");
  EsManifoldSamples *samples = &self->samples;
  g_autofree double *exactly = NULL;
  gsize n_exactly = 0;

  es_job_begin_stage (self->job, "samples", _("Samples"), WEIGHT_SAMPLES);
  if (!es_manifold_bands_init (&self->bands, self->cube, error)
      || !check_memory (self, error)
      || !es_manifold_choose (self->job, &self->bands, self->params, &self->valid, &self->subset, error))
    return FALSE;
  if (!read_samples (self, &exactly, &n_exactly, error) || (compare && !read_beside (self, error))
      || !es_manifold_preparation_init (&self->preparation, self->job, es_params_get_choice (self->params, "scaling"),
                                        self->spectra, self->bands.reference, self->subset.n, self->bands.n, error))
    return FALSE;
  *samples = (EsManifoldSamples) { .n = self->subset.n, .bands = self->preparation.n, .pixels = self->subset.pixels,
                                   .origin = es_manifold_preparation_get_origin (&self->preparation) };
  samples->spectra = g_try_new (float, samples->n * samples->bands);
  if (samples->spectra == NULL)
    return es_compute_error_no_memory (_("the spectra of the samples"), error);
  es_manifold_prepare (&self->preparation, self->spectra, samples->n, samples->spectra);
  if (!check_finite (self, error))
    return FALSE;
  warn_of_rounding (self, exactly, n_exactly);
  if (!are_all_alike (samples))
    return TRUE;
  if (self->rounded)
    return refuse_rounded (self, error);
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
  if (self->rounded)
    return refuse_rounded (self, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
               _("The largest part of the graph, %zu of %zu samples of “%s”, is one spectrum: there is nothing to "
                 "reduce. %s"),
               self->inner.n, self->samples.n, es_dataset_get_name (ES_DATASET (self->cube)), self->joining_told);
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
