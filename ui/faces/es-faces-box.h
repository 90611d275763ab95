/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <graphene.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A box seen from far away, so that each of its sides is a parallelogram on the screen. Lengths are in a unit of its
 * own; x runs to the right, y to the front, z down from the top. */

typedef enum
{
  ES_FACE_LEFT, ES_FACE_RIGHT, ES_FACE_BACK, ES_FACE_FRONT, ES_FACE_TOP, ES_FACE_BOTTOM, ES_N_FACES
} EsFace;

typedef struct { double x, y, z; } EsPoint3;

/* How it is looked at: turned about the upright axis, and from how far above, in degrees; `scale` pixels a unit, its
 * origin at the place (x, y). */
typedef struct
{
  double turn, above, scale, x, y;
} EsFacesLook;

typedef struct { EsPoint3 low, high; } EsFacesBox;

graphene_point_t es_faces_project    (const EsFacesLook *look, EsPoint3 point);
/* One turned away, or seen from the edge, is not visible. */
gboolean         es_faces_is_visible (const EsFacesLook *look, EsFace face);
/* Upper left, upper right and lower left corner of what is drawn on it, whose rows are bands, or of the top rows of
 * pixels. */
void             es_faces_corners    (const EsFacesBox *box, EsFace face, EsPoint3 corners[3]);
/* From a rectangle of width x height to three corners on the screen; NULL: that has no extent. Transfer full. */
GskTransform    *es_faces_transform  (const graphene_point_t corners[3], double width, double height);
/* The visible side at a point; ES_N_FACES: none. */
EsFace           es_faces_pick       (const EsFacesLook *look, const EsFacesBox *box, double x, double y);
/* How far along the axis across a side it goes by a movement on the screen, in units of the box. */
double           es_faces_push       (const EsFacesLook *look, EsFace face, double dx, double dy);
/* What is drawn has these bounds on the screen. */
void             es_faces_bounds     (const EsFacesLook *look, const EsFacesBox *box, graphene_rect_t *bounds);

G_END_DECLS
