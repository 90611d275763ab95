/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the box lies in the view, and what is drawn of it. */

#include "es-faces-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-faces-axes.h"
#include "image/es-image-overlay.h"

#define DEPTH 0.7               /* of the longer side of the picture */

EsPoint3
_es_faces_view_extent (EsFacesView *self)
{
  const double width = (double) es_cube_get_width (self->cube), height = (double) es_cube_get_height (self->cube);

  return (EsPoint3) { width, height, DEPTH * MAX (width, height) };
}

EsFacesBox
_es_faces_view_box (EsFacesView *self, const EsFacesCut *cut)
{
  const EsPoint3 extent = _es_faces_view_extent (self);
  const double a_band = extent.z / self->order->n;

  return (EsFacesBox) {
    { (double) cut->x[0] - extent.x / 2, (double) cut->y[0] - extent.y / 2, cut->band[0] * a_band - extent.z / 2 },
    { (double) cut->x[1] - extent.x / 2, (double) cut->y[1] - extent.y / 2, cut->band[1] * a_band - extent.z / 2 },
  };
}

EsFacesLook
_es_faces_view_look (EsFacesView *self)
{
  const EsPoint3 extent = _es_faces_view_extent (self);
  const double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  const double across = sqrt (extent.x * extent.x + extent.y * extent.y + extent.z * extent.z);

  return (EsFacesLook) { self->turn, self->above, self->zoom * MIN (width, height) / across, width / 2, height / 2 };
}

static char *
make_caption (EsFacesView *self)
{
  GString *text = g_string_new (es_dataset_get_name (ES_DATASET (self->cube)));
  guint step = 1;

  g_string_append_printf (text, " · %s · %s", g_dgettext (GETTEXT_PACKAGE, es_colormap_title (self->colormap)),
                          self->each ? _("each band from 2 to 98 %") : _("all bands from 2 to 98 %"));
  for (EsFace face = ES_FACE_LEFT; face <= ES_FACE_FRONT; face++)
    if (self->answer != NULL && self->answer->faces[face] != NULL)
      step = MAX (step, self->answer->step[face]);
  if (step > 1)
    {
      g_string_append (text, " · ");
      /* TRANSLATORS: a large cube is drawn in steps */
      g_string_append_printf (text, _("sides in steps of %u pixels"), step);
    }
  if (self->order->step > 1)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _("bands in steps of %u"), self->order->step);
    }
  return g_string_free (text, FALSE);
}

static void
append_face (EsFacesView *self, GtkSnapshot *snapshot, const EsFacesLook *look, EsFace face)
{
  /* Of what they were painted: while more is read, that lies where it is. */
  const EsFacesBox box = _es_faces_view_box (self, &self->answer->cut);
  GdkTexture *texture = self->answer->faces[face];
  g_autoptr (GskTransform) transform = NULL;
  graphene_point_t points[3];
  EsPoint3 corners[3];

  if (texture == NULL || !es_faces_is_visible (look, face))
    return;
  es_faces_corners (&box, face, corners);
  for (guint i = 0; i < 3; i++)
    points[i] = es_faces_project (look, corners[i]);
  transform = es_faces_transform (points, gdk_texture_get_width (texture), gdk_texture_get_height (texture));
  if (transform == NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_transform (snapshot, transform);
  gtk_snapshot_append_texture (snapshot, texture,
                               &GRAPHENE_RECT_INIT (0, 0, gdk_texture_get_width (texture),
                                                    gdk_texture_get_height (texture)));
  gtk_snapshot_restore (snapshot);
}

void
_es_faces_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
  EsFacesView *self = ES_FACES_VIEW (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_snapshot_append_color (snapshot, &canvas, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (self->cube == NULL || width <= 0 || height <= 0)
    return;
  const EsFacesLook look = _es_faces_view_look (self);
  const EsFacesBox box = _es_faces_view_box (self, &self->cut);
  g_autofree char *caption = make_caption (self);
  for (EsFace face = 0; self->answer != NULL && face < ES_N_FACES; face++)
    append_face (self, snapshot, &look, face);
  es_faces_axes_draw (widget, snapshot, &look, &box, _es_faces_view_extent (self), self->cube, self->order, &self->cut);
  es_image_overlay_text (widget, snapshot, ES_CORNER_TOP_LEFT, caption);
  es_image_overlay_text (widget, snapshot, ES_CORNER_CENTER,
                         self->message != NULL ? self->message : self->answer == NULL ? _("Reading the sides…") : NULL);
}
