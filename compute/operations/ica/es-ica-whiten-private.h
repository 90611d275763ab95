/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "es-ica-private.h"
#include "job/es-shared-sums-internal.h"

G_BEGIN_DECLS

/* What both ways of whitening share: es-ica-whiten.c and es-ica-whiten-devices.c. */
typedef struct
{
  EsJob         *job;
  EsCube        *cube;
  EsIcaSamples  *samples;
  EskSelection   selection;
  EskMatrix      basis;
  const double  *mean;
  guint64        keep;           /* of EskSampling */
  gboolean       complete;       /* every pixel is valid and drawn */
  EsBuffer     **places;         /* of every member: its rows' samples; NULL: they come to the host */
  gsize         *strides;
  EskCovariance *total;          /* by moments */
  EsSharedSums   shared;         /* whose total it is */
  EskCovariance *member_sums;    /* of every member's samples, where they stay there */
} EsWhitenPass;

/* Which pixels of a window are drawn. */
EskSampling es_whiten_pass_sampling         (EsWhitenPass *pass, const EsCubeWindow *window);
/* A tile, whitened: as many planes as there are components, `stride` apart. */
gboolean    es_whiten_pass_project          (EsWhitenPass *pass, const EsLaneContext *context, const EskTile *tile,
                                             const guint8 *valid, float *out, gsize stride, GError **error);
/* An empty picture of every component, no larger than `side`. */
void        es_whiten_pass_prepare_preview  (EsWhitenPass *pass, guint64 side);

/* The memory of a lane; of none where samples have their places on the cards. For an EsPass. */
gpointer    es_whiten_lane_new              (const EsLaneContext *context, const EsTiling *tiling, gpointer data,
                                             GError **error);
void        es_whiten_lane_free             (gpointer data);

/* The store, and by moments the total, where the cards have room; otherwise *stay is FALSE and nothing is done. */
gboolean    es_whiten_pass_find_on_devices  (EsWhitenPass *pass, gboolean *stay, GError **error);

G_END_DECLS
