/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-view-private.h"

#include <math.h>

#include "es-compare-divider.h"
#include "image/es-image-overlay.h"
#include "image/es-image-view-internal.h"

#define GAP    2                /* between two pictures side by side */
#define MARGIN 10               /* of a caption over a swipe */

static int
half_of (int width)
{
  return MAX ((width - GAP) / 2, 1);
}

static void
place_label (EsCompareView *self, guint i, int from, int room, gboolean at_end)
{
  int natural, height;
  gboolean fits = room > 24;

  gtk_widget_set_child_visible (self->labels[i], fits);
  if (!fits)
    return;
  gtk_widget_measure (self->labels[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  gtk_widget_measure (self->labels[i], GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  natural = MIN (natural, room);
  gtk_widget_size_allocate (self->labels[i],
                            &(GtkAllocation) { at_end ? from + room - natural : from, MARGIN, natural, height }, -1);
}

static void
es_compare_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);

  self->linking = TRUE;
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    {
      GtkAllocation place = { 0, 0, width, height };

      if (!gtk_widget_get_visible (GTK_WIDGET (self->views[i])))
        continue;
      if (self->mode == ES_COMPARE_SIDE)
        place.width = half_of (width);
      if (self->mode == ES_COMPARE_SIDE && i == ES_COMPARE_RIGHT)
        place.x = width - place.width;
      gtk_widget_size_allocate (GTK_WIDGET (self->views[i]), &place, -1);
      if (i != ES_COMPARE_LEFT)
        _es_compare_view_place_as (self, self->views[i], self->views[ES_COMPARE_LEFT]);
    }
  self->linking = FALSE;
  if (self->mode == ES_COMPARE_SWIPE)
    {
      int x, thickness, line;

      es_compare_divider_get_place (ES_COMPARE_DIVIDER (self->divider), width, &x, &thickness);
      gtk_widget_size_allocate (self->divider, &(GtkAllocation) { x, 0, thickness, height }, -1);
      line = x + thickness / 2;
      place_label (self, 0, MARGIN, line - 2 * MARGIN, FALSE);
      place_label (self, 1, line + MARGIN, width - line - 2 * MARGIN, TRUE);
    }
}

static void
es_compare_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);

  gtk_widget_measure (GTK_WIDGET (self->views[ES_COMPARE_LEFT]), orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->mode == ES_COMPARE_SIDE)
    {
      *minimum = 2 * *minimum + GAP;
      *natural = 2 * *natural + GAP;
    }
}

/* The pixel under the pointer, in the view where the pointer is not. */
static void
snapshot_cursor (EsCompareView *self, GtkSnapshot *snapshot)
{
  EsImageView *from = self->views[self->hovered];
  EsImageView *to = self->views[self->hovered == ES_COMPARE_LEFT ? ES_COMPARE_RIGHT : ES_COMPARE_LEFT];
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  EsViewport viewport;
  guint column, row;
  double x, y;

  if (!self->hovering || self->hovered == ES_COMPARE_BOTH || !_es_image_view_get_hovered (from, &column, &row)
      || es_picture_is_empty (es_image_view_get_picture (to)))
    return;
  es_image_view_get_viewport (to, &viewport);
  x = (column - viewport.left) * viewport.zoom / scale;
  y = (row - viewport.top) * viewport.zoom / scale;
  gtk_snapshot_save (snapshot);
  if (to == self->views[ES_COMPARE_RIGHT])
    gtk_snapshot_translate (snapshot,
                            &GRAPHENE_POINT_INIT (gtk_widget_get_width (GTK_WIDGET (self))
                                                  - half_of (gtk_widget_get_width (GTK_WIDGET (self))), 0));
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (to)),
                                                         gtk_widget_get_height (GTK_WIDGET (to))));
  es_image_overlay_crosshair (snapshot, x, y, viewport.zoom / scale);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
es_compare_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);
  GtkWidget *left = GTK_WIDGET (self->views[ES_COMPARE_LEFT]), *right = GTK_WIDGET (self->views[ES_COMPARE_RIGHT]);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  switch (self->mode)
    {
    case ES_COMPARE_SIDE:
      gtk_widget_snapshot_child (widget, left, snapshot);
      gtk_widget_snapshot_child (widget, right, snapshot);
      snapshot_cursor (self, snapshot);
      break;
    case ES_COMPARE_SWIPE:
      {
        int line = (int) round (es_compare_view_get_divider (self) * width);

        gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, line, height));
        gtk_widget_snapshot_child (widget, left, snapshot);
        gtk_snapshot_pop (snapshot);
        gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (line, 0, width - line, height));
        gtk_widget_snapshot_child (widget, right, snapshot);
        gtk_snapshot_pop (snapshot);
        gtk_widget_snapshot_child (widget, self->labels[0], snapshot);
        gtk_widget_snapshot_child (widget, self->labels[1], snapshot);
        gtk_widget_snapshot_child (widget, self->divider, snapshot);
      }
      break;
    case ES_COMPARE_BLINK:
      gtk_widget_snapshot_child (widget, self->blink_right ? right : left, snapshot);
      break;
    case ES_COMPARE_DIFFERENCE:
      gtk_widget_snapshot_child (widget, GTK_WIDGET (self->views[ES_COMPARE_BOTH]), snapshot);
      break;
    case ES_COMPARE_OFF:
    default:
      gtk_widget_snapshot_child (widget, left, snapshot);
    }
}

void
_es_compare_view_install_layout (GtkWidgetClass *klass)
{
  klass->size_allocate = es_compare_view_size_allocate;
  klass->measure = es_compare_view_measure;
  klass->snapshot = es_compare_view_snapshot;
}
