/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-pass-private.h"

#include "resident/es-resident-internal.h"

G_BEGIN_DECLS

/* One GPU's share of the pass. */
typedef struct
{
  EsDevice   *device;
  guint64     top, rows;
  EsResident *resident;          /* where the rows are, or are brought to; NULL: they pass by */
  gboolean    here;              /* they are there */
  /* of the present round */
  EsTiling    tiling;
  guint64     tiles, next;
  guint       lanes;
  /* of a round that goes band by band */
  guint64     piece_columns, piece_rows, columns, windows;       /* windows of the rows, `columns` side by side; pieces
                                                                  * are `tiles` */
  gsize       piece_bands, piece_bytes;
} EsPassMember;

typedef struct
{
  EsPassRun  run;
  guint      n_members;
  EsPassMember    *members;
  gboolean   load_only;          /* this round only brings the cube to the cards */
  gboolean   by_bands;           /* and goes band by band */
} EsPassDeviceRun;

typedef struct
{
  EsPassDeviceRun *owner;
  EsPassMember    *member;
  guint      index;
} EsPassLaneStart;

/* A thread: every tile that it gets hold of until there is none left. data: EsPassLaneStart. */
gpointer es_pass_device_lane (gpointer data);

/* `n` blocks, page-locked where there are any; else ordinary memory, as with pageable where none is idle. What has been
 * taken of them is given back by the other, also after an error. */
gboolean es_pass_take_staging (EsDevice *device, gsize bytes, gboolean pageable, guint n, void **staging,
                               gboolean *locked, GError **error);
void     es_pass_give_staging (EsDevice *device, gsize bytes, guint n, void **staging, const gboolean *locked);
/* Samples that a source has in ordinary memory, packed into the staging memory in their own order of axes; the link is
 * three times as fast from there. Orders in which no axis is contiguous are left to the card. */
void     es_pass_pack_tile    (EskTile *tile, void *staging);

/* es-pass-device-bands.c: a round that only brings a cube to cards, in the order of a file in which bands lie one after
 * the other. Whether it can be brought so; how it is cut; its lanes (data: EsPassLaneStart); and, when all of it is
 * there, which pixels are valid. */
gboolean es_pass_suits_bands      (EsCube *cube);
void     es_pass_cut_bands        (EsPassMember *member, EsCube *cube, const EskSelection *selection,
                                   gsize piece_bytes);
gpointer es_pass_device_band_lane (gpointer data);
gboolean es_pass_mark_bands       (EsPassMember *member, const EskSelection *selection, GError **error);

G_END_DECLS
