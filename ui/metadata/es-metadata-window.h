/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cube/es-cube-metadata.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * What a cube is, beside its window: what was understood of its file, its bands one by one, and all that the file says.
 * What is told here is told at once, and follows what is told elsewhere. It closes with its cube.
 */
#define ES_TYPE_METADATA_WINDOW (es_metadata_window_get_type ())
G_DECLARE_FINAL_TYPE (EsMetadataWindow, es_metadata_window, ES, METADATA_WINDOW, AdwWindow)

/* The window of this cube, made where there is none. */
void        es_metadata_window_present  (EsShell *shell, EsCube *cube);
/* As it is told by now. Borrowed. */
EsCube     *es_metadata_window_get_cube (EsMetadataWindow *self);
/* "understood", "bands", "file". */
void        es_metadata_window_show     (EsMetadataWindow *self, const char *page);
GtkWidget  *es_metadata_window_get_page (EsMetadataWindow *self, const char *page);
/* The sentence at the bottom; "" where nothing is wrong. */
const char *es_metadata_window_get_verdict (EsMetadataWindow *self);
/* Wavelengths of a file, in the background. */
void        es_metadata_window_take_file (EsMetadataWindow *self, GFile *file);

G_END_DECLS
