/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Colour maps of 256 entries, RGBA8. Perceptually uniform; never rainbow by default. */
typedef enum
{
  ES_COLORMAP_GRAY,
  ES_COLORMAP_VIRIDIS,
  ES_COLORMAP_MAGMA,
  ES_COLORMAP_CIVIDIS,
  ES_COLORMAP_DIVERGING,       /* blue - light grey - red: signed values about zero */
  ES_N_COLORMAPS,
} EsColormap;

const char    *es_colormap_id      (EsColormap map);              /* "viridis" */
const char    *es_colormap_title   (EsColormap map);              /* N_(), msgid */
gboolean       es_colormap_find    (const char *id, EsColormap *map);
const guint8  *es_colormap_entries (EsColormap map);              /* 256 x 4 */

/*
 * Statistics of a plane for stretching: from a sample of at most 1,000,000 values on a regular grid; NAN and infinite
 * values do not count. n_valid = 0: all others are 0.
 */
typedef struct
{
  guint64 n_valid;
  double  minimum, maximum, mean, deviation;
  guint   histogram[256];      /* over minimum..maximum */
  double  quantiles[1001];     /* at 0, 0.1 % ... 100 % */
} EsPlaneStatistics;

void   es_plane_statistics_compute  (EsPlaneStatistics *self, const float *values, guint64 n);
/* The value below which a fraction (0..1) of the samples lies, interpolated. */
double es_plane_statistics_quantile (const EsPlaneStatistics *self, double fraction);
/* The fraction of the samples below a value, between the quantiles that are known. */
double es_plane_statistics_share    (const EsPlaneStatistics *self, double value);

G_END_DECLS
