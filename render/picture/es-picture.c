/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-picture-private.h"

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const EsPlaneStatistics no_statistics;

G_DEFINE_FINAL_TYPE (EsPicture, es_picture, G_TYPE_OBJECT)

void
es_picture_changed (EsPicture *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
drop_detail (EsPicture *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->detail); i++)
    g_clear_pointer (&self->detail[i], es_plane_unref);
}

static void
drop_planes (EsPicture *self)
{
  drop_detail (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    {
      g_clear_pointer (&self->planes[i], es_plane_unref);
      g_clear_pointer (&self->bases[i], g_free);
    }
  self->n_planes = 0;
}

static void
es_picture_finalize (GObject *object)
{
  EsPicture *self = ES_PICTURE (object);

  drop_planes (self);
  g_free (self->palette);
  es_uploaders_free (self->uploaders);
  G_OBJECT_CLASS (es_picture_parent_class)->finalize (object);
}

static void
es_picture_class_init (EsPictureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_picture_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_picture_init (EsPicture *self)
{
  self->uploaders = es_uploaders_new ();
  self->uploader = es_uploader_memory.name;
  for (guint i = 0; i < 3; i++)
    self->stretches[2 * i + 1] = 1;
}

EsPicture *
es_picture_new (void)
{
  return g_object_new (ES_TYPE_PICTURE, NULL);
}

/* A band of three that stayed the same is neither measured nor uploaded again. */
static EsPlane *
find_plane (EsPicture *self, GBytes *bytes, guint width, guint height)
{
  for (guint i = 0; i < self->n_planes; i++)
    if (self->planes[i]->bytes == bytes && self->planes[i]->levels[0].width == width
        && self->planes[i]->levels[0].height == height)
      return es_plane_ref (self->planes[i]);
  return es_plane_new (bytes, width, height);
}

void
es_picture_set_planes (EsPicture *self, guint n_planes, GBytes **planes, guint width, guint height, guint step,
                       guint full_width, guint full_height)
{
  EsPlane *made[3] = { NULL };
  gboolean complete = TRUE;

  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 1 || n_planes == 3);
  g_return_if_fail (width > 0 && height > 0 && step > 0);
  g_return_if_fail (full_width > 0 && full_height > 0);

  for (guint i = 0; i < n_planes; i++)
    {
      made[i] = find_plane (self, planes[i], width, height);
      complete = complete && made[i] != NULL;
    }
  if (!complete)
    {
      for (guint i = 0; i < n_planes; i++)
        g_clear_pointer (&made[i], es_plane_unref);
      g_critical ("%s: a plane holds less than %u × %u samples", G_STRFUNC, width, height);
      return;
    }

  es_picture_show_planes (self, n_planes, made, step, full_width, full_height);
  for (guint i = 0; i < n_planes; i++)
    es_plane_unref (made[i]);
}

void
es_picture_show_planes (EsPicture *self, guint n_planes, EsPlane **planes, guint step, guint full_width,
                        guint full_height)
{
  gboolean same_kind;
  EsPlane *kept[3];

  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 1 || n_planes == 3);
  g_return_if_fail (step > 0 && full_width > 0 && full_height > 0);

  same_kind = self->n_planes == n_planes;
  for (guint i = 0; i < n_planes; i++)
    kept[i] = es_plane_ref (planes[i]);
  drop_planes (self);
  self->n_planes = n_planes;
  for (guint i = 0; i < n_planes; i++)
    self->planes[i] = kept[i];
  self->step = step;
  self->full_width = full_width;
  self->full_height = full_height;

  if (!self->stretched || !same_kind)
    es_picture_stretch_percent (self, 0.02, FALSE);
  else
    es_picture_changed (self);
}

void
es_picture_clear (EsPicture *self)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  if (self->n_planes == 0)
    return;
  drop_planes (self);
  es_uploaders_drop (self->uploaders);
  self->stretched = FALSE;
  es_picture_changed (self);
}

void
es_picture_set_detail (EsPicture *self, guint n_planes, EsPlane **planes, guint step, guint x, guint y,
                       gboolean complete)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 0 || (n_planes == self->n_planes && step > 0));

  EsPlane *kept[3] = { NULL };

  if (n_planes == 0 && self->detail[0] == NULL)
    return;
  for (guint i = 0; i < n_planes; i++)
    kept[i] = es_plane_ref (planes[i]);
  drop_detail (self);
  memcpy (self->detail, kept, sizeof kept);
  self->detail_step = step;
  self->detail_x = x;
  self->detail_y = y;
  self->detail_complete = complete;
  es_picture_changed (self);
}

gboolean
es_picture_get_detail (EsPicture *self, EsPlane **planes, guint *step, guint *x, guint *y)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);

  if (self->detail[0] == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_planes; i++)
    planes[i] = self->detail[i];
  *step = self->detail_step;
  *x = self->detail_x;
  *y = self->detail_y;
  return TRUE;
}

gboolean
es_picture_is_empty (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), TRUE);

  return self->n_planes == 0;
}

guint
es_picture_get_n_planes (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes;
}

guint
es_picture_get_width (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes > 0 ? self->full_width : 0;
}

guint
es_picture_get_height (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes > 0 ? self->full_height : 0;
}

guint
es_picture_get_step (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 1);

  return self->n_planes > 0 ? self->step : 1;
}

const EsPlaneStatistics *
es_picture_get_statistics (EsPicture *self, guint plane)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), &no_statistics);

  return plane < self->n_planes ? self->planes[plane]->statistics : &no_statistics;
}

EsPlane *
es_picture_get_plane (EsPicture *self, guint plane)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (plane < self->n_planes, NULL);

  return self->planes[plane];
}

float
es_picture_get_sample (EsPicture *self, guint plane, double x, double y)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NAN);

  if (plane >= self->n_planes || !(x >= 0 && y >= 0 && x < self->full_width && y < self->full_height))
    return NAN;

  if (self->detail[0] != NULL && x >= self->detail_x && y >= self->detail_y)
    {
      const EsPlaneLevel *part = &self->detail[plane]->levels[0];
      const guint across = ((guint) x - self->detail_x) / self->detail_step;
      const guint down = ((guint) y - self->detail_y) / self->detail_step;

      if (across < part->width && down < part->height)
        return es_plane_get_sample (self->detail[plane], across, down);
    }

  const EsPlaneLevel *level = &self->planes[plane]->levels[0];
  guint column = MIN ((guint) x / self->step, level->width - 1);
  guint row = MIN ((guint) y / self->step, level->height - 1);

  return es_plane_get_sample (self->planes[plane], column, row);
}
