/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-map-view.h"

G_BEGIN_DECLS

#define ES_MAP_MAX_LINES 32

typedef enum { ES_MAP_VALUES, ES_MAP_NAMES, ES_MAP_TIMES } EsMapRows;

typedef struct
{
  char   *title, *unit;
  guint   n;
  double *values;
} EsMapAxis;

struct _EsMapView
{
  GtkWidget     parent_instance;

  EsHeatmap    *map;
  int           natural_height;
  EsMapAxis     x, y;
  EsMapRows     rows;
  char        **names;
  guint         apart;           /* a space below this row; 0: none */
  EsMapTime     time;
  gpointer      time_data;
  GDateTime    *start;           /* of a clock; NULL: times are seconds */
  double        top, bottom;     /* of moments */
  double        left, right, low, high;        /* in view: fractions of the columns, and of rows that are values */
  char         *unit, *message;

  double        cursor_column, cursor_row, now_row;
  double        lines[ES_MAP_MAX_LINES];
  guint         n_lines;
  gboolean      draggable;
  double       *peaks;
  guint         n_peaks;
  guint         n_track_points, n_tracks;
  double       *track_columns, *track_rows;
  guint        *track_numbers;
  double        mark_column, mark_row;
  EsMapDescribe describe;
  gpointer      describe_data;

  gboolean      has_pointer, rested;   /* it has not moved for long, but the moment has */
  double        pointer_x, pointer_y;
  gint64        pointer_moved;   /* µs, monotonic */
  gboolean      picking, selecting;
  double        pan_x, pan_y;    /* of a drag that pans: where it was last */
  double        selected[4];     /* columns and rows of the corners; the first NAN: nothing */
  int           extended[2];     /* by keys: columns and rows beyond the cell that it began with */
  double        extended_from[2];      /* that cell; the first NAN: the next one begins at the cursor */
  graphene_rect_t measured;      /* where the numbers of the rectangle were drawn last; empty: nowhere */
  EsMapMeasure  measure;
  gpointer      measure_data;
  int           dragged;         /* line; -1: none */

  GdkGLContext *context;         /* nullable: the CPU draws */
  gboolean      context_tried;
  GdkTexture   *textures[2];     /* of the map, and of the rows set apart; NULL: to be rendered */
  EsHeatmap    *under;           /* what was there before, behind what is missing; NULL: nothing */
  double        under_factor;    /* its rows for one */
  GdkTexture   *under_texture;
  graphene_rect_t drawn;         /* the area they are of */
};

/* Pixels. */
#define ES_MAP_GAP    6          /* between rows that are set apart */
#define ES_MAP_MARGIN 6
#define ES_MAP_TICK   4

typedef struct
{
  graphene_rect_t area;          /* of the map, whole device pixels */
  int    line;                   /* height of a line of text */
  int    left;                   /* what the labels of the rows take */
  gboolean title;                /* there is room for the title below */
} EsMapLayout;

/* es-map-view-layout.c */
gboolean _es_map_view_get_layout      (EsMapView *self, EsMapLayout *layout);
/* Rows at the top and at the bottom. */
void     _es_map_view_get_rows        (EsMapView *self, double *top, double *bottom);
/* Rows from `apart` on have the upper part of the height, less the gap; upper 0: nothing is set apart. */
void     _es_map_view_split_height    (EsMapView *self, const graphene_rect_t *area, double *upper, double *lower);
/* Where rows and columns lie: what is above the gap, or all of it. */
double   _es_map_view_row_to_pixel    (EsMapView *self, const graphene_rect_t *area, double row);
double   _es_map_view_pixel_to_row    (EsMapView *self, const graphene_rect_t *area, double y);
double   _es_map_view_column_to_pixel (EsMapView *self, const graphene_rect_t *area, double column);
/* Columns at the left and at the right. */
void     _es_map_view_get_columns     (EsMapView *self, double *left, double *right);
PangoLayout *_es_map_make_text   (EsMapView *self, const char *text);
int      _es_map_text_width      (EsMapView *self, const char *text, int *height); /* height nullable */
void     _es_map_append_layout   (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y,
                                       const GdkRGBA *color);
void     _es_map_append_rect     (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width,
                                       double height);

/* es-map-view-draw.c */
void     _es_map_view_snapshot        (GtkWidget *widget, GtkSnapshot *snapshot);

/* es-map-view-marks.c */
void     _es_map_view_snapshot_marks  (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area);
/* What is said of the place under the pointer, and where that is drawn. Transfer full; NULL: nothing is said. */
PangoLayout *_es_map_view_make_read_out (EsMapView *self, const graphene_rect_t *area, graphene_rect_t *box);
/* Where the number of a track is drawn: inside of the map beside `point` of n (x and y in pixels; NAN: a gap), not over
 * what is taken, and off the lines through the points where there is such a place. FALSE: there is none. */
gboolean _es_map_view_place_number   (const graphene_rect_t *area, const graphene_rect_t *taken, guint n_taken,
                                      const double *xs, const double *ys, guint n, guint point, int width, int height,
                                      graphene_rect_t *box);
/* Where the words at the pointer are drawn, so that they are not over what is measured (an empty one: nothing is). */
double   _es_map_view_place_read_out  (const graphene_rect_t *area, const graphene_rect_t *taken, double pointer,
                                       double x, double width, double height);

/* es-map-view-zoom.c */
void     _es_map_view_zoom_columns    (EsMapView *self, double factor, double column);
void     _es_map_view_zoom_rows       (EsMapView *self, double factor, double row);
/* By so many pixels; what is a moment is asked to be scrolled. */
void     _es_map_view_pan             (EsMapView *self, double x, double y);
void     _es_map_view_zoom_to_selection (EsMapView *self);
void     _es_map_view_drop_selection (EsMapView *self);
void     _es_map_view_reset_zoom      (EsMapView *self);
/* The rectangle, and where its words are to be (`measured`), which are drawn over all else. Transfer full; nullable. */
PangoLayout *_es_map_view_snapshot_selection (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area);
void     _es_map_view_add_zoom_controllers (EsMapView *self);
void     _es_map_view_bind_zoom_keys  (GtkWidgetClass *klass);

/* es-map-view-input.c */
void     _es_map_view_set_pointer     (EsMapView *self, double x, double y);
void     _es_map_view_add_controllers (EsMapView *self);
void     _es_map_view_bind_keys       (GtkWidgetClass *klass);

/* "00:12:31", or by the clock "14:02:11", and of midnight the day: "05-02". Transfer full. */
char *_es_map_view_format_time (EsMapView *self, double seconds, double step);
/* Seconds of the day with which the clock begins; 0: there is none. */
double _es_map_view_get_clock_offset (EsMapView *self);

G_END_DECLS
