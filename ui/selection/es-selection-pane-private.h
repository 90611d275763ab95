/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-selection-pane.h"

G_BEGIN_DECLS

struct _EsSelectionPane
{
  GtkWidget        parent_instance;

  /* children */
  GtkWidget       *form;         /* a grid of the entries */
  GtkWidget       *bands, *excluded, *window;
  GtkWidget       *problem;      /* a label */
  GtkWidget       *offer;        /* what to do with the bands that are marked */
  GtkLabel        *offered;
  GtkWidget       *list;         /* of sets of pixels */
  GtkWidget       *foot;
  GtkWidget       *add;          /* a menu button */

  EsRegionControl *control;
  EsCube          *cube;         /* nullable */
  GSignalGroup    *cube_signals;
  GCancellable    *reading;
  double           from, to;     /* marked; NAN: none */
  gboolean         filling;
};

/* Something is told by hand; what is wrong with it is said in the pane, and nothing is changed. */
gboolean _es_selection_pane_tell    (EsSelectionPane *self, EsSelection *selection);
void     _es_selection_pane_complain (EsSelectionPane *self, const char *sentence);    /* NULL: no more */

/* es-selection-pane-pixels.c: sets of pixels. */
void     _es_selection_pane_make_pixels  (EsSelectionPane *self);
void     _es_selection_pane_show_pixels  (EsSelectionPane *self, EsSelection *selection);    /* nullable */
void     _es_selection_pane_install_pixel_actions (GtkWidgetClass *klass);

G_END_DECLS
