/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-view-private.h"

#include "image/es-image-view-internal.h"

static EsComparePicture
which_of (EsCompareView *self, EsImageView *view)
{
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (self->views[i] == view)
      return i;
  return ES_COMPARE_LEFT;
}

void
_es_compare_view_place_as (EsCompareView *self, EsImageView *view, EsImageView *from)
{
  EsComparePicture which = which_of (self, view);
  guint x, y;

  if (view == from || !_es_image_view_follow (view, from) || self->placed[which])
    return;
  self->placed[which] = TRUE;
  if (es_image_view_get_selected (self->views[ES_COMPARE_LEFT], &x, &y))
    es_image_view_select (view, x, y);
}

static void
on_moved (EsCompareView *self, EsImageView *view)
{
  EsComparePicture which = which_of (self, view);

  if (self->linking || self->mode == ES_COMPARE_OFF)
    return;
  self->linking = TRUE;
  if (which != ES_COMPARE_LEFT && !self->placed[which])
    {
      /* Its picture has just come, and is fitted: it goes where the left one is. */
      _es_compare_view_place_as (self, view, self->views[ES_COMPARE_LEFT]);
    }
  else
    {
      for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
        if (gtk_widget_get_visible (GTK_WIDGET (self->views[i])))
          _es_compare_view_place_as (self, self->views[i], view);
    }
  self->linking = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_picture_changed (EsCompareView *self, EsPicture *picture)
{
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (es_image_view_get_picture (self->views[i]) == picture && es_picture_is_empty (picture))
      self->placed[i] = FALSE;
}

static void
on_hovered (EsCompareView *self, gboolean inside, guint x, guint y, EsImageView *view)
{
  EsComparePicture which = which_of (self, view);

  /* The left one answers for the others. */
  if (which != ES_COMPARE_LEFT && (inside || self->hovered == which))
    {
      self->hovered = which;
      _es_image_view_set_hovered (self->views[ES_COMPARE_LEFT], inside, x, y);
      self->hovered = which;
    }
  else if (which == ES_COMPARE_LEFT)
    self->hovered = ES_COMPARE_LEFT;
  self->hovering = inside;
  if (self->mode == ES_COMPARE_SIDE)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_selected (EsCompareView *self, gboolean any, guint x, guint y, EsImageView *view)
{
  /* A picture that goes takes its own selection with it, not that of the others. */
  if (self->linking || (!any && which_of (self, view) != ES_COMPARE_LEFT))
    return;
  self->linking = TRUE;
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (self->views[i] != view && any)
      es_image_view_select (self->views[i], x, y);
    else if (self->views[i] != view)
      es_image_view_unselect (self->views[i]);
  self->linking = FALSE;
}

void
_es_compare_view_link (EsCompareView *self, EsImageView *view, EsPicture *picture)
{
  g_signal_connect_object (picture, "changed", G_CALLBACK (on_picture_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "moved", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "hovered", G_CALLBACK (on_hovered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}
