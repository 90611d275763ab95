/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-capture.h"

static gboolean under_way;

gboolean
es_capture_is_under_way (void)
{
  return under_way;
}

/* What a widget has drawn is kept until it is to draw again. */
static void
queue_draw (GtkWidget *widget)
{
  gtk_widget_queue_draw (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    queue_draw (child);
}

GdkTexture *
es_capture_render (GtkWidget *widget, int scale)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GtkWidget *parent = gtk_widget_get_parent (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  double x, y;

  if (native == NULL || parent == NULL || width <= 0 || height <= 0
      || !gtk_widget_translate_coordinates (widget, parent, 0, 0, &x, &y))
    return NULL;
  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -x, (float) -y));
  under_way = TRUE;
  queue_draw (widget);
  gtk_widget_snapshot_child (parent, widget, snapshot);
  under_way = FALSE;
  queue_draw (widget);
  node = gtk_snapshot_to_node (snapshot);
  if (node == NULL)
    return NULL;
  return gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                      &GRAPHENE_RECT_INIT (0, 0, (float) (width * scale), (float) (height * scale)));
}
