/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cube/es-cube-metadata.h"

G_BEGIN_DECLS

/*
 * What was understood of a cube, a row for each thing: its value, where it comes from (the file, told, guessed), and
 * how to correct it and to take that back. Signals: "tell" (EsMetadata *metadata, const char *id): all that is to be
 * told from now on, and which row said so; "refused" (const char *sentence).
 */
#define ES_TYPE_METADATA_FORM (es_metadata_form_get_type ())
G_DECLARE_FINAL_TYPE (EsMetadataForm, es_metadata_form, ES, METADATA_FORM, AdwBin)

/* sources: the menu of where wavelengths can be taken from; lives with the form. */
GtkWidget *es_metadata_form_new      (GMenuModel *sources);
void       es_metadata_form_set_cube (EsMetadataForm *self, EsCube *cube);
/* What a row told was refused: it is marked. id nullable: none is. */
void       es_metadata_form_mark     (EsMetadataForm *self, const char *id);
/* The entry of a row, or NULL. */
GtkWidget *es_metadata_form_get_row  (EsMetadataForm *self, const char *id);

G_END_DECLS
