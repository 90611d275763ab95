/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-paint.h"
#include "image/es-display.h"
#include "picture/es-picture.h"

G_BEGIN_DECLS

/*
 * A cube as a box: the picture that is shown on top, and on its sides what lies across the bands, in order of
 * wavelength. Dragging and the arrow keys turn it, the wheel, + and - make it larger and smaller, 0 and a double click
 * turn it back; Ctrl and a drag, or the second button, move a side in or out, so that one sees what is inside.
 * Signal "changed": what is cut away, or how it is drawn, is otherwise. Property "busy".
 */
#define ES_TYPE_FACES_VIEW (es_faces_view_get_type ())
G_DECLARE_FINAL_TYPE (EsFacesView, es_faces_view, ES, FACES_VIEW, GtkWidget)

GtkWidget  *es_faces_view_new          (EsDisplay *display, EsPicture *picture);
/* Nullable. Of another cube all is shown. */
void        es_faces_view_set_cube     (EsFacesView *self, EsCube *cube);
EsCube     *es_faces_view_get_cube     (EsFacesView *self);
/* By wavelength; NULL without a cube. Borrowed. */
const EsBandOrder *es_faces_view_get_order (EsFacesView *self);
/* Made to lie in the cube, and to leave something of it. */
void        es_faces_view_set_cut      (EsFacesView *self, const EsFacesCut *cut);
EsFacesCut  es_faces_view_get_cut      (EsFacesView *self);
void        es_faces_view_show_all     (EsFacesView *self);
void        es_faces_view_set_colormap (EsFacesView *self, EsColormap colormap);
/* Every band by itself, or all of them together. */
void        es_faces_view_set_each     (EsFacesView *self, gboolean each);
/* Bands that do not take part as gaps, or left out. */
void        es_faces_view_set_gaps     (EsFacesView *self, gboolean gaps);
/* Degrees; a zoom of 1 fits. */
void        es_faces_view_set_look     (EsFacesView *self, double turn, double above, double zoom);
void        es_faces_view_get_look     (EsFacesView *self, double *turn, double *above, double *zoom);
void        es_faces_view_turn_back    (EsFacesView *self);
gboolean    es_faces_view_is_busy      (EsFacesView *self);
/* What was painted last on a side; NULL: nothing. Borrowed. */
GdkTexture *es_faces_view_get_texture  (EsFacesView *self, EsFace face);

G_END_DECLS
