/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window of its own with a cube in three dimensions and its controls; it follows what is shown. Ctrl+C copies the
 * picture, Ctrl+S saves it, Esc closes. Actions: faces.copy, faces.save. */
#define ES_TYPE_FACES_WINDOW (es_faces_window_get_type ())
G_DECLARE_FINAL_TYPE (EsFacesWindow, es_faces_window, ES, FACES_WINDOW, AdwWindow)

GtkWidget   *es_faces_window_new      (EsDisplay *display, EsPicture *picture);
/* Nullable. */
void         es_faces_window_set_cube (EsFacesWindow *self, EsCube *cube);
EsFacesView *es_faces_window_get_view (EsFacesWindow *self);

G_END_DECLS
