/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-geometry-internal.h"
#include "es-element-health-private.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "recording/es-recording-internal.h"
#include "result/es-result-internal.h"
#include "es-sonar-operations-internal.h"

G_BEGIN_DECLS


typedef enum { ES_WHITENING_NONE, ES_WHITENING_ELEMENTS, ES_WHITENING_PHASE } EsWhitening;

/*
 * Where is looked: points x, y, z in metres of the array's own frame (as its file has them, not from its origin), or
 * directions, azimuth and elevation in degrees. Axis 0 is x or azimuth and runs fastest; axis 2 of directions has one
 * value.
 */
typedef struct
{
  gboolean points;
  gboolean wraps;              /* azimuths all round: the last is beside the first */
  guint    n[3];
  double  *values[3];          /* ascending */
  double   step[3];
} EsLocalizeGrid;

void     es_localize_grid_clear (EsLocalizeGrid *self);
/* ES_COMPUTE_ERROR_PARAMETER: x, y and z are not all there, a text that is no FROM:TO:STEP, too many points. */
gboolean es_localize_grid_parse (EsParams *params, EsLocalizeGrid *grid, GError **error);
/* Of EsParamSpec. */
gboolean es_localize_check_axis (const char *text, GError **error);
guint64  es_localize_grid_count (const EsLocalizeGrid *self);
void     es_localize_grid_place (const EsLocalizeGrid *self, guint64 index, double place[3]);
EskFocus es_localize_focus      (const EsLocalizeGrid *self, EsArray *array, const double place[3]);

typedef struct
{
  double   place[3];           /* refined */
  guint64  index;              /* of the grid */
  double   power;
  double   margin;             /* dB over the next peak; NAN: there is none */
  gboolean at_edge;
} EsLocalizePeak;

/* Local maxima of the powers on the grid (26 neighbours), strongest first; margins are not told yet. */
guint    es_localize_find_peaks (const EsLocalizeGrid *self, const float *powers, guint most, EsLocalizePeak *peaks);

/* What is transformed: frames first .. first + n of the recording, in snapshots. */
typedef struct
{
  guint64  first, n;
  guint    window_length, length, hop;
  guint64  snapshots;
  guint    first_bin, bins;
  double   rate, sound_speed, low, high;   /* Hz: what was asked for */
  EsWindowKind window;
  EsWhitening  whitening;
  EsCalibration *calibration;  /* borrowed, nullable */
  EsNavigation  *navigation;   /* the same */
  gboolean remove_diagonal;
} EsLocalizeSettings;

/* ES_COMPUTE_ERROR_PARAMETER, ES_DATA_ERROR_FORMAT (no array). */
gboolean es_localize_settings_read (EsParams *params, EsRecording *recording, EsArray *array,
                                    EsLocalizeSettings *settings, GError **error);

/* Spectra of the recording on the device, and beams of them. One thread. */
typedef struct _EsLocalizer EsLocalizer;

EsLocalizer *es_localizer_new    (EsRecording *recording, EsArray *array, const EsLocalizeSettings *settings,
                                  EsDevice *device, const EsLimits *limits, GError **error);
void         es_localizer_free   (EsLocalizer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLocalizer, es_localizer_free)
/* Powers of foci, averaged over all snapshots. progress (nullable) gets 0..1. G_IO_ERROR_CANCELLED. */
gboolean     es_localizer_run    (EsLocalizer *self, const EskFocus *foci, gsize n, float *powers,
                                  void (*progress) (double fraction, gpointer data), gpointer data,
                                  GCancellable *cancellable, GError **error);
guint64      es_localizer_estimate (EsRecording *recording, EsArray *array, const EsLocalizeSettings *settings,
                                     const EsLimits *limits);
/* Of what was read, one an element. Transfer full. */
EsElementHealth *es_localizer_dup_health (EsLocalizer *self);
/* Seconds spent in reading and transforming. */
double       es_localizer_get_transform_seconds (EsLocalizer *self);

typedef struct
{
  EsRecording    *recording;
  EsArray        *array;
  EsParams       *params;
  EsLocalizeGrid  grid;
  EsLocalizeSettings settings;
  float          *powers;      /* of the grid */
  EsLocalizePeak *peaks;
  guint           n_peaks, levels;
  EsElementHealth *health;     /* one an element; nullable */
} EsLocalization;

EsResult    *es_localize_describe (EsLocalization *self, GError **error);

G_END_DECLS
