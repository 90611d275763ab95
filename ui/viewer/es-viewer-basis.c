/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which values the stretch of the left picture is of, where it is not all of them: those in view, or of what is
 * selected. They are counted on a worker, as the view moves and the selection changes. */

#include "es-viewer-private.h"

#include <math.h>

typedef struct
{
  guint              n;
  EsPlane           *planes[3];  /* of the picture */
  EsPlane           *counted[3]; /* whose values: the same, or what is in view of them in more detail */
  guint              step;       /* of those */
  EsPlanePart        part;       /* its region is kept */
  EsPlaneStatistics *found[3];
} Basis;

static void
basis_free (gpointer data)
{
  Basis *basis = data;

  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&basis->planes[i], es_plane_unref);
      g_clear_pointer (&basis->counted[i], es_plane_unref);
      g_free (basis->found[i]);
    }
  g_clear_pointer (&basis->part.region, es_region_unref);
  g_free (basis);
}

/* On a worker. */
static gpointer
count (gpointer request, GCancellable *cancellable, GError **error)
{
  const Basis *wanted = request;
  Basis *basis = g_new0 (Basis, 1);

  basis->n = wanted->n;
  for (guint i = 0; i < wanted->n; i++)
    {
      basis->planes[i] = es_plane_ref (wanted->planes[i]);
      basis->found[i] = es_plane_measure_part (wanted->counted[i], wanted->step, &wanted->part);
    }
  return basis;
}

static void
counted (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsViewer *self = user_data;
  EsPicture *picture = self->left.picture;
  Basis *basis = answer;
  gboolean same = basis != NULL && es_picture_get_n_planes (picture) == basis->n
                  && es_display_get_basis (self->left.display) != ES_STRETCH_OF_IMAGE;

  for (guint i = 0; same && i < basis->n; i++)
    same = es_picture_get_plane (picture, i) == basis->planes[i];
  if (!same)
    return;
  for (guint i = 0; i < basis->n; i++)
    es_picture_set_basis (picture, i, basis->found[i]);
  es_display_apply_look (self->left.display, picture);
}

/* Whole pixels of the picture that are in view. FALSE: none. */
static gboolean
find_view (EsViewer *self, EsPlanePart *part)
{
  EsPicture *picture = self->left.picture;
  const double width = es_picture_get_width (picture), height = es_picture_get_height (picture);
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self->left.view));
  EsViewport viewport;

  es_image_view_get_viewport (self->left.view, &viewport);
  if (!(viewport.zoom > 0))
    return FALSE;
  const double right = viewport.left + scale * gtk_widget_get_width (GTK_WIDGET (self->left.view)) / viewport.zoom;
  const double bottom = viewport.top + scale * gtk_widget_get_height (GTK_WIDGET (self->left.view)) / viewport.zoom;
  const double x0 = CLAMP (floor (viewport.left), 0, width), x1 = CLAMP (ceil (right), 0, width);
  const double y0 = CLAMP (floor (viewport.top), 0, height), y1 = CLAMP (ceil (bottom), 0, height);
  *part = (EsPlanePart) { (guint64) x0, (guint64) y0, (guint64) (x1 - x0), (guint64) (y1 - y0), NULL };
  return x1 > x0 && y1 > y0;
}

/* What is in view is counted as it is seen: in the detail, where that is there. */
static void
take_detail (EsViewer *self, Basis *basis)
{
  EsPicture *picture = self->left.picture;
  EsImageView *view = self->left.view;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (view));
  EsPlane *detail[3];
  EsViewport viewport;
  guint step, x, y;

  es_image_view_get_viewport (view, &viewport);
  if (!es_picture_get_detail (picture, detail, &step, &x, &y)
      || es_picture_get_shown_step (picture, gtk_widget_get_width (GTK_WIDGET (view)) * scale,
                                    gtk_widget_get_height (GTK_WIDGET (view)) * scale, &viewport) != step
      || basis->part.x < x || basis->part.y < y)
    return;
  basis->step = step;
  basis->part.x -= x;
  basis->part.y -= y;
  for (guint i = 0; i < basis->n; i++)
    {
      es_plane_unref (basis->counted[i]);
      basis->counted[i] = es_plane_ref (detail[i]);
    }
}

static gboolean
find_selection (EsViewer *self, EsPlanePart *part)
{
  EsRegion *region = es_region_control_get_selection (es_inspector_get_control (self->inspector));
  EsPicture *picture = self->left.picture;

  if (region == NULL)
    return FALSE;
  *part = (EsPlanePart) { .region = region };
  return es_region_get_box (region, es_picture_get_width (picture), es_picture_get_height (picture), &part->x, &part->y,
                            &part->width, &part->height);
}

static void
follow (EsViewer *self)
{
  const EsStretchBasis wanted = es_display_get_basis (self->left.display);
  EsPicture *picture = self->left.picture;
  const guint n = es_picture_is_empty (picture) ? 0 : es_picture_get_n_planes (picture);
  EsPlanePart part;
  Basis *basis;

  if (n == 0 || self->preview.stack != NULL)
    return;
  if (wanted == ES_STRETCH_OF_IMAGE
      || !(wanted == ES_STRETCH_OF_VIEW ? find_view (self, &part) : find_selection (self, &part)))
    {
      /* Of nothing there is no stretch: all of the image. */
      es_latest_cancel (self->basis);
      for (guint i = 0; i < n; i++)
        es_picture_set_basis (picture, i, NULL);
      return;
    }
  basis = g_new0 (Basis, 1);
  basis->n = n;
  basis->step = es_picture_get_step (picture);
  basis->part = part;
  if (part.region != NULL)
    es_region_ref (part.region);
  for (guint i = 0; i < n; i++)
    {
      basis->planes[i] = es_plane_ref (es_picture_get_plane (picture, i));
      basis->counted[i] = es_plane_ref (basis->planes[i]);
    }
  if (wanted == ES_STRETCH_OF_VIEW)
    take_detail (self, basis);
  es_latest_submit (self->basis, basis);
}

void
_es_viewer_update_basis (EsViewer *self)
{
  follow (self);
}

static void
on_moved (EsViewer *self)
{
  if (es_display_get_basis (self->left.display) == ES_STRETCH_OF_VIEW)
    follow (self);
}

static void
on_selection (EsViewer *self)
{
  if (es_display_get_basis (self->left.display) != ES_STRETCH_OF_SELECTION)
    return;
  follow (self);
  es_display_apply_look (self->left.display, self->left.picture);
}

void
_es_viewer_connect_basis (EsViewer *self)
{
  EsRegionControl *control = es_inspector_get_control (self->inspector);

  self->basis = es_latest_new (count, basis_free, basis_free, counted, self);
  g_signal_connect_object (self->left.view, "moved", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.detail, "changed", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (control, "changed", G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
}
