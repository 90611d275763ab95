/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Rows y to y + n of a plane as float32, NAN where missing. */
typedef gboolean (*EsReadRows) (gpointer data, guint64 y, guint64 n, float *out, GError **error);

/*
 * A picture of a plane that is larger than the picture: each sample is the mean of the valid ones of its step x step
 * pixels, NAN where there is none; out holds ceil (width / step) * ceil (height / step). A pixel in step would make
 * noise of what is smooth. Each row is read once. row_bytes: what reading a row costs (0: nothing, it is in memory);
 * where all rows would be too many, as many as are evenly spread over a cell, down to one.
 */
gboolean es_area_means (guint64 width, guint64 height, guint step, guint64 row_bytes, EsReadRows read, gpointer data,
                        float *out, GCancellable *cancellable, GError **error);

G_END_DECLS
