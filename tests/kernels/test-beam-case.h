/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Arrays, places and spectra of which beams are formed, and what comes out by the definition in float64: what the tests
 * of the CPU's beams share. */

#include <glib.h>

#include "es-hotspots.h"

/* ---- what is formed ---- */

typedef struct
{
  EskBeamPlan plan;
  double     *positions;
  EskFocus   *foci;
  EskSpectra  spectra;
} Case;

/* Elements in the middle, places nowhere, no spectra; to be filled by those below. */
Case *case_new            (size_t elements, size_t foci, size_t bins);
void  case_free           (Case *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)
/* Elements along x, `spacing` metres apart; anywhere up to `size` metres. */
void  case_line           (Case *self, double spacing);
void  case_scatter        (Case *self, double size, GRand *random);
/* Rows of `angles` foci from `from` degrees in steps: row 0 far, others at a perpendicular distance. */
void  case_rows           (Case *self, size_t angles, double from, double step);
void  case_random_spectra (Case *self, size_t first_bin, size_t snapshots, GRand *random);

/* Seconds, by the distances themselves, in extended precision; and the phasor of that delay at a bin. */
double delay_of  (const EskBeamPlan *plan, size_t focus, size_t element);
void   phasor_of (const EskBeamPlan *plan, size_t bin, double delay, double phasor[2]);
/* y: as beam_output () orders it, without the amplitude; power: by bin. */
void   reference (const Case *self, size_t first_bin, double *y, double *power);

/* A test for each set of inner loops: the fastest there are, those without AVX-512, those for any processor. Its data
 * says which; a stream with them. */
void       beam_add_test (const char *path, GTestDataFunc function);
EskStream *stream_of     (gconstpointer loops);
