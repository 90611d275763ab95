/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "raw/es-raw-shapes.h"

G_BEGIN_DECLS

/*
 * How the bytes of a file that says nothing about itself are to be taken as a cube. Plausible shapes are listed; a band
 * and a spectrum of what the fields make of the file are shown at once, and what does not fit is told.
 *
 * Signal "import": the person wants it so.
 */
#define ES_TYPE_CUBE_IMPORT (es_cube_import_get_type ())
G_DECLARE_FINAL_TYPE (EsCubeImport, es_cube_import, ES, CUBE_IMPORT, AdwWindow)

GtkWidget  *es_cube_import_new             (GtkWindow *parent, GFile *file);
GFile      *es_cube_import_get_file        (EsCubeImport *self);
EsRawShape  es_cube_import_get_shape       (EsCubeImport *self);
/* As if a person had told these fields of it. */
void        es_cube_import_tell            (EsCubeImport *self, const EsRawShape *shape, EsRawFields fields);
/* The shapes that are listed; borrowed, nullable. */
GArray     *es_cube_import_get_shapes      (EsCubeImport *self);
/* What is said below the picture. */
const char *es_cube_import_get_verdict     (EsCubeImport *self);
gboolean    es_cube_import_is_good         (EsCubeImport *self);
/* A preview or proposals are being made. */
gboolean    es_cube_import_is_busy         (EsCubeImport *self);
/* A header is wanted beside the file. */
gboolean    es_cube_import_wants_header    (EsCubeImport *self);
void        es_cube_import_set_wants_header (EsCubeImport *self, gboolean wants);
void        es_cube_import_import          (EsCubeImport *self);

G_END_DECLS
