/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double square;
  gint32 index;
} EsEmbeddingNear;

/* What one sample adds to the sums of es-embedding-quality.h. */
typedef struct
{
  double intruders, torn;      /* sums of (rank - k) */
  double hit;                  /* share; NAN: it has no class, or no neighbour that has one */
  double pairs, x, y, xx, yy, xy;      /* of distances: x among the samples, y of the coordinates */
} EsEmbeddingSums;

/* The k nearest of n to one of them, `self`, of those that have a class (classes: nullable); nearest first. Returns how
 * many there are. */
guint es_embedding_find_nearest (const double *square, gsize n, gsize self, guint k, const guint32 *classes,
                                 EsEmbeddingNear *nearest);
/* Sum of (rank by `square` - k) of the k in `others` that are not among the k nearest by it, nearest[k - 1] being the
 * last of these. room: k of them. */
double es_embedding_sum_ranks (const double *square, gsize n, gsize self, guint k, const EsEmbeddingNear *nearest,
                               const EsEmbeddingNear *others, EsEmbeddingNear *room);
/* Share of those with the class of `self` among its k nearest that have one. room: k. */
double es_embedding_get_hit (const double *square, gsize n, gsize self, guint k, const guint32 *classes,
                             EsEmbeddingNear *room);
/* Adds the distances to all others; length: INFINITY is left out; nullable: the root of `high` instead. */
void   es_embedding_add_pairs (const double *high, const double *length, const double *low, gsize n, gsize self,
                               EsEmbeddingSums *sums);

G_END_DECLS
