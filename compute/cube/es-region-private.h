/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-region.h"

G_BEGIN_DECLS

/* Pixels from..to of row y, both in it. */
typedef struct
{
  gint64 y, from, to;
} EsRegionRun;

struct _EsRegion
{
  gatomicrefcount references;
  gboolean     is_rectangle;
  double      *outline;        /* n_corners pairs; NULL: a set of pixels */
  guint        n_corners;
  EsRegionRun *runs;           /* by y, then from; apart from each other */
  gsize        n_runs;
};

/* Without any pixel. Transfer full. */
EsRegion *es_region_alloc (void);

G_END_DECLS
