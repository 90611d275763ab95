/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "progress/es-activity.h"
#include "plot/es-plot.h"
#include "result/es-result.h"

G_BEGIN_DECLS

typedef enum
{
  ES_SAVE_STACK_ENVI,          /* one image stack, into a file */
  ES_SAVE_STACK_GEOTIFF,
  ES_SAVE_PLOTS_PDF,           /* every curve, into a folder */
  ES_SAVE_PLOTS_SVG,
  ES_SAVE_PLOTS_PNG,
  ES_SAVE_TABLES,              /* every curve and table and the steps as CSV, into a folder */
  ES_SAVE_ALL,                 /* the result as eigenscope-batch writes it, into a folder */
  ES_SAVE_FIELD_HDF5,          /* one field or waterfall, into a file */
  ES_SAVE_FIELD_CSV,
  ES_SAVE_FIELD_PNG,
} EsSaveKind;

gboolean es_save_is_folder   (EsSaveKind kind);
/* "scene-pca-components.img": what the file chooser proposes, whatever the data set is called. Transfer full. */
char    *es_save_suggest     (EsSaveKind kind, EsResult *result, EsLayer *layer);

/*
 * Saves on a worker; dialogs only choose the target. layer: the stack of the first two kinds, the field of the last
 * ones, NULL: the result's first. activity: reports progress and carries the cancellable. Finish tells where (transfer
 * full).
 */
void     es_save_async       (EsSaveKind kind, EsResult *result, EsLayer *layer, GFile *target, EsActivity *activity,
                              GAsyncReadyCallback callback, gpointer user_data);
GFile   *es_save_finish      (GAsyncResult *result, GError **error);

G_END_DECLS
