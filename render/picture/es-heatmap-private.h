/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-heat-frame-private.h"

G_BEGIN_DECLS

/* Rows that lie behind each other; nothing is moved when there are more. */
#define ES_HEATMAP_CHUNK 64

/* Rows of one level: chunks from first_chunk on; NULL: none of its rows was set. */
typedef struct
{
  GPtrArray *chunks;
  guint64 first_chunk;
} EsHeatmapLevel;

struct _EsHeatmap
{
  GObject parent_instance;

  guint n_columns;
  guint64 first, end, most;    /* most 0: no limit */
  gboolean decibels, awaiting;
  EsHeatmapLevel levels[ES_HEAT_MAX_LEVELS];
  float *line;                 /* n_columns: a row on its way */

  double low, high;
  EsColormap map;

  EsHeatGl *gl;
  gboolean gl_failed;
  const char *uploader;
};

G_END_DECLS
