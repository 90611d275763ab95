/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-image-stack.h"

G_BEGIN_DECLS

/* A picture that an experiment has computed, of three planes (red, green, blue, 0 to 255) or more, of which the first
 * three are shown; as large as there is room, its pixels squares. zooms: with what goes into it (es-lab-zoom.h). NULL:
 * it has fewer planes, or cannot be read. */
GtkWidget *es_lab_picture_new (EsImageStack *stack, int natural_height, gboolean zooms);

G_END_DECLS
