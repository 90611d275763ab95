/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-neighbours-searcher-internal.h"

G_BEGIN_DECLS

struct _EsNeighbours
{
  gatomicrefcount references;
  gsize           n;
  guint           k;
  gboolean        exact;
  gint32         *index;
  float          *distance;
};

/* What AUTOMATIC comes to. */
EsNeighboursSearch es_neighbours_choose_search (EsDevice *device, guint threads, gsize n_points, guint dimensions,
                                                guint k, EsNeighboursSearch search);

G_END_DECLS
