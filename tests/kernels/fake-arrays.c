/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms and beams of the fake cards: the CPU's, of memory that has guards. */

#include "fake-device.h"

/* Prepared transforms and beams are the CPU's. */
EskDft *
fake_dft_new (EskStream *stream, const EskDftPlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->dft_new (stream->cpu, plan, code) : NULL;
}

void
fake_dft_free (EskDft *dft)
{
  esk_cpu_hotspots ()->dft_free (dft);
}

int
fake_real_dft (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
               EskChannelHealth *health)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->real_dft (stream->cpu, dft, frames, spectra, health);
}

EskBeams *
fake_beams_new (EskStream *stream, const EskBeamPlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->beams_new (stream->cpu, plan, code) : NULL;
}

void
fake_beams_free (EskBeams *beams)
{
  esk_cpu_hotspots ()->beams_free (beams);
}

int
fake_beam_power (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin, float *by_bin,
                 float *band)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->beam_power (stream->cpu, beams, spectra, first_bin, by_bin, band);
}

EskAdaptive *
fake_adaptive_new (EskStream *stream, const EskAdaptivePlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->adaptive_new (stream->cpu, plan, code) : NULL;
}

void
fake_adaptive_free (EskAdaptive *adaptive)
{
  esk_cpu_hotspots ()->adaptive_free (adaptive);
}

int
fake_adaptive_reset (EskStream *stream, EskAdaptive *adaptive)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->adaptive_reset (stream->cpu, adaptive);
}

int
fake_adaptive_add (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin, double keep,
                   double weight)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code
         : esk_cpu_hotspots ()->adaptive_add (stream->cpu, adaptive, spectra, first_bin, keep, weight);
}

int
fake_adaptive_power (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run, EskAdaptiveReport *report)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->adaptive_power (stream->cpu, adaptive, run, report);
}

int
fake_adaptive_state (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                     double *matrix, size_t *used)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code
         : esk_cpu_hotspots ()->adaptive_state (stream->cpu, adaptive, bin, columns, weights, matrix, used);
}
