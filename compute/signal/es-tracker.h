/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-peaks.h"

G_BEGIN_DECLS

/*
 * Links the peaks of block after block to tracks: a Kalman filter of bearing and bearing rate for each (constant
 * velocity; white acceleration), nearest neighbours first inside a gate of four standard deviations. A peak that
 * belongs to no track begins one; it is shown once three of its first five blocks had a peak ("confirmed"), and ends
 * when it had none for `patience` blocks. One thread at a time.
 */
typedef struct
{
  gboolean circular;           /* bearings wrap at 360 degrees: no line */
  double   acceleration;       /* degrees / s^2, standard deviation; 0: the default, 0.02 */
  double   error;              /* of a peak's bearing, degrees; 0: a tenth of its width, at least 0.1 */
  guint    patience;           /* blocks; 0: the default, 5 */
} EsTrackerSettings;

/* A track at a block. */
typedef struct
{
  double   time;               /* s */
  double   bearing, rate;      /* degrees, degrees / s: estimated */
  double   deviation;          /* degrees, of the bearing */
  double   level;              /* dB, of the peak; NAN where there was none */
  double   measured;           /* degrees; NAN where there was none */
} EsTrackPoint;

typedef struct
{
  guint    id;                 /* from 1 on, in the order of confirmation; 0: not confirmed */
  gboolean ended;
  GArray  *points;             /* EsTrackPoint, one a block, from its first peak to its last */
} EsTrack;

typedef struct _EsTracker EsTracker;

EsTracker *es_tracker_new      (const EsTrackerSettings *settings);       /* NULL: the defaults */
void       es_tracker_free     (EsTracker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTracker, es_tracker_free)
/* The peaks of the block at `time`. A time that is not later than the last ends every track first. */
void       es_tracker_add      (EsTracker *self, double time, const EsBeamPeak *peaks, guint n);
/* Every track ends. */
void       es_tracker_finish   (EsTracker *self);
/* Confirmed ones, in the order of their ids; of EsTrack; borrowed until the next call. At most 10,000, and 500,000
 * points of all: the oldest that ended go. */
GPtrArray *es_tracker_get_tracks (EsTracker *self);
/* Changes whenever a track does. */
guint      es_tracker_get_serial (EsTracker *self);
/* A header row and one row a track and block: track, time, bearing, rate, deviation, level, measured; and what `more`
 * has to say of it: ",true_deg" of the header, ",213.4" of a point. Nullable. */
typedef struct
{
  const char *header;
  void      (*append) (const EsTrackPoint *point, GString *text, gpointer data);
  gpointer    data;
} EsTrackColumns;
char      *es_tracks_to_csv    (GPtrArray *tracks, const EsTrackColumns *more);

G_END_DECLS
