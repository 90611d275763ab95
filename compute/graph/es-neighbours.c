/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

EsNeighbours *
es_neighbours_new (gsize n_points, guint k, gint32 *indices, float *distances, gboolean exact)
{
  EsNeighbours *self;

  g_return_val_if_fail (n_points <= G_MAXINT32 && k > 0 && k < n_points && indices != NULL && distances != NULL, NULL);
  self = g_new0 (EsNeighbours, 1);
  g_atomic_ref_count_init (&self->references);
  self->n = n_points;
  self->k = k;
  self->exact = exact;
  self->index = indices;
  self->distance = distances;
  return self;
}

EsNeighbours *
es_neighbours_ref (EsNeighbours *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_neighbours_unref (EsNeighbours *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->index);
  g_free (self->distance);
  g_free (self);
}

gsize
es_neighbours_get_n_points (EsNeighbours *self)
{
  return self->n;
}

guint
es_neighbours_get_k (EsNeighbours *self)
{
  return self->k;
}

const gint32 *
es_neighbours_get_indices (EsNeighbours *self)
{
  return self->index;
}

const float *
es_neighbours_get_distances (EsNeighbours *self)
{
  return self->distance;
}

gboolean
es_neighbours_is_exact (EsNeighbours *self)
{
  return self->exact;
}
