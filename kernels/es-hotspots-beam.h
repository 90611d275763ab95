/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Spectra and beams of a hydrophone array; es-spectra.h has the formulas. */

#include "es-hotspots-stream.h"
#include "es-spectra.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /* Prepares transforms and beams, which may be used by any stream of the same device, by one at a time. What a library
   * or a device takes long for the first time is done here. NULL with *code: ESK_ERROR_ARGUMENT, _MEMORY, _DEVICE. */
  EskDft   *(*dft_new)   (EskStream *stream, const EskDftPlan *plan, int *code);
  void      (*dft_free)  (EskDft *dft);
  /* frames and spectra->values lie in the stream's memory; frames has at least (snapshots - 1) * hop + window_length
   * frames and every channel of the plan. spectra is of the plan's elements, bins and snapshots. health (elements
   * entries of the stream's memory) is nullable. */
  int       (*real_dft)  (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
                          EskChannelHealth *health);

  EskBeams *(*beams_new)  (EskStream *stream, const EskBeamPlan *plan, int *code);
  void      (*beams_free) (EskBeams *beams);
  /*
   * Powers of beams, averaged over the snapshots. Bin b of the beams is bin first_bin + b of the spectra.
   * by_bin[focus * bins + b] and band[focus] (summed over the bins of the beams) lie in the stream's memory, are
   * overwritten, and are nullable, not both. The same bytes for the same spectra.
   */
  int       (*beam_power) (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                           float *by_bin, float *band);
  /* Y itself: out[((focus * snapshots + snapshot) * bins + b) * 2 + part], in the stream's memory. NULL in a device's
   * table: the CPU does it. */
  int       (*beam_output) (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                            float *out);
} EskBeamHotspots;

#ifdef __cplusplus
}
#endif
