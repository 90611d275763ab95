/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-map-view.h"
#include "sonar/display/es-bearing-scale.h"
#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"

G_BEGIN_DECLS

/* The tracks of a history as lines over a bearing-time record: those in view, each with its number, or where there are
 * more than can be read, the longest. Nothing is done where neither they nor the view have changed. */
typedef struct _EsBtrTracks EsBtrTracks;

EsBtrTracks *es_btr_tracks_new    (void);
void         es_btr_tracks_free   (EsBtrTracks *self);
/* The next update is done in any case. */
void         es_btr_tracks_forget (EsBtrTracks *self);
void         es_btr_tracks_update (EsBtrTracks *self, EsSonarSource *source, EsSonarExtent *extent,
                                   EsSonarLook *look, EsBearingScale *scale, EsMapView *view);
/* Which of n tracks (in the order of their beginnings; so many seconds of each are in view, negative: none of it) have
 * numbers: the `most` longest, and of equal ones the newest. */
void         es_btr_choose_longest (const double *seconds, guint n, guint most, gboolean *chosen);
/* The column of a place of the axis, or of the same a whole turn away; NAN: it is outside. */
double       es_btr_find_column   (EsMapView *view, double shown);

G_END_DECLS
