/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A computed picture and what goes into it: a click on a place computes its surroundings anew, four times as large;
 * buttons go back out, and to the whole. The action "win.lab-zoom" does it, with the place (shares of width and height)
 * and by how much; 0: the whole. picture: a GtkPicture, somewhere in `child`. Floating.
 */
GtkWidget *es_lab_zoom_new (GtkWidget *child, GtkWidget *picture);

G_END_DECLS
