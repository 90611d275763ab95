/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "raw/es-raw-shapes.h"

G_BEGIN_DECLS

/*
 * The fields of a shape: width, height, bands, type, byte order, layout, offset. Those that a person has changed are
 * told; the others follow what is proposed. Signal "changed" (gboolean by_hand).
 */
#define ES_TYPE_CUBE_FIELDS (es_cube_fields_get_type ())
G_DECLARE_FINAL_TYPE (EsCubeFields, es_cube_fields, ES, CUBE_FIELDS, GtkBox)

GtkWidget  *es_cube_fields_new      (void);
EsRawShape  es_cube_fields_get      (EsCubeFields *self);
/* Nothing of it counts as told. "changed" once, if anything did. */
void        es_cube_fields_set      (EsCubeFields *self, const EsRawShape *shape);
EsRawFields es_cube_fields_get_told (EsCubeFields *self);
/* They count as told, as if by hand; 0: none. */
void        es_cube_fields_set_told (EsCubeFields *self, EsRawFields fields);

G_END_DECLS
