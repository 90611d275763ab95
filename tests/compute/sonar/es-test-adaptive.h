/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beamformer.h"
#include "es-test-sonar.h"

/*
 * Spectra that are drawn as they are in sonar.md 13, items 4 to 7: X = sum a s + noise (complex Gaussian), and samples
 * whose rectangular transforms of `length` without overlap are exactly these.
 */
typedef struct
{
  double theta, power;         /* degrees from the axis of the line; E |s|^2 in a bin */
  guint  signal;               /* sources of the same one are coherent */
} EsTestSource;

typedef struct
{
  EsArray *array;
  guint    length;             /* a power of two */
  guint    first_bin, n_bins;
  guint    snapshots;
  double   noise;              /* E |n|^2 of an element in a bin */
  guint64  seed;
} EsTestSpectra;

#define ES_TEST_RATE 8000.0

/* Far sources of a line at ES_TEST_RATE and 1,500 m/s, as ESK_F32. Transfer full. */
EsRecording    *es_test_draw_spectra    (const EsTestSpectra *spectra, const EsTestSource *sources, guint n);

/* A line of n, noise from 60 and 100 degrees, 300 to 500 Hz, and white noise; ES_TEST_ADAPTIVE_FRAMES long. Transfer
 * full. */
#define ES_TEST_ADAPTIVE_FRAMES 24000
EsTestSonar    *es_test_adaptive_sonar  (guint n);
EsRecording    *es_test_adaptive_recording (guint n);

/* Settings of adaptive beams: keys and values by turns, closed by NULL. Transfer full. */
EsBeamSettings *es_test_adaptive_new    (EsRecording *recording, ...) G_GNUC_NULL_TERMINATED;
/* The same where they cannot be: the sentence. Transfer full. */
char           *es_test_adaptive_refuse (EsRecording *recording, ...) G_GNUC_NULL_TERMINATED;
EsBeamformer   *es_test_beamformer_new  (EsRecording *recording, const EsBeamSettings *settings, const char *device);
/* The block at a frame of a beamformer of its own. */
EsBeamBlock    *es_test_adaptive_block  (EsRecording *recording, const EsBeamSettings *settings, const char *device,
                                         guint64 frame);
/* The angle of the largest power of the far row. */
double          es_test_strongest       (EsBeamBlock *block, EsBeamKind kind);
/* Of the far row at the angle, which is one of the settings'. */
double          es_test_power_at        (EsBeamBlock *block, EsBeamKind kind, double theta);
/* The median of the far row over its maximum, dB. */
double          es_test_floor           (EsBeamBlock *block, EsBeamKind kind);
