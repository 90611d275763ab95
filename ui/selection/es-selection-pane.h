/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-region-control.h"

G_BEGIN_DECLS

/*
 * What takes part of the shown cube: lists of bands, a window, sets of pixels. What is typed acts at once, and tells
 * what is wrong with it below.
 * Signal "changed": es_selection_pane_describe () says something else.
 * Actions: selection.everything; selection.bands (the list of them); selection.window (of what is selected in the
 * picture); selection.add-selected, selection.add-mask (b outside); selection.add-class ((bu) outside, which);
 * selection.remove (u which).
 */
#define ES_TYPE_SELECTION_PANE (es_selection_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsSelectionPane, es_selection_pane, ES, SELECTION_PANE, GtkWidget)

GtkWidget *es_selection_pane_new       (EsRegionControl *control);
void       es_selection_pane_set_cube  (EsSelectionPane *self, EsCube *cube);          /* nullable */
/* "54 of 224"; NULL: there is no cube. Transfer full. */
char      *es_selection_pane_describe  (EsSelectionPane *self);
/* Bands from one x of the spectrum to another have been marked there: they can be taken, or left out. NAN: none. */
void       es_selection_pane_offer     (EsSelectionPane *self, double from, double to);
/* The pixels of a mask, or of a file of classes; read in the background. */
void       es_selection_pane_add_file  (EsSelectionPane *self, GFile *file, gboolean outside);

G_END_DECLS
