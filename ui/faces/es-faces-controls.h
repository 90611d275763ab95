/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-view.h"

G_BEGIN_DECLS

/* What is cut away of a cube, by numbers, and how its sides are coloured: a column beside the view. */
GtkWidget *es_faces_controls_new (EsFacesView *view);

G_END_DECLS
