/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-cube-internal.h"

G_BEGIN_DECLS

/* A cube of a window of another, which it keeps. Takes what info points to, also on error. es-cube.c. */
EsCube *_es_cube_new_part     (EsCube *whole, guint64 x, guint64 y, EsCubeInfo *info, GError **error);
/* Samples of a window of a cube, which it keeps. mask: of the window, 0 = left out, nullable; taken. es-cube-part.c. */
EsSampleSource *_es_cube_source_new_of (EsCube *whole, const EsCubeWindow *place, guint8 *mask);
/* es_cube_dup_refused () from now on. es-cube.c. */
void    _es_cube_set_refused  (EsCube *self, const char *sentence);
/* The smallest window that holds all that takes part; regions: of EsRegion, the sets of the selection.
 * ES_COMPUTE_ERROR_PARAMETER, ES_DATA_ERROR_EMPTY. es-cube-selection.c. */
gboolean _es_cube_find_window (EsCube *self, EsSelection *selection, GPtrArray *regions, EsCubeWindow *window,
                               GError **error);
/* The sets of a selection as regions, in their order. Of EsRegion; transfer full. */
GPtrArray *_es_cube_parse_sets (EsCube *self, EsSelection *selection, GError **error);
/* For the class: what takes part, as provenance and as words of a command line. */
void    _es_cube_add_input    (EsDataset *dataset, JsonBuilder *builder, JsonObject *values);
void    _es_cube_append_input (EsDataset *dataset, GString *line, JsonObject *values);

G_END_DECLS
