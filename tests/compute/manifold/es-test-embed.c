/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-embed.h"

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-test-scene.h"

/* ---- points ---- */

EsTestPoints *
es_test_points_new (gsize n, guint bands, guint n_truth)
{
  EsTestPoints *self = g_new0 (EsTestPoints, 1);

  self->samples = (EsManifoldSamples) { n, bands, g_new0 (float, n * bands), g_new0 (guint64, n) };
  for (gsize i = 0; i < n; i++)
    self->samples.pixels[i] = i;
  self->n_truth = n_truth;
  self->truth = g_new0 (double, n * n_truth);
  return self;
}

void
es_test_points_free (EsTestPoints *self)
{
  g_free (self->samples.spectra);
  g_free (self->samples.pixels);
  g_free (self->truth);
  g_free (self);
}

/* Length of the spiral r = t from 0 to t. */
static double
spiral_length (double t)
{
  return 0.5 * (t * sqrt (1 + t * t) + asinh (t));
}

EsTestPoints *
es_test_swiss_roll (gsize n, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  EsTestPoints *self = es_test_points_new (n, 3, 2);
  const double from = spiral_length (1.5 * G_PI), to = spiral_length (4.5 * G_PI);

  for (gsize i = 0; i < n; i++)
    {
      const double length = from + (to - from) * g_rand_double (random), height = 21 * g_rand_double (random);
      double t = sqrt (2 * length);

      /* Newton's steps to the angle of that length. */
      for (int step = 0; step < 20; step++)
        t -= (spiral_length (t) - length) / sqrt (1 + t * t);
      self->samples.spectra[3 * i] = (float) (t * cos (t));
      self->samples.spectra[3 * i + 1] = (float) height;
      self->samples.spectra[3 * i + 2] = (float) (t * sin (t));
      self->truth[2 * i] = length;
      self->truth[2 * i + 1] = height;
    }
  return self;
}

EsTestPoints *
es_test_helix (gsize n)
{
  EsTestPoints *self = es_test_points_new (n, 3, 1);

  for (gsize i = 0; i < n; i++)
    {
      const double t = 6 * G_PI * (double) i / (double) (n - 1);

      self->samples.spectra[3 * i] = (float) cos (t);
      self->samples.spectra[3 * i + 1] = (float) sin (t);
      self->samples.spectra[3 * i + 2] = (float) (0.3 * t);
      self->truth[i] = t;
    }
  return self;
}

EsTestPoints *
es_test_cap (gsize n, double angle, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  EsTestPoints *self = es_test_points_new (n, 3, 2);

  for (gsize i = 0; i < n; i++)
    {
      const double z = 1 - (1 - cos (angle)) * g_rand_double (random), round = 2 * G_PI * g_rand_double (random);

      self->samples.spectra[3 * i] = (float) (sqrt (1 - z * z) * cos (round));
      self->samples.spectra[3 * i + 1] = (float) (sqrt (1 - z * z) * sin (round));
      self->samples.spectra[3 * i + 2] = (float) z;
      self->truth[2 * i] = acos (z) * cos (round);
      self->truth[2 * i + 1] = acos (z) * sin (round);
    }
  return self;
}

EsTestPoints *
es_test_ring (gsize n)
{
  EsTestPoints *self = es_test_points_new (n, 2, 1);

  for (gsize i = 0; i < n; i++)
    {
      self->truth[i] = 2 * G_PI * (double) i / (double) n;
      self->samples.spectra[2 * i] = (float) cos (self->truth[i]);
      self->samples.spectra[2 * i + 1] = (float) sin (self->truth[i]);
    }
  return self;
}

static double
draw_normal (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

EsTestPoints *
es_test_clouds (gsize n, double apart, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  EsTestPoints *self = es_test_points_new (n, 4, 1);

  for (gsize i = 0; i < n; i++)
    {
      self->truth[i] = i % 2;
      for (guint b = 0; b < 4; b++)
        self->samples.spectra[4 * i + b] = (float) (draw_normal (random) + (b == 0 ? apart * self->truth[i] : 0));
    }
  return self;
}

EsNeighbours *
es_test_find_graph (const EsTestPoints *points, guint k)
{
  g_autoptr (GError) error = NULL;
  EsNeighbours *graph = es_neighbours_find (es_device_get_cpu (), 2, points->samples.spectra, points->samples.n,
                                            points->samples.bands, k, ES_NEIGHBOURS_EXACT, 1, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

/* ---- embedding, in a job ---- */

static const EsParamChoice weights_choices[] = { { "heat", "Heat" }, { "binary", "Binary" }, { .id = NULL } };
static const EsParamChoice variant_choices[] = { { "standard", "Standard" }, { "modified", "Modified" },
                                                 { .id = NULL } };

static const EsParamSpec specs[] = {
  { .key = "weights", .label = "Weights", .help = "Weights.", .type = ES_PARAM_CHOICE, .choices = weights_choices },
  { .key = "kernel-width", .label = "Width", .help = "Width.", .type = ES_PARAM_FLOAT, .maximum = 1e9, .digits = 4 },
  { .key = "variant", .label = "Variant", .help = "Variant.", .type = ES_PARAM_CHOICE, .choices = variant_choices },
  { .key = "regularisation", .label = "Regularisation", .help = "Regularisation.", .type = ES_PARAM_FLOAT,
    .minimum = 1e-9, .maximum = 1, .digits = 9, .default_value = 1e-3 },
  { .key = "alpha", .label = "Alpha", .help = "Alpha.", .type = ES_PARAM_FLOAT, .maximum = 1, .digits = 2,
    .default_value = 1 },
  { .key = "time", .label = "Time", .help = "Time.", .type = ES_PARAM_FLOAT, .maximum = 1000, .digits = 2,
    .default_value = 1 },
  { .key = "landmarks", .label = "Landmarks", .help = "Landmarks.", .type = ES_PARAM_INT, .maximum = 1e6 },
  { .type = ES_PARAM_END }
};

/* What the job is to embed, and what came of it. */
static struct
{
  const EsManifoldMethod *method;
  const EsTestPoints     *points;
  const EsTestEmbed      *how;
  EsNeighbours           *graph;
  EsEmbedding            *embedding;
  GError                 *error;
} task;

static EsPlan
plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  return (EsPlan) { .passes = 1 };
}

static EsResult *
run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  const EsManifoldInput input = {
    .job = job, .device = es_device_get_cpu (), .threads = task.how->threads > 0 ? task.how->threads : 2,
    .samples = &task.points->samples, .graph = task.graph, .params = params, .m = task.how->m, .seed = 1,
  };

  es_job_begin_stage (job, "embedding", "Embedding", 1);
  task.embedding = task.method->embed (&input, &task.error);
  g_assert_true ((task.embedding == NULL) == (task.error != NULL));
  /* A job without a result has failed, which is no matter here. */
  if (task.error != NULL)
    g_propagate_error (error, g_error_copy (task.error));
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "embedded");
  return NULL;
}

static const EsOperation operation = {
  .id = "test-embed", .title = "Test", .short_title = "Test", .summary = "Test.", .version = 1,
  .takes = ES_DATASET_CUBE, .params = specs, .plan = plan, .run = run,
};

static gpointer
cancel_later (gpointer job)
{
  g_usleep ((gulong) task.how->cancel_after);
  ((EsTestEmbed *) task.how)->cancelled_at = g_get_monotonic_time ();
  es_job_cancel (job);
  return NULL;
}

static EsDataset *
open_any_cube (void)
{
  static EsDataset *cube;

  if (cube == NULL)
    {
      EsTestScene scene = { 4, 4, 3, ESK_F32, "bsq", FALSE, NAN, NULL, 0 };
      g_autofree char *directory = es_test_directory ();

      es_test_scene_fill (&scene, 1);
      cube = es_test_scene_open (&scene, directory, "any");
      es_test_scene_clear (&scene);
      es_test_remove (directory);
    }
  return cube;
}

EsEmbedding *
es_test_embed (const EsManifoldMethod *method, const EsTestPoints *points, EsTestEmbed *how, GError **error)
{
  const EsLimits limits = { .memory = how->memory };
  g_autoptr (EsParams) params = es_params_new (specs);
  g_auto (GStrv) pairs = g_strsplit (how->params != NULL ? how->params : "", " ", -1);
  g_autoptr (EsNeighbours) graph = how->graph != NULL ? es_neighbours_ref (how->graph)
                                                      : es_test_find_graph (points, how->k);
  g_autoptr (GError) ignored = NULL;
  g_autoptr (EsJob) job = NULL;
  GThread *thread = NULL;

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      if (pair[0] != NULL)
        g_assert_true (es_params_parse (params, pair[0], pair[1], NULL));
    }
  task.method = method;
  task.points = points;
  task.how = how;
  task.graph = graph;
  task.embedding = NULL;
  task.error = NULL;
  job = es_job_new (&operation, open_any_cube (), params, es_device_get_cpu (), &limits, NULL);
  if (how->cancel_after > 0)
    thread = g_thread_new ("cancel", cancel_later, job);
  g_assert_null (es_job_run (job, &ignored));
  how->returned_at = g_get_monotonic_time ();
  if (thread != NULL)
    g_thread_join (thread);
  if (task.error != NULL)
    g_propagate_error (error, task.error);
  return task.embedding;
}

/* ---- what became of it ---- */

typedef struct
{
  float  distance;
  gint32 index;
} Near;

static int
compare_near (gconstpointer a, gconstpointer b)
{
  const Near *x = a, *y = b;

  return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                    : (x->index > y->index) - (x->index < y->index);
}

float *
es_test_extend (const EsEmbedding *self, const EsTestPoints *points, const EsTestPoints *queries, guint k)
{
  const EsManifoldSamples *samples = &points->samples, *new = &queries->samples;
  g_autofree gint32 *index = g_new (gint32, new->n * k);
  g_autofree float *distance = g_new (float, new->n * k);
  g_autofree Near *near = g_new (Near, samples->n);
  const EsManifoldQueries all = { new->n, new->bands, k, new->spectra, index, distance };
  float *out = g_new (float, new->n * self->m);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < new->n; i++)
    {
      for (gsize j = 0; j < samples->n; j++)
        {
          double sum = 0;

          for (guint b = 0; b < new->bands; b++)
            sum += pow ((double) new->spectra[i * new->bands + b] - samples->spectra[j * new->bands + b], 2);
          near[j] = (Near) { (float) sqrt (sum), (gint32) j };
        }
      qsort (near, samples->n, sizeof (Near), compare_near);
      for (guint j = 0; j < k; j++)
        {
          index[i * k + j] = near[j].index;
          distance[i * k + j] = near[j].distance;
        }
    }
  g_assert_true (self->method->extend (self, samples, &all, out, &error));
  g_assert_no_error (error);
  return out;
}

/* Gram-Schmidt over the coordinates and 1; then what is left of the truth. */
double
es_test_explained (const double *coordinates, gsize n, guint m, const double *truth, guint n_truth)
{
  g_autofree double *basis = g_new (double, n * (m + 1)), *rest = g_new (double, n);
  double worst = 1;

  for (guint k = 0; k <= m; k++)
    {
      double *column = basis + k * n, square = 0;

      for (gsize i = 0; i < n; i++)
        column[i] = k == 0 ? 1 : coordinates[i * m + k - 1];
      for (guint pass = 0; pass < 2; pass++)
        for (guint l = 0; l < k; l++)
          {
            double along = 0;

            for (gsize i = 0; i < n; i++)
              along += column[i] * basis[l * n + i];
            for (gsize i = 0; i < n; i++)
              column[i] -= along * basis[l * n + i];
          }
      for (gsize i = 0; i < n; i++)
        square += column[i] * column[i];
      for (gsize i = 0; i < n; i++)
        column[i] /= sqrt (fmax (square, 1e-300));
    }
  for (guint t = 0; t < n_truth; t++)
    {
      double all = 0, left = 0;

      for (gsize i = 0; i < n; i++)
        rest[i] = truth[i * n_truth + t];
      for (guint k = 0; k <= m; k++)
        {
          double along = 0;

          for (gsize i = 0; i < n; i++)
            along += rest[i] * basis[k * n + i];
          for (gsize i = 0; i < n; i++)
            rest[i] -= along * basis[k * n + i];
          for (gsize i = 0; i < n && k == 0; i++)
            all += rest[i] * rest[i];
        }
      for (gsize i = 0; i < n; i++)
        left += rest[i] * rest[i];
      worst = fmin (worst, 1 - left / all);
    }
  return worst;
}
