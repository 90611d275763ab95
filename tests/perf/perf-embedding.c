/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * How long an embedding of spectra takes: neighbours and method apart, by the clock and by the processor.
 * usage: perf-embedding METHOD SPECTRA N BANDS K M [OUT [KEY=VALUE...]]
 * SPECTRA: N x BANDS float32, row-major; OUT: N x M float64. METHOD: laplacian, lle, diffusion, isomap.
 */

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "es-test-embed.h"

static double
processor_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + 1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static const EsManifoldMethod *
find_method (const char *name)
{
  static const struct { const char *name; const EsManifoldMethod *method; } methods[] = {
    { "laplacian", &es_manifold_laplacian }, { "lle", &es_manifold_lle }, { "diffusion", &es_manifold_diffusion },
    { "isomap", &es_manifold_isomap },
  };

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (methods[i].name, name) == 0)
      return methods[i].method;
  return NULL;
}

int
main (int argc, char **argv)
{
  const EsManifoldMethod *method = argc >= 7 ? find_method (argv[1]) : NULL;
  g_autoptr (EsTestPoints) points = NULL;
  g_autoptr (EsNeighbours) graph = NULL;
  g_autoptr (EsEmbedding) self = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *spectra = NULL, *params = argc > 8 ? g_strjoinv (" ", argv + 8) : NULL;
  gint64 begun, found;
  double processor[3];
  gsize length;

  if (method == NULL)
    return 2;
  points = es_test_points_new ((gsize) atol (argv[3]), (guint) atoi (argv[4]), 1);
  if (!g_file_get_contents (argv[2], &spectra, &length, NULL)
      || length < points->samples.n * points->samples.bands * sizeof (float))
    return 3;
  memcpy (points->samples.spectra, spectra, points->samples.n * points->samples.bands * sizeof (float));
  processor[0] = processor_seconds ();
  begun = g_get_monotonic_time ();
  graph = es_test_find_graph (points, (guint) atoi (argv[5]));
  found = g_get_monotonic_time ();
  processor[1] = processor_seconds ();

  EsTestEmbed how = { .params = params, .graph = graph, .m = (guint) atoi (argv[6]) };

  self = es_test_embed (method, points, &how, &error);
  processor[2] = processor_seconds ();
  if (self == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 4;
    }
  printf ("{\"neighbours_s\": %.4f, \"embedding_s\": %.4f, \"neighbours_cpu_s\": %.4f, \"embedding_cpu_s\": %.4f}\n",
          (double) (found - begun) * 1e-6, (double) (how.returned_at - found) * 1e-6, processor[1] - processor[0],
          processor[2] - processor[1]);
  if (argc > 7)
    return g_file_set_contents (argv[7], (const char *) self->coordinates,
                                (gssize) (self->n * self->m * sizeof (double)), NULL) ? 0 : 5;
  return 0;
}
