/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast the CPU makes a block of beams: medians of the time that passes and of the processors' time. The settings
 * are those published for 8 kHz (sonar.md 12): 160 angles, 7 near rows and the far one, 166 bins of them all and 293
 * more of the far one.
 */

#include "perf-hotspots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RATE 8000
#define LENGTH 8192
#define FIRST_BIN 34
#define FIRST_CBF_BIN 327
#define LAST_BIN 492
#define ANGLES 160
#define MOST_REPEATS 41

enum { TRANSFORM, NEAR, FAR, N_STEPS };

typedef struct
{
  const EskHotspots *cpu;
  EskStream         *stream;
  EskDft            *dft;
  EskBeams          *near, *far;
  EskFrames          frames;
  EskSpectra         spectra;
  EskChannelHealth  *health;
  float             *field, *by_bin;
} Bench;

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

static int
step (Bench *self,
      int    which)
{
  switch (which)
    {
    case TRANSFORM:
      return self->cpu->beam->real_dft (self->stream, self->dft, &self->frames, &self->spectra, self->health);
    case NEAR:
      return self->cpu->beam->beam_power (self->stream, self->near, &self->spectra, FIRST_CBF_BIN - FIRST_BIN, NULL,
                                          self->field);
    default:
      return self->cpu->beam->beam_power (self->stream, self->far, &self->spectra, 0, self->by_bin, NULL);
    }
}

static int
measure (Bench *self,
         int    threads,
         size_t elements)
{
  double times[N_STEPS][MOST_REPEATS], used[N_STEPS][MOST_REPEATS], medians[N_STEPS], total = 0.0, work = 0.0;
  double begin = clock_of (CLOCK_MONOTONIC);
  int n = 0, code = self->cpu->stream->set_threads (self->stream, threads);

  /* Once for pages and threads. */
  for (int which = 0; which < N_STEPS; which++)
    code = code == ESK_OK ? step (self, which) : code;
  for (; code == ESK_OK && n < MOST_REPEATS && (n < 3 || clock_of (CLOCK_MONOTONIC) - begin < 4.0); n++)
    for (int which = 0; which < N_STEPS && code == ESK_OK; which++)
      {
        double start = clock_of (CLOCK_MONOTONIC), start_used = clock_of (CLOCK_PROCESS_CPUTIME_ID);

        code = step (self, which);
        times[which][n] = clock_of (CLOCK_MONOTONIC) - start;
        used[which][n] = clock_of (CLOCK_PROCESS_CPUTIME_ID) - start_used;
      }
  if (code != ESK_OK)
    return code;
  for (int which = 0; which < N_STEPS; which++)
    {
      qsort (times[which], (size_t) n, sizeof (double), compare);
      qsort (used[which], (size_t) n, sizeof (double), compare);
      work += used[which][n / 2];
      medians[which] = times[which][n / 2];
      total += medians[which];
    }
  printf ("%7zu %7d %10.2f %10.2f %10.2f %10.2f %9.1f x %10.2f = %.2f + %.2f + %.2f\n", elements, threads,
          medians[TRANSFORM] * 1e3, medians[NEAR] * 1e3, medians[FAR] * 1e3, total * 1e3, 1.0 / total, work * 1e3,
          used[TRANSFORM][n / 2] * 1e3, used[NEAR][n / 2] * 1e3, used[FAR][n / 2] * 1e3);

  return ESK_OK;
}

static EskBeams *
beams_new (Bench        *self,
           const double *positions,
           size_t        elements,
           bool          near,
           int          *code)
{
  static const double distances[] = { 50, 100, 200, 400, 800, 1600, 3200 };
  EskFocus foci[7 * ANGLES];
  EskBeamPlan plan = { .elements = elements, .positions = positions, .foci = foci, .sound_speed = 1500.0,
                       .bin_spacing = (double) RATE / LENGTH,
                       .normalisation = 1.0 / ((double) elements * (double) elements),
                       .amplitude = 1.0 / (double) elements };

  plan.n_foci = near ? 7 * ANGLES : ANGLES;
  plan.bins = LAST_BIN - (near ? FIRST_CBF_BIN : FIRST_BIN) + 1;
  plan.first_frequency = (near ? FIRST_CBF_BIN : FIRST_BIN) * plan.bin_spacing;
  for (size_t f = 0; f < plan.n_foci; f++)
    {
      double theta = (10.0 + (double) (f % ANGLES)) * M_PI / 180.0, h = distances[f / ANGLES];

      foci[f] = near ? (EskFocus) { h * cos (theta) / sin (theta), h, 0.0, true }
                     : (EskFocus) { cos (theta), sin (theta), 0.0, false };
    }

  return self->cpu->beam->beams_new (self->stream, &plan, code);
}

static int
perf_size (size_t        elements,
           EskDftLibrary library)
{
  const size_t bins = LAST_BIN - FIRST_BIN + 1;
  const int processors = (int) sysconf (_SC_NPROCESSORS_ONLN);
  const EskDftPlan plan = { .length = LENGTH, .window_length = RATE, .snapshots = 1, .first_bin = FIRST_BIN,
                            .bins = bins, .elements = elements, .library = library };
  Bench self = { .cpu = esk_cpu_hotspots () };
  int16_t *samples = malloc (RATE * elements * sizeof *samples);
  double *positions = calloc (elements * 3, sizeof *positions), start;
  uint32_t state = 1;
  int code = ESK_ERROR_MEMORY;

  self.stream = self.cpu->stream->stream_new (0);
  self.spectra = (EskSpectra) { aligned_alloc (64, esk_spectra_bytes (elements, bins, 1)), elements,
                                esk_spectra_stride (elements), bins, 1 };
  self.health = calloc (elements, sizeof *self.health);
  self.field = calloc (7 * ANGLES, sizeof *self.field);
  self.by_bin = calloc (ANGLES * bins, sizeof *self.by_bin);
  if (samples == NULL || positions == NULL || self.stream == NULL || self.spectra.values == NULL || self.health == NULL
      || self.field == NULL || self.by_bin == NULL)
    goto done;
  for (size_t k = 0; k < RATE * elements; k++)
    samples[k] = (int16_t) ((state = state * 1664525u + 1013904223u) >> 16);
  for (size_t k = 0; k < elements; k++)
    positions[3 * k] = ((double) k - (double) ((elements - 1) / 2)) * 1.5;
  self.frames = (EskFrames) { samples, ESK_I16, false, RATE, elements, (ptrdiff_t) elements, 1 };

  start = clock_of (CLOCK_MONOTONIC);
  self.dft = self.cpu->beam->dft_new (self.stream, &plan, &code);
  if (code == ESK_OK)
    self.near = beams_new (&self, positions, elements, true, &code);
  if (code == ESK_OK)
    self.far = beams_new (&self, positions, elements, false, &code);
  if (code == ESK_OK)
    printf ("%7zu preparing %.1f ms\n", elements, (clock_of (CLOCK_MONOTONIC) - start) * 1e3);
  /* One, and all there are. */
  for (int k = 0; code == ESK_OK && k < (processors > 1 ? 2 : 1); k++)
    code = measure (&self, k == 0 ? 1 : processors, elements);

done:
  self.cpu->beam->dft_free (self.dft);
  self.cpu->beam->beams_free (self.near);
  self.cpu->beam->beams_free (self.far);
  if (self.stream != NULL)
    self.cpu->stream->stream_free (self.stream);
  free (samples);
  free (positions);
  free (self.spectra.values);
  free (self.health);
  free (self.field);
  free (self.by_bin);

  return code;
}

int
perf_beams (size_t        elements,
            EskDftLibrary library)
{
  static const size_t sizes[] = { 64, 512, 2048, 8192 };

  printf ("%7s %7s %10s %10s %10s %10s %11s %10s\n", "elem.", "threads", "DFT ms", "near ms", "far ms", "block ms",
          "real time", "processor ms");
  if (elements > 0)
    return perf_size (elements, library) == ESK_OK ? 0 : 4;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    if (perf_size (sizes[k], library) != ESK_OK)
      return 4;
  return 0;
}
