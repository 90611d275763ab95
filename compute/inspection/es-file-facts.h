/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * Everything that the file of a cube says beside its samples, as it says it: fields of an ENVI header, GDAL's metadata
 * of the raster and of each band, attributes of HDF5 and netCDF, variables of MATLAB. Valid UTF-8.
 */
typedef struct
{
  char *group;                 /* "ENVI", "Band 12", "/group/array"; "" where there is none */
  char *key;
  char *value;                 /* long ones are cut and say so */
} EsFileFact;

void       es_file_fact_free         (EsFileFact *self);       /* nullable */

/* Of EsFileFact, in the order of the file; those of a group stand together. The file is read again. Blocking. Errors:
 * ES_DATA_ERROR_OPEN. Transfer full. */
GPtrArray *es_file_facts_list        (EsDataset *dataset, GCancellable *cancellable, GError **error);
void       es_file_facts_list_async  (EsDataset *dataset, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);
GPtrArray *es_file_facts_list_finish (GAsyncResult *result, GError **error);

G_END_DECLS
