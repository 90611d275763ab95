/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "base/es-params.h"

G_BEGIN_DECLS

typedef enum { ES_SOURCE_TONE, ES_SOURCE_NOISE, ES_SOURCE_PROPELLER, ES_N_SOURCE_KINDS } EsSourceKind;

/* One source of a simulated scene. */
typedef struct
{
  EsSourceKind kind;
  double bearing;              /* degrees at the beginning (theta of a line; azimuth else) */
  double bearing_rate;         /* degrees a minute */
  double elevation;
  double range;                /* m from the array's origin (slant); INFINITY: far */
  double level;                /* dB of its mean square at the array's origin (re 1 unit^2) */
  double low, high;            /* Hz: band of NOISE and PROPELLER; TONE: low is its frequency */
  double shaft, blades;        /* PROPELLER: turns a second, blades: amplitude modulation at both and harmonics */
  guint  harmonics;            /* TONE: so many lines at multiples of low, 1: itself */
  guint  copy;                 /* the number, from 1 on, of an earlier source of the same kind and frequencies whose
                                * signal it has: another path of it, coherent; 0: none, a signal of its own */
} EsSource;

/*
 * The parameter table of `simulate recording`: array, rate, seconds, sound-speed, type (int16, float32), format (wav,
 * w64, rf64, h5, sio, raw), sources (text: "noise,123,0,300:440;tone,60,-10,60;propeller,30,-3,200:1000,shaft=2,
 * blades=5,rate=-4,range=400"; "noise,85,0,300:440;noise,95,0,300:440,copy=1" is one source on two paths), ambient
 * (dB), ambient-spectrum (white, -5 dB an octave), seed.
 */
extern const EsParamSpec es_simulate_recording_params[];

gboolean es_sources_parse      (const char *text, GArray **sources, GError **error);   /* of EsSource; transfer full */
char    *es_sources_to_text    (const GArray *sources);

/*
 * Writes the recording at target, its array as sidecar, and <stem>_truth.csv (source, time, bearing, range, level).
 * Element k hears s (t - (|p - x_k| - |p|) / c): tones and their delays analytically, broadband sources as random
 * spectra made at twice the rate and read between the samples by a windowed sinc (delays correct to 1e-6 s, also where
 * sources move). Streams: any length. Deterministic. Blocking. G_IO_ERROR_CANCELLED leaves nothing behind.
 */
gboolean es_simulate_recording (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                                gpointer data, GCancellable *cancellable, GError **error);

G_END_DECLS
