/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast spectra and beams are with the published settings (sonar.md 9: 8 kHz, 160 angles, bins 327 to 492 in eight
 * rows of ranges, bins 34 to 326 far away), a block of one second: each stage, all of it on samples that are in the
 * device's memory, and with their way there from page-locked memory, two blocks at a time.
 *
 *   perf-arrays [--module PATH] [--threads N] [--uneven] [--single] [--layout frame|channel] [ELEMENTS...]
 *
 * Without a module the CPU's. --uneven: elements are not where a uniform line has them, so that nothing is symmetric.
 * --single: one transform after the other.
 */

#include "es-hotspots.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RATE 8000
#define LENGTH 8192
#define ANGLES 160
#define NEAR_ROWS 7
#define LOFAR_FIRST 34
#define CBF_FIRST 327
#define CBF_BINS 166
#define ALL_BINS (CBF_FIRST + CBF_BINS - LOFAR_FIRST)
#define LANES 2
#define MOST_REPEATS 15
/* Of which a block is cut, for large arrays several times. */
#define MOST_SECONDS 6.0

typedef struct {
  const EskHotspots *table;
  size_t             elements;
  bool               by_channel, single, own_memory;
  EskDft            *dft[LANES];
  EskBeams          *near, *far;
  EskStream         *stream[LANES];
  void              *samples[LANES];   /* of the device */
  void              *staging;          /* page-locked, of the host */
  float             *values[LANES], *by_bin[LANES], *band[LANES];
  EskChannelHealth  *health[LANES];
} Bench;

static void
fail (const char *what,
      int         code)
{
  fprintf (stderr, "perf-arrays: %s: %d\n", what, code);
  exit (1);
}

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void *
memory_new (const Bench *bench,
            size_t       bytes)
{
  void *memory = bench->own_memory ? bench->table->device->memory_new (0, bytes) : calloc (1, bytes);

  if (memory == NULL)
    fail ("no memory", ESK_ERROR_MEMORY);
  return memory;
}

static void
memory_free (const Bench *bench,
             void        *memory)
{
  if (bench->own_memory)
    bench->table->device->memory_free (0, memory);
  else
    free (memory);
}

static void
wait_for (const Bench *bench,
          unsigned     lane)
{
  int code = esk_hotspots_wait (bench->table, bench->stream[lane]);

  if (code != ESK_OK)
    fail (bench->table->stream->last_error (bench->stream[lane]), code);
}

/* ---- what is prepared ---- */

static void
make_plans (Bench *bench,
            bool   uneven)
{
  static const double ranges[NEAR_ROWS] = { 50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0 };
  const size_t n = bench->elements;
  double *positions = calloc (3 * n, sizeof *positions);
  EskFocus *foci = calloc ((NEAR_ROWS + 1) * ANGLES, sizeof *foci);
  EskDftPlan dft = { .length = LENGTH, .window_length = RATE, .snapshots = 1, .first_bin = LOFAR_FIRST,
                     .bins = ALL_BINS, .elements = n, .library = bench->single ? ESK_DFT_SINGLE : ESK_DFT_AUTO };
  EskBeamPlan plan = { .elements = n, .positions = positions, .foci = foci, .sound_speed = 1500.0,
                       .bin_spacing = (double) RATE / LENGTH, .normalisation = 1.0 / ((double) n * (double) n),
                       .amplitude = 1.0 / (double) n };
  int code = ESK_OK;

  for (size_t k = 0; k < n; k++)
    positions[3 * k] = 1.5 * ((double) k - (double) ((n - 1) / 2)) + (uneven ? 0.3 * sin ((double) k) : 0.0);
  for (unsigned r = 0; r <= NEAR_ROWS; r++)
    for (unsigned a = 0; a < ANGLES; a++)
      {
        double angle = (10.0 + a) * M_PI / 180.0, range = r < NEAR_ROWS ? ranges[r] / sin (angle) : 1.0;

        foci[r * ANGLES + a] = (EskFocus) { range * cos (angle), range * sin (angle), 0.0, r < NEAR_ROWS };
      }
  for (unsigned lane = 0; lane < LANES && code == ESK_OK; lane++)
    bench->dft[lane] = bench->table->beam->dft_new (bench->stream[lane], &dft, &code);
  plan.n_foci = NEAR_ROWS * ANGLES;
  plan.bins = CBF_BINS;
  plan.first_frequency = CBF_FIRST * plan.bin_spacing;
  if (code == ESK_OK)
    bench->near = bench->table->beam->beams_new (bench->stream[0], &plan, &code);
  plan.foci = foci + NEAR_ROWS * ANGLES;
  plan.n_foci = ANGLES;
  plan.bins = ALL_BINS;
  plan.first_frequency = LOFAR_FIRST * plan.bin_spacing;
  if (code == ESK_OK)
    bench->far = bench->table->beam->beams_new (bench->stream[0], &plan, &code);
  if (code != ESK_OK)
    fail ("preparing", code);
  free (positions);
  free (foci);
}

static size_t
block_bytes (const Bench *bench)
{
  return (size_t) RATE * bench->elements * sizeof (int16_t);
}

static void
make_memory (Bench *bench)
{
  const EskHotspots *table = bench->table;
  uint64_t state = 1;
  int16_t *samples;

  bench->staging = bench->own_memory ? table->device->staging_new (block_bytes (bench)) : malloc (block_bytes (bench));
  if (bench->staging == NULL)
    fail ("no memory", ESK_ERROR_MEMORY);
  samples = bench->staging;
  for (size_t k = 0; k < block_bytes (bench) / sizeof *samples; k++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      samples[k] = (int16_t) (state >> 50);
    }
  for (unsigned lane = 0; lane < LANES; lane++)
    {
      bench->samples[lane] = bench->own_memory ? memory_new (bench, block_bytes (bench)) : bench->staging;
      bench->values[lane] = memory_new (bench, esk_spectra_bytes (bench->elements, ALL_BINS, 1));
      bench->by_bin[lane] = memory_new (bench, (size_t) ANGLES * ALL_BINS * sizeof (float));
      bench->band[lane] = memory_new (bench, (size_t) NEAR_ROWS * ANGLES * sizeof (float));
      bench->health[lane] = memory_new (bench, bench->elements * sizeof (EskChannelHealth));
      if (bench->own_memory && table->device->upload (bench->stream[lane], bench->samples[lane], bench->staging,
                                                      block_bytes (bench)) != ESK_OK)
        fail ("upload", ESK_ERROR_DEVICE);
      wait_for (bench, lane);
    }
}

/* ---- stages ---- */

enum { UPLOAD = 1, DFT = 2, NEAR = 4, FAR = 8, DOWNLOAD = 16 };

static void
start (Bench   *bench,
       unsigned lane,
       unsigned stages,
       float   *result)
{
  const EskHotspots *table = bench->table;
  const ptrdiff_t n = (ptrdiff_t) bench->elements;
  EskFrames frames = { bench->samples[lane], ESK_I16, false, RATE, bench->elements, bench->by_channel ? 1 : n,
                       bench->by_channel ? RATE : 1 };
  EskSpectra spectra = { bench->values[lane], bench->elements, esk_spectra_stride (bench->elements), ALL_BINS, 1 };
  EskStream *stream = bench->stream[lane];
  int code = ESK_OK;

  if (stages & UPLOAD)
    code = table->device->upload (stream, bench->samples[lane], bench->staging, block_bytes (bench));
  if (code == ESK_OK && (stages & DFT))
    code = table->beam->real_dft (stream, bench->dft[lane], &frames, &spectra, bench->health[lane]);
  if (code == ESK_OK && (stages & NEAR))
    code = table->beam->beam_power (stream, bench->near, &spectra, CBF_FIRST - LOFAR_FIRST, NULL, bench->band[lane]);
  if (code == ESK_OK && (stages & FAR))
    code = table->beam->beam_power (stream, bench->far, &spectra, 0, bench->by_bin[lane], NULL);
  if (code == ESK_OK && (stages & DOWNLOAD) && bench->own_memory)
    code = table->device->download (stream, result, sizeof (float) * ANGLES * ALL_BINS, bench->by_bin[lane],
                                    sizeof (float) * ANGLES * ALL_BINS, sizeof (float) * ANGLES * ALL_BINS, 1);
  if (code != ESK_OK)
    fail (table->stream->last_error (stream), code);
}

/* Seconds of a block, by one stream; the median. */
static double
time_stages (Bench   *bench,
             unsigned stages,
             float   *result)
{
  double times[MOST_REPEATS], begun = seconds ();
  int n = 0;

  for (int r = -2; n < MOST_REPEATS && (n == 0 || seconds () - begun < MOST_SECONDS); r++)
    {
      double at = seconds ();

      start (bench, 0, stages, result);
      wait_for (bench, 0);
      /* A card that was idle takes a while to reach its clock. */
      if (r >= 0 && (!bench->own_memory || at - begun > 0.1))
        times[n++] = seconds () - at;
    }
  qsort (times, (size_t) n, sizeof *times, compare);
  return times[n / 2];
}

/* Seconds of a block where two streams take turns. */
static double
time_lanes (Bench   *bench,
            unsigned stages,
            float   *result)
{
  const int blocks = 40;
  double at = 0.0;

  for (int b = -4; b < blocks; b++)
    {
      unsigned lane = (unsigned) (b + 4) % LANES;

      wait_for (bench, lane);
      if (b == 0)
        at = seconds ();
      start (bench, lane, stages, result + (size_t) lane * ANGLES * ALL_BINS);
    }
  for (unsigned lane = 0; lane < LANES; lane++)
    wait_for (bench, lane);

  return (seconds () - at) / blocks;
}

/* Bytes a second that a copy in the device's memory reads and writes. */
static double
memory_rate (const Bench *bench)
{
  const size_t side = 16384;
  float *planes;
  double best = HUGE_VAL;

  if (!bench->own_memory || !ESK_HAS (bench->table, picture, plane_decimate))
    return 0.0;
  planes = bench->table->device->memory_new (0, 2 * side * side * sizeof (float));
  for (int r = 0; planes != NULL && r < 7; r++)
    {
      double at = seconds ();

      if (bench->table->picture->plane_decimate (bench->stream[0], planes, side, side, side, 1,
                                                 planes + side * side) != ESK_OK)
        fail ("copying", ESK_ERROR_DEVICE);
      wait_for (bench, 0);
      best = fmin (best, seconds () - at);
    }
  memory_free (bench, planes);
  return planes == NULL ? 0.0 : 2.0 * (double) (side * side * sizeof (float)) / best;
}

static void
report (const char *what,
        double      time,
        double      macs,
        double      bytes,
        double      rate)
{
  printf ("  %-34s %9.3f ms  %8.1f x real time", what, time * 1e3, 1.0 / time);
  if (macs > 0.0)
    printf ("  %7.0f G complex MAC/s (%.1f TFLOP/s)", macs / time / 1e9, 8.0 * macs / time / 1e12);
  if (rate > 0.0 && bytes > 0.0)
    printf ("  bytes once %.3f ms, x %.1f", bytes / rate * 1e3, time * rate / bytes);
  printf ("\n");
  fflush (stdout);
}

static void
run (const EskHotspots *table,
     size_t             elements,
     int                threads,
     bool               uneven,
     bool               single,
     bool               by_channel)
{
  Bench bench = { .table = table, .elements = elements, .by_channel = by_channel, .single = single,
                  .own_memory = ESK_HAS (table, device, memory_new) };
  const double n = (double) elements, near_macs = n * NEAR_ROWS * ANGLES * CBF_BINS, far_macs = n * ANGLES * ALL_BINS;
  const double near_bytes = n * CBF_BINS * 8.0, far_bytes = n * ALL_BINS * 8.0;
  const size_t result_bytes = sizeof (float) * LANES * ANGLES * ALL_BINS;
  float *result = bench.own_memory ? table->device->staging_new (result_bytes) : malloc (result_bytes);
  double rate;

  for (unsigned lane = 0; lane < LANES; lane++)
    {
      bench.stream[lane] = table->stream->stream_new (0);
      if (bench.stream[lane] == NULL || result == NULL)
        fail ("no stream", ESK_ERROR_MEMORY);
      if (threads > 0)
        esk_hotspots_set_threads (table, bench.stream[lane], threads);
    }
  make_memory (&bench);
  rate = memory_rate (&bench);
  double begun = seconds ();
  make_plans (&bench, uneven);
  printf ("%zu elements%s, %s, prepared in %.1f ms\n", elements, uneven ? ", uneven" : "",
          by_channel ? "channel after channel" : "frame after frame", (seconds () - begun) * 1e3);
  report ("spectra of int16", time_stages (&bench, DFT, result), 0.0, (double) block_bytes (&bench) + far_bytes, rate);
  report ("near beams, 7 rows", time_stages (&bench, NEAR, result), near_macs, near_bytes, rate);
  report ("far beams and LOFAR", time_stages (&bench, FAR, result), far_macs, far_bytes, rate);
  report ("all of it, resident", time_stages (&bench, DFT | NEAR | FAR | DOWNLOAD, result), near_macs + far_macs,
          (double) block_bytes (&bench) + 3.0 * far_bytes, rate);
  if (bench.own_memory)
    {
      report ("upload alone, page-locked", time_stages (&bench, UPLOAD, result), 0.0, 0.0, 0.0);
      report ("all of it, resident, two streams", time_lanes (&bench, DFT | NEAR | FAR | DOWNLOAD, result),
              near_macs + far_macs, 0.0, 0.0);
      report ("all of it, page-locked, two streams", time_lanes (&bench, UPLOAD | DFT | NEAR | FAR | DOWNLOAD, result),
              near_macs + far_macs, 0.0, 0.0);
    }

  table->beam->beams_free (bench.near);
  table->beam->beams_free (bench.far);
  for (unsigned lane = 0; lane < LANES; lane++)
    {
      table->beam->dft_free (bench.dft[lane]);
      if (bench.own_memory)
        memory_free (&bench, bench.samples[lane]);
      memory_free (&bench, bench.values[lane]);
      memory_free (&bench, bench.by_bin[lane]);
      memory_free (&bench, bench.band[lane]);
      memory_free (&bench, bench.health[lane]);
      table->stream->stream_free (bench.stream[lane]);
    }
  if (bench.own_memory)
    {
      table->device->staging_free (bench.staging);
      table->device->staging_free (result);
    }
  else
    {
      free (bench.staging);
      free (result);
    }
}

static const EskHotspots *
load_module (const char *path)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL), *symbol;
  char why[256] = "it exports no " ESK_MODULE_ENTRY;
  EskModuleEntry entry = NULL;
  const EskHotspots *table;

  if (module == NULL)
    {
      fprintf (stderr, "perf-arrays: %s\n", dlerror ());
      exit (2);
    }
  symbol = dlsym (module, ESK_MODULE_ENTRY);
  memcpy (&entry, &symbol, sizeof entry);
  table = entry != NULL ? entry (ESK_HOTSPOTS_ABI, why, sizeof why) : NULL;
  if (table == NULL || table->device->device_count (why, sizeof why) == 0)
    {
      fprintf (stderr, "perf-arrays: %s: %s\n", path, why);
      exit (77);
    }
  if (table->device->device_warm_up (0) != ESK_OK)
    fail ("starting the device", ESK_ERROR_DEVICE);
  return table;
}

int
main (int   argc,
      char *argv[])
{
  const EskHotspots *table = esk_cpu_hotspots ();
  bool uneven = false, single = false, by_channel = false, any = false;
  int threads = 0;

  for (int k = 1; k < argc; k++)
    if (strcmp (argv[k], "--module") == 0 && k + 1 < argc)
      table = load_module (argv[++k]);
    else if (strcmp (argv[k], "--threads") == 0 && k + 1 < argc)
      threads = atoi (argv[++k]);
    else if (strcmp (argv[k], "--uneven") == 0)
      uneven = true;
    else if (strcmp (argv[k], "--single") == 0)
      single = true;
    else if (strcmp (argv[k], "--layout") == 0 && k + 1 < argc)
      by_channel = strcmp (argv[++k], "channel") == 0;
    else if (atol (argv[k]) > 0)
      {
        run (table, (size_t) atol (argv[k]), threads, uneven, single, by_channel);
        any = true;
      }
    else
      {
        fprintf (stderr, "usage: perf-arrays [--module PATH] [--threads N] [--uneven] [--single] "
                         "[--layout frame|channel] [ELEMENTS...]\n");
        return 2;
      }
  if (!any)
    run (table, 512, threads, uneven, single, by_channel);

  return 0;
}
