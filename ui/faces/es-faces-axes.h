/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-paint.h"

G_BEGIN_DECLS

/* Edges of what is left and of the whole, and three axes with round numbers beside it: pixels, and wavelengths, or
 * numbers of bands where there are none. On the canvas of pictures. extent: of the whole, in units of the box. */
void es_faces_axes_draw (GtkWidget *widget, GtkSnapshot *snapshot, const EsFacesLook *look, const EsFacesBox *box,
                         EsPoint3 extent, EsCube *cube, const EsBandOrder *order, const EsFacesCut *cut);

G_END_DECLS
