/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Laplacian eigenmaps, LLE, diffusion maps and Isomap on manifolds that are known. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "embedding/es-embedding-quality.h"
#include "es-test-embed.h"

static EsEmbedding *
embed (const EsManifoldMethod *method, const EsTestPoints *points, const char *params, guint k, guint m)
{
  EsTestEmbed how = { .params = params, .k = k, .m = m };
  g_autoptr (GError) error = NULL;
  EsEmbedding *self = es_test_embed (method, points, &how, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (self->n, ==, points->samples.n);
  g_assert_cmpuint (self->m, ==, m);
  /* The sign of every column. */
  for (guint c = 0; c < m; c++)
    {
      double largest = 0;

      for (gsize i = 0; i < self->n; i++)
        if (fabs (self->coordinates[i * m + c]) > fabs (largest))
          largest = self->coordinates[i * m + c];
      g_assert_cmpfloat (largest, >, 0);
    }
  return self;
}

static double
procrustes (const EsEmbedding *self, const EsTestPoints *points)
{
  return es_embedding_get_procrustes (points->truth, self->coordinates, self->n, self->m);
}

static double
explained (const EsEmbedding *self, const EsTestPoints *points)
{
  return es_test_explained (self->coordinates, self->n, self->m, points->truth, points->n_truth);
}

/* A rolled sheet comes flat: by Isomap with its lengths, by LLE up to a linear map. */
static void
test_swiss_roll (void)
{
  g_autoptr (EsTestPoints) roll = es_test_swiss_roll (2500, 3);
  g_autoptr (EsEmbedding) isomap = embed (&es_manifold_isomap, roll, "", 10, 2);
  g_autoptr (EsEmbedding) landmarks = embed (&es_manifold_isomap, roll, "landmarks=100", 10, 2);
  g_autoptr (EsEmbedding) modified = embed (&es_manifold_lle, roll, "variant=modified", 12, 2);
  g_autoptr (EsEmbedding) laplacian = embed (&es_manifold_laplacian, roll, "", 10, 5);

  g_test_message ("isomap %g, landmarks %g, modified %g, laplacian %g", procrustes (isomap, roll),
                  procrustes (landmarks, roll), explained (modified, roll), explained (laplacian, roll));
  g_assert_cmpfloat (procrustes (isomap, roll), <, 0.005);
  g_assert_cmpfloat (procrustes (landmarks, roll), <, 0.01);
  g_assert_cmpfloat (isomap->values[0], >, isomap->values[1]);
  g_assert_cmpfloat (explained (modified, roll), >, 0.99);
}

/* A curve is laid out from one end to the other. */
static void
test_helix (void)
{
  const struct { const EsManifoldMethod *method; const char *params; } methods[] = {
    { &es_manifold_laplacian, "weights=binary" }, { &es_manifold_laplacian, "" }, { &es_manifold_lle, "" },
    { &es_manifold_diffusion, "" }, { &es_manifold_diffusion, "alpha=0 kernel-width=0.05" },
    { &es_manifold_isomap, "" }, { &es_manifold_isomap, "landmarks=20" },
  };
  g_autoptr (EsTestPoints) helix = es_test_helix (1200);

  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    {
      g_autoptr (EsEmbedding) self = embed (methods[t].method, helix, methods[t].params, 6, 1);
      const double range = self->coordinates[self->n - 1] - self->coordinates[0];

      /* The neighbours of the very ends lie on one side alone. */
      for (gsize i = 1; i < self->n; i++)
        if (!((self->coordinates[i] - self->coordinates[i - 1]) / range > (i < 6 || i > self->n - 6 ? -1e-3 : 0)))
          g_error ("method %u turns round at point %zu", t, i);
    }

  g_autoptr (EsEmbedding) isomap = embed (&es_manifold_isomap, helix, "", 6, 1);

  g_assert_cmpfloat (procrustes (isomap, helix), <, 1e-4);
}

/* The eigenvectors of a ring at equal steps are cosines and sines, every value there twice. */
static void
test_ring (void)
{
  g_autoptr (EsTestPoints) ring = es_test_ring (600);
  g_autoptr (EsEmbedding) laplacian = embed (&es_manifold_laplacian, ring, "weights=binary", 4, 2);
  g_autoptr (EsEmbedding) diffusion = embed (&es_manifold_diffusion, ring, "time=0", 4, 2);
  const EsEmbedding *both[] = { laplacian, diffusion };
  /* Joined to two on either side. */
  const double value = 1 - (cos (2 * G_PI / 600) + cos (4 * G_PI / 600)) / 2;

  g_assert_cmpfloat (fabs (laplacian->values[0] - value), <, 1e-9);
  g_assert_cmpfloat (fabs (laplacian->values[1] - value), <, 1e-9);
  for (guint t = 0; t < 2; t++)
    for (gsize i = 0; i < 600; i++)
      {
        const double *y = both[t]->coordinates + 2 * i;

        /* Mean square 1 each. */
        g_assert_cmpfloat (fabs (hypot (y[0], y[1]) - G_SQRT2), <, 1e-3);
      }
}

static void
test_cap (void)
{
  g_autoptr (EsTestPoints) cap = es_test_cap (2000, G_PI / 5, 5);
  g_autoptr (EsEmbedding) isomap = embed (&es_manifold_isomap, cap, "landmarks=200", 10, 2);
  g_autoptr (EsEmbedding) lle = embed (&es_manifold_lle, cap, "variant=modified", 12, 2);

  g_test_message ("isomap %g, modified LLE %g", procrustes (isomap, cap), explained (lle, cap));
  g_assert_cmpfloat (procrustes (isomap, cap), <, 0.01);
  g_assert_cmpfloat (explained (lle, cap), >, 0.98);
}

/* The first coordinate tells two clouds apart. */
static void
test_clouds (void)
{
  const EsManifoldMethod *methods[] = { &es_manifold_laplacian, &es_manifold_diffusion, &es_manifold_isomap };
  g_autoptr (EsTestPoints) clouds = es_test_clouds (1000, 6, 11);

  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    {
      g_autoptr (EsEmbedding) self = embed (methods[t], clouds, "", 20, 2);
      double mean[2] = { 0 };
      guint wrong = 0;

      for (gsize i = 0; i < 1000; i++)
        mean[i % 2] += self->coordinates[2 * i] / 500;
      for (gsize i = 0; i < 1000; i++)
        {
          const double y = self->coordinates[2 * i];

          wrong += (fabs (y - mean[0]) < fabs (y - mean[1])) != (i % 2 == 0);
        }
      g_test_message ("method %u: %u of the wrong side", t, wrong);
      g_assert_cmpuint (wrong, <=, 10);
    }
}

/* New points come where the truth has them; a sample, or its twin, comes where it is. */
static void
test_extension (void)
{
  const struct { const EsManifoldMethod *method; const char *params; double least; } methods[] = {
    { &es_manifold_laplacian, "", 0.97 }, { &es_manifold_diffusion, "", 0.97 },
    { &es_manifold_lle, "variant=modified", 0.99 }, { &es_manifold_isomap, "", 0.99 },
    { &es_manifold_isomap, "landmarks=150", 0.99 },
  };
  const guint k = 12, m = 2;
  double lengths[2] = { INFINITY, -INFINITY };
  g_autoptr (EsTestPoints) roll = es_test_swiss_roll (2000, 3), new = es_test_swiss_roll (300, 4);
  g_autoptr (EsTestPoints) near = es_test_points_new (2000, 3, 2);

  for (gsize i = 0; i < 2000; i++)
    {
      lengths[0] = fmin (lengths[0], roll->truth[2 * i]);
      lengths[1] = fmax (lengths[1], roll->truth[2 * i]);
    }
  for (gsize i = 0; i < 3 * 2000; i++)
    near->samples.spectra[i] = roll->samples.spectra[i] + 1e-4f * (float) ((int) (i % 5) - 2);
  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    {
      g_autoptr (EsEmbedding) self = embed (methods[t].method, roll, methods[t].params, k, m);
      g_autofree float *own = es_test_extend (self, roll, roll, k), *placed = es_test_extend (self, roll, new, k);
      g_autofree float *nearly = es_test_extend (self, roll, near, k);
      g_autofree double *both = g_new (double, 2300 * m), *truth = g_new (double, 2300 * 2);
      double scale = 0, largest = 0;

      for (gsize i = 0; i < 2000 * m; i++)
        scale += self->coordinates[i] * self->coordinates[i] / 2000;
      scale = sqrt (scale);
      for (gsize i = 0; i < 2000 * m; i++)
        {
          g_assert_cmpfloat (fabs (own[i] - self->coordinates[i]), <, 1e-4 * scale);
          largest = fmax (largest, fabs (nearly[i] - self->coordinates[i]) / scale);
        }
      /* Together with the samples they are one sheet. */
      for (gsize i = 0; i < 2300 * m; i++)
        {
          both[i] = i < 2000 * m ? self->coordinates[i] : placed[i - 2000 * m];
          truth[i] = i < 2000 * 2 ? roll->truth[i] : new->truth[i - 2000 * 2];
          g_assert_true (isfinite (both[i]));
        }
      /* Of a long sheet the first vectors of the Laplacian are waves along it. */
      for (gsize i = 0; i < 2300 && t < 2; i++)
        {
          const double along = G_PI * (truth[2 * i] - lengths[0]) / (lengths[1] - lengths[0]);

          truth[2 * i] = cos (along);
          truth[2 * i + 1] = cos (2 * along);
        }
      g_test_message ("method %u: %g moved by a small step, %g of the truth explained", t, largest,
                      es_test_explained (both, 2300, m, truth, 2));
      g_assert_cmpfloat (largest, <, 0.2);
      g_assert_cmpfloat (es_test_explained (both, 2300, m, truth, 2), >=, methods[t].least);
    }
}

static void
test_threads (void)
{
  const struct { const EsManifoldMethod *method; const char *params; } methods[] = {
    { &es_manifold_laplacian, "" }, { &es_manifold_lle, "" }, { &es_manifold_lle, "variant=modified" },
    { &es_manifold_diffusion, "time=3" }, { &es_manifold_isomap, "landmarks=77" }, { &es_manifold_isomap, "" },
  };
  g_autoptr (EsTestPoints) roll = es_test_swiss_roll (2100, 3);
  g_autoptr (EsNeighbours) graph = es_test_find_graph (roll, 10);

  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    {
      g_autofree double *first = NULL;

      for (guint threads = 1; threads <= 7; threads += 3)
        {
          EsTestEmbed how = { .params = methods[t].params, .graph = graph, .m = 3, .threads = threads };
          g_autoptr (GError) error = NULL;
          g_autoptr (EsEmbedding) self = es_test_embed (methods[t].method, roll, &how, &error);

          g_assert_no_error (error);
          if (first == NULL)
            first = g_memdup2 (self->coordinates, 2100 * 3 * sizeof (double));
          g_assert_cmpmem (first, 2100 * 3 * sizeof (double), self->coordinates, 2100 * 3 * sizeof (double));
        }
    }
}

/* Pixels that are equal, more of them than there are neighbours. */
static void
test_twins (void)
{
  const EsManifoldMethod *methods[] = { &es_manifold_laplacian, &es_manifold_diffusion, &es_manifold_lle,
                                        &es_manifold_isomap };
  g_autoptr (EsTestPoints) clouds = es_test_clouds (600, 2, 11);
  EsNeighbours *graph;

  /* Each three times: neighbours are twins first, but not alone. */
  for (gsize i = 0; i < 600; i++)
    memcpy (clouds->samples.spectra + 4 * i, clouds->samples.spectra + 4 * (i / 3 * 3), 4 * sizeof (float));
  graph = es_test_find_graph (clouds, 15);
  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    {
      EsTestEmbed how = { .graph = graph, .m = 3 };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsEmbedding) self = es_test_embed (methods[t], clouds, &how, &error);

      g_assert_no_error (error);
      for (gsize i = 0; i < 600 * 3; i++)
        g_assert_true (isfinite (self->coordinates[i]));
    }
  es_neighbours_unref (graph);
}

static void
assert_refused (const EsManifoldMethod *method, const EsTestPoints *points, EsTestEmbed how, int code,
                const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (es_test_embed (method, points, &how, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
  g_assert_true (g_str_has_suffix (error->message, "."));
}

static void
test_refusals (void)
{
  g_autoptr (EsTestPoints) roll = es_test_swiss_roll (300, 3), clouds = es_test_clouds (300, 1000, 1);
  g_autoptr (EsTestPoints) few = es_test_swiss_roll (20, 3);

  assert_refused (&es_manifold_lle, roll, (EsTestEmbed) { .params = "variant=modified", .k = 5, .m = 5 },
                  ES_COMPUTE_ERROR_PARAMETER, "5 and 5");
  assert_refused (&es_manifold_laplacian, few, (EsTestEmbed) { .k = 5, .m = 19 }, ES_COMPUTE_ERROR_PARAMETER,
                  "there are 20");
  assert_refused (&es_manifold_isomap, roll, (EsTestEmbed) { .params = "landmarks=2", .k = 8, .m = 2 },
                  ES_COMPUTE_ERROR_PARAMETER, "there are 2");
  assert_refused (&es_manifold_isomap, roll, (EsTestEmbed) { .params = "landmarks=300", .k = 8, .m = 2,
                                                             .memory = 400000 },
                  ES_COMPUTE_ERROR_MEMORY, "300 samples from 300 landmarks");
  assert_refused (&es_manifold_isomap, clouds, (EsTestEmbed) { .k = 8, .m = 2 }, ES_COMPUTE_ERROR_NUMERIC,
                  "one piece");
}

/* 0.2 s are promised (test-manifold.c holds them, of several tries); of one try, on a machine that is busy: */
#define SOON (1000 * 1000)

static void
test_cancel (void)
{
  const struct { const EsManifoldMethod *method; const char *params; } methods[] = {
    { &es_manifold_laplacian, "" }, { &es_manifold_lle, "" }, { &es_manifold_lle, "variant=modified" },
    { &es_manifold_diffusion, "" }, { &es_manifold_isomap, "landmarks=12000" },
  };
  g_autoptr (EsTestPoints) clouds = es_test_clouds (12000, 1, 3);
  g_autoptr (EsNeighbours) graph = es_test_find_graph (clouds, 30);

  for (guint t = 0; t < G_N_ELEMENTS (methods); t++)
    for (gint64 after = 30000; after <= 300000; after *= 3)
      {
        EsTestEmbed how = { .params = methods[t].params, .graph = graph, .m = 10, .cancel_after = after };
        g_autoptr (GError) error = NULL;
        g_autoptr (EsEmbedding) self = es_test_embed (methods[t].method, clouds, &how, &error);

        g_test_message ("method %u, after %d ms: %.1f ms", t, (int) (after / 1000),
                        (double) (how.returned_at - how.cancelled_at) / 1000);
        /* A fast machine may be through by then. */
        if (self != NULL && after > 30000)
          break;
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        g_assert_cmpint (how.returned_at - how.cancelled_at, <, SOON);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectral/swiss-roll", test_swiss_roll);
  g_test_add_func ("/spectral/helix", test_helix);
  g_test_add_func ("/spectral/ring", test_ring);
  g_test_add_func ("/spectral/cap", test_cap);
  g_test_add_func ("/spectral/clouds", test_clouds);
  g_test_add_func ("/spectral/extension", test_extension);
  g_test_add_func ("/spectral/threads", test_threads);
  g_test_add_func ("/spectral/twins", test_twins);
  g_test_add_func ("/spectral/refusals", test_refusals);
  g_test_add_func ("/spectral/cancel", test_cancel);
  return g_test_run ();
}
