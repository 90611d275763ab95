/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-image-view-internal.h"
#include "es-region-marks.h"

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

  GtkWidget     *tool_box;       /* a child; NULL: no tools */
  GtkWidget     *tool_buttons[ES_N_IMAGE_TOOLS];
  EsImageTool    tool;
  GArray        *corners;        /* pairs of double in picture pixels: what is being drawn */
  gboolean       drawing;        /* by a drag */
  gboolean       drag_tool;      /* the drag is the tool's */
  guint          n_press;
  EsRegionMarks *marks;
  GdkTexture    *marks_texture;  /* of the present viewport; NULL: to be rendered */
  gboolean       marks_rendered;
  GArray        *pixel_marks;    /* EsImageMark */

  GArray        *line;           /* pairs of double in picture pixels */
  gboolean       line_handles, line_dragging;
  double         line_cursor[2]; /* NAN: none */
  int            line_corner;    /* that the drag began on; -1: none */
  gboolean       over_corner;    /* the pointer, and its shape says so */
};

/* es-image-view-place.c: where the picture lies. Points and distances are in widget pixels, centres in picture
 * pixels. */
void _es_image_view_move_to         (EsImageView *self, double zoom, double center_x, double center_y);
void _es_image_view_zoom_at         (EsImageView *self, double zoom, double x, double y);
void _es_image_view_pan_by          (EsImageView *self, double dx, double dy);
void _es_image_view_hover_at        (EsImageView *self, double x, double y);
void _es_image_view_apply_fit       (EsImageView *self);

/* es-image-view.c: what is drawn over the picture. */
void _es_image_view_drop_marks      (EsImageView *self);
void _es_image_view_region_drawn    (EsImageView *self, EsRegion *region);

/* es-image-tools.c: what the tools do with the first button, in widget pixels; TRUE where a tool has taken it. */
void _es_image_view_draw_tool       (EsImageView *self, GtkSnapshot *snapshot);
gboolean _es_image_view_tool_begin  (EsImageView *self, double x, double y);
void _es_image_view_tool_drag       (EsImageView *self, double x, double y);
/* A press and release on the spot: FALSE where nothing came of it but a pixel to be selected. */
gboolean _es_image_view_tool_click  (EsImageView *self, double x, double y, guint n_press);
void _es_image_view_tool_end        (EsImageView *self);
/* FALSE: nothing was being drawn. */
gboolean _es_image_view_tool_cancel (EsImageView *self);
void _es_image_view_set_tool_cursor (EsImageView *self);
void _es_image_view_bind_tool_keys  (GtkWidgetClass *klass);
/* The polygon is closed, where it has three corners. */
gboolean _es_image_view_tool_close  (EsImageView *self);

/* es-image-line.c: a line that others have drawn and that can be moved; points in widget pixels. */
void _es_image_view_draw_line       (EsImageView *self, GtkSnapshot *snapshot, const EsViewport *viewport);
/* The corner there; -1: none. */
int  _es_image_view_pick_corner     (EsImageView *self, double x, double y);
void _es_image_view_drag_corner     (EsImageView *self, double x, double y, gboolean final);
void _es_image_view_follow_corner   (EsImageView *self, double x, double y);

/* es-image-view-input.c: pointer, touch and keys. */
void _es_image_view_add_controllers (EsImageView *self);
void _es_image_view_bind_keys       (GtkWidgetClass *klass);

G_END_DECLS
