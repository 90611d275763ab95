/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture/es-heatmap.h"
#include "signal/es-normalise.h"

G_BEGIN_DECLS

/* How bearings are written: as the array counts them, 0 to 360 degrees, or clockwise from true north. */
typedef enum { ES_BEARINGS_ARRAY, ES_BEARINGS_ROUND, ES_BEARINGS_TRUE, ES_N_BEARINGS } EsBearings;
/* How times are: seconds from the beginning, or a clock. */
typedef enum { ES_CLOCK_ELAPSED, ES_CLOCK_UTC, ES_CLOCK_LOCAL, ES_N_CLOCKS } EsClock;

/* "array", "round", "true"; "elapsed", "utc", "local": of settings and actions. */
const char *es_bearings_id (guint bearings);
const char *es_clock_id    (guint clock);

/*
 * How the displays look: colours and their range, normaliser, what is drawn over the maps, how bearings and times
 * are written. Signal: "changed" (EsSonarChange: ES_SONAR_CHANGE_LOOK, _NORMALISER, _MARKS, _WRITING, and _FREQUENCY
 * for the lines of harmonics).
 */
#define ES_TYPE_SONAR_LOOK (es_sonar_look_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarLook, es_sonar_look, ES, SONAR_LOOK, GObject)

EsSonarLook     *es_sonar_look_new             (void);
EsNormaliserKind es_sonar_look_get_normaliser  (EsSonarLook *self);
void             es_sonar_look_set_normaliser  (EsSonarLook *self, EsNormaliserKind kind);
/* As it is for a line of n values. */
EsNormaliser     es_sonar_look_make_normaliser (EsSonarLook *self, guint n);
EsColormap       es_sonar_look_get_colormap    (EsSonarLook *self);
void             es_sonar_look_set_colormap    (EsSonarLook *self, EsColormap map);
double           es_sonar_look_get_range       (EsSonarLook *self);       /* dB; 0: from what is in view */
void             es_sonar_look_set_range       (EsSonarLook *self, double range);
gboolean         es_sonar_look_get_auto_top    (EsSonarLook *self);
void             es_sonar_look_set_auto_top    (EsSonarLook *self, gboolean auto_top);
/* Gives a map its colours: their range from rows from .. to - 1, as the look asks for. low, high: what it was before,
 * NAN at first; kept by the caller. over_background: of what is normalised, the background is the darkest. */
void             es_sonar_look_fit             (EsSonarLook *self, EsHeatmap *map, guint64 from, guint64 to,
                                                gboolean over_background, double *low, double *high);
gboolean         es_sonar_look_get_plan        (EsSonarLook *self);
void             es_sonar_look_set_plan        (EsSonarLook *self, gboolean plan);
gboolean         es_sonar_look_get_harmonics   (EsSonarLook *self);
void             es_sonar_look_set_harmonics   (EsSonarLook *self, gboolean harmonics);
/* Tracks are drawn on the bearing-time record. */
gboolean         es_sonar_look_get_tracks      (EsSonarLook *self);
void             es_sonar_look_set_tracks      (EsSonarLook *self, gboolean tracks);
/* Displays of two kinds of beams stand side by side, where there are two. */
gboolean         es_sonar_look_get_beside      (EsSonarLook *self);
void             es_sonar_look_set_beside      (EsSonarLook *self, gboolean beside);
/* What is wanted: where there is no heading, or no start, it is the other all the same. */
EsBearings       es_sonar_look_get_bearings    (EsSonarLook *self);
void             es_sonar_look_set_bearings    (EsSonarLook *self, EsBearings bearings);
EsClock          es_sonar_look_get_clock       (EsSonarLook *self);
void             es_sonar_look_set_clock       (EsSonarLook *self, EsClock clock);

G_END_DECLS
