/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adaptive beams of the fake cards: the CPU's. */

#include "fake-device.h"

static EskAdaptive *
fake_adaptive_new (EskStream *stream, const EskAdaptivePlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->adaptive->adaptive_new (stream->cpu, plan, code) : NULL;
}

static void
fake_adaptive_free (EskAdaptive *adaptive)
{
  esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
}

static int
fake_adaptive_reset (EskStream *stream, EskAdaptive *adaptive)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->adaptive->adaptive_reset (stream->cpu, adaptive);
}

static int
fake_adaptive_add (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin, double keep,
                   double weight)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code
         : esk_cpu_hotspots ()->adaptive->adaptive_add (stream->cpu, adaptive, spectra, first_bin, keep, weight);
}

static int
fake_adaptive_power (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run, EskAdaptiveReport *report)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->adaptive->adaptive_power (stream->cpu, adaptive, run, report);
}

static int
fake_adaptive_state (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                     double *matrix, size_t *used)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code
         : esk_cpu_hotspots ()->adaptive->adaptive_state (stream->cpu, adaptive, bin, columns, weights, matrix, used);
}

const EskAdaptiveHotspots fake_adaptive_hotspots = {
  .adaptive_new = fake_adaptive_new,
  .adaptive_free = fake_adaptive_free,
  .adaptive_reset = fake_adaptive_reset,
  .adaptive_add = fake_adaptive_add,
  .adaptive_power = fake_adaptive_power,
  .adaptive_state = fake_adaptive_state,
};
