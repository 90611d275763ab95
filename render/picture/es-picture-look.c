/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How values become shades and colours: stretches, their curve, colour map and palette. */

#include <math.h>

#include "es-picture-private.h"

void
es_picture_set_stretch (EsPicture *self, guint plane, double low, double high)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < 3);
  g_return_if_fail (isfinite (low) && isfinite (high));

  self->stretched = TRUE;
  if (self->stretches[2 * plane] == low && self->stretches[2 * plane + 1] == high)
    return;
  self->stretches[2 * plane] = low;
  self->stretches[2 * plane + 1] = high;
  es_picture_changed (self);
}

void
es_picture_get_stretch (EsPicture *self, guint plane, double *low, double *high)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < 3);

  if (low != NULL)
    *low = self->stretches[2 * plane];
  if (high != NULL)
    *high = self->stretches[2 * plane + 1];
}

const EsPlaneStatistics *
es_picture_get_basis (EsPicture *self, guint plane)
{
  return self->bases[plane] != NULL && self->bases[plane]->n_valid > 0 ? self->bases[plane]
                                                                       : self->planes[plane]->statistics;
}

void
es_picture_set_basis (EsPicture *self, guint plane, const EsPlaneStatistics *statistics)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < self->n_planes);

  if (self->bases[plane] == NULL && statistics == NULL)
    return;
  g_free (self->bases[plane]);
  self->bases[plane] = g_memdup2 (statistics, sizeof *statistics);
  if (es_stretch_counts (self->curve))
    es_picture_changed (self);
}

void
es_picture_set_curve (EsPicture *self, EsStretch curve)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (curve < ES_N_STRETCHES);

  if (self->curve == curve)
    return;
  self->curve = curve;
  es_picture_changed (self);
}

EsStretch
es_picture_get_curve (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), ES_STRETCH_LINEAR);

  return self->curve;
}

void
es_picture_stretch_deviations (EsPicture *self, double deviations)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (deviations > 0);

  for (guint i = 0; i < self->n_planes; i++)
    es_stretch_deviations (es_picture_get_basis (self, i), deviations, &self->stretches[2 * i]);
  self->stretched = TRUE;
  es_picture_changed (self);
}

void
es_picture_stretch_percent (EsPicture *self, double fraction, gboolean symmetric)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  fraction = CLAMP (fraction, 0, 0.5);
  for (guint i = 0; i < self->n_planes; i++)
    es_stretch_cut (es_picture_get_basis (self, i), fraction, symmetric, &self->stretches[2 * i]);
  self->stretched = TRUE;
  es_picture_changed (self);
}

void
es_picture_set_colormap (EsPicture *self, EsColormap map)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->map == map)
    return;
  self->map = map;
  es_picture_changed (self);
}

EsColormap
es_picture_get_colormap (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), ES_COLORMAP_GRAY);

  return self->map;
}

void
es_picture_set_palette (EsPicture *self, const guint8 *entries, guint n, double first)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  if (entries == NULL && self->palette == NULL)
    return;
  g_clear_pointer (&self->palette, g_free);
  if (entries != NULL)
    self->palette = g_memdup2 (entries, 4 * (gsize) MAX (n + 1, 256));
  self->n_named = n;
  self->first_named = (float) first;
  es_picture_changed (self);
}

gboolean
es_picture_has_palette (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);

  return self->palette != NULL && self->n_planes == 1;
}

const guint8 *
es_picture_get_entries (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  return es_picture_has_palette (self) ? self->palette : es_colormap_entries (self->map);
}
