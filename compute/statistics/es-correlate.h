/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-matrix.h"
#include "es-planes.h"

G_BEGIN_DECLS

/*
 * The correlation coefficient, -1..1, of every plane of `rows` with every plane of `columns` (EsImageStack or EsCube of
 * the same width and height): over the pixels that are valid in both planes; NAN where there are fewer than two, or one
 * of them is constant there. A layer "correlations" of n_rows x n_columns, range -1..1. The titles (translated,
 * nullable) are what the rows and columns are: "FastICA 10". progress (nullable) gets 0..1 on the calling thread.
 * Blocking. ES_DATA_ERROR_SIZE: of different sizes. Transfer full.
 */
EsMatrix *es_correlate        (GObject *rows, GObject *columns, const char *rows_title, const char *columns_title,
                               void (*progress) (double fraction, gpointer data), gpointer data,
                               GCancellable *cancellable, GError **error);
void      es_correlate_async  (GObject *rows, GObject *columns, const char *rows_title, const char *columns_title,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
EsMatrix *es_correlate_finish (GAsyncResult *result, GError **error);

typedef struct
{
  guint  row, column;
  double correlation;          /* signed: negative where the signs of the two planes differ */
} EsComponentMatch;

/*
 * Which row belongs to which column: the assignment that maximises the sum of |r| (Hungarian method, O(n^3)). Each row
 * and column at most once; pairs whose correlation is NAN are left out. At most min (rows, columns) of them, by
 * ascending row. Transfer full (g_free).
 */
EsComponentMatch *es_match_components (EsMatrix *correlations, guint *n);

/*
 * The true abundances beside a simulated cube: "<stem>_abundances.img" beside "<stem>.img". NULL without error where
 * there is none. Blocking. Transfer full.
 */
EsDataset *es_dataset_open_truth        (EsDataset *dataset, GCancellable *cancellable, GError **error);
void       es_dataset_open_truth_async  (EsDataset *dataset, GCancellable *cancellable, GAsyncReadyCallback callback,
                                         gpointer user_data);
EsDataset *es_dataset_open_truth_finish (GAsyncResult *result, GError **error);
/* Whether there is a file; looks at the folder, reads nothing. */
gboolean   es_dataset_has_truth         (EsDataset *dataset);

G_END_DECLS
