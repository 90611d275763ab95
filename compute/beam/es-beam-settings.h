/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "recording/es-recording.h"
#include "signal/es-beam-curve.h"
#include "signal/es-taper.h"

G_BEGIN_DECLS

typedef enum { ES_RANGE_PERPENDICULAR, ES_RANGE_SLANT } EsRangeKind;

/* Kinds of spectra over bearing. MUSIC's is no power but a pseudo-spectrum (>= 1). */
typedef enum { ES_BEAM_CBF, ES_BEAM_MVDR, ES_BEAM_MUSIC, ES_N_BEAM_KINDS } EsBeamKind;

typedef enum { ES_ADAPTIVE_AUTO, ES_ADAPTIVE_CHOLESKY, ES_ADAPTIVE_WOODBURY, ES_ADAPTIVE_JACOBI, ES_ADAPTIVE_EIGEN,
               ES_N_ADAPTIVE_METHODS } EsAdaptiveMethod;

/* Adaptive beams beside the conventional ones (sonar.md 5 to 7); on: whether there are any. */
typedef struct
{
  gboolean on;
  EsAdaptiveMethod method;
  double   loading;            /* relative to trace / B; negative: automatic (sonar.md 6.1): 0.01 where K >= B, 0.1 */
  guint    blocks;             /* whose snapshots are averaged: >= 1; with forgetting only of importance for memory */
  double   forgetting;         /* alpha of R <- (1 - alpha) R + alpha X X', a block; 0: none */
  guint    sources;            /* of MUSIC; 0: no MUSIC */
  gboolean eigenvalues;        /* of every bin */
} EsAdaptiveSettings;

/*
 * What beams are formed, in numbers: read from the parameters of an operation and checked against a recording and its
 * array. Text on the command line: band=LOW:HIGH (Hz), angles=FROM:TO:STEP (degrees, TO included), ranges=far,50,100
 * (metres), block=1s | 500ms | 8192 (samples).
 */
typedef struct
{
  double   rate;               /* Hz, of the recording */
  double   sound_speed;        /* m/s */
  guint    block;              /* samples taken each time: L, or with several snapshots all of them together */
  guint    length;             /* of the transform: N, the smallest power of two >= a snapshot's samples */
  guint    window_length;      /* of a snapshot */
  guint    hop, snapshots;     /* inside a block */
  EsWindowKind window;
  EsShading shading;
  gboolean remove_diagonal;
  guint    first_bin, n_bins;          /* kept of the spectra: LOFAR and CBF bands together */
  guint    cbf_first, cbf_bins;        /* the CBF band */
  guint    lofar_first, lofar_bins;    /* the LOFAR band: below the CBF band, or as it was told */
  double  *angles;             /* n_angles, degrees */
  guint    n_angles;
  gboolean line;               /* angles are from a line's axis */
  gboolean angles_fine;        /* so close that the curve between them is known */
  double  *ranges;             /* n_ranges, m; INFINITY: far. In the order given */
  guint    n_ranges;
  EsRangeKind range_kind;
  guint    library;            /* EskDftLibrary */
  EsAdaptiveSettings adaptive;
} EsBeamSettings;

/* The rows that operations of beams have in common: ES_BEAM_PARAMS is put into their tables. Keys: band, lofar-band,
 * angles, ranges, range-kind, sound-speed (0: the array's), block, transform (samples, 0: the next power of two),
 * window, overlap (%), snapshots, shading, diagonal, library. */
extern const EsParamSpec es_beam_params[];

/* Those of adaptive beams: the same without lofar-band (its bins are the band's), shading and diagonal; then method,
 * loading, blocks, forgetting, sources, eigenvalues (ES_ADAPTIVE_PARAMS). */
extern const EsParamSpec es_adaptive_params[];

/* EsParamSpec.stage of the rows of beams: the beams are formed anew; or the spectra of what was heard stay, and only
 * what adaptive beams make of them is done again, which is cheap enough for what plays. */
#define ES_BEAM_STAGE_BEAMS 0
#define ES_BEAM_STAGE_ADAPTIVE 1

/* ES_COMPUTE_ERROR_PARAMETER (a band above Nyquist, a block longer than the recording, no angle: what was found and
 * what is possible), ES_DATA_ERROR_FORMAT (no array; channels that the array names and the recording lacks). Transfer
 * full. */
EsBeamSettings *es_beam_settings_new   (EsParams *params, EsRecording *recording, EsArray *array, GError **error);
/* ES_DATA_ERROR_FORMAT: the recording has no array, and what is wrong with a description that was not taken. */
void            es_beam_settings_refuse_missing_array (EsRecording *recording, GError **error);
EsBeamSettings *es_beam_settings_copy  (const EsBeamSettings *self);
void            es_beam_settings_free  (EsBeamSettings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamSettings, es_beam_settings_free)

/* K: how many snapshots the matrix of a block is made of once there were enough blocks; with forgetting the effective
 * number, snapshots * (2 - alpha) / alpha. n_alive: elements. ES_COMPUTE_ERROR_PARAMETER of adaptive settings: no
 * loading and K < B, or by Woodbury; Woodbury where the matrices themselves are kept (forgetting and K >= B); as many
 * sources of MUSIC as elements, or more than snapshots. */
double es_beam_settings_get_effective_snapshots (const EsBeamSettings *self);
/* What automatic values come to for an array of so many alive elements. */
double es_beam_settings_get_loading    (const EsBeamSettings *self, guint n_alive);
EsAdaptiveMethod es_beam_settings_get_method (const EsBeamSettings *self, guint n_alive);
/* Operations of adaptive beams of a block, in float64; method: not AUTO. */
typedef struct
{
  double matrix, factor, spectrum;
} EsAdaptiveWork;
EsAdaptiveWork es_beam_settings_get_adaptive_work (const EsBeamSettings *self, EsAdaptiveMethod method, guint n_alive);
/* The same of a block with so many snapshots in its matrix, as the first ones have fewer; 0: the matrix is kept. */
EsAdaptiveWork es_beam_settings_get_adaptive_work_of (const EsBeamSettings *self, EsAdaptiveMethod method,
                                                      guint n_alive, guint columns);
/* Differ at most in what rows of ES_BEAM_STAGE_ADAPTIVE say (method, loading, sources, eigenvalues): what
 * es_beamformer_set_adaptive () can change. */
gboolean es_beam_settings_equal_but_adaptive (const EsBeamSettings *a, const EsBeamSettings *b);

double es_beam_settings_get_frequency  (const EsBeamSettings *self, guint bin);     /* Hz: bin * rate / length */
double es_beam_settings_get_highest    (const EsBeamSettings *self);                /* Hz: of the last bin kept */
/* The far row, or n_ranges where there is none. */
guint  es_beam_settings_find_far       (const EsBeamSettings *self);
/* "far", "perpendicular distance 50 m". Transfer full. */
char  *es_beam_settings_name_range     (const EsBeamSettings *self, guint row);

/* Powers over the angles of a kind of beams, as peaks are looked for in them. powers: n_angles; spectra: n_angles x
 * n_bins, nullable. Borrowed. */
EsBeamCurve es_beam_settings_get_curve (const EsBeamSettings *self, EsBeamKind kind, const float *powers,
                                        const float *spectra);
/* A sentence where the angles are so far apart that levels read too low between them; NULL: they are not. Transfer
 * full. */
char    *es_beam_settings_warn_of_angles (const EsBeamSettings *self, EsArray *array);

/* Each parses one text; ES_COMPUTE_ERROR_PARAMETER. Lists are transfer full. */
gboolean es_parse_band    (const char *text, double *low, double *high, GError **error);
/* At most 100,000; those that neither rise nor fall come sorted, each once. */
gboolean es_parse_angles  (const char *text, double **angles, guint *n, GError **error);
gboolean es_parse_ranges  (const char *text, double **ranges, guint *n, GError **error);      /* at most 10,000 */
gboolean es_parse_block   (const char *text, double rate, guint *samples, GError **error);
gboolean es_parse_loading (const char *text, double *loading, GError **error);                /* 0 .. 100 */

G_END_DECLS
