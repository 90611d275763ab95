/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-planes.h"
#include "cube/es-region.h"

G_BEGIN_DECLS

#define ES_DENSITY_SIZE 256    /* cells a side by default */

/*
 * How often pairs of values of two planes occur: a scatter plot as counts on a grid. Immutable, counted.
 * The range of each axis is that of the 0.1 % to the 99.9 % quantile and 5 % of it more on both sides (not beyond the
 * values that there are), of some million pixels at most; a constant plane has the range of its value -/+ 0.5.
 */
typedef struct
{
  GObject *planes;             /* EsImageStack or EsCube */
  guint    x_plane, y_plane;
  guint    width, height;      /* cells */
  double   x_minimum, x_maximum, y_minimum, y_maximum;
  guint32 *counts;             /* width * height; row 0 is the lowest y */
  guint32  largest;            /* of the counts */
  guint64  total;              /* pixels valid in both planes */
  guint64  outside;            /* of those, not in the ranges */
} EsDensity;

/* width, height 0: ES_DENSITY_SIZE. Blocking. ES_DATA_ERROR_EMPTY: no pixel is valid in both. Transfer full. */
EsDensity *es_density_new        (GObject *planes, guint x_plane, guint y_plane, guint width, guint height,
                                  GCancellable *cancellable, GError **error);
void       es_density_new_async  (GObject *planes, guint x_plane, guint y_plane, guint width, guint height,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
EsDensity *es_density_new_finish (GAsyncResult *result, GError **error);
EsDensity *es_density_ref        (EsDensity *self);
void       es_density_unref      (EsDensity *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsDensity, es_density_unref)

/*
 * The pixels of the image whose values are inside a polygon in value space (n pairs x, y; n >= 3; even-odd): what a
 * lasso in the plot lights in the image. An empty region is not NULL. Transfer full.
 */
EsRegion  *es_density_find_pixels        (EsDensity *self, const double *polygon, guint n, GCancellable *cancellable,
                                          GError **error);
void       es_density_find_pixels_async  (EsDensity *self, const double *polygon, guint n, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
EsRegion  *es_density_find_pixels_finish (EsDensity *self, GAsyncResult *result, GError **error);

/*
 * How many pixels of a region fall into each cell: what a region of the image lights in the plot. width * height
 * counts as in `counts`. Transfer full (g_free).
 */
guint32   *es_density_find_points        (EsDensity *self, EsRegion *region, GCancellable *cancellable, GError **error);
void       es_density_find_points_async  (EsDensity *self, EsRegion *region, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
guint32   *es_density_find_points_finish (EsDensity *self, GAsyncResult *result, GError **error);

G_END_DECLS
