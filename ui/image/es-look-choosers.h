/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A drop-down of how much is cut off at both ends of the histogram, 0, 0.5, 1, 2, 5 %, or of how many standard
 * deviations are shown either way of the mean. */
GtkWidget *es_cut_chooser_new      (EsDisplay *display);
/* Of how values are spread between the ends, and of which pixels ends and spreads are. */
GtkWidget *es_curve_chooser_new    (EsDisplay *display);
GtkWidget *es_basis_chooser_new    (EsDisplay *display);

/* A drop-down of the colour maps, each shown. */
GtkWidget *es_colormap_chooser_new (EsDisplay *display);

/* A menu of three planes at once, as colours: of a cube by wavelength, of a stack the first three, the next ... */
GtkWidget *es_preset_chooser_new   (EsDisplay *display);

G_END_DECLS
