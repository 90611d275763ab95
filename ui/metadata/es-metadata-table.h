/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cube/es-cube-metadata.h"

G_BEGIN_DECLS

/*
 * The bands of a cube, a row each, in which everything that can be told of one band can be written: Return or leaving
 * the cell tells it, Escape leaves it as it was. Only rows in view are widgets. Signals as those of EsMetadataForm:
 * "tell" (EsMetadata *metadata, const char *id), "refused" (const char *sentence).
 */
#define ES_TYPE_METADATA_TABLE (es_metadata_table_get_type ())
G_DECLARE_FINAL_TYPE (EsMetadataTable, es_metadata_table, ES, METADATA_TABLE, AdwBin)

GtkWidget *es_metadata_table_new      (void);
void       es_metadata_table_set_cube (EsMetadataTable *self, EsCube *cube);

G_END_DECLS
