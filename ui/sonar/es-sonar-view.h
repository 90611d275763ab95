/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "player/es-player.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * The displays of the sonar workspace, linked by one cursor (time, bearing, frequency): bearing-time record and
 * LOFARgram in the middle; energy field (map or plan), azimuth, FRAZ, DEMON, element in the column on the right. Panes
 * swap places and fill the middle by double click. Shows what a player's history has, live, or what a result found.
 *
 * Properties: "bearing", "time", "frequency" (double; NAN: none; the cursor), "start" (GDateTime, readable: of the
 * clock that times are written by; NULL: they are seconds), "status" (string: the cursor's read-out with the mirror
 * bearing of a line), "follow" (gboolean: what is heard is kept in view).
 * Signals: "seek" (double seconds): the person asks to go there (double click in the bearing-time record); "arranged":
 * the person has given a display another place, or the divider; "enlarged": one fills the window now, or none any more.
 * Actions of the group "sonar.": follow, normaliser, colormap, dynamic-range, hold, plan (energy field as map or plan),
 * maximise, enlarge (over the whole window, and back), shrink (back), restore (all places as they were at first),
 * cursor-clear, copy, save-picture, save-data, harmonics, tracks, save-tracks, bearings (array, round, true), clock
 * (elapsed, utc, local), beside (CBF and adaptive beams side by
 * side).
 */
#define ES_TYPE_SONAR_VIEW (es_sonar_view_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarView, es_sonar_view, ES, SONAR_VIEW, GtkWidget)

GtkWidget     *es_sonar_view_new           (void);
/* Live; NULL: nothing. */
void           es_sonar_view_set_player    (EsSonarView *self, EsPlayer *player);
/* What a run found, in the same displays; NULL: back to the player. */
void           es_sonar_view_show_result   (EsSonarView *self, EsResult *result);
EsResult      *es_sonar_view_get_result    (EsSonarView *self);
/* A field or waterfall of the shown result is brought into the middle, in its own display where it has one; any other
 * layer, and NULL: the displays as they were. */
void           es_sonar_view_show_layer    (EsSonarView *self, EsLayer *layer);
EsBeamHistory *es_sonar_view_get_history   (EsSonarView *self);        /* shown now; nullable */
/* What counts as a peak in whatever is shown, now and later: arrivals and tracks follow at once. */
void           es_sonar_view_set_thresholds (EsSonarView *self, const EsPeakThresholds *thresholds);
/* The right column; belongs to the view, placed by the window. */
GtkWidget     *es_sonar_view_get_inspector (EsSonarView *self);
/* What fills the window while a display is enlarged; belongs to the view. NULL: none is. */
GtkWidget     *es_sonar_view_get_large     (EsSonarView *self);
/* The first in the row of the bar above the displays; between that bar and the displays (NULL takes it out). Transfer
 * floating. */
void           es_sonar_view_add_leading   (EsSonarView *self, GtkWidget *widget);
void           es_sonar_view_set_strip     (EsSonarView *self, GtkWidget *strip);
/* Where the block of the moment begins that is looked at, s; NAN: there is none. */
double         es_sonar_view_get_begin        (EsSonarView *self);
/* Where a beam is heard while nothing plays, s: a line through the records; NAN: nowhere. */
void           es_sonar_view_set_heard     (EsSonarView *self, double seconds);
/* The stretch that a rectangle selects, s. FALSE: none. */
gboolean       es_sonar_view_get_stretch   (EsSonarView *self, double *begin, double *end);
double         es_sonar_view_get_bearing   (EsSonarView *self);
/* The same for its sound: a true bearing that is kept while the array turns is followed. */
EsBeamAim      es_sonar_view_get_aim       (EsSonarView *self);
/* Of the beam nearest to it, as soon as there are beams; NAN: none. */
void           es_sonar_view_set_bearing   (EsSonarView *self, double bearing);

G_END_DECLS
