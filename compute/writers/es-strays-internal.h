/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "saving/es-kept.h"
#include "saving/es-output-internal.h"

G_BEGIN_DECLS

/*
 * Strays: what GDAL, and with it everybody, takes from beside a raster that is at path - a mask (.msk), statistics and
 * georeference (.aux.xml), smaller copies (.ovr) - where it is there before that raster is written. It belongs to
 * another file that was there, and would hide pixels of the new one.
 */
/* They are kept, and go from their names when outputs commit. */
gboolean es_strays_keep  (EsOutputs *outputs, const char *path, GPtrArray *kept, GCancellable *cancellable,
                          GError **error);
/* A sentence that names them; NULL: there are none. Transfer full. */
char    *es_strays_tell  (GPtrArray *kept);
/* FALSE where there is one: ES_DATA_ERROR_WRITE. */
gboolean es_strays_check (const char *path, GError **error);

G_END_DECLS
