/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Adaptive beams from spectra on the card to powers there: what a block's snapshots take to join in and an evaluation
 * of all bins, with the settings of the published numbers, 100 bins and 180 angles (sonar.md 9). Random spectra.
 */
#include "bench-gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/es-buffer-internal.h"
#include "job/es-job-internal.h"

#define ANGLES 180
#define BINS 100

typedef struct
{
  gsize             elements, snapshots, columns;
  EskAdaptiveMethod method;
  int               repeats;
} AdaptiveBench;

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, int n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
}

static EsBuffer *
make_spectra (EsDevice *device, EskStream *stream, EskSpectra *spectra)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize numbers = spectra->snapshots * 2 * spectra->stride;
  g_autofree float *values = g_new0 (float, numbers);
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, numbers * sizeof (float) * spectra->bins, NULL);
  guint64 state = 1;

  if (buffer == NULL)
    return NULL;
  spectra->values = es_buffer_get_data (buffer);
  for (gsize b = 0; b < spectra->bins; b++)
    {
      /* Making all of them anew for each bin would take longer than all that is measured. */
      for (gsize k = 0; k < numbers; k++)
        if (k % spectra->stride < spectra->elements && (b == 0 || k % 97 == 0))
          {
            state = state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
            values[k] = ((gint32) (state >> 32)) * 0x1p-31f;
          }
      if (hotspots->device->upload (stream, spectra->values + b * numbers, values, numbers * sizeof (float)) != ESK_OK
          || hotspots->device->wait (stream) != ESK_OK)
        g_error ("upload: %s", hotspots->stream->last_error (stream));
    }
  return g_steal_pointer (&buffer);
}

static void
bench_case (EsDevice *device, const AdaptiveBench *c, int repeats)
{
  static const char *const methods[] = { "cholesky", "woodbury", "jacobi", "eigen" };
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const int n = MIN (repeats, c->repeats);
  g_autofree double *positions = g_new0 (double, 3 * c->elements);
  g_autofree double *times = g_new (double, n), *adding = g_new (double, n), *matrix = g_new (double, n);
  g_autofree double *factor = g_new (double, n), *spectrum = g_new (double, n);
  EskStream *stream = es_device_take_stream (device);
  EskSpectra spectra = { NULL, c->elements, esk_spectra_stride (c->elements), BINS, c->snapshots };
  g_autoptr (EsBuffer) buffer = make_spectra (device, stream, &spectra);
  g_autoptr (EsBuffer) out = es_buffer_new (device, ANGLES * sizeof (float), NULL);
  EskFocus foci[ANGLES];
  EskAdaptivePlan plan = { c->elements, positions, ANGLES, foci, 1500, 319, 1, BINS, c->columns };
  EskAdaptiveRun run = { .method = c->method, .loading = c->snapshots < c->elements ? 0.1 : 0.01 };
  EskAdaptiveReport report;
  EskAdaptive *adaptive;
  int code = ESK_ERROR_MEMORY;

  for (gsize k = 0; k < c->elements; k++)
    positions[3 * k] = 1.5 * ((double) k - (double) ((c->elements - 1) / 2));
  for (int i = 0; i < ANGLES; i++)
    foci[i] = (EskFocus) { cos (i * G_PI / 180), sin (i * G_PI / 180), 0, FALSE };
  adaptive = buffer != NULL && out != NULL ? hotspots->adaptive->adaptive_new (stream, &plan, &code) : NULL;
  if (adaptive != NULL)
    run.band = es_buffer_get_data (out);
  for (int i = -2; i < n && adaptive != NULL && code == ESK_OK; i++)
    {
      const gint64 start = g_get_monotonic_time ();
      gint64 added;

      code = hotspots->adaptive->adaptive_add (stream, adaptive, &spectra, 0, 1, 1);
      /* How long adding takes is looked at in a turn of its own: a block does not wait for it. */
      if (i % 2 == 0 && code == ESK_OK)
        code = hotspots->device->wait (stream);
      added = g_get_monotonic_time ();
      if (code == ESK_OK)
        code = hotspots->adaptive->adaptive_power (stream, adaptive, &run, &report);
      if (code == ESK_OK)
        code = hotspots->device->wait (stream);
      if (i < 0)
        continue;
      times[i] = (g_get_monotonic_time () - start) * 1e-3;
      adding[i] = i % 2 == 0 ? (added - start) * 1e-3 : i > 0 ? adding[i - 1] : 0;
      matrix[i] = report.matrix * 1e3;
      factor[i] = report.factor * 1e3;
      spectrum[i] = report.spectrum * 1e3;
    }
  if (code != ESK_OK)
    printf ("  %-8s %5zu elements, K %4zu: %d, %s\n", methods[c->method], c->elements, c->snapshots, code,
            hotspots->stream->last_error (stream));
  else
    {
      const double all = median (times, n);

      printf ("  %-8s %5zu elements, K %4zu, %s: %9.3f ms, %8.1f x real time of 1 s   adding %.3f, matrix %.3f, "
              "factor %.3f, spectrum %.3f ms\n", methods[c->method], c->elements, c->snapshots,
              c->columns > 0 ? "columns" : "matrix ", all, 1e3 / all, median (adding, n), median (matrix, n),
              median (factor, n), median (spectrum, n));
    }
  fflush (stdout);
  hotspots->adaptive->adaptive_free (adaptive);
  es_device_give_stream (device, stream);
}

void
bench_adaptive (EsDevice *device, int repeats)
{
  static const AdaptiveBench cases[] = {
    { 64, 128, 128, ESK_ADAPTIVE_CHOLESKY, 9 }, { 512, 64, 64, ESK_ADAPTIVE_WOODBURY, 9 },
    { 512, 1024, 1024, ESK_ADAPTIVE_CHOLESKY, 9 }, { 2048, 1, 1, ESK_ADAPTIVE_WOODBURY, 9 },
    { 2048, 64, 64, ESK_ADAPTIVE_WOODBURY, 9 }, { 2048, 64, 64, ESK_ADAPTIVE_CHOLESKY, 5 },
    { 2048, 8, 0, ESK_ADAPTIVE_CHOLESKY, 5 }, { 16384, 32, 32, ESK_ADAPTIVE_WOODBURY, 9 },
    { 2048, 4096, 4096, ESK_ADAPTIVE_CHOLESKY, 3 },
  };

  printf ("adaptive beams, %d bins, %d angles\n", BINS, ANGLES);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    bench_case (device, &cases[i], repeats);
}
