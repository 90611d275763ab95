/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-region-set.h"

G_BEGIN_DECLS

/* Which pixels of a classification are of which class. */
typedef struct
{
  gint64   value;
  guint64  pixels;
  gboolean listed;             /* the file says what it means */
} EsClassCount;

/* Of every class that is listed or has pixels, by value; *missing: pixels of no class (nullable). Classes that are not
 * listed beyond a million different ones are ES_DATA_ERROR_SIZE. Blocking: one pass. Of EsClassCount, transfer full. */
GArray *es_class_count_pixels        (EsCube *classification, guint64 *missing, GCancellable *cancellable,
                                      GError **error);
/* The same away from the main thread. */
void    es_class_count_pixels_async  (EsCube *classification, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer data);
GArray *es_class_count_pixels_finish (GAsyncResult *result, guint64 *missing, GError **error);

/*
 * Adds the classes of a classification to a set: those that have pixels, with their names and colours, but for what is
 * not classified (0 without a name, or with such a one). classification NULL: the file is opened as one, or lists
 * classes as JSON (es_region_set_save ()); a raster of one band of whole numbers is one, too. ES_DATA_ERROR_SIZE where
 * it is of another size than the cube, or has more than 1,000 classes: nothing is added. To be finished by
 * es_region_set_load_finish ().
 */
void    es_region_set_add_classes_async (EsRegionSet *self, EsCube *classification, GFile *file,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);

G_END_DECLS
