/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-beam-history.h"
#include "recording/es-recording.h"
#include "result/es-result.h"
#include "es-sonar-change.h"

G_BEGIN_DECLS

/*
 * What the displays of the sonar workspace have in common: the source they show, the one cursor, what of the record is
 * in view, and the look, each in a header of its own. It keeps them together: what a person points at comes into view,
 * and who follows has both at the row that is heard. Signal: "changed" (EsSonarChange), once for all of its parts.
 */
#define ES_TYPE_SONAR_DISPLAY (es_sonar_display_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarDisplay, es_sonar_display, ES, SONAR_DISPLAY, GObject)

typedef struct _EsSonarSource EsSonarSource;
typedef struct _EsSonarCursor EsSonarCursor;
typedef struct _EsSonarExtent EsSonarExtent;
typedef struct _EsSonarLook EsSonarLook;
typedef struct _EsBearingScale EsBearingScale;

EsSonarDisplay *es_sonar_display_new        (void);
/* What is shown: recording and result are nullable; history NULL: nothing. */
void            es_sonar_display_set_source (EsSonarDisplay *self, EsBeamHistory *history, EsRecording *recording,
                                             EsResult *result);
/* The row that is heard is kept in view, and the moment is that one. */
void            es_sonar_display_set_follow (EsSonarDisplay *self, gboolean follow);
/* Whether something plays: then a click while it is followed only chooses a beam. */
void            es_sonar_display_set_playing (EsSonarDisplay *self, gboolean playing);
gboolean        es_sonar_display_is_playing (EsSonarDisplay *self);

/* Its parts, as long as it is there. */
EsSonarSource  *es_sonar_display_get_source (EsSonarDisplay *self);
EsSonarCursor  *es_sonar_display_get_cursor (EsSonarDisplay *self);
EsSonarExtent  *es_sonar_display_get_extent (EsSonarDisplay *self);
EsSonarLook    *es_sonar_display_get_look   (EsSonarDisplay *self);
/* How bearings are written now; until the next change. */
EsBearingScale *es_sonar_display_get_scale  (EsSonarDisplay *self);
/* When the recording began, in the zone that times are written in; NULL: they are seconds from its beginning. */
GDateTime      *es_sonar_display_get_start  (EsSonarDisplay *self);
/* A time of the recording as it is written, by a clock with its date and zone: "00:12:31.2",
 * "2026-05-01 12:31:20.2 UTC". step: of digits behind the second, as in es_axis_format_time (). Transfer full. */
char           *es_sonar_display_format_time (EsSonarDisplay *self, double seconds, double step);

G_END_DECLS
