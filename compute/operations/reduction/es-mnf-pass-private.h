/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "es-mnf-private.h"
#include "es-shared-sums-private.h"

G_BEGIN_DECLS

/* One pass over the cube for the sums of an MNF: of the data (es-mnf-pass.c) and of the noise (es-mnf-residuals.c). */

#define ES_MNF_MOST_TERMS 3
/* Residuals made at a time: on the CPU they are read again while they are in the cache. */
#define ES_MNF_CPU_PIECE_BYTES (1 << 20)

typedef struct
{
  EsJob         *job;
  EsCube        *cube;
  EsReduction   *reduction;
  EskSelection   selection, identity;      /* identity: of the residuals */
  EskType        type;                     /* of the residuals */
  EskCovariance *data;                     /* NULL: only the noise */
  guint          n_terms;
  EsNoiseTerm  **terms;
  gsize          piece_bytes;              /* of residuals, at most */
  gint64         noise_us;
  EsSharedSums   shared;                   /* of the data, where there are any, then of every part of every term */
} EsMnfPass;

typedef struct
{
  const EsLaneContext *context;
  EskCovariance  data;
  EskCovariance  sums[ES_MNF_MOST_TERMS][3];
  gsize          pixels;                   /* that the scratch memory has room for */
  EsBuffer      *scratch;                  /* planes of residuals, their mask, ES_MNF_MOST_TERMS flags of overflow */
  guint8        *valid;
  guint32       *overflow;
  guint8        *window_valid;             /* the CPU's mask without its margins */
  gsize          window_valid_bytes;
  gint64         noise_us;
} EsMnfLane;

/* The part of a tile from (x, y) on. */
EskTile  es_mnf_part_of_tile      (const EskTile *tile, gsize x, gsize y, gsize width, gsize height);

/* ---- the noise: es-mnf-residuals.c ---- */

guint    es_noise_term_n_parts    (const EsNoiseTerm *term);
/* Empty sums of n bands, as many as the term has parts. zeros: n, the shift of sums that are not exact. */
gboolean es_noise_term_init       (EsNoiseTerm *term, gsize n, gboolean exact, gboolean split, const double *zeros,
                                   GError **error);
/* Noise covariances are ill-conditioned: what float32 products leave out would be seen in the eigenvalues. ESK_OK or
 * an error. */
int      es_noise_sums_init       (EskCovariance *sums, gsize n, gboolean exact, const double *shift);

/* Memory for the residuals of as many rows as are worth it, at least one row. */
gboolean es_mnf_lane_take_scratch (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context,
                                   const EsTiling *tiling, GError **error);
/* The residuals of every term that are this tile's, added to the lane's sums. */
gboolean es_mnf_lane_sum_noise    (EsMnfLane *lane, EsMnfPass *pass, const EsLaneContext *context,
                                   const EsCubeWindow *window, const EskTile *tile, const guint8 *valid,
                                   GError **error);

G_END_DECLS
