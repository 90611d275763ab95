/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-look.h"
#include "es-sonar-source.h"

G_BEGIN_DECLS

/*
 * How bearings are written: as the array counts them, once round from 0 to 360 degrees, or clockwise from true north.
 * Round and true, a bearing and its mirror image are two places of one axis that goes once round; side 0 is the bearing
 * itself (of a line: at starboard of its axis), side 1 the image. What cannot be (no array, no heading) falls back to
 * the array's own, which es_bearing_scale_get_kind () tells. Degrees everywhere. Immutable.
 */
typedef struct _EsBearingScale EsBearingScale;

EsBearingScale *es_bearing_scale_new         (EsSonarSource *source, EsBearings wanted);
void            es_bearing_scale_free        (EsBearingScale *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBearingScale, es_bearing_scale_free)

EsBearings      es_bearing_scale_get_kind    (EsBearingScale *self);
/* Whether columns are the angles that beams are formed at. */
gboolean        es_bearing_scale_is_plain    (EsBearingScale *self);
/* "Bearing", "True bearing": of an axis; translated. */
const char     *es_bearing_scale_get_title   (EsBearingScale *self);
/* Where beams are drawn: the middles of the columns, ascending but for plain ones; 0 where there are none. */
guint           es_bearing_scale_get_columns (EsBearingScale *self, const double **values);

/* Where the array points at a row of the source: what follows is asked for. NAN: true bearings are not known there; any
 * number where the heading does not matter. */
double          es_bearing_scale_get_heading (EsBearingScale *self, guint64 row);
/* Whether it is one for all rows. */
gboolean        es_bearing_scale_is_steady   (EsBearingScale *self);
/* Where a bearing of the array is written; how many places, 0 to 2. */
guint           es_bearing_scale_show        (EsBearingScale *self, double heading, double bearing, double shown[2]);
/* The bearing of the array at a place of the axis, and which side of it; NAN: none is there. side: nullable. */
double          es_bearing_scale_find        (EsBearingScale *self, double heading, double shown, guint *side);
/* Powers of the angles into those of the columns: the largest of the beams in a column, or what lies between two. */
void            es_bearing_scale_spread      (EsBearingScale *self, double heading, const float *powers,
                                              float *columns);
/* A curve over the angles as one over the axis, ascending: *n points, of both sides. NULL: there is none. Transfer
 * full, both. */
double         *es_bearing_scale_unfold      (EsBearingScale *self, double heading, guint n_angles,
                                              const double *angles, const double *levels, guint *n,
                                              double **shown);

/* Whether the array is a line, whose bearings are on both sides of it. */
gboolean        es_bearing_scale_is_line     (EsBearingScale *self);
/* Whether a bearing has a mirror image; both as they are written, on whatever axis. NAN: not known. */
gboolean        es_bearing_scale_is_mirrored (EsBearingScale *self);
void            es_bearing_scale_get_places  (EsBearingScale *self, double heading, double bearing, double places[2]);
/* "123.4°", "056.6°": of a place in a column whose title says what it is; with the word: "056.6° true". Transfer full,
 * both. */
char           *es_bearing_scale_write       (EsBearingScale *self, double shown);
char           *es_bearing_scale_format      (EsBearingScale *self, double shown);
/* "123.4° (mirror 236.6°)", "056.6° or 213.4° true", by the side that is looked at first. Transfer full. */
char           *es_bearing_scale_describe    (EsBearingScale *self, double heading, double bearing, guint side);

G_END_DECLS
