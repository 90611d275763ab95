/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-image-view.h"

G_BEGIN_DECLS

struct _EsImageView
{
  GtkWidget     parent_instance;

  EsPicture    *picture;
  char         *caption;
  char         *message;
  char         *unit;
  double        pixel_metres;
  gboolean      legend;

  GdkGLContext *context;        /* nullable: the memory uploader */
  gboolean      context_tried;
  GdkTexture   *texture;        /* of the present viewport; NULL: to be rendered */

  /* Where the picture lies: its point (center_x, center_y) is in the middle of the view. */
  double        zoom, center_x, center_y;
  gboolean      fit;
  guint         picture_width, picture_height;

  gboolean      has_selected;
  guint         selected_x, selected_y;
  gboolean      has_hovered;
  guint         hovered_x, hovered_y;
  gboolean      has_pointer;
  double        pointer_x, pointer_y;

  double        drag_x, drag_y;  /* the centre when the drag began */
  gboolean      panning;
  double        pinch_zoom;
};

/* es-image-view.c: where the picture lies. Points and distances are in widget pixels, centres in picture
 * pixels. */
void _es_image_view_move_to         (EsImageView *self, double zoom, double center_x, double center_y);
void _es_image_view_zoom_at         (EsImageView *self, double zoom, double x, double y);
void _es_image_view_pan_by          (EsImageView *self, double dx, double dy);
void _es_image_view_set_hovered     (EsImageView *self, gboolean inside, guint x, guint y);
void _es_image_view_hover_at        (EsImageView *self, double x, double y);

/* es-image-view-input.c: pointer, touch and keys. */
void _es_image_view_add_controllers (EsImageView *self);
void _es_image_view_bind_keys       (GtkWidgetClass *klass);

G_END_DECLS
