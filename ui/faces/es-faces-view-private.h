/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-view.h"

#include "widgets/es-latest.h"

G_BEGIN_DECLS

struct _EsFacesView
{
  GtkWidget      parent_instance;

  EsDisplay     *display;
  EsPicture     *picture;
  EsCube        *cube;           /* nullable */
  EsBandOrder   *order;          /* of the cube */
  GSignalGroup  *cube_signals;
  EsLatest      *reader;
  EsFacesAnswer *answer;         /* nullable */
  EsFacesRead    read;           /* that may be used again */
  char          *message;        /* what went wrong; nullable */

  EsFacesCut     cut;
  EsColormap     colormap;
  gboolean       each, gaps;
  double         turn, above, zoom;

  EsFace         pushed;         /* by the drag that is under way; ES_N_FACES: it turns */
  EsFacesCut     cut_before;
  double         turn_before, above_before;
};

/* es-faces-view-draw.c; of a view with a cube. Lengths are in units of the box, whose origin is its middle: a pixel of
 * the cube is one. */
EsPoint3    _es_faces_view_extent    (EsFacesView *self);
/* What is left by a cut. */
EsFacesBox  _es_faces_view_box       (EsFacesView *self, const EsFacesCut *cut);
/* In the middle of the widget, in its pixels. */
EsFacesLook _es_faces_view_look      (EsFacesView *self);
void        _es_faces_view_snapshot  (GtkWidget *widget, GtkSnapshot *snapshot);

/* es-faces-view-input.c */
void        _es_faces_view_bind_keys (GtkWidgetClass *klass);
void        _es_faces_view_add_input (EsFacesView *self);

G_END_DECLS
