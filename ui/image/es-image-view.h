/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-picture.h"
#include "cube/es-region.h"

G_BEGIN_DECLS

/*
 * Shows a picture at device pixels, with zoom and pan. Until somebody zooms, the whole picture is fitted into
 * the view.
 *
 * Wheel, pinch, + and -: zoom at the pointer (1/64 to 64 device pixels a picture pixel); 0 fits, 1 is 1:1.
 * Dragging, Shift+wheel and Ctrl+arrow keys move the picture. A click selects a pixel; the arrow keys then
 * move it (Shift: by 10), Return selects the pixel in the middle. A click with Ctrl also keeps it, with Ctrl and Shift
 * the pixels round it.
 *
 * With a tool in hand (v, r, p and l choose one), the first button draws instead of moving the picture, and the middle
 * one still moves it: a rectangle by dragging; a polygon freehand by dragging, or corner by corner by clicks, closed by
 * a double click, Return, or a click on its first corner; a line by dragging, or through several places by clicks and a
 * double click or Return, whose corners can be dragged afterwards. By keys: the arrow keys move the crosshair, Space
 * sets a corner there, Backspace takes the last one back. Esc gives up what is being drawn, then the tool.
 *
 * Properties "zoom" (double, read-only: device pixels a picture pixel), "tool" (EsImageTool, as int).
 * Signals: "hovered" (gboolean inside, guint x, guint y), "selected" (gboolean any, guint x, guint y), "moved" (the
 * picture lies elsewhere in the view, or has another size there), "region-drawn" (EsRegion *region), "kept" (guint x,
 * guint y, guint size: 1, or 3 of a mean), "line-drawn" (guint n, const double *places: n pairs in picture pixels),
 * "line-moved" (guint which, double x, double y, gboolean final: a corner of the line is dragged; the owner sets it).
 */
typedef enum
{
  ES_IMAGE_TOOL_PAN, ES_IMAGE_TOOL_RECTANGLE, ES_IMAGE_TOOL_POLYGON, ES_IMAGE_TOOL_LINE, ES_N_IMAGE_TOOLS
} EsImageTool;

#define ES_TYPE_IMAGE_VIEW (es_image_view_get_type ())
G_DECLARE_FINAL_TYPE (EsImageView, es_image_view, ES, IMAGE_VIEW, GtkWidget)

GtkWidget *es_image_view_new              (EsPicture *picture);
EsPicture *es_image_view_get_picture      (EsImageView *self);
/* What the picture shows; drawn at the top and spoken. */
void       es_image_view_set_caption      (EsImageView *self, const char *caption);
/* A sentence in the middle ("Cannot read ..."); NULL: none. */
void       es_image_view_set_message      (EsImageView *self, const char *message);
/* Metres a picture pixel for the scale bar; 0: not known. */
void       es_image_view_set_pixel_metres (EsImageView *self, double metres);
void       es_image_view_set_legend       (EsImageView *self, gboolean visible, const char *unit);

double     es_image_view_get_zoom         (EsImageView *self);
gboolean   es_image_view_get_fit          (EsImageView *self);
/* About the middle of the view. */
void       es_image_view_set_zoom         (EsImageView *self, double zoom);
void       es_image_view_zoom_by          (EsImageView *self, double factor);
void       es_image_view_fit              (EsImageView *self);
/* Which point of the picture is in the middle of the view, in its pixels; and there again, at that zoom. FALSE: there
 * is no picture yet. */
gboolean   es_image_view_get_place        (EsImageView *self, double *x, double *y);
gboolean   es_image_view_set_place        (EsImageView *self, double zoom, double x, double y);
/* Where a widget point lies in the picture; FALSE where that is outside of it. */
gboolean   es_image_view_pick             (EsImageView *self, double x, double y, double *picture_x,
                                           double *picture_y);
void       es_image_view_get_viewport     (EsImageView *self, EsViewport *viewport);

/* Selecting makes the pixel visible. */
void       es_image_view_select           (EsImageView *self, guint x, guint y);
void       es_image_view_unselect         (EsImageView *self);
gboolean   es_image_view_get_selected     (EsImageView *self, guint *x, guint *y);

/* Whether there are tools: a small group of buttons in the view, and their keys. Not at first. */
void       es_image_view_set_tools        (EsImageView *self, gboolean tools);
void       es_image_view_set_tool         (EsImageView *self, EsImageTool tool);
EsImageTool es_image_view_get_tool        (EsImageView *self);
/* Regions drawn over the picture, the last on top. Kept. */
void       es_image_view_set_regions      (EsImageView *self, guint n, EsRegion *const *regions,
                                           const GdkRGBA *colors);

/* Pixels that are told apart by colours, ringed at any zoom. Copied. */
typedef struct
{
  double  x, y;                /* in the picture */
  GdkRGBA color;
} EsImageMark;
void       es_image_view_set_marks        (EsImageView *self, guint n, const EsImageMark *marks);

/* A line through n places (pairs in picture pixels), copied; n 0: none. handles: its corners can be dragged. */
void       es_image_view_set_line         (EsImageView *self, guint n, const double *places, gboolean handles);
/* Where a reader of that line is; NAN: nowhere. */
void       es_image_view_set_line_cursor  (EsImageView *self, double x, double y);

G_END_DECLS
