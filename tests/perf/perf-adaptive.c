/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast the CPU makes adaptive beams of a block: medians of the time that passes and of the processors' time, and
 * what arithmetic that is. 100 bins and 180 angles, as published (sonar.md 12), unless said otherwise:
 *
 *   perf-adaptive [ELEMENTS SNAPSHOTS METHOD [BINS]]     METHOD: cholesky, woodbury, jacobi, eigen
 */

#include "es-hotspots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ANGLES 180
#define MOST_REPEATS 21

static const char *const method_names[ESK_N_ADAPTIVE_METHODS] = { "cholesky", "woodbury", "jacobi", "eigen" };

typedef struct
{
  size_t            elements, snapshots, bins;
  EskAdaptiveMethod method;
} Setting;

static double
clock_of (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (double *values,
        int     n)
{
  qsort (values, (size_t) n, sizeof *values, compare);
  return values[n / 2];
}

/* Real multiplications and additions as the methods are written down, without the phasors: 8 a complex product that is
 * added. Of eigenproblems nothing is counted. */
static double
flops_of (const Setting *s)
{
  const double n = (double) s->elements, k = (double) s->snapshots, bins = (double) s->bins, foci = ANGLES;

  if (s->method == ESK_ADAPTIVE_WOODBURY)
    return bins * 8.0 * (n * k * k / 2.0 + k * k * k / 6.0 + foci * (n * k + k * k / 2.0));
  if (s->method == ESK_ADAPTIVE_CHOLESKY)
    return bins * 8.0 * (n * n * k / 2.0 + n * n * n / 6.0 + foci * n * n / 2.0);
  return bins * 8.0 * (n * n * k / 2.0 + foci * n * n);
}

static int
measure (const EskHotspots *cpu,
         EskStream         *stream,
         const Setting     *setting,
         EskAdaptive       *adaptive,
         const EskSpectra  *spectra,
         int                threads)
{
  double wall[MOST_REPEATS], used[MOST_REPEATS], adding[MOST_REPEATS], begin = clock_of (CLOCK_MONOTONIC), time;
  float *by_bin = malloc (ANGLES * setting->bins * sizeof (float)), band[ANGLES];
  const EskAdaptiveRun run = { .method = setting->method, .loading = 0.1, .by_bin = by_bin, .band = band };
  EskAdaptiveReport report = { 0 };
  int code = by_bin != NULL ? cpu->stream->set_threads (stream, threads) : ESK_ERROR_MEMORY, n = 0;

  /* The first is for pages and threads, where it does not take long. */
  for (int k = -1; code == ESK_OK && k < MOST_REPEATS && (k < 1 || clock_of (CLOCK_MONOTONIC) - begin < 4.0); k++)
    {
      const double start = clock_of (CLOCK_MONOTONIC), start_used = clock_of (CLOCK_PROCESS_CPUTIME_ID);
      double added;

      code = cpu->adaptive->adaptive_add (stream, adaptive, spectra, 0, 0.0, 1.0);
      added = clock_of (CLOCK_MONOTONIC);
      if (code == ESK_OK)
        code = cpu->adaptive->adaptive_power (stream, adaptive, &run, &report);
      if (k < 0 && clock_of (CLOCK_MONOTONIC) - start < 2.0)
        continue;
      adding[n] = added - start;
      wall[n] = clock_of (CLOCK_MONOTONIC) - start;
      used[n++] = clock_of (CLOCK_PROCESS_CPUTIME_ID) - start_used;
    }
  free (by_bin);
  if (code != ESK_OK)
    return code;

  time = median (wall, n);
  printf ("%5zu %5zu %5zu %-9s %2d %10.2f %10.2f %8.2f %9.2f %9.2f %9.2f %7.1f", setting->elements, setting->snapshots,
          setting->bins, method_names[setting->method], threads, time * 1e3, median (used, n) * 1e3,
          median (adding, n) * 1e3, report.matrix * 1e3, report.factor * 1e3, report.spectrum * 1e3,
          flops_of (setting) / time * 1e-9);
  if (setting->method == ESK_ADAPTIVE_JACOBI)
    printf (" %zu sweeps, %llu rotations", report.sweeps, (unsigned long long) report.rotations);
  putchar ('\n');

  return ESK_OK;
}

static int
perf_setting (const Setting *setting)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const int processors = (int) sysconf (_SC_NPROCESSORS_ONLN);
  const size_t n = setting->elements, stride = esk_spectra_stride (n);
  EskSpectra spectra = { aligned_alloc (64, esk_spectra_bytes (n, setting->bins, setting->snapshots)), n, stride,
                         setting->bins, setting->snapshots };
  double *positions = calloc (3 * n, sizeof *positions);
  EskFocus foci[ANGLES];
  const EskAdaptivePlan plan = { .elements = n, .positions = positions, .n_foci = ANGLES, .foci = foci,
                                 .sound_speed = 1500.0, .first_frequency = 319.3359375, .bin_spacing = 0.9765625,
                                 .bins = setting->bins, .columns = setting->snapshots };
  EskStream *stream = cpu->stream->stream_new (0);
  EskAdaptive *adaptive = NULL;
  uint32_t state = 1;
  int code = ESK_ERROR_MEMORY;

  if (spectra.values == NULL || positions == NULL || stream == NULL)
    goto done;
  for (size_t row = 0; row < setting->bins * setting->snapshots * 2; row++)
    for (size_t k = 0; k < stride; k++)
      spectra.values[row * stride + k]
        = k < n ? (float) (int32_t) (state = state * 1664525u + 1013904223u) / 2147483648.0f : 0.0f;
  for (size_t k = 0; k < n; k++)
    positions[3 * k] = ((double) k - (double) ((n - 1) / 2)) * 1.5;
  for (size_t f = 0; f < ANGLES; f++)
    {
      const double theta = ((double) f + 0.5) * M_PI / ANGLES;

      foci[f] = (EskFocus) { cos (theta), sin (theta), 0.0, false };
    }
  adaptive = cpu->adaptive->adaptive_new (stream, &plan, &code);
  /* One, and all there are. */
  for (int k = 0; code == ESK_OK && k < (processors > 1 ? 2 : 1); k++)
    code = measure (cpu, stream, setting, adaptive, &spectra, k == 0 ? 1 : processors);

done:
  cpu->adaptive->adaptive_free (adaptive);
  if (stream != NULL)
    cpu->stream->stream_free (stream);
  free (spectra.values);
  free (positions);

  return code;
}

int
main (int   argc,
      char *argv[])
{
  static const Setting settings[] = {
    { 64, 16, 100, ESK_ADAPTIVE_WOODBURY }, { 64, 128, 100, ESK_ADAPTIVE_CHOLESKY },
    { 512, 64, 100, ESK_ADAPTIVE_WOODBURY }, { 512, 64, 10, ESK_ADAPTIVE_CHOLESKY },
    { 512, 1024, 10, ESK_ADAPTIVE_CHOLESKY }, { 2048, 1, 100, ESK_ADAPTIVE_WOODBURY },
    { 2048, 64, 20, ESK_ADAPTIVE_WOODBURY }, { 2048, 64, 1, ESK_ADAPTIVE_CHOLESKY },
    { 64, 128, 10, ESK_ADAPTIVE_JACOBI }, { 64, 128, 10, ESK_ADAPTIVE_EIGEN }, { 256, 512, 2, ESK_ADAPTIVE_JACOBI },
    { 256, 512, 2, ESK_ADAPTIVE_EIGEN }, { 512, 1, 2, ESK_ADAPTIVE_JACOBI }, { 512, 1, 2, ESK_ADAPTIVE_EIGEN },
  };
  Setting own;

  printf ("%5s %5s %5s %-9s %2s %10s %10s %8s %9s %9s %9s %7s\n", "elem.", "snap.", "bins", "method", "th", "ms",
          "CPU ms", "add", "matrix", "factor", "spectrum", "GFLOP/s");
  if (argc >= 4)
    {
      own = (Setting) { strtoull (argv[1], NULL, 10), strtoull (argv[2], NULL, 10),
                        argc > 4 ? strtoull (argv[4], NULL, 10) : 100, ESK_N_ADAPTIVE_METHODS };
      for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
        if (strcmp (argv[3], method_names[method]) == 0)
          own.method = (EskAdaptiveMethod) method;
      if (own.elements < 1 || own.snapshots < 1 || own.bins < 1 || own.method == ESK_N_ADAPTIVE_METHODS)
        return 2;
      return perf_setting (&own) == ESK_OK ? 0 : 4;
    }
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
    if (perf_setting (&settings[k]) != ESK_OK)
      return 4;

  return 0;
}
