/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A form beside a drawing that zooms (es-plot-zoom.h), in which the ranges of its axes are typed, and how the vertical
 * one is divided is chosen. What is typed acts at once; an empty field is what comes of the data. It goes by itself. */
void es_plot_range_popup (GtkWidget *widget);

G_END_DECLS
