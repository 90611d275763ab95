/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms and beams of the fake cards: the CPU's, of memory that has guards. */

#include "fake-device.h"

/* Prepared transforms and beams are the CPU's. */
static EskDft *
fake_dft_new (EskStream *stream, const EskDftPlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->beam->dft_new (stream->cpu, plan, code) : NULL;
}

static void
fake_dft_free (EskDft *dft)
{
  esk_cpu_hotspots ()->beam->dft_free (dft);
}

static int
fake_real_dft (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
               EskChannelHealth *health)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->beam->real_dft (stream->cpu, dft, frames, spectra, health);
}

static EskBeams *
fake_beams_new (EskStream *stream, const EskBeamPlan *plan, int *code)
{
  *code = fake_work (stream);
  return *code == ESK_OK ? esk_cpu_hotspots ()->beam->beams_new (stream->cpu, plan, code) : NULL;
}

static void
fake_beams_free (EskBeams *beams)
{
  esk_cpu_hotspots ()->beam->beams_free (beams);
}

static int
fake_beam_power (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin, float *by_bin,
                 float *band)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->beam->beam_power (stream->cpu, beams, spectra, first_bin, by_bin,
                                                                        band);
}

/* No beam_output: as a card that lacks it. */
const EskBeamHotspots fake_beam_hotspots = {
  .dft_new = fake_dft_new,
  .dft_free = fake_dft_free,
  .real_dft = fake_real_dft,
  .beams_new = fake_beams_new,
  .beams_free = fake_beams_free,
  .beam_power = fake_beam_power,
};
