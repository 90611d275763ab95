/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Points whose neighbours are hard to get right, and all distances in long double. */

#include <glib.h>

#include "es-hotspots.h"

typedef enum
{
  NEAR_MIXTURES,               /* of five spectra, with noise */
  NEAR_NOISE,
  NEAR_LATTICE,                /* small whole numbers: many equal distances */
  NEAR_TWINS,                  /* a handful of points, each many times */
  NEAR_CONSTANT,
  NEAR_OFFSET,                 /* about a million, differences of about one */
  NEAR_CLUSTERS,               /* two, a million of their widths apart */
  NEAR_HUGE,                   /* their squares are no float32 */
  NEAR_TINY,                   /* nor are these */
  NEAR_OUTLIER,                /* one is far from all others */
  N_NEAR_KINDS
} NearKind;

extern const char *const near_kinds[];

/* n x dimensions. */
float   *near_points_new (NearKind kind, size_t n, size_t dimensions, guint64 seed);
/* Fails where the k of a query (every so many are looked at) are not the nearest, in order, or their distances not
 * right in the last digit. */
void     near_check      (const char *what, const float *points, size_t n_points, const float *queries,
                          size_t n_queries, size_t dimensions, size_t k, gboolean own, size_t own_first,
                          const gint32 *index, const float *distance);
