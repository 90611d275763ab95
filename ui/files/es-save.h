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
/* The same for the kinds that are a folder: into one of its own inside parent (made where it is missing), "scene-pca",
 * or "scene-pca-2" and so on where there is something of that name already. Nothing that is there is replaced, and of
 * what could not be saved nothing stays. */
void     es_save_into_async  (EsSaveKind kind, EsResult *result, GFile *parent, EsActivity *activity,
                              GAsyncReadyCallback callback, gpointer user_data);
/* What takes such a folder: a new one, of that name or a numbered one, inside parent. ES_DATA_ERROR_WRITE. Transfer
 * full. Giving it up removes the files (GFile) written into it; what somebody else has put there in the meantime stays,
 * and the folder with it. */
/* One that may be there already, with what is missing above it. */
gboolean es_save_make_folder    (GFile *folder, GError **error);
GFile   *es_save_claim_folder   (GFile *parent, const char *name, GError **error);
void     es_save_give_up_folder (GFile *folder, GPtrArray *written);
GFile   *es_save_finish      (GAsyncResult *result, GError **error);
/* What is to be said of a save beside that it is done; nullable, transfer full. */
char    *es_save_tell        (GAsyncResult *result);

G_END_DECLS
