/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How long nearest neighbours take, by the wall and in the processor: of mixtures of eight spectra with noise, of white
 * noise, which no order of points helps, or of a file of float32.
 * usage: perf-neighbours [--module FILE] [POINTS DIMENSIONS K THREADS [mixtures|noise|FILE]]
 *        one line a search: NAME WALL_S PROCESSOR_S RECALL
 */

#include "es-hotspots.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define SPECTRA 8
#define PROBES 500

static double
wall_s (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static double
processor_s (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + 1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double
unit (void)
{
  static uint64_t state = 88172645463325252ull;

  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double) (state >> 11) * 0x1p-53;
}

static double
normal (void)
{
  return sqrt (-2 * log (unit () + 1e-300)) * cos (6.283185307179586 * unit ());
}

static int
fill (const char *kind, float *points, size_t n, size_t d)
{
  double *spectra = malloc (SPECTRA * d * sizeof *spectra);
  FILE *file;
  size_t read;

  if (spectra == NULL)
    return 0;
  for (size_t i = 0; i < SPECTRA * d; i++)
    spectra[i] = unit ();
  if (strcmp (kind, "noise") == 0)
    for (size_t i = 0; i < n * d; i++)
      points[i] = (float) normal ();
  else if (strcmp (kind, "mixtures") == 0)
    for (size_t i = 0; i < n; i++)
      {
        double share[SPECTRA], total = 0;

        for (int e = 0; e < SPECTRA; e++)
          total += share[e] = -log (unit () + 1e-300);
        for (size_t b = 0; b < d; b++)
          {
            double sum = 0.005 * normal ();

            for (int e = 0; e < SPECTRA; e++)
              sum += share[e] / total * spectra[(size_t) e * d + b];
            points[i * d + b] = (float) sum;
          }
      }
  else
    {
      file = fopen (kind, "rb");
      read = file != NULL ? fread (points, sizeof *points, n * d, file) : 0;
      if (file != NULL)
        fclose (file);
      free (spectra);
      return read == n * d;
    }
  free (spectra);
  return 1;
}

/* Of the k of some points, the share that is no farther than the true k-th. */
static double
recall_of (const float *points, size_t n, size_t d, size_t k, const float *distance)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t probes = n < PROBES ? n : PROBES, all = k + 1;
  EskStream *stream = cpu->stream->stream_new (-1);
  float *queries = malloc (probes * d * sizeof *queries), *right = malloc (probes * all * sizeof *right);
  int32_t *index = malloc (probes * all * sizeof *index);
  double found = 0;

  if (stream == NULL || queries == NULL || right == NULL || index == NULL)
    exit (1);
  for (size_t p = 0; p < probes; p++)
    memcpy (queries + p * d, points + p * (n / probes) * d, d * sizeof *queries);
  if (cpu->neighbours->nearest (stream, points, n, queries, probes, d, all, false, 0, index, right) != ESK_OK)
    exit (1);
  for (size_t p = 0; p < probes; p++)
    for (size_t m = 0; m < k; m++)
      found += distance[p * (n / probes) * k + m] <= right[p * all + k];
  cpu->stream->stream_free (stream);
  free (queries);
  free (right);
  free (index);
  return found / (double) (probes * k);
}

static const EskHotspots *
open_module (const char *name)
{
  char why[256] = "";
  void *module = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  EskModuleEntry entry = NULL;
  const EskHotspots *table;
  void *symbol = module != NULL ? dlsym (module, ESK_MODULE_ENTRY) : NULL;

  memcpy (&entry, &symbol, sizeof entry);
  table = entry != NULL ? entry (ESK_HOTSPOTS_ABI, why, sizeof why) : NULL;
  if (table == NULL || !ESK_HAS (table, neighbours, nearest))
    {
      fprintf (stderr, "%s: no neighbours there: %s\n", name, module == NULL ? dlerror () : why);
      exit (1);
    }
  return table;
}

static void
measure (const EskHotspots *table, const char *name, bool exact, const float *points, size_t n, size_t d, size_t k,
         int threads)
{
  EskStream *stream = table->stream->stream_new (table->device == NULL ? -1 : 0);
  int32_t *index = malloc (n * k * sizeof *index);
  float *distance = malloc (n * k * sizeof *distance);
  double wall, processor;
  int code = ESK_OK;

  if (stream == NULL || index == NULL || distance == NULL)
    exit (1);
  esk_hotspots_set_threads (table, stream, threads);
  /* A card starts with a few. */
  if (table->device != NULL)
    code = table->neighbours->nearest (stream, points, n < 4096 ? n : 4096, points, n < 4096 ? n : 4096, d, k, true, 0,
                                       index, distance);
  wall = wall_s ();
  processor = processor_s ();
  if (code == ESK_OK)
    code = exact ? table->neighbours->nearest (stream, points, n, points, n, d, k, true, 0, index, distance)
                 : table->neighbours->approximate (stream, points, n, d, k, 1, index, distance);
  wall = wall_s () - wall;
  processor = processor_s () - processor;
  if (code != ESK_OK)
    {
      fprintf (stderr, "%s: code %d: %s\n", name, code, table->stream->last_error (stream));
      exit (1);
    }
  printf ("%s %.3f %.3f %.4f\n", name, wall, processor, recall_of (points, n, d, k, distance));
  fflush (stdout);
  table->stream->stream_free (stream);
  free (index);
  free (distance);
}

int
main (int argc, char **argv)
{
  const EskHotspots *module = NULL;
  size_t n, d, k;
  const char *kind;
  float *points;
  int threads;

  if (argc > 2 && strcmp (argv[1], "--module") == 0)
    {
      module = open_module (argv[2]);
      argc -= 2;
      argv += 2;
    }
  n = argc > 1 ? strtoull (argv[1], NULL, 10) : 20000;
  d = argc > 2 ? strtoull (argv[2], NULL, 10) : 200;
  k = argc > 3 ? strtoull (argv[3], NULL, 10) : 15;
  threads = argc > 4 ? atoi (argv[4]) : 2;
  kind = argc > 5 ? argv[5] : "mixtures";
  points = malloc (n * d * sizeof *points);
  if (points == NULL || !fill (kind, points, n, d))
    {
      fprintf (stderr, "perf-neighbours: no %zu x %zu numbers from %s\n", n, d, kind);
      return 1;
    }
  if (module != NULL)
    measure (module, "exact-card", true, points, n, d, k, threads);
  else
    {
      measure (esk_cpu_hotspots (), "exact", true, points, n, d, k, threads);
      measure (esk_cpu_hotspots (), "approximate", false, points, n, d, k, threads);
    }
  free (points);
  return 0;
}
