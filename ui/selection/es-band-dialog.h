/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cube/es-cube.h"

G_BEGIN_DECLS

/*
 * The bands of a cube, each with a check mark, what its file says of it, and on demand whether it is dead or noisy, and
 * why. What is found is marked; only a person leaves it out.
 * Signal "chosen" (const char *list): the bands that take part, by number; NULL: the good ones.
 */
#define ES_TYPE_BAND_DIALOG (es_band_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsBandDialog, es_band_dialog, ES, BAND_DIALOG, AdwWindow)

GtkWidget *es_band_dialog_new      (GtkWindow *parent, EsCube *cube);       /* parent: nullable */
EsCube    *es_band_dialog_get_cube (EsBandDialog *self);

G_END_DECLS
