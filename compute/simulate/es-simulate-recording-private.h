/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

#include "es-hotspots.h"
#include "saving/es-output-internal.h"
#include "es-simulate-private.h"
#include "es-simulate-recording.h"

G_BEGIN_DECLS

/*
 * The parts of the simulated recording. Every sample is a pure function of the seed and of where it is (channel,
 * frame): the bytes do not depend on chunks or threads.
 *
 * A broadband source is a sequence of random spectra, transformed, faded into each other (sine windows, whose squares
 * sum to one) and held at twice the sampling rate. An element reads it late by its delay: between samples by a windowed
 * sinc, which at twice the rate is true to -110 dB up to half of the sampling rate. Tones are evaluated where they are.
 * Delays are float64 and linear between points `segment` frames apart.
 */

/* Taps of the interpolation, and the phases between two samples at which they are tabulated. */
#define ES_SIMULATE_TAPS 16
#define ES_SIMULATE_PHASES 1024

/* In the order of the choices of "type" and "format". */
enum { ES_SIMULATE_SAMPLES_INT16, ES_SIMULATE_SAMPLES_FLOAT32 };
typedef enum { ES_SIMULATE_AUTO, ES_SIMULATE_WAV, ES_SIMULATE_W64, ES_SIMULATE_RF64, ES_SIMULATE_HDF5, ES_SIMULATE_SIO,
               ES_SIMULATE_RAW } EsSimulateFormat;

/* What a truth begins with. */
#define ES_RECORDING_TRUTH_HEAD "source,kind,time_s,bearing_deg,elevation_deg,range_m,level_db,low_hz,high_hz," \
                                "stored_per_unit\n"

typedef struct
{
  double x, y, z;              /* m from the array's origin; far: a unit vector */
} EsSourcePlace;

/* What the whole recording needs to know; read by all threads. */
typedef struct
{
  EsArray      *array;
  const EsElement *elements;
  guint         n_elements, channels;
  double        rate, sound_speed;
  guint64       frames, seed;
  GArray       *sources;       /* of EsSource */
  double        ambient;       /* standard deviation */
  gboolean      ambient_white;
  guint         type;          /* ES_SIMULATE_SAMPLES_ */
  double        scale;         /* stored = units * scale / the element's gain; integers: 32767 are the largest */
  double        origin[3];     /* m, in the array's frame */
  double        farthest;      /* m: an element from it */
  guint         segment;       /* frames between two points where the delays of moving sources are evaluated */
  guint         transform;     /* samples of a source's random spectra, at twice the rate */
  float        *kernel;        /* (ES_SIMULATE_PHASES + 1) x ES_SIMULATE_TAPS */
  float        *fade, *ambient_fade, *ambient_deviations;
} EsRecordingScene;

/* A chunk of the sources' signals; made before the elements read them. */
typedef struct
{
  gint64        first;         /* at twice the rate; even */
  gsize         n;
  float        *samples;       /* n of them */
  float        *even, *odd;    /* the same, (n + 1) / 2 each; of sources that stand still */
  EsSourcePlace *places;       /* at the chunk's points, points of them; of sources that move */
} EsSourceChunk;

/* ---- es-simulate-recording-sources.c ---- */

/* Whether a text can be parsed, for EsParamSpec. */
gboolean      es_simulate_check_sources (const char *text, GError **error);
gboolean      es_source_moves           (const EsSource *source);
/* The source, from 0 on, whose signal a source has: its own number unless it is a copy. */
guint         es_source_origin          (const GArray *sources, guint source);
EsSourcePlace es_source_place           (EsArray *array, const EsSource *source, double seconds);
/* Seconds by which an element hears it later than the array's origin does. */
double        es_source_delay           (const EsRecordingScene *scene, const EsSource *source, EsSourcePlace place,
                                         const EsElement *element);
/* The largest magnitude that may be expected of all sources and the ambient noise together, at the array's origin. */
double        es_sources_peak           (const GArray *sources, double ambient);

/* ---- es-simulate-recording-signal.c ---- */

/* Tables; needs rate, ambient and transform. */
void          es_simulate_prepare_signals (EsRecordingScene *scene);
/* chunk->first and n are set, samples, even and odd are there. FALSE: no memory. */
gboolean      es_source_make_signal     (const EsRecordingScene *scene, guint source, EsSourceChunk *chunk);
/* n frames from `first` on (a multiple of the segment) of one element, in units: adds to out. */
void          es_source_add             (const EsRecordingScene *scene, guint source, const EsSourceChunk *chunk,
                                         guint element, guint64 first, gsize n, float *out);
/* fft: of ES_SIMULATE_AMBIENT samples; work: ES_SIMULATE_AMBIENT_WORK floats. */
#define ES_SIMULATE_AMBIENT 4096
#define ES_SIMULATE_AMBIENT_WORK (2 * ES_SIMULATE_AMBIENT + 2)
void          es_ambient_add            (const EsRecordingScene *scene, EskFft *fft, float *work, guint element,
                                         guint64 first, gsize n, float *out);

/* ---- es-simulate-recording-write.c ---- */

typedef struct _EsRecordingWriter EsRecordingWriter;

/* The format that a name asks for where it is ES_SIMULATE_AUTO; WAV where the name has no ending. FALSE: it has one
 * that is not of the format. */
gboolean           es_recording_format_settle (const char *path, EsSimulateFormat *format, GError **error);
/* ES_DATA_ERROR_SIZE, _UNSUPPORTED where the format cannot hold it. */
gboolean           es_recording_writer_check  (EsSimulateFormat format, guint channels, guint type, guint64 frames,
                                               const char *path, GError **error);
EsRecordingWriter *es_recording_writer_new    (EsOutputs *outputs, const char *path, EsSimulateFormat format,
                                               guint channels, double rate, guint type, guint64 frames, GError **error);
/* n frames, interleaved, as int16 or float32; n is a multiple of 1024 but for the last. */
gboolean           es_recording_writer_add    (EsRecordingWriter *self, const void *samples, gsize n, GError **error);
gboolean           es_recording_writer_finish (EsRecordingWriter *self, GError **error);
void               es_recording_writer_free   (EsRecordingWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRecordingWriter, es_recording_writer_free)

/* es-simulate-recording-truth.c. CSV of where every source is, second by second. */
GString *es_recording_scene_tell_truth (const EsRecordingScene *scene);
/* The array with the gains that turn stored samples into units again. Transfer full. */
EsArray *es_recording_scene_make_array (const EsRecordingScene *scene, GError **error);
/* The path of that CSV beside a recording's. Transfer full. */
char    *es_recording_truth_path       (const char *path);

G_END_DECLS
