/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Eigen-decompositions of cross-spectral matrices: rotations and the library's solver, of one bin alone and of many
 * together, of rank 1 (one snapshot, as the published numbers have it; sonar.md 9) and of full rank. What is told is
 * the step from the matrices to the eigenpairs, which rotations have turned the steering vectors with, and the whole
 * evaluation.
 */
#include "bench-gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/es-buffer-internal.h"
#include "job/es-job-internal.h"

#define ANGLES 180

static double
published_ms (gsize elements)
{
  return elements == 1024 ? 27.4 : elements == 2048 ? 77.8 : 0;
}

/* Spectra on the card: noise and a plane wave, of `bins` bins. */
static EsBuffer *
make_spectra (EsDevice *device, EskStream *stream, EskSpectra *spectra)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize bin_bytes = spectra->snapshots * 2 * spectra->stride * sizeof (float);
  g_autofree float *values = g_malloc0 (bin_bytes);
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, bin_bytes * spectra->bins, NULL);
  guint64 state = spectra->elements + spectra->snapshots;

  if (buffer == NULL)
    return NULL;
  spectra->values = es_buffer_get_data (buffer);
  for (gsize b = 0; b < spectra->bins; b++)
    {
      for (gsize k = 0; k < spectra->snapshots * 2; k++)
        for (gsize e = 0; e < spectra->elements; e++)
          {
            state = state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
            values[k * spectra->stride + e] = ((gint32) (state >> 32)) * 0x1p-31f;
          }
      if (hotspots->device->upload (stream, spectra->values + b * (bin_bytes / sizeof (float)), values,
                                    bin_bytes) != ESK_OK
          || hotspots->device->wait (stream) != ESK_OK)
        g_error ("upload: %s", hotspots->stream->last_error (stream));
    }
  return g_steal_pointer (&buffer);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
bench_case (EsDevice *device, gsize elements, gsize snapshots, gsize bins, EskAdaptiveMethod method, int repeats)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  g_autofree double *positions = g_new0 (double, 3 * elements);
  g_autofree double *factor = g_new (double, repeats), *whole = g_new (double, repeats);
  EskStream *stream = es_device_take_stream (device);
  EskSpectra spectra = { NULL, elements, esk_spectra_stride (elements), bins, snapshots };
  g_autoptr (EsBuffer) buffer = make_spectra (device, stream, &spectra);
  g_autoptr (EsBuffer) out = es_buffer_new (device, ANGLES * sizeof (float), NULL);
  EskFocus foci[ANGLES];
  EskAdaptivePlan plan = { elements, positions, ANGLES, foci, 1500, 100, 1, bins, snapshots };
  EskAdaptiveRun run = { .method = method, .loading = snapshots < elements ? 0.1 : 0.01 };
  EskAdaptiveReport report;
  EskAdaptive *adaptive;
  int code = ESK_OK;

  for (gsize k = 0; k < elements; k++)
    positions[3 * k] = 1.5 * ((double) k - (elements - 1) / 2);
  for (int i = 0; i < ANGLES; i++)
    foci[i] = (EskFocus) { cos (i * G_PI / 180), sin (i * G_PI / 180), 0, FALSE };
  adaptive = buffer != NULL && out != NULL ? hotspots->adaptive->adaptive_new (stream, &plan, &code) : NULL;
  if (adaptive == NULL
      || (code = hotspots->adaptive->adaptive_add (stream, adaptive, &spectra, 0, 0, 1)) != ESK_OK)
    {
      printf ("  %4zu elements, %4zu snapshots, %3zu bins: no memory (%d)\n", elements, snapshots, bins, code);
      hotspots->adaptive->adaptive_free (adaptive);
      es_device_give_stream (device, stream);
      return;
    }
  run.band = es_buffer_get_data (out);
  for (int i = -1; i < repeats && code == ESK_OK; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      code = hotspots->adaptive->adaptive_power (stream, adaptive, &run, &report);
      if (code == ESK_OK)
        code = hotspots->device->wait (stream);
      if (i >= 0)
        {
          whole[i] = (g_get_monotonic_time () - start) * 1e-3;
          factor[i] = report.factor * 1e3;
        }
    }
  if (code != ESK_OK)
    g_error ("adaptive_power answers %d: %s", code, hotspots->stream->last_error (stream));
  qsort (factor, repeats, sizeof *factor, compare_doubles);
  qsort (whole, repeats, sizeof *whole, compare_doubles);
  printf ("  %-6s %4zu elements, K %4zu, %3zu bins: eigenpairs %9.3f ms a bin, all %9.3f ms a bin",
          method == ESK_ADAPTIVE_JACOBI ? "jacobi" : "eigen", elements, snapshots, bins, factor[repeats / 2] / bins,
          whole[repeats / 2] / bins);
  if (method == ESK_ADAPTIVE_JACOBI)
    printf ("   %zu sweeps, %.0f rotations a bin, off %.1e", report.sweeps, (double) report.rotations / bins,
            report.off);
  if (method == ESK_ADAPTIVE_JACOBI && snapshots == 1 && published_ms (elements) > 0)
    printf ("   published %.1f ms, x %.1f", published_ms (elements),
            published_ms (elements) * bins / factor[repeats / 2]);
  printf ("\n");
  fflush (stdout);
  hotspots->adaptive->adaptive_free (adaptive);
  es_device_give_stream (device, stream);
}

void
bench_jacobi (EsDevice *device, int repeats)
{
  static const struct
  {
    gsize    elements, snapshots, bins;
    int      repeats;
  } cases[] = {
    { 512, 1, 1, 9 }, { 1024, 1, 1, 9 }, { 2048, 1, 1, 9 }, { 64, 1, 100, 9 }, { 512, 1, 100, 5 }, { 1024, 1, 100, 5 },
    { 2048, 1, 100, 3 }, { 64, 128, 100, 9 }, { 256, 512, 1, 5 }, { 256, 512, 100, 3 }, { 512, 1024, 1, 3 },
    { 512, 1024, 100, 1 }, { 1024, 2048, 1, 1 }, { 1024, 2048, 16, 1 }, { 2048, 4096, 1, 1 },
  };

  printf ("eigen-decompositions, %d angles\n", ANGLES);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int method = ESK_ADAPTIVE_JACOBI; method <= ESK_ADAPTIVE_EIGEN; method++)
      bench_case (device, cases[i].elements, cases[i].snapshots, cases[i].bins, (EskAdaptiveMethod) method,
                  MIN (repeats, cases[i].repeats));
}
