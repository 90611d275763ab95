/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the tests of adaptive beams share: arrays, snapshots with sources and noise, and the definition itself by Gauss
 * elimination in extended precision.
 */

#include "test-scene.h"

#include <complex.h>

/* Sets of inner loops: the fastest there are, those without AVX-512, those for any processor. */
enum { FASTEST, NARROW, PORTABLE, N_LOOPS };
extern const char *const loops_names[N_LOOPS];
EskStream *loops_stream_new (int loops);

typedef long double complex Number;

/* A line of elements unless changed, foci all round it; spectra begin `first_bin` bins before the plan's. */
typedef struct
{
  EskAdaptivePlan plan;
  double         *positions;
  EskFocus       *foci;
  EskSpectra      spectra;
  size_t          first_bin;
  GRand          *random;
} Scenario;

Scenario *scenario_new    (size_t elements, size_t foci, size_t bins, size_t columns, guint32 seed);
void      scenario_free   (Scenario *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scenario, scenario_free)
/* Every third focus 20 m away, elements anywhere. */
void      scenario_scatter (Scenario *self);
/* New snapshots of noise and two sources; `level` is the power of the noise. */
void      scenario_hear   (Scenario *self, size_t snapshots, double level);
/* Of all snapshots. */
void      scenario_kill   (Scenario *self, size_t element);

Number    snapshot_of     (const Scenario *self, size_t bin, size_t snapshot, size_t element);
/* exp (j 2 pi f Dl / c) by the distances themselves. */
Number    steering_of     (const Scenario *self, size_t bin, size_t focus, size_t element);
/* sum w x x' / sum w of the spectra's snapshots from `from` on; weights: NULL for ones. n x n. */
Number   *matrix_of       (const Scenario *self, size_t bin, size_t from, const double *weights);
/* 1 / a' (R + loading trace / B)^-1 a, dead elements left out; 0 for silence; -1: singular. w (nullable): the weights,
 * elements long. */
double    power_of        (const Scenario *self, size_t bin, size_t focus, const Number *matrix, double loading,
                           Number *w);

/* ---- the CPU's hot spots ---- */

EskAdaptive *scenario_adaptive_new (EskStream *stream, const Scenario *scenario);
/* Adds the scenario's snapshots. */
void      scenario_add    (EskStream *stream, EskAdaptive *adaptive, const Scenario *scenario, double keep,
                           double weight);
int       adaptive_powers (EskStream *stream, EskAdaptive *adaptive, EskAdaptiveMethod method, double loading,
                           float *by_bin, float *band, EskAdaptiveReport *report);
