/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-plane-loader.h"

G_BEGIN_DECLS

/* Tiles of a level, and how many of them; all sizes that are not counted in tiles are samples of the level. */
typedef struct
{
  guint   level;
  guint   x, y, across, down;  /* in tiles */
  guint64 level_width, level_height;
} EsDetailWindow;

/* A tile as far as it is there: itself, or the part of one of a coarser level that covers it. */
typedef struct
{
  GBytes *samples;             /* NULL: neither is there, and the planes of the whole say what is known */
  guint   level;               /* of the samples */
} EsDetailTile;

/* What is to be put together, and what came of it. */
typedef struct
{
  guint64         epoch;       /* whose planes they are */
  gboolean        complete;
  EsDetailWindow  window;
  guint           n_planes;
  EsPlane        *whole[3];    /* owned; of the host */
  guint           whole_step;
  EsDetailTile   *tiles;       /* n_planes x down x across; owned */
  EsPlane        *parts[3];    /* owned */
} EsDetailWork;

EsDetailWork *_es_detail_work_new      (const EsDetailWindow *window, guint n_planes);
void          _es_detail_work_free     (gpointer work);
/* Makes the parts; for an EsLatest. */
gpointer      _es_detail_work_assemble (gpointer request, GCancellable *cancellable, GError **error);

/* The samples that a tile at (x, y) of a level has. */
void          _es_detail_tile_size     (guint64 level_width, guint64 level_height, guint x, guint y, guint *width,
                                        guint *height);

G_END_DECLS
