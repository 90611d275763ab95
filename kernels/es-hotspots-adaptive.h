/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Adaptive beams; es-adaptive.h has the formulas. */

#include "es-adaptive.h"
#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /* What has been heard so far is kept in the device's memory. */
  EskAdaptive *(*adaptive_new) (EskStream *stream, const EskAdaptivePlan *plan, int *code);
  void      (*adaptive_free)  (EskAdaptive *adaptive);
  /* Nothing has been heard. */
  int       (*adaptive_reset) (EskStream *stream, EskAdaptive *adaptive);
  /* Weights so far are multiplied by keep (0..1), and the snapshots of the spectra join in, each with `weight` > 0.
   * Bin b of the plan is bin first_bin + b of the spectra. Of the columns the oldest go. */
  int       (*adaptive_add)   (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin,
                               double keep, double weight);
  /* ESK_ERROR_SINGULAR: see report (not nullable), which is there when this returns. Nothing heard yet: ARGUMENT. The
   * same bytes for what was heard in the same order. */
  int       (*adaptive_power) (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                               EskAdaptiveReport *report);
  /* What has been heard of one bin, to host memory: columns (plan->columns x 2 x elements, oldest first, `used` of them
   * filled) and weights that sum to 1 (plan->columns); or the normalised matrix (elements^2 complex, row-major, full),
   * which may also be asked for where there are columns. All nullable. */
  int       (*adaptive_state) (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                               double *matrix, size_t *used);
} EskAdaptiveHotspots;

#ifdef __cplusplus
}
#endif
