/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of the fake cards share. */

#include "es-hotspots.h"

struct _EskStream {
  EskStream *cpu;
  int        device;
  uint32_t  *bands;
  size_t     n_bands;
  uint8_t   *valid;
  size_t     n_valid;
};

/* Every call on a card comes through here. */
int          fake_work           (EskStream *stream);

EskDft      *fake_dft_new        (EskStream *stream, const EskDftPlan *plan, int *code);
void         fake_dft_free       (EskDft *dft);
int          fake_real_dft       (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
                                  EskChannelHealth *health);
EskBeams    *fake_beams_new      (EskStream *stream, const EskBeamPlan *plan, int *code);
void         fake_beams_free     (EskBeams *beams);
int          fake_beam_power     (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                                  float *by_bin, float *band);
EskAdaptive *fake_adaptive_new   (EskStream *stream, const EskAdaptivePlan *plan, int *code);
void         fake_adaptive_free  (EskAdaptive *adaptive);
int          fake_adaptive_reset (EskStream *stream, EskAdaptive *adaptive);
int          fake_adaptive_add   (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin,
                                  double keep, double weight);
int          fake_adaptive_power (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                                  EskAdaptiveReport *report);
int          fake_adaptive_state (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                                  double *matrix, size_t *used);
